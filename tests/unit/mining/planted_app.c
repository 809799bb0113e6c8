/* The simulated app: a random deterministic transition table, a monkey that presses rare buttons
 * rarely, and up to four bugs. A bug's own buttons are rare, so that a few per cent of the runs
 * fail of it. Blocks of different bugs are different. */
#include "planted_app.h"
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "mining/runs/runs.h"
#include <string.h>

enum { MOST_STATES = 64, MOST_INPUTS = 64 };

struct planted {
    unsigned state[2], input[2], x;
};

struct sim_app {
    unsigned states, inputs, bugs;
    unsigned next[MOST_STATES][MOST_INPUTS];
    double weight[MOST_STATES][MOST_INPUTS]; /* 0 = not offered */
    struct planted planted[SIM_BUGS];
    struct sim_cause causes[SIM_BUGS];
    double reliability, stray;
};

enum { CONTIGUOUS, GAPS, UNINIT, STARVED };

/* Offers the input in the state with this weight and target. */
static void offer(struct sim_app *app, unsigned s, unsigned e, double weight, unsigned to)
{
    app->weight[s][e] = weight;
    app->next[s][e] = to;
}

static void describe(struct sim_app *app, unsigned bug, const char *label, unsigned blocks)
{
    struct sim_cause *cause = &app->causes[bug];
    const struct planted *p = &app->planted[bug];
    cause->label = label;
    cause->block_count = blocks;
    for (unsigned i = 0; i < blocks; i++) {
        snprintf(cause->blocks[i][0], sizeof cause->blocks[i][0], "s%u", p->state[i]);
        snprintf(cause->blocks[i][1], sizeof cause->blocks[i][1], "e%u", p->input[i]);
    }
    if (bug == UNINIT)
        snprintf(cause->x, sizeof cause->x, "e%u", p->x);
    if (bug == STARVED)
        snprintf(cause->x, sizeof cause->x, "s%u", p->x);
}

/* Bugs use the states 1 .. 8 and the inputs 0 .. 7 there. */
static void plant(struct sim_app *app)
{
    app->planted[CONTIGUOUS] = (struct planted){{1, 2}, {0, 1}, 0};
    app->planted[GAPS] = (struct planted){{3, 4}, {2, 3}, 0};
    app->planted[UNINIT] = (struct planted){{5, 0}, {4, 0}, 5};
    app->planted[STARVED] = (struct planted){{6, 7}, {6, 7}, 8};
    offer(app, 1, 0, 1.2, 2);
    offer(app, 2, 1, 0.22, 9 % app->states);
    offer(app, 3, 2, 0.15, 0);
    offer(app, 4, 3, 0.15, 10 % app->states);
    offer(app, 5, 4, 0.6, 0);
    for (unsigned s = 0; s < app->states; s += 2)
        offer(app, s, 5, 1.0, app->next[s][5]); /* the initialisation is all over the app */
    offer(app, 6, 6, 1.2, 7);
    offer(app, 7, 7, 0.2, 0);
    describe(app, CONTIGUOUS, "contiguous", 2);
    describe(app, GAPS, "gaps", 2);
    describe(app, UNINIT, "uninit", 1);
    describe(app, STARVED, "starved", 2);
}

struct sim_app *sim_new(uint64_t seed, unsigned states, unsigned inputs, unsigned offered,
                        unsigned bugs)
{
    struct sim_app *app = tac_calloc(1, sizeof *app);
    tac_random random;
    tac_random_seed(&random, seed);
    app->states = states;
    app->inputs = inputs;
    app->bugs = bugs;
    for (unsigned s = 0; s < states; s++) {
        for (unsigned e = 0; e < inputs; e++)
            app->next[s][e] = (unsigned)tac_random_below(&random, states);
        for (unsigned k = 0; k < offered; k++) {
            /* inputs 0 .. 7 belong to the bugs */
            unsigned e = 8 + (unsigned)tac_random_below(&random, inputs - 8);
            app->weight[s][e] = 0.3 + tac_random_unit(&random);
        }
    }
    plant(app);
    app->reliability = 1;
    return app;
}

void sim_noise(struct sim_app *app, double reliability, double stray)
{
    app->reliability = reliability;
    app->stray = stray;
}

void sim_free(struct sim_app *app)
{
    free(app);
}

const struct sim_cause *sim_cause(const struct sim_app *app, unsigned bug)
{
    return &app->causes[bug];
}

static unsigned press(const struct sim_app *app, tac_random *random, unsigned state)
{
    double total = 0;
    for (unsigned e = 0; e < app->inputs; e++)
        total += app->weight[state][e];
    double at = tac_random_unit(random) * total;
    for (unsigned e = 0; e < app->inputs; e++) {
        at -= app->weight[state][e];
        if (at < 0)
            return e;
    }
    return app->inputs - 1;
}

