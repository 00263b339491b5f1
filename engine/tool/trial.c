#include "trial.h"

#include "den.h"
#include "sanitize.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* What both processes see: this, and behind it records, each followed by its elements. */
typedef struct shared_head {
    size_t size, used, made, records;
    bool done, stopped, flood;
    problem problem;
    bool refused;
} shared_head;

typedef struct record {
    size_t call, output, number, count;
    output_kind kind;
    axis axis[MOST_AXES];
    const char *claim; /* the tool's own text, where both processes have it */
} record;

enum { STEP = 16 }; /* records begin at multiples of it */

static size_t rounded(size_t size)
{
    return (size + STEP - 1) / STEP * STEP;
}

/* ---------------------------------------------------------------- the child */

typedef struct child {
    const tape *tape;
    trial_mode mode;
    shared_head *head;
    size_t call;  /* of the tape, at hand */
    size_t entry; /* the next */
} child;

static bool write_down(child *k, size_t output, const result *value)
{
    shared_head *head = k->head;
    const size_t size = result_size(value), need = rounded(sizeof(record)) + rounded(size);
    if (size > head->size || need > head->size - head->used) {
        head->flood = true;
        return false;
    }
    unsigned char *at = (unsigned char *)head + head->used;
    record *r = (record *)(void *)at;
    *r = (record){.call = k->call,
                  .output = output,
                  .number = value->number,
                  .count = value->count,
                  .kind = value->kind,
                  .claim = value->claim};
    for (size_t i = 0; i < MOST_AXES; i++)
        r->axis[i] = value->axis[i];
    if (size > 0)
        memcpy(at + rounded(sizeof *r), result_data(value), size);
    head->used += need;
    head->records++;
    return true;
}

static bool heard(void *context, replay *r, const call *c)
{
    child *k = context;
    const tape *t = k->tape;
    const result status = {.given = true, .kind = OUT_NUMBER, .count = 1, .number = c->status};
    difference d;
    if (k->mode == TRY_ALL) {
        if (c->recorded_status != NULL && !write_down(k, STATUS_OF, &status))
            return false;
        for (size_t i = 0; c->status == NDL_OK && i < MOST_OUTPUTS; i++)
            if (c->out[i].given && !write_down(k, i, &c->out[i]))
                return false;
        return true;
    }
    for (; k->entry < t->entry_count && t->entries[k->entry].call == k->call; k->entry++) {
        const entry *e = &t->entries[k->entry];
        const result *value = e->output == STATUS_OF ? &status : &c->out[e->output];
        bool is_given = e->output == STATUS_OF || (c->status == NDL_OK && value->given);
        if (is_given && !write_down(k, e->output, value))
            return false;
        if (k->mode == TRY_UNTIL && (!is_given || !entry_agrees(t, e, value, &d))) {
            k->head->stopped = true;
            r->enough = true;
            return false;
        }
    }
    return true;
}

static void bound(void *context, replay *r, const call *c)
{
    child *k = context;
    (void)c;
    k->head->made = k->call = r->place;
}

static void limit(int what, rlim_t most)
{
    struct rlimit l;
    if (getrlimit(what, &l) != 0)
        return;
    l.rlim_cur = l.rlim_max != RLIM_INFINITY && l.rlim_max < most ? l.rlim_max : most;
    setrlimit(what, &l);
}

void trial_limits(double seconds, size_t shared)
{
    const time_t whole = (time_t)seconds;
    const suseconds_t rest = (suseconds_t)(1e6 * (seconds - (double)whole));
    struct itimerval timer = {.it_value = {.tv_sec = whole, .tv_usec = rest}};
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, (rlim_t)whole + 2);
    if (!SPACE_IS_TAKEN && sizeof(void *) > 4)
        limit(RLIMIT_AS, ((rlim_t)8 << 30) + shared);
    signal(SIGVTALRM, SIG_DFL);
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

static _Noreturn void be_child(const trial *t)
{
    den memory, inputs;
    child k = {.tape = t->tape, .mode = t->mode, .head = t->shared};
    listener l = {.context = &k, .called = heard, .bound = bound};
    size_t made;
    problem p;
    /* What a sanitizer has to say of a mistake is not for the user. */
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    /* Many times what the engine took. */
    trial_limits(0.5 + 50 * t->tape->seconds, t->shared_size);
    if (!den_open(&memory) || !den_open(&inputs))
        _exit(1);
    const backend *b = hypothesis_backend(t->hypothesis);
    if (b == NULL)
        _exit(1);
    if (tape_play(t->tape, b, &memory, &inputs, &l, &made, &p)) {
        k.head->made = made;
    } else if (!k.head->flood && !k.head->stopped) {
        k.head->refused = true;
        k.head->problem = p;
    }
    k.head->done = true;
    _exit(0);
}

/* --------------------------------------------------------------- the parent */

