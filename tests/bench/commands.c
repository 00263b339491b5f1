/*
 * Times commands: each is run by the shell, in turns; its time, and the most memory
 * that it or one of its processes had, are printed as JSON.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#define _DEFAULT_SOURCE /* wait4 */
#include "out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_COMMANDS = 16 };

typedef struct command {
    char *name, *line;
    series ns, wall; /* on the processor, and on the wall */
    long peak_kib;
} command;

/* False, after a message, where it does not end with status 0. */
static bool run(command *c)
{
    const double start = now_ns();
    const pid_t child = fork();
    struct rusage usage;
    int status;

    if (child == 0) {
        execlp("sh", "sh", "-c", c->line, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        perror("commands");
        return false;
    }
    series_add(&c->wall, now_ns() - start);
    series_add(&c->ns, (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e9 +
                           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3);
    if (usage.ru_maxrss > c->peak_kib)
        c->peak_kib = usage.ru_maxrss;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    fprintf(stderr, "commands: this failed: %s\n", c->line);
    return false;
}

int main(int argc, char **argv)
{
    static command commands[MAX_COMMANDS];
    const int n = argc - 2;
    const long rounds = argc > 2 ? strtol(argv[1], NULL, 10) : 0;

    if (n < 1 || n > MAX_COMMANDS || rounds < 1 || rounds > MAX_ROUNDS) {
        fprintf(stderr, "usage: commands ROUNDS NAME=COMMAND...\n");
        return 2;
    }
    for (int i = 0; i < n; i++) {
        char *equals = strchr(argv[i + 2], '=');

        if (equals == NULL) {
            fprintf(stderr, "commands: no NAME=COMMAND: %s\n", argv[i + 2]);
            return 2;
        }
        *equals = '\0';
        commands[i] = (command){.name = argv[i + 2], .line = equals + 1};
    }
    for (long r = 0; r < rounds; r++)
        for (int i = 0; i < n; i++) {
            progress("%s: round %ld of %ld", commands[i].name, r + 1, rounds);
            if (!run(&commands[i]))
                return 2;
        }
    progress("%s", "");
    out_begin();
    for (int i = 0; i < n; i++) {
        out_object(commands[i].name);
        out_summary("ns", summarise(&commands[i].ns));
        out_summary("wall", summarise(&commands[i].wall));
        out_number("peak_kib", (double)commands[i].peak_kib);
        out_close_object();
    }
    return out_end() ? 0 : 2;
}
