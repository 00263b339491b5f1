#include "ops.h"

#include "memory.h"

#include <string.h>

/*
 * One walk over a session serves both directions: each step reads its bytes and
 * sets a value, or writes the bytes of the value that is there. So the two
 * cannot come apart.
 */
typedef struct walk {
    bool writing;
    const uint8_t *from, *from_end;
    uint8_t *to, *to_end;
    bool failed; /* writing: no room, or a value that cannot be said */
} walk;

static bool at_end(const walk *w)
{
    return w->from == w->from_end;
}

static uint8_t byte(walk *w, uint8_t value)
{
    if (!w->writing)
        return w->from < w->from_end ? *w->from++ : 0;
    if (w->to == w->to_end)
        w->failed = true;
    else
        *w->to++ = value;
    return value;
}

static uint64_t bytes(walk *w, unsigned n, uint64_t value)
{
    uint64_t got = 0;
    for (unsigned i = 0; i < n; i++)
        got |= (uint64_t)byte(w, (uint8_t)(value >> (8 * i))) << (8 * i);
    return got;
}

enum { LITERAL = 255 };

/* A number that mostly is one of n, fewer than 255. */
static void number(walk *w, const size_t *usual, size_t n, size_t *value)
{
    size_t i = 0;
    while (w->writing && i < n && usual[i] != *value)
        i++;
    uint8_t b = byte(w, i < n ? (uint8_t)i : LITERAL);
    *value = b == LITERAL ? (size_t)bytes(w, sizeof *value, *value) : usual[b % n];
}

/* A number that mostly is lo .. hi. */
static void number_between(walk *w, size_t lo, size_t hi, size_t *value)
{
    size_t usual[32], n = 0;
    must(lo <= hi && hi - lo < COUNT(usual));
    for (size_t i = lo; i <= hi; i++)
        usual[n++] = i;
    number(w, usual, n, value);
}

/* ------------------------------------------------------------------- geometry */

#define FIELD(name, lo, hi)                                                                        \
    {                                                                                              \
        offsetof(ndl_geometry, name), lo, hi                                                       \
    }

/* Those whose usual values depend on nothing. */
static const struct field {
    size_t offset, lo, hi;
} fields[] = {
    FIELD(d_model, 1, 8),
    FIELD(num_kv_heads, 1, 3),
    FIELD(num_layers, 1, 4),
    FIELD(qk_head_dim, 1, 8),
    FIELD(v_head_dim, 1, 8),
    FIELD(max_seq_len, 1, 12),
    FIELD(qkv_conv_taps, 0, 5),
    FIELD(engram.heads, 1, 3),
    FIELD(engram.seed_heads, 0, 9),
    FIELD(engram.conv_taps, 1, 5),
    FIELD(engram.conv_dilation, 0, 5),
    FIELD(engram.num_orders, 0, 4),
    FIELD(engram.num_sites, 0, 3),
};

static void heads(walk *w, ndl_geometry *g)
{
    size_t usual[4];
    for (size_t i = 0; i < COUNT(usual); i++)
        usual[i] = g->num_kv_heads * (i + 1);
    number(w, usual, COUNT(usual), &g->num_heads);
}

/* A layer that has no site yet, or any number at all. */
static void site(walk *w, ndl_geometry *g, size_t i)
{
    size_t usual[NDL_MAX_LAYERS + 1], n = 0;
    for (size_t layer = 0; layer < g->num_layers && layer < NDL_MAX_LAYERS; layer++) {
        size_t k = 0;
        while (k < i && g->engram.sites[k] != layer)
            k++;
        if (k == i)
            usual[n++] = layer;
    }
    if (n == 0)
        usual[n++] = 0;
    number(w, usual, n, &g->engram.sites[i]);
}

