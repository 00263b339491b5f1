/* Operations on keys and values: writes, spans, views, attention. */
#include "ops.h"

bool op_write_kv(replay *r, call *c)
{
    const argument *layer = &c->in[0], *pos = &c->in[1];
    argument *k = &c->in[2], *v = &c->in[3];
    size_t slots;
    expect(k, ndl_geometry_k_dim(&r->geometry));
    expect(v, ndl_geometry_v_dim(&r->geometry));
    if (!replay_log(r, c->session, (k->count + v->count) * sizeof(float)))
        return false;
    c->status = r->backend->write_kv(c->session->state, layer->number, pos->number, k->floats,
                                     k->count, v->floats, v->count);
    if (c->status != NDL_OK)
        return true;
    r->backend->slots(c->session->state, layer->number, &slots);
    usage_write(c->session->usage, layer->number, pos->number, slots);
    give_number(c, 0, slots);
    return true;
}

bool op_span(replay *r, call *c)
{
    ndl_span span;
    c->status = r->backend->span_at(c->session->state, c->in[0].number, c->in[1].number, &span);
    if (c->status != NDL_OK)
        return true;
    give_number(c, 0, span.lo);
    give_number(c, 1, span.hi);
    return true;
}

bool op_attend_step(replay *r, call *c)
{
    const ndl_geometry *g = &r->geometry;
    const argument *layer = &c->in[0], *pos = &c->in[1];
    argument *q = &c->in[2];
    ndl_span span = {0, 0};
    expect(q, ndl_geometry_q_dim(g));
    /* A query of the wrong length is refused; then nothing of this is used. */
    bool right = q->count == q->expected && r->backend->span_at(c->session->state, layer->number,
                                                                pos->number, &span) == NDL_OK;
    size_t out_len = right ? ndl_geometry_out_dim(g) : 0;
    /* An engine with a mistake may go over more than its span says. */
    size_t most = r->inputs == NULL ? 0 : c->position > pos->number ? c->position : pos->number;
    size_t positions = most > span.hi - span.lo ? most + 1 : span.hi - span.lo + 1;
    size_t scratch_len = right && r->backend->uses_allocator ? ndl_attend_scratch(g, positions) : 0;
    float *out = replay_floats(r, out_len, "attention's output");
    float *scratch = out == NULL ? NULL : replay_floats(r, scratch_len, "attention's scratch");
    if (scratch == NULL)
        return false;
    c->status = r->backend->attend_step(c->session->state, layer->number, pos->number, q->floats,
                                        q->count, scratch, scratch_len, out, out_len);
    if (c->status == NDL_OK)
        shape(give_floats(c, 0, out, out_len), AXIS("head", g->num_heads),
              AXIS("channel", g->v_head_dim), NO_AXIS);
    return true;
}

bool op_kv(replay *r, call *c)
{
    const ndl_geometry *g = &r->geometry;
    ndl_kv kv;
    size_t slots, heads = g->num_kv_heads;
    c->status = r->backend->slots(c->session->state, c->in[0].number, &slots);
    if (c->status != NDL_OK)
        return true;
    size_t k_len = slots * ndl_geometry_k_dim(g), v_len = slots * ndl_geometry_v_dim(g);
    /* The reference makes the view for this call. */
    if (!r->backend->uses_allocator &&
        !budget_fits(&r->budget, product(4, sum(k_len, v_len)), "the view", &r->problem))
        return false;
    c->status = r->backend->kv_at(c->session->state, c->in[0].number, &kv);
    if (c->status != NDL_OK)
        return true;
    axis slot = AXIS("slot", slots), head = AXIS("head", heads);
    axis k_channel = AXIS("channel", g->qk_head_dim), v_channel = AXIS("channel", g->v_head_dim);
    give_number(c, 0, slots);
    if (kv.precision == NDL_F32) {
        shape(give_floats(c, 1, kv.k, k_len), slot, head, k_channel);
        shape(give_floats(c, 3, kv.v, v_len), slot, head, v_channel);
        return true;
    }
    shape(give_codes(c, 1, kv.k_codes, k_len), slot, head, k_channel);
    shape(give_floats(c, 2, kv.k_scales, slots * heads), slot, head, NO_AXIS);
    shape(give_codes(c, 3, kv.v_codes, v_len), slot, head, v_channel);
    shape(give_floats(c, 4, kv.v_scales, slots * heads), slot, head, NO_AXIS);
    c->out[1].claim = c->out[3].claim = "KV_005";
    return true;
}

bool op_slots(replay *r, call *c)
{
    size_t slots;
    c->status = r->backend->slots(c->session->state, c->in[0].number, &slots);
    if (c->status == NDL_OK)
        give_number(c, 0, slots);
    return true;
}

bool op_lost(replay *r, call *c)
{
    size_t lost;
    c->status = r->backend->lost(c->session->state, c->in[0].number, &lost);
    if (c->status == NDL_OK)
        give_number(c, 0, lost);
    return true;
}
