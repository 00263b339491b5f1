#include "base64.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* What a character stands for; BAD has a bit that no value has. */
enum { BAD = 0x80 };
#define B BAD
static const unsigned char value[256] = {
    /* clang-format off */
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, 62, B, B, B, 63, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, B, B,
    B, B, B, B, B, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, B, B, B, B, B, B, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
    41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    /* clang-format on */
};
#undef B

size_t base64_room(size_t len)
{
    return len / 4 * 3;
}

/* Says which character is wrong; there is one, or the length is. */
static bool explain(const char *text, size_t len, problem *p)
{
    for (size_t i = 0; i < len; i++) {
        char q[QUOTED];
        bool padding = text[i] == '=' && (i + 1 == len || (i + 2 == len && text[i + 1] == '='));
        if (value[(unsigned char)text[i]] == BAD && !padding)
            return fail(p, "bad base64: %s at character %zu", quoted(q, text + i, 1), i + 1);
    }
    if (len % 4 != 0)
        return fail(p, "bad base64: %zu characters, which is not a multiple of 4", len);
    return fail(p, "bad base64: the bits under the padding are not zero");
}

bool base64_decode(const char *text, size_t len, unsigned char *out, size_t *size, problem *p)
{
    const unsigned char *in = (const unsigned char *)text;
    if (len % 4 != 0)
        return explain(text, len, p);
    if (len == 0) {
        *size = 0;
        return true;
    }
    size_t groups = len / 4 - 1; /* all but the last, which may be padded */
    unsigned bad = 0;
    for (size_t i = 0; i < groups; i++, in += 4, out += 3) {
        unsigned a = value[in[0]], b = value[in[1]], c = value[in[2]], d = value[in[3]];
        bad |= a | b | c | d;
        unsigned bits = a << 18 | b << 12 | c << 6 | d;
        out[0] = (unsigned char)(bits >> 16);
        out[1] = (unsigned char)(bits >> 8);
        out[2] = (unsigned char)bits;
    }
    size_t padding = in[3] != '=' ? 0 : in[2] != '=' ? 1 : 2;
    unsigned a = value[in[0]], b = value[in[1]];
    unsigned c = padding == 2 ? 0 : value[in[2]], d = padding > 0 ? 0 : value[in[3]];
    bad |= a | b | c | d;
    unsigned bits = a << 18 | b << 12 | c << 6 | d;
    unsigned unused = padding == 2 ? bits & 0xffff : padding == 1 ? bits & 0xff : 0;
    if (bad & BAD || unused != 0)
        return explain(text, len, p);
    for (size_t i = 0; i < 3 - padding; i++)
        out[i] = (unsigned char)(bits >> (16 - 8 * i));
    *size = 3 * groups + 3 - padding;
    return true;
}

size_t base64_length(size_t size)
{
    return (size + 2) / 3 * 4;
}

void base64_encode(const unsigned char *bytes, size_t size, char *out)
{
    for (; size >= 3; size -= 3, bytes += 3, out += 4) {
        unsigned bits = (unsigned)bytes[0] << 16 | (unsigned)bytes[1] << 8 | bytes[2];
        out[0] = letters[bits >> 18];
        out[1] = letters[bits >> 12 & 63];
        out[2] = letters[bits >> 6 & 63];
        out[3] = letters[bits & 63];
    }
    if (size == 0)
        return;
    unsigned bits = (unsigned)bytes[0] << 16 | (size == 2 ? (unsigned)bytes[1] << 8 : 0);
    out[0] = letters[bits >> 18];
    out[1] = letters[bits >> 12 & 63];
    out[2] = '=';
    out[3] = '=';
    if (size == 2)
        out[2] = letters[bits >> 6 & 63];
}
