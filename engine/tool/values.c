#include "values.h"

#include "base64.h"

#include <stdlib.h>
#include <string.h>

/* A member as a message begins: its name. */
static const char *title(char out[QUOTED], const json_member *m)
{
    return quoted(out, m->name, m->name_len);
}

static bool wrong_kind(const json_member *m, const char *wanted, problem *p)
{
    char q[QUOTED], shown[QUOTED];
    static const char *const kind[] = {"null",       "false",    "true",     "the number",
                                       "the string", "an array", "an object"};
    if (m->kind == JSON_NUMBER || m->kind == JSON_STRING)
        return fail(p, "%s must be %s, not %s %s", title(q, m), wanted, kind[m->kind],
                    json_shown(shown, m));
    return fail(p, "%s must be %s, not %s", title(q, m), wanted, kind[m->kind]);
}

bool value_size(const json_member *m, size_t max, size_t *out, problem *p)
{
    char q[QUOTED], shown[QUOTED];
    uint64_t n;
    if (m->kind != JSON_NUMBER)
        return wrong_kind(m, "an unsigned integer", p);
    switch (number_parse(m->text, (size_t)(m->end - m->text), max, &n)) {
    case NUMBER_OK:
        *out = (size_t)n;
        return true;
    case NUMBER_HUGE:
        return fail(p, "%s is %s: the largest is %zu", title(q, m), json_shown(shown, m), max);
    case NUMBER_NOT:
        break;
    }
    return wrong_kind(m, "an unsigned integer", p);
}

bool value_is_array(const json_member *m, problem *p)
{
    return m->kind == JSON_ARRAY || wrong_kind(m, "an array", p);
}

bool value_is_string(const json_member *m, problem *p)
{
    return m->kind == JSON_STRING || wrong_kind(m, "a string", p);
}

bool value_is_bool(const json_member *m, bool *out, problem *p)
{
    if (m->kind != JSON_TRUE && m->kind != JSON_FALSE)
        return wrong_kind(m, "true or false", p);
    *out = m->kind == JSON_TRUE;
    return true;
}

bool value_starts(const json_member *m, const char *prefix)
{
    size_t len = strlen(prefix);
    return m->kind == JSON_STRING && m->string_len >= len && memcmp(m->string, prefix, len) == 0;
}

/* How long the number is that stands at text. */
static size_t number_length(const char *text)
{
    return strspn(text, "+-.0123456789eE");
}

bool value_item_size(const json *j, const json_member *m, size_t i, size_t max, size_t *out,
                     problem *p)
{
    char q[QUOTED], shown[QUOTED];
    const char *text;
    uint64_t n;
    if (json_item(j, m, i, &text) != ITEM_NUMBER)
        return fail(p, "%s[%zu] must be an unsigned integer", title(q, m), i);
    size_t len = number_length(text);
    switch (number_parse(text, len, max, &n)) {
    case NUMBER_OK:
        *out = (size_t)n;
        return true;
    case NUMBER_HUGE:
        return fail(p, "%s[%zu] is %s: the largest is %zu", title(q, m), i,
                    quoted(shown, text, len), max);
    case NUMBER_NOT:
        break;
    }
    return fail(p, "%s[%zu] must be an unsigned integer, not %s", title(q, m), i,
                quoted(shown, text, len));
}

bool value_words(const values *v, const json_member *m, const uint32_t **out, size_t *count)
{
    if (!value_is_array(m, v->problem))
        return false;
    uint32_t *words = arena_take(v->arena, m->count * sizeof *words);
    for (size_t i = 0; i < m->count; i++) {
        size_t word;
        if (!value_item_size(v->json, m, i, UINT32_MAX, &word, v->problem))
            return false;
        words[i] = (uint32_t)word;
    }
    *out = words;
    *count = m->count;
    return true;
}

/* Base64 behind a prefix, as bytes in the arena. */
static bool decode(const values *v, const json_member *m, const char *prefix, unsigned char **out,
                   size_t *size)
{
    char q[QUOTED];
    problem inner;
    size_t skip = strlen(prefix), len = m->string_len - skip;
    unsigned char *bytes = arena_take(v->arena, base64_room(len));
    if (!base64_decode(m->string + skip, len, bytes, size, &inner))
        return fail(v->problem, "%s: %s", title(q, m), inner.text);
    *out = bytes;
    return true;
}

