/* A script, written down as a needle-trace script. */
#include "memory.h"
#include "script.h"

#include <stdlib.h>

/* Floats as base64 of their bits, little-endian: NaNs keep theirs. */
static void print_floats(FILE *to, const char *member, const float *x, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t bytes = 4 * n;
    fprintf(to, ",\"%s\":\"f32:", member);
    for (size_t i = 0; i < bytes; i += 3) {
        uint32_t group = 0;
        for (size_t j = 0; j < 3; j++) {
            size_t at = i + j;
            uint32_t byte = at < bytes ? bits_of(x[at / 4]) >> (8 * (at % 4)) & 255 : 0;
            group = group << 8 | byte;
        }
        for (size_t j = 0; j < 4; j++)
            fputc(i + j > bytes ? '=' : digits[group >> (18 - 6 * j) & 63], to);
    }
    fputc('"', to);
}

static void print_array(FILE *to, const script *s, const op *o, unsigned i, const char *member)
{
    arrays takes = arrays_of(&s->geometry, o);
    float *x = new_array(takes.len[i]);
    fill_array(s, o, i, takes.width[i], x, takes.len[i]);
    print_floats(to, member, x, takes.len[i]);
    free(x);
}

static void print_numbers(FILE *to, const char *member, const size_t *numbers, size_t n)
{
    fprintf(to, "\"%s\":[", member);
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%s%zu", i ? "," : "", numbers[i]);
    fputs("],", to);
}

/* A count of a geometry that is refused may be more than there is room for. */
static size_t at_most(size_t n, size_t room)
{
    return n < room ? n : room;
}

static void print_header(FILE *to, const script *s)
{
    const ndl_geometry *g = &s->geometry;
    const ndl_engram *e = &g->engram;
    size_t globals[NDL_MAX_LAYERS], n = 0;
    for (size_t i = 0; i < g->num_layers && i < NDL_MAX_LAYERS; i++) {
        if (g->is_global[i])
            globals[n++] = i;
    }
    fprintf(to,
            "{\"needle_trace\":1,\"source\":\"lock-step\",\"note\":\"%s, fresh memory "
            "%08x\",\"precision\":\"%s\",\"hint\":%zu,\"numerics\":\"%s\",\"config\":{",
            s->name, memory_patterns[s->pattern], s->options.precision == NDL_INT8 ? "int8" : "f32",
            s->options.hint, s->options.numerics == NDL_UPSTREAM ? "upstream" : "needle-core");
    fprintf(to,
            "\"vocab_size\":%zu,\"d_model\":%zu,\"num_heads\":%zu,\"num_kv_heads\":%zu,"
            "\"num_layers\":%zu,\"qk_head_dim\":%zu,\"v_head_dim\":%zu,\"max_seq_len\":%zu,"
            "\"sliding_window\":%zu,",
            g->vocab_size, g->d_model, g->num_heads, g->num_kv_heads, g->num_layers, g->qk_head_dim,
            g->v_head_dim, g->max_seq_len, g->sliding_window);
    print_numbers(to, "global_layers", globals, n);
    fprintf(to, "\"qkv_conv_taps\":%zu,\"engram\":{", g->qkv_conv_taps);
    print_numbers(to, "orders", e->orders, at_most(e->num_orders, NDL_MAX_ORDERS));
    print_numbers(to, "sites", e->sites, at_most(e->num_sites, NDL_MAX_SITES));
    fprintf(to,
            "\"heads\":%zu,\"slots\":%zu,\"sub_dim\":%zu,\"conv_taps\":%zu,"
            "\"conv_dilation\":%zu,\"seed_heads\":%zu}}}\n",
            e->heads, e->slots, e->sub_dim, e->conv_taps, e->conv_dilation, e->seed_heads);
}

/* The members of an operation besides its arrays; false if it has none. */
static void print_members(FILE *to, const op *o)
{
    static const char *const projections[] = {"q", "k", "v"};
    switch (o->kind) {
    case OP_PUSH_TOKEN:
        fprintf(to, ",\"token\":%zu", o->n);
        break;
    case OP_PREFILL_CONV:
        fprintf(to, ",\"n\":%zu", o->n);
        /* fall through */
    case OP_CONV_STEP:
    case OP_SEED_CONV:
        fprintf(to, ",\"layer\":%zu,\"which\":\"%s\"", o->at, projections[o->which]);
        break;
    case OP_PREFILL_ENGRAM:
        fprintf(to, ",\"n\":%zu", o->n);
        /* fall through */
    case OP_ENGRAM_STEP:
    case OP_SEED_ENGRAM:
        fprintf(to, ",\"site\":%zu", o->at);
        break;
    case OP_WRITE:
    case OP_SPAN:
    case OP_ATTEND:
        fprintf(to, ",\"layer\":%zu", o->at);
        /* fall through */
    case OP_SET_POS:
        fprintf(to, ",\"pos\":%zu", o->n);
        break;
    case OP_SNAPSHOT:
    case OP_RESTORE:
        fprintf(to, ",\"name\":\"%s\"", o->name ? "b" : "a");
        break;
    case OP_LOAD:
        fputs(",\"name\":\"c\"", to);
        break;
    default:
        break;
    }
}

