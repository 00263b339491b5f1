/*
 * The bench: measures libraries of ndl.h side by side and prints what it found as
 * JSON. tests/bench/bench.sh runs it and makes tables and plots of that.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "../../engine/tool/geometry.h"
#include "contest.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: bench [OPTION]... --engine NAME=FILE --baseline NAME=FILE --limits NAME=FILE\n"
    "\n"
    "Measures shared libraries that have the calls of ndl.h, in turns and with cold\n"
    "caches, and prints JSON. Each of the three may be given several times; the first\n"
    "engine is the one that is installed. NAME of --limits is an instruction set;\n"
    "those that this processor does not have are left out.\n"
    "\n"
    "  --quick          whole steps of the shipped geometry at 2048, and no more\n"
    "  --agree          only whether all of them compute the same\n"
    "  --rounds N       repetitions, 1 to 101 (default 7; 5 with --quick)\n"
    "  --evict MIB      what is walked to empty the caches (default: twice the last\n"
    "                   one's size, at least 64)\n"
    "  --help           this text\n"
    "\n"
    "exit status:\n"
    "  0  measured\n"
    "  1  a library computes something else; nothing was measured\n"
    "  2  the command line is wrong, a library cannot be used, or nothing can be written\n";

ndl_geometry geometry_named(const char *name)
{
    ndl_geometry g;

    if (!geometry_preset(name, &g)) {
        fprintf(stderr, "bench: there is no geometry \"%s\"\n", name);
        exit(2);
    }
    return g;
}

const char *precision_name(ndl_precision p)
{
    return p == NDL_F32 ? "f32" : "int8";
}

static _Noreturn void wrong(const char *what, const char *value)
{
    fprintf(stderr, "bench: %s \"%s\" (--help says what there is)\n", what, value);
    exit(2);
}

/* NAME=FILE: returns FILE, and ends NAME where the = was. */
static const char *file_of(char *pair, size_t n, size_t most)
{
    char *equals = strchr(pair, '=');

    if (equals == NULL || equals == pair)
        wrong("no NAME=FILE:", pair);
    if (n == most)
        wrong("one too many:", pair);
    *equals = '\0';
    return equals + 1;
}

static size_t number_of(const char *text, size_t most)
{
    char *end;
    const unsigned long long n = strtoull(text, &end, 10);

    if (text[0] < '0' || text[0] > '9' || *end != '\0' || n < 1 || n > most)
        wrong("no number that can be used:", text);
    return (size_t)n;
}

typedef struct arguments {
    contest c;
    bool only_agree;
    size_t evict;
} arguments;

static void take(arguments *a, int option, char *value)
{
    contest *c = &a->c;
    const char *file;

    switch (option) {
    case 'e':
        file = file_of(value, c->engines, MAX_ENGINES);
        c->engine[c->engines] = api_open(value, file);
        if (!c->engine[c->engines++].engine)
            wrong("no whole engine:", value);
        break;
    case 'b':
        file = file_of(value, c->baselines, MAX_BASELINES);
        c->baseline[c->baselines++] = api_open(value, file);
        break;
    case 'l':
        file = file_of(value, c->limits, MAX_LIMITS);
        if (limits_supported(value))
            c->limit[c->limits++] = limits_open(value, file);
        break;
    case 'q':
        c->quick = true;
        break;
    case 'a':
        a->only_agree = true;
        break;
    case 'r':
        c->rounds = number_of(value, MAX_ROUNDS);
        break;
    case 'm':
        a->evict = number_of(value, (size_t)1 << 20) << 20;
        break;
    case 'h':
        fputs(usage, stdout);
        exit(fflush(stdout) == 0 ? 0 : 2);
    default:
        exit(2); /* getopt has said why */
    }
}

static void parse(arguments *a, int argc, char **argv)
{
    static const struct option options[] = {
        {"engine", required_argument, NULL, 'e'},
        {"baseline", required_argument, NULL, 'b'},
        {"limits", required_argument, NULL, 'l'},
        {"quick", no_argument, NULL, 'q'},
        {"agree", no_argument, NULL, 'a'},
        {"rounds", required_argument, NULL, 'r'},
        {"evict", required_argument, NULL, 'm'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        take(a, option, optarg);
    if (optind < argc)
        wrong("what is", argv[optind]);
    if (a->c.engines == 0 || a->c.baselines == 0 || a->c.limits == 0)
        wrong("each of these is needed:", "--engine, --baseline, --limits");
    if (a->c.rounds == 0)
        a->c.rounds = a->c.quick ? 5 : 7;
}

int main(int argc, char **argv)
{
    static arguments a;
    static const size_t targets[] = {256, 1024, 2048, 8192}, at[] = {2048};
    /* What lies between, for the plot of a step against its position. */
    static const size_t between[] = {64, 512, 768, 1536, 4096, 6144};

    parse(&a, argc, argv);
    if (!agree(&a.c))
        return 1;
    if (a.only_agree)
        return 0;
    evict_setup(a.evict);
    out_begin();
    out_count("rounds", a.c.rounds);
    out_count("evicted_bytes", evict_bytes());
    measure_limits(&a.c);
    out_array("steps");
    if (a.c.quick) {
        measure_steps(&a.c, "shipped", 1, at, a.c.rounds);
    } else {
        measure_steps(&a.c, "shipped", 4, targets, a.c.rounds);
        measure_steps(&a.c, "rung-8", 4, targets, a.c.rounds);
        measure_steps(&a.c, "shipped", 6, between, a.c.rounds < 3 ? a.c.rounds : 3);
    }
    out_close_array();
    if (!a.c.quick) {
        measure_life(&a.c);
        measure_growth(&a.c);
        measure_memory(&a.c);
    }
    return out_end() ? 0 : 2;
}
