#include "command.h"
#include "diagnosis_report.h"
#include "emit.h"
#include "fill.h"
#include "outfile.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help_text[] =
    "usage: ndl diagnose [OPTION]... TRACE...\n"
    "       ndl diagnose --list [--hypotheses DIR]\n"
    "\n"
    "Says which known mistake explains a trace that ndl check refuses. Each hypothesis is\n"
    "the engine with one mistake in it; it is tried on the trace, in a process of its own,\n"
    "and explains it if every recorded output is as it gives it, compared as ndl check\n"
    "does. The values are read for what they say of themselves, too. TRACE is a trace as\n"
    "it stands or compressed with gzip; - is standard input.\n"
    "\n"
    "  --list             name the hypotheses, and say how many pairs there are\n"
    "  --hypotheses DIR   where they are (default: NDL_HYPOTHESES, or those of this ndl)\n"
    "  --shrink FILE      write the smallest prefix that shows the difference, as a script\n"
    "  --nearer N         show N of those that are not exact (default 5)\n"
    "  --max-memory SIZE  what a trace may take: 512M, 4G (default 4G)\n"
    "  --json             one JSON document instead of text\n"
    "  --quiet            no warnings, no progress\n"
    "  --help             this text\n"
    "\n"
    "exit status:\n"
    "  0  a hypothesis explains the trace exactly\n"
    "  1  none does\n"
    "  2  a file cannot be read or is no trace, or the command line is wrong\n"
    "  4  the trace has no mistake\n"
    "Of several traces the worst counts: 2 before 1 before 0 before 4.\n"
    "\n"
    "examples:\n"
    "  ndl diagnose my-port.jsonl\n"
    "  ndl diagnose --shrink small.jsonl my-port.jsonl.gz\n"
    "  ndl diagnose --json my-port.jsonl | jq '.files[].exact[].name'\n";

enum { OPT_LIST = 256, OPT_HYPOTHESES, OPT_SHRINK, OPT_NEARER, OPT_MEMORY, OPT_JSON, OPT_QUIET };

