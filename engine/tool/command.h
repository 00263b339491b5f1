/* The commands of ndl, one file each, and what their command lines have in common. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include "text.h"

#include <stdio.h>

typedef struct command {
    const char *name, *summary;
    /* argv[0] is the command's own name. Returns the exit status. */
    int (*run)(int argc, char **argv);
} command;

int cmd_check(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_gen(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_budget(int argc, char **argv);
int cmd_diagnose(int argc, char **argv);
int cmd_discriminate(int argc, char **argv);
int cmd_kit(int argc, char **argv);

/* Says what is wrong with a command line and where help is; returns EXIT_ERROR. */
int wrong_usage(const char *command_name, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same for what getopt_long, called with a ':' first, returns as '?' or ':'. */
int wrong_option(const char *command_name, char **argv, int returned);

/* Flushes out; false, with a message, if it cannot be written. what: its name. */
bool written(FILE *out, const char *what);

#endif
