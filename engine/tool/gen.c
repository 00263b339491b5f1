#include "gen.h"

#include "base64.h"
#include "budget.h"
#include "geometry.h"
#include "reader.h"
#include "write.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct gen {
    const recipe *r;
    FILE *out;
    random_state random;
    float *rows; /* room for the longest array */
} gen;

static const char letter[] = "qkv";

static size_t heads_of(const ndl_geometry *g, unsigned which)
{
    return which == NDL_Q ? g->num_heads : g->num_kv_heads;
}

static size_t head_width(const ndl_geometry *g, unsigned which)
{
    return which == NDL_V ? g->v_head_dim : g->qk_head_dim;
}

static size_t width_of(const ndl_geometry *g, unsigned which)
{
    return heads_of(g, which) * head_width(g, which);
}

/* The most floats that one array has. */
static size_t longest(const recipe *r)
{
    const ndl_geometry *g = &r->geometry;
    size_t most = 1, rows = r->prefill > 1 ? r->prefill : 1;
    for (unsigned which = 0; which < 3; which++) {
        size_t n = rows > g->qkv_conv_taps ? rows : g->qkv_conv_taps;
        size_t floats = product(n, width_of(g, which));
        most = floats > most ? floats : most;
    }
    if (g->engram.num_sites > 0) {
        size_t n = rows > g->engram.conv_taps ? rows : g->engram.conv_taps;
        size_t floats = product(n, g->d_model);
        most = floats > most ? floats : most;
    }
    return most;
}

bool gen_fits(const recipe *r, problem *p)
{
    /* Two arrays at most on a line (write_kv), and far less than this beside them. */
    size_t most = product(2, product(longest(r), 4));
    if (most > LINE_LIMIT / 4 * 3 - 4096 || r->prefill > LINE_LIMIT / 12)
        return fail(p, "a line would be longer than the 64 MiB that a trace allows: a shorter "
                       "--prefill or a smaller geometry is needed");
    return true;
}

/* n pieces of a row, each of a class drawn for it. */
static void draw(gen *s, float *row, size_t n, size_t width)
{
    for (size_t i = 0; i < n; i++) {
        payload p = s->r->payloads[random_below(&s->random, s->r->payload_count)];
        payload_fill(&s->random, p, row + i * width, width);
    }
}

static void put_floats(gen *s, const char *name, size_t count)
{
    fprintf(s->out, ",\"%s\":", name);
    write_floats(s->out, s->rows, count, FORM_BASE64);
}

/* n rows of a projection, each head a piece of its own. */
static void put_rows(gen *s, const char *name, unsigned which, size_t n)
{
    const ndl_geometry *g = &s->r->geometry;
    draw(s, s->rows, n * heads_of(g, which), head_width(g, which));
    put_floats(s, name, n * width_of(g, which));
}

static void put_site_rows(gen *s, size_t n)
{
    draw(s, s->rows, n, s->r->geometry.d_model);
    put_floats(s, "raw", n * s->r->geometry.d_model);
}

static uint32_t token(gen *s)
{
    size_t vocabulary = s->r->geometry.vocab_size;
    bool any = vocabulary == 0 || vocabulary > UINT32_MAX;
    return (uint32_t)random_below(&s->random, any ? UINT64_C(1) << 32 : vocabulary);
}

static void header(gen *s)
{
    const recipe *r = s->r;
    fprintf(s->out,
            "{\"needle_trace\":1,\"source\":\"ndl gen " NDL_VERSION "\",\"note\":\"seed %" PRIu64,
            r->seed);
    for (size_t i = 0; i < r->payload_count; i++)
        fprintf(s->out, "%s%s", i == 0 ? ", values: " : " ", payload_name(r->payloads[i]));
    fprintf(s->out, "\",\"precision\":\"%s\",\"hint\":%zu,\"numerics\":\"%s\",\"config\":",
            r->precision == NDL_F32 ? "f32" : "int8", r->hint,
            r->numerics == NDL_UPSTREAM ? "upstream" : "needle-core");
    geometry_write(s->out, &r->geometry);
    fputs("}\n", s->out);
}

static void taps(gen *s)
{
    const ndl_geometry *g = &s->r->geometry;
    for (size_t layer = 0; layer < g->num_layers; layer++)
        for (unsigned which = 0; which < 3; which++) {
            size_t count = g->qkv_conv_taps * width_of(g, which);
            fprintf(s->out, "{\"op\":\"tensor\",\"name\":\"taps.%zu.%c\"", layer, letter[which]);
            payload_fill(&s->random, PAYLOAD_NORMAL, s->rows, count);
            put_floats(s, "data", count);
            fputs("}\n", s->out);
        }
    for (size_t site = 0; site < g->engram.num_sites; site++) {
        size_t count = g->engram.conv_taps * g->d_model;
        fprintf(s->out, "{\"op\":\"tensor\",\"name\":\"engram_taps.%zu\"", site);
        payload_fill(&s->random, PAYLOAD_NORMAL, s->rows, count);
        put_floats(s, "data", count);
        fputs("}\n", s->out);
    }
}

