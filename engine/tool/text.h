/*
 * Words for people: what went wrong, sizes, floats, and other people's text made
 * safe to print. And memory that is simply there: the tool ends with a message
 * and status 2 when a small allocation fails, since nothing useful is left to do.
 */
#ifndef TOOL_TEXT_H
#define TOOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(at, first) __attribute__((format(printf, at, first)))
#else
#define PRINTF_LIKE(at, first)
#endif

/* Exit statuses, the same for every command; ndl check explains them. */
enum { EXIT_AGREE = 0, EXIT_DIFFERS = 1, EXIT_ERROR = 2, EXIT_NOTHING = 3 };

/* What is wrong with the input, without the file and line: the caller knows them. */
typedef struct problem {
    char text[512];
} problem;

/* Says what is wrong. */
void say_problem(problem *p, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same, and false, so that a check reads `return fail(...)`. Where it stands it
 * is seen to be false: analyses of one file tell the paths of success apart. */
#define fail(p, ...) (say_problem(p, __VA_ARGS__), false)

/* Other people's text between quotes: shortened, and with nothing that a
 * terminal would obey. Returns out. */
enum { QUOTED = 64 };
const char *quoted(char out[QUOTED], const char *text, size_t len);

/* A file's name as it is, but for what a terminal would obey: "a\x0ab". */
void print_name(FILE *out, const char *name);

/* Says "name:line: ..." on standard error; line 0: it is about none in particular. */
void say_about(const char *name, size_t line, const char *format, ...) PRINTF_LIKE(3, 4);

/* The shortest decimal that reads back as x, also by readers for which a number
 * without a point is an integer, which has no -0; "nan", "inf", "-inf". Returns out. */
enum { FLOAT_TEXT = 24 };
const char *float_text(char out[FLOAT_TEXT], float x);

/* A number of bytes as "1 byte", "512 bytes", "1.5 MiB". Returns out. */
enum { SIZE_TEXT = 24 };
const char *size_text(char out[SIZE_TEXT], size_t bytes);

/* "4096", "512M", "4G", "4GiB" as a number of bytes. */
bool size_parse(const char *text, size_t *out);

/* Decimal digits and nothing else as a number. */
typedef enum number_kind { NUMBER_OK, NUMBER_NOT, NUMBER_HUGE } number_kind;
number_kind number_parse(const char *text, size_t len, uint64_t max, uint64_t *out);

uint32_t float_bits(float x);
float float_from_bits(uint32_t bits);

/* Ends the program: size bytes could not be had. */
_Noreturn void out_of_memory(size_t size);
/* A stream; once it is closed *text is what was written, *len long. */
FILE *open_text(char **text, size_t *len);
void *get_memory(size_t size);
void *get_more(void *memory, size_t size);

#endif
