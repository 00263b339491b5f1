/* A decode step at a position, caches cold: engines, baselines and the plain read
 * take turns within each round, and another one begins every time. */
#include "contest.h"

#include <stdio.h>

enum { PLAYERS = MAX_ENGINES + MAX_BASELINES + 1 };

typedef struct player {
    const char *name;
    subject u;             /* of the reader: none */
    series step, wall;     /* nanoseconds of whole steps, on the processor and on the wall */
    series laps[LAPS + 1]; /* of each operation, in steps of their own; then of attention */
} player;

/* Operations, and attention of both kinds together. */
static const char *operation_name(size_t i)
{
    return i < LAPS ? lap_names[i] : "attention";
}

static void make_ready(player *p)
{
    evict();
    if (p->u.api != NULL)
        subject_ready(&p->u);
}

static void play(player *p, const ranges *r, const limits *read, double *laps)
{
    if (p->u.api != NULL)
        subject_step(&p->u, laps);
    else
        ranges_read(r, read, laps);
}

static void turn_step(player *p, const ranges *r, const limits *read)
{
    const double wall = now_ns(), busy = busy_ns();

    play(p, r, read, NULL);
    series_add(&p->step, busy_ns() - busy);
    series_add(&p->wall, now_ns() - wall);
}

/* Short operations are timed by the wall: when somebody else had the processor in
 * between it is done again, unless that happens all the time. */
static void turn_laps(player *p, const ranges *r, const limits *read)
{
    double laps[LAPS];
    long before;
    int tries = 4;

    do {
        for (size_t i = 0; i < LAPS; i++)
            laps[i] = 0.0;
        make_ready(p);
        before = interruptions();
        play(p, r, read, laps);
    } while (interruptions() != before && --tries > 0);
    for (size_t i = 0; i < LAPS; i++)
        series_add(&p->laps[i], laps[i]);
    series_add(&p->laps[LAPS], laps[LAP_LOCAL] + laps[LAP_GLOBAL]);
}

/* The series of the fastest baseline, by its median. */
static const player *better(const player *p, size_t n, size_t operation)
{
    const player *best = p;

    for (size_t i = 1; i < n; i++) {
        const series *a = operation > LAPS ? &p[i].step : &p[i].laps[operation];
        const series *b = operation > LAPS ? &best->step : &best->laps[operation];

        if (summarise(a).median < summarise(b).median)
            best = &p[i];
    }
    return best;
}

static void write_times(const player *p)
{
    out_object(p->name);
    out_summary("step", summarise(&p->step));
    out_summary("wall", summarise(&p->wall));
    if (p->laps[0].n > 0) {
        out_object("operations");
        for (size_t i = 0; i <= LAPS; i++)
            out_number(operation_name(i), summarise(&p->laps[i]).median);
        out_close_object();
    }
    out_close_object();
}

/* How many times as long the better baseline and the read take. */
static void write_ratios(const contest *c, const player *p)
{
    const player *base = p + c->engines, *read = base + c->baselines;

    out_object("ratios");
    for (size_t e = 0; e < c->engines; e++) {
        out_object(p[e].name);
        out_text("baseline", better(base, c->baselines, LAPS + 1)->name);
        out_summary("step", quotient(&better(base, c->baselines, LAPS + 1)->step, &p[e].step));
        out_summary("read", quotient(&p[e].step, &read->step));
        if (p->laps[0].n > 0) {
            out_object("operations");
            for (size_t i = 0; i <= LAPS; i++)
                out_number(operation_name(i),
                           quotient(&better(base, c->baselines, i)->laps[i], &p[e].laps[i]).median);
            out_close_object();
        }
        out_close_object();
    }
    out_close_object();
}

static void write_case(const contest *c, const char *geometry, ndl_precision precision,
                       const player *p, const ranges *r)
{
    const size_t n = c->engines + c->baselines;

    out_object(NULL);
    out_text("geometry", geometry);
    out_text("precision", precision_name(precision));
    out_count("position", p->u.pos);
    out_count("attended", subject_positions(&p->u));
    out_count("bytes", ranges_bytes(r));
    out_number("macs", step_macs(&p->u));
    out_number("exponentials", step_exps(&p->u));
    out_object("times");
    for (size_t i = 0; i <= n; i++)
        write_times(&p[i]);
    out_close_object();
    write_ratios(c, p);
    out_close_object();
}

static void measure_case(const contest *c, const char *geometry, const model *m,
                         ndl_precision precision, size_t pos, size_t rounds)
{
    static player p[PLAYERS];
    const size_t n = c->engines + c->baselines;
    const limits *read = &c->limit[c->limits - 1];

    for (size_t i = 0; i <= n; i++) {
        const api *a = i < c->engines ? &c->engine[i] : &c->baseline[i - c->engines];

        p[i] = (player){.name = i < n ? a->name : "read"};
        if (i < n)
            p[i].u = subject_make(a, m, precision, pos, pos + 1, pos);
    }
    const ranges r = ranges_of(&p[0].u);
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i <= n; i++) {
            progress("%s %s at %zu: round %zu of %zu", geometry, precision_name(precision), pos,
                     round + 1, rounds);
            player *next = &p[(round + i) % (n + 1)];
            make_ready(next);
            turn_step(next, &r, read);
            if (!c->quick)
                turn_laps(next, &r, read);
        }
    progress("%s", "");
    write_case(c, geometry, precision, p, &r);
    for (size_t i = 0; i < n; i++)
        subject_free(&p[i].u);
}

void measure_steps(const contest *c, const char *geometry, size_t n, const size_t *positions,
                   size_t rounds)
{
    const ndl_geometry g = geometry_named(geometry);
    model m = model_make(&g);

    for (ndl_precision precision = NDL_F32; precision <= NDL_INT8; precision++)
        for (size_t i = 0; i < n; i++)
            measure_case(c, geometry, &m, precision, positions[i], rounds);
    model_free(&m);
}

void measure_limits(const contest *c)
{
    out_object("limits");
    for (size_t i = 0; i < c->limits; i++) {
        progress("limits of %s", c->limit[i].name);
        out_object(c->limit[i].name);
        out_number("mac_ns", limits_mac_ns(&c->limit[i]));
        out_number("exp_ns", limits_exp_ns(&c->limit[i]));
        out_close_object();
    }
    progress("%s", "");
    out_close_object();
}
