/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void die(const char *what, const char *which)
{
    fprintf(stderr, "crossarch: %s: %s\n", which, what);
    exit(2);
}

void *allocate(size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - 1) / size)
        die("out of memory", "pack");
    void *memory = malloc(count * size + 1);
    if (memory == NULL)
        die("out of memory", "pack");
    return memory;
}

pack pack_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        die("cannot be read", path);
    const long end = ftell(file);
    if (end < 0 || end % 4 != 0 || fseek(file, 0, SEEK_SET) != 0)
        die("is no pack", path);
    pack p = {.words = (size_t)end / 4};
    p.bytes = allocate(p.words, 4);
    if (fread(p.bytes, 4, p.words, file) != p.words)
        die("cannot be read", path);
    fclose(file);
    return p;
}

uint32_t pack_word(pack *p)
{
    if (p->at >= p->words)
        die("ends early", "pack");
    const unsigned char *b = p->bytes + 4 * p->at++;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

floats pack_floats(pack *p, size_t n)
{
    if (n > p->words - p->at)
        die("ends early", "pack");
    const floats f = {allocate(n, sizeof(float)), n};
    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = pack_word(p);

        memcpy(&f.data[i], &bits, sizeof bits);
    }
    return f;
}

char *pack_text(pack *p)
{
    const size_t words = pack_word(p);
    if (words > p->words - p->at)
        die("ends early", "pack");
    char *text = allocate(words, 4);
    for (size_t i = 0; i < 4 * words; i++)
        text[i] = (char)p->bytes[4 * p->at + i];
    text[4 * words] = '\0';
    p->at += words;
    return text;
}
