#include "boundary.h"

#include "gen_values.h"
#include "geometry.h"
#include "write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct state {
    FILE *out;
    float_form form;
    random_state random;
    ndl_geometry g;
    bool int8, telling, strange, compact;
    size_t pos[2]; /* of the session main, and of another */
    bool opened;   /* the other is */
    bool fresh[2]; /* nothing was done in it */
    bool kept, saved;
    size_t kept_pos, saved_pos;
    size_t now; /* which is at hand */
} state;

static size_t below(state *s, size_t n)
{
    return (size_t)random_below(&s->random, n);
}

static size_t between(state *s, size_t lo, size_t hi)
{
    return lo + below(s, hi - lo + 1);
}

static bool one_in(state *s, size_t n)
{
    return below(s, n) == 0;
}

static void draw_engram(state *s)
{
    ndl_engram *e = &s->g.engram;
    e->num_orders = between(s, 1, 3);
    for (size_t i = 0; i < e->num_orders; i++)
        e->orders[i] = between(s, 1, 4);
    e->heads = between(s, 1, 3);
    e->slots = one_in(s, 3) ? between(s, 1, 9) : between(s, 1000, 100000);
    e->sub_dim = 1;
    e->seed_heads = one_in(s, 2) ? 0 : between(s, 1, 5);
    e->num_sites = between(s, one_in(s, 16) ? 0 : 1, s->g.num_layers < 2 ? 1 : 2);
    for (size_t i = 0; i < e->num_sites; i++)
        e->sites[i] = i;
    e->conv_taps = one_in(s, 24) ? 1 : between(s, 2, 4);
    e->conv_dilation = between(s, 1, 3);
    s->g.d_model = between(s, 1, 4);
}

/* Of so many layers, or for 0 of as many as are drawn. */
static void draw_geometry(state *s, size_t layers)
{
    ndl_geometry *g = &s->g;
    memset(g, 0, sizeof *g);
    g->vocab_size = 100;
    g->num_kv_heads = between(s, 1, 3);
    g->num_heads = g->num_kv_heads * between(s, 1, 2);
    g->num_layers = one_in(s, 3) ? 1 : between(s, 2, 4);
    if (layers > 0)
        g->num_layers = layers;
    g->qk_head_dim = between(s, 1, 4);
    g->v_head_dim = one_in(s, 2) ? g->qk_head_dim : between(s, 1, 4);
    g->max_seq_len = one_in(s, 4) ? between(s, 1, 5) : between(s, 7, 12);
    /* One that reaches past the end of all is as none. */
    const bool inside = g->max_seq_len < 6 && !one_in(s, 4);
    g->sliding_window = between(s, 0, inside ? g->max_seq_len - 1 : 5);
    for (size_t i = 0; i < g->num_layers; i++)
        g->is_global[i] = one_in(s, 2);
    g->qkv_conv_taps = one_in(s, 6) ? between(s, 0, 2) : between(s, 3, 5);
    if (!one_in(s, 20))
        draw_engram(s);
}

/* ------------------------------------------------------------------- values */

static payload class_of(state *s)
{
    static const payload often[] = {PAYLOAD_TIES, PAYLOAD_HALF, PAYLOAD_ODD254, PAYLOAD_ZERO,
                                    PAYLOAD_LARGE};
    if (!one_in(s, 3))
        return PAYLOAD_NORMAL;
    if (s->strange && one_in(s, 3))
        return (payload)below(s, PAYLOADS);
    return often[below(s, sizeof often / sizeof often[0])];
}

/* Rows of so many heads, each of a class of its own. */
static void put_rows(state *s, const char *name, size_t heads, size_t width)
{
    float *x = get_memory((heads * width + 1) * sizeof *x);
    for (size_t i = 0; i < heads; i++) {
        if (!s->telling) {
            payload_fill(&s->random, class_of(s), x + i * width, width);
            continue;
        }
        /* Whole numbers, so that a sum shows what it was made of. */
        for (size_t c = 0; c < width; c++)
            x[i * width + c] = (float)between(s, 0, 9);
    }
    fprintf(s->out, ",\"%s\":", name);
    write_floats(s->out, x, heads * width, s->form);
    free(x);
}