static void write_kv(gen *s, size_t layer, size_t pos)
{
    fprintf(s->out, "{\"op\":\"write_kv\",\"layer\":%zu,\"pos\":%zu", layer, pos);
    put_rows(s, "k", NDL_K, 1);
    put_rows(s, "v", NDL_V, 1);
    fputs("}\n", s->out);
}

static void prefill(gen *s)
{
    const ndl_geometry *g = &s->r->geometry;
    size_t n = s->r->prefill;
    fputs("{\"op\":\"seed_tokens\",\"tokens\":[", s->out);
    for (size_t i = 0; i < n; i++)
        fprintf(s->out, "%s%" PRIu32, i == 0 ? "" : ",", token(s));
    fputs("]}\n", s->out);
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        for (unsigned which = 0; which < 3; which++) {
            fprintf(s->out,
                    "{\"op\":\"prefill_conv\",\"layer\":%zu,\"which\":\"%c\",\"n\":%zu,"
                    "\"taps\":\"@taps.%zu.%c\"",
                    layer, letter[which], n, layer, letter[which]);
            put_rows(s, "raw", which, n);
            fputs("}\n", s->out);
        }
        for (size_t pos = 0; pos < n; pos++)
            write_kv(s, layer, pos);
    }
    for (size_t site = 0; site < g->engram.num_sites; site++) {
        fprintf(s->out,
                "{\"op\":\"prefill_engram\",\"site\":%zu,\"n\":%zu,\"taps\":\"@engram_taps.%zu\"",
                site, n, site);
        put_site_rows(s, n);
        fputs("}\n", s->out);
    }
    fprintf(s->out, "{\"op\":\"set_pos\",\"pos\":%zu}\n", n);
}

static void step_layer(gen *s, size_t layer, size_t pos)
{
    for (unsigned which = 0; which < 3; which++) {
        fprintf(s->out,
                "{\"op\":\"conv_step\",\"layer\":%zu,\"which\":\"%c\",\"taps\":\"@taps.%zu.%c\"",
                layer, letter[which], layer, letter[which]);
        put_rows(s, "raw", which, 1);
        fputs("}\n", s->out);
    }
    write_kv(s, layer, pos);
    fprintf(s->out, "{\"op\":\"span\",\"layer\":%zu,\"pos\":%zu}\n", layer, pos);
    fprintf(s->out, "{\"op\":\"attend_step\",\"layer\":%zu,\"pos\":%zu", layer, pos);
    put_rows(s, "q", NDL_Q, 1);
    fputs("}\n", s->out);
}

static void step(gen *s, size_t pos)
{
    const ndl_geometry *g = &s->r->geometry;
    fprintf(s->out, "{\"op\":\"push_token\",\"token\":%" PRIu32 "}\n", token(s));
    fputs("{\"op\":\"engram_indices\"}\n", s->out);
    for (size_t site = 0; site < g->engram.num_sites; site++) {
        fprintf(s->out, "{\"op\":\"engram_conv_step\",\"site\":%zu,\"taps\":\"@engram_taps.%zu\"",
                site, site);
        put_site_rows(s, 1);
        fputs("}\n", s->out);
    }
    for (size_t layer = 0; layer < g->num_layers; layer++)
        step_layer(s, layer, pos);
    fputs("{\"op\":\"advance\"}\n{\"op\":\"is_saturated\"}\n{\"op\":\"bytes\"}\n", s->out);
}

/* All that can be looked at, once, at the end. */
static void look(gen *s)
{
    const ndl_geometry *g = &s->r->geometry;
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        fprintf(s->out, "{\"op\":\"kv\",\"layer\":%zu}\n", layer);
        fprintf(s->out, "{\"op\":\"lost\",\"layer\":%zu}\n", layer);
        for (unsigned which = 0; which < 3; which++)
            fprintf(s->out, "{\"op\":\"tail\",\"layer\":%zu,\"which\":\"%c\"}\n", layer,
                    letter[which]);
    }
    for (size_t site = 0; site < g->engram.num_sites; site++)
        fprintf(s->out, "{\"op\":\"tail\",\"site\":%zu}\n", site);
}

void gen_write(const recipe *what, FILE *out)
{
    gen s = {.r = what, .out = out, .random = {what->seed}};
    s.rows = get_memory(longest(what) * sizeof *s.rows);
    header(&s);
    taps(&s);
    if (what->prefill > 0)
        prefill(&s);
    for (size_t i = 0; i < what->steps && !ferror(out); i++)
        step(&s, what->prefill + i);
    look(&s);
    free(s.rows);
}
