/* Everything that a session of the engine shows, against the reference. */
#ifndef OBSERVE_H
#define OBSERVE_H

#include "ndl.h"
#include "ref.h"

/* A difference in words; empty while there is none. */
typedef struct finding {
    char text[200];
} finding;

/* Note the first difference; later ones are dropped. */
void note(finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool found(const finding *f);

/* Arrays bit for bit; any NaN equals any NaN where `computed`. */
void compare_floats(finding *f, const char *what, const float *engine, const float *reference,
                    size_t n, bool computed);

/* Slots and lost positions of a layer that exists. */
size_t slots_of(const ndl_session *s, size_t layer);
size_t lost_of(const ndl_session *s, size_t layer);

/* All that they show, but what they save. */
void compare_sessions(finding *f, const ndl_session *s, ref_session *r);

/* What they save, byte for byte: made of what they show, so that it need not be
 * asked for after every operation. */
void compare_saves(finding *f, const ndl_session *s, const ref_session *r);

#endif
