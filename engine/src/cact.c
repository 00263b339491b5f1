/*
 * The geometry in the header of a .cact model file: 49 fields of 32
 * bits, little-endian.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "cact.h"

#include "little.h"

/* The fields that a geometry is made of, by their number in the header. */
enum {
    FIELD_TAG = 0,
    FIELD_KV_BITS = 4,
    FIELD_VOCAB_SIZE = 5,
    FIELD_D_MODEL = 7,
    FIELD_NUM_HEADS = 8,
    FIELD_NUM_KV_HEADS = 9,
    FIELD_NUM_LAYERS = 10,
    FIELD_QK_HEAD_DIM = 11,
    FIELD_V_HEAD_DIM = 12,
    FIELD_MAX_SEQ_LEN = 13,
    FIELD_SLIDING_WINDOW = 16,
    FIELD_GLOBAL_LOW = 17,
    FIELD_GLOBAL_HIGH = 18,
    FIELD_QKV_CONV_TAPS = 19,
    FIELD_SLOTS = 20,
    FIELD_SUB_DIM = 21,
    FIELD_NUM_TABLES = 22,
    FIELD_CONV_TAPS = 23,
    FIELD_CONV_DILATION = 24,
    FIELD_SEED_HEADS = 25,
    FIELD_NUM_ORDERS = 26,
    FIELD_ORDERS = 27,
    FIELD_NUM_SITES = 31,
    FIELD_SITES = 32
};

/*@ requires from: \valid_read(bytes + (0 .. NDL_CACT_HEADER - 1));
    requires number: 4 * number < NDL_CACT_HEADER;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_009: field: \forall integer key; is_header(bytes, key) ==>
      \result == cact_field(key, number);
*/
static uint32_t field(const uint8_t *bytes, size_t number)
{
    return ndl_get_u32(bytes + 4 * number);
}

/* The first `count` elements of `to` become fields from `first` on, the rest of
 * its n zero. */
/*@ requires from: \valid_read(bytes + (0 .. NDL_CACT_HEADER - 1));
    requires fields: 4 * (first + n) <= NDL_CACT_HEADER;
    requires to: \valid(to + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns to[0 .. n - 1];
    ensures GEO_009: list: \forall integer key, i; is_header{Pre}(bytes, key) && 0 <= i < n ==>
      to[i] == cact_listed(key, first, count, i);
*/
static void read_list(const uint8_t *bytes, size_t first, size_t count, size_t *to, size_t n)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant GEO_009: list: \forall integer key, k;
          is_header{Pre}(bytes, key) && 0 <= k < i ==>
          to[k] == cact_listed(key, first, count, k);
        loop assigns i, to[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        to[i] = i < count ? field(bytes, first + i) : 0;
}

/* The engram part, whose heads the header does not count. Counts above the limits
 * are kept, for validation to refuse. */
