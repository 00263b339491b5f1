#include "reader.h"

#include "sanitize.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { CHUNK = 256 * 1024 };

struct reader {
    const char *name;
    int fd;
    bool standard; /* fd is standard input, which is not ours to close */
    bool known;    /* whether it is compressed has been told from its first bytes */
    bool gzip;     /* it is */
    bool inside;   /* within a member of the gzip file: its end is still to come */
    bool padded;   /* zeros follow the last member, as tapes and disks need them */
    bool ended;    /* the file has no more bytes */
    z_stream z;
    unsigned char *in; /* bytes of the file that are not yet in text */
    size_t in_at, in_end;
    char *text; /* the lines; from start to end they are not yet handed out */
    size_t room, start, end;
    size_t searched; /* up to here, from start on, there is no '\n' */
    size_t number;
    unsigned long long done, all;
};

reader *reader_open(const char *path, problem *p)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    bool usable = fd >= 0 && fstat(fd, &about) == 0;
    if (!usable || S_ISDIR(about.st_mode)) {
        if (usable)
            say_problem(p, "cannot be read: %s", strerror(EISDIR));
        else
            say_problem(p, "%s", strerror(errno));
        if (fd >= 0 && !standard)
            close(fd);
        return NULL;
    }
    reader *r = get_memory(sizeof *r);
    memset(r, 0, sizeof *r);
    r->name = standard ? "<stdin>" : path;
    r->fd = fd;
    r->standard = standard;
    r->in = get_memory(CHUNK);
    r->room = CHUNK;
    r->text = get_memory(r->room);
    r->all = S_ISREG(about.st_mode) && about.st_size > 0 ? (unsigned long long)about.st_size : 0;
    return r;
}

reader *reader_of_text(const char *name, const char *text, size_t len)
{
    reader *r = get_memory(sizeof *r);
    memset(r, 0, sizeof *r);
    r->name = name;
    r->fd = -1;
    r->standard = r->known = r->ended = true;
    r->room = len + CHUNK;
    r->text = get_memory(r->room);
    memcpy(r->text, text, len);
    r->end = len;
    return r;
}

void reader_close(reader *r)
{
    if (r == NULL)
        return;
    if (r->gzip)
        inflateEnd(&r->z);
    if (!r->standard)
        close(r->fd);
    free(r->in);
    free(r->text);
    free(r);
}

const char *reader_name(const reader *r)
{
    return r->name;
}

size_t reader_number(const reader *r)
{
    return r->number;
}

void reader_progress(const reader *r, unsigned long long *done, unsigned long long *all)
{
    *done = r->done;
    *all = r->all;
}

/* Bytes of the file into memory; *got is 0 at its end only. */
static bool read_bytes(reader *r, void *memory, size_t size, size_t *got, problem *p)
{
    ssize_t n;
    do
        n = read(r->fd, memory, size);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return fail(p, "cannot be read: %s", strerror(errno));
    *got = (size_t)n;
    r->done += *got;
    r->ended = *got == 0;
    return true;
}

static bool fill_in(reader *r, problem *p)
{
    size_t got;
    if (r->in_at == r->in_end)
        r->in_at = r->in_end = 0;
    if (!read_bytes(r, r->in + r->in_end, CHUNK - r->in_end, &got, p))
        return false;
    r->in_end += got;
    return true;
}

static bool tell_kind(reader *r, problem *p)
{
    /* A pipe may hand over one byte at a time. */
    while (!r->ended && r->in_end < 2)
        if (!fill_in(r, p))
            return false;
    r->known = true;
    if (r->in_end < 2 || r->in[0] != 0x1f || r->in[1] != 0x8b)
        return true;
    r->gzip = true;
    if (inflateInit2(&r->z, 15 + 16) != Z_OK) /* 32 KiB window, gzip alone */
        return r->gzip = fail(p, "zlib cannot be set up");
    r->inside = true;
    return true;
}

/* After a member of a gzip file: *more says whether another follows. */
static bool next_member(reader *r, bool *more, problem *p)
{
    while (r->in_at < r->in_end && r->in[r->in_at] == 0) {
        r->padded = true;
        r->in_at++;
    }
    *more = r->in_at < r->in_end;
    if (!*more)
        return true;
    if (r->padded)
        return fail(p, "the gzip data are damaged: something follows the zeros at their end");
    inflateReset(&r->z);
    return r->inside = true;
}

