#include "command.h"
#include "report.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help_text[] =
    "usage: ndl check [OPTION]... FILE...\n"
    "\n"
    "Replays needle-traces on the engine and compares every output that they record.\n"
    "FILE is a trace as it stands or compressed with gzip; - is standard input.\n"
    "\n"
    "Floats must have the same bits, any NaN counting as any other; attention, which\n"
    "goes through a library's exp, must lie within 1e-5 of the root mean square of what\n"
    "is recorded. Each output that differs is reported with its place, both values, and\n"
    "the claim of the specification that fixes the right one.\n"
    "\n"
    "  --reference            compare with the naive reference instead of the engine\n"
    "  --exact                compare attention bit for bit, too\n"
    "  --tolerance [OP=]R     let floats (of OP) be R times the rms apart; what agrees\n"
    "                         only so is reported as \"within R, not equal\"\n"
    "  --accept-tolerance     and does not count as a difference\n"
    "  --strict               a warning counts as a difference\n"
    "  --max-mismatches N     show N of them a file, and count the rest (default 10)\n"
    "  --max-memory SIZE      what a trace may take: 512M, 4G (default 4G)\n"
    "  --json                 one JSON document instead of text\n"
    "  --quiet                say only what is wrong\n"
    "  --help                 this text\n"
    "\n"
    "exit status:\n"
    "  0  every recorded output agrees\n"
    "  1  an output differs, or is within a tolerance that was not accepted\n"
    "  2  a file cannot be read or is no trace, or the command line is wrong\n"
    "  3  nothing was compared\n"
    "Of several files the worst counts: 2 before 1 before 3.\n"
    "\n"
    "examples:\n"
    "  ndl check my-port.jsonl\n"
    "  ndl check --tolerance conv_step=1e-6 --max-mismatches 1 my-port.jsonl.gz\n"
    "  my-port --record - | ndl check -\n"
    "  ndl check --json *.jsonl | jq '.files[] | select(.exit != 0) | .findings[0]'\n";

enum {
    OPT_REFERENCE = 256,
    OPT_EXACT,
    OPT_TOLERANCE,
    OPT_ACCEPT,
    OPT_STRICT,
    OPT_MISMATCHES,
    OPT_MEMORY,
    OPT_JSON,
    OPT_QUIET,
    OPT_HELP
};

