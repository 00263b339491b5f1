#include "usage.h"

#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was done last to a tail, or to the token history. */
typedef enum touch { UNTOUCHED, SEEDED, STEPPED } touch;

typedef struct tail {
    touch last;
    bool stale; /* the position went back, and its rows did not */
    tail_prints prefill;
} tail;

/* Positions first to last, written one after the other. */
typedef struct stretch {
    size_t first, last;
} stretch;

/* A decode writes in order, one stretch after each prefill or step back. */
enum { MOST_STRETCHES = 32 };

typedef struct layer {
    size_t writes;                   /* since the position last moved */
    bool written;                    /* ever */
    bool missed;                     /* it was said that it never was */
    size_t slots;                    /* after the last write */
    stretch stretch[MOST_STRETCHES]; /* the newest last */
    size_t stretches;
} layer;

struct usage {
    size_t layers, sites, tail_rows, reach;
    bool hashes; /* there are orders, so that old tokens count */
    touch tokens;
    bool tokens_stale;
    bool written; /* something was, ever */
    bool midway;  /* writes since the position last moved are not all known */
    size_t moved_line;
    const char *moved; /* how the position last moved, for people */
    struct {
        size_t line, from, to;
        bool pending; /* nothing has been seeded since */
    } back;
    layer *layer;
    tail *tail; /* three a layer, then one a site */
};

/* ----------------------------------------------------------------- session */

static size_t tails(const usage *u)
{
    return 3 * u->layers + u->sites;
}

static usage *allocate(const usage *like)
{
    usage *u = get_memory(sizeof *u);
    *u = *like;
    u->layer = get_memory(u->layers * sizeof *u->layer);
    u->tail = get_memory(tails(u) * sizeof *u->tail);
    return u;
}

size_t usage_bytes(const ndl_geometry *g)
{
    return sizeof(usage) + g->num_layers * sizeof(layer) +
           (3 * g->num_layers + g->engram.num_sites) * sizeof(tail);
}

usage *usage_new(const ndl_geometry *g)
{
    usage fresh = {
        .layers = g->num_layers,
        .sites = g->engram.num_sites,
        .tail_rows = g->qkv_conv_taps > 0 ? g->qkv_conv_taps - 1 : 0,
        .reach = ndl_geometry_reach(g),
        .hashes = g->engram.num_orders > 0,
        .moved = "the start",
    };
    usage *u = allocate(&fresh);
    memset(u->layer, 0, u->layers * sizeof *u->layer);
    memset(u->tail, 0, tails(u) * sizeof *u->tail);
    return u;
}

usage *usage_loaded(const ndl_geometry *g, size_t pos)
{
    usage *u = usage_new(g);
    u->midway = true;
    if (pos == 0)
        return u;
    /* Its tails and tokens belong to its position: who takes that back, seeds them. */
    for (size_t t = 0; t < tails(u); t++)
        u->tail[t].last = STEPPED;
    u->tokens = STEPPED;
    return u;
}

usage *usage_clone(const usage *like)
{
    usage *u = allocate(like);
    memcpy(u->tail, like->tail, tails(u) * sizeof *u->tail);
    memcpy(u->layer, like->layer, u->layers * sizeof *u->layer);
    return u;
}

void usage_free(usage *u)
{
    free(u->layer);
    free(u->tail);
    free(u);
}

/* ---------------------------------------------------------- position moved */

static void moved(replay *r, usage *u, const char *how)
{
    for (size_t l = 0; l < u->layers; l++)
        u->layer[l].writes = 0;
    u->moved = how;
    u->midway = false;
    u->moved_line = r->line;
    r->sequences.count = 0;
}

static bool has_rows(const usage *u, size_t t)
{
    return (t < 3 * u->layers ? u->tail_rows : u->reach) > 0;
}

static void warn_back(replay *r, usage *u, const char *what)
{
    replay_warn(r, WARNING_USAGE,
                "set_pos went back from %zu to %zu on line %zu, and %s: set_pos alone is no "
                "rollback",
                u->back.from, u->back.to, u->back.line, what);
    /* Once a set_pos: the other tails are as stale, and need no line each. */
    for (size_t t = 0; t < tails(u); t++)
        u->tail[t].stale = false;
    u->tokens_stale = false;
    u->back.pending = false;
}

void usage_set_pos(replay *r, usage *u, size_t from, size_t to)
{
    if (to < from) {
        bool stale = false, reseeded = u->tokens == SEEDED;
        for (size_t t = 0; t < tails(u); t++) {
            /* At position 0 the gates hide whatever a tail holds. */
            u->tail[t].stale = to > 0 && has_rows(u, t) && u->tail[t].last == STEPPED;
            stale = stale || u->tail[t].stale;
            reseeded = reseeded || u->tail[t].last == SEEDED;
        }
        u->tokens_stale = u->hashes && u->tokens == STEPPED;
        stale = stale || u->tokens_stale;
        u->back.line = r->line;
        u->back.from = from;
        u->back.to = to;
        u->back.pending = stale && !reseeded;
    }
    moved(r, u, "set_pos");
}

void usage_end(replay *r, usage *u)
{
    if (u->back.pending)
        warn_back(r, u, "nothing was seeded after it");
}

