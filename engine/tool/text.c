#include "text.h"

#include "utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void say_problem(problem *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(p->text, sizeof p->text, format, args);
    va_end(args);
}

const char *quoted(char out[QUOTED], const char *text, size_t len)
{
    size_t n = 0;
    out[n++] = '"';
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        bool plain = c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
        size_t need = plain ? 1 : 4;
        /* Room for this, or for the dots that say something is missing. */
        if (n + need + (i + 1 < len ? 4 : 1) >= QUOTED) {
            memcpy(out + n, "...", 3);
            n += 3;
            break;
        }
        if (plain)
            out[n] = (char)c;
        else
            snprintf(out + n, 5, "\\x%02x", c);
        n += need;
    }
    out[n++] = '"';
    out[n] = '\0';
    return out;
}

/* How many bytes of a name are one character that is safe to print; 0: this one is not. */
static size_t printable(const char *at, size_t len)
{
    const unsigned char c = (unsigned char)at[0];
    if (c < 0x80)
        return c >= 0x20 && c != 0x7f;
    /* U+0080 to U+009F are what escape sequences begin with, too. */
    const bool control = c == 0xc2 && len > 1 && (unsigned char)at[1] < 0xa0;
    for (size_t n = 2; n <= 4 && n <= len && !control; n++)
        if (utf8_valid(at, n) == n)
            return n;
    return 0;
}

void print_name(FILE *out, const char *name)
{
    const size_t len = strlen(name);
    if (len == 0)
        fputs("\"\"", out);
    for (size_t i = 0; i < len; i++) {
        size_t run = 0, n;
        while (i + run < len && (n = printable(name + i + run, len - i - run)) > 0)
            run += n;
        fwrite(name + i, 1, run, out);
        i += run;
        if (i < len)
            fprintf(out, "\\x%02x", (unsigned char)name[i]);
    }
}

void say_about(const char *name, size_t line, const char *format, ...)
{
    va_list args;
    char *text;
    size_t size;
    /* Whole lines, also where several programs share one standard error. */
    FILE *whole = open_memstream(&text, &size);
    FILE *out = whole != NULL ? whole : stderr;
    print_name(out, name);
    if (line > 0)
        fprintf(out, ":%zu", line);
    fputs(": ", out);
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    fputc('\n', out);
    if (whole == NULL || fclose(whole) != 0)
        return;
    fwrite(text, 1, size, stderr);
    free(text);
}

uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

float float_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

const char *float_text(char out[FLOAT_TEXT], float x)
{
    uint32_t bits = float_bits(x);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return strcpy(out, "nan");
    if ((bits & 0x7fffffff) == 0x7f800000)
        return strcpy(out, bits >> 31 ? "-inf" : "inf");
    if (bits == 0x80000000)
        return strcpy(out, "-0.0");
    /* Nine significant digits tell all binary32 numbers apart. */
    int digits = 1;
    for (; digits < 9; digits++) {
        snprintf(out, FLOAT_TEXT, "%.*e", digits - 1, (double)x);
        if (float_bits(strtof(out, NULL)) == bits)
            break;
    }
    snprintf(out, FLOAT_TEXT, "%.*e", digits - 1, (double)x);
    /* 10 rather than 1e+01. */
    long exponent = strtol(strchr(out, 'e') + 1, NULL, 10);
    if (exponent >= digits && exponent < 9)
        digits = (int)exponent + 1;
    snprintf(out, FLOAT_TEXT, "%.*g", digits, (double)x);
    return out;
}

const char *size_text(char out[SIZE_TEXT], size_t bytes)
{
    static const char *const unit[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) {
        snprintf(out, SIZE_TEXT, "%zu byte%s", bytes, bytes == 1 ? "" : "s");
        return out;
    }
    double scaled = (double)bytes / 1024;
    size_t u = 0;
    while (scaled >= 1024 && u + 1 < sizeof unit / sizeof unit[0]) {
        scaled /= 1024;
        u++;
    }
    snprintf(out, SIZE_TEXT, "%.4g %s", scaled, unit[u]);
    return out;
}

number_kind number_parse(const char *text, size_t len, uint64_t max, uint64_t *out)
{
    uint64_t n = 0;
    bool huge = false;
    if (len == 0)
        return NUMBER_NOT;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return NUMBER_NOT;
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (n > (UINT64_MAX - digit) / 10)
            huge = true;
        else
            n = n * 10 + digit;
    }
    if (huge || n > max)
        return NUMBER_HUGE;
    *out = n;
    return NUMBER_OK;
}

bool size_parse(const char *text, size_t *out)
{
    size_t digits = strspn(text, "0123456789");
    uint64_t n;
    if (number_parse(text, digits, SIZE_MAX, &n) != NUMBER_OK)
        return false;
    const char *unit = text + digits;
    unsigned shift = 0;
    if (*unit != '\0') {
        const char *letters = "KMGT";
        const char *at = strchr(letters, *unit);
        if (at == NULL)
            return false;
        shift = 10 * (unsigned)(at - letters + 1);
        if (strcmp(unit + 1, "") != 0 && strcmp(unit + 1, "iB") != 0)
            return false;
    }
    if (n > SIZE_MAX >> shift)
        return false;
    *out = (size_t)n << shift;
    return true;
}

void out_of_memory(size_t size)
{
    char text[SIZE_TEXT];
    fprintf(stderr, "ndl: out of memory: %s cannot be had\n", size_text(text, size));
    exit(EXIT_ERROR);
}

FILE *open_text(char **text, size_t *len)
{
    FILE *out = open_memstream(text, len);
    if (out == NULL)
        out_of_memory(1);
    return out;
}

void *get_memory(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL)
        out_of_memory(size);
    return memory;
}

void *get_more(void *memory, size_t size)
{
    void *more = realloc(memory, size);
    if (more == NULL)
        out_of_memory(size);
    return more;
}
