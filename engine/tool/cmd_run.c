#include "command.h"
#include "den.h"
#include "fill.h"
#include "outfile.h"
#include "trial.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char help_text[] =
    "usage: ndl run [OPTION]... SCRIPT\n"
    "\n"
    "Replays a script, which is a trace whose outputs are missing or do not matter, and\n"
    "writes it with the outputs filled in. Inputs stay as they are, character for\n"
    "character; - as SCRIPT is standard input.\n"
    "\n"
    "  --reference         outputs of the naive reference instead of the engine's\n"
    "  --mistake NAME      outputs of the engine with a known mistake in it, as a port with\n"
    "                      that mistake would record them; ndl diagnose --list names them\n"
    "  --hypotheses DIR    where they are (default: NDL_HYPOTHESES, or those of this ndl)\n"
    "  -o, --output TRACE  write there, whole or not at all (default: standard output)\n"
    "  --hash              float outputs as hashes, all but attention's\n"
    "  --decimal           arrays in decimal, for reading: the shortest that reads back\n"
    "  --max-memory SIZE   what a script may take: 512M, 4G (default 4G)\n"
    "  --quiet             no warnings\n"
    "  --help              this text\n"
    "\n"
    "A call that is refused is an error, unless the line has a \"status\", which then\n"
    "says how: write \"status\":\"\" to record a refusal.\n"
    "\n"
    "exit status: 0, or 2 if the script cannot be replayed or the trace not written.\n"
    "\n"
    "examples:\n"
    "  ndl run script.jsonl -o trace.jsonl\n"
    "  ndl gen --preset tiny --steps 4 | ndl run --decimal -\n"
    "  ndl run trace.jsonl | cmp - trace.jsonl        a trace of ours runs to itself\n";

enum {
    OPT_REFERENCE = 256,
    OPT_MISTAKE,
    OPT_HYPOTHESES,
    OPT_HASH,
    OPT_DECIMAL,
    OPT_MEMORY,
    OPT_QUIET
};

static const struct option options[] = {
    {"reference", no_argument, NULL, OPT_REFERENCE},
    {"mistake", required_argument, NULL, OPT_MISTAKE},
    {"hypotheses", required_argument, NULL, OPT_HYPOTHESES},
    {"output", required_argument, NULL, 'o'},
    {"hash", no_argument, NULL, OPT_HASH},
    {"decimal", no_argument, NULL, OPT_DECIMAL},
    {"max-memory", required_argument, NULL, OPT_MEMORY},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct run {
    outfile out;
    const char *output; /* as it was named */
    fill fill;
    const hypothesis *mistake; /* NULL: none */
} run;

/* The replay, in this process. */
static bool replay_script(run *k, const char *script, const replay_options *how)
{
    problem p;
    size_t line = 0;
    k->fill.out = k->out.file;
    if (fill_file(&k->fill, script, how, &p, &line) || p.text[0] == '\0')
        return true;
    say_about(strcmp(script, "-") == 0 ? "<stdin>" : script, line, "%s", p.text);
    return false;
}

/* The same in a process of its own, which a mistake may end in any way. */
static bool replay_mistaken(run *k, const char *script, replay_options *how)
{
    int status = 0;
    char said[END_TEXT];
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        den memory, inputs;
        trial_limits(60, 0);
        how->backend = hypothesis_backend(k->mistake);
        if (how->backend == NULL)
            _exit(EXIT_ERROR);
        how->memory = den_open(&memory) ? &memory.allocator : NULL;
        how->inputs = den_open(&inputs) ? &inputs : NULL;
        bool good = replay_script(k, script, how);
        _exit(good && fflush(k->out.file) == 0 ? EXIT_AGREE : EXIT_ERROR);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child > 0 && WIFEXITED(status))
        return WEXITSTATUS(status) == EXIT_AGREE;
    trial t = {.end = TRIAL_CRASHED, .signal = child > 0 ? WTERMSIG(status) : 0};
    t.end = t.signal == SIGVTALRM ? TRIAL_HUNG : t.end;
    say_about(script, 0, "the engine with the mistake %s %s", k->mistake->name,
              trial_end_text(said, &t));
    return false;
}

static int run_script(run *k, const char *script, replay_options *how)
{
    problem p;
    if (!outfile_open(&k->out, k->output, &p)) {
        say_about(k->output, 0, "%s", p.text);
        return EXIT_ERROR;
    }
    if (!(k->mistake != NULL ? replay_mistaken(k, script, how) : replay_script(k, script, how))) {
        outfile_drop(&k->out);
        return EXIT_ERROR;
    }
    if (outfile_keep(&k->out, &p))
        return EXIT_AGREE;
    say_about(k->output, 0, "%s", p.text);
    return EXIT_ERROR;
}

int cmd_run(int argc, char **argv)
{
    run k = {.fill = {.form = FORM_BASE64}};
    replay_options how = {.backend = &backend_engine, .max_memory = replay_default_memory()};
    char q[QUOTED];
    const char *wanted = NULL, *folder = NULL;
    hypotheses known = {.count = 0};
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
                return wrong_usage("run", "the option \"--output\" needs a file's name");
            k.output = optarg;
            break;
        case OPT_MISTAKE:
            wanted = optarg;
            break;
        case OPT_HYPOTHESES:
            folder = optarg;
            break;
        case OPT_REFERENCE:
            how.backend = &backend_reference;
            break;
        case OPT_HASH:
            k.fill.form = FORM_HASH;
            break;
        case OPT_DECIMAL:
            k.fill.form = FORM_DECIMAL;
            break;
        case OPT_MEMORY:
            if (!size_parse(optarg, &how.max_memory))
                return wrong_usage("run", "%s is no size: 512M, 4G, a number of bytes",
                                   quoted(q, optarg, strlen(optarg)));
            break;
        case OPT_QUIET:
            k.fill.quiet = true;
            break;
        default:
            return wrong_option("run", argv, option);
        }
    }
    if (optind == argc)
        return wrong_usage("run", "no script is named; - is standard input");
    if (argc - optind > 1)
        return wrong_usage("run", "one script at a time");
    /* Its progress would go between the lines of a trace that is shown. */
    how.progress = !k.fill.quiet && k.output != NULL;
    if (wanted != NULL) {
        if (how.backend == &backend_reference)
            return wrong_usage("run", "--mistake is the engine's, --reference another's");
        if (!hypotheses_load_one(&known, folder, wanted, &p))
            return wrong_usage("run", "%s", p.text);
        k.mistake = hypotheses_find(&known, wanted, &p);
        if (k.mistake == NULL) {
            hypotheses_free(&known);
            return wrong_usage("run", "%s", p.text);
        }
    }
    int status = run_script(&k, argv[optind], &how);
    hypotheses_free(&known);
    return status;
}
