#include "support.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t number_from(const char *name, uint64_t usual)
{
    const char *text = getenv(name);
    if (!text || !*text)
        return usual;
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 0);
    cr_assert(errno == 0 && *end == '\0', "%s is not a number: %s", name, text);
    return value;
}

uint64_t first_seed(void)
{
    return number_from("NDL_SEED", 20240229);
}

#ifndef __has_feature
#define __has_feature(x) 0
#endif

bool instrumented(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#else
    return false;
#endif
}

size_t case_count(size_t usual)
{
    return (size_t)number_from("NDL_CASES", instrumented() ? usual / 10 : usual);
}

static char crash_note[64];

static void print_crash_note(void)
{
    ssize_t written = write(STDERR_FILENO, crash_note, strlen(crash_note));
    (void)written;
}

static void on_crash(int sig)
{
    print_crash_note();
    signal(sig, SIG_DFL);
    raise(sig);
}

/* A sanitizer's report ends the process without a signal; where there is one
 * it offers this hook. */
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

/* Sanitizers ask these for options. Memory that cannot be had is what some tests
 * are about, and must not end them. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void)
{
    return "allocator_may_return_null=1";
}

void case_begin(uint64_t seed)
{
    if (!crash_note[0]) {
        static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
        for (size_t i = 0; i < COUNT(signals); i++)
            signal(signals[i], on_crash);
        if (__sanitizer_set_death_callback)
            __sanitizer_set_death_callback(print_crash_note);
    }
    snprintf(crash_note, sizeof crash_note, "crashed in the case of NDL_SEED=%llu NDL_CASES=1\n",
             (unsigned long long)seed);
}

/* ----------------------------------------------------------------- geometries */

ndl_geometry small_geometry(void)
{
    ndl_geometry g = {.vocab_size = 100,
                      .d_model = 1,
                      .num_heads = 1,
                      .num_kv_heads = 1,
                      .num_layers = 2,
                      .qk_head_dim = 1,
                      .v_head_dim = 1,
                      .max_seq_len = 8,
                      .sliding_window = 4,
                      .is_global = {0, 1},
                      .qkv_conv_taps = 3,
                      .engram = {.num_orders = 2,
                                 .orders = {2, 3},
                                 .heads = 1,
                                 .slots = 16,
                                 .sub_dim = 1,
                                 .num_sites = 1,
                                 .sites = {0},
                                 .conv_taps = 4,
                                 .conv_dilation = 3}};
    return g;
}

ndl_geometry shipped_geometry(void)
{
    ndl_geometry g = {.vocab_size = 8192,
                      .d_model = 768,
                      .num_heads = 12,
                      .num_kv_heads = 2,
                      .num_layers = 20,
                      .qk_head_dim = 48,
                      .v_head_dim = 64,
                      .max_seq_len = 8192,
                      .sliding_window = 1024,
                      .is_global = {[4] = 1, [9] = 1, [14] = 1, [19] = 1},
                      .qkv_conv_taps = 3,
                      .engram = {.num_orders = 2,
                                 .orders = {2, 3},
                                 .heads = 3,
                                 .slots = 18432,
                                 .sub_dim = 128,
                                 .num_sites = 5,
                                 .sites = {3, 7, 11, 15, 19},
                                 .conv_taps = 4,
                                 .conv_dilation = 3}};
    return g;
}

ndl_geometry rung_2_geometry(void)
{
    ndl_geometry g = shipped_geometry();
    g.num_layers = 2;
    memset(g.is_global, 0, sizeof g.is_global);
    g.is_global[1] = 1;
    memset(g.engram.sites, 0, sizeof g.engram.sites);
    g.engram.num_sites = 1;
    g.engram.sites[0] = 1;
    return g;
}

void apply_change(ndl_geometry *g, change c)
{
    memcpy((char *)g + c.offset, &c.value, sizeof c.value);
}

/* ----------------------------------------------------------------- assertions */

ndl_session *new_session(const ndl_geometry *g, const ndl_options *options)
{
    ndl_session *s = NULL;
    expect_ok(ndl_session_new(g, options, &s));
    cr_assert(s != NULL);
    return s;
}

ndl_span span_of(const ndl_session *s, size_t layer, size_t pos)
{
    ndl_span span = {0, 0};
    expect_ok(ndl_span_at(s, layer, pos, &span));
    return span;
}

void write_number(ndl_session *s, size_t layer, size_t pos, float k, float v)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    float key[64], value[64];
    size_t k_dim = ndl_geometry_k_dim(g), v_dim = ndl_geometry_v_dim(g);
    cr_assert(k_dim <= COUNT(key) && v_dim <= COUNT(value));
    for (size_t i = 0; i < k_dim; i++)
        key[i] = k;
    for (size_t i = 0; i < v_dim; i++)
        value[i] = v;
    expect_ok(ndl_write_kv(s, layer, pos, key, k_dim, value, v_dim));
}