static void put_taps(state *s, const char *name, size_t n, size_t dim)
{
    float *x = get_memory((n * dim + 1) * sizeof *x);
    float power = 1.0f;
    for (size_t j = 0; j < n; j++) {
        if (!s->telling)
            payload_fill(&s->random, PAYLOAD_NORMAL, x + j * dim, dim);
        for (size_t c = 0; s->telling && c < dim; c++)
            x[j * dim + c] = power;
        power *= 10.0f;
    }
    fprintf(s->out, ",\"%s\":", name);
    write_floats(s->out, x, n * dim, s->form);
    free(x);
}

static size_t heads_of(const state *s, size_t which)
{
    return which == NDL_Q ? s->g.num_heads : s->g.num_kv_heads;
}

static size_t width_of(const state *s, size_t which)
{
    return which == NDL_V ? s->g.v_head_dim : s->g.qk_head_dim;
}

/* Taps of a layer's projection and of a site: in a compact script those that were named
 * before, and else of the call alone. */
static void put_conv_taps(state *s, size_t layer, size_t which)
{
    if (s->compact)
        fprintf(s->out, ",\"taps\":\"@taps.%zu.%c\"", layer, "qkv"[which]);
    else
        put_taps(s, "taps", s->g.qkv_conv_taps, heads_of(s, which) * width_of(s, which));
}

static void put_site_taps(state *s, size_t site)
{
    if (s->compact)
        fprintf(s->out, ",\"taps\":\"@engram_taps.%zu\"", site);
    else
        put_taps(s, "taps", s->g.engram.conv_taps, s->g.d_model);
}

/* The taps of all layers and sites. */
static void name_taps(state *s)
{
    for (size_t layer = 0; s->g.qkv_conv_taps > 0 && layer < s->g.num_layers; layer++) {
        for (size_t which = 0; which < 3; which++) {
            fprintf(s->out, "{\"op\":\"tensor\",\"name\":\"taps.%zu.%c\"", layer, "qkv"[which]);
            put_taps(s, "data", s->g.qkv_conv_taps, heads_of(s, which) * width_of(s, which));
            fputs("}\n", s->out);
        }
    }
    for (size_t site = 0; site < s->g.engram.num_sites; site++) {
        fprintf(s->out, "{\"op\":\"tensor\",\"name\":\"engram_taps.%zu\"", site);
        put_taps(s, "data", s->g.engram.conv_taps, s->g.d_model);
        fputs("}\n", s->out);
    }
}

static void begin(state *s, const char *op)
{
    fprintf(s->out, "{\"op\":\"%s\"", op);
    if (s->now == 1)
        fputs(",\"session\":\"other\"", s->out);
}

static void end(state *s)
{
    fputs("}\n", s->out);
}

static uint32_t token(state *s)
{
    return one_in(s, 8) ? (uint32_t)random_next(&s->random) : (uint32_t)below(s, 10);
}

/* --------------------------------------------------------------- operations */

static void convolve(state *s, size_t layer, size_t which)
{
    begin(s, "conv_step");
    fprintf(s->out, ",\"layer\":%zu,\"which\":\"%c\"", layer, "qkv"[which]);
    put_conv_taps(s, layer, which);
    put_rows(s, "raw", heads_of(s, which), width_of(s, which));
    end(s);
}

static void convolve_site(state *s, size_t site)
{
    begin(s, "engram_conv_step");
    fprintf(s->out, ",\"site\":%zu", site);
    put_site_taps(s, site);
    put_rows(s, "raw", 1, s->g.d_model);
    end(s);
}

static void write_row(state *s, size_t layer, size_t pos, bool may_fail)
{
    begin(s, "write_kv");
    fprintf(s->out, ",\"layer\":%zu,\"pos\":%zu", layer, pos);
    put_rows(s, "k", s->g.num_kv_heads, s->g.qk_head_dim);
    put_rows(s, "v", s->g.num_kv_heads, s->g.v_head_dim);
    if (may_fail)
        fputs(",\"status\":\"\"", s->out);
    end(s);
}

