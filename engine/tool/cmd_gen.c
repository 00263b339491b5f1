#include "boundary.h"
#include "command.h"
#include "gen.h"
#include "geometry.h"
#include "outfile.h"

#include <getopt.h>
#include <string.h>

static const char help_text[] =
    "usage: ndl gen [OPTION]...\n"
    "\n"
    "Writes a script of one session: taps, a prefill, steps, and a look at everything at\n"
    "the end. It has no outputs; ndl run fills them in. The same arguments give the same\n"
    "bytes on every machine.\n"
    "\n"
    "  --preset NAME        the geometry: shipped, tiny (default), rung-2 ... rung-19\n"
    "  --geometry FILE      the geometry of a config in JSON, or of a trace's header\n"
    "  --cact FILE          the geometry of a model's header\n"
    "  --precision P        f32 (default; with --cact what the model suggests) or int8\n"
    "  --numerics PROFILE   needle-core (default) or upstream\n"
    "  --hint N             positions to reserve slots for (default 4)\n"
    "  --prefill N          positions to prefill (default 0)\n"
    "  --steps N            steps after that (default 16)\n"
    "  --seed N             of the random numbers (default 1)\n"
    "  --payload CLASS,...  what rows are made of, each of a class drawn for it:\n"
    "      normal     uniform in (-1, 1); the default\n"
    "      ties       halfway between two codes\n"
    "      half       absmax and absmax/2\n"
    "      odd254     odd multiples of absmax/254\n"
    "      zero, negzero\n"
    "      subnormal, and subscale: so small that the scale is\n"
    "      large      beyond 65504, the largest of binary16\n"
    "      fltmax, inf, nan\n"
    "      mixed      all of them\n"
    "  --boundaries N       instead: a small session of N words, a step, a prefill, a clone or\n"
    "                       a look each, of a geometry drawn for it, that goes where ports\n"
    "                       go wrong; --seed says which\n"
    "  --layers N           and of N layers, at most 64; without it of one to four\n"
    "  --compact            and as ports record: rows in base64, taps once and by name\n"
    "  -o, --output FILE    write there (default: standard output)\n"
    "  --help               this text\n"
    "\n"
    "examples:\n"
    "  ndl gen --preset rung-4 --prefill 20 --steps 8 | ndl run - -o session.jsonl\n"
    "  ndl gen --payload mixed --precision int8 --seed 7 | ndl run - | ndl check --reference -\n";

enum {
    OPT_PRESET = 256,
    OPT_GEOMETRY,
    OPT_CACT,
    OPT_PRECISION,
    OPT_NUMERICS,
    OPT_HINT,
    OPT_PREFILL,
    OPT_STEPS,
    OPT_SEED,
    OPT_PAYLOAD,
    OPT_BOUNDARIES,
    OPT_LAYERS,
    OPT_COMPACT
};