static bool floats_from_base64(const values *v, const json_member *m, float **out, size_t *count)
{
    char q[QUOTED];
    unsigned char *bytes;
    size_t size;
    if (!decode(v, m, "f32:", &bytes, &size))
        return false;
    if (size % 4 != 0)
        return fail(v->problem, "%s: %zu bytes of base64 are no whole number of floats",
                    title(q, m), size);
    /* In place: each float is made of the four bytes that it replaces. */
    float *x = (void *)bytes;
    for (size_t i = 0; i < size / 4; i++) {
        const unsigned char *b = bytes + 4 * i;
        x[i] = float_from_bits((uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
                               (uint32_t)b[3] << 24);
    }
    *out = x;
    *count = size / 4;
    return true;
}

static bool floats_from_items(const values *v, const json_member *m, float **out, size_t *count)
{
    char q[QUOTED], shown[QUOTED];
    float *x = arena_take(v->arena, m->count * sizeof *x);
    for (size_t i = 0; i < m->count; i++) {
        const char *text;
        switch (json_item(v->json, m, i, &text)) {
        case ITEM_NUMBER:
            /* Rounds to nearest, ties to even; infinite only past FLT_MAX's half step. */
            x[i] = strtof(text, NULL);
            if ((float_bits(x[i]) & 0x7fffffff) == 0x7f800000)
                return fail(v->problem, "%s[%zu] is %s: beyond FLT_MAX", title(q, m), i,
                            quoted(shown, text, number_length(text)));
            break;
        case ITEM_NAN:
            x[i] = float_from_bits(0x7fc00000);
            break;
        case ITEM_INF:
            x[i] = float_from_bits(0x7f800000);
            break;
        case ITEM_NEG_INF:
            x[i] = float_from_bits(0xff800000);
            break;
        case ITEM_STRING:
        case ITEM_OTHER:
            return fail(v->problem, "%s[%zu] must be a number, \"nan\", \"inf\" or \"-inf\"",
                        title(q, m), i);
        }
    }
    *out = x;
    *count = m->count;
    return true;
}

static bool floats_from_tensor(const values *v, const json_member *m, bool own, float **out,
                               size_t *count)
{
    char q[QUOTED], shown[QUOTED];
    names_entry *found = names_find(v->tensors, m->string + 1, m->string_len - 1);
    if (found == NULL)
        return fail(v->problem, "%s: no tensor %s was declared before this line", title(q, m),
                    quoted(shown, m->string + 1, m->string_len - 1));
    tensor *t = found->thing;
    *out = t->data;
    *count = t->count;
    if (own) {
        *out = arena_take(v->arena, t->count * sizeof **out);
        memcpy(*out, t->data, t->count * sizeof **out);
    }
    return true;
}

bool value_floats(const values *v, const json_member *m, bool own, float **out, size_t *count)
{
    if (m->kind == JSON_ARRAY)
        return floats_from_items(v, m, out, count);
    if (value_starts(m, "f32:"))
        return floats_from_base64(v, m, out, count);
    if (value_starts(m, "@"))
        return floats_from_tensor(v, m, own, out, count);
    return wrong_kind(m, "a float array (\"f32:...\", \"@tensor\" or a JSON array)", v->problem);
}

static bool codes_from_items(const values *v, const json_member *m, int8_t *out)
{
    char q[QUOTED], shown[QUOTED];
    for (size_t i = 0; i < m->count; i++) {
        const char *text;
        uint64_t n;
        if (json_item(v->json, m, i, &text) != ITEM_NUMBER)
            return fail(v->problem, "%s[%zu] must be an integer", title(q, m), i);
        size_t len = number_length(text), sign = text[0] == '-';
        if (number_parse(text + sign, len - sign, sign ? 128 : 127, &n) != NUMBER_OK)
            return fail(v->problem, "%s[%zu] is %s: it must be an integer from -128 to 127",
                        title(q, m), i, quoted(shown, text, len));
        out[i] = (int8_t)(sign ? -(int)n : (int)n);
    }
    return true;
}

bool value_codes(const values *v, const json_member *m, const int8_t **out, size_t *count)
{
    if (m->kind == JSON_ARRAY) {
        int8_t *codes = arena_take(v->arena, m->count);
        *out = codes;
        *count = m->count;
        return codes_from_items(v, m, codes);
    }
    if (!value_starts(m, "i8:"))
        return wrong_kind(m, "an int8 array (\"i8:...\" or a JSON array)", v->problem);
    unsigned char *bytes;
    if (!decode(v, m, "i8:", &bytes, count))
        return false;
    int8_t *codes = (void *)bytes;
    for (size_t i = 0; i < *count; i++)
        codes[i] = (int8_t)(bytes[i] < 128 ? bytes[i] : bytes[i] - 256);
    *out = codes;
    return true;
}

bool value_bytes(const values *v, const json_member *m, const uint8_t **out, size_t *count)
{
    unsigned char *bytes;
    if (m->kind != JSON_ARRAY) {
        if (!value_starts(m, "u8:"))
            return wrong_kind(m, "a byte array (\"u8:...\" or a JSON array)", v->problem);
        if (!decode(v, m, "u8:", &bytes, count))
            return false;
        *out = bytes;
        return true;
    }
    bytes = arena_take(v->arena, m->count);
    for (size_t i = 0; i < m->count; i++) {
        size_t byte;
        if (!value_item_size(v->json, m, i, 255, &byte, v->problem))
            return false;
        bytes[i] = (unsigned char)byte;
    }
    *out = bytes;
    *count = m->count;
    return true;
}

bool value_hash(const json_member *m, uint64_t *out, problem *p)
{
    char q[QUOTED], shown[QUOTED];
    const char *prefix = "fnv1a64:";
    size_t skip = strlen(prefix);
    uint64_t hash = 0;
    bool good = m->string_len == skip + 16;
    for (size_t i = skip; good && i < m->string_len; i++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *at = m->string[i] == '\0' ? NULL : strchr(digits, m->string[i]);
        good = at != NULL;
        hash = hash << 4 | (good ? (uint64_t)(at - digits) & 15 : 0);
    }
    if (!good)
        return fail(p, "%s is %s: a hash is \"fnv1a64:\" and 16 hex digits", title(q, m),
                    json_shown(shown, m));
    *out = hash;
    return true;
}

uint64_t float_hash_start(void)
{
    return UINT64_C(0xcbf29ce484222325);
}

uint64_t float_hash(const float *x, size_t count)
{
    return float_hash_more(float_hash_start(), x, count);
}

uint64_t byte_hash(const uint8_t *bytes, size_t count)
{
    uint64_t hash = float_hash_start();
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t float_hash_more(uint64_t hash, const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = float_bits(x[i]);
        if ((bits & 0x7fffffff) > 0x7f800000)
            bits = 0x7fc00000;
        for (unsigned byte = 0; byte < 4; byte++) {
            hash ^= bits >> (8 * byte) & 0xff;
            hash *= UINT64_C(0x100000001b3);
        }
    }
    return hash;
}
