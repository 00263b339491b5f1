/*
 * Spans, what is lost and saturation, for any three numbers: the formulas in
 * arithmetic that is twice as wide; and each position of a span stored and in a slot
 * of its own. SPAN_001 SPAN_002 SPAN_003 KV_010 KV_011
 */
#include "input.h"
#include "span.h"
#include "target.h"

static wide_size at_most(wide_size a, wide_size b)
{
    return a < b ? a : b;
}

/* Slots of up to 64 positions of a span are met once each. */
static void check_slots(finding *f, ndl_span span, size_t slots)
{
    uint64_t met = 0;
    if (slots > 64)
        return;
    for (size_t i = 0; i <= span.hi - span.lo; i++) {
        size_t slot = (span.lo + i) % slots;
        if (met >> slot & 1)
            note(f, "SPAN_003: slot %zu holds two positions of %zu..%zu", slot, span.lo, span.hi);
        met |= UINT64_C(1) << slot;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, data + size};
    finding f = {""};
    size_t window = input_size(&in), slots = input_size(&in), pos = input_size(&in);
    if (slots == 0)
        slots = 1;
    if (pos == SIZE_MAX)
        pos--;
    wide_size width = at_most((wide_size)pos + 1, slots);
    width = window ? at_most(width, window) : width;
    ndl_span span = ndl_span_of(window, slots, pos);
    if (span.hi != pos || span.lo != pos + 1 - (size_t)width)
        note(&f, "SPAN_001_SPAN_002: window %zu, slots %zu, position %zu: %zu..%zu", window, slots,
             pos, span.lo, span.hi);
    else
        check_slots(&f, span, slots);
    wide_size held = window ? at_most(window, pos) : pos, lost = held > slots ? held - slots : 0;
    if (ndl_span_lost(window, slots, pos) != lost)
        note(&f, "KV_010: window %zu, slots %zu: of %zu positions %zu are lost", window, slots, pos,
             ndl_span_lost(window, slots, pos));
    if (ndl_span_saturated(window, slots, pos) != (window == 0 && slots < pos))
        note(&f, "KV_011: window %zu, slots %zu, position %zu", window, slots, pos);
    target_report("spans", &f, NULL);
    return 0;
}
