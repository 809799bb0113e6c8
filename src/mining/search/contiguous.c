/* G2, G2E and G5: contiguous blocks, then a state, an input, or never again an event (mining paper,
 * sections 5.2, 5.5, 6.2, 6.5).
 *
 * The occurrences of a sequence of n blocks are split by the block that follows: one pass over the
 * n-grams, each level linear in the number of inputs. Only sequences with at least min_occurrences
 * are split further, which loses nothing because no continuation occurs more often than its prefix;
 * confidence never prunes (the paper's pruning by it loses rules).
 *
 * G2E with n blocks: s1 e1 ... sn, continued by the input en.
 * G5: an occurrence counts when at least min_rest events follow it; it continues as the pattern
 * says when x is not among them. x ranges over the events of the cluster. Since later occurrences
 * have less left, a run shows the pattern iff its last counting occurrence does. */
#include "base/check.h"
#include "mining/search/sample.h"

struct occurrence {
    uint32_t run, end; /* end: index of the last block */
};

struct last_event {
    uint32_t position, token;
};

struct contiguous {
    const struct mine_task *task;
    struct candidates *out;
    struct run_view *views;
    size_t *last_from;               /* per run, into last */
    TAC_VEC(struct last_event) last; /* of each event of a run, latest first; G5 only */
    TAC_VEC(uint32_t) alphabet;      /* tokens that x may be */
    uint32_t *count, *runs, *seen;   /* per token: continuations */
    uint32_t *block_count, *block_runs, *block_seen, *slot; /* per block */
    uint32_t *rest_count, *rest_last; /* per token: occurrences with x in the rest */
    TAC_VEC(uint32_t) tails, nexts, rests;
    uint32_t prefix[TAC_MINE_MAX_DEPTH];
    struct sample *sample; /* without `all`, for G5 */
    uint32_t *pass_shown;  /* per token: sampled runs that have x after the blocks */
    uint64_t reported[TAC_TEMPLATES];
    uint64_t visited;
};

/* Without `all`, patterns that few runs show cannot lead. */
static const double LEAST_SHARE = 0.05;
enum { BEST_ABSENT = 6 }; /* x of one prefix that are looked at without `all` */

static bool over_threshold(const struct contiguous *c, const tac_figures *f)
{
    const struct mine_task *task = c->task;
    assert(f->occurrences <= f->prefix_occurrences && f->runs <= f->prefix_runs);
    if (!task->all && f->runs < LEAST_SHARE * task->fail.count)
        return false;
    if (task->any_confidence)
        return f->runs >= task->min_runs;
    return f->occurrences >= task->min_occurrences && f->occurrences > 0 &&
           reaches(task->confidence, f->occurrences, f->prefix_occurrences);
}

static tac_status report(struct contiguous *c, tac_template template, uint32_t blocks,
                         uint32_t tail, const tac_figures *f, tac_error *err)
{
    assert(blocks >= 1 && blocks <= c->task->depth);
    if (c->task->all && ++c->reported[template] > c->task->limit)
        return limit_passed(c->task, template, err);
    candidates_add(c->out, template, c->prefix, blocks, tail, f);
    return TAC_OK;
}

/* --- Continuations ---------------------------------------------------------------------------- */

static void add_continuation(struct contiguous *c, uint32_t run, uint32_t state, uint32_t next)
{
    if (state == TAC_NONE)
        return;
    if (c->count[state]++ == 0) {
        tac_vec_push(&c->tails, state);
        c->seen[state] = TAC_NONE;
    }
    if (c->seen[state] != run) {
        c->seen[state] = run;
        c->runs[state]++;
    }
    if (next == TAC_NONE)
        return;
    if (c->block_count[next]++ == 0) {
        tac_vec_push(&c->nexts, next);
        c->block_seen[next] = TAC_NONE;
    }
    if (c->block_seen[next] != run) {
        c->block_seen[next] = run;
        c->block_runs[next]++;
    }
}

static void count_continuations(struct contiguous *c, const struct occurrence *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct run_view *view = &c->views[list[i].run];
        uint32_t next = list[i].end + 1;
        add_continuation(c, list[i].run, state_after(c->task->runs, view, list[i].end),
                         next < view->count ? view->blocks[next] : TAC_NONE);
    }
}

