/* The arithmetic of sizes: exact up to SIZE_MAX, and SIZE_MAX from there on. */
#include "geometry.h"
#include "support.h"

/* The square root of SIZE_MAX + 1. */
#define ROOT ((size_t)1 << (sizeof(size_t) * 4))

static const struct {
    size_t a, b, sum, product;
} sizes[] = {
    {0, 0, 0, 0},
    {7, 0, 7, 0},
    {SIZE_MAX, 0, SIZE_MAX, 0},
    {SIZE_MAX, 1, SIZE_MAX, SIZE_MAX},
    {SIZE_MAX - 1, 1, SIZE_MAX, SIZE_MAX - 1},
    {SIZE_MAX / 2, 2, SIZE_MAX / 2 + 2, SIZE_MAX - 1},
    {SIZE_MAX / 2 + 1, 2, SIZE_MAX / 2 + 3, SIZE_MAX},
    {SIZE_MAX / 3, 3, SIZE_MAX / 3 + 3, SIZE_MAX},
    {SIZE_MAX / 4, 4, SIZE_MAX / 4 + 4, SIZE_MAX - 3},
    {SIZE_MAX / 4 + 1, 4, SIZE_MAX / 4 + 5, SIZE_MAX},
    {SIZE_MAX / 2, SIZE_MAX / 2, SIZE_MAX - 1, SIZE_MAX},
    {SIZE_MAX / 2 + 1, SIZE_MAX / 2, SIZE_MAX, SIZE_MAX},
    {SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1, SIZE_MAX, SIZE_MAX},
    {ROOT - 1, ROOT + 1, 2 * ROOT, SIZE_MAX},
    {ROOT - 1, ROOT, 2 * ROOT - 1, SIZE_MAX - ROOT + 1},
    {ROOT, ROOT, 2 * ROOT, SIZE_MAX},
    {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX},
};

Test(geometry_internal, GEO_005_sums_and_products_are_exact_up_to_SIZE_MAX)
{
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const size_t a = sizes[i].a, b = sizes[i].b;
        expect_size(ndl_sat_add(a, b), sizes[i].sum);
        expect_size(ndl_sat_add(b, a), sizes[i].sum);
        expect_size(ndl_sat_mul(a, b), sizes[i].product);
        expect_size(ndl_sat_mul(b, a), sizes[i].product);
    }
}
