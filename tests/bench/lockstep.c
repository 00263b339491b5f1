/*
 * How many random sessions engine and reference run in lock-step a second, as
 * JSON; everything that either shows is compared after every operation.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "../lockstep_case.h"
#include "out.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const long rounds = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    enum { SESSIONS = 2000 };
    series rate = {0};
    coverage cover = {{0}, {0}};
    uint64_t seed = 1;

    if (rounds < 1 || rounds > MAX_ROUNDS) {
        fprintf(stderr, "usage: lockstep ROUNDS\n");
        return 2;
    }
    for (long r = 0; r < rounds; r++) {
        const double start = busy_ns();

        progress("lock-step: round %ld of %ld", r + 1, rounds);
        for (size_t i = 0; i < SESSIONS; i++) {
            finding f;

            if (!lockstep_case(seed++, &cover, &f)) {
                fprintf(stderr, "lockstep: %s\n", f.text);
                return 1;
            }
        }
        series_add(&rate, SESSIONS / (busy_ns() - start) * 1e9);
    }
    progress("%s", "");
    out_begin();
    out_summary("sessions_a_second", summarise(&rate));
    return out_end() ? 0 : 2;
}