/*@ requires from: \valid_read(bytes + (0 .. NDL_CACT_HEADER - 1));
    requires to: \valid(e);
    terminates \true;
    exits \false;
    assigns *e;
    ensures GEO_009: engram: \forall integer key; is_header{Pre}(bytes, key) ==>
      is_cact_engram(key, e);
    ensures GEO_009: heads: e->heads == heads;
*/
static void read_engram(const uint8_t *bytes, size_t heads, ndl_engram *e)
{
    const size_t orders = field(bytes, FIELD_NUM_ORDERS), sites = field(bytes, FIELD_NUM_SITES);

    read_list(bytes, FIELD_ORDERS, orders, e->orders, NDL_MAX_ORDERS);
    /*@ assert orders: \forall integer key, i; is_header{Pre}(bytes, key) &&
          0 <= i < NDL_MAX_ORDERS ==>
          e->orders[i] == cact_listed(key, 27, cact_field(key, 26), i); */
    //@ ghost Orders: ;
    read_list(bytes, FIELD_SITES, sites, e->sites, NDL_MAX_SITES);
    /*@ assert sites: \forall integer key, i; is_header{Pre}(bytes, key) &&
          0 <= i < NDL_MAX_SITES ==>
          e->sites[i] == cact_listed(key, 32, cact_field(key, 31), i); */
    //@ ghost Sites: ;
    e->num_orders = orders;
    e->heads = heads;
    e->slots = field(bytes, FIELD_SLOTS);
    e->sub_dim = field(bytes, FIELD_SUB_DIM);
    e->num_sites = sites;
    e->conv_taps = field(bytes, FIELD_CONV_TAPS);
    e->conv_dilation = field(bytes, FIELD_CONV_DILATION);
    e->seed_heads = field(bytes, FIELD_SEED_HEADS);
    /*@ assert kept_orders: \forall integer i; 0 <= i < NDL_MAX_ORDERS ==>
          e->orders[i] == \at(e->orders[i], Orders); */
    /*@ assert kept_sites: \forall integer i; 0 <= i < NDL_MAX_SITES ==>
          e->sites[i] == \at(e->sites[i], Sites); */
    /*@ assert plain: \forall integer key; is_header{Pre}(bytes, key) ==>
          e->num_orders == cact_field(key, 26) && e->num_sites == cact_field(key, 31); */
    /*@ assert rest: \forall integer key; is_header{Pre}(bytes, key) ==>
          e->slots == cact_field(key, 20) && e->sub_dim == cact_field(key, 21) &&
          e->conv_taps == cact_field(key, 23) && e->conv_dilation == cact_field(key, 24) &&
          e->seed_heads == cact_field(key, 25); */
    /*@ assert orders: \forall integer key, i; is_header{Pre}(bytes, key) &&
          0 <= i < NDL_MAX_ORDERS ==>
          e->orders[i] == cact_listed(key, 27, cact_field(key, 26), i); */
    /*@ assert sites: \forall integer key, i; is_header{Pre}(bytes, key) &&
          0 <= i < NDL_MAX_SITES ==>
          e->sites[i] == cact_listed(key, 32, cact_field(key, 31), i); */
}

/*@ requires from: \valid_read(bytes + (0 .. NDL_CACT_HEADER - 1));
    requires to: \valid(g);
    requires apart: \separated(g, bytes + (0 .. NDL_CACT_HEADER - 1));
    terminates \true;
    exits \false;
    assigns g->is_global[0 .. NDL_MAX_LAYERS - 1];
    ensures GEO_009: global: \forall integer key, l; is_header{Pre}(bytes, key) &&
      0 <= l < NDL_MAX_LAYERS ==> g->is_global[l] == cact_global(key, l);
*/
static void read_globals(const uint8_t *bytes, ndl_geometry *g)
{
    const uint32_t low = field(bytes, FIELD_GLOBAL_LOW);
    const uint32_t high = field(bytes, FIELD_GLOBAL_HIGH);

    /*@ loop invariant some: 0 <= l <= NDL_MAX_LAYERS;
        loop invariant GEO_009: global: \forall integer key, k; is_header{Pre}(bytes, key) &&
          0 <= k < l ==> g->is_global[k] == cact_global(key, k);
        loop assigns l, g->is_global[0 .. NDL_MAX_LAYERS - 1];
        loop variant NDL_MAX_LAYERS - l; */
    for (size_t l = 0; l < NDL_MAX_LAYERS; l++) {
        const uint32_t bit = (l < 32 ? low : high) >> l % 32 & 1;
        /*@ assert GEO_009: bit: \forall integer key; is_header{Pre}(bytes, key) ==>
              bit == cact_global(key, l); */
        //@ assert small: bit <= 1;
        g->is_global[l] = (uint8_t)bit;
    }
}