static const struct option options[] = {
    {"preset", required_argument, NULL, OPT_PRESET},
    {"geometry", required_argument, NULL, OPT_GEOMETRY},
    {"cact", required_argument, NULL, OPT_CACT},
    {"precision", required_argument, NULL, OPT_PRECISION},
    {"numerics", required_argument, NULL, OPT_NUMERICS},
    {"hint", required_argument, NULL, OPT_HINT},
    {"prefill", required_argument, NULL, OPT_PREFILL},
    {"steps", required_argument, NULL, OPT_STEPS},
    {"seed", required_argument, NULL, OPT_SEED},
    {"payload", required_argument, NULL, OPT_PAYLOAD},
    {"boundaries", required_argument, NULL, OPT_BOUNDARIES},
    {"layers", required_argument, NULL, OPT_LAYERS},
    {"compact", no_argument, NULL, OPT_COMPACT},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct request {
    recipe recipe;
    const char *preset, *file, *model, *output;
    bool has_precision;
    boundary boundary; /* of no words: the session is of the other kind */
    bool only, other;  /* an option was given that only one kind has */
} request;

static bool read_payloads(recipe *r, const char *list, problem *p)
{
    char q[QUOTED];
    bool chosen[PAYLOADS] = {false};
    for (const char *at = list;; at++) {
        size_t len = strcspn(at, ",");
        payload class = payload_named(at, len);
        bool mixed = len == 5 && memcmp(at, "mixed", 5) == 0;
        if (class == PAYLOADS && !mixed)
            return fail(p, "%s is no class of values", quoted(q, at, len));
        for (payload i = 0; i < PAYLOADS; i++)
            chosen[i] = chosen[i] || mixed || i == class;
        at += len;
        if (*at == '\0')
            break;
    }
    r->payload_count = 0;
    for (payload i = 0; i < PAYLOADS; i++)
        if (chosen[i])
            r->payloads[r->payload_count++] = i;
    return true;
}

/* Portable traces stay below 2^32. */
static bool read_count(const char *text, const char *what, size_t *out, problem *p)
{
    char q[QUOTED];
    uint64_t n;
    if (number_parse(text, strlen(text), UINT32_MAX / 2, &n) != NUMBER_OK)
        return fail(p, "%s is no number for %s: 0 to %u", quoted(q, text, strlen(text)), what,
                    (unsigned)(UINT32_MAX / 2));
    *out = (size_t)n;
    return true;
}

static bool read_choice(const char *text, const char *first, const char *other, bool *second,
                        problem *p)
{
    char q[QUOTED];
    *second = strcmp(text, other) == 0;
    return *second || strcmp(text, first) == 0 ||
           fail(p, "%s is neither %s nor %s", quoted(q, text, strlen(text)), first, other);
}

static bool read_option(request *k, int option, const char *value, problem *p)
{
    recipe *r = &k->recipe;
    char q[QUOTED];
    bool second;
    switch (option) {
    case OPT_PRESET:
        k->preset = value;
        return geometry_preset(value, &r->geometry) ||
               fail(p, "there is no preset %s: shipped, tiny, rung-2 to rung-19",
                    quoted(q, value, strlen(value)));
    case OPT_GEOMETRY:
        k->file = value;
        return true;
    case OPT_CACT:
        k->model = value;
        return true;
    case OPT_PRECISION:
        if (!read_choice(value, "f32", "int8", &second, p))
            return false;
        r->precision = second ? NDL_INT8 : NDL_F32;
        return k->has_precision = true;
    case OPT_NUMERICS:
        if (!read_choice(value, "needle-core", "upstream", &second, p))
            return false;
        r->numerics = second ? NDL_UPSTREAM : NDL_NEEDLE_CORE;
        return true;
    case OPT_HINT:
        return read_count(value, "--hint", &r->hint, p);
    case OPT_PREFILL:
        return read_count(value, "--prefill", &r->prefill, p);
    case OPT_STEPS:
        return read_count(value, "--steps", &r->steps, p);
    case OPT_SEED:
        return number_parse(value, strlen(value), UINT64_MAX, &r->seed) == NUMBER_OK ||
               fail(p, "%s is no seed: a number below 2^64", quoted(q, value, strlen(value)));
    case OPT_BOUNDARIES:
        if (!read_count(value, "--boundaries", &k->boundary.words, p))
            return false;
        return k->boundary.words > 0 || fail(p, "a session has at least one word");
    case OPT_LAYERS:
        if (!read_count(value, "--layers", &k->boundary.layers, p))
            return false;
        k->only = true;
        return (k->boundary.layers > 0 && k->boundary.layers <= NDL_MAX_LAYERS) ||
               fail(p, "a session has 1 to %d layers, not %zu", NDL_MAX_LAYERS, k->boundary.layers);
    case OPT_COMPACT:
        k->boundary.compact = true;
        return k->only = true;
    case OPT_PAYLOAD:
        return read_payloads(r, value, p);
    default:
        k->output = value;
        return *value != '\0' || fail(p, "the option \"--output\" needs a file's name");
    }
}

/* The geometry, from the one place that was named. */
static int find_geometry(request *k)
{
    problem p;
    recipe *r = &k->recipe;
    ndl_precision suggested;
    int sources = (k->preset != NULL) + (k->file != NULL) + (k->model != NULL);
    if (sources > 1)
        return wrong_usage("gen", "one of --preset, --geometry and --cact is enough");
    if (k->file != NULL && !geometry_from_file(k->file, &r->geometry, &p)) {
        say_about(k->file, 0, "%s", p.text);
        return EXIT_ERROR;
    }
    if (k->model != NULL) {
        if (!geometry_from_model(k->model, &r->geometry, &suggested, &p)) {
            say_about(k->model, 0, "%s", p.text);
            return EXIT_ERROR;
        }
        if (!k->has_precision)
            r->precision = suggested;
    }
    return EXIT_AGREE;
}

static int generate(request *k)
{
    problem p;
    outfile out;
    if (k->boundary.words == 0 && !gen_fits(&k->recipe, &p))
        return wrong_usage("gen", "%s", p.text);
    k->boundary.seed = k->recipe.seed;
    if (outfile_open(&out, k->output, &p)) {
        if (k->boundary.words > 0)
            boundary_write(out.file, &k->boundary);
        else
            gen_write(&k->recipe, out.file);
        if (outfile_keep(&out, &p))
            return EXIT_AGREE;
    }
    say_about(k->output, 0, "%s", p.text);
    return EXIT_ERROR;
}

int cmd_gen(int argc, char **argv)
{
    request k = {.recipe = {.hint = 4, .steps = 16, .seed = 1, .payload_count = 1}};
    problem p;
    char q[QUOTED];
    int option;
    geometry_preset("tiny", &k.recipe.geometry);
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help_text, stdout);
            return EXIT_AGREE;
        }
        if (option == '?' || option == ':')
            return wrong_option("gen", argv, option);
        if (!read_option(&k, option, optarg, &p))
            return wrong_usage("gen", "%s", p.text);
        if (option != OPT_BOUNDARIES && option != OPT_LAYERS && option != OPT_COMPACT &&
            option != OPT_SEED && option != 'o')
            k.other = true;
    }
    if (k.boundary.words > 0 && k.other)
        return wrong_usage("gen", "--boundaries draws its session; only --layers, --compact, "
                                  "--seed and --output go with it");
    if (k.boundary.words == 0 && k.only)
        return wrong_usage("gen", "--layers and --compact go with --boundaries alone");
    if (optind < argc)
        return wrong_usage("gen", "%s is not wanted here",
                           quoted(q, argv[optind], strlen(argv[optind])));
    int status = find_geometry(&k);
    return status != EXIT_AGREE ? status : generate(&k);
}
