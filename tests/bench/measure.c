#define _GNU_SOURCE /* RUSAGE_THREAD */
#include "measure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double read_clock(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

double now_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double busy_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

long interruptions(void)
{
    struct rusage usage;

    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

static double cost_of(double (*clock)(void))
{
    series s = {0};

    for (size_t i = 0; i < MAX_ROUNDS; i++) {
        const double start = clock();

        series_add(&s, clock() - start);
    }
    return summarise(&s).median;
}

double clock_cost(void)
{
    static double cost;

    if (cost == 0.0)
        cost = cost_of(now_ns);
    return cost;
}

double busy_cost(void)
{
    static double cost;

    if (cost == 0.0)
        cost = cost_of(busy_ns);
    return cost;
}

static unsigned char *walked;
static size_t walked_bytes;

void evict_setup(size_t bytes)
{
    if (bytes == 0) {
        long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);

        bytes = (size_t)64 << 20;
        if (cache > 0 && 2 * (size_t)cache > bytes)
            bytes = 2 * (size_t)cache;
    }
    walked = malloc(bytes);
    if (walked == NULL) {
        fprintf(stderr, "bench: no memory for the %zu bytes that empty the caches\n", bytes);
        exit(2);
    }
    memset(walked, 1, bytes);
    walked_bytes = bytes;
}

size_t evict_bytes(void)
{
    return walked_bytes;
}

void evict(void)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < walked_bytes; i += 64)
        sum += walked[i];
    used(&sum);
}

void series_add(series *s, double x)
{
    if (s->n < MAX_ROUNDS)
        s->x[s->n++] = x;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

summary summarise(const series *s)
{
    series t = *s;

    if (t.n == 0)
        return (summary){0.0, 0.0, 0.0};
    qsort(t.x, t.n, sizeof t.x[0], compare);
    return (summary){(t.x[(t.n - 1) / 2] + t.x[t.n / 2]) / 2.0, t.x[0], t.x[t.n - 1]};
}

summary quotient(const series *a, const series *b)
{
    series q = {0};

    for (size_t i = 0; i < a->n && i < b->n; i++)
        series_add(&q, a->x[i] / b->x[i]);
    return summarise(&q);
}

void used(const void *x)
{
    static volatile unsigned char sink;

    sink = *(const unsigned char *)x;
    (void)sink;
}

void progress(const char *format, ...)
{
    va_list args;

    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fflush(stderr);
}
