/*
 * The grammar: bytes as a session, and a session as bytes. Every byte string is
 * a session, a short one too: what is missing is zeros, what is left over after
 * the last operation that fits is not read.
 *
 *   session   = profile, geometry, hint, { operation }
 *   profile   = a byte: bit 0 int8, bit 1 upstream, bits 2 and 3 what fresh
 *               memory holds
 *   geometry  = a number a field, in the order of `fields` in ops.c; then the
 *               orders, the sites and which layers are global
 *   number    = a byte that picks one of the few values a field mostly has, or
 *               255 and the value in eight bytes, little-endian
 *   operation = kind, with session, snapshot and "wrong lengths" in its upper
 *               bits; what the kind takes of layer or site, projection, and
 *               position, token or count; for arrays a byte with a class for
 *               each and, unless all are literal, two bytes of seed; literal
 *               words, four bytes each
 *
 * A position is mostly near something that matters: where the session stands,
 * the window, the cap.
 */
#ifndef OPS_H
#define OPS_H

#include "script.h"

/* The session that the bytes are. */
void ops_decode(const uint8_t *input, size_t len, script *s);

/* The bytes of a session, at most room of them; how many they are, or 0 if they
 * do not fit or the grammar cannot say the session (tokens beyond 32 bits,
 * more than MAX_TOKENS at once). Decoding them gives the session back. */
size_t ops_encode(const script *s, uint8_t *output, size_t room);

#endif
