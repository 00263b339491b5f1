#include "apart.h"
#include "command.h"
#include "emit.h"
#include "outfile.h"

#include <getopt.h>
#include <string.h>

static const char help_text[] =
    "usage: ndl discriminate [OPTION]... A B\n"
    "\n"
    "Writes the shortest script that tells two hypotheses apart: run it on a port, record\n"
    "what comes out, and ndl diagnose says which of the two it is. A and B are names that\n"
    "ndl diagnose --list gives; right is the engine as it is.\n"
    "\n"
    "Small sessions are looked at, shortest first; in the first that tells the two apart,\n"
    "operations are left out as long as it still does. If none of them does, the two are\n"
    "the same as far as these sessions go.\n"
    "\n"
    "  --hypotheses DIR   where they are (default: NDL_HYPOTHESES, or those of this ndl)\n"
    "  -o, --output FILE  write the script there (default: standard output)\n"
    "  --json             one JSON document on standard output, the script in it\n"
    "  --quiet            do not say how they differ\n"
    "  --help             this text\n"
    "\n"
    "exit status:\n"
    "  0  the script tells them apart\n"
    "  1  no session that was looked at does\n"
    "  2  the command line is wrong, or the script cannot be written\n"
    "\n"
    "examples:\n"
    "  ndl discriminate half-to-even floor-of-half-more -o which.jsonl\n"
    "  ndl discriminate window-one-wide right\n";

enum { OPT_HYPOTHESES = 256, OPT_JSON, OPT_QUIET };

static const struct option options[] = {
    {"hypotheses", required_argument, NULL, OPT_HYPOTHESES},
    {"output", required_argument, NULL, 'o'},
    {"json", no_argument, NULL, OPT_JSON},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct request {
    const char *folder, *output;
    bool json, quiet;
} request;

static bool write_script(const request *k, const apart *found)
{
    outfile out;
    problem p;
    if (outfile_open(&out, k->output, &p)) {
        script_write(&found->script, out.file);
        if (outfile_keep(&out, &p))
            return true;
    }
    say_about(k->output, 0, "%s", p.text);
    return false;
}

static void write_json(const hypothesis *a, const hypothesis *b, const apart *found, bool differ)
{
    emit *j = emit_begin(stdout);
    emit_text(j, "a", a->name);
    emit_text(j, "b", b->name);
    emit_bool(j, "apart", differ);
    emit_number(j, "sessions", found->sessions);
    if (differ) {
        emit_number(j, "line", found->script.count);
        emit_text(j, "op", found->op);
        emit_text(j, "output", found->output);
        emit_text(j, "a_gives", found->a);
        emit_text(j, "b_gives", found->b);
        emit_list(j, "script");
        for (size_t i = 0; i < found->script.count; i++)
            emit_text(j, NULL, found->script.lines[i]);
        emit_list_end(j);
    }
    emit_end(j);
}

static void say_difference(const hypothesis *a, const hypothesis *b, const apart *found)
{
    int width = (int)strlen(strlen(a->name) > strlen(b->name) ? a->name : b->name);
    fprintf(stderr, "line %zu, %s: \"%s\"\n", found->script.count, found->op, found->output);
    fprintf(stderr, "    %-*s  %s\n    %-*s  %s\n", width, a->name, found->a, width, b->name,
            found->b);
}

static int tell_apart(const request *k, const hypothesis *a, const hypothesis *b)
{
    apart found;
    problem p;
    int status = EXIT_ERROR;
    switch (apart_search(&found, a, b, !k->quiet, &p)) {
    case APART_FOUND:
        status = EXIT_AGREE;
        if ((k->output != NULL || !k->json) && !write_script(k, &found))
            status = EXIT_ERROR;
        else if (!k->quiet && !k->json)
            say_difference(a, b, &found);
        break;
    case APART_EQUAL:
        status = EXIT_DIFFERS;
        if (!k->quiet && !k->json)
            fprintf(stderr, "%s and %s are the same in all of %zu small sessions\n", a->name,
                    b->name, found.sessions);
        break;
    case APART_ERROR:
        fprintf(stderr, "ndl discriminate: %s\n", p.text);
        break;
    }
    if (k->json && status != EXIT_ERROR)
        write_json(a, b, &found, status == EXIT_AGREE);
    apart_free(&found);
    return status;
}

int cmd_discriminate(int argc, char **argv)
{
    request k = {.folder = NULL};
    hypotheses known;
    problem p;
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
        switch (option) {
        case 'h':
            fputs(help_text, stdout);
            return EXIT_AGREE;
        case 'o':
            if (*optarg == '\0')
                return wrong_usage("discriminate", "the option \"--output\" needs a file's name");
            k.output = optarg;
            break;
        case OPT_HYPOTHESES:
            k.folder = optarg;
            break;
        case OPT_JSON:
            k.json = true;
            break;
        case OPT_QUIET:
            k.quiet = true;
            break;
        default:
            return wrong_option("discriminate", argv, option);
        }
    }
    if (argc - optind != 2)
        return wrong_usage("discriminate", "two hypotheses are told apart; %d %s named",
                           argc - optind, argc - optind == 1 ? "is" : "are");
    if (!hypotheses_load(&known, k.folder, &p))
        return wrong_usage("discriminate", "%s", p.text);
    const hypothesis *a = hypotheses_find(&known, argv[optind], &p);
    const hypothesis *b = a == NULL ? NULL : hypotheses_find(&known, argv[optind + 1], &p);
    int status = b == NULL ? wrong_usage("discriminate", "%s", p.text)
                 : a == b  ? wrong_usage("discriminate", "both are %s", a->name)
                           : tell_apart(&k, a, b);
    hypotheses_free(&known);
    return status;
}
