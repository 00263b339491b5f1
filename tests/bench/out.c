#include "out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>

static yajl_gen gen;

static void good(yajl_gen_status status)
{
    if (status == yajl_gen_status_ok)
        return;
    fprintf(stderr, "bench: the results cannot be written as JSON (%d)\n", (int)status);
    exit(2);
}

static void string(const char *s)
{
    good(yajl_gen_string(gen, (const unsigned char *)s, strlen(s)));
}

static void name(const char *key)
{
    if (key != NULL)
        string(key);
}

static void print(void *context, const char *s, size_t n)
{
    (void)context;
    fwrite(s, 1, n, stdout);
}

void out_begin(void)
{
    gen = yajl_gen_alloc(NULL);
    if (gen == NULL) {
        fprintf(stderr, "bench: out of memory\n");
        exit(2);
    }
    yajl_gen_config(gen, yajl_gen_beautify, 1);
    yajl_gen_config(gen, yajl_gen_print_callback, print, NULL);
    good(yajl_gen_map_open(gen));
}

bool out_end(void)
{
    good(yajl_gen_map_close(gen));
    yajl_gen_free(gen);
    return fflush(stdout) == 0 && !ferror(stdout);
}

void out_object(const char *key)
{
    name(key);
    good(yajl_gen_map_open(gen));
}

void out_array(const char *key)
{
    name(key);
    good(yajl_gen_array_open(gen));
}

void out_close_object(void)
{
    good(yajl_gen_map_close(gen));
}

void out_close_array(void)
{
    good(yajl_gen_array_close(gen));
}

void out_text(const char *key, const char *value)
{
    name(key);
    string(value);
}

void out_flag(const char *key, bool value)
{
    name(key);
    good(yajl_gen_bool(gen, value));
}

void out_count(const char *key, size_t n)
{
    name(key);
    good(yajl_gen_integer(gen, (long long)n));
}

void out_number(const char *key, double value)
{
    char digits[32];
    const int n = snprintf(digits, sizeof digits, "%.6g", value);

    name(key);
    good(yajl_gen_number(gen, digits, (size_t)n));
}

void out_summary(const char *key, summary s)
{
    out_object(key);
    out_number("median", s.median);
    out_number("low", s.low);
    out_number("high", s.high);
    out_close_object();
}
