/* What happens to a session besides steps, and what it takes. */
#include "contest.h"

#include <stdio.h>
#include <stdlib.h>

/* An allocator that counts: what is out, and the most that ever was. */
typedef struct meter {
    size_t live, peak;
} meter;

static void *metered(void *context, size_t size)
{
    meter *m = context;
    void *p = malloc(size);

    if (p != NULL)
        m->live += size;
    if (m->live > m->peak)
        m->peak = m->live;
    return p;
}

static void unmetered(void *context, void *memory, size_t size)
{
    meter *m = context;

    if (memory != NULL)
        m->live -= size;
    free(memory);
}

/* ------------------------------------------------- new, clone, save and load */

enum { NEW, CLONE, SAVE, LOAD, EVENTS };
static const char *const events[EVENTS] = {"new", "clone", "save", "load"};

/* Each once: a new session that reserves what the other has, and the others of it. */
static void one_life(const subject *u, ndl_precision precision, uint8_t *bytes, size_t len,
                     series *times)
{
    const api *a = u->api;
    const ndl_options options = {.precision = precision, .hint = u->pos + 1};
    const ndl_geometry *g = &u->model->g;
    ndl_session *s;
    double start = busy_ns();

    must(a->session_new(g, &options, &s), a, "session_new");
    series_add(&times[NEW], busy_ns() - start);
    a->session_free(s);
    start = busy_ns();
    must(a->session_clone(u->s, &s), a, "session_clone");
    series_add(&times[CLONE], busy_ns() - start);
    a->session_free(s);
    start = busy_ns();
    must(a->session_save(u->s, bytes, len), a, "session_save");
    series_add(&times[SAVE], busy_ns() - start);
    start = busy_ns();
    must(a->session_load(g, NULL, bytes, len, &s), a, "session_load");
    series_add(&times[LOAD], busy_ns() - start);
    a->session_free(s);
}

void measure_life(const contest *c)
{
    const api *a = &c->engine[0];
    const ndl_geometry g = geometry_named("shipped");
    model m = model_make(&g);

    out_array("life");
    for (ndl_precision p = NDL_F32; p <= NDL_INT8; p++) {
        subject u = subject_make(a, &m, p, 2048, 2049, 2048);
        const size_t len = a->session_save_size(u.s);
        uint8_t *bytes = malloc(len);
        series times[EVENTS] = {{0}};

        for (size_t r = 0; r < c->rounds && bytes != NULL; r++) {
            progress("new, clone, save and load: round %zu of %zu", r + 1, c->rounds);
            one_life(&u, p, bytes, len, times);
        }
        out_object(NULL);
        out_text("geometry", "shipped");
        out_text("precision", precision_name(p));
        out_count("position", 2048);
        out_count("bytes", len);
        for (size_t i = 0; i < EVENTS; i++)
            out_summary(events[i], summarise(&times[i]));
        out_close_object();
        free(bytes);
        subject_free(&u);
    }
    progress("%s", "");
    out_close_array();
    model_free(&m);
}

/* -------------------------------------------------------------------- growth */

/* Nanoseconds a write, of the first n positions of a layer without a window. */
static double writes(const api *a, const model *m, ndl_precision precision, size_t hint, size_t n)
{
    const ndl_options options = {.precision = precision, .hint = hint};
    ndl_session *s;

    must(a->session_new(&m->g, &options, &s), a, "session_new");
    const double start = busy_ns();
    for (size_t p = 0; p < n; p++)
        must(a->write_kv(s, 0, p, model_row(m, 0, p, m->dim[NDL_K]), m->dim[NDL_K],
                         model_row(m, 0, p, m->dim[NDL_V]), m->dim[NDL_V]),
             a, "write_kv");
    const double ns = (busy_ns() - start) / (double)n;
    a->session_free(s);
    return ns;
}

void measure_growth(const contest *c)
{
    const api *a = &c->engine[0];
    ndl_geometry g = geometry_named("rung-2");

    g.is_global[0] = 1;
    model m = model_make(&g);
    out_array("growth");
    for (ndl_precision p = NDL_F32; p <= NDL_INT8; p++) {
        series grown = {0}, reserved = {0};

        for (size_t r = 0; r < c->rounds; r++) {
            progress("growth: round %zu of %zu", r + 1, c->rounds);
            series_add(&grown, writes(a, &m, p, 1, g.max_seq_len));
            series_add(&reserved, writes(a, &m, p, g.max_seq_len, g.max_seq_len));
        }
        out_object(NULL);
        out_text("precision", precision_name(p));
        out_count("writes", g.max_seq_len);
        out_summary("from_one_slot", summarise(&grown));
        out_summary("reserved", summarise(&reserved));
        out_close_object();
    }
    progress("%s", "");
    out_close_array();
    model_free(&m);
}

/* -------------------------------------------------------------------- memory */

static void memory_point(ndl_precision precision, size_t n, meter now, size_t bytes)
{
    out_object(NULL);
    out_text("precision", precision_name(precision));
    out_count("positions", n);
    out_count("live", now.live);
    out_count("peak", now.peak);
    out_count("bytes", bytes);
    out_close_object();
}

/* A point wherever memory changes, and one just before it. */
static void memory_of(const api *a, const model *m, ndl_precision precision)
{
    meter now = {0, 0}, last;
    const ndl_allocator allocator = {&now, metered, unmetered};
    const ndl_options options = {.precision = precision, .hint = 1, .allocator = &allocator};
    ndl_session *s;

    must(a->session_new(&m->g, &options, &s), a, "session_new");
    memory_point(precision, 0, now, a->bytes(s));
    for (size_t p = 0; p < m->g.max_seq_len; p++) {
        const size_t bytes = a->bytes(s);

        last = now;
        for (size_t l = 0; l < m->g.num_layers; l++)
            must(a->write_kv(s, l, p, model_row(m, l, p, m->dim[NDL_K]), m->dim[NDL_K],
                             model_row(m, l, p, m->dim[NDL_V]), m->dim[NDL_V]),
                 a, "write_kv");
        if (now.live == last.live && p + 1 != m->g.max_seq_len)
            continue;
        memory_point(precision, p, last, bytes);
        memory_point(precision, p + 1, now, a->bytes(s));
    }
    a->session_free(s);
}

void measure_memory(const contest *c)
{
    const ndl_geometry g = geometry_named("shipped");
    model m = model_make(&g);

    out_array("memory");
    for (ndl_precision p = NDL_F32; p <= NDL_INT8; p++) {
        progress("memory, %s", precision_name(p));
        memory_of(&c->engine[0], &m, p);
    }
    progress("%s", "");
    out_close_array();
    model_free(&m);
}
