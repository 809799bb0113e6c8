/* G4: (not x) U (s & X e): the block (s, e) comes before any x (mining paper, sections 5.4
 * and 6.4).
 *
 * It holds on a run iff the block occurs and x does not occur before the block's first occurrence.
 * So only first occurrences matter: for every block that enough runs show, the events before its
 * first occurrence are subtracted. x must occur in the passing runs; an x that no failing run shows
 * before the block has the block's own support. Cost: blocks over the support x events before them,
 * plus the patterns reported.
 *
 * Without `all` every x is weighed by the passing runs too (a sample where there are very many),
 * and the few that tell failing from passing runs best are kept for each block; `ties` counts those
 * that had the same figures and were left out. */
#include "base/check.h"
#include "mining/search/candidates.h"

struct first_event {
    uint32_t position, token;
};

/* First occurrences in a set of runs: of every event by run, of every block by block. */
struct firsts {
    TAC_VEC(struct first_event) events; /* earliest first */
    size_t *events_from;                /* per run */
    struct showing *showings;           /* by block, runs in order */
    size_t *showings_from;              /* per block */
    uint32_t runs;
};

/* The run that shows the block, and where first. */
struct showing {
    uint32_t run, index;
};

struct before {
    const struct mine_task *task;
    struct candidates *out;
    struct firsts fail, pass;   /* pass: without `all` */
    TAC_VEC(uint32_t) alphabet; /* x: events of the passing runs */
    uint32_t *lost, *pass_lost; /* per token: runs where x comes before the block */
    TAC_VEC(uint32_t) touched, pass_touched;
};

enum { BEST_X = 6, MOST_ENTRIES = 4000000, LEAST_SAMPLE = 256, MOST_SAMPLE = 8192 };

static void add_first_event(struct firsts *firsts, uint32_t token, uint32_t position,
                            uint32_t *seen, uint32_t stamp)
{
    if (seen[token] == stamp)
        return;
    seen[token] = stamp;
    tac_vec_push(&firsts->events, (struct first_event){position, token});
}

static void index_events(struct firsts *firsts, const struct selection *set)
{
    uint32_t *seen = tac_calloc(set->runs->tokens.count + 1, sizeof *seen);
    firsts->events_from = tac_calloc(set->count + 1, sizeof *firsts->events_from);
    firsts->runs = set->count;
    for (uint32_t r = 0; r < set->count; r++) {
        struct run_view view = view_of(set, r);
        for (uint32_t i = 0; i < view.count; i++) {
            const struct block *block = &set->runs->blocks.at[view.blocks[i]];
            add_first_event(firsts, block->state, 2 * i, seen, r + 1);
            add_first_event(firsts, block->input, 2 * i + 1, seen, r + 1);
        }
        firsts->events_from[r + 1] = firsts->events.count;
    }
    free(seen);
}

/* A counting sort over runs in order. */
static void index_showings(struct firsts *firsts, const struct selection *set)
{
    size_t blocks = set->runs->blocks.count;
    uint32_t *seen = tac_calloc(blocks + 1, sizeof *seen);
    size_t *from = firsts->showings_from = tac_calloc(blocks + 2, sizeof *from);
    for (uint32_t fill = 0; fill < 2; fill++) {
        for (uint32_t r = 0; r < set->count; r++) {
            struct run_view view = view_of(set, r);
            for (uint32_t i = 0; i < view.count; i++) {
                uint32_t block = view.blocks[i], stamp = 2 * r + 1 + fill;
                if (seen[block] == stamp)
                    continue;
                seen[block] = stamp;
                if (fill)
                    firsts->showings[from[block + 1]++] = (struct showing){r, i};
                else
                    from[block + 2]++;
            }
        }
        if (!fill) {
            for (size_t k = 2; k < blocks + 2; k++)
                from[k] += from[k - 1];
            firsts->showings = tac_alloc((from[blocks + 1] + 1) * sizeof *firsts->showings);
            memset(seen, 0, (blocks + 1) * sizeof *seen);
        }
    }
    assert(from[0] == 0);
    free(seen);
}

static void free_firsts(struct firsts *firsts)
{
    tac_vec_free(&firsts->events);
    free(firsts->events_from);
    free(firsts->showings);
    free(firsts->showings_from);
}

/* As many passing runs, evenly spread, as the entries allow. */
static void index_passing(struct before *b)
{
    const struct selection *pass = &b->task->pass;
    size_t most = MOST_ENTRIES / (b->task->runs->tokens.count + 1);
    most = most < LEAST_SAMPLE ? LEAST_SAMPLE : most > MOST_SAMPLE ? MOST_SAMPLE : most;
    uint32_t count = pass->count < most ? pass->count : (uint32_t)most;
    uint32_t *ids = tac_alloc((count + 1) * sizeof *ids);
    uint32_t *cuts = tac_alloc((count + 1) * sizeof *cuts);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = (uint32_t)((uint64_t)i * pass->count / count);
        ids[i] = pass->ids[k];
        cuts[i] = pass->cuts ? pass->cuts[k] : UINT32_MAX;
    }
    struct selection set = {b->task->runs, ids, cuts, count};
    index_events(&b->pass, &set);
    index_showings(&b->pass, &set);
    free(ids);
    free(cuts);
}

/* Per token, the runs where it comes before the first occurrence of the block. */
static void count_lost(const struct firsts *firsts, uint32_t block, uint32_t *lost,
                       uint32_t *touched, size_t *touched_count)
{
    *touched_count = 0;
    for (size_t s = firsts->showings_from[block]; s < firsts->showings_from[block + 1]; s++) {
        const struct showing *showing = &firsts->showings[s];
        assert(showing->run < firsts->runs);
        for (size_t k = firsts->events_from[showing->run];
             k < firsts->events_from[showing->run + 1]; k++) {
            const struct first_event *event = &firsts->events.at[k];
            if (event->position >= 2 * showing->index)
                break;
            if (lost[event->token]++ == 0)
                touched[(*touched_count)++] = event->token;
        }
    }
}

