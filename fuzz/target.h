/* What a target is: a function of bytes, as libFuzzer calls it, that returns 0 and
 * ends the process when its property fails. */
#ifndef TARGET_H
#define TARGET_H

#include "lockstep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Which classes the inputs of this process have reached; for a replay to print. */
extern coverage target_cover;

/* Ends the process if there is a finding: it goes to stderr with the session as
 * a needle-trace script, NULL if the input is no session. */
void target_report(const char *property, const finding *f, const script *s);

#endif
