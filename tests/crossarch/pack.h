/*
 * A pack in memory: words of 32 bits, low byte first whatever the machine, read
 * one after the other. A pack that ends early, or that memory cannot be had
 * for, ends the program.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef CROSSARCH_PACK_H
#define CROSSARCH_PACK_H

#include <stddef.h>
#include <stdint.h>

typedef struct pack {
    unsigned char *bytes;
    size_t words, at; /* how many there are, and the next one to read */
} pack;

typedef struct floats {
    float *data; /* malloc'ed */
    size_t len;
} floats;

/* Print a message and end the program with status 2. */
_Noreturn void die(const char *what, const char *which);

/* malloc(count * size), at least one byte, or the end of the program. */
void *allocate(size_t count, size_t size);

pack pack_read(const char *path);
uint32_t pack_word(pack *p);
/* n words as the bits of floats. */
floats pack_floats(pack *p, size_t n);
/* A length in words and as many bytes, padded with zeros: malloc'ed. */
char *pack_text(pack *p);

#endif