struct weighed_x {
    uint32_t x, shown, pass_shown;
    double value;
};

/* Keeps the best BEST_X, best first; of equals those that passing runs show most. */
static void keep_best(struct weighed_x *best, size_t *kept, struct weighed_x new)
{
    size_t at = *kept;
    if (at == BEST_X && new.value <= best[at - 1].value)
        return;
    if (at < BEST_X)
        (*kept)++;
    else
        at--;
    for (; at > 0 && best[at - 1].value < new.value; at--)
        best[at] = best[at - 1];
    best[at] = new;
    assert(*kept <= BEST_X);
}

/* Every x with its figures on both sides; the best are reported. */
static void report_best(struct before *b, uint32_t block, uint32_t count)
{
    const struct mine_task *task = b->task;
    const struct block *own = &task->runs->blocks.at[block];
    uint32_t pass_count =
        (uint32_t)(b->pass.showings_from[block + 1] - b->pass.showings_from[block]);
    struct weighed_x best[BEST_X];
    size_t kept = 0;
    count_lost(&b->pass, block, b->pass_lost, b->pass_touched.at, &b->pass_touched.count);
    for (int round = 0; round < 2; round++) {
        uint32_t ties[BEST_X] = {0};
        for (size_t i = 0; i < b->alphabet.count; i++) {
            uint32_t x = b->alphabet.at[i], shown = count - b->lost[x];
            if (shown < task->min_runs || x == own->state || x == own->input)
                continue;
            uint32_t pass_shown = pass_count - b->pass_lost[x];
            double value = (double)shown / task->fail.count;
            if (b->pass.runs)
                value -= (double)pass_shown / b->pass.runs;
            value += 1e-7 * task->pass_share[x];
            if (round == 0)
                keep_best(best, &kept, (struct weighed_x){x, shown, pass_shown, value});
            for (size_t k = 0; k < kept && round; k++)
                ties[k] += best[k].shown == shown && best[k].pass_shown == pass_shown;
        }
        for (size_t k = 0; k < kept && round; k++) {
            tac_figures f = {best[k].shown, count, best[k].shown, count};
            uint32_t same = 0; /* of the kept ones, itself included */
            for (size_t j = 0; j < kept; j++)
                same += best[j].shown == best[k].shown && best[j].pass_shown == best[k].pass_shown;
            candidates_add(b->out, TAC_G4, &block, 1, best[k].x, &f);
            assert(ties[k] >= same);
            tac_vec_last(&b->out->at).ties = ties[k] - same;
        }
    }
    for (size_t i = 0; i < b->pass_touched.count; i++)
        b->pass_lost[b->pass_touched.at[i]] = 0;
}

static tac_status report_block(struct before *b, uint32_t block, uint32_t count, tac_error *err)
{
    const struct mine_task *task = b->task;
    count_lost(&b->fail, block, b->lost, b->touched.at, &b->touched.count);
    tac_status status = TAC_OK;
    if (!task->all)
        report_best(b, block, count);
    for (size_t i = 0; i < b->alphabet.count && !status && task->all; i++) {
        uint32_t x = b->alphabet.at[i], shown = count - b->lost[x];
        if (shown < task->min_runs)
            continue;
        tac_figures f = {shown, count, shown, count};
        if (b->out->at.count >= task->limit)
            status = limit_passed(task, TAC_G4, err);
        else
            candidates_add(b->out, TAC_G4, &block, 1, x, &f);
    }
    for (size_t i = 0; i < b->touched.count; i++)
        b->lost[b->touched.at[i]] = 0;
    return status;
}

static tac_status visit_blocks(struct before *b, tac_error *err)
{
    const struct mine_task *task = b->task;
    size_t blocks = task->runs->blocks.count;
    tac_status status = TAC_OK;
    for (uint32_t k = 0; k < blocks && !status; k++) {
        uint32_t count = (uint32_t)(b->fail.showings_from[k + 1] - b->fail.showings_from[k]);
        if (count >= task->min_runs && count > 0)
            status = report_block(b, k, count, err);
        if (k % 256 == 0 && !tac_watch_tick(task->watch, "mining initialisations", k, blocks))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted while mining");
    }
    return status;
}

tac_status mine_before(const struct mine_task *task, struct candidates *out, tac_error *err)
{
    struct candidates found = {0};
    struct before b = {.task = task, .out = &found};
    size_t tokens = task->runs->tokens.count + 1;
    b.lost = tac_calloc(tokens, sizeof *b.lost);
    b.pass_lost = tac_calloc(tokens, sizeof *b.pass_lost);
    tac_vec_reserve(&b.touched, tokens);
    tac_vec_reserve(&b.pass_touched, tokens);
    index_events(&b.fail, &task->fail);
    index_showings(&b.fail, &task->fail);
    if (!task->all)
        index_passing(&b);
    for (uint32_t t = 0; t < task->runs->tokens.count; t++)
        if (task->in_pass[t])
            tac_vec_push(&b.alphabet, t);
    tac_status status = visit_blocks(&b, err);
    for (size_t i = 0; i < found.at.count && !status; i++)
        candidates_append(out, &found, i);
    candidates_free(&found);
    free_firsts(&b.fail);
    free_firsts(&b.pass);
    tac_vec_free(&b.alphabet);
    tac_vec_free(&b.touched);
    tac_vec_free(&b.pass_touched);
    free(b.lost);
    free(b.pass_lost);
    return status;
}
