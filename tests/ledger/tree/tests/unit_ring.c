#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <criterion/theories.h>

Test(ring, KV_001_KV_002_slot_is_below_the_slots)
{
    cr_assert(7 % 4 < 4);
}

ParameterizedTestParameters(ring, KV_002_grows)
{
    static int positions[] = {4, 5};

    return cr_make_param_array(int, positions, 2);
}

ParameterizedTest(int *pos, ring, KV_002_grows)
{
    cr_assert(*pos + 1 > *pos);
}

TheoryDataPoints(ring, KV_003_growing_keeps_rows) = {DataPoints(int, 1, 2)};

Theory((int rows), ring, KV_003_growing_keeps_rows)
{
    cr_assert(rows > 0);
}

Test(ring, says_nothing_of_a_claim)
{
    cr_assert(1);
}
