#include "show.h"

#include "geometry.h"

#include <inttypes.h>
#include <string.h>

enum { FIRST_OPERATIONS = 20, FEW_VALUES = 4, VALUES_A_LINE = 8, BAR = 48 };

/* ------------------------------------------------------------------ values */

/* Values of an array in short or in full, printed one by one. */
typedef struct printer {
    FILE *out;
    size_t count; /* of the array */
    bool full;
} printer;

static bool wanted(const printer *p, size_t i)
{
    return p->full || i < FEW_VALUES;
}

static void put(const printer *p, size_t i, const char *text)
{
    if (p->full && i % VALUES_A_LINE == 0)
        fprintf(p->out, "\n    %6zu ", i);
    if (p->full || i > 0)
        fputc(' ', p->out);
    fputs(text, p->out);
}

static void open_array(const printer *p)
{
    if (p->full)
        fprintf(p->out, "%zu:", p->count);
    else
        fputc('[', p->out);
}

static void close_array(const printer *p)
{
    if (!p->full && p->count > FEW_VALUES)
        fprintf(p->out, " ... %zu", p->count);
    if (!p->full)
        fputc(']', p->out);
}

static bool print_floats(FILE *out, const replay *r, const json_member *m, bool full)
{
    float *x;
    printer p = {.out = out, .full = full};
    char text[FLOAT_TEXT];
    if (!value_floats(&r->values, m, false, &x, &p.count))
        return false;
    open_array(&p);
    for (size_t i = 0; i < p.count && wanted(&p, i); i++)
        put(&p, i, float_text(text, x[i]));
    close_array(&p);
    return true;
}

static bool print_codes(FILE *out, const replay *r, const json_member *m, bool full)
{
    const int8_t *x;
    printer p = {.out = out, .full = full};
    char text[8];
    if (!value_codes(&r->values, m, &x, &p.count))
        return false;
    open_array(&p);
    for (size_t i = 0; i < p.count && wanted(&p, i); i++) {
        snprintf(text, sizeof text, "%d", x[i]);
        put(&p, i, text);
    }
    close_array(&p);
    return true;
}

/* The items of an array of JSON as they stand. */
static void print_items(FILE *out, const replay *r, const json_member *m, bool full)
{
    printer p = {.out = out, .count = m->count, .full = full};
    open_array(&p);
    for (size_t i = 0; i < p.count && wanted(&p, i); i++) {
        const char *at;
        char text[QUOTED];
        switch (json_item(r->json, m, i, &at)) {
        case ITEM_NUMBER:
            snprintf(text, sizeof text, "%.*s", (int)strcspn(at, ",] \t\r\n"), at);
            break;
        case ITEM_NAN:
            strcpy(text, "nan");
            break;
        case ITEM_INF:
            strcpy(text, "inf");
            break;
        case ITEM_NEG_INF:
            strcpy(text, "-inf");
            break;
        default:
            strcpy(text, "?");
        }
        put(&p, i, text);
    }
    close_array(&p);
}

static bool print_value(FILE *out, const replay *r, const json_member *m, bool full)
{
    char shown[QUOTED];
    if (m->kind == JSON_ARRAY)
        print_items(out, r, m, full);
    else if (m->kind != JSON_STRING && m->kind != JSON_OBJECT)
        fwrite(m->text, 1, (size_t)(m->end - m->text), out);
    else if (m->kind == JSON_STRING && value_starts(m, "f32:"))
        return print_floats(out, r, m, full);
    else if (m->kind == JSON_STRING && value_starts(m, "i8:"))
        return print_codes(out, r, m, full);
    else if (m->kind == JSON_STRING && full && value_starts(m, "@"))
        return fprintf(out, "%s ", json_shown(shown, m)) >= 0 && print_floats(out, r, m, full);
    else
        fputs(json_shown(shown, m), out);
    return true;
}

/* -------------------------------------------------------------- operations */

static bool is_recorded(const call *c, const json_member *m)
{
    for (size_t i = 0; i < MOST_OUTPUTS; i++)
        if (m == c->recorded[i])
            return true;
    return m == c->recorded_status;
}

