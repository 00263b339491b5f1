/*
 * Typed memory from a session's allocator: what is asked for is n elements,
 * what comes back is theirs or NULL. n is at least 1. The bytes asked for are
 * exactly n times the element's size; a product that does not fit is refused
 * without asking. Releasing NULL does nothing.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_ALLOC_H
#define NDL_ALLOC_H

#include "../state.h"

#include "../../logic/block.acsl"

/** malloc and free, as an allocator. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
ndl_allocator ndl_alloc_default(void);

/*@ requires some: 0 < n;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures valid: \result != \null ==> \valid(\result + (0 .. n - 1));
    ensures off_f32: \result != \null ==> off_f32(s, \result) && off_scales(s, \result);
    ensures off_tails: \result != \null ==> off_tails(s, \result);
    ensures off_k: \result != \null ==> \base_addr(\result) != \base_addr(k);
    ensures off_v: \result != \null ==> \base_addr(\result) != \base_addr(v);
    ensures off_p: \result != \null ==> \base_addr(\result) != \base_addr(p);
*/
float *ndl_alloc_f32(const ndl_allocator *a, size_t n)
    /*@ ghost (const ndl_session *s, const float *k, const float *v, const float *p) */;

/*@ requires some: 0 < n;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures valid: \result != \null ==> \valid(\result + (0 .. n - 1));
    ensures off_codes: \result != \null ==> off_codes(s, \result);
    ensures off_p: \result != \null ==> \base_addr(\result) != \base_addr(p);
*/
int8_t *ndl_alloc_i8(const ndl_allocator *a, size_t n)
    /*@ ghost (const ndl_session *s, const int8_t *p) */;

/*@ requires some: 0 < n;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures valid: \result != \null ==> \valid(\result + (0 .. n - 1));
    ensures off_s: \result != \null ==> \base_addr(\result) != \base_addr(s);
*/
uint32_t *ndl_alloc_u32(const ndl_allocator *a, size_t n) /*@ ghost (const ndl_session *s) */;

/*@ requires some: 0 < n;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures valid: \result != \null ==> \valid(\result + (0 .. n - 1));
    ensures off_s: \result != \null ==>
      \base_addr(\result) != \base_addr(s) && \base_addr(\result) != \base_addr(s->layer);
    ensures new: \result != \null ==> !held(\base_addr(\result));
*/
float **ndl_alloc_sites(const ndl_allocator *a, size_t n) /*@ ghost (const ndl_session *s) */;

/*@ requires some: 0 < n;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures valid: \result != \null ==> \valid(\result + (0 .. n - 1));
    ensures off_s: \result != \null ==>
      \base_addr(\result) != \base_addr(s) && \base_addr(\result) != \base_addr(like);
    ensures new: \result != \null ==> !held(\base_addr(\result));
*/
ndl_layer *ndl_alloc_layers(const ndl_allocator *a, size_t n)
    /*@ ghost (const ndl_session *s, const ndl_layer *like) */;

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures valid: \result != \null ==> \valid(\result);
    ensures new: \result != \null ==> !held(\base_addr(\result));
    ensures off_a: \result != \null ==> \base_addr(\result) != \base_addr(a);
*/
ndl_session *ndl_alloc_session(const ndl_allocator *a);

/** Give memory back; n is the number that it was asked for with. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
void ndl_release_f32(const ndl_allocator *a, float *memory, size_t n);

/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
void ndl_release_i8(const ndl_allocator *a, int8_t *memory, size_t n);

/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
void ndl_release_u32(const ndl_allocator *a, uint32_t *memory, size_t n);

/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
void ndl_release_sites(const ndl_allocator *a, float **memory, size_t n);

/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
void ndl_release_layers(const ndl_allocator *a, ndl_layer *memory, size_t n);

/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
void ndl_release_session(const ndl_allocator *a, ndl_session *memory);

#endif
