/** The slot of a position. Claims: KV_001. */
/*@ requires some: 0 < slots;
    assigns \nothing;
    ensures KV_001: below: \result < slots;
*/
size_t ndl_ring_slot(size_t pos, size_t slots);

/*@ lemma KV_003_kept: \forall integer i; i == i; */
