#include "fingerprint_world.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more in an array of things. */
static void *room_for(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room * 2 + 16;
    return get_more(array, *room * size);
}

static void release(void *context, void *thing)
{
    world *w = thing;
    (void)context;
    if (w == NULL)
        return;
    free(w->rows);
    free(w->writes);
    free(w->tokens);
    free(w);
}

static void *copy_of(const void *array, size_t count, size_t size)
{
    void *copy = get_memory((count + 1) * size);
    if (count > 0)
        memcpy(copy, array, count * size);
    return copy;
}

static world *world_new(void)
{
    world *w = get_memory(sizeof *w);
    memset(w, 0, sizeof *w);
    return w;
}

static world *world_copy(const world *like)
{
    world *w = world_new();
    w->rows = copy_of(like->rows, like->row_count, sizeof *w->rows);
    w->writes = copy_of(like->writes, like->write_count, sizeof *w->writes);
    w->tokens = copy_of(like->tokens, like->token_count, sizeof *w->tokens);
    w->row_count = like->row_count;
    w->write_count = like->write_count;
    w->token_count = like->token_count;
    w->row_room = like->row_count + 1;
    w->write_room = like->write_count + 1;
    w->token_room = like->token_count + 1;
    w->fresh = like->fresh;
    return w;
}

static void put(names *n, const char *name, size_t len, world *w)
{
    names_entry *e = names_add(n, name, len);
    release(NULL, e->thing);
    e->thing = w;
}

void worlds_begin(worlds *w, const tape *t)
{
    memset(w, 0, sizeof *w);
    w->tape = t;
}

void worlds_end(worlds *w)
{
    names_free(&w->sessions, release, NULL);
    names_free(&w->snapshots, release, NULL);
    names_free(&w->saves, release, NULL);
}

static names_entry *entry_of(worlds *w, const call *c)
{
    const json_member *m = c->named_session;
    return m == NULL ? names_add(&w->sessions, "main", 4)
                     : names_add(&w->sessions, m->string, m->string_len);
}

world *worlds_of(worlds *w, const call *c)
{
    names_entry *e = entry_of(w, c);
    if (e->thing == NULL)
        e->thing = world_new();
    return e->thing;
}

size_t stream_of(const tape *t, const call *c)
{
    const char *name = c->op->name;
    if (strcmp(name, "tail") == 0)
        return c->in[2].given ? 3 * t->geometry.num_layers + c->in[2].number
                              : 3 * c->in[0].number + c->in[1].number;
    if (strstr(name, "engram") != NULL)
        return 3 * t->geometry.num_layers + c->in[0].number;
    return 3 * c->in[0].number + c->in[1].number;
}

static void add_row(world *w, size_t stream, size_t pos, const float *raw, const float *out,
                    size_t dim)
{
    w->rows = room_for(w->rows, w->row_count, &w->row_room, sizeof *w->rows);
    w->rows[w->row_count++] = (raw_row){stream, pos, dim, raw, out};
}

static void add_token(world *w, uint32_t token)
{
    w->tokens = room_for(w->tokens, w->token_count, &w->token_room, sizeof *w->tokens);
    w->tokens[w->token_count++] = token;
}

/* What a trace records of a call's first output, as floats; NULL: nothing. */
static const float *recorded_out(const tape *t, const call *c, size_t count)
{
    size_t index = (size_t)(c - t->calls), lo = 0, hi = t->entry_count;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (t->entries[mid].call < index)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < t->entry_count && t->entries[lo].call == index; lo++) {
        const entry *e = &t->entries[lo];
        if (e->output == 0 && !e->recorded.hashed && e->recorded.value.kind == OUT_FLOATS &&
            e->recorded.value.count == count)
            return e->recorded.value.floats;
    }
    return NULL;
}

/* Rows of a call: n of them from a position on. */
static void add_rows(worlds *all, world *w, const call *c, const argument *raw, size_t n,
                     size_t first, bool convolved)
{
    const float *out = convolved ? recorded_out(all->tape, c, raw->count) : NULL;
    size_t dim = n == 0 ? 0 : raw->count / n;
    for (size_t i = 0; i < n; i++)
        add_row(w, stream_of(all->tape, c), first + i, raw->floats + i * dim,
                out == NULL ? NULL : out + i * dim, dim);
}

