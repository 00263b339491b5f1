/*
 * Playing the calls of a packed session: the arguments come out of the pack,
 * what comes out of the engine goes into the tally.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef CROSSARCH_PLAY_H
#define CROSSARCH_PLAY_H

#include "ndl.h"
#include "pack.h"
#include "tally.h"

#define MAX_TENSORS 32

typedef struct player {
    const char *name; /* of the session, for messages */
    pack *in;
    tally *out;
    ndl_session *session; /* NULL for kernels alone */
    ndl_numerics numerics;
    floats tensor[MAX_TENSORS];
    size_t tensors;
} player;

/* The next call. Whatever is refused ends the program. */
void play_call(player *p);

/* The engine's answer to a call that must not be refused. */
void expect_ok(const player *p, ndl_status status);

/* An array argument; the caller frees it. */
floats play_floats(player *p);

/* Calls without a session. */
void play_fake_quant(player *p);
void play_quantize_rows(player *p);
void play_causal_conv(player *p);
void play_value_conv(player *p);
void play_attend_sequence(player *p);
void play_cact(player *p);
void play_exponentials(player *p);

/* A geometry from the pack, and the numbers of one into the tally. */
ndl_geometry play_geometry(pack *in);

#endif
