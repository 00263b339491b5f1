#include "author.h"

op *author_emit(author *a, op_kind kind, unsigned session, size_t at, size_t n)
{
    op o = {.kind = kind, .session = session, .at = at, .n = n, .seed = (uint16_t)rng_next(&a->r)};
    o.rows = rng_one_in(&a->r, 3) ? (payload)rng_below(&a->r, PAYLOADS) : a->theme;
    o.taps = rng_one_in(&a->r, 4) ? o.rows : PAY_PLAIN;
    if (kind == OP_WRITE || kind == OP_SEED_CONV || kind == OP_SEED_ENGRAM)
        o.taps = o.rows;
    if (a->s->n == MAX_OPS)
        a->s->n--; /* too long already: the last one gives way */
    a->s->ops[a->s->n] = o;
    return &a->s->ops[a->s->n++];
}

void author_token(author *a, unsigned session, bool all)
{
    const ndl_geometry *g = &a->s->geometry;
    if (all || rng_one_in(&a->r, 2))
        author_emit(a, OP_PUSH_TOKEN, session, 0, (uint32_t)rng_next(&a->r));
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        for (int which = NDL_Q; which <= NDL_V; which++) {
            if (all || rng_one_in(&a->r, 2))
                author_emit(a, OP_CONV_STEP, session, layer, 0)->which = (ndl_projection)which;
        }
        author_emit(a, OP_WRITE, session, layer, a->pos[session]);
        if (all || rng_one_in(&a->r, 2))
            author_emit(a, OP_ATTEND, session, layer, a->pos[session]);
    }
    for (size_t site = 0; site < g->engram.num_sites; site++)
        author_emit(a, OP_ENGRAM_STEP, session, site, 0);
    author_emit(a, OP_ADVANCE, session, 0, 0);
    a->pos[session]++;
}

void author_prefill(author *a, unsigned session, size_t n)
{
    const ndl_geometry *g = &a->s->geometry;
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        for (int which = NDL_Q; which <= NDL_V; which++)
            author_emit(a, OP_PREFILL_CONV, session, layer, n)->which = (ndl_projection)which;
        for (size_t pos = 0; pos < n; pos++)
            author_emit(a, OP_WRITE, session, layer, pos);
    }
    for (size_t site = 0; site < g->engram.num_sites; site++)
        author_emit(a, OP_PREFILL_ENGRAM, session, site, n);
    author_emit(a, OP_SEED_TOKENS, session, 0, n);
    author_emit(a, OP_SET_POS, session, 0, n);
    a->pos[session] = n;
}

void author_branch(author *a, unsigned session)
{
    author_emit(a, OP_SNAPSHOT, session, 0, 0);
    author_emit(a, OP_RESTORE, !session, 0, 0);
    a->kept[0] = a->pos[!session] = a->pos[session];
    a->two = true;
}

static void add_letter(author *a, letter l)
{
    switch ((letter_kind)l.kind) {
    case LETTER_TOKEN:
        author_token(a, 0, true);
        break;
    case LETTER_PREFILL:
        author_prefill(a, 0, l.n);
        break;
    case LETTER_SET_POS:
        author_emit(a, OP_SET_POS, 0, 0, l.n);
        break;
    case LETTER_CLONE:
        author_branch(a, 0);
        author_emit(a, OP_RESTORE, 0, 0, 0);
        break;
    case LETTER_RESET:
        author_emit(a, OP_RESET, 0, 0, 0);
        break;
    }
}

size_t word_pos(const letter *word, size_t n)
{
    size_t pos = 0;
    for (size_t i = 0; i < n; i++) {
        if (word[i].kind == LETTER_TOKEN)
            pos++;
        else if (word[i].kind != LETTER_CLONE)
            pos = word[i].kind == LETTER_RESET ? 0 : word[i].n;
    }
    return pos;
}

bool word_is_odd(const letter *word, size_t n)
{
    bool odd = false;
    for (size_t i = 0; i < n; i++)
        odd ^= word[i].kind == LETTER_SET_POS || word[i].kind == LETTER_RESET;
    return odd;
}

static void name_word(const letter *word, size_t n, char *name, size_t room)
{
    size_t used = (size_t)snprintf(name, room, "word");
    for (size_t i = 0; i < n && used < room; i++) {
        bool counts = word[i].kind == LETTER_PREFILL || word[i].kind == LETTER_SET_POS;
        used += (size_t)snprintf(name + used, room - used, counts ? " %c%u" : " %c",
                                 "tpscr"[word[i].kind], word[i].n);
    }
}

/* What an operation puts in is made of what it is, where, and at which position. */
static void settle(op *o, size_t pos, bool odd)
{
    size_t at = o->kind == OP_WRITE ? o->n : pos;
    uint64_t place = ((uint64_t)o->kind * 3 + o->which) * 4 + o->at;
    rng r = {place * 64 + 2 * at + odd};
    o->seed = (uint16_t)rng_next(&r);
    o->rows = rng_one_in(&r, 3) ? (payload)rng_below(&r, PAYLOADS) : PAY_WIDE;
    o->taps = o->kind == OP_WRITE || rng_one_in(&r, 4) ? o->rows : PAY_PLAIN;
    if (o->kind == OP_PUSH_TOKEN)
        o->n = (uint32_t)rng_next(&r);
}

void author_word(const ndl_geometry *g, const ndl_options *options, const letter *word, size_t n,
                 script *s)
{
    author a = {.s = s, .theme = PAY_WIDE};
    name_word(word, n, s->name, sizeof s->name);
    s->n = s->n_words = 0;
    s->geometry = *g;
    s->options = *options;
    s->pattern = 3; /* signalling NaNs */
    for (size_t i = 0; i < n; i++) {
        a.pos[0] = word_pos(word, i);
        size_t from = s->n, pos = a.pos[0];
        add_letter(&a, word[i]);
        while (from < s->n)
            settle(&s->ops[from++], pos, word_is_odd(word, i));
    }
    must(s->n < MAX_OPS);
}