/* What is neither a map of layers nor of the engram. */
/*@ requires from: \valid_read(bytes + (0 .. NDL_CACT_HEADER - 1));
    requires to: \valid(g);
    terminates \true;
    exits \false;
    assigns g->vocab_size, g->d_model, g->num_heads, g->num_kv_heads, g->num_layers,
      g->qk_head_dim, g->v_head_dim, g->max_seq_len, g->sliding_window, g->qkv_conv_taps;
    ensures GEO_009: model: \forall integer key; is_header{Pre}(bytes, key) ==>
      is_cact_model(key, g);
    ensures GEO_009: layers: \forall integer key; is_header{Pre}(bytes, key) ==>
      is_cact_layers(key, g);
    ensures GEO_009: sizes: \forall integer key; is_header{Pre}(bytes, key) ==>
      is_cact_sizes(key, g);
    ensures GEO_009: taps: \forall integer key; is_header{Pre}(bytes, key) ==>
      is_cact_taps(key, g);
*/
static void read_plain(const uint8_t *bytes, ndl_geometry *g)
{
    g->vocab_size = field(bytes, FIELD_VOCAB_SIZE);
    g->d_model = field(bytes, FIELD_D_MODEL);
    g->num_heads = field(bytes, FIELD_NUM_HEADS);
    g->num_kv_heads = field(bytes, FIELD_NUM_KV_HEADS);
    g->num_layers = field(bytes, FIELD_NUM_LAYERS);
    g->qk_head_dim = field(bytes, FIELD_QK_HEAD_DIM);
    g->v_head_dim = field(bytes, FIELD_V_HEAD_DIM);
    g->max_seq_len = field(bytes, FIELD_MAX_SEQ_LEN);
    g->sliding_window = field(bytes, FIELD_SLIDING_WINDOW);
    g->qkv_conv_taps = field(bytes, FIELD_QKV_CONV_TAPS);
}

/* What the header holds, unless its tables are no multiple of its orders. */
/*@ requires from: \valid_read(bytes + (0 .. NDL_CACT_HEADER - 1));
    requires to: \valid(g);
    requires apart: \separated(g, bytes + (0 .. NDL_CACT_HEADER - 1));
    terminates \true;
    exits \false;
    assigns *g;
    ensures GEO_009: tables: \forall integer key; is_header{Pre}(bytes, key) ==>
      (\result <==> cact_tables(key));
    ensures GEO_009: geometry: \forall integer key; is_header{Pre}(bytes, key) && \result ==>
      is_cact(key, g);
*/
static bool read_geometry(const uint8_t *bytes, ndl_geometry *g)
{
    /* The header counts tables, the geometry heads: the same number an order. */
    const size_t tables = field(bytes, FIELD_NUM_TABLES);
    const size_t orders = field(bytes, FIELD_NUM_ORDERS);

    if (orders == 0 ? tables != 0 : tables % orders != 0)
        return false;
    read_plain(bytes, g);
    //@ ghost Plain: ;
    read_engram(bytes, orders == 0 ? 0 : tables / orders, &g->engram);
    /*@ assert model_kept: g->vocab_size == \at(g->vocab_size, Plain) &&
          g->d_model == \at(g->d_model, Plain) && g->num_heads == \at(g->num_heads, Plain) &&
          g->num_kv_heads == \at(g->num_kv_heads, Plain); */
    /*@ assert layers_kept: g->num_layers == \at(g->num_layers, Plain) &&
          g->qk_head_dim == \at(g->qk_head_dim, Plain) &&
          g->v_head_dim == \at(g->v_head_dim, Plain); */
    /*@ assert sizes_kept: g->max_seq_len == \at(g->max_seq_len, Plain) &&
          g->sliding_window == \at(g->sliding_window, Plain) &&
          g->qkv_conv_taps == \at(g->qkv_conv_taps, Plain); */
    /*@ assert heads: \forall integer key; is_header{Pre}(bytes, key) ==>
          is_cact_heads(key, &g->engram); */
    /*@ assert model: \forall integer key; is_header{Pre}(bytes, key) ==>
          is_cact_model(key, g); */
    /*@ assert layers: \forall integer key; is_header{Pre}(bytes, key) ==>
          is_cact_layers(key, g); */
    /*@ assert sizes: \forall integer key; is_header{Pre}(bytes, key) ==>
          is_cact_sizes(key, g); */
    /*@ assert taps: \forall integer key; is_header{Pre}(bytes, key) ==>
          is_cact_taps(key, g); */
    read_globals(bytes, g);
    return true;
}

