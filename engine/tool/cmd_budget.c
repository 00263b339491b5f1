#include "command.h"
#include "footprint.h"
#include "geometry.h"
#include "yajl_memory.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>
#include <yajl/yajl_gen.h>

static const char help_text[] =
    "usage: ndl budget [OPTION]...\n"
    "\n"
    "The memory of a session, before there is one: the bytes of its contents once the\n"
    "positions 0, 1, 2 ... have been stepped, part by part, in f32 and int8, and the\n"
    "peak on the way there, when a ring that grows is there twice, old and new.\n"
    "\n"
    "  --geometry G         a preset (shipped, tiny, rung-2 ... rung-19), the file of a\n"
    "                       config or a trace, or a model (.cact); default: shipped\n"
    "  --hints LIST         positions to reserve slots for (default 64,512,2048,8192)\n"
    "  --positions LIST     how many are stepped (default 0, and all that max_seq_len\n"
    "                       allows); 0 is a new session\n"
    "  --layers             each layer's slots and bytes, too, in the tables\n"
    "  --json               one JSON document instead of tables, always with layers\n"
    "  --help               this text\n"
    "\n"
    "A session takes this, at most 1 KiB more, 256 bytes more a layer and site, and the\n"
    "room for its token history; the scratch of attention is the caller's.\n"
    "\n"
    "exit status: 0, or 2 if a geometry cannot be read or the command line is wrong.\n"
    "\n"
    "examples:\n"
    "  ndl budget\n"
    "  ndl budget --geometry rung-8 --hints 256 --positions 0,256,4096 --layers\n"
    "  ndl budget --json | jq '.sessions[] | [.hint, .precision, .steps[-1].bytes]'\n";

enum { MOST_NUMBERS = 32, OPT_GEOMETRY = 256, OPT_HINTS, OPT_POSITIONS, OPT_LAYERS, OPT_JSON };