static bool print_members(const show *s, const replay *r, const call *c, bool recorded)
{
    const bool full = s->only != 0;
    for (size_t i = 0; i < json_count(r->json); i++) {
        const json_member *m = json_at(r->json, i);
        char name[QUOTED];
        if (m->parent >= 0 || is_recorded(c, m) != recorded || json_named(m, "op"))
            continue;
        quoted(name, m->name, m->name_len);
        name[strlen(name) - 1] = '\0'; /* without its quotes */
        fprintf(s->out, full ? "\n  %s%s  " : "  %s%s ", recorded ? "-> " : "", name + 1);
        if (!print_value(s->out, r, m, full))
            return false;
    }
    return true;
}

static bool print_operation(const show *s, const replay *r, const call *c)
{
    fprintf(s->out,
            s->only != 0 ? "operation %zu, line %zu, position %zu: %s" : "%6zu %5zu %6zu  %-16s",
            c->number, c->line, c->position, c->op->name);
    if (!print_members(s, r, c, false) || !print_members(s, r, c, true))
        return false;
    fputc('\n', s->out);
    return true;
}

/* ---------------------------------------------------------------- listening */

static void print_list(FILE *out, const char *what, const size_t *n, size_t count)
{
    fprintf(out, "%s", what);
    for (size_t i = 0; i < count; i++)
        fprintf(out, " %zu", n[i]);
    if (count == 0)
        fputs(" none", out);
}

static void print_geometry(FILE *out, const ndl_geometry *g)
{
    size_t global[NDL_MAX_LAYERS], globals = 0;
    for (size_t l = 0; l < g->num_layers; l++)
        if (g->is_global[l] != 0)
            global[globals++] = l;
    fprintf(out, "  %zu layers, %zu query heads, %zu kv heads, keys %zu wide, values %zu\n",
            g->num_layers, g->num_heads, g->num_kv_heads, g->qk_head_dim, g->v_head_dim);
    fprintf(out, "  max_seq_len %zu, window ", g->max_seq_len);
    if (g->sliding_window == 0)
        fputs("none", out);
    else
        fprintf(out, "%zu", g->sliding_window);
    print_list(out, ", global layers", global, globals);
    fprintf(out, "\n  q, k, v convolution: %zu taps\n", g->qkv_conv_taps);
    print_list(out, "  engram: orders", g->engram.orders, g->engram.num_orders);
    fprintf(out, ", %zu tables of %zu rows", ndl_geometry_tables(g), g->engram.slots);
    print_list(out, ", sites at layers", g->engram.sites, g->engram.num_sites);
    fprintf(out, "\n          %zu taps, %zu apart, d_model %zu\n", g->engram.conv_taps,
            g->engram.conv_dilation, g->d_model);
}

static void print_text(FILE *out, const replay *r, const char *name)
{
    const json_member *m = json_find(r->json, -1, name);
    char q[QUOTED];
    if (m != NULL && m->kind == JSON_STRING)
        fprintf(out, "  %s: %s\n", name, quoted(q, m->string, m->string_len));
}

bool show_header(void *context, replay *r, const char *line, size_t len)
{
    show *s = context;
    (void)line, (void)len;
    s->has_geometry = r->has_config;
    s->geometry = r->geometry;
    s->least = SIZE_MAX;
    if (s->only != 0)
        return true;
    print_name(s->out, s->path);
    fputc('\n', s->out);
    print_text(s->out, r, "source");
    print_text(s->out, r, "note");
    if (r->has_precision)
        fprintf(s->out, "  %s, hint %zu, ", r->options.precision == NDL_F32 ? "f32" : "int8",
                r->options.hint);
    fprintf(s->out, "%snumerics of %s\n", r->has_precision ? "" : "  ",
            r->options.numerics == NDL_UPSTREAM ? "upstream" : "needle-core");
    if (s->has_geometry) {
        fputs("\ngeometry\n", s->out);
        print_geometry(s->out, &s->geometry);
    }
    fputs("\n    op  line    pos  in and -> out, as recorded\n", s->out);
    return true;
}