static tac_status report_states(struct contiguous *c, uint32_t depth, uint32_t prefix_runs,
                                size_t count, tac_error *err)
{
    tac_status status = TAC_OK;
    if (depth == 0 || !(c->task->templates & 1u << TAC_G2))
        return status;
    for (size_t i = 0; i < c->tails.count && !status; i++) {
        uint32_t s = c->tails.at[i];
        tac_figures f = {c->runs[s], prefix_runs, c->count[s], (uint32_t)count};
        if (over_threshold(c, &f))
            status = report(c, TAC_G2, depth, s, &f, err);
    }
    return status;
}

static tac_status report_inputs(struct contiguous *c, uint32_t depth, tac_error *err)
{
    tac_status status = TAC_OK;
    if (depth >= c->task->depth || !(c->task->templates & 1u << TAC_G2E))
        return status;
    for (size_t i = 0; i < c->nexts.count && !status; i++) {
        uint32_t b = c->nexts.at[i];
        const struct block *block = &c->task->runs->blocks.at[b];
        tac_figures f = {c->block_runs[b], c->runs[block->state], c->block_count[b],
                         c->count[block->state]};
        c->prefix[depth] = b;
        if (over_threshold(c, &f))
            status = report(c, TAC_G2E, depth + 1, block->input, &f, err);
    }
    return status;
}

static void clear_counts(struct contiguous *c)
{
    for (size_t i = 0; i < c->tails.count; i++)
        c->count[c->tails.at[i]] = c->runs[c->tails.at[i]] = 0;
    for (size_t i = 0; i < c->nexts.count; i++)
        c->block_count[c->nexts.at[i]] = c->block_runs[c->nexts.at[i]] = 0;
    c->tails.count = c->nexts.count = 0;
}

/* --- Starvation ------------------------------------------------------------------------------- */

/* For each counting occurrence, the events of its rest; in rest_last those of each run's last. */
static tac_figures count_rests(struct contiguous *c, const struct occurrence *list, size_t count)
{
    tac_figures total = {0};
    for (size_t i = 0; i < count; i++) {
        uint32_t run = list[i].run, from = 2 * (list[i].end + 1);
        uint32_t length = view_length(&c->views[run]);
        if (length < from || length - from < c->task->min_rest)
            continue;
        /* occurrences of one run are in order: is the next one still in this run and counting? */
        bool last_of_run = true;
        if (i + 1 < count && list[i + 1].run == run) {
            uint32_t next = 2 * (list[i + 1].end + 1);
            last_of_run = length < next || length - next < c->task->min_rest;
        }
        total.prefix_occurrences++;
        total.prefix_runs += last_of_run;
        for (size_t k = c->last_from[run]; k < c->last_from[run + 1]; k++) {
            const struct last_event *event = &c->last.at[k];
            if (event->position < from)
                break;
            if (c->rest_count[event->token]++ == 0)
                tac_vec_push(&c->rests, event->token);
            c->rest_last[event->token] += last_of_run;
        }
    }
    assert(total.prefix_runs <= total.prefix_occurrences &&
           total.prefix_runs <= c->task->fail.count);
    return total;
}

/* Without `all`: the x that tell failing from passing runs best, by the sample; of equals, those
 * that passing runs show most. */
static void keep_best_absent(const struct contiguous *c, uint32_t *best, double *worth,
                             size_t *kept, uint32_t x, double score)
{
    assert(*kept <= BEST_ABSENT);
    double value = score + 1e-3 * c->task->late_share[x];
    size_t at = *kept;
    if (at == BEST_ABSENT && value <= worth[at - 1])
        return;
    if (at < BEST_ABSENT)
        (*kept)++;
    else
        at--;
    for (; at > 0 && worth[at - 1] < value; at--) {
        best[at] = best[at - 1];
        worth[at] = worth[at - 1];
    }
    best[at] = x;
    worth[at] = value;
}

/* Share of failing minus share of sampled passing runs that show the pattern. */
static double score_of_absent(const struct contiguous *c, const tac_figures *f, uint32_t pass_runs,
                              uint32_t x)
{
    double share = (double)f->runs / c->task->fail.count;
    uint32_t sampled = sample_runs(c->sample);
    assert(pass_runs <= sampled && c->pass_shown[x] <= pass_runs);
    return sampled ? share - (double)(pass_runs - c->pass_shown[x]) / sampled : share;
}

static tac_figures figures_without(const struct contiguous *c, const tac_figures *total, uint32_t x)
{
    assert(c->rest_last[x] <= total->prefix_runs);
    assert(c->rest_count[x] <= total->prefix_occurrences);
    return (tac_figures){total->prefix_runs - c->rest_last[x], total->prefix_runs,
                         total->prefix_occurrences - c->rest_count[x], total->prefix_occurrences};
}