static const struct option options[] = {
    {"geometry", required_argument, NULL, OPT_GEOMETRY},
    {"hints", required_argument, NULL, OPT_HINTS},
    {"positions", required_argument, NULL, OPT_POSITIONS},
    {"layers", no_argument, NULL, OPT_LAYERS},
    {"json", no_argument, NULL, OPT_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct numbers {
    size_t count, n[MOST_NUMBERS];
} numbers;

typedef struct request {
    const char *name;
    ndl_geometry geometry;
    numbers hints, positions;
    bool layers, json;
} request;

static bool read_numbers(numbers *list, const char *text, const char *option, problem *p)
{
    char q[QUOTED];
    list->count = 0;
    for (const char *at = text;; at++) {
        size_t len = strcspn(at, ",");
        uint64_t n;
        if (number_parse(at, len, SIZE_MAX - 1, &n) != NUMBER_OK)
            return fail(p, "%s is no number for %s", quoted(q, at, len), option);
        if (list->count == MOST_NUMBERS)
            return fail(p, "%s takes up to %d numbers", option, MOST_NUMBERS);
        list->n[list->count++] = (size_t)n;
        at += len;
        if (*at == '\0')
            return true;
    }
}

static const char *precision_name(ndl_precision precision)
{
    return precision == NDL_F32 ? "f32" : "int8";
}

/* -------------------------------------------------------------------- text */

static void print_layers(const ndl_geometry *g, const footprint *f)
{
    printf("\n    %5s %10s %10s %14s\n", "layer", "window", "slots", "bytes");
    for (size_t l = 0; l < g->num_layers; l++) {
        size_t window = 0;
        char shown[24] = "none";
        ndl_geometry_window(g, l, &window);
        if (window != 0)
            snprintf(shown, sizeof shown, "%zu", window);
        printf("    %5zu %10s %10zu %14zu\n", l, shown, f->slots[l], f->layer[l]);
    }
    putchar('\n');
}

static void print_session(const request *k, ndl_precision precision, size_t hint)
{
    footprint f;
    printf("\nhint %zu, %s\n", hint, precision_name(precision));
    printf("  %10s %12s %12s %10s %10s %10s %7s %13s %13s\n", "positions", "keys", "values",
           "scales", "tails", "engram", "tokens", "bytes", "peak");
    for (size_t i = 0; i < k->positions.count; i++) {
        footprint_of(&k->geometry, precision, hint, k->positions.n[i], &f);
        printf("  %10zu %12zu %12zu %10zu %10zu %10zu %7zu %13zu %13zu\n", k->positions.n[i],
               f.keys, f.values, f.scales, f.tails, f.engram, f.tokens, f.total, f.peak);
        if (k->layers)
            print_layers(&k->geometry, &f);
    }
}

static void print_text(const request *k)
{
    print_name(stdout, k->name);
    printf(": %zu layers, max_seq_len %zu, bytes of a session by part\n", k->geometry.num_layers,
           k->geometry.max_seq_len);
    for (size_t h = 0; h < k->hints.count; h++) {
        print_session(k, NDL_F32, k->hints.n[h]);
        print_session(k, NDL_INT8, k->hints.n[h]);
    }
}

/* -------------------------------------------------------------------- JSON */

static void put_name(yajl_gen g, const char *name)
{
    /* A path may be no UTF-8, and then stands here as ASCII. */
    char q[QUOTED];
    if (yajl_gen_string(g, (const unsigned char *)name, strlen(name)) == yajl_gen_invalid_string) {
        quoted(q, name, strlen(name));
        yajl_gen_string(g, (const unsigned char *)q, strlen(q));
    }
}

static void put(yajl_gen g, const char *name, size_t n)
{
    char text[24];
    put_name(g, name);
    int len = snprintf(text, sizeof text, "%zu", n);
    yajl_gen_number(g, text, (size_t)len);
}

static void put_footprint(yajl_gen g, const request *k, size_t positions, const footprint *f)
{
    yajl_gen_map_open(g);
    put(g, "positions", positions);
    put(g, "bytes", f->total);
    put(g, "peak", f->peak);
    put(g, "keys", f->keys);
    put(g, "values", f->values);
    put(g, "scales", f->scales);
    put(g, "tails", f->tails);
    put(g, "engram_tails", f->engram);
    put(g, "tokens", f->tokens);
    put_name(g, "layers");
    yajl_gen_array_open(g);
    for (size_t l = 0; l < k->geometry.num_layers; l++) {
        size_t window = 0, cap = 0;
        ndl_geometry_window(&k->geometry, l, &window);
        ndl_geometry_cap(&k->geometry, l, &cap);
        yajl_gen_map_open(g);
        put(g, "window", window);
        put(g, "cap", cap);
        put(g, "slots", f->slots[l]);
        put(g, "bytes", f->layer[l]);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
    yajl_gen_map_close(g);
}

static void put_session(yajl_gen g, const request *k, ndl_precision precision, size_t hint)
{
    footprint f;
    yajl_gen_map_open(g);
    put_name(g, "precision");
    put_name(g, precision_name(precision));
    put(g, "hint", hint);
    put_name(g, "steps");
    yajl_gen_array_open(g);
    for (size_t i = 0; i < k->positions.count; i++) {
        footprint_of(&k->geometry, precision, hint, k->positions.n[i], &f);
        put_footprint(g, k, k->positions.n[i], &f);
    }
    yajl_gen_array_close(g);
    yajl_gen_map_close(g);
}

/*
 * {"ndl": version, "geometry": name, "sessions": [{"precision", "hint",
 *   "steps": [{"positions", "bytes", "peak", "keys", "values", "scales", "tails",
 *              "engram_tails", "tokens",
 *              "layers": [{"window" (0: none), "cap", "slots", "bytes"}...]}...]}...]}
 */
static void print_json(const request *k)
{
    const unsigned char *text;
    size_t len;
    yajl_gen g = yajl_gen_alloc(&yajl_memory);
    yajl_gen_config(g, yajl_gen_beautify, 1);
    yajl_gen_config(g, yajl_gen_validate_utf8, 1);
    yajl_gen_map_open(g);
    put_name(g, "ndl");
    put_name(g, NDL_VERSION);
    put_name(g, "geometry");
    put_name(g, k->name);
    put_name(g, "sessions");
    yajl_gen_array_open(g);
    for (size_t h = 0; h < k->hints.count; h++) {
        put_session(g, k, NDL_F32, k->hints.n[h]);
        put_session(g, k, NDL_INT8, k->hints.n[h]);
    }
    yajl_gen_array_close(g);
    yajl_gen_map_close(g);
    yajl_gen_get_buf(g, &text, &len);
    fwrite(text, 1, len, stdout);
    yajl_gen_free(g);
}

/* ----------------------------------------------------------------- command */

static bool read_geometry(request *k, problem *p)
{
    ndl_precision suggested;
    const size_t len = strlen(k->name);
    if (geometry_preset(k->name, &k->geometry))
        return true;
    if (len > 5 && strcmp(k->name + len - 5, ".cact") == 0)
        return geometry_from_model(k->name, &k->geometry, &suggested, p);
    return geometry_from_file(k->name, &k->geometry, p);
}

static bool read_option(request *k, int option, const char *value, problem *p)
{
    switch (option) {
    case OPT_GEOMETRY:
        k->name = value;
        return true;
    case OPT_HINTS:
        return read_numbers(&k->hints, value, "--hints", p);
    case OPT_POSITIONS:
        return read_numbers(&k->positions, value, "--positions", p);
    case OPT_LAYERS:
        return k->layers = true;
    default:
        return k->json = true;
    }
}

int cmd_budget(int argc, char **argv)
{
    request k = {.name = "shipped", .hints = {4, {64, 512, 2048, 8192}}};
    problem p;
    char q[QUOTED];
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help_text, stdout);
            return EXIT_AGREE;
        }
        if (option == '?' || option == ':')
            return wrong_option("budget", argv, option);
        if (!read_option(&k, option, optarg, &p))
            return wrong_usage("budget", "%s", p.text);
    }
    if (optind < argc)
        return wrong_usage("budget", "%s is not wanted here",
                           quoted(q, argv[optind], strlen(argv[optind])));
    if (!read_geometry(&k, &p)) {
        say_about(k.name, 0, "%s", p.text);
        return EXIT_ERROR;
    }
    if (k.positions.count == 0)
        k.positions = (numbers){2, {0, k.geometry.max_seq_len}};
    if (k.json)
        print_json(&k);
    else
        print_text(&k);
    return EXIT_AGREE;
}
