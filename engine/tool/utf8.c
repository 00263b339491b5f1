#include "utf8.h"

#include <stdint.h>
#include <string.h>

/* Bytes of the character at c, of which left bytes follow or are it; 0 if it is none. */
static size_t character(const unsigned char *c, size_t left)
{
    size_t size;
    unsigned low = 0x80, high = 0xbf; /* of the second byte */
    if (c[0] < 0x80)
        return 1;
    if (c[0] >= 0xc2 && c[0] <= 0xdf)
        size = 2;
    else if (c[0] >= 0xe0 && c[0] <= 0xef)
        size = 3;
    else if (c[0] >= 0xf0 && c[0] <= 0xf4)
        size = 4;
    else
        return 0;
    if (c[0] == 0xe0)
        low = 0xa0; /* below: overlong */
    if (c[0] == 0xed)
        high = 0x9f; /* above: surrogates */
    if (c[0] == 0xf0)
        low = 0x90; /* below: overlong */
    if (c[0] == 0xf4)
        high = 0x8f; /* above: past 10FFFF */
    if (left < size || c[1] < low || c[1] > high)
        return 0;
    for (size_t i = 2; i < size; i++)
        if (c[i] < 0x80 || c[i] > 0xbf)
            return 0;
    return size;
}

size_t utf8_valid(const char *text, size_t len)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t at = 0;
    while (at < len) {
        /* Traces are ASCII nearly everywhere: eight bytes at a time. */
        uint64_t eight;
        while (len - at >= sizeof eight) {
            memcpy(&eight, c + at, sizeof eight);
            if (eight & UINT64_C(0x8080808080808080))
                break;
            at += sizeof eight;
        }
        if (at == len)
            break;
        size_t size = character(c + at, len - at);
        if (size == 0)
            break;
        at += size;
    }
    return at;
}
