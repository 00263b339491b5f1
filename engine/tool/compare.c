#include "compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_nan(float x)
{
    return (float_bits(x) & 0x7fffffff) > 0x7f800000;
}

static bool is_finite(float x)
{
    return (float_bits(x) & 0x7f800000) != 0x7f800000;
}

/* The same bits, and any NaN the same as any other. */
static bool same(float a, float b)
{
    return float_bits(a) == float_bits(b) || (is_nan(a) && is_nan(b));
}

/* Floats in their order, as integers one apart: -0 is 0's neighbour. */
static int64_t rank(float x)
{
    uint32_t bits = float_bits(x);
    int64_t magnitude = bits & 0x7fffffff;
    return bits >> 31 ? -magnitude - 1 : magnitude;
}

static void show_floats(difference *d, float recorded, float replayed)
{
    float_text(d->recorded_text, recorded);
    float_text(d->replayed_text, replayed);
    snprintf(d->recorded_bits, SHOWN, "%08" PRIx32, float_bits(recorded));
    snprintf(d->replayed_bits, SHOWN, "%08" PRIx32, float_bits(replayed));
    d->has_distance = !is_nan(recorded) && !is_nan(replayed);
    if (d->has_distance) {
        int64_t steps = rank(recorded) - rank(replayed);
        d->distance = (uint64_t)(steps < 0 ? -steps : steps);
    }
}

/* The first element that differs; those after it are only counted. */
static bool note(difference *d, size_t i)
{
    if (d->differing++ > 0)
        return false;
    d->first = i;
    return true;
}

static double root_mean_square(const float *x, size_t count)
{
    double total = 0;
    size_t finite = 0;
    for (size_t i = 0; i < count; i++)
        if (is_finite(x[i])) {
            total += (double)x[i] * (double)x[i];
            finite++;
        }
    return finite == 0 ? 0 : sqrt(total / (double)finite);
}

/* How far apart two floats are as a share of rms; infinite where no share will do. */
static double apart(float recorded, float replayed, double rms)
{
    if (same(recorded, replayed))
        return 0;
    if (!is_finite(recorded) || !is_finite(replayed))
        return (double)INFINITY;
    double distance = fabs((double)recorded - (double)replayed);
    return distance == 0 ? 0 : rms > 0 ? distance / rms : (double)INFINITY;
}

static verdict compare_floats(const float *recorded, const float *replayed, size_t count,
                              double tolerance, double by_default, difference *d)
{
    if (count == 0)
        return AGREES;
    bool equal = memcmp(recorded, replayed, count * sizeof *recorded) == 0;
    if (tolerance <= 0) {
        for (size_t i = 0; !equal && i < count; i++)
            if (!same(recorded[i], replayed[i]) && note(d, i))
                show_floats(d, recorded[i], replayed[i]);
        return d->differing > 0 ? DIFFERS : AGREES;
    }
    double rms = root_mean_square(recorded, count);
    double least = by_default < tolerance ? by_default : tolerance;
    d->measured = true;
    d->allowed = tolerance;
    for (size_t i = 0; !equal && i < count; i++) {
        double share = apart(recorded[i], replayed[i], rms);
        bool differs = least > 0 ? share > least : !same(recorded[i], replayed[i]);
        if (differs && note(d, i))
            show_floats(d, recorded[i], replayed[i]);
        if (share > d->worst)
            d->worst = share;
    }
    return d->differing == 0 ? AGREES : d->worst <= tolerance ? WITHIN : DIFFERS;
}

static verdict compare_words(const uint32_t *recorded, const uint32_t *replayed, size_t count,
                             difference *d)
{
    for (size_t i = 0; i < count; i++)
        if (recorded[i] != replayed[i] && note(d, i)) {
            snprintf(d->recorded_text, SHOWN, "%" PRIu32, recorded[i]);
            snprintf(d->replayed_text, SHOWN, "%" PRIu32, replayed[i]);
        }
    return d->differing > 0 ? DIFFERS : AGREES;
}

static verdict compare_codes(const int8_t *recorded, const int8_t *replayed, size_t count,
                             difference *d)
{
    if (count == 0 || memcmp(recorded, replayed, count) == 0)
        return AGREES;
    for (size_t i = 0; i < count; i++)
        if (recorded[i] != replayed[i] && note(d, i)) {
            snprintf(d->recorded_text, SHOWN, "%d", recorded[i]);
            snprintf(d->replayed_text, SHOWN, "%d", replayed[i]);
            snprintf(d->recorded_bits, SHOWN, "%02x", (unsigned)recorded[i] & 0xff);
            snprintf(d->replayed_bits, SHOWN, "%02x", (unsigned)replayed[i] & 0xff);
        }
    return DIFFERS;
}

static verdict compare_bytes(const uint8_t *recorded, const uint8_t *replayed, size_t count,
                             difference *d)
{
    for (size_t i = 0; i < count; i++)
        if (recorded[i] != replayed[i] && note(d, i)) {
            snprintf(d->recorded_text, SHOWN, "%u", (unsigned)recorded[i]);
            snprintf(d->replayed_text, SHOWN, "%u", (unsigned)replayed[i]);
            snprintf(d->recorded_bits, SHOWN, "%02x", (unsigned)recorded[i]);
            snprintf(d->replayed_bits, SHOWN, "%02x", (unsigned)replayed[i]);
        }
    return d->differing > 0 ? DIFFERS : AGREES;
}

