/* Sessions in threads: two of them each in its own, and one read by several.
 * A thread sanitizer sees what shares memory; the results tell the rest. */
#include "digest.h"
#include "life.h"

#include <pthread.h>

#define THREADS 4
#define TOKENS 40

typedef struct worker {
    size_t kind;
    uint64_t outputs;
} worker;

/* A whole life, from new to free, with a clone on the way. */
static void *live_alone(void *argument)
{
    worker *w = argument;
    kind k = kind_of_session(w->kind);
    ndl_session *s = NULL, *copy = NULL;
    rng r = {w->kind};
    if (ndl_session_new(&k.geometry, &k.options, &s) != NDL_OK)
        return NULL;
    w->outputs = live(s, &r, TOKENS);
    if (ndl_session_clone(s, &copy) == NDL_OK)
        w->outputs ^= live(copy, &r, TOKENS);
    w->outputs ^= digest_of(copy);
    ndl_session_free(copy);
    ndl_session_free(s);
    return NULL;
}

Test(threads, SES_003_sessions_in_threads_of_their_own)
{
    uint64_t alone[KINDS];
    for (size_t i = 0; i < KINDS; i++) {
        worker w = {i, 0};
        live_alone(&w);
        alone[i] = w.outputs;
    }
    for (size_t i = 0; i + THREADS <= KINDS; i++) {
        pthread_t threads[THREADS];
        worker workers[THREADS];
        for (size_t j = 0; j < THREADS; j++) {
            workers[j] = (worker){i + j, 0};
            cr_assert(pthread_create(&threads[j], NULL, live_alone, &workers[j]) == 0);
        }
        for (size_t j = 0; j < THREADS; j++)
            cr_assert(pthread_join(threads[j], NULL) == 0);
        for (size_t j = 0; j < THREADS; j++)
            cr_assert(workers[j].outputs == alone[i + j], "kind %zu", i + j);
    }
}

typedef struct reader {
    const ndl_session *s;
    uint64_t digest;
    float out[64];
} reader;

/* Every const call, attention among them, with scratch of its own. */
static void *read_all(void *argument)
{
    reader *r = argument;
    const ndl_geometry *g = ndl_session_geometry(r->s);
    rng q_numbers = {1};
    float q[64];
    for (size_t i = 0; i < 20; i++) {
        r->digest = r->digest * 31 + digest_of(r->s);
        random_floats(&q_numbers, q, COUNT(q));
        for (size_t layer = 0; layer < g->num_layers; layer++)
            attend(r->s, layer, ndl_pos(r->s) - 1, q, r->out);
    }
    return NULL;
}

Test(threads, SES_003_one_session_read_in_several_threads)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        ndl_session *s = new_session(&k.geometry, &k.options);
        rng r = {i};
        live(s, &r, 9);
        pthread_t threads[THREADS];
        reader readers[THREADS], alone = {s, 0, {0}};
        read_all(&alone);
        for (size_t j = 0; j < THREADS; j++) {
            readers[j] = (reader){s, 0, {0}};
            cr_assert(pthread_create(&threads[j], NULL, read_all, &readers[j]) == 0);
        }
        for (size_t j = 0; j < THREADS; j++)
            cr_assert(pthread_join(threads[j], NULL) == 0);
        for (size_t j = 0; j < THREADS; j++) {
            cr_assert(readers[j].digest == alone.digest, "%s", k.name);
            expect_floats(readers[j].out, alone.out, COUNT(alone.out));
        }
        ndl_session_free(s);
    }
}