void usage_advance(replay *r, usage *u)
{
    size_t wrong = 0, first = 0;
    usage_end(r, u);
    for (size_t l = u->layers; l-- > 0;) {
        layer *at = &u->layer[l];
        /* A layer that a trace leaves out altogether is worth one line, not one a step. */
        if (at->writes == 1 || at->missed)
            continue;
        at->missed = u->written && !at->written && !u->midway;
        wrong++;
        first = l;
    }
    /* A trace without any write is one of the convolutions alone. */
    if (u->written && wrong > 0 && !u->midway) {
        char since[64] = "", others[64] = "";
        if (u->moved_line > 0)
            snprintf(since, sizeof since, " of line %zu", u->moved_line);
        if (wrong > 1)
            snprintf(others, sizeof others, ", and so %zu other layer%s not once", wrong - 1,
                     wrong > 2 ? "s" : "");
        replay_warn(r, WARNING_USAGE,
                    "layer %zu was written %zu times, not once, between %s%s and this advance%s",
                    first, u->layer[first].writes, u->moved, since, others);
    }
    moved(r, u, "the advance");
}

/* ------------------------------------------------------ tails and the rest */

static tail *tail_at(usage *u, size_t index, unsigned which)
{
    return &u->tail[which == SITE_TAIL ? 3 * u->layers + index : 3 * index + which];
}

static const char *tail_text(char out[64], size_t index, unsigned which)
{
    if (which == SITE_TAIL)
        snprintf(out, 64, "the tail of site %zu", index);
    else
        snprintf(out, 64, "the %c tail of layer %zu", "qkv"[which], index);
    return out;
}

void usage_step(replay *r, usage *u, size_t index, unsigned which)
{
    char text[64], what[128];
    tail *t = tail_at(u, index, which);
    if (t->stale) {
        snprintf(what, sizeof what, "%s was not seeded since", tail_text(text, index, which));
        warn_back(r, u, what);
    }
    t->last = STEPPED;
    t->prefill.known = false;
}

void usage_prefill(usage *u, size_t index, unsigned which, const tail_prints *prints)
{
    tail *t = tail_at(u, index, which);
    t->last = SEEDED;
    t->stale = false;
    t->prefill = *prints;
    u->back.pending = false;
}

/* What the rows are, where they are not what they should be; NULL: as they should be. */
static const char *mistaken(const tail_prints *t, uint64_t hash)
{
    if (hash == t->raw)
        return NULL;
    if (hash == t->convolved)
        return "the rows after the convolution, not the raw ones before it";
    if (hash == t->newest_first)
        return "the raw rows newest first, not oldest first";
    return "not the last raw rows of it";
}

static void check_rows(replay *r, usage *u, size_t index, unsigned which, const float *rows,
                       size_t count)
{
    char text[64];
    tail *t = tail_at(u, index, which);
    const char *wrong = NULL;
    size_t line = 0;
    uint64_t hash = float_hash(rows, count);
    if (t->prefill.known) {
        wrong = mistaken(&t->prefill, hash);
        line = t->prefill.line;
    } else {
        /* Any convolution of this size may be the one; the newest is told about,
         * unless the rows show which it was. */
        for (size_t i = r->sequences.count; i-- > 0;) {
            const tail_prints *s = &r->sequences.seen[i];
            if (s->elements != count)
                continue;
            if (hash == s->raw)
                return;
            if (line == 0 || hash == s->convolved || hash == s->newest_first) {
                wrong = mistaken(s, hash);
                line = s->line;
            }
        }
    }
    if (wrong != NULL)
        replay_warn(r, WARNING_USAGE, "%s is seeded after the convolution on line %zu with %s",
                    tail_text(text, index, which), line, wrong);
}

void usage_seed(replay *r, usage *u, size_t index, unsigned which, const float *rows, size_t count)
{
    tail *t = tail_at(u, index, which);
    if (count > 0)
        check_rows(r, u, index, which, rows, count);
    t->last = SEEDED;
    t->stale = false;
    t->prefill.known = false;
    u->back.pending = false;
}

void usage_push(replay *r, usage *u)
{
    if (u->tokens_stale)
        warn_back(r, u, "the token history was not seeded since");
    u->tokens = STEPPED;
}

void usage_seed_tokens(usage *u)
{
    u->tokens = SEEDED;
    u->tokens_stale = false;
    u->back.pending = false;
}

void usage_write(usage *u, size_t layer_index, size_t pos, size_t slots)
{
    layer *l = &u->layer[layer_index];
    l->writes++;
    l->written = u->written = true;
    l->missed = false;
    l->slots = slots;
    if (l->stretches > 0 && pos == l->stretch[l->stretches - 1].last + 1) {
        l->stretch[l->stretches - 1].last = pos;
        return;
    }
    if (l->stretches == MOST_STRETCHES) {
        memmove(&l->stretch[0], &l->stretch[1], (MOST_STRETCHES - 1) * sizeof l->stretch[0]);
        l->stretches--;
    }
    l->stretch[l->stretches++] = (stretch){pos, pos};
}

bool usage_held(const usage *u, size_t layer_index, size_t slot, size_t *pos)
{
    const layer *l = &u->layer[layer_index];
    /* A ring that grows keeps its rows where they are, so that every position written
     * so far is its slot modulo the slots of now. */
    for (size_t i = l->stretches; i-- > 0;) {
        const stretch *s = &l->stretch[i];
        size_t back = (s->last % l->slots + l->slots - slot) % l->slots;
        if (back <= s->last - s->first) {
            *pos = s->last - back;
            return true;
        }
    }
    return false;
}