static bool compare_number(replay *r, const json_member *m, const result *out, verdict *v,
                           difference *d)
{
    size_t recorded;
    if (!value_size(m, SIZE_MAX, &recorded, &r->problem))
        return false;
    d->recorded = 1;
    *v = recorded == out->number ? AGREES : DIFFERS;
    if (*v == DIFFERS && note(d, 0)) {
        snprintf(d->recorded_text, SHOWN, "%zu", recorded);
        snprintf(d->replayed_text, SHOWN, "%zu", out->number);
    }
    return true;
}

static bool compare_bool(replay *r, const json_member *m, const result *out, verdict *v,
                         difference *d)
{
    bool recorded;
    if (!value_is_bool(m, &recorded, &r->problem))
        return false;
    d->recorded = 1;
    *v = recorded == (out->number != 0) ? AGREES : DIFFERS;
    if (*v == DIFFERS && note(d, 0)) {
        strcpy(d->recorded_text, recorded ? "true" : "false");
        strcpy(d->replayed_text, recorded ? "false" : "true");
    }
    return true;
}

static bool compare_hash(replay *r, const call *c, const json_member *m, const result *out,
                         verdict *v, difference *d)
{
    uint64_t recorded, replayed = out->kind == OUT_BYTES ? byte_hash(out->bytes, out->count)
                                                         : float_hash(out->floats, out->count);
    if (c->op->attention)
        return fail(&r->problem,
                    "the \"out\" of %s may not be a hash: it is compared within a "
                    "tolerance",
                    c->op->name);
    if (!value_hash(m, &recorded, &r->problem))
        return false;
    d->kind = DIFF_HASH;
    d->recorded = out->count;
    *v = recorded == replayed ? AGREES : DIFFERS;
    snprintf(d->recorded_bits, SHOWN, "%016" PRIx64, recorded);
    snprintf(d->replayed_bits, SHOWN, "%016" PRIx64, replayed);
    return true;
}

static bool compare_array(replay *r, const call *c, const json_member *m, const result *out,
                          const rules *by, verdict *v, difference *d)
{
    const uint32_t *words;
    const int8_t *codes;
    const uint8_t *bytes;
    float *floats;
    double by_default = c->op->attention && !by->exact ? ATTENTION_TOLERANCE : 0;
    double asked = by->tolerance[c->op - operations];
    size_t both;
    switch (out->kind) {
    case OUT_WORDS:
        if (!value_words(&r->values, m, &words, &d->recorded))
            return false;
        both = d->recorded < out->count ? d->recorded : out->count;
        *v = compare_words(words, out->words, both, d);
        break;
    case OUT_CODES:
        if (!value_codes(&r->values, m, &codes, &d->recorded))
            return false;
        both = d->recorded < out->count ? d->recorded : out->count;
        *v = compare_codes(codes, out->codes, both, d);
        break;
    case OUT_BYTES:
        if (!value_bytes(&r->values, m, &bytes, &d->recorded))
            return false;
        both = d->recorded < out->count ? d->recorded : out->count;
        *v = compare_bytes(bytes, out->bytes, both, d);
        break;
    default:
        if (!value_floats(&r->values, m, false, &floats, &d->recorded))
            return false;
        both = d->recorded < out->count ? d->recorded : out->count;
        *v = compare_floats(floats, out->floats, both, asked < 0 ? by_default : asked, by_default,
                            d);
        break;
    }
    if (d->recorded != out->count) {
        d->kind = d->differing > 0 ? DIFF_ELEMENT : DIFF_LENGTH;
        *v = DIFFERS;
    }
    return true;
}

bool compare_output(replay *r, const call *c, size_t i, const rules *by, verdict *v, difference *d)
{
    const result *out = &c->out[i];
    const json_member *m = c->recorded[i];
    memset(d, 0, sizeof *d);
    if (c->status != NDL_OK) {
        d->kind = DIFF_REFUSED;
        *v = DIFFERS;
        return true;
    }
    if (!out->given)
        return fail(&r->problem, "\"%s\" is no output of %s in an f32 session", c->op->out[i].name,
                    c->op->name);
    d->element = out->kind;
    d->replayed = out->count;
    switch (out->kind) {
    case OUT_NUMBER:
        return compare_number(r, m, out, v, d);
    case OUT_BOOL:
        return compare_bool(r, m, out, v, d);
    case OUT_FLOATS:
    case OUT_BYTES:
        if (value_starts(m, "fnv1a64:"))
            return compare_hash(r, c, m, out, v, d);
        break;
    case OUT_WORDS:
    case OUT_CODES:
        break;
    }
    return compare_array(r, c, m, out, by, v, d);
}

verdict compare_status(const call *c, difference *d)
{
    const json_member *m = c->recorded_status;
    const char *status = ndl_status_name(c->status);
    memset(d, 0, sizeof *d);
    d->kind = DIFF_STATUS;
    d->recorded = d->replayed = 1;
    if (m->string_len == strlen(status) && memcmp(m->string, status, m->string_len) == 0)
        return AGREES;
    char q[QUOTED];
    d->differing = 1;
    snprintf(d->recorded_text, SHOWN, "%.40s", quoted(q, m->string, m->string_len));
    snprintf(d->replayed_text, SHOWN, "\"%s\"", status);
    return DIFFERS;
}
