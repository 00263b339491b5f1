#include "fingerprint_world.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void finding(fingerprints *f, size_t at, const char *kind, const char *format, ...)
{
    char text[PRINT_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->all[i].text, text) == 0) {
            f->all[i].times++;
            return;
        }
    if (f->count == MOST_PRINTS)
        return;
    fingerprint *one = &f->all[f->count++];
    one->entry = at;
    one->times = 1;
    one->kind = kind;
    memcpy(one->text, text, sizeof text);
}

static void print_flag(fingerprints *f, const tape *t, size_t at)
{
    const entry *e = &t->entries[at];
    const char *name = entry_call(t, e)->op->name;
    size_t is = e->recorded.value.number, right = e->right.number;
    if (strcmp(name, "is_saturated") == 0)
        finding(f, at, "saturation",
                right != 0 ? "a ring is at its cap and it is not reported"
                           : "no ring is at its cap and one is reported");
    else if (strcmp(name, "lost") == 0)
        finding(f, at, "lost", "%zu positions of the window are said to be lost, not %zu", is,
                right);
    else if (strcmp(name, "advance") == 0 && right - is < 2)
        finding(f, at, "position", "the position is one behind");
    else if (strcmp(name, "advance") == 0 && is - right < 2)
        finding(f, at, "position", "the position is one ahead");
}

/* One entry that is not as it should be. */
static void print_entry(fingerprints *f, const tape *t, size_t at, const world *w)
{
    const entry *e = &t->entries[at];
    const call *c = entry_call(t, e);
    const char *name = c->op->name, *out = c->op->out[e->output].name;
    if (strcmp(name, "conv_step") == 0 || strcmp(name, "engram_conv_step") == 0 ||
        strcmp(name, "prefill_conv") == 0 || strcmp(name, "prefill_engram") == 0)
        print_taps(f, t, at, w);
    else if (strcmp(name, "tail") == 0)
        print_tail(f, t, at, w);
    else if (strcmp(out, "k_scale") == 0 || strcmp(out, "v_scale") == 0)
        print_scales(f, t, at, w);
    else if (strcmp(out, "k") == 0 || strcmp(out, "v") == 0) {
        print_store(f, t, at, w);
        print_codes(f, t, at, w);
    } else if (strcmp(name, "quantize_rows") == 0 || strcmp(name, "fake_quant") == 0)
        print_quantised(f, t, at);
    else if (strcmp(name, "span") == 0)
        print_span(f, t, at);
    else if (strcmp(out, "slots") == 0)
        print_slots(f, t, at);
    else if (strcmp(name, "attend_step") == 0)
        print_attention(f, t, at, w);
    else if (strcmp(name, "attend_sequence") == 0)
        print_sequence(f, t, at);
    else if (strcmp(out, "history") == 0)
        print_history(f, t, at, w);
    else if (strcmp(out, "indices") == 0)
        print_indices(f, t, at, w);
    else
        print_flag(f, t, at);
}

/* An operation's output is looked into so many times: what is wrong is soon seen. */
enum { MOST_LOOKS = 24 };

void fingerprints_of(fingerprints *f, const tape *t)
{
    size_t looks[MOST_OPERATIONS][MOST_OUTPUTS];
    worlds all;
    size_t at = 0;
    memset(f, 0, sizeof *f);
    memset(looks, 0, sizeof looks);
    worlds_begin(&all, t);
    for (size_t i = 0; i < t->call_count && f->count < MOST_PRINTS; i++) {
        const call *c = &t->calls[i];
        bool before = strcmp(c->op->name, "load") == 0 || strcmp(c->op->name, "restore") == 0;
        /* Outputs are of what a call has done, but a convolution's own row comes after. */
        bool convolves = c->op->floats && strstr(c->op->name, "conv") != NULL;
        convolves = convolves || strstr(c->op->name, "prefill") != NULL;
        if (!convolves || before)
            worlds_add(&all, c);
        for (; at < t->entry_count && t->entries[at].call == i; at++) {
            const entry *e = &t->entries[at];
            if (e->right_agrees || e->output == STATUS_OF || e->recorded.hashed || !e->right.given)
                continue;
            if (looks[c->op - operations][e->output]++ < MOST_LOOKS)
                print_entry(f, t, at, c->op->stateless ? NULL : worlds_of(&all, c));
        }
        if (convolves && !before)
            worlds_add(&all, c);
    }
    worlds_end(&all);
}
