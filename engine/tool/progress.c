#include "progress.h"

#include "text.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_start(progress *p, bool allowed)
{
    *p = (progress){.wanted = allowed && isatty(STDERR_FILENO)};
    if (p->wanted) {
        p->started = now();
        p->next = p->started + 1; /* a file that takes less shows nothing */
    }
}

void progress_step(progress *p, const reader *r)
{
    if (!p->wanted || reader_number(r) % 16 != 0)
        return;
    double t = now();
    if (t < p->next)
        return;
    p->next = t + 0.2;
    p->shown = true;
    unsigned long long done, all;
    reader_progress(r, &done, &all);
    double mb = (double)done / 1e6;
    fputs("\r\033[K", stderr);
    print_name(stderr, reader_name(r));
    fprintf(stderr, ": line %zu, %.1f MB, ", reader_number(r), mb);
    if (all > 0)
        fprintf(stderr, "%.0f %%, ", 100 * (double)done / (double)all);
    fprintf(stderr, "%.1f MB/s", mb / (t - p->started));
}

void progress_clear(progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r\033[K");
    p->shown = false;
}
