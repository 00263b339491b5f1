/*
 * Values of a trace: members of a line as numbers, names and arrays. Arrays are
 * decoded into the line's arena. What is wrong is said with the member's name.
 */
#ifndef TOOL_VALUES_H
#define TOOL_VALUES_H

#include "arena.h"
#include "json.h"
#include "names.h"

#include <stdint.h>

/* A float array that a `tensor` line declared. */
typedef struct tensor {
    size_t count;
    float data[];
} tensor;

/* What is needed to read values: the line, its arena, and the tensors so far. */
typedef struct values {
    const json *json;
    arena *arena;
    const names *tensors;
    problem *problem;
} values;

/* An unsigned integer up to max. */
bool value_size(const json_member *m, size_t max, size_t *out, problem *p);
bool value_is_array(const json_member *m, problem *p);
bool value_item_size(const json *j, const json_member *m, size_t i, size_t max, size_t *out,
                     problem *p);
bool value_is_string(const json_member *m, problem *p);
bool value_is_bool(const json_member *m, bool *out, problem *p);

/* Whether a string value begins with this. */
bool value_starts(const json_member *m, const char *prefix);

/* An array of 32-bit integers. */
bool value_words(const values *v, const json_member *m, const uint32_t **out, size_t *count);

/* A float array. own: as a copy that may be written to, also if it is a tensor. */
bool value_floats(const values *v, const json_member *m, bool own, float **out, size_t *count);

/* An int8 array. */
bool value_codes(const values *v, const json_member *m, const int8_t **out, size_t *count);

/* A byte array. */
bool value_bytes(const values *v, const json_member *m, const uint8_t **out, size_t *count);

/* The 64 bits of a "fnv1a64:" value. */
bool value_hash(const json_member *m, uint64_t *out, problem *p);

/* FNV-1a, 64 bits, of the little-endian bytes, every NaN taken as 7fc00000. */
uint64_t float_hash(const float *x, size_t count);
uint64_t byte_hash(const uint8_t *bytes, size_t count);
/* The same in pieces. */
uint64_t float_hash_start(void);
uint64_t float_hash_more(uint64_t hash, const float *x, size_t count);

#endif