bool trial_start(trial *t, const hypothesis *h, const tape *on, trial_mode mode, problem *p)
{
    memset(t, 0, sizeof *t);
    t->hypothesis = h;
    t->tape = on;
    t->mode = mode;
    t->shared_size =
        sum(product(4, on->right_bytes),
            sum(product(on->call_count, 3 * rounded(sizeof(record))), (size_t)1 << 20));
    t->shared = mmap(NULL, t->shared_size, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (t->shared == MAP_FAILED) {
        t->shared = NULL;
        return fail(p, "memory for a hypothesis cannot be had: %s", strerror(errno));
    }
    shared_head *head = t->shared;
    head->size = t->shared_size;
    head->used = rounded(sizeof *head);
    /* What is buffered is the parent's to write. */
    fflush(NULL);
    t->pid = fork();
    if (t->pid == 0)
        be_child(t);
    if (t->pid < 0)
        return fail(p, "a process for a hypothesis cannot be had: %s", strerror(errno));
    return true;
}

static void read_records(trial *t)
{
    const shared_head *head = t->shared;
    const unsigned char *at = (const unsigned char *)head + rounded(sizeof *head);
    t->given = get_memory((head->records + 1) * sizeof *t->given);
    t->count = head->records;
    for (size_t i = 0; i < t->count; i++) {
        const record *r = (const record *)(const void *)at;
        const void *data = at + rounded(sizeof *r);
        given *g = &t->given[i];
        g->call = r->call;
        g->output = r->output;
        g->value = (result){.given = true,
                            .kind = r->kind,
                            .number = r->number,
                            .count = r->count,
                            .words = data,
                            .floats = data,
                            .codes = data,
                            .bytes = data,
                            .claim = r->claim};
        for (size_t a = 0; a < MOST_AXES; a++)
            g->value.axis[a] = r->axis[a];
        at += rounded(sizeof *r) + rounded(result_size(&g->value));
    }
}

void trial_wait(trial *t)
{
    const shared_head *head = t->shared;
    int status = 0;
    if (head == NULL)
        return;
    while (waitpid(t->pid, &status, 0) < 0 && errno == EINTR)
        ;
    t->pid = 0;
    t->made = head->made;
    if (!head->done) {
        t->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        t->end = t->signal == SIGVTALRM || t->signal == SIGXCPU ? TRIAL_HUNG : TRIAL_CRASHED;
    } else {
        t->end = head->flood     ? TRIAL_FLOOD
                 : head->stopped ? TRIAL_STOPPED
                 : head->refused ? TRIAL_REFUSED
                                 : TRIAL_ENDED;
        t->problem = head->problem;
    }
    read_records(t);
}

void trial_free(trial *t)
{
    if (t->pid > 0)
        trial_wait(t);
    free(t->given);
    if (t->shared != NULL)
        munmap(t->shared, t->shared_size);
    memset(t, 0, sizeof *t);
}

bool trial_run(trial *t, const hypothesis *h, const tape *on, trial_mode mode, problem *p)
{
    if (!trial_start(t, h, on, mode, p)) {
        trial_free(t);
        return false;
    }
    trial_wait(t);
    return true;
}

bool trials_differ(const trial *a, const trial *b, size_t *at, size_t *output)
{
    const size_t both = a->count < b->count ? a->count : b->count;
    difference d;
    for (size_t i = 0; i < both; i++) {
        const given *x = &a->given[i], *y = &b->given[i];
        const call *c = &a->tape->calls[x->call];
        const double tolerance = default_tolerance(c->op, false);
        recording what = {.value = x->value};
        if (x->call == y->call && x->output == y->output && x->value.kind == y->value.kind &&
            compare_values(&what, &y->value, tolerance, tolerance, &d) == AGREES)
            continue;
        *at = x->call < y->call ? x->call : y->call;
        *output = x->output;
        return true;
    }
    if (a->count == b->count && a->end == b->end)
        return false;
    *at = a->made < b->made ? a->made : b->made;
    *output = STATUS_OF;
    return true;
}

const char *trial_end_text(char out[END_TEXT], const trial *t)
{
    switch (t->end) {
    case TRIAL_ENDED:
        snprintf(out, END_TEXT, "ends");
        break;
    case TRIAL_STOPPED:
        snprintf(out, END_TEXT, "gives something else");
        break;
    case TRIAL_REFUSED:
        snprintf(out, END_TEXT, "cannot go on: %.120s", t->problem.text);
        break;
    case TRIAL_CRASHED:
        snprintf(out, END_TEXT, "crashes%s%s", t->signal > 0 ? ": " : "",
                 t->signal > 0 ? strsignal(t->signal) : "");
        break;
    case TRIAL_HUNG:
        snprintf(out, END_TEXT, "does not come to an end");
        break;
    case TRIAL_FLOOD:
        snprintf(out, END_TEXT, "gives far more than there is to give");
        break;
    }
    return out;
}