/*@ requires from: \valid_read(r);
    requires to: \valid(g);
    requires apart: \separated(g, r);
    terminates \true;
    exits \false;
    assigns *g;
    ensures GEO_009: plain: same_plain{Pre, Post}(r, g);
    ensures GEO_009: engram: same_engram{Pre, Post}(\at(&r->engram, Pre), &g->engram);
    ensures GEO_009: globals: \forall integer l; 0 <= l < NDL_MAX_LAYERS ==>
      g->is_global[l] == \at(r->is_global[l], Pre);
*/
static void copy(ndl_geometry *g, const ndl_geometry *r)
{
    *g = *r;
    /*@ assert order: \forall integer i; 0 <= i < NDL_MAX_ORDERS ==>
          order_of(g->engram, i) == g->engram.orders[i] &&
          order_of(\at(r->engram, Pre), i) == \at(r->engram.orders[i], Pre); */
    /*@ assert site: \forall integer i; 0 <= i < NDL_MAX_SITES ==>
          site_of(g->engram, i) == g->engram.sites[i] &&
          site_of(\at(r->engram, Pre), i) == \at(r->engram.sites[i], Pre); */
    /*@ assert global: \forall integer l; 0 <= l < NDL_MAX_LAYERS ==>
          global_of(*g, l) == g->is_global[l] &&
          global_of(\at(*r, Pre), l) == \at(r->is_global[l], Pre); */
    /*@ assert orders: \forall integer i; 0 <= i < NDL_MAX_ORDERS ==>
          g->engram.orders[i] == \at(r->engram.orders[i], Pre); */
    /*@ assert sites: \forall integer i; 0 <= i < NDL_MAX_SITES ==>
          g->engram.sites[i] == \at(r->engram.sites[i], Pre); */
    /*@ assert globals: \forall integer l; 0 <= l < NDL_MAX_LAYERS ==>
          g->is_global[l] == \at(r->is_global[l], Pre); */
    //@ assert plain: same_plain{Pre, Here}(r, g);
    //@ assert engram: same_engram{Pre, Here}(\at(&r->engram, Pre), &g->engram);
}

