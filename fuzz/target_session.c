/*
 * Engine and reference run a session in lock-step: after every operation they show
 * the same, whatever fresh memory held.
 */
#include "ops.h"
#include "target.h"

#define CLAIMS                                                                                     \
    "GEO_007_GEO_008_KV_001_to_012_SPAN_001_to_004_CONV_001_to_007_ENG_001_to_005_"                \
    "TOK_001_to_005_QNT_001_QNT_009_ATT_001_ATT_003_SES_001_to_011"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static script s;
    finding f;
    size_t at;
    ops_decode(data, size, &s);
    lockstep_end first = {.only_end = false}, second = {.only_end = true};
    lockstep_run_to(&s, &f, &at, &target_cover, &first);
    target_report(CLAIMS ": engine and reference differ", &f, &s);
    s.pattern = (s.pattern + 1) % 4;
    lockstep_run_to(&s, &f, &at, NULL, &second);
    for (unsigned i = 0; i < 2; i++) {
        if (first.digest[i] != second.digest[i])
            note(&f, "session %u shows something else", i);
    }
    target_report("SES_011: the same calls again, with other fresh memory", &f, &s);
    return 0;
}