static void print_arrays(FILE *to, const script *s, const op *o)
{
    static const char *const members[][2] = {
        [OP_CONV_STEP] = {"taps", "raw"}, [OP_PREFILL_CONV] = {"taps", "raw"},
        [OP_SEED_CONV] = {"raw", NULL},   [OP_ENGRAM_STEP] = {"taps", "raw"},
        [OP_SEED_ENGRAM] = {"raw", NULL}, [OP_PREFILL_ENGRAM] = {"taps", "raw"},
        [OP_WRITE] = {"k", "v"},          [OP_ATTEND] = {"q", NULL},
        [OP_FAULT] = {NULL, NULL},
    };
    for (unsigned i = 0; i < 2; i++) {
        if (members[o->kind][i])
            print_array(to, s, o, i, members[o->kind][i]);
    }
    if (o->kind != OP_SEED_TOKENS)
        return;
    uint32_t tokens[MAX_TOKENS];
    fill_tokens(s, o, tokens);
    fputs(",\"tokens\":[", to);
    for (size_t i = 0; i < o->n; i++)
        fprintf(to, "%s%u", i ? "," : "", tokens[i]);
    fputc(']', to);
}

/* Ask for everything that a trace can show, so that the script, once run, shows
 * what the comparison saw. */
static void print_questions(FILE *to, const script *s, unsigned session)
{
    const ndl_geometry *g = &s->geometry;
    const char *of = session ? ",\"session\":\"other\"" : "";
    fprintf(to, "{\"op\":\"is_saturated\"%s}\n{\"op\":\"bytes\"%s}\n", of, of);
    fprintf(to, "{\"op\":\"save\"%s}\n", of);
    if (g->engram.num_orders > 0)
        fprintf(to, "{\"op\":\"engram_indices\"%s}\n", of);
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        fprintf(to, "{\"op\":\"kv\",\"layer\":%zu%s}\n{\"op\":\"lost\",\"layer\":%zu%s}\n", layer,
                of, layer, of);
        for (size_t pos = 0; pos < at_most(2 * g->max_seq_len, 64); pos++)
            fprintf(to, "{\"op\":\"span\",\"layer\":%zu,\"pos\":%zu%s}\n", layer, pos, of);
        for (size_t which = 0; which < 3; which++)
            fprintf(to, "{\"op\":\"tail\",\"layer\":%zu,\"which\":\"%c\"%s}\n", layer, "qkv"[which],
                    of);
    }
    for (size_t site = 0; site < g->engram.num_sites; site++)
        fprintf(to, "{\"op\":\"tail\",\"site\":%zu%s}\n", site, of);
}

void script_print(const script *s, FILE *to)
{
    print_header(to, s);
    for (size_t i = 0; i < s->n; i++) {
        const op *o = &s->ops[i];
        if (o->kind == OP_ATTEND && o->longer[1] != 0)
            continue; /* a trace's outputs have the length they must have */
        if (o->kind == OP_LOAD)
            fprintf(to, "{\"op\":\"save\",\"name\":\"c\"%s}\n",
                    o->session ? ",\"session\":\"other\"" : "");
        fprintf(to, "{\"op\":\"%s\"", op_name(o->kind));
        if (o->session)
            fputs(",\"session\":\"other\"", to);
        if (o->kind == OP_FAULT)
            fprintf(to, ",\"alloc\":%zu,\"poison\":%u", o->n, memory_patterns[s->pattern] & 255);
        print_members(to, o);
        print_arrays(to, s, o);
        if (o->status != NDL_OK)
            fprintf(to, ",\"status\":\"%s\"", ndl_status_name(o->status));
        fputs("}\n", to);
    }
}

void script_print_questions(const script *s, FILE *to)
{
    bool other = false, kept[2] = {false, false};
    if (ndl_geometry_validate(&s->geometry) != NDL_OK)
        return; /* there is no session to ask */
    for (size_t i = 0; i < s->n; i++) {
        const op *o = &s->ops[i];
        other = other || (o->session && (o->kind == OP_OPEN || o->kind == OP_RESTORE));
        kept[o->name] = kept[o->name] || (o->kind == OP_SNAPSHOT && o->status == NDL_OK);
    }
    print_questions(to, s, 0);
    if (other)
        print_questions(to, s, 1);
    for (unsigned name = 0; name < 2; name++) {
        if (!kept[name])
            continue;
        fprintf(to, "{\"op\":\"restore\",\"name\":\"%c\"}\n", "ab"[name]);
        print_questions(to, s, 0);
    }
}
