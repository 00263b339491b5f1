/*
 * The report for programs: one JSON document, written as the replay goes on.
 *
 *   {"ndl": version, "against": "engine" | "reference",
 *    "files": [{"file", "findings": [finding...], "status", "exit", counts...}],
 *    "total": {"files", "agree", "differ", "error", "nothing", counts...},
 *    "exit": the exit status}
 *
 * counts: "operations", "compared", "without", "differing", "within", "usage",
 * "unknown", and "attention", {"worst", "line"} or null.
 * A finding has "kind" and "line" (null: none in particular), and
 *   "usage", "warning", "error":  "message"
 *   "mismatch", "within":  "operation", "op", "output", "where" {...}, "how", what
 *     belongs to that, "claim", "chapter"; how is one of
 *     "element": "element", "elements", "differing", "recorded_elements",
 *        "recorded" and "replayed" {"decimal", "bits"}, "ulp", "worst", "allowed"
 *     "length": "elements", "recorded_elements"
 *     "hash": "recorded", "replayed" {"bits"}, "elements", "vector" (its first 64)
 *     "status": "recorded", "replayed" {"decimal", "bits"}
 *     "refused": "status"
 * Values are strings, since JSON has no word for most of the interesting ones.
 */
#include "report.h"

#include "sanitize.h"
#include "yajl_memory.h"

#include <inttypes.h>
#include <string.h>
#include <yajl/yajl_gen.h>

enum { VECTOR = 64 };

static void print(void *context, const char *text, size_t len)
{
    WRITTEN(text, len); /* it may lie on yajl's stack */
    fwrite(text, 1, len, context);
}

static void string_of(yajl_gen g, const char *text, size_t len)
{
    /* A path may be no UTF-8, and then stands here as ASCII. */
    char q[QUOTED];
    if (yajl_gen_string(g, (const unsigned char *)text, len) == yajl_gen_invalid_string) {
        quoted(q, text, len);
        yajl_gen_string(g, (const unsigned char *)q, strlen(q));
    }
}

static void string(yajl_gen g, const char *text)
{
    string_of(g, text, strlen(text));
}

static void number(yajl_gen g, uint64_t n)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, n);
    yajl_gen_number(g, text, strlen(text));
}

static void put_string(yajl_gen g, const char *name, const char *text)
{
    string(g, name);
    string(g, text);
}

static void put_number(yajl_gen g, const char *name, uint64_t n)
{
    string(g, name);
    number(g, n);
}

static void put_line(yajl_gen g, const char *name, size_t line)
{
    string(g, name);
    if (line > 0)
        number(g, line);
    else
        yajl_gen_null(g);
}

/* A share may be infinite, which is no JSON number. */
static void put_share(yajl_gen g, const char *name, double share)
{
    char text[32];
    string(g, name);
    snprintf(text, sizeof text, "%.6g", share);
    if (strpbrk(text, "in") != NULL)
        string(g, text);
    else
        yajl_gen_number(g, text, strlen(text));
}

static void put_value(yajl_gen g, const char *name, const char *decimal, const char *bits)
{
    string(g, name);
    yajl_gen_map_open(g);
    if (*decimal != '\0')
        put_string(g, "decimal", decimal);
    if (*bits != '\0')
        put_string(g, "bits", bits);
    yajl_gen_map_close(g);
}

static void put_counts(yajl_gen g, const tally *t)
{
    put_number(g, "operations", t->operations);
    put_number(g, "compared", t->compared);
    put_number(g, "without", t->without);
    put_number(g, "differing", t->differing);
    put_number(g, "within", t->within);
    put_number(g, "usage", t->usage);
    put_number(g, "unknown", t->unknown);
    string(g, "attention");
    if (t->attended) {
        yajl_gen_map_open(g);
        put_share(g, "worst", t->worst);
        put_line(g, "line", t->worst_line);
        yajl_gen_map_close(g);
    } else {
        yajl_gen_null(g);
    }
}

static void file_begin(report *r, const char *file)
{
    yajl_gen g = r->json;
    yajl_gen_map_open(g);
    put_string(g, "file", file);
    string(g, "findings");
    yajl_gen_array_open(g);
}

static void message(yajl_gen g, const char *kind, size_t line, const char *text)
{
    yajl_gen_map_open(g);
    put_string(g, "kind", kind);
    put_line(g, "line", line);
    put_string(g, "message", text);
    yajl_gen_map_close(g);
}

static void warning(report *r, const char *file, size_t line, warning_kind kind, const char *text)
{
    (void)file;
    message(r->json, kind == WARNING_USAGE ? "usage" : "warning", line, text);
}

static void error(report *r, const char *file, size_t line, const char *text)
{
    (void)file;
    message(r->json, "error", line, text);
}