static const struct option options[] = {
    {"reference", no_argument, NULL, OPT_REFERENCE},
    {"exact", no_argument, NULL, OPT_EXACT},
    {"tolerance", required_argument, NULL, OPT_TOLERANCE},
    {"accept-tolerance", no_argument, NULL, OPT_ACCEPT},
    {"strict", no_argument, NULL, OPT_STRICT},
    {"max-mismatches", required_argument, NULL, OPT_MISMATCHES},
    {"max-memory", required_argument, NULL, OPT_MEMORY},
    {"json", no_argument, NULL, OPT_JSON},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

typedef struct check {
    report report;
    replay_options options;
    rules rules;
    bool accept, strict, json, quiet;
    tally tally; /* of the file at hand */
    size_t shown, warned;
} check;

static void add(tally *total, const tally *t)
{
    total->operations += t->operations;
    total->compared += t->compared;
    total->without += t->without;
    total->differing += t->differing;
    total->within += t->within;
    total->usage += t->usage;
    total->unknown += t->unknown;
    total->attended = total->attended || t->attended;
    if (t->worst > total->worst)
        total->worst = t->worst;
}

static void judge(check *k, replay *r, const call *c, size_t output, verdict v, const difference *d)
{
    tally *t = &k->tally;
    t->compared++;
    if (d->measured && c->op->attention) {
        t->attended = true;
        if (d->worst > t->worst || t->worst_line == 0) {
            t->worst = d->worst;
            t->worst_line = c->line;
        }
    }
    if (v == AGREES)
        return;
    if (v == WITHIN)
        t->within++;
    else
        t->differing++;
    if (k->shown++ < k->report.max_mismatches) {
        progress_clear(&r->progress);
        k->report.mismatch(&k->report, reader_name(r->reader), c, output, v, d);
    }
}

static bool called(void *context, replay *r, const call *c)
{
    check *k = context;
    difference d;
    verdict v;
    bool any = false;
    k->tally.operations++;
    if (c->recorded_status != NULL && !c->skipped) {
        v = compare_status(c, &d);
        judge(k, r, c, STATUS_OUTPUT, v, &d);
        any = true;
    }
    for (size_t i = 0; i < MOST_OUTPUTS && c->op->out[i].name != NULL; i++) {
        if (c->recorded[i] == NULL || c->skipped)
            continue;
        if (!compare_output(r, c, i, &k->rules, &v, &d))
            return false;
        judge(k, r, c, i, v, &d);
        any = true;
    }
    if (!any)
        k->tally.without++;
    return true;
}

static void warned(void *context, const replay *r, warning_kind kind, const char *text)
{
    check *k = context;
    if (kind == WARNING_USAGE)
        k->tally.usage++;
    else
        k->tally.unknown++;
    if (k->warned++ < k->report.max_warnings)
        k->report.warning(&k->report, reader_name(r->reader), reader_number(r->reader), kind, text);
}

static int check_file(check *k, const char *file)
{
    problem p;
    size_t line;
    listener l = {.context = k, .called = called, .warned = warned};
    tally *t = &k->tally;
    const char *shown = strcmp(file, "-") == 0 ? "<stdin>" : file;
    memset(t, 0, sizeof *t);
    k->shown = k->warned = 0;
    k->report.file_begin(&k->report, shown);
    bool good = replay_file(file, &k->options, &l, &p, &line);
    if (!good)
        k->report.error(&k->report, shown, line, p.text);
    bool differs = t->differing > 0 || (t->within > 0 && !k->accept) ||
                   (k->strict && t->usage + t->unknown > 0);
    int status = !good             ? EXIT_ERROR
                 : differs         ? EXIT_DIFFERS
                 : t->compared > 0 ? EXIT_AGREE
                                   : EXIT_NOTHING;
    k->report.file_end(&k->report, shown, t, status);
    return status;
}

/* 2 before 1 before 3 before 0. */
static int worse(int a, int b)
{
    static const int rank[4] = {
        [EXIT_AGREE] = 0, [EXIT_NOTHING] = 1, [EXIT_DIFFERS] = 2, [EXIT_ERROR] = 3};
    return rank[a] > rank[b] ? a : b;
}

static bool read_tolerance(check *k, const char *text, problem *p)
{
    const char *equals = strchr(text, '=');
    const char *value = equals == NULL ? text : equals + 1;
    char *end, q[QUOTED];
    double share = strtod(value, &end);
    if (end == value || *end != '\0' || !(share >= 0) || share == (double)INFINITY)
        return fail(p, "%s is no tolerance: [OP=]R, R a number from 0 up",
                    quoted(q, text, strlen(text)));
    if (equals == NULL) {
        for (size_t i = 0; i < operation_count; i++)
            k->rules.tolerance[i] = share;
        return true;
    }
    const operation *op = operation_named(text, (size_t)(equals - text));
    if (op == NULL || !op->floats)
        return fail(p, "%s is no operation with floats in its output",
                    quoted(q, text, (size_t)(equals - text)));
    k->rules.tolerance[op - operations] = share;
    return true;
}

static bool read_option(check *k, int option, const char *value, problem *p)
{
    char q[QUOTED];
    uint64_t n;
    switch (option) {
    case OPT_REFERENCE:
        k->options.backend = &backend_reference;
        return true;
    case OPT_EXACT:
        k->rules.exact = true;
        return true;
    case OPT_TOLERANCE:
        return read_tolerance(k, value, p);
    case OPT_ACCEPT:
        k->accept = true;
        return true;
    case OPT_STRICT:
        k->strict = true;
        return true;
    case OPT_MISMATCHES:
        if (number_parse(value, strlen(value), SIZE_MAX, &n) != NUMBER_OK)
            return fail(p, "%s is no number of mismatches", quoted(q, value, strlen(value)));
        k->report.max_mismatches = (size_t)n;
        return true;
    case OPT_MEMORY:
        return size_parse(value, &k->options.max_memory) ||
               fail(p, "%s is no size: 512M, 4G, a number of bytes",
                    quoted(q, value, strlen(value)));
    case OPT_JSON:
        k->json = true;
        return true;
    default:
        k->quiet = true;
        return true;
    }
}

static int check_files(check *k, char **files, size_t count)
{
    report *out = &k->report;
    tally total = {.operations = 0};
    size_t by_status[4] = {0};
    int status = EXIT_AGREE;
    out->out = stdout;
    out->against = k->options.backend->name;
    out->quiet = k->quiet;
    out->show_warnings = !k->quiet || k->strict;
    k->options.progress = !k->quiet;
    if (k->json)
        report_to_programs(out);
    else
        report_to_people(out);
    for (size_t i = 0; i < count && !ferror(stdout); i++) {
        int one = check_file(k, files[i]);
        by_status[one]++;
        status = worse(status, one);
        add(&total, &k->tally);
    }
    out->end(out, &total, count, by_status, status);
    return status;
}

int cmd_check(int argc, char **argv)
{
    check k = {
        .report = {.max_mismatches = 10, .max_warnings = 20},
        .options = {.backend = &backend_engine, .max_memory = replay_default_memory()},
    };
    double tolerance[MOST_OPERATIONS];
    problem p;
    int option;
    for (size_t i = 0; i < sizeof tolerance / sizeof tolerance[0]; i++)
        tolerance[i] = -1;
    k.rules.tolerance = tolerance;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        if (option == OPT_HELP || option == 'h') {
            fputs(help_text, stdout);
            return EXIT_AGREE;
        }
        if (option == '?' || option == ':')
            return wrong_option("check", argv, option);
        if (!read_option(&k, option, optarg, &p))
            return wrong_usage("check", "%s", p.text);
    }
    if (optind == argc)
        return wrong_usage("check", "no trace is named; - is standard input");
    return check_files(&k, argv + optind, (size_t)(argc - optind));
}