static tac_status report_starvation(struct contiguous *c, const struct occurrence *list,
                                    size_t count, uint32_t depth, tac_error *err)
{
    c->rests.count = 0;
    tac_figures total = count_rests(c, list, count);
    uint32_t best[BEST_ABSENT];
    double worth[BEST_ABSENT];
    size_t kept = 0;
    uint32_t pass_runs = 0;
    if (c->sample && total.prefix_runs >= LEAST_SHARE * c->task->fail.count)
        pass_runs = sample_rests(c->sample, c->prefix, depth, c->task->min_rest, c->pass_shown);
    tac_status status = TAC_OK;
    for (size_t i = 0; i < c->alphabet.count && !status; i++) {
        uint32_t x = c->alphabet.at[i];
        tac_figures f = figures_without(c, &total, x);
        if (!over_threshold(c, &f))
            continue;
        if (c->task->all)
            status = report(c, TAC_G5, depth, x, &f, err);
        else
            keep_best_absent(c, best, worth, &kept, x, score_of_absent(c, &f, pass_runs, x));
    }
    if (pass_runs)
        memset(c->pass_shown, 0, c->task->runs->tokens.count * sizeof *c->pass_shown);
    for (size_t i = 0; i < kept && !status; i++) {
        tac_figures f = figures_without(c, &total, best[i]);
        status = report(c, TAC_G5, depth, best[i], &f, err);
    }
    for (size_t i = 0; i < c->rests.count; i++)
        c->rest_count[c->rests.at[i]] = c->rest_last[c->rests.at[i]] = 0;
    return status;
}

/* --- Search ----------------------------------------------------------------------------------- */

struct group {
    uint32_t block;
    size_t first, count;
};
typedef TAC_VEC(struct group) group_list;

/* The sequences one block longer that occur often enough; slot[block] = group, for split. */
static size_t choose_groups(struct contiguous *c, group_list *groups)
{
    size_t room = 0;
    for (size_t i = 0; i < c->nexts.count; i++) {
        uint32_t b = c->nexts.at[i];
        if (c->block_count[b] < c->task->min_occurrences)
            continue;
        assert(c->slot[b] == TAC_NONE);
        c->slot[b] = (uint32_t)groups->count;
        tac_vec_push(groups, (struct group){b, room, 0});
        room += c->block_count[b];
    }
    return room;
}

static void split(struct contiguous *c, const struct occurrence *list, size_t count,
                  group_list *groups, struct occurrence *store)
{
    for (size_t i = 0; i < count; i++) {
        const struct run_view *view = &c->views[list[i].run];
        uint32_t next = list[i].end + 1;
        uint32_t slot = next < view->count ? c->slot[view->blocks[next]] : TAC_NONE;
        if (slot != TAC_NONE) {
            struct group *group = &groups->at[slot];
            assert(slot < groups->count);
            store[group->first + group->count++] = (struct occurrence){list[i].run, next};
        }
    }
    for (size_t i = 0; i < groups->count; i++)
        c->slot[groups->at[i].block] = TAC_NONE;
}

static uint32_t distinct_runs(const struct occurrence *list, size_t count)
{
    uint32_t runs = 0;
    for (size_t i = 0; i < count; i++)
        runs += i == 0 || list[i].run != list[i - 1].run;
    return runs;
}

/* prefix[0 .. depth-1] with its occurrences. depth 0: every position before a state event. */
static tac_status expand(struct contiguous *c, const struct occurrence *list, size_t count,
                         uint32_t depth, tac_error *err)
{
    if (!tac_watch_tick(c->task->watch, "mining contiguous patterns", c->visited += count, 0))
        return tac_fail(err, TAC_E_INTERRUPTED, "interrupted while mining");
    assert(depth <= c->task->depth && c->tails.count == 0 && c->nexts.count == 0);
    count_continuations(c, list, count);
    tac_status status = report_states(c, depth, distinct_runs(list, count), count, err);
    if (!status)
        status = report_inputs(c, depth, err);
    group_list groups = {0};
    size_t room = depth < c->task->depth ? choose_groups(c, &groups) : 0;
    clear_counts(c);
    struct occurrence *store = tac_alloc((room + 1) * sizeof *store);
    split(c, list, count, &groups, store);
    if (!status && depth > 0 && c->task->templates & 1u << TAC_G5)
        status = report_starvation(c, list, count, depth, err);
    for (size_t i = 0; i < groups.count && !status; i++) {
        c->prefix[depth] = groups.at[i].block;
        status = expand(c, store + groups.at[i].first, groups.at[i].count, depth + 1, err);
    }
    for (size_t i = 0; i < groups.count; i++)
        assert(groups.at[i].first + groups.at[i].count <= room);
    free(store);
    tac_vec_free(&groups);
    return status;
}

