/*
 * Every word of token-level operations in every small geometry (fuzz/words.h), engine
 * and reference in lock-step: six letters of any kind, and then tokens. What is
 * compared are sessions, one a word.
 *
 * usage: exhaust-words [STRIDE [THREADS]]   every geometry, 2 threads
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "words.h"

enum { MIXED = 6, MAX_THREADS = 64 };

/* Geometries that wait, which threads take one after the other. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t next, stride;

typedef struct job {
    words_count count;
    size_t geometries, differing;
    script s;
} job;

static size_t take(void)
{
    pthread_mutex_lock(&lock);
    size_t i = next;
    next += stride;
    pthread_mutex_unlock(&lock);
    return i;
}

static void *run(void *argument)
{
    job *j = argument;
    size_t i;
    while ((i = take()) < words_rings() + words_tails()) {
        ndl_geometry g;
        ndl_options options;
        finding f;
        if (i < words_rings())
            words_ring(i, &g, &options);
        else
            words_tail(i - words_rings(), &g, &options);
        j->geometries++;
        if (words_run(&g, &options, MIXED, &j->count, &j->s, &f))
            continue;
        j->differing++;
        printf("geometry %zu, %s: %s\n", i, j->s.name, f.text);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    stride = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 2;
    pthread_t threads[MAX_THREADS];
    static job jobs[MAX_THREADS];
    if (stride == 0 || n == 0 || n > MAX_THREADS) {
        fprintf(stderr, "usage: %s [STRIDE [THREADS]]\n", argv[0]);
        return 2;
    }
    for (size_t i = 0; i < n; i++)
        must(pthread_create(&threads[i], NULL, run, &jobs[i]) == 0);
    for (size_t i = 0; i < n; i++) {
        must(pthread_join(threads[i], NULL) == 0);
        if (i > 0) {
            jobs[0].count.sessions += jobs[i].count.sessions;
            jobs[0].count.states += jobs[i].count.states;
            jobs[0].geometries += jobs[i].geometries;
            jobs[0].differing += jobs[i].differing;
        }
    }
    printf("words: %zu geometries, %zu states\n", jobs[0].geometries, jobs[0].count.states);
    printf("words: %zu compared, %zu differing\n", jobs[0].count.sessions, jobs[0].differing);
    return jobs[0].differing > 0;
}
