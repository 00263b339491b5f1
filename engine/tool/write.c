#include "write.h"

#include "base64.h"
#include "values.h"

#include <inttypes.h>
#include <string.h>

/* Base64 goes out in pieces of whole groups: three bytes, four characters. */
enum { PIECE = 3 * 1024 };

static void piece(FILE *out, const unsigned char *bytes, size_t size)
{
    char text[PIECE / 3 * 4];
    base64_encode(bytes, size, text);
    fwrite(text, 1, base64_length(size), out);
}

static void base64_floats(FILE *out, const float *x, size_t count)
{
    unsigned char bytes[PIECE];
    size_t used = 0;
    fputs("\"f32:", out);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = float_bits(x[i]);
        for (unsigned b = 0; b < 4; b++)
            bytes[used++] = (unsigned char)(bits >> (8 * b));
        if (used == PIECE) {
            piece(out, bytes, used);
            used = 0;
        }
    }
    piece(out, bytes, used);
    fputc('"', out);
}

static void decimal_floats(FILE *out, const float *x, size_t count)
{
    char text[FLOAT_TEXT];
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        float_text(text, x[i]);
        /* What JSON has no number for is a string. */
        const char *quote = strpbrk(text, "in") != NULL ? "\"" : "";
        fprintf(out, "%s%s%s%s", i == 0 ? "" : ",", quote, text, quote);
    }
    fputc(']', out);
}

void write_floats(FILE *out, const float *x, size_t count, float_form form)
{
    switch (form) {
    case FORM_BASE64:
        base64_floats(out, x, count);
        break;
    case FORM_HASH:
        fprintf(out, "\"fnv1a64:%016" PRIx64 "\"", float_hash(x, count));
        break;
    case FORM_DECIMAL:
        decimal_floats(out, x, count);
        break;
    }
}

void write_codes(FILE *out, const int8_t *codes, size_t count, float_form form)
{
    if (form == FORM_DECIMAL) {
        fputc('[', out);
        for (size_t i = 0; i < count; i++)
            fprintf(out, "%s%d", i == 0 ? "" : ",", codes[i]);
        fputc(']', out);
        return;
    }
    unsigned char bytes[PIECE];
    fputs("\"i8:", out);
    for (size_t at = 0; at < count; at += PIECE) {
        size_t size = count - at < PIECE ? count - at : PIECE;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (unsigned char)codes[at + i];
        piece(out, bytes, size);
    }
    fputc('"', out);
}

void write_bytes(FILE *out, const uint8_t *bytes, size_t count, float_form form)
{
    switch (form) {
    case FORM_BASE64:
        fputs("\"u8:", out);
        for (size_t at = 0; at < count; at += PIECE)
            piece(out, bytes + at, count - at < PIECE ? count - at : PIECE);
        fputc('"', out);
        break;
    case FORM_HASH:
        fprintf(out, "\"fnv1a64:%016" PRIx64 "\"", byte_hash(bytes, count));
        break;
    case FORM_DECIMAL:
        fputc('[', out);
        for (size_t i = 0; i < count; i++)
            fprintf(out, "%s%d", i == 0 ? "" : ",", bytes[i]);
        fputc(']', out);
        break;
    }
}

void write_words(FILE *out, const uint32_t *words, size_t count)
{
    fputc('[', out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%" PRIu32, i == 0 ? "" : ",", words[i]);
    fputc(']', out);
}