static void add_convolution(worlds *all, world *w, const call *c)
{
    const char *name = c->op->name;
    const ndl_geometry *g = &all->tape->geometry;
    if (strcmp(name, "conv_step") == 0)
        add_rows(all, w, c, &c->in[3], 1, c->position, true);
    else if (strcmp(name, "engram_conv_step") == 0)
        add_rows(all, w, c, &c->in[2], 1, c->position, true);
    else if (strcmp(name, "prefill_conv") == 0)
        add_rows(all, w, c, &c->in[4], c->in[2].number, 0, true);
    else if (strcmp(name, "prefill_engram") == 0)
        add_rows(all, w, c, &c->in[3], c->in[1].number, 0, true);
    /* Rows seeded by hand are those before the position, as far as there are any. */
    bool qkv = strcmp(name, "seed_conv_tail") == 0;
    if (!qkv && strcmp(name, "seed_engram_tail") != 0)
        return;
    size_t n = qkv ? (g->qkv_conv_taps > 0 ? g->qkv_conv_taps - 1 : 0) : ndl_geometry_reach(g);
    const argument *raw = &c->in[qkv ? 2 : 1];
    size_t skip = c->position < n ? n - c->position : 0, dim = n == 0 ? 0 : raw->count / n;
    for (size_t i = skip; i < n; i++)
        add_row(w, stream_of(all->tape, c), c->position + i - n, raw->floats + i * dim, NULL, dim);
}

static void add_state(worlds *all, world *w, const call *c)
{
    const char *name = c->op->name;
    if (strcmp(name, "write_kv") == 0) {
        w->writes = room_for(w->writes, w->write_count, &w->write_room, sizeof *w->writes);
        w->writes[w->write_count++] =
            (kv_row){c->in[0].number, c->in[1].number, c->in[2].floats, c->in[3].floats};
    } else if (strcmp(name, "push_token") == 0) {
        add_token(w, (uint32_t)c->in[0].number);
    } else if (strcmp(name, "seed_tokens") == 0) {
        w->token_count = 0;
        for (size_t i = 0; i < c->in[0].count; i++)
            add_token(w, c->in[0].words[i]);
    } else {
        add_convolution(all, w, c);
    }
}

/* One that takes the place of a session's, from under a name; unknown: it is fresh. */
static void replace(worlds *all, const call *c, names *from, const argument *name)
{
    names_entry *kept = name->given ? names_find(from, name->text, name->len) : NULL;
    names_entry *own = entry_of(all, c);
    world *w = kept != NULL && kept->thing != NULL ? world_copy(kept->thing) : world_new();
    w->fresh = w->fresh || kept == NULL;
    release(NULL, own->thing);
    own->thing = w;
}

void worlds_add(worlds *all, const call *c)
{
    const char *name = c->op->name;
    if (c->op->stateless)
        return;
    world *w = worlds_of(all, c);
    if (strcmp(name, "snapshot") == 0)
        put(&all->snapshots, c->in[0].text, c->in[0].len, world_copy(w));
    else if (strcmp(name, "save") == 0 && c->in[0].given)
        put(&all->saves, c->in[0].text, c->in[0].len, world_copy(w));
    else if (strcmp(name, "restore") == 0)
        replace(all, c, &all->snapshots, &c->in[0]);
    else if (strcmp(name, "load") == 0)
        replace(all, c, &all->saves, &c->in[0]);
    else if (strcmp(name, "reset") == 0)
        w->row_count = w->write_count = w->token_count = 0;
    else
        add_state(all, w, c);
}

const kv_row *world_write(const world *w, size_t layer, size_t pos)
{
    for (size_t i = w->write_count; i-- > 0;)
        if (w->writes[i].layer == layer && w->writes[i].pos == pos)
            return &w->writes[i];
    return NULL;
}

const kv_row *world_held(const world *w, size_t layer, size_t slot, size_t slots)
{
    for (size_t i = w->write_count; i-- > 0;)
        if (w->writes[i].layer == layer && w->writes[i].pos % slots == slot)
            return &w->writes[i];
    return NULL;
}

bool alike(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(a[i] == b[i]) && !(a[i] != a[i] && b[i] != b[i]))
            return false;
    return true;
}
