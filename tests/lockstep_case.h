/* Properties on scripts: a difference is printed, shrunk, and kept as a file. */
#ifndef LOCKSTEP_CASE_H
#define LOCKSTEP_CASE_H

#include "lockstep.h"

/* Runs a script; on a difference prints it, shrunk, to stderr as a needle-trace
 * script, leaves it as a fuzzer's input in a file that is named, and returns
 * false with the difference in words. */
bool lockstep_try(script *s, coverage *cover, finding *f);

/* The same for the session of a seed. */
bool lockstep_case(uint64_t seed, coverage *cover, finding *f);

#endif