static void put_places(yajl_gen g, const call *c, size_t output, const difference *d)
{
    place places[MOST_PLACES];
    size_t n = find_places(c, output, d->first, places);
    string(g, "where");
    yajl_gen_map_open(g);
    for (size_t i = 0; i < n; i++) {
        if (places[i].of_element && d->kind != DIFF_ELEMENT)
            continue;
        string(g, places[i].name);
        if (places[i].text == NULL)
            number(g, places[i].number);
        else
            string_of(g, places[i].text, places[i].len);
    }
    yajl_gen_map_close(g);
}

static void put_vector(yajl_gen g, const result *out)
{
    char text[FLOAT_TEXT];
    string(g, "vector");
    yajl_gen_array_open(g);
    for (size_t i = 0; i < out->count && i < VECTOR; i++)
        string(g, element_text(text, out, i));
    yajl_gen_array_close(g);
}

static void put_difference(yajl_gen g, const call *c, size_t output, const difference *d)
{
    switch (d->kind) {
    case DIFF_ELEMENT:
        put_string(g, "how", "element");
        put_number(g, "element", d->first);
        put_number(g, "elements", d->replayed);
        put_number(g, "recorded_elements", d->recorded);
        put_number(g, "differing", d->differing);
        put_value(g, "recorded", d->recorded_text, d->recorded_bits);
        put_value(g, "replayed", d->replayed_text, d->replayed_bits);
        if (d->has_distance)
            put_number(g, "ulp", d->distance);
        if (d->measured) {
            put_share(g, "worst", d->worst);
            put_share(g, "allowed", d->allowed);
        }
        break;
    case DIFF_LENGTH:
        put_string(g, "how", "length");
        put_number(g, "elements", d->replayed);
        put_number(g, "recorded_elements", d->recorded);
        break;
    case DIFF_HASH:
        put_string(g, "how", "hash");
        put_value(g, "recorded", "", d->recorded_bits);
        put_value(g, "replayed", "", d->replayed_bits);
        put_number(g, "elements", d->replayed);
        put_vector(g, &c->out[output]);
        break;
    case DIFF_STATUS:
        put_string(g, "how", "status");
        put_value(g, "recorded", d->recorded_text, "");
        put_value(g, "replayed", d->replayed_text, "");
        break;
    case DIFF_REFUSED:
        put_string(g, "how", "refused");
        put_string(g, "status", ndl_status_name(c->status));
        break;
    }
}

static void mismatch(report *r, const char *file, const call *c, size_t output, verdict v,
                     const difference *d)
{
    (void)file;
    yajl_gen g = r->json;
    const char *claim = claim_of(c, output);
    yajl_gen_map_open(g);
    put_string(g, "kind", v == WITHIN ? "within" : "mismatch");
    put_line(g, "line", c->line);
    put_number(g, "operation", c->number);
    put_string(g, "op", c->op->name);
    put_string(g, "output", output_name(c, output));
    put_places(g, c, output, d);
    put_difference(g, c, output, d);
    put_string(g, "claim", claim);
    put_string(g, "chapter", chapter_of(claim));
    yajl_gen_map_close(g);
}

static void file_end(report *r, const char *file, const tally *t, int status)
{
    (void)file;
    yajl_gen g = r->json;
    yajl_gen_array_close(g);
    put_string(g, "status", status_word(status));
    put_number(g, "exit", (uint64_t)status);
    put_counts(g, t);
    yajl_gen_map_close(g);
}

static void end(report *r, const tally *total, size_t files, const size_t by_status[4], int status)
{
    yajl_gen g = r->json;
    yajl_gen_array_close(g);
    string(g, "total");
    yajl_gen_map_open(g);
    put_number(g, "files", files);
    put_number(g, "agree", by_status[EXIT_AGREE]);
    put_number(g, "differ", by_status[EXIT_DIFFERS]);
    put_number(g, "error", by_status[EXIT_ERROR]);
    put_number(g, "nothing", by_status[EXIT_NOTHING]);
    put_counts(g, total);
    yajl_gen_map_close(g);
    put_number(g, "exit", (uint64_t)status);
    yajl_gen_map_close(g);
    yajl_gen_free(g);
    r->json = NULL;
}

void report_to_programs(report *r)
{
    yajl_gen g = yajl_gen_alloc(&yajl_memory);
    yajl_gen_config(g, yajl_gen_print_callback, print, r->out);
    yajl_gen_config(g, yajl_gen_beautify, 1);
    yajl_gen_config(g, yajl_gen_indent_string, "  ");
    yajl_gen_config(g, yajl_gen_validate_utf8, 1);
    r->json = g;
    r->file_begin = file_begin;
    r->warning = warning;
    r->mismatch = mismatch;
    r->error = error;
    r->file_end = file_end;
    r->end = end;
    yajl_gen_map_open(g);
    put_string(g, "ndl", NDL_VERSION);
    put_string(g, "against", r->against);
    string(g, "files");
    yajl_gen_array_open(g);
}
