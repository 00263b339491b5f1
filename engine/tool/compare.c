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

static verdict compare_number(size_t recorded, size_t replayed, difference *d)
{
    d->recorded = 1;
    if (recorded == replayed)
        return AGREES;
    note(d, 0);
    snprintf(d->recorded_text, SHOWN, "%zu", recorded);
    snprintf(d->replayed_text, SHOWN, "%zu", replayed);
    return DIFFERS;
}

static verdict compare_bool(bool recorded, bool replayed, difference *d)
{
    d->recorded = 1;
    if (recorded == replayed)
        return AGREES;
    note(d, 0);
    strcpy(d->recorded_text, recorded ? "true" : "false");
    strcpy(d->replayed_text, recorded ? "false" : "true");
    return DIFFERS;
}

static verdict compare_hash(uint64_t recorded, const result *out, difference *d)
{
    uint64_t replayed = out->kind == OUT_BYTES ? byte_hash(out->bytes, out->count)
                                               : float_hash(out->floats, out->count);
    d->kind = DIFF_HASH;
    d->recorded = out->count;
    snprintf(d->recorded_bits, SHOWN, "%016" PRIx64, recorded);
    snprintf(d->replayed_bits, SHOWN, "%016" PRIx64, replayed);
    return recorded == replayed ? AGREES : DIFFERS;
}

static verdict compare_arrays(const result *recorded, const result *out, double tolerance,
                              double by_default, difference *d)
{
    size_t both = recorded->count < out->count ? recorded->count : out->count;
    verdict v;
    d->recorded = recorded->count;
    switch (out->kind) {
    case OUT_WORDS:
        v = compare_words(recorded->words, out->words, both, d);
        break;
    case OUT_CODES:
        v = compare_codes(recorded->codes, out->codes, both, d);
        break;
    case OUT_BYTES:
        v = compare_bytes(recorded->bytes, out->bytes, both, d);
        break;
    default:
        v = compare_floats(recorded->floats, out->floats, both, tolerance, by_default, d);
        break;
    }
    if (recorded->count == out->count)
        return v;
    d->kind = d->differing > 0 ? DIFF_ELEMENT : DIFF_LENGTH;
    return DIFFERS;
}

verdict compare_values(const recording *what, const result *out, double tolerance,
                       double by_default, difference *d)
{
    memset(d, 0, sizeof *d);
    d->element = out->kind;
    d->replayed = out->count;
    if (what->hashed)
        return compare_hash(what->hash, out, d);
    switch (out->kind) {
    case OUT_NUMBER:
        return compare_number(what->value.number, out->number, d);
    case OUT_BOOL:
        return compare_bool(what->value.number != 0, out->number != 0, d);
    default:
        return compare_arrays(&what->value, out, tolerance, by_default, d);
    }
}

static bool read_hash(replay *r, const call *c, const json_member *m, recording *what)
{
    if (c->op->attention)
        return fail(&r->problem,
                    "the \"out\" of %s may not be a hash: it is compared within a "
                    "tolerance",
                    c->op->name);
    what->hashed = true;
    return value_hash(m, &what->hash, &r->problem);
}

bool read_recording(replay *r, const call *c, size_t i, output_kind kind, recording *what)
{
    const json_member *m = c->recorded[i];
    result *value = &what->value;
    float *floats;
    bool yes;
    memset(what, 0, sizeof *what);
    value->kind = kind;
    value->given = true;
    value->count = 1;
    switch (kind) {
    case OUT_NUMBER:
        return value_size(m, SIZE_MAX, &value->number, &r->problem);
    case OUT_BOOL:
        if (!value_is_bool(m, &yes, &r->problem))
            return false;
        value->number = yes;
        return true;
    case OUT_WORDS:
        return value_words(&r->values, m, &value->words, &value->count);
    case OUT_CODES:
        return value_codes(&r->values, m, &value->codes, &value->count);
    case OUT_BYTES:
        if (value_starts(m, "fnv1a64:"))
            return read_hash(r, c, m, what);
        return value_bytes(&r->values, m, &value->bytes, &value->count);
    case OUT_FLOATS:
        break;
    }
    if (value_starts(m, "fnv1a64:"))
        return read_hash(r, c, m, what);
    if (!value_floats(&r->values, m, false, &floats, &value->count))
        return false;
    value->floats = floats;
    return true;
}

double default_tolerance(const operation *op, bool exact)
{
    return op->attention && !exact ? ATTENTION_TOLERANCE : 0;
}

bool compare_output(replay *r, const call *c, size_t i, const rules *by, verdict *v, difference *d)
{
    const result *out = &c->out[i];
    const double by_default = default_tolerance(c->op, by->exact);
    const double asked = by->tolerance[c->op - operations];
    recording what;
    if (c->status != NDL_OK) {
        memset(d, 0, sizeof *d);
        d->kind = DIFF_REFUSED;
        *v = DIFFERS;
        return true;
    }
    if (!out->given)
        return fail(&r->problem, "\"%s\" is no output of %s in an f32 session", c->op->out[i].name,
                    c->op->name);
    if (!read_recording(r, c, i, out->kind, &what))
        return false;
    *v = compare_values(&what, out, asked < 0 ? by_default : asked, by_default, d);
    return true;
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
