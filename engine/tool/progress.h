/* How far a long file has come, on a terminal; nothing anywhere else. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H

#include "reader.h"

typedef struct progress {
    bool wanted; /* standard error is a terminal, and nobody asked for quiet */
    bool shown;  /* there is a line to wipe */
    double started, next;
} progress;

void progress_start(progress *p, bool allowed);
void progress_step(progress *p, const reader *r);
/* Wipes it: before anything else is printed, and at the end. */
void progress_clear(progress *p);

#endif