static const struct option options[] = {
    {"list", no_argument, NULL, OPT_LIST},
    {"hypotheses", required_argument, NULL, OPT_HYPOTHESES},
    {"shrink", required_argument, NULL, OPT_SHRINK},
    {"nearer", required_argument, NULL, OPT_NEARER},
    {"max-memory", required_argument, NULL, OPT_MEMORY},
    {"json", no_argument, NULL, OPT_JSON},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* Beside the statuses that all commands have. */
enum { EXIT_NO_MISTAKE = 4 };

typedef struct request {
    hypotheses hypotheses;
    diagnosis_report report;
    const char *folder, *shrink;
    size_t max_memory;
    bool list, json, quiet;
    const hypothesis **together; /* exact on each trace so far that has a mistake */
    size_t together_count;
    bool any; /* trace that has one */
} request;

static void list(const hypotheses *h)
{
    for (size_t i = 0; i < h->singles; i++)
        printf("%-34s%s\n", h->all[i].name, h->all[i].mistakes[0].sentence);
    printf("%zu hypotheses, %zu pairs of them, in %s\n", h->singles, h->count - h->singles,
           h->where);
}

static void list_json(const hypotheses *h)
{
    emit *j = emit_begin(stdout);
    emit_text(j, "folder", h->where);
    emit_number(j, "pairs", h->count - h->singles);
    emit_list(j, "hypotheses");
    for (size_t i = 0; i < h->singles; i++)
        put_mistake(j, &h->all[i].mistakes[0]);
    emit_list_end(j);
    emit_end(j);
    putchar('\n');
}

/* Keeps of those that explained all so far what explains this one too. */
static void keep_common(request *k, const diagnosis *d)
{
    size_t kept = 0;
    if (!k->any) {
        k->any = true;
        k->together = get_memory((d->exact + 1) * sizeof(const void *));
        for (size_t i = 0; i < d->exact; i++)
            k->together[i] = d->all[i].hypothesis;
        k->together_count = d->exact;
        return;
    }
    for (size_t i = 0; i < k->together_count; i++)
        for (size_t n = 0; n < d->exact; n++)
            if (d->all[n].hypothesis == k->together[i]) {
                k->together[kept++] = k->together[i];
                break;
            }
    k->together_count = kept;
}

/* False: p says what is wrong with the file in *about. */
static bool shrink(const request *k, const char *path, const tape *t, case_file *c,
                   const char **about, problem *p)
{
    const replay_options how = {.backend = &backend_engine, .max_memory = k->max_memory};
    outfile out;
    size_t line;
    if (k->shrink == NULL)
        return true;
    *about = c->shrunk = k->shrink;
    if (!outfile_open(&out, k->shrink, p))
        return false;
    fill f = {.out = out.file,
              .bare = true,
              .last = entry_call(t, &t->entries[t->first])->line,
              .quiet = true};
    if (!fill_file(&f, path, &how, p, &line) && p->text[0] != '\0') {
        outfile_drop(&out);
        *about = path;
        return false;
    }
    return outfile_keep(&out, p);
}

static int examine(request *k, const char *path, const tape *t, problem *p)
{
    case_file c = {.name = t->name, .status = EXIT_NO_MISTAKE, .tape = t};
    const char *about = t->name;
    diagnosis d;
    fingerprints prints;
    if (t->differing == 0) {
        k->report.one(&k->report, &c);
        return EXIT_NO_MISTAKE;
    }
    if (!shrink(k, path, t, &c, &about, p)) {
        say_about(about, 0, "%s", p->text);
        return EXIT_ERROR;
    }
    if (!diagnose(&d, t, &k->hypotheses, !k->quiet, p)) {
        say_about(t->name, 0, "%s", p->text);
        return EXIT_ERROR;
    }
    fingerprints_of(&prints, t);
    c.found = &d;
    c.prints = &prints;
    c.status = d.exact > 0 ? EXIT_AGREE : EXIT_DIFFERS;
    keep_common(k, &d);
    k->report.one(&k->report, &c);
    diagnosis_free(&d);
    return c.status;
}

static int diagnose_file(request *k, const char *path)
{
    tape t;
    problem p;
    size_t line;
    const char *shown = strcmp(path, "-") == 0 ? "<stdin>" : path;
    bool good = tape_read(&t, path, k->max_memory, !k->quiet, !k->quiet, &p, &line);
    if (good && t.entry_count == 0) {
        tape_free(&t);
        line = 0;
        good = fail(&p, "it records no output, so there is nothing to explain");
    }
    if (!good) {
        case_file c = {.name = shown, .status = EXIT_ERROR, .line = line, .error = p.text};
        k->report.one(&k->report, &c);
        return EXIT_ERROR;
    }
    int status = examine(k, path, &t, &p);
    tape_free(&t);
    return status;
}

/* 2 before 1 before 0 before 4. */
static int worse(int a, int b)
{
    static const int rank[5] = {
        [EXIT_NO_MISTAKE] = 0, [EXIT_AGREE] = 1, [EXIT_DIFFERS] = 2, [EXIT_ERROR] = 3};
    return rank[a] > rank[b] ? a : b;
}

static int diagnose_files(request *k, char **files, size_t count)
{
    int status = EXIT_NO_MISTAKE;
    k->report.out = stdout;
    k->report.hypotheses = &k->hypotheses;
    k->report.several = count > 1;
    if (k->json)
        diagnosis_to_programs(&k->report);
    else
        diagnosis_to_people(&k->report);
    for (size_t i = 0; i < count && !ferror(stdout); i++)
        status = worse(status, diagnose_file(k, files[i]));
    k->report.end(&k->report, k->together, k->any ? k->together_count : 0, status);
    return status;
}

static bool read_option(request *k, int option, const char *value, problem *p)
{
    char q[QUOTED];
    uint64_t n;
    switch (option) {
    case OPT_LIST:
        return k->list = true;
    case OPT_HYPOTHESES:
        k->folder = value;
        return *value != '\0' || fail(p, "the option \"--hypotheses\" needs a folder's name");
    case OPT_SHRINK:
        k->shrink = value;
        return *value != '\0' || fail(p, "the option \"--shrink\" needs a file's name");
    case OPT_NEARER:
        if (number_parse(value, strlen(value), SIZE_MAX, &n) != NUMBER_OK)
            return fail(p, "%s is no number of hypotheses", quoted(q, value, strlen(value)));
        k->report.most = (size_t)n;
        return true;
    case OPT_MEMORY:
        return size_parse(value, &k->max_memory) ||
               fail(p, "%s is no size: 512M, 4G, a number of bytes",
                    quoted(q, value, strlen(value)));
    case OPT_JSON:
        return k->json = true;
    default:
        return k->quiet = true;
    }
}

int cmd_diagnose(int argc, char **argv)
{
    request k = {.report = {.most = 5}, .max_memory = replay_default_memory()};
    problem p;
    int option, status = EXIT_AGREE;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help_text, stdout);
            return EXIT_AGREE;
        }
        if (option == '?' || option == ':')
            return wrong_option("diagnose", argv, option);
        if (!read_option(&k, option, optarg, &p))
            return wrong_usage("diagnose", "%s", p.text);
    }
    size_t files = (size_t)(argc - optind);
    if (k.list != (files == 0))
        return wrong_usage("diagnose", k.list ? "--list takes no trace"
                                              : "no trace is named; - is standard input");
    if (k.shrink != NULL && (files > 1 || strcmp(argv[optind], "-") == 0))
        return wrong_usage("diagnose", "--shrink reads its trace twice: one trace, in a file");
    if (!hypotheses_load(&k.hypotheses, k.folder, &p))
        return wrong_usage("diagnose", "%s", p.text);
    if (k.list && k.json)
        list_json(&k.hypotheses);
    else if (k.list)
        list(&k.hypotheses);
    else
        status = diagnose_files(&k, argv + optind, files);
    free(k.together);
    hypotheses_free(&k.hypotheses);
    return status;
}
