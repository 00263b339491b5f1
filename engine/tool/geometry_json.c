#include "geometry.h"

#include "values.h"

#include <string.h>

/* The members of `config` and of `engram` in it that are single numbers. */
typedef struct field {
    const char *name;
    size_t offset;
} field;

static const field fields[] = {
    {"vocab_size", offsetof(ndl_geometry, vocab_size)},
    {"d_model", offsetof(ndl_geometry, d_model)},
    {"num_heads", offsetof(ndl_geometry, num_heads)},
    {"num_kv_heads", offsetof(ndl_geometry, num_kv_heads)},
    {"num_layers", offsetof(ndl_geometry, num_layers)},
    {"qk_head_dim", offsetof(ndl_geometry, qk_head_dim)},
    {"v_head_dim", offsetof(ndl_geometry, v_head_dim)},
    {"max_seq_len", offsetof(ndl_geometry, max_seq_len)},
    {"sliding_window", offsetof(ndl_geometry, sliding_window)},
    {"qkv_conv_taps", offsetof(ndl_geometry, qkv_conv_taps)},
};

static const field engram_fields[] = {
    {"heads", offsetof(ndl_engram, heads)},
    {"slots", offsetof(ndl_engram, slots)},
    {"sub_dim", offsetof(ndl_engram, sub_dim)},
    {"conv_taps", offsetof(ndl_engram, conv_taps)},
    {"conv_dilation", offsetof(ndl_engram, conv_dilation)},
    {"seed_heads", offsetof(ndl_engram, seed_heads)},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const json_member *need(const json *j, int parent, const char *where, const char *name,
                               problem *p)
{
    const json_member *m = json_find(j, parent, name);
    if (m == NULL)
        say_problem(p, "%s has no \"%s\"", where, name);
    return m;
}

static bool read_fields(const json *j, int parent, const char *where, const field *f, size_t count,
                        void *object, problem *p)
{
    for (size_t i = 0; i < count; i++) {
        const json_member *m = need(j, parent, where, f[i].name, p);
        size_t value;
        if (m == NULL || !value_size(m, SIZE_MAX, &value, p))
            return false;
        memcpy((char *)object + f[i].offset, &value, sizeof value);
    }
    return true;
}

/* An array of up to `most` numbers; `many` is what more of them are refused with. */
static bool read_list(const json *j, int parent, const char *where, const char *name, size_t most,
                      ndl_status many, size_t *list, size_t *count, problem *p)
{
    const json_member *m = need(j, parent, where, name, p);
    if (m == NULL || !value_is_array(m, p))
        return false;
    if (m->count > most)
        return fail(p, "\"%s\" has %zu items: %s", name, m->count, ndl_status_text(many));
    for (size_t i = 0; i < m->count; i++)
        if (!value_item_size(j, m, i, SIZE_MAX, &list[i], p))
            return false;
    *count = m->count;
    return true;
}

static bool read_global_layers(const json *j, int parent, ndl_geometry *g, problem *p)
{
    const json_member *m = need(j, parent, "config", "global_layers", p);
    if (m == NULL || !value_is_array(m, p))
        return false;
    for (size_t i = 0; i < m->count; i++) {
        size_t layer;
        if (!value_item_size(j, m, i, SIZE_MAX, &layer, p))
            return false;
        if (g->num_layers == 0)
            continue; /* is what gets refused */
        if (layer >= g->num_layers)
            return fail(p, "\"global_layers\"[%zu] is %zu: %s", i, layer,
                        ndl_status_text(NDL_E_GLOBAL_LAYER));
        g->is_global[layer] = 1;
    }
    return true;
}

static bool is_known(const json_member *m, const field *f, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (json_named(m, f[i].name))
            return true;
    return false;
}

static void tell_unknown(const json *j, int config, int engram, unknown_member *unknown,
                         void *context)
{
    for (size_t i = 0; i < json_count(j); i++) {
        const json_member *m = json_at(j, i);
        bool known = true;
        if (m->parent == config)
            known = is_known(m, fields, COUNT(fields)) || json_named(m, "global_layers") ||
                    json_named(m, "engram");
        else if (m->parent == engram)
            known = is_known(m, engram_fields, COUNT(engram_fields)) || json_named(m, "orders") ||
                    json_named(m, "sites");
        if (!known)
            unknown(context, m);
    }
}

bool geometry_read(const json *j, int config, ndl_geometry *g, unknown_member *unknown,
                   void *context, problem *p)
{
    memset(g, 0, sizeof *g);
    const json_member *e = need(j, config, "config", "engram", p);
    if (e == NULL)
        return false;
    if (e->kind != JSON_OBJECT)
        return fail(p, "\"engram\" must be an object");
    int engram = json_index(j, e);
    if (!read_fields(j, config, "config", fields, COUNT(fields), g, p) ||
        !read_fields(j, engram, "engram", engram_fields, COUNT(engram_fields), &g->engram, p) ||
        !read_list(j, engram, "engram", "orders", NDL_MAX_ORDERS, NDL_E_MANY_ORDERS,
                   g->engram.orders, &g->engram.num_orders, p) ||
        !read_list(j, engram, "engram", "sites", NDL_MAX_SITES, NDL_E_MANY_SITES, g->engram.sites,
                   &g->engram.num_sites, p))
        return false;
    /* Layers are numbered below num_layers, so how many there are comes first. */
    if (g->num_layers > NDL_MAX_LAYERS)
        return fail(p, "\"num_layers\" is %zu: %s", g->num_layers,
                    ndl_status_text(NDL_E_MANY_LAYERS));
    if (!read_global_layers(j, config, g, p))
        return false;
    if (unknown != NULL)
        tell_unknown(j, config, engram, unknown, context);
    ndl_status status = ndl_geometry_validate(g);
    if (status != NDL_OK)
        return fail(p, "\"config\" is refused: %s: %s", ndl_status_name(status),
                    ndl_status_text(status));
    return true;
}

static void write_list(FILE *out, const char *name, const size_t *list, size_t count)
{
    fprintf(out, "\"%s\":[", name);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%zu", i == 0 ? "" : ",", list[i]);
    fprintf(out, "],");
}

void geometry_write(FILE *out, const ndl_geometry *g)
{
    size_t global[NDL_MAX_LAYERS], globals = 0;
    for (size_t layer = 0; layer < g->num_layers; layer++)
        if (g->is_global[layer])
            global[globals++] = layer;
    const ndl_engram *e = &g->engram;
    fprintf(out, "{\"vocab_size\":%zu,\"d_model\":%zu,\"num_heads\":%zu,\"num_kv_heads\":%zu,",
            g->vocab_size, g->d_model, g->num_heads, g->num_kv_heads);
    fprintf(out, "\"num_layers\":%zu,\"qk_head_dim\":%zu,\"v_head_dim\":%zu,", g->num_layers,
            g->qk_head_dim, g->v_head_dim);
    fprintf(out, "\"max_seq_len\":%zu,\"sliding_window\":%zu,", g->max_seq_len, g->sliding_window);
    write_list(out, "global_layers", global, globals);
    fprintf(out, "\"qkv_conv_taps\":%zu,\"engram\":{", g->qkv_conv_taps);
    write_list(out, "orders", e->orders, e->num_orders);
    fprintf(out, "\"heads\":%zu,\"slots\":%zu,\"sub_dim\":%zu,", e->heads, e->slots, e->sub_dim);
    write_list(out, "sites", e->sites, e->num_sites);
    fprintf(out, "\"conv_taps\":%zu,\"conv_dilation\":%zu,\"seed_heads\":%zu}}", e->conv_taps,
            e->conv_dilation, e->seed_heads);
}