static void geometry(walk *w, ndl_geometry *g)
{
    static const size_t slots[] = {16, 1, 2, 7, 1000, 65536, SIZE_MAX};
    static const size_t vocabularies[] = {100, 0, 8192}, sub_dims[] = {1, 0, 128};
    for (size_t i = 0; i < COUNT(fields); i++) {
        size_t *value = (size_t *)((char *)g + fields[i].offset);
        number_between(w, fields[i].lo, fields[i].hi, value);
    }
    heads(w, g);
    const size_t max = g->max_seq_len;
    const size_t windows[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, max, max + 1, SIZE_MAX};
    number(w, windows, COUNT(windows), &g->sliding_window);
    number(w, slots, COUNT(slots), &g->engram.slots);
    number(w, vocabularies, COUNT(vocabularies), &g->vocab_size);
    number(w, sub_dims, COUNT(sub_dims), &g->engram.sub_dim);
    for (size_t i = 0; i < g->engram.num_orders && i < NDL_MAX_ORDERS; i++)
        number_between(w, 1, 5, &g->engram.orders[i]);
    for (size_t i = 0; i < g->engram.num_sites && i < NDL_MAX_SITES; i++)
        site(w, g, i);
    for (size_t i = 0; i < g->num_layers && i < NDL_MAX_LAYERS; i += 8) {
        uint8_t mask = 0;
        for (size_t bit = 0; bit < 8 && i + bit < NDL_MAX_LAYERS; bit++)
            mask = (uint8_t)(mask | (g->is_global[i + bit] != 0) << bit);
        mask = byte(w, mask);
        for (size_t bit = 0; bit < 8 && i + bit < g->num_layers && i + bit < NDL_MAX_LAYERS; bit++)
            g->is_global[i + bit] = mask >> bit & 1;
    }
}

/* What a fuzzer can afford, if it can be at all. */
static bool affordable(const ndl_geometry *g)
{
    if (ndl_geometry_validate(g) != NDL_OK)
        return true;
    size_t k = ndl_geometry_k_dim(g), v = ndl_geometry_v_dim(g), q = ndl_geometry_q_dim(g);
    return q <= 2048 && k <= 2048 && v <= 2048 && g->d_model <= 2048 && g->qkv_conv_taps <= 64 &&
           g->engram.conv_taps <= 64 && ndl_geometry_reach(g) <= 1024 &&
           ndl_geometry_max_order(g) <= 64 && ndl_geometry_tables(g) <= 256 &&
           g->max_seq_len <= 8192 && g->max_seq_len * (k + v) <= (size_t)1 << 20;
}

static void profile(walk *w, script *s)
{
    unsigned bits = s->options.precision == NDL_INT8 ? 1 : 0;
    bits |= s->options.numerics == NDL_UPSTREAM ? 2 : 0;
    bits |= s->pattern << 2;
    bits = byte(w, (uint8_t)bits);
    s->options.precision = bits & 1 ? NDL_INT8 : NDL_F32;
    s->options.numerics = bits & 2 ? NDL_UPSTREAM : NDL_NEEDLE_CORE;
    s->pattern = bits >> 2 & 3;
}

/* ----------------------------------------------------------------- operations */

/* Where each session and snapshot roughly is, so that a byte can say a position
 * near it. A call that fails makes this wrong, which does no harm. */
typedef struct places {
    size_t live[2], kept[2];
} places;

static void move(places *p, const op *o)
{
    size_t *live = &p->live[o->session], *kept = &p->kept[o->name];
    switch (o->kind) {
    case OP_SET_POS:
        *live = o->n;
        break;
    case OP_ADVANCE:
        *live += *live < SIZE_MAX - 1;
        break;
    case OP_RESET:
    case OP_OPEN:
        *live = 0;
        break;
    case OP_SNAPSHOT:
        *kept = *live;
        break;
    case OP_RESTORE:
        *live = *kept;
        break;
    default:
        break;
    }
}