static void attend(state *s, size_t layer, size_t pos)
{
    begin(s, "span");
    fprintf(s->out, ",\"layer\":%zu,\"pos\":%zu", layer, pos);
    end(s);
    begin(s, "attend_step");
    fprintf(s->out, ",\"layer\":%zu,\"pos\":%zu", layer, pos);
    put_rows(s, "q", s->g.num_heads, s->g.qk_head_dim);
    end(s);
}

static void simple(state *s, const char *op)
{
    begin(s, op);
    end(s);
}

static void step(state *s)
{
    /* Rings and positions move on in half of the bytes. */
    const bool convolved = one_in(s, 2);
    const size_t pos = s->pos[s->now];
    begin(s, "push_token");
    fprintf(s->out, ",\"token\":%" PRIu32, token(s));
    end(s);
    if (s->g.engram.num_orders > 0)
        simple(s, "engram_indices");
    for (size_t i = 0; convolved && i < s->g.engram.num_sites; i++)
        convolve_site(s, i);
    for (size_t layer = 0; layer < s->g.num_layers; layer++) {
        for (size_t which = 0; convolved && s->g.qkv_conv_taps > 0 && which < 3; which++)
            convolve(s, layer, which);
        write_row(s, layer, pos, false);
        attend(s, layer, pos);
    }
    simple(s, "advance");
    simple(s, "is_saturated");
    s->pos[s->now]++;
}

static void set_pos(state *s, size_t pos)
{
    begin(s, "set_pos");
    fprintf(s->out, ",\"pos\":%zu", pos);
    end(s);
    s->pos[s->now] = pos;
}

static void seed_tokens(state *s, size_t n)
{
    begin(s, "seed_tokens");
    fputs(",\"tokens\":[", s->out);
    for (size_t i = 0; i < n; i++)
        fprintf(s->out, "%s%" PRIu32, i == 0 ? "" : ",", token(s));
    fputs("]", s->out);
    end(s);
}

static void look_at_tails(state *s)
{
    for (size_t layer = 0; s->g.qkv_conv_taps > 1 && layer < s->g.num_layers; layer++) {
        for (size_t which = 0; which < 3; which++) {
            begin(s, "tail");
            fprintf(s->out, ",\"layer\":%zu,\"which\":\"%c\"", layer, "qkv"[which]);
            end(s);
        }
    }
    for (size_t i = 0; i < s->g.engram.num_sites; i++) {
        begin(s, "tail");
        fprintf(s->out, ",\"site\":%zu", i);
        end(s);
    }
}

static void prefill_sites(state *s, size_t n)
{
    for (size_t i = 0; i < s->g.engram.num_sites; i++) {
        begin(s, "prefill_engram");
        fprintf(s->out, ",\"site\":%zu,\"n\":%zu", i, n);
        put_site_taps(s, i);
        put_rows(s, "raw", n, s->g.d_model);
        end(s);
    }
    set_pos(s, n);
}

/* Often short, so that a tail reaches past it. Rows of a tail that no output rests on
 * are seen in the tail alone. */
static void prefill(state *s)
{
    const size_t far = s->g.max_seq_len + 2, longest = one_in(s, 2) ? 3 : 8;
    const size_t n = between(s, 1, far < longest ? far : longest);
    seed_tokens(s, n);
    for (size_t layer = 0; layer < s->g.num_layers; layer++) {
        for (size_t which = 0; s->g.qkv_conv_taps > 0 && which < 3; which++) {
            begin(s, "prefill_conv");
            fprintf(s->out, ",\"layer\":%zu,\"which\":\"%c\",\"n\":%zu", layer, "qkv"[which], n);
            put_conv_taps(s, layer, which);
            put_rows(s, "raw", n * heads_of(s, which), width_of(s, which));
            end(s);
        }
        for (size_t pos = 0; pos < n; pos++)
            write_row(s, layer, pos, false);
    }
    prefill_sites(s, n);
    look_at_tails(s);
}

