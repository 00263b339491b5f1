/* The mutations as AFL++ calls them, in a library that AFL_CUSTOM_MUTATOR_LIBRARY
 * names. AFL++ has its own mutations of bytes. */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf,
                       uint8_t *add_buf, size_t add_buf_size, size_t max_size);
void afl_custom_deinit(void *data);

typedef struct mutator {
    rng r;
    uint8_t *out;
    size_t room;
} mutator;

void *afl_custom_init(void *afl, unsigned seed)
{
    (void)afl;
    mutator *m = must_have(sizeof *m);
    *m = (mutator){.r = {seed}};
    return m;
}

size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf,
                       uint8_t *add_buf, size_t add_buf_size, size_t max_size)
{
    mutator *m = data;
    if (m->room < max_size) {
        free(m->out);
        m->out = must_have(max_size);
        m->room = max_size;
    }
    *out_buf = m->out;
    size_t made = 0;
    if (add_buf && rng_one_in(&m->r, 4))
        made = mutate_splice(buf, buf_size, add_buf, add_buf_size, m->out, max_size, &m->r);
    if (made)
        return made;
    memcpy(m->out, buf, buf_size);
    made = mutate_session(m->out, buf_size, max_size, &m->r);
    if (made)
        return made;
    *out_buf = buf;
    return buf_size;
}

void afl_custom_deinit(void *data)
{
    mutator *m = data;
    free(m->out);
    free(m);
}
