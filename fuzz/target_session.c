/*
 * Engine and reference run a session in lock-step: after every operation they show
 * the same, whatever fresh memory held.
 *
 * GEO_001 GEO_004 KV_001 KV_002 KV_003 KV_004 KV_005 KV_006 KV_007 KV_010 KV_011 KV_012
 * SPAN_001 SPAN_002 SPAN_003 SPAN_004 CONV_001 CONV_002 CONV_003 CONV_004 ENG_001 ENG_002
 * ENG_003 ENG_004 TOK_001 TOK_002 QNT_001 QNT_009 ATT_001 SES_001 SES_005 SES_009
 */
#include "ops.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static script s;
    finding f;
    size_t at;
    ops_decode(data, size, &s);
    lockstep_run(&s, &f, &at, &target_cover);
    target_report("engine and reference differ", &f, &s);
    s.pattern = (s.pattern + 1) % 4;
    lockstep_run(&s, &f, &at, NULL);
    target_report("engine and reference differ, with other fresh memory", &f, &s);
    return 0;
}