static void look(state *s)
{
    const size_t end_of_all = 2 * s->g.max_seq_len, far[] = {between(s, 0, end_of_all), end_of_all};
    for (size_t layer = 0; layer < s->g.num_layers; layer++) {
        for (size_t i = 0; i < 2; i++) {
            begin(s, "span");
            fprintf(s->out, ",\"layer\":%zu,\"pos\":%zu", layer, far[i]);
            end(s);
        }
        static const char *const ops[] = {"kv", "lost", "slots"};
        for (size_t i = 0; i < 3; i++) {
            begin(s, ops[i]);
            fprintf(s->out, ",\"layer\":%zu", layer);
            end(s);
        }
    }
    look_at_tails(s);
    simple(s, "bytes");
    simple(s, "is_saturated");
}

/* A row where no step would put it: again, behind, or far ahead. */
static void write_anywhere(state *s)
{
    const size_t layer = below(s, s->g.num_layers);
    const size_t pos = between(s, 0, s->pos[s->now] + 4);
    write_row(s, layer, pos, false);
    attend(s, layer, one_in(s, 2) ? pos : s->pos[s->now]);
}

static void named(state *s, const char *op, const char *name)
{
    begin(s, op);
    fprintf(s->out, ",\"name\":\"%s\"", name);
    end(s);
}

static void clone_or_back(state *s)
{
    if (!s->kept || one_in(s, 3)) {
        named(s, "snapshot", "a");
        s->kept = true;
        s->kept_pos = s->pos[s->now];
        return;
    }
    named(s, "restore", "a");
    s->pos[s->now] = s->kept_pos;
}

static void save_or_load(state *s)
{
    if (!s->saved || one_in(s, 3)) {
        named(s, "save", "b");
        s->saved = true;
        s->saved_pos = s->pos[s->now];
        return;
    }
    named(s, "load", "b");
    s->pos[s->now] = s->saved_pos;
}

static void reset(state *s)
{
    simple(s, "reset");
    s->pos[s->now] = 0;
    s->fresh[s->now] = true;
}

static void change_session(state *s)
{
    s->now = 1 - s->now;
    if (s->now == 1 && !s->opened) {
        simple(s, "open");
        s->opened = true;
    }
}

static void jump(state *s)
{
    /* Mostly to where tails reach back before the start. */
    const bool far = one_in(s, 3);
    set_pos(s, between(s, 0, far ? s->pos[s->now] + 2 : 2));
    if (!one_in(s, 3))
        return;
    for (size_t which = 0; s->g.qkv_conv_taps > 1 && which < 3; which++) {
        size_t layer = below(s, s->g.num_layers);
        begin(s, "seed_conv_tail");
        fprintf(s->out, ",\"layer\":%zu,\"which\":\"%c\"", layer, "qkv"[which]);
        put_rows(s, "raw", (s->g.qkv_conv_taps - 1) * heads_of(s, which), width_of(s, which));
        end(s);
    }
    for (size_t i = 0; i < s->g.engram.num_sites; i++) {
        begin(s, "seed_engram_tail");
        fprintf(s->out, ",\"site\":%zu", i);
        put_rows(s, "raw", ndl_geometry_reach(&s->g), s->g.d_model);
        end(s);
    }
}

/* A call that must be refused, or an allocation that fails. */
static void refusal(state *s)
{
    const size_t layer = below(s, s->g.num_layers), ahead = between(s, 0, 6);
    switch (below(s, 4)) {
    case 0:
        write_row(s, s->g.num_layers, 0, true);
        break;
    case 1:
        begin(s, "span");
        fprintf(s->out, ",\"layer\":%zu,\"pos\":0,\"status\":\"\"", s->g.num_layers);
        end(s);
        break;
    case 2:
        fprintf(s->out, "{\"op\":\"fake_quant\",\"bits\":%zu,\"x\":[1,2],\"status\":\"\"}\n",
                one_in(s, 2) ? (size_t)1 : (size_t)17);
        break;
    default:
        begin(s, "fault");
        fprintf(s->out, ",\"alloc\":%zu", between(s, 1, 3));
        end(s);
        write_row(s, layer, s->pos[s->now] + ahead, true);
        /* It is not to strike later. */
        begin(s, "fault");
        fputs(",\"alloc\":0", s->out);
        end(s);
        break;
    }
}