static void position(walk *w, const ndl_geometry *g, size_t pos, size_t *n)
{
    const size_t max = g->max_seq_len, window = g->sliding_window;
    const size_t usual[] = {pos,
                            pos + 1,
                            pos + 2,
                            pos + 3,
                            0,
                            1,
                            2,
                            3,
                            pos - 1,
                            pos / 2,
                            window - 1,
                            window,
                            window + 1,
                            2 * window,
                            max - 1,
                            max,
                            max + 1,
                            2 * max,
                            2 * max + 1,
                            SIZE_MAX - 2,
                            SIZE_MAX - 1,
                            SIZE_MAX};
    number(w, usual, COUNT(usual), n);
}

/* Layer or site: one of those there are, or one that there is not. */
static void place(walk *w, size_t there, size_t *at)
{
    enum { BEYOND = 240, FAR_BEYOND = 248 };
    uint8_t b = LITERAL;
    if (w->writing) {
        if (*at < there || (there == 0 && *at == 0))
            b = (uint8_t)*at;
        else if (*at == there)
            b = BEYOND;
        else if (*at == SIZE_MAX)
            b = FAR_BEYOND;
    }
    b = byte(w, b);
    if (b == LITERAL)
        *at = (size_t)bytes(w, sizeof *at, *at);
    else if (b >= BEYOND)
        *at = b >= FAR_BEYOND ? SIZE_MAX : there;
    else
        *at = there > 0 ? b % there : 0;
}

/* How many tokens or rows. The last few wrap where they are multiplied. */
static void count(walk *w, op *o)
{
    const size_t rows[] = {0,
                           1,
                           2,
                           3,
                           4,
                           5,
                           6,
                           7,
                           8,
                           9,
                           10,
                           11,
                           12,
                           14,
                           16,
                           SIZE_MAX,
                           SIZE_MAX / 2 + 1,
                           SIZE_MAX / 4 + 1,
                           SIZE_MAX / 8 + 1};
    switch (o->kind) {
    case OP_PUSH_TOKEN:
        number_between(w, 0, 15, &o->n);
        o->n &= UINT32_MAX;
        break;
    case OP_SEED_TOKENS:
        number_between(w, 0, 9, &o->n);
        o->n = o->n < MAX_TOKENS ? o->n : MAX_TOKENS;
        break;
    case OP_FAULT:
        number_between(w, 1, 16, &o->n);
        break;
    default:
        number(w, rows, COUNT(rows), &o->n);
        break;
    }
}

/* The words of an array, from the bytes into the script or out of it. */
static void literal(walk *w, script *s, op *o, unsigned i, size_t len)
{
    size_t at = w->writing ? o->words[i] : s->n_words;
    if (!w->writing) {
        if (len > MAX_WORDS - s->n_words) { /* no room: numbers instead */
            *(i ? &o->rows : &o->taps) = PAY_PLAIN;
            return;
        }
        o->words[i] = at;
        s->n_words += len;
    }
    for (size_t k = 0; k < len; k++)
        s->words[at + k] = (uint32_t)bytes(w, 4, s->words[at + k]);
}

static void arrays_and_tokens(walk *w, script *s, op *o)
{
    bool tokens = o->kind == OP_SEED_TOKENS;
    if (!tokens && !array_given(o->kind, 0))
        return;
    uint8_t classes = byte(w, (uint8_t)(o->rows << 4 | o->taps));
    o->rows = (payload)(classes >> 4);
    o->taps = (payload)(classes & 15);
    const bool given[2] = {!tokens, tokens || array_given(o->kind, 1)};
    if ((given[0] && o->taps != PAY_LITERAL) || (given[1] && o->rows != PAY_LITERAL))
        o->seed = (uint16_t)bytes(w, 2, o->seed);
    arrays takes = arrays_of(&s->geometry, o);
    for (unsigned i = 0; i < 2; i++) {
        if (given[i] && (i ? o->rows : o->taps) == PAY_LITERAL)
            literal(w, s, o, i, tokens ? o->n : takes.len[i]);
    }
}

enum { SESSION = 0x20, SNAPSHOT = 0x40, WRONG = 0x80 };