/* What a write to `main` tells of its layer. */
static void look_at_layer(show *s, const replay *r, const call *c)
{
    const size_t layer = c->in[0].number, pos = c->in[1].number;
    show_layer *l = &s->layer[layer];
    l->writes++;
    l->last = pos;
    r->backend->slots(c->session->state, layer, &l->slots);
    r->backend->span_at(c->session->state, layer, pos, &l->span);
}

static void look_at_position(show *s, size_t pos)
{
    s->least = pos < s->least ? pos : s->least;
    s->most = pos > s->most ? pos : s->most;
}

/* What a call to `main` did to it. */
static void look_at_main(show *s, const replay *r, const call *c)
{
    /* restore puts another session in main's place */
    const session *now = names_find(&r->sessions, "main", 4)->thing;
    look_at_position(s, c->position);
    look_at_position(s, r->backend->pos(now->state));
    if (c->status != NDL_OK)
        return;
    if (strcmp(c->op->name, "write_kv") == 0)
        look_at_layer(s, r, c);
    else if (strcmp(c->op->name, "reset") == 0 || strcmp(c->op->name, "restore") == 0 ||
             strcmp(c->op->name, "load") == 0)
        memset(s->layer, 0, sizeof s->layer);
}

bool show_called(void *context, replay *r, const call *c)
{
    show *s = context;
    s->operations++;
    s->by_kind[c->op - operations]++;
    if (c->session != NULL && c->named_session == NULL)
        look_at_main(s, r, c);
    if (s->only != 0) {
        r->enough = s->only == c->number;
        return !r->enough || print_operation(s, r, c);
    }
    if (s->all || s->operations <= FIRST_OPERATIONS)
        return print_operation(s, r, c);
    return true;
}

/* ------------------------------------------------------------------ summary */

static void print_kinds(const show *s)
{
    fprintf(s->out, "\n%zu operations\n", s->operations);
    for (size_t i = 0; i < operation_count; i++)
        if (s->by_kind[i] > 0)
            fprintf(s->out, "  %-22s %zu\n", operations[i].name, s->by_kind[i]);
}

/* Positions 0 to the newest, scaled to the bar; a cell is full if the span has
 * any of its positions. */
static void print_bar(const show *s, size_t layer, size_t newest)
{
    const show_layer *l = &s->layer[layer];
    const size_t positions = newest + 1, cells = positions < BAR ? positions : BAR;
    size_t window = 0;
    char kind[32] = "global";
    ndl_geometry_window(&s->geometry, layer, &window);
    if (window != 0)
        snprintf(kind, sizeof kind, "window %zu", window);
    fprintf(s->out, "  %5zu  %-12s %6zu slots  ", layer, kind, l->slots);
    for (size_t i = 0; i < cells; i++) {
        /* Positions of a cell, without a product that could overflow. */
        const size_t each = positions / cells, rest = positions % cells;
        const size_t from = i * each + (i < rest ? i : rest);
        const size_t to = from + each + (i < rest ? 1 : 0) - 1;
        fputc(to >= l->span.lo && from <= l->span.hi ? '#' : '.', s->out);
    }
    fprintf(s->out, "  %zu to %zu\n", l->span.lo, l->span.hi);
}

void show_summary(const show *s)
{
    size_t newest = 0, writes = 0;
    if (!s->all && s->operations > FIRST_OPERATIONS)
        fprintf(s->out, "        ... %zu more: --all\n", s->operations - FIRST_OPERATIONS);
    print_kinds(s);
    if (!s->has_geometry || s->least > s->most)
        return;
    fprintf(s->out, "\npositions %zu to %zu\n", s->least, s->most);
    for (size_t l = 0; l < s->geometry.num_layers; l++) {
        newest = s->layer[l].writes > 0 && s->layer[l].last > newest ? s->layer[l].last : newest;
        writes += s->layer[l].writes;
    }
    if (writes == 0)
        return;
    fprintf(s->out, "\nspans of the positions written last\n");
    for (size_t l = 0; l < s->geometry.num_layers; l++)
        if (s->layer[l].writes > 0)
            print_bar(s, l, newest);
}