static void kernel(state *s)
{
    const size_t n = between(s, 1, 4), dim = between(s, 1, 3), taps = between(s, 1, 5);
    const size_t dilation = between(s, 1, 3), order = between(s, 1, 3), window = between(s, 0, 3);
    const size_t width = between(s, 2, 16), bits = one_in(s, 2) ? 8 : width;
    switch (below(s, 6)) {
    case 0:
        fprintf(s->out, "{\"op\":\"fake_quant\",\"bits\":%zu", bits);
        put_rows(s, "x", 1, n + 2);
        break;
    case 1:
    case 5:
        fprintf(s->out, "{\"op\":\"quantize_rows\",\"head_dim\":%zu", width);
        put_rows(s, "x", n, width);
        break;
    case 2:
        fprintf(s->out, "{\"op\":\"causal_depthwise_conv\",\"seq\":%zu,\"dim\":%zu,\"n_taps\":%zu",
                n, dim, taps);
        put_taps(s, "taps", taps, dim);
        put_rows(s, "buf", n, dim);
        break;
    case 3:
        fprintf(s->out,
                "{\"op\":\"value_conv\",\"seq\":%zu,\"d_model\":%zu,\"conv_taps\":%zu,"
                "\"conv_dilation\":%zu,\"max_order\":%zu",
                n, dim, taps, dilation, order);
        put_taps(s, "taps", taps, dim);
        put_rows(s, "buf", n, dim);
        break;
    default:
        fprintf(s->out,
                "{\"op\":\"attend_sequence\",\"seq\":%zu,\"num_heads\":2,\"num_kv_heads\":1,"
                "\"qk_head_dim\":%zu,\"v_head_dim\":1,\"window\":%zu",
                n, dim, window);
        put_rows(s, "q", n * 2, dim);
        put_rows(s, "k", n, dim);
        put_rows(s, "v", n, 1);
        break;
    }
    end(s);
}

static void word(state *s)
{
    const size_t at = s->now;
    const bool fresh = s->fresh[at];
    s->fresh[at] = false;
    /* Also where much was done before: it begins anew. */
    if (one_in(s, fresh ? 2 : 10)) {
        prefill(s);
        return;
    }
    switch (below(s, 25)) {
    case 0:
        look(s);
        break;
    case 1:
    case 2:
        write_anywhere(s);
        break;
    case 3:
    case 4:
        clone_or_back(s);
        break;
    case 5:
        save_or_load(s);
        break;
    case 6:
        reset(s);
        break;
    case 7:
        change_session(s);
        break;
    case 8:
    case 14:
        jump(s);
        break;
    case 9:
        refusal(s);
        break;
    case 10:
    case 11:
    case 12:
        kernel(s);
        break;
    case 13:
        prefill_sites(s, between(s, 1, 8));
        break;
    default:
        step(s);
        break;
    }
}

void boundary_write(FILE *out, const boundary *b)
{
    state s = {.out = out,
               .form = b->compact ? FORM_BASE64 : FORM_DECIMAL,
               .compact = b->compact,
               .random = {b->seed},
               .fresh = {true, true}};
    draw_geometry(&s, b->layers);
    s.int8 = one_in(&s, 2);
    s.telling = one_in(&s, 4);
    s.strange = one_in(&s, 4);
    const size_t hint = between(&s, 0, 5);
    const bool upstream = one_in(&s, 4);
    fprintf(out,
            "{\"needle_trace\":1,\"source\":\"ndl " NDL_VERSION "\",\"note\":\"boundaries, seed "
            "%" PRIu64 ", %zu words",
            b->seed, b->words);
    if (b->layers > 0)
        fprintf(out, ", %zu layers", b->layers);
    fprintf(out, "\",\"precision\":\"%s\",\"hint\":%zu,\"numerics\":\"%s\",\"config\":",
            s.int8 ? "int8" : "f32", hint, upstream ? "upstream" : "needle-core");
    geometry_write(out, &s.g);
    fputs("}\n", out);
    if (s.compact)
        name_taps(&s);
    for (size_t i = 0; i < b->words; i++)
        word(&s);
    look(&s);
}