/* Text out of the gzip stream; *got is 0 at its end only. */
static bool inflate_bytes(reader *r, void *memory, size_t size, size_t *got, problem *p)
{
    r->z.next_out = memory;
    r->z.avail_out = (uInt)size;
    while (r->z.avail_out == (uInt)size) {
        if (r->in_at == r->in_end && !r->ended && !fill_in(r, p))
            return false;
        if (!r->inside) {
            bool more;
            if (!next_member(r, &more, p))
                return false;
            if (!more && r->ended)
                break;
            if (!more)
                continue;
        } else if (r->in_at == r->in_end) {
            return fail(p, "the gzip data end too early: the file is cut short");
        }
        r->z.next_in = r->in + r->in_at;
        r->z.avail_in = (uInt)(r->in_end - r->in_at);
        int status = inflate(&r->z, Z_NO_FLUSH);
        r->in_at = r->in_end - r->z.avail_in;
        if (status == Z_STREAM_END)
            r->inside = false;
        else if (status == Z_MEM_ERROR)
            out_of_memory((size_t)32 * 1024);
        else if (status != Z_OK && status != Z_BUF_ERROR)
            return fail(p, "the gzip data are damaged: %s", r->z.msg ? r->z.msg : "bad stream");
    }
    *got = size - r->z.avail_out;
    WRITTEN(memory, *got);
    return true;
}

/* More text behind what there is; *got is 0 at the end only. */
static bool fill_text(reader *r, size_t *got, problem *p)
{
    if (!r->known && !tell_kind(r, p))
        return false;
    if (r->start > 0 && r->room - r->end < CHUNK / 2) {
        memmove(r->text, r->text + r->start, r->end - r->start);
        r->end -= r->start;
        r->searched -= r->start;
        r->start = 0;
    }
    /* One byte stays free for the '\n' that a last line may lack. */
    if (r->room - r->end < CHUNK / 2) {
        r->room *= 2;
        r->text = get_more(r->text, r->room);
    }
    size_t size = r->room - r->end - 1;
    *got = 0;
    if (r->gzip) {
        if (!inflate_bytes(r, r->text + r->end, size, got, p))
            return false;
    } else if (r->in_at < r->in_end) {
        /* What was read to tell the kind. */
        *got = r->in_end - r->in_at < size ? r->in_end - r->in_at : size;
        memcpy(r->text + r->end, r->in + r->in_at, *got);
        r->in_at += *got;
    } else if (!r->ended && !read_bytes(r, r->text + r->end, size, got, p)) {
        return false;
    }
    r->end += *got;
    return true;
}

static reader_result too_long(problem *p)
{
    say_problem(p, "the line is longer than 64 MiB");
    return READER_ERROR;
}

reader_result reader_line(reader *r, const char **line, size_t *len, problem *p)
{
    r->number++;
    for (;;) {
        char *newline = memchr(r->text + r->searched, '\n', r->end - r->searched);
        if (newline == NULL) {
            size_t got;
            r->searched = r->end;
            if (r->end - r->start > LINE_LIMIT)
                return too_long(p);
            if (!fill_text(r, &got, p))
                return READER_ERROR;
            if (got > 0)
                continue;
            if (r->start == r->end) {
                r->number--;
                return READER_END;
            }
            newline = r->text + r->end;
            *newline = '\n';
            r->end++;
        }
        *line = r->text + r->start;
        *len = (size_t)(newline - *line);
        r->start += *len + 1;
        r->searched = r->start;
        return *len > LINE_LIMIT ? too_long(p) : READER_LINE;
    }
}

reader_result reader_rest(reader *r, const char **text, size_t *len, problem *p)
{
    r->number++;
    size_t got;
    do {
        if (r->end - r->start > LINE_LIMIT) {
            say_problem(p, "the file is larger than 64 MiB");
            return READER_ERROR;
        }
        if (!fill_text(r, &got, p))
            return READER_ERROR;
    } while (got > 0);
    *text = r->text + r->start;
    *len = r->end - r->start;
    r->text[r->end] = '\n';
    r->start = r->searched = r->end;
    return READER_LINE;
}
