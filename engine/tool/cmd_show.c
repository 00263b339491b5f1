#include "command.h"
#include "geometry.h"
#include "replay.h"
#include "show.h"

#include <getopt.h>
#include <string.h>

static const char help_text[] =
    "usage: ndl show [OPTION]... TRACE\n"
    "\n"
    "Shows a session to people: its geometry, its operations by kind, the positions, the\n"
    "span of each layer as a bar, and what every operation was given and gave, in short.\n"
    "Outputs are those that the trace records, right or wrong; ndl check compares them.\n"
    "\n"
    "  --op N               operation N alone, its values in full\n"
    "  --all                all operations (default: the first 20)\n"
    "  --max-memory SIZE    what a trace may take: 512M, 4G (default 4G)\n"
    "  --help               this text\n"
    "\n"
    "In a bar # is a position of the span, . one that is lost or out of the window.\n"
    "\n"
    "exit status: 0, or 2 if the trace cannot be read or has no such operation.\n"
    "\n"
    "examples:\n"
    "  ndl show session.jsonl\n"
    "  ndl show --op 17 session.jsonl.gz\n"
    "  ndl gen --preset tiny --steps 4 | ndl show --all - | less\n";

enum { OPT_OP = 256, OPT_ALL, OPT_MAX_MEMORY };

static const struct option options[] = {
    {"op", required_argument, NULL, OPT_OP},
    {"all", no_argument, NULL, OPT_ALL},
    {"max-memory", required_argument, NULL, OPT_MAX_MEMORY},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool read_option(show *s, size_t *max_memory, int option, const char *value, problem *p)
{
    char q[QUOTED];
    uint64_t n;
    switch (option) {
    case OPT_OP:
        if (number_parse(value, strlen(value), SIZE_MAX, &n) != NUMBER_OK || n == 0)
            return fail(p, "%s is no operation: they are counted from 1",
                        quoted(q, value, strlen(value)));
        s->only = (size_t)n;
        return true;
    case OPT_ALL:
        return s->all = true;
    default:
        return size_parse(value, max_memory) ||
               fail(p, "%s is no size: 512M, 4G", quoted(q, value, strlen(value)));
    }
}

static void warned(void *context, const replay *r, warning_kind kind, const char *text)
{
    const show *s = context;
    if (s->only == 0)
        say_about(reader_name(r->reader), reader_number(r->reader), "%s: %s",
                  kind == WARNING_USAGE ? "usage" : "warning", text);
}

int cmd_show(int argc, char **argv)
{
    replay_options replayed = {.backend = &backend_engine, .max_memory = replay_default_memory()};
    show s = {.only = 0};
    problem p;
    size_t line;
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help_text, stdout);
            return EXIT_AGREE;
        }
        if (option == '?' || option == ':')
            return wrong_option("show", argv, option);
        if (!read_option(&s, &replayed.max_memory, option, optarg, &p))
            return wrong_usage("show", "%s", p.text);
    }
    if (optind + 1 != argc)
        return wrong_usage("show", optind == argc ? "which trace?" : "one trace at a time");
    s.path = strcmp(argv[optind], "-") == 0 ? "<stdin>" : argv[optind];
    s.out = stdout;
    const listener l = {
        .context = &s, .header = show_header, .called = show_called, .warned = warned};
    if (!replay_file(argv[optind], &replayed, &l, &p, &line)) {
        fflush(stdout);
        say_about(s.path, line, "%s", p.text);
        return EXIT_ERROR;
    }
    if (s.only > s.operations) {
        say_about(s.path, 0, "there is no operation %zu, the last is %zu", s.only, s.operations);
        return EXIT_ERROR;
    }
    if (s.only == 0)
        show_summary(&s);
    return EXIT_AGREE;
}