/* The same geometry elsewhere, as valid as this one. */
/*@ requires from: \valid_read(r);
    requires to: \valid(g);
    requires apart: \separated(g, r);
    requires layers: r->num_layers <= NDL_MAX_LAYERS;
    requires orders: r->engram.num_orders <= NDL_MAX_ORDERS;
    terminates \true;
    exits \false;
    assigns *g;
    ensures GEO_009: taken: same_geometry{Pre, Post}(r, g);
    ensures GEO_009: header: \forall integer key; is_cact{Pre}(key, r) ==> is_cact(key, g);
    ensures sizes: to_sizes{Pre}(r) ==> to_sizes(g);
    ensures session: session_bytes(g) == session_bytes{Pre}(r);
    ensures arrays: arrays_fit{Pre}(r) ==> arrays_fit(g);
*/
static void hand_out(ndl_geometry *g, const ndl_geometry *r)
{
    copy(g, r);
    /*@ assert orders: \forall integer i; 0 <= i < NDL_MAX_ORDERS ==>
          g->engram.orders[i] == \at(r->engram.orders[i], Pre); */
    /*@ assert sites: \forall integer i; 0 <= i < NDL_MAX_SITES ==>
          g->engram.sites[i] == \at(r->engram.sites[i], Pre); */
    /*@ assert counts: g->num_layers == \at(r->num_layers, Pre) &&
          g->engram.num_orders == \at(r->engram.num_orders, Pre) &&
          g->engram.num_sites == \at(r->engram.num_sites, Pre); */
    //@ assert zeros: zero_status(g) == zero_status{Pre}(r);
    //@ assert reach: geo_reach(g) == geo_reach{Pre}(r);
    //@ assert slot: slot_bytes(g) == slot_bytes{Pre}(r);
    //@ assert widths: geo_q(g) == geo_q{Pre}(r) && geo_k(g) == geo_k{Pre}(r);
    //@ assert out: geo_v(g) == geo_v{Pre}(r) && geo_out(g) == geo_out{Pre}(r);
    //@ assert tables: geo_tables(g) == geo_tables{Pre}(r);
    /*@ assert rows: off(\max(g->qkv_conv_taps - 1, 0), geo_q(g) + geo_k(g) + geo_v(g)) ==
          off(\max(\at(r->qkv_conv_taps, Pre) - 1, 0),
              geo_q{Pre}(r) + geo_k{Pre}(r) + geo_v{Pre}(r)); */
    //@ assert convs: conv_floats(g) == conv_floats{Pre}(r);
    //@ assert site_floats: site_floats(g) == site_floats{Pre}(r);
    /*@ assert header_model: \forall integer key;
          is_cact_model{Pre}(key, r) ==> is_cact_model(key, g); */
    /*@ assert header_layers: \forall integer key;
          is_cact_layers{Pre}(key, r) ==> is_cact_layers(key, g); */
    /*@ assert header_heads: \forall integer key;
          is_cact_heads{Pre}(key, \at(&r->engram, Pre)) ==> is_cact_heads(key, &g->engram); */
    /*@ assert header_taps: \forall integer key;
          is_cact_taps{Pre}(key, r) ==> is_cact_taps(key, g); */
    /*@ assert header_sizes: \forall integer key;
          is_cact_sizes{Pre}(key, r) ==> is_cact_sizes(key, g); */
    /*@ assert header_orders: \forall integer key;
          (\forall integer i; 0 <= i < NDL_MAX_ORDERS ==> \at(r->engram.orders[i], Pre) ==
            cact_listed(key, 27, cact_field(key, 26), i)) ==>
          \forall integer i; 0 <= i < NDL_MAX_ORDERS ==>
            g->engram.orders[i] == cact_listed(key, 27, cact_field(key, 26), i); */
    /*@ assert header_sites: \forall integer key;
          (\forall integer i; 0 <= i < NDL_MAX_SITES ==> \at(r->engram.sites[i], Pre) ==
            cact_listed(key, 32, cact_field(key, 31), i)) ==>
          \forall integer i; 0 <= i < NDL_MAX_SITES ==>
            g->engram.sites[i] == cact_listed(key, 32, cact_field(key, 31), i); */
    /*@ assert header_globals: \forall integer key;
          (\forall integer l; 0 <= l < NDL_MAX_LAYERS ==>
            \at(r->is_global[l], Pre) == cact_global(key, l)) ==>
          \forall integer l; 0 <= l < NDL_MAX_LAYERS ==>
            g->is_global[l] == cact_global(key, l); */
    /*@ assert header_engram: \forall integer key;
          is_cact_engram{Pre}(key, \at(&r->engram, Pre)) ==> is_cact_engram(key, &g->engram); */
    /*@ assert header: \forall integer key; is_cact{Pre}(key, r) ==> is_cact(key, g); */
    /*@ assert live: (\forall integer i; 0 <= i < \min(g->engram.num_orders, NDL_MAX_ORDERS) ==>
            \at(r->engram.orders[i], Pre) != 0) ==>
          \forall integer i; 0 <= i < \min(g->engram.num_orders, NDL_MAX_ORDERS) ==>
            g->engram.orders[i] != 0; */
    //@ assert zero_order: !zero_order{Pre}(r) ==> !zero_order(g);
    /*@ assert known: (\forall integer i; 0 <= i < \min(g->engram.num_sites, NDL_MAX_SITES) ==>
            \at(r->engram.sites[i], Pre) < \at(r->num_layers, Pre)) ==>
          \forall integer i; 0 <= i < \min(g->engram.num_sites, NDL_MAX_SITES) ==>
            g->engram.sites[i] < g->num_layers; */
    //@ assert foreign_site: !foreign_site{Pre}(r) ==> !foreign_site(g);
    /*@ assert local: (\forall integer l; g->num_layers <= l < NDL_MAX_LAYERS ==>
            \at(r->is_global[l], Pre) == 0) ==>
          \forall integer l; g->num_layers <= l < NDL_MAX_LAYERS ==> g->is_global[l] == 0; */
    //@ assert foreign_global: !foreign_global{Pre}(r) ==> !foreign_global(g);
    //@ assert was_single: !twin_sites{Pre}(r) ==> single_sites{Pre}(r);
    //@ assert single: single_sites{Pre}(r) ==> single_sites(g);
    //@ assert now_single: single_sites(g) ==> !twin_sites(g);
    //@ assert twins: !twin_sites{Pre}(r) ==> !twin_sites(g);
    //@ assert to_orders: to_orders{Pre}(r) ==> to_orders(g);
    //@ assert to_globals: to_globals{Pre}(r) ==> to_globals(g);
    //@ assert to_taps: to_taps{Pre}(r) ==> to_taps(g);
    //@ assert to_dilation: to_dilation{Pre}(r) ==> to_dilation(g);
    //@ assert sizes: to_sizes{Pre}(r) ==> to_sizes(g);
    /*@ ghost
      size_t i = 0;
      /@ loop invariant some: 0 <= i <= g->engram.num_orders;
         loop invariant orders: max_order(g, i) == max_order{Pre}(r, i);
         loop assigns i;
         loop variant g->engram.num_orders - i; @/
      while (i < g->engram.num_orders) {
          /@ assert next: max_order(g, i + 1) == \max(max_order(g, i), g->engram.orders[i]); @/
          i++;
      } */
    //@ assert most: geo_max_order(g) == geo_max_order{Pre}(r);
    //@ assert arrays: arrays_fit{Pre}(r) ==> arrays_fit(g);
    /*@ ghost
      size_t l = 0;
      /@ loop invariant some: 0 <= l <= g->num_layers;
         loop invariant rings: ring_bytes(g, l) == ring_bytes{Pre}(r, l);
         loop assigns l;
         loop variant g->num_layers - l; @/
      while (l < g->num_layers) {
          /@ assert cap: geo_cap(g, l) == geo_cap{Pre}(r, l); @/
          /@ assert next: ring_bytes(g, l + 1) ==
               ring_bytes(g, l) + off(geo_cap(g, l), slot_bytes(g)); @/
          /@ assert was: ring_bytes{Pre}(r, l + 1) ==
               ring_bytes{Pre}(r, l) + off(geo_cap{Pre}(r, l), slot_bytes{Pre}(r)); @/
          l++;
      } */
}

