#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file to take away if a signal ends the program; a handler can see no other. */
static char *volatile doomed;

static void on_signal(int number)
{
    char *path = doomed;
    if (path != NULL)
        unlink(path);
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction old, mine;
    memset(&mine, 0, sizeof mine);
    mine.sa_handler = on_signal;
    sigemptyset(&mine.sa_mask);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
        /* Who started us with a signal ignored wants it to stay so. */
        if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ending[i], &mine, NULL);
}

/* Also when the program ends for want of memory. */
static void at_exit(void)
{
    if (doomed != NULL)
        unlink(doomed);
}

static bool open_temporary(outfile *o, mode_t mode, problem *p)
{
    static bool prepared;
    size_t size = strlen(o->target) + 32;
    o->temporary = get_memory(size);
    snprintf(o->temporary, size, "%s.%ld.tmp", o->target, (long)getpid());
    int fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0)
        return fail(p, "%s cannot be made: %s", o->temporary, strerror(errno));
    doomed = o->temporary;
    if (!prepared) {
        prepared = true;
        catch_signals();
        atexit(at_exit);
    }
    o->file = fdopen(fd, "w");
    return o->file != NULL || fail(p, "%s: %s", o->temporary, strerror(errno));
}

bool outfile_open(outfile *o, const char *path, problem *p)
{
    struct stat about;
    memset(o, 0, sizeof *o);
    if (path == NULL || strcmp(path, "-") == 0) {
        o->file = stdout;
        return true;
    }
    bool there = stat(path, &about) == 0;
    if (there && !S_ISREG(about.st_mode)) {
        o->file = fopen(path, "w");
        return o->file != NULL || fail(p, "%s: %s", path, strerror(errno));
    }
    /* Through a link, to what it means. */
    o->target = there ? realpath(path, NULL) : NULL;
    if (o->target == NULL) {
        o->target = get_memory(strlen(path) + 1);
        strcpy(o->target, path);
    }
    if (open_temporary(o, there ? about.st_mode & 0777 : 0666, p))
        return true;
    outfile_drop(o);
    return false;
}

static void forget(outfile *o)
{
    doomed = NULL;
    free(o->target);
    free(o->temporary);
    memset(o, 0, sizeof *o);
}

bool outfile_keep(outfile *o, problem *p)
{
    const char *where = o->target != NULL ? o->target : "the output";
    if (o->file == stdout) {
        forget(o);
        return true; /* main flushes it, and says what comes of that */
    }
    /* The disk may have been full at any time until now. */
    bool good = fflush(o->file) == 0 && !ferror(o->file);
    if (!good)
        say_problem(p, "%s cannot be written: %s", where, strerror(errno));
    if (fclose(o->file) != 0 && good)
        good = fail(p, "%s cannot be written: %s", where, strerror(errno));
    o->file = NULL;
    if (good && o->temporary != NULL && rename(o->temporary, o->target) != 0)
        good = fail(p, "%s cannot be replaced: %s", where, strerror(errno));
    if (good)
        forget(o);
    else
        outfile_drop(o);
    return good;
}

void outfile_drop(outfile *o)
{
    if (o->file != NULL && o->file != stdout)
        fclose(o->file);
    if (o->temporary != NULL && doomed != NULL)
        unlink(o->temporary);
    forget(o);
}
