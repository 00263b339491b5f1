/* Writes rows to a ring beyond its slots; for planted.sh. What a row is taken from is
 * longer, so that a row that is too long is written before it is read too far. */
#include "ring.h"

#include <stdlib.h>

int main(void)
{
    enum { SLOTS = 4, DIM = 3 };
    const float row[DIM + 1] = {1, 2, 3, 4};
    float *rows = calloc((size_t)SLOTS * DIM, sizeof *rows);
    if (!rows)
        return 1;
    for (size_t pos = 0; pos < (size_t)2 * SLOTS; pos++)
        ndl_ring_write_f32(rows, SLOTS, DIM, pos, row);
    size_t slots = ndl_ring_want(2, SLOTS, SLOTS + 1), slot = ndl_ring_slot(SLOTS, slots);
    free(rows);
    return slot == 0 && slots == SLOTS ? 0 : 1;
}
