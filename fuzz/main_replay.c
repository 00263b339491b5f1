/*
 * Runs a target on files, one after the other: what a fuzzer found, a corpus.
 *
 *   fuzz-NAME [-s SECONDS] [-c] FILE...
 *
 * -s    runs all of them again and again, for so many seconds of processor time, and
 *       prints how many a second, and how many rounds of a fixed loop a second: the
 *       quotient says how fast the target is, whatever else a machine has to do;
 *       kinds of processors differ in it
 * -c    prints the classes that were reached, a count each
 */
#include "target.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct input {
    uint8_t *bytes;
    size_t len;
} input;

static input read_input(const char *path)
{
    FILE *file = fopen(path, "rb");
    input in = {NULL, 0};
    size_t room = 1 << 16, got;
    if (!file) {
        perror(path);
        exit(2);
    }
    in.bytes = must_have(room);
    while ((got = fread(in.bytes + in.len, 1, room - in.len, file)) > 0) {
        in.len += got;
        if (in.len == room)
            must((in.bytes = realloc(in.bytes, room *= 2)) != NULL);
    }
    if (ferror(file)) {
        perror(path);
        exit(2);
    }
    fclose(file);
    return in;
}

/* On a copy of exactly its length, so that a sanitizer sees one byte too far. */
static void run(const input *in)
{
    uint8_t *copy = must_have(in->len);
    for (size_t i = 0; i < in->len; i++)
        copy[i] = in->bytes[i];
    LLVMFuzzerTestOneInput(copy, in->len);
    free(copy);
}

static double seconds(void)
{
    struct timespec now;
    must(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void print_classes(FILE *to)
{
    for (size_t i = 0; i < COVERED; i++)
        fprintf(to, "%zu\t%s\n", coverage_count(&target_cover, i), coverage_text(i));
}

/* Rounds of a loop that no change of the project can make faster or slower. */
static double rounds_a_second(double most)
{
    enum { ROUND = 1 << 14 };
    static volatile uint64_t sink;
    rng r = {1};
    double begin = seconds(), took = 0;
    size_t rounds = 0;
    while (took < most) {
        for (unsigned i = 0; i < ROUND; i++)
            sink = sink + rng_next(&r);
        took = seconds() - begin;
        rounds++;
    }
    return (double)rounds / took;
}

/* Inputs a second, and rounds a second measured in between. */
static void print_speed(FILE *to, const input *inputs, size_t n, double most)
{
    double took = 0, rounds = rounds_a_second(most / 8);
    const double begin = seconds();
    size_t done = 0;
    while (took < most) {
        for (size_t i = 0; i < n; i++)
            run(&inputs[i]);
        took = seconds() - begin;
        done += n;
    }
    rounds = (rounds + rounds_a_second(most / 8)) / 2;
    fprintf(to, "%.0f %.0f\n", (double)done / took, rounds);
}

int main(int argc, char **argv)
{
    double most = 0;
    bool classes = false;
    for (int option; (option = getopt(argc, argv, "s:c")) != -1;) {
        if (option == 's' && (most = strtod(optarg, NULL)) > 0)
            continue;
        if (option != 'c') {
            fprintf(stderr, "usage: %s [-s SECONDS] [-c] FILE...\n", argv[0]);
            return 2;
        }
        classes = true;
    }
    if (optind == argc) {
        fprintf(stderr, "%s: no files\n", argv[0]);
        return 2;
    }
    /* A target may take standard output for itself. */
    FILE *to = fdopen(dup(STDOUT_FILENO), "w");
    must(to != NULL);
    size_t n = (size_t)(argc - optind);
    input *inputs = must_have(n * sizeof *inputs);
    for (size_t i = 0; i < n; i++)
        inputs[i] = read_input(argv[optind + (int)i]);
    for (size_t i = 0; i < n; i++)
        run(&inputs[i]);
    if (classes)
        print_classes(to);
    else if (most > 0)
        print_speed(to, inputs, n, most);
    else
        fprintf(to, "%zu inputs\n", n);
    for (size_t i = 0; i < n; i++)
        free(inputs[i].bytes);
    free(inputs);
    if (fclose(to) != 0) {
        perror("standard output");
        return 2;
    }
    return 0;
}
