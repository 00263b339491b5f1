/* The report for people. */
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LABEL = 10 }; /* the width of what stands before a value */

/* Colours are for terminals whose owner does not mind (no-color.org). */
static bool in_colour(const report *r)
{
    const char *no = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return (no == NULL || *no == '\0') && (terminal == NULL || strcmp(terminal, "dumb") != 0) &&
           isatty(fileno(r->out));
}

static const char *red(const report *r)
{
    return in_colour(r) ? "\033[1;31m" : "";
}

static const char *green(const report *r)
{
    return in_colour(r) ? "\033[32m" : "";
}

static const char *plain(const report *r)
{
    return in_colour(r) ? "\033[0m" : "";
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void file_begin(report *r, const char *file)
{
    (void)r;
    (void)file;
}

/* Warnings and errors go beside the report, so that a pipe holds the report alone. */
static void warning(report *r, const char *file, size_t line, warning_kind kind, const char *text)
{
    if (!r->show_warnings)
        return;
    fflush(r->out);
    say_about(file, line, "%s: %s", kind == WARNING_USAGE ? "usage" : "warning", text);
}

static void error(report *r, const char *file, size_t line, const char *text)
{
    fflush(r->out);
    say_about(file, line, "%s", text);
}

static void say_where(report *r, const call *c, size_t output, const difference *d)
{
    place places[MOST_PLACES];
    char q[QUOTED];
    size_t n = find_places(c, output, d->first, places), said = 0;
    bool element = output != STATUS_OUTPUT && c->out[output].count > 1 && d->kind == DIFF_ELEMENT;
    size_t whole = 0;
    while (whole < n && places[whole].of_element)
        whole++;
    if (whole == n && !element)
        return;
    fprintf(r->out, "    %-*s", LABEL, "where");
    for (size_t i = 0; i < n; i++) {
        if (places[i].of_element && !element)
            continue;
        fprintf(r->out, "%s%s ", said++ == 0 ? "" : ", ", places[i].name);
        if (places[i].text == NULL)
            fprintf(r->out, "%zu", places[i].number);
        else if (strcmp(places[i].name, "which") == 0)
            fprintf(r->out, "%.*s", (int)places[i].len, places[i].text);
        else
            fprintf(r->out, "%s", quoted(q, places[i].text, places[i].len));
    }
    if (element)
        fprintf(r->out, "%selement %zu", said == 0 ? "" : ", ", d->first);
    fprintf(r->out, "\n");
}

/* The vector behind a hash: its ends, or all of it if it is short. */
static void say_vector(report *r, const result *out)
{
    enum { HEAD = 6, TAIL = 2 };
    char text[FLOAT_TEXT];
    fprintf(r->out, "    %-*s%zu elements:", LABEL, r->against, out->count);
    for (size_t i = 0; i < out->count; i++) {
        if (i == HEAD && out->count > HEAD + TAIL) {
            fprintf(r->out, " ...");
            i = out->count - TAIL;
        }
        fprintf(r->out, " %s", element_text(text, out, i));
    }
    fprintf(r->out, "\n");
}

static void say_value(report *r, const char *whose, const char *text, const char *bits)
{
    fprintf(r->out, "    %-*s%s%s%s\n", LABEL, whose, text, *bits == '\0' ? "" : "  ", bits);
}

static void say_values(report *r, const call *c, size_t output, const difference *d)
{
    const bool is_bytes = d->element == OUT_BYTES;
    switch (d->kind) {
    case DIFF_ELEMENT:
    case DIFF_STATUS:
        say_value(r, "recorded", d->recorded_text, d->recorded_bits);
        say_value(r, r->against, d->replayed_text, d->replayed_bits);
        if (d->has_distance)
            fprintf(r->out, "    %-*s%" PRIu64 " ulp\n", LABEL, "distance", d->distance);
        if (d->measured)
            fprintf(r->out, "    %-*s%.3g of the root mean square, %.3g is allowed\n", LABEL,
                    "farthest", d->worst, d->allowed);
        break;
    case DIFF_LENGTH:
        fprintf(r->out, "    %-*s%zu element%s\n", LABEL, "recorded", d->recorded,
                plural(d->recorded));
        fprintf(r->out, "    %-*s%zu element%s; those that both have agree\n", LABEL, r->against,
                d->replayed, plural(d->replayed));
        break;
    case DIFF_HASH:
        fprintf(r->out, "    %-*s%s\n", LABEL, "recorded", d->recorded_bits);
        fprintf(r->out, "    %-*s%s\n", LABEL, r->against, d->replayed_bits);
        say_vector(r, &c->out[output]);
        fprintf(r->out,
                "    %-*sto see which element differs, record \"%s\" in full: \"%s:\" and the "
                "base64 of the %s\n",
                LABEL, "in full", output_name(c, output), is_bytes ? "u8" : "f32",
                is_bytes ? "bytes" : "little-endian floats");
        break;
    case DIFF_REFUSED:
        fprintf(r->out, "    %-*sa value\n", LABEL, "recorded");
        fprintf(r->out, "    %-*srefuses the call: %s\n", LABEL, r->against,
                ndl_status_text(c->status));
        break;
    }
}

static void mismatch(report *r, const char *file, const call *c, size_t output, verdict v,
                     const difference *d)
{
    const char *claim = claim_of(c, output);
    print_name(r->out, file);
    fprintf(r->out, ":%zu: operation %zu, %s: %s\"%s\" ", c->line, c->number, c->op->name,
            v == DIFFERS ? red(r) : "", output_name(c, output));
    if (v == WITHIN)
        fprintf(r->out, "is within %.3g, not equal", d->allowed);
    else
        fprintf(r->out, "differs%s", plain(r));
    if (d->kind == DIFF_ELEMENT && d->replayed > 1)
        fprintf(r->out, " in %zu of %zu elements", d->differing, d->replayed);
    if (d->recorded != d->replayed && d->kind == DIFF_ELEMENT)
        fprintf(r->out, "; %zu are recorded", d->recorded);
    fprintf(r->out, "\n");
    say_where(r, c, output, d);
    say_values(r, c, output, d);
    fprintf(r->out, "    %-*s%s, %s\n", LABEL, "rule", claim, chapter_of(claim));
}

static void say_tally(report *r, const tally *t)
{
    fprintf(r->out, "%zu output%s compared, %zu operation%s without, %zu differ%s", t->compared,
            plural(t->compared), t->without, plural(t->without), t->differing,
            t->differing == 1 ? "s" : "");
    if (t->within > 0)
        fprintf(r->out, ", %zu within a tolerance and not equal", t->within);
    if (t->attended)
        fprintf(r->out, "; attention at worst %.3g of the root mean square", t->worst);
    if (t->usage > 0)
        fprintf(r->out, "; %zu usage warning%s", t->usage, plural(t->usage));
}

static void say_word(report *r, int status)
{
    bool good = status == EXIT_AGREE;
    fprintf(r->out, "%s%s%s", good ? green(r) : red(r), status_word(status), plain(r));
}

static void file_end(report *r, const char *file, const tally *t, int status)
{
    size_t all = t->differing + t->within;
    if (all > r->max_mismatches) {
        print_name(r->out, file);
        fprintf(r->out, ": %zu of the %zu that differ %s shown (--max-mismatches)\n",
                r->max_mismatches, all, r->max_mismatches == 1 ? "is" : "are");
    }
    if (r->show_warnings && t->usage + t->unknown > r->max_warnings) {
        fflush(r->out);
        say_about(file, 0, "%zu warnings in all, of which the first %zu are shown",
                  t->usage + t->unknown, r->max_warnings);
    }
    if (r->quiet && status == EXIT_AGREE)
        return;
    print_name(r->out, file);
    fputs(": ", r->out);
    say_word(r, status);
    fprintf(r->out, ": ");
    say_tally(r, t);
    fprintf(r->out, "\n");
}

static void end(report *r, const tally *total, size_t files, const size_t by_status[4], int status)
{
    if (r->quiet && status == EXIT_AGREE)
        return;
    fprintf(r->out, "total: ");
    say_word(r, status);
    fprintf(r->out, ": %zu file%s", files, plural(files));
    static const int order[] = {EXIT_ERROR, EXIT_DIFFERS, EXIT_NOTHING};
    for (size_t i = 0; i < 3; i++)
        if (by_status[order[i]] > 0)
            fprintf(r->out, " (%zu %s)", by_status[order[i]], status_word(order[i]));
    fprintf(r->out, ", ");
    say_tally(r, total);
    fprintf(r->out, "\n");
}

void report_to_people(report *r)
{
    r->file_begin = file_begin;
    r->warning = warning;
    r->mismatch = mismatch;
    r->error = error;
    r->file_end = file_end;
    r->end = end;
}