struct sink {
    tac_runs *runs;
    FILE *out;
    char *line;
    size_t size;
    FILE *memory;
};

static void put(struct sink *sink, char kind, unsigned number)
{
    char token[16];
    snprintf(token, sizeof token, "%c%u", kind, number);
    if (sink->out)
        fprintf(sink->memory, " %s", token);
    else if (kind == 's')
        tac_runs_state(sink->runs, token);
    else
        tac_runs_input(sink->runs, token);
}

static bool is_block(const struct planted *p, int i, unsigned s, unsigned e)
{
    return s == p->state[i] && e == p->input[i];
}

struct walk {
    unsigned state, last_state, last_input, steps_left;
    bool armed, initialised, starved;
    int failed; /* bug, or -1 */
    tac_random *random;
};

/* A bug fires, or this time it does not. */
static bool fires(const struct sim_app *app, const struct walk *w)
{
    return app->reliability >= 1 || tac_random_unit(w->random) < app->reliability;
}

/* One input; returns false when the run ends while it is handled. */
static bool step(const struct sim_app *app, struct walk *w, unsigned e)
{
    const struct planted *p = app->planted;
    unsigned s = w->state;
    bool b = app->bugs & SIM_CONTIGUOUS, g = app->bugs & SIM_GAPS, u = app->bugs & SIM_UNINIT;
    if (b && is_block(&p[CONTIGUOUS], 1, s, e) &&
        is_block(&p[CONTIGUOUS], 0, w->last_state, w->last_input) && fires(app, w))
        w->failed = CONTIGUOUS;
    if (g && w->armed && is_block(&p[GAPS], 1, s, e) && fires(app, w))
        w->failed = GAPS;
    w->armed = w->armed || is_block(&p[GAPS], 0, s, e);
    if (u && !w->initialised && is_block(&p[UNINIT], 0, s, e) && fires(app, w)) {
        w->failed = UNINIT;
        return false;
    }
    w->initialised = w->initialised || e == p[UNINIT].x;
    if (app->bugs & SIM_STARVED && !w->starved && is_block(&p[STARVED], 1, s, e) &&
        is_block(&p[STARVED], 0, w->last_state, w->last_input) && fires(app, w)) {
        w->starved = true;
        if (w->steps_left > 40)
            w->steps_left = 40; /* the watchdog */
    }
    w->state = app->next[s][e];
    if (w->starved && w->state == p[STARVED].x)
        w->state = 0;
    w->last_state = s;
    w->last_input = e;
    return w->failed < 0;
}

static const char *one_run(const struct sim_app *app, tac_random *random, unsigned length,
                           struct sink *sink)
{
    struct walk w = {
        .last_state = UINT32_MAX, .steps_left = length, .failed = -1, .random = random};
    bool stray = app->stray > 0 && tac_random_unit(random) < app->stray;
    if (stray)
        w.steps_left = 1 + (unsigned)tac_random_below(random, length);
    put(sink, 's', w.state);
    while (w.steps_left-- > 0) {
        unsigned e = press(app, random, w.state);
        put(sink, 'e', e);
        bool goes_on = step(app, &w, e);
        if (!goes_on && w.failed == UNINIT)
            break;
        put(sink, 's', w.state);
        if (!goes_on)
            break;
    }
    if (w.failed < 0 && w.starved)
        w.failed = STARVED;
    while (stray && w.failed < 0) {
        int bug = (int)tac_random_below(random, SIM_BUGS);
        w.failed = app->bugs & 1u << bug ? bug : -1;
    }
    return w.failed < 0 ? "0" : app->causes[w.failed].label;
}

void sim_runs(struct sim_app *app, uint64_t seed, unsigned count, unsigned length, tac_runs *runs)
{
    tac_random random;
    struct sink sink = {.runs = runs};
    tac_random_seed(&random, seed);
    for (unsigned i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "run-%u", i);
        runs_begin_at(runs, name, 0);
        tac_runs_end(runs, one_run(app, &random, length, &sink));
    }
}

void sim_print(struct sim_app *app, uint64_t seed, unsigned count, unsigned length, FILE *out)
{
    tac_random random;
    tac_random_seed(&random, seed);
    for (unsigned i = 0; i < count; i++) {
        struct sink sink = {.out = out};
        sink.memory = open_memstream(&sink.line, &sink.size);
        const char *label = one_run(app, &random, length, &sink);
        fclose(sink.memory);
        fprintf(out, "%s%s\n", label, sink.line);
        free(sink.line);
    }
}