static void add_last_event(struct contiguous *c, uint32_t token, uint32_t position, uint32_t run)
{
    if (c->seen[token] == run + 1)
        return;
    if (c->seen[token] == 0)
        tac_vec_push(&c->alphabet, token);
    c->seen[token] = run + 1;
    tac_vec_push(&c->last, (struct last_event){position, token});
}

/* Walking a run backwards meets the last occurrence of each event first, latest first. */
static void index_last_events(struct contiguous *c)
{
    const struct tac_runs *runs = c->task->runs;
    for (uint32_t r = 0; r < c->task->fail.count; r++) {
        const struct run_view *view = &c->views[r];
        if (view->tail != TAC_NONE)
            add_last_event(c, view->tail, 2 * view->count, r);
        for (uint32_t i = view->count; i-- > 0;) {
            const struct block *block = &runs->blocks.at[view->blocks[i]];
            add_last_event(c, block->input, 2 * i + 1, r);
            add_last_event(c, block->state, 2 * i, r);
        }
        c->last_from[r + 1] = c->last.count;
    }
}

static void set_up(struct contiguous *c)
{
    const struct mine_task *task = c->task;
    size_t tokens = task->runs->tokens.count + 1, blocks = task->runs->blocks.count + 1;
    c->views = tac_calloc(task->fail.count + 1, sizeof *c->views);
    c->last_from = tac_calloc(task->fail.count + 1, sizeof *c->last_from);
    for (uint32_t r = 0; r < task->fail.count; r++)
        c->views[r] = view_of(&task->fail, r);
    c->count = tac_calloc(tokens, sizeof *c->count);
    c->runs = tac_calloc(tokens, sizeof *c->runs);
    c->seen = tac_calloc(tokens, sizeof *c->seen);
    c->rest_count = tac_calloc(tokens, sizeof *c->rest_count);
    c->rest_last = tac_calloc(tokens, sizeof *c->rest_last);
    c->block_count = tac_calloc(blocks, sizeof *c->block_count);
    c->block_runs = tac_calloc(blocks, sizeof *c->block_runs);
    c->block_seen = tac_calloc(blocks, sizeof *c->block_seen);
    c->slot = tac_alloc(blocks * sizeof *c->slot);
    memset(c->slot, 0xff, blocks * sizeof *c->slot);
    index_last_events(c);
    assert(c->last_from[task->fail.count] == c->last.count);
    if (!task->all && task->templates & 1u << TAC_G5) {
        c->sample = sample_new(task);
        c->pass_shown = tac_calloc(tokens, sizeof *c->pass_shown);
    }
}

static void tear_down(struct contiguous *c)
{
    tac_vec_free(&c->last);
    tac_vec_free(&c->alphabet);
    tac_vec_free(&c->tails);
    tac_vec_free(&c->nexts);
    tac_vec_free(&c->rests);
    free(c->views);
    free(c->last_from);
    free(c->count);
    free(c->runs);
    free(c->seen);
    free(c->rest_count);
    free(c->rest_last);
    free(c->block_count);
    free(c->block_runs);
    free(c->block_seen);
    free(c->slot);
    free(c->pass_shown);
    sample_free(c->sample);
}

tac_status mine_contiguous(const struct mine_task *task, struct candidates *out, tac_error *err)
{
    struct contiguous c = {.task = task, .out = out};
    set_up(&c);
    size_t total = 0;
    for (uint32_t r = 0; r < task->fail.count; r++)
        total += c.views[r].count + 1;
    struct occurrence *list = tac_alloc((total + 1) * sizeof *list);
    size_t count = 0;
    for (uint32_t r = 0; r < task->fail.count; r++)
        for (uint32_t i = 0; i <= c.views[r].count; i++)
            list[count++] = (struct occurrence){r, i - 1};
    assert(count == total);
    tac_status status = expand(&c, list, count, 0, err);
    free(list);
    tear_down(&c);
    return status;
}