static void operation(walk *w, script *s, op *o, const places *p)
{
    const ndl_geometry *g = &s->geometry;
    unsigned b = (unsigned)o->kind | (o->session ? SESSION : 0) | (o->name ? SNAPSHOT : 0) |
                 (o->longer[0] || o->longer[1] ? WRONG : 0);
    b = byte(w, (uint8_t)b);
    o->kind = (op_kind)((b & 31) % OP_KINDS);
    o->session = b & SESSION ? 1 : 0;
    o->name = b & SNAPSHOT ? 1 : 0;
    if (b & WRONG) {
        unsigned lengths = byte(w, (uint8_t)(o->longer[0] + 1 + 3 * (o->longer[1] + 1)));
        o->longer[0] = (int)(lengths % 3) - 1;
        o->longer[1] = (int)(lengths / 3 % 3) - 1;
    }
    switch (o->kind) {
    case OP_CONV_STEP:
    case OP_PREFILL_CONV:
    case OP_SEED_CONV:
        place(w, g->num_layers, &o->at);
        o->which = (ndl_projection)(byte(w, (uint8_t)o->which) % 3);
        if (o->kind == OP_PREFILL_CONV)
            count(w, o);
        break;
    case OP_ENGRAM_STEP:
    case OP_PREFILL_ENGRAM:
    case OP_SEED_ENGRAM:
        place(w, g->engram.num_sites, &o->at);
        if (o->kind == OP_PREFILL_ENGRAM)
            count(w, o);
        break;
    case OP_WRITE:
    case OP_SPAN:
    case OP_ATTEND:
        place(w, g->num_layers, &o->at);
        position(w, g, p->live[o->session], &o->n);
        break;
    case OP_SET_POS:
        position(w, g, p->live[o->session], &o->n);
        break;
    case OP_PUSH_TOKEN:
    case OP_SEED_TOKENS:
    case OP_FAULT:
        count(w, o);
        break;
    default:
        break;
    }
    arrays_and_tokens(w, s, o);
}

/* -------------------------------------------------------------------- session */

static void header(walk *w, script *s)
{
    profile(w, s);
    geometry(w, &s->geometry);
    const size_t max = s->geometry.max_seq_len;
    const size_t hints[] = {1, 0, 2, 3, 4, 5, 6, 7, 8, max, max + 1, SIZE_MAX};
    number(w, hints, COUNT(hints), &s->options.hint);
}

void ops_decode(const uint8_t *input, size_t len, script *s)
{
    walk w = {.from = input, .from_end = input + len};
    places p = {{0, 0}, {0, 0}};
    memset(&s->geometry, 0, sizeof s->geometry);
    s->options = (ndl_options){.hint = 0};
    s->name[0] = '\0';
    s->n = s->n_words = 0;
    header(&w, s);
    /* One that costs too much becomes one that is refused. */
    if (!affordable(&s->geometry))
        s->geometry.num_layers = 0;
    if (ndl_geometry_validate(&s->geometry) != NDL_OK)
        return;
    while (s->n < MAX_OPS && !at_end(&w)) {
        op *o = &s->ops[s->n++];
        *o = (op){.status = NDL_OK};
        operation(&w, s, o, &p);
        move(&p, o);
    }
}

size_t ops_encode(const script *s, uint8_t *output, size_t room)
{
    /* The walk sets what it reads, to what is there already when it writes. */
    static script copy;
    walk w = {.writing = true, .to = output, .to_end = output + room};
    places p = {{0, 0}, {0, 0}};
    copy.geometry = s->geometry;
    copy.options = s->options;
    copy.pattern = s->pattern;
    copy.n_words = s->n_words;
    memcpy(copy.words, s->words, s->n_words * sizeof s->words[0]);
    header(&w, &copy);
    if (!affordable(&s->geometry))
        return 0;
    for (size_t i = 0; i < s->n && !w.failed; i++) {
        op o = s->ops[i];
        size_t n = o.n;
        operation(&w, &copy, &o, &p);
        if (o.n != n)
            return 0;
        move(&p, &o);
    }
    return w.failed ? 0 : (size_t)(w.to - output);
}
