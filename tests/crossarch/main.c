/*
 * main PACK: plays the sessions of a pack and prints their digests, a line for
 * each session and kind of output. Linked with the engine and nothing else, so
 * that a toolchain and a C library are all that a machine needs.
 *
 * Each session is played twice: as new, and after a reset, going on in a clone
 * from half way. Both must give the same, or the status is 1; it is 2 where
 * something cannot be read or the engine refuses a call.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "play.h"

#include <stdio.h>
#include <stdlib.h>

static void go_on_in_clone(player *p)
{
    ndl_session *clone = NULL;

    expect_ok(p, ndl_session_clone(p->session, &clone));
    ndl_session_free(p->session);
    p->session = clone;
}

static tally play(player *p, size_t calls, bool in_clone)
{
    tally out = tally_new();

    p->out = &out;
    p->tensors = 0;
    for (size_t i = 0; i < calls; i++) {
        if (in_clone && i == calls / 2)
            go_on_in_clone(p);
        play_call(p);
    }
    for (size_t i = 0; i < p->tensors; i++)
        free(p->tensor[i].data);
    p->out = NULL;
    return out;
}

/* Whether it was the same both times. */
static bool session(pack *in)
{
    bool same = true;
    char *name = pack_text(in);
    player p = {.name = name, .in = in, .numerics = (ndl_numerics)pack_word(in)};

    if (pack_word(in) != 0) {
        ndl_options options = {.precision = (ndl_precision)pack_word(in), .numerics = p.numerics};

        options.hint = pack_word(in);
        const ndl_geometry g = play_geometry(in);
        expect_ok(&p, ndl_session_new(&g, &options, &p.session));
    }
    const size_t calls = pack_word(in), first = in->at;
    const tally once = play(&p, calls, false);
    if (p.session != NULL) {
        expect_ok(&p, ndl_session_reset(p.session));
        in->at = first;
        const tally again = play(&p, calls, true);
        same = tally_equal(&once, &again);
        if (!same)
            fprintf(stderr, "crossarch: %s: not the same after a reset and in a clone\n", name);
    }
    tally_print(&once, name);
    ndl_session_free(p.session);
    free(name);
    return same;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: crossarch PACK\n");
        return 2;
    }
    pack in = pack_read(argv[1]);
    if (in.words < 2 || pack_word(&in) != PACK_MAGIC)
        die("is no pack", argv[1]);
    bool same = true;
    for (size_t n = pack_word(&in); n > 0; n--)
        same = session(&in) && same;
    free(in.bytes);
    return same ? 0 : 1;
}
