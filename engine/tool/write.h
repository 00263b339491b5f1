/* Values as a trace writes them. */
#ifndef TOOL_WRITE_H
#define TOOL_WRITE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum float_form {
    FORM_BASE64, /* "f32:..." */
    FORM_HASH,   /* "fnv1a64:..." */
    FORM_DECIMAL /* [0.5,"nan"] */
} float_form;

void write_floats(FILE *out, const float *x, size_t count, float_form form);
/* In decimal or in base64; codes have no hash. */
void write_codes(FILE *out, const int8_t *codes, size_t count, float_form form);
void write_bytes(FILE *out, const uint8_t *bytes, size_t count, float_form form);
void write_words(FILE *out, const uint32_t *words, size_t count);

#endif
