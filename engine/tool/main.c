#include "command.h"
#include "outfile.h"

#include "ndl.h"

#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const command commands[] = {
    {"check", "replay traces and compare every recorded output", cmd_check},
    {"run", "replay a script and fill in its outputs", cmd_run},
    {"gen", "make a script: a session of random or telling values", cmd_gen},
    {"show", "show a session to people", cmd_show},
    {"budget", "the memory that a session takes, part by part", cmd_budget},
    {"diagnose", "name the mistake that explains a trace", cmd_diagnose},
    {"discriminate", "a script that tells two mistakes apart", cmd_discriminate},
    {"kit", "write the conformance kit for ports", cmd_kit},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void help(FILE *out)
{
    fputs("usage: ndl COMMAND [ARGUMENT]...\n"
          "\n"
          "The reference for the decode state of Needle 3: replays what a port did, call by\n"
          "call, and says where the port's state differs, by how much, and which sentence of\n"
          "the specification fixes the right value.\n"
          "\n",
          out);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-13s %s\n", commands[i].name, commands[i].summary);
    fputs("\n"
          "  ndl COMMAND --help     what a command does, with examples\n"
          "  ndl --version          the version\n"
          "\n"
          "examples:\n"
          "  ndl check my-port.jsonl\n"
          "  ndl gen --preset tiny | ndl run - | ndl check --reference -\n",
          out);
}

int wrong_usage(const char *command_name, const char *format, ...)
{
    va_list args;
    const char *space = *command_name == '\0' ? "" : " ";
    fprintf(stderr, "ndl%s%s: ", space, command_name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n'ndl%s%s --help' says more.\n", space, command_name);
    return EXIT_ERROR;
}

int wrong_option(const char *command_name, char **argv, int returned)
{
    /* A long option stands whole in argv; a short one may be one of several. */
    const char *word = argv[optind - 1];
    size_t len = strcspn(word, "=");
    char letter[3] = {'-', (char)optopt, '\0'};
    bool is_long = strncmp(word, "--", 2) == 0;
    char q[QUOTED];
    quoted(q, is_long ? word : letter, is_long ? len : 2);
    if (returned == ':')
        return wrong_usage(command_name, "the option %s needs a value", q);
    if (is_long && optopt != 0)
        return wrong_usage(command_name, "the option %s takes no value", q);
    return wrong_usage(command_name, "unknown option %s", q);
}

bool written(FILE *out, const char *what)
{
    problem p;
    if (outfile_written(out, &p))
        return true;
    fprintf(stderr, "ndl: %s %s\n", what, p.text);
    return false;
}

static const command *find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int unknown(const char *name)
{
    char q[QUOTED], all[256];
    size_t used = 0;
    for (size_t i = 0; i < COMMANDS && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i == 0 ? "" : ", ",
                                 commands[i].name);
    const char *kind = name[0] == '-' ? "option" : "command";
    return wrong_usage("", "unknown %s %s; the commands are %s", kind,
                       quoted(q, name, strlen(name)), all);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int main(int argc, char **argv)
{
    /* A file at its size limit is a write error like another, and is seen as one. */
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        help(stderr);
        return EXIT_ERROR;
    }
    int status = EXIT_AGREE;
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        puts("ndl " NDL_VERSION);
    } else if (is_help(name) || (strcmp(name, "help") == 0 && (argc == 2 || is_help(argv[2])))) {
        help(stdout);
    } else if (strcmp(name, "help") == 0) {
        const command *about = find(argv[2]);
        char *ask[] = {argv[2], (char[]){"--help"}, NULL};
        status = about == NULL ? unknown(argv[2]) : about->run(2, ask);
    } else {
        const command *c = find(name);
        status = c == NULL ? unknown(name) : c->run(argc - 1, argv + 1);
    }
    return written(stdout, "standard output") ? status : EXIT_ERROR;
}
