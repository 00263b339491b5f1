/*
 * Runs Criterion's tests without Criterion: its runner maps memory where a
 * sanitizer that shadows all addresses does not allow it. The tests' objects
 * are the same; what they need of the library is here. Tests run one after the
 * other in this process, and a failed assertion ends its test alone.
 *
 *   runner [--filter SUITE/NAME]     (shell patterns)
 */
#include <criterion/criterion.h>

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the linker puts the tests that the Test macro registers. */
extern struct criterion_test *__start_cr_tst[], *__stop_cr_tst[];

struct criterion_options criterion_options;

static jmp_buf end_of_test;
static bool failed, skipped;

int cr_asprintf(char **out, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    *out = n < 0 ? NULL : malloc((size_t)n + 1);
    if (*out)
        vsnprintf(*out, (size_t)n + 1, format, again);
    va_end(again);
    return n;
}

void cr_asprintf_free(char *text)
{
    free(text);
}

/* The text that follows is the expression; Criterion words it more kindly. */
char *cr_translate_assert_msg(int message, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, message);
    const char *expression = va_arg(args, const char *);
    va_end(args);
    cr_asprintf(&text, "%s", expression ? expression : "assertion");
    return text;
}

void cri_asserts_passed_incr(void)
{
}

void criterion_send_assert(struct criterion_assert_stats *stats)
{
    if (!stats->passed)
        fprintf(stderr, "[----] %s:%u: Assertion Failed\n[----]   %s\n", stats->file, stats->line,
                stats->message);
}

void criterion_abort_test(void)
{
    failed = true;
    longjmp(end_of_test, 1);
}

void criterion_skip_test(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    skipped = true;
    longjmp(end_of_test, 1);
}

void criterion_internal_test_setup(void)
{
}

void criterion_internal_test_main(void (*test)(void))
{
    test();
}

void criterion_internal_test_teardown(void)
{
}

/* True if the test passed. */
static bool run(const struct criterion_test *t)
{
    failed = skipped = false;
    if (setjmp(end_of_test) == 0)
        t->test();
    if (failed)
        fprintf(stderr, "[FAIL] %s::%s\n", t->category, t->name);
    return !failed;
}

int main(int argc, char **argv)
{
    const char *filter = argc == 3 && strcmp(argv[1], "--filter") == 0 ? argv[2] : "*";
    size_t tested = 0, passed = 0, omitted = 0;
    for (struct criterion_test **t = __start_cr_tst; t < __stop_cr_tst; t++) {
        char name[256];
        if (!*t)
            continue;
        snprintf(name, sizeof name, "%s/%s", (*t)->category, (*t)->name);
        if (fnmatch(filter, name, 0) != 0)
            continue;
        bool good = run(*t);
        tested += !skipped;
        omitted += skipped;
        passed += good && !skipped;
    }
    fprintf(stderr,
            "[====] Synthesis: Tested: %zu | Passing: %zu | Failing: %zu | Crashing: 0 | "
            "Skipped: %zu\n",
            tested, passed, tested - passed, omitted);
    return tested == 0 || passed != tested;
}