/* Hand a geometry out if it is valid. */
/*@ requires from: \valid_read(r);
    requires to: \valid(g);
    requires apart: \separated(g, r);
    terminates \true;
    exits \false;
    assigns *g;
    ensures GEO_009: refused: \result == NDL_OK <==> geometry_ok{Pre}(r);
    ensures GEO_009: taken: \result == NDL_OK ==>
      \forall integer key; is_cact{Pre}(key, r) ==> is_cact(key, g);
    ensures GEO_009: valid: \result == NDL_OK ==> geometry_ok(g);
    ensures SES_001: unchanged: \result != NDL_OK ==> same_geometry{Pre, Post}(g, g);
    ensures status: \result != NDL_E_CACT && \result != NDL_E_CACT_TABLES;
*/
static ndl_status take_valid(const ndl_geometry *r, ndl_geometry *g)
{
    const ndl_status status = ndl_geometry_validate(r);

    if (status != NDL_OK)
        return status;
    hand_out(g, r);
    return NDL_OK;
}

/* What is done once the header is known to be one. */
/*@ requires from: \valid_read(bytes + (0 .. NDL_CACT_HEADER - 1));
    requires to: \valid(g) && \valid(precision);
    requires apart: \separated(g, precision) &&
      \separated(g, bytes + (0 .. NDL_CACT_HEADER - 1)) &&
      \separated(precision, bytes + (0 .. NDL_CACT_HEADER - 1));
    terminates \true;
    exits \false;
    assigns *g, *precision;
    ensures GEO_009: header: \result != NDL_E_CACT;
    ensures GEO_009: tables: \forall integer key; is_header{Pre}(bytes, key) ==>
      (\result == NDL_E_CACT_TABLES <==> !cact_tables(key));
    ensures GEO_009: geometry: \forall integer key; \result == NDL_OK &&
      is_header{Pre}(bytes, key) ==> is_cact(key, g);
    ensures GEO_009: valid: \result == NDL_OK ==> geometry_ok(g);
    ensures GEO_009: precision: \forall integer key; \result == NDL_OK &&
      is_header{Pre}(bytes, key) ==>
      *precision == (cact_field(key, 4) == 8 ? NDL_INT8 : NDL_F32);
    ensures SES_001: unchanged: \result != NDL_OK ==> same_geometry{Pre, Post}(g, g);
    ensures SES_001: precision: \result != NDL_OK ==> *precision == \old(*precision);
*/
static ndl_status read_valid(const uint8_t *bytes, ndl_geometry *g, ndl_precision *precision)
{
    const ndl_precision suggested = field(bytes, FIELD_KV_BITS) == 8 ? NDL_INT8 : NDL_F32;
    ndl_geometry r;
    const bool read = read_geometry(bytes, &r);
    //@ assert plain: same_plain{Pre, Here}(g, g);
    /*@ assert orders: \forall integer i; 0 <= i < NDL_MAX_ORDERS ==>
          g->engram.orders[i] == \at(g->engram.orders[i], Pre); */
    /*@ assert sites: \forall integer i; 0 <= i < NDL_MAX_SITES ==>
          g->engram.sites[i] == \at(g->engram.sites[i], Pre); */
    /*@ assert globals: \forall integer l; 0 <= l < NDL_MAX_LAYERS ==>
          g->is_global[l] == \at(g->is_global[l], Pre); */
    //@ assert engram: same_engram{Pre, Here}(&g->engram, &g->engram);
    //@ assert kept: same_geometry{Pre, Here}(g, g);
    if (!read)
        return NDL_E_CACT_TABLES;
    //@ ghost Read: ;
    const ndl_status status = take_valid(&r, g);

    //@ assert refused: status != NDL_OK ==> same_geometry{Read, Here}(g, g);
    //@ assert plain_kept: status != NDL_OK ==> same_plain{Pre, Here}(g, g);
    /*@ assert orders_kept: status != NDL_OK ==> \forall integer i; 0 <= i < NDL_MAX_ORDERS ==>
          g->engram.orders[i] == \at(g->engram.orders[i], Pre); */
    /*@ assert sites_kept: status != NDL_OK ==> \forall integer i; 0 <= i < NDL_MAX_SITES ==>
          g->engram.sites[i] == \at(g->engram.sites[i], Pre); */
    //@ assert engram_kept: status != NDL_OK ==> same_engram{Pre, Here}(&g->engram, &g->engram);
    /*@ assert globals_kept: status != NDL_OK ==> \forall integer l; 0 <= l < NDL_MAX_LAYERS ==>
          g->is_global[l] == \at(g->is_global[l], Pre); */
    //@ assert unchanged: status != NDL_OK ==> same_geometry{Pre, Here}(g, g);
    if (status == NDL_OK)
        *precision = suggested;
    return status;
}

ndl_status ndl_geometry_from_cact(const uint8_t *bytes, size_t len, ndl_geometry *g,
                                  ndl_precision *precision)
{
    if (len < NDL_CACT_HEADER || field(bytes, FIELD_TAG) != NDL_CACT_TAG)
        return NDL_E_CACT;
    return read_valid(bytes, g, precision);
}
