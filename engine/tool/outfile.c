#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
        return fail(p, "cannot be written: %s", strerror(errno));
    doomed = o->temporary;
    if (!prepared) {
        prepared = true;
        catch_signals();
        atexit(at_exit);
    }
    o->file = fdopen(fd, "w");
    return o->file != NULL || fail(p, "cannot be written: %s", strerror(errno));
}

/* What the last part of a path means, as far as links say: also where nothing is yet,
 * for which realpath has no answer. NULL, with errno set: nothing. */
static char *follow(const char *path)
{
    enum { MOST_LINKS = 40 };
    char *at = get_memory(strlen(path) + 1);
    struct stat about;
    strcpy(at, path);
    for (int links = 0; lstat(at, &about) == 0 && S_ISLNK(about.st_mode); links++) {
        char link[PATH_MAX];
        const ssize_t len = readlink(at, link, sizeof link - 1);
        if (len < 0 || links == MOST_LINKS) {
            errno = len < 0 ? errno : ELOOP;
            free(at);
            return NULL;
        }
        link[len] = '\0';
        /* A relative link starts from the folder that it is in. */
        const char *slash = link[0] == '/' ? NULL : strrchr(at, '/');
        const size_t folder = slash == NULL ? 0 : (size_t)(slash - at) + 1;
        char *next = get_memory(folder + (size_t)len + 1);
        memcpy(next, at, folder);
        memcpy(next + folder, link, (size_t)len + 1);
        free(at);
        at = next;
    }
    return at;
}

/* Standard output under another name, such as /dev/stdout, may be a plain file. It
 * stays the file that it is, at the place where it is being written. */
static bool is_stdout(const struct stat *about)
{
    struct stat out;
    return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == about->st_dev &&
           out.st_ino == about->st_ino;
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
    if (there && is_stdout(&about)) {
        o->file = stdout;
        return true;
    }
    if (there && !S_ISREG(about.st_mode)) {
        o->file = fopen(path, "w");
        return o->file != NULL || fail(p, "cannot be written: %s", strerror(errno));
    }
    o->target = follow(path);
    if (o->target == NULL)
        return fail(p, "cannot be written: %s", strerror(errno));
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

bool outfile_written(FILE *out, problem *p)
{
    errno = 0;
    if (fflush(out) == 0 && !ferror(out))
        return true;
    /* That an earlier write failed is remembered, and not why. What is asked to take a
     * byte more, which can spoil nothing now, says it again. */
    if (errno == 0) {
        clearerr(out);
        fputc('\n', out);
        fflush(out);
    }
    return fail(p, "cannot be written%s%s", errno != 0 ? ": " : "",
                errno != 0 ? strerror(errno) : "");
}

bool outfile_keep(outfile *o, problem *p)
{
    if (o->file == stdout) {
        forget(o);
        return true; /* main flushes it, and says what comes of that */
    }
    /* The disk may have been full at any time until now. */
    bool good = outfile_written(o->file, p);
    if (fclose(o->file) != 0 && good)
        good = fail(p, "cannot be written: %s", strerror(errno));
    o->file = NULL;
    if (good && o->temporary != NULL && rename(o->temporary, o->target) != 0)
        good = fail(p, "cannot be replaced: %s", strerror(errno));
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
