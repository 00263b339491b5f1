/* Operations on the convolutions of a session and their tails. */
#include "ops.h"

/* Heads of a projection, and how wide one is. */
static size_t heads_of(const ndl_geometry *g, size_t which)
{
    return which == NDL_Q ? g->num_heads : g->num_kv_heads;
}

static size_t head_width(const ndl_geometry *g, size_t which)
{
    return which == NDL_V ? g->v_head_dim : g->qk_head_dim;
}

static size_t width_of(const ndl_geometry *g, size_t which)
{
    return heads_of(g, which) * head_width(g, which);
}

static axis head_axis(const replay *r, size_t which)
{
    return AXIS("head", heads_of(&r->geometry, which));
}

static axis channel_axis(const replay *r, size_t which)
{
    return AXIS("channel", head_width(&r->geometry, which));
}

static size_t tail_rows(const ndl_geometry *g)
{
    return g->qkv_conv_taps > 0 ? g->qkv_conv_taps - 1 : 0;
}

bool op_conv_step(replay *r, call *c)
{
    const ndl_geometry *g = &r->geometry;
    size_t layer = c->in[0].number, which = c->in[1].number;
    argument *taps = &c->in[2], *raw = &c->in[3];
    expect(raw, width_of(g, which));
    expect(taps, product(g->qkv_conv_taps, raw->expected));
    if (!replay_log(r, c->session, raw->count * sizeof(float)))
        return false;
    c->status = r->backend->conv_step(c->session->state, layer, (ndl_projection)which, taps->floats,
                                      taps->count, raw->floats, raw->count);
    if (c->status != NDL_OK)
        return true;
    usage_step(r, c->session->usage, layer, (unsigned)which);
    shape(give_floats(c, 0, raw->floats, raw->count), head_axis(r, which), channel_axis(r, which),
          NO_AXIS);
    return true;
}

bool op_prefill_conv(replay *r, call *c)
{
    const ndl_geometry *g = &r->geometry;
    size_t layer = c->in[0].number, which = c->in[1].number, n = c->in[2].number;
    argument *taps = &c->in[3], *raw = &c->in[4];
    size_t width = width_of(g, which);
    tail_prints prints = {.known = false};
    expect(raw, product(n, width));
    expect(taps, product(g->qkv_conv_taps, width));
    if (!replay_log(r, c->session, raw->count * sizeof(float)))
        return false;
    if (raw->count == raw->expected)
        prints_of_raw(&prints, raw->floats, n, width, tail_rows(g), c->line);
    c->status = r->backend->prefill_conv(c->session->state, layer, (ndl_projection)which,
                                         taps->floats, taps->count, n, raw->floats, raw->count);
    if (c->status != NDL_OK)
        return true;
    prints_of_convolved(&prints, raw->floats, n, width, tail_rows(g));
    usage_prefill(c->session->usage, layer, (unsigned)which, &prints);
    shape(give_floats(c, 0, raw->floats, raw->count), AXIS("position", n), head_axis(r, which),
          channel_axis(r, which));
    return true;
}

bool op_seed_conv_tail(replay *r, call *c)
{
    size_t layer = c->in[0].number, which = c->in[1].number;
    argument *raw = &c->in[2];
    expect(raw, product(tail_rows(&r->geometry), width_of(&r->geometry, which)));
    if (!replay_log(r, c->session, raw->count * sizeof(float)))
        return false;
    c->status = r->backend->seed_conv_tail(c->session->state, layer, (ndl_projection)which,
                                           raw->floats, raw->count);
    if (c->status == NDL_OK)
        usage_seed(r, c->session->usage, layer, (unsigned)which, raw->floats, raw->count);
    return true;
}

bool op_engram_conv_step(replay *r, call *c)
{
    const ndl_geometry *g = &r->geometry;
    size_t site = c->in[0].number;
    argument *taps = &c->in[1], *raw = &c->in[2];
    expect(raw, g->d_model);
    expect(taps, product(g->engram.conv_taps, g->d_model));
    if (!replay_log(r, c->session, raw->count * sizeof(float)))
        return false;
    c->status = r->backend->engram_conv_step(c->session->state, site, taps->floats, taps->count,
                                             raw->floats, raw->count);
    if (c->status != NDL_OK)
        return true;
    usage_step(r, c->session->usage, site, SITE_TAIL);
    shape(give_floats(c, 0, raw->floats, raw->count), AXIS("channel", g->d_model), NO_AXIS,
          NO_AXIS);
    return true;
}

bool op_prefill_engram(replay *r, call *c)
{
    const ndl_geometry *g = &r->geometry;
    size_t site = c->in[0].number, n = c->in[1].number, reach = ndl_geometry_reach(g);
    argument *taps = &c->in[2], *raw = &c->in[3];
    tail_prints prints = {.known = false};
    expect(raw, product(n, g->d_model));
    expect(taps, product(g->engram.conv_taps, g->d_model));
    if (!replay_log(r, c->session, raw->count * sizeof(float)))
        return false;
    if (raw->count == raw->expected)
        prints_of_raw(&prints, raw->floats, n, g->d_model, reach, c->line);
    c->status = r->backend->prefill_engram(c->session->state, site, taps->floats, taps->count, n,
                                           raw->floats, raw->count);
    if (c->status != NDL_OK)
        return true;
    prints_of_convolved(&prints, raw->floats, n, g->d_model, reach);
    usage_prefill(c->session->usage, site, SITE_TAIL, &prints);
    shape(give_floats(c, 0, raw->floats, raw->count), AXIS("position", n),
          AXIS("channel", g->d_model), NO_AXIS);
    return true;
}

bool op_seed_engram_tail(replay *r, call *c)
{
    argument *raw = &c->in[1];
    expect(raw, product(ndl_geometry_reach(&r->geometry), r->geometry.d_model));
    if (!replay_log(r, c->session, raw->count * sizeof(float)))
        return false;
    c->status =
        r->backend->seed_engram_tail(c->session->state, c->in[0].number, raw->floats, raw->count);
    if (c->status == NDL_OK)
        usage_seed(r, c->session->usage, c->in[0].number, SITE_TAIL, raw->floats, raw->count);
    return true;
}

bool op_tail(replay *r, call *c)
{
    const argument *layer = &c->in[0], *which = &c->in[1], *site = &c->in[2];
    ndl_rows rows;
    if (site->given ? layer->given || which->given : !layer->given || !which->given)
        return fail(&r->problem, "tail needs \"layer\" and \"which\", or \"site\" alone");
    if (site->given)
        c->status = r->backend->engram_tail(c->session->state, site->number, &rows);
    else
        c->status = r->backend->conv_tail(c->session->state, layer->number,
                                          (ndl_projection)which->number, &rows);
    if (c->status != NDL_OK)
        return true;
    result *out = give_floats(c, 0, rows.data, rows.rows * rows.dim);
    if (site->given) {
        shape(out, AXIS("row", rows.rows), AXIS("channel", rows.dim), NO_AXIS);
        out->claim = "ENG_002";
    } else {
        shape(out, AXIS("row", rows.rows), head_axis(r, which->number),
              channel_axis(r, which->number));
    }
    return true;
}
