/*
 * Any bytes as a trace: reading them ends with an exit status and nothing worse; a
 * trace that `ndl run` can fill in agrees with itself, and filling it in again
 * changes nothing. Any bytes as a `.cact` file: what is read of one is valid.
 * TRACE_001 TRACE_014 GEO_009
 */
/* For memfd_create. NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#define _GNU_SOURCE
#include "command.h"
#include "target.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Files in memory, and how others name them. */
static int script_fd = -1, output_fd;
static char script_path[32];
/* Where messages go. The C library lets stderr be assigned; a sanitizer's report
 * still goes to the descriptor. */
static FILE *nowhere;

static void begin(void)
{
    script_fd = memfd_create("script", 0);
    output_fd = memfd_create("output", 0);
    nowhere = fopen("/dev/null", "w");
    must(nowhere != NULL && script_fd >= 0 && output_fd >= 0 &&
         dup2(output_fd, STDOUT_FILENO) >= 0);
    snprintf(script_path, sizeof script_path, "/proc/self/fd/%d", script_fd);
}

static void set_script(const uint8_t *bytes, size_t len)
{
    must(ftruncate(script_fd, 0) == 0);
    must(pwrite(script_fd, bytes, len, 0) == (ssize_t)len);
}

/* Call a command on the script; its output is in memory that the caller frees. */
static int call(int (*run)(int, char **), char *name, uint8_t **output, size_t *len)
{
    char quiet[] = "--quiet", limit[] = "--max-memory=16M";
    char *argv[] = {name, quiet, limit, script_path, NULL};
    must(ftruncate(output_fd, 0) == 0 && lseek(output_fd, 0, SEEK_SET) == 0);
    optind = 0;
    FILE *kept = stderr;
    stderr = nowhere;
    int status = run(4, argv);
    stderr = kept;
    must(fflush(stdout) == 0);
    off_t end = lseek(output_fd, 0, SEEK_END);
    must(end >= 0);
    *len = (size_t)end;
    *output = must_have(*len);
    must(pread(output_fd, *output, *len, 0) == (ssize_t)*len);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char run[] = "run", check[] = "check";
    finding f = {""};
    ndl_geometry g;
    ndl_precision precision;
    uint8_t *filled, *again;
    size_t filled_len, again_len;
    if (script_fd < 0)
        begin();
    if (ndl_geometry_from_cact(data, size, &g, &precision) == NDL_OK &&
        ref_geometry_validate(&g) != NDL_OK)
        note(&f, "GEO_009: a geometry that is read is not valid");

    set_script(data, size);
    int status = call(cmd_run, run, &filled, &filled_len);
    if (status == 0) {
        set_script(filled, filled_len);
        if (call(cmd_run, run, &again, &again_len) != 0 || again_len != filled_len ||
            memcmp(filled, again, again_len) != 0)
            note(&f, "TRACE_014: a trace that was filled in is filled in otherwise");
        free(again);
        status = call(cmd_check, check, &again, &again_len);
        if (status != 0 && status != 3)
            note(&f, "TRACE_014: a trace that was filled in does not agree with itself");
        free(again);
    } else if (status != 2) {
        note(&f, "TRACE_001: exit status %d", status);
    }
    free(filled);
    target_report("traces", &f, NULL);
    return 0;
}
