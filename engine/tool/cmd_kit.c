#include "command.h"
#include "kit_write.h"

#include <getopt.h>
#include <string.h>

static const char help_text[] =
    "usage: ndl kit [OPTION]... DIR\n"
    "\n"
    "Writes the conformance kit for ports into the new folder DIR: the fewest short traces\n"
    "that the engine passes and of which every known mistake fails at least one, with a\n"
    "manifest.json and a README.md that say what each is for. Hypotheses are those of ndl\n"
    "diagnose, so a kit of one's own mistakes can be made, too.\n"
    "\n"
    "What is written is read back and tried before the command says so. Making it takes\n"
    "some minutes.\n"
    "\n"
    "  --hypotheses DIR   where they are (default: NDL_HYPOTHESES, or those of this ndl)\n"
    "  --quiet            no summary, no progress\n"
    "  --help             this text\n"
    "\n"
    "exit status: 0, or 2 if the kit cannot be written or does not do what it should.\n"
    "\n"
    "examples:\n"
    "  ndl kit kit && ndl check kit/*.jsonl\n"
    "  jq -r '.traces[] | .file, .for[]' kit/manifest.json\n";

enum { OPT_HYPOTHESES = 256, OPT_QUIET };

static const struct option options[] = {
    {"hypotheses", required_argument, NULL, OPT_HYPOTHESES},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static void summary(const kit *k, const char *folder)
{
    const hypotheses *h = k->hypotheses;
    size_t equal = 0, said = 0;
    for (size_t i = 0; i < h->singles; i++)
        equal += k->equal[i];
    print_name(stdout, folder);
    printf(": %zu trace%s; the engine passes %s, each of %zu mistakes fails\n", k->count,
           k->count == 1 ? "" : "s", k->count == 1 ? "it" : "all", h->singles - equal);
    if (equal == 0)
        return;
    printf("not told from the engine by any session that was looked at:");
    for (size_t i = 0; i < h->singles; i++)
        if (k->equal[i])
            printf("%s %s", said++ == 0 ? "" : ",", h->all[i].name);
    printf("\n");
}

static int make(const hypotheses *h, const char *folder, bool quiet)
{
    kit k;
    problem p;
    char about[PATH_TEXT];
    if (!kit_make(&k, h, !quiet, &p)) {
        fprintf(stderr, "ndl kit: %s\n", p.text);
        return EXIT_ERROR;
    }
    int status = EXIT_ERROR;
    if (!kit_write(&k, folder, about, &p))
        say_about(about, 0, "%s", p.text);
    else if (!kit_check(&k, folder, &p))
        say_about(folder, 0, "%s", p.text);
    else
        status = EXIT_AGREE;
    if (status == EXIT_AGREE && !quiet)
        summary(&k, folder);
    kit_free(&k);
    return status;
}

int cmd_kit(int argc, char **argv)
{
    const char *where = NULL;
    bool quiet = false;
    hypotheses known;
    problem p;
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        switch (option) {
        case 'h':
            fputs(help_text, stdout);
            return EXIT_AGREE;
        case OPT_HYPOTHESES:
            where = optarg;
            break;
        case OPT_QUIET:
            quiet = true;
            break;
        default:
            return wrong_option("kit", argv, option);
        }
    }
    if (argc - optind != 1)
        return wrong_usage("kit", argc == optind ? "where to?" : "one folder at a time");
    /* Minutes are not to be spent for nothing. */
    if (!kit_folder(argv[optind], &p)) {
        say_about(argv[optind], 0, "%s", p.text);
        return EXIT_ERROR;
    }
    if (!hypotheses_load(&known, where, &p))
        return wrong_usage("kit", "%s", p.text);
    int status = make(&known, argv[optind], quiet);
    hypotheses_free(&known);
    return status;
}
