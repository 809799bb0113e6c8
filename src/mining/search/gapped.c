/* G1 and G3: blocks in order with gaps, then a state (mining paper, sections 5.1, 5.3, 6.1, 6.3).
 *
 * A prefix of blocks is searched depth first. Its projection is one entry per run and earliest end
 * of the prefix, with the number of starts of the first block that the greedy completion leads
 * there: ends never cross, so starts that meet stay together ("one pointer per start"). Both
 * templates read the same projection:
 *   runs      runs whose earliest end is before the last occurrence of the tail      (G1's support)
 *   starts    starts whose end is before it                          (G3's followed occurrences)
 * Which blocks and states still follow an end is read from lists (last_occurrences.h).
 * Runs and starts only fall when a block is added, so both searches are complete.
 *
 * With `all` every pattern over the thresholds is reported. Otherwise the leading ones by score are
 * wanted, and no pattern scores more than its prefix's share of failing runs: depth is raised step
 * by step, a sample of the passing runs is carried along, prefixes that cannot beat the worst kept
 * score are cut, and the work is bounded; `examined` says how deep the search was complete. */
#include "base/data/order.h"
#include "mining/search/last_occurrences.h"
#include "mining/search/sample.h"

struct entry {
    uint32_t run, end, starts;
};

struct child {
    uint32_t block;
    size_t first, count, capacity;
    uint32_t runs;
    uint64_t starts;
    double promise; /* bounded search, first blocks: score of the block alone */
};

struct gapped {
    const struct mine_task *task;
    tac_template template;
    struct candidates *out;
    struct last_occurrences last;
    uint32_t *runs, *entries, *slot; /* counters per block */
    uint64_t *starts;
    uint32_t *tail_runs; /* counters per token */
    uint64_t *tail_starts;
    TAC_VEC(uint32_t) touched, tails;
    uint32_t prefix[TAC_MINE_MAX_DEPTH];
    /* bounded search */
    struct sample *sample;
    unsigned only_depth; /* report prefixes of this depth only; 0 = all */
    unsigned depth;
    double least; /* a pattern must score more than this */
    uint64_t work, budget;
    bool stopped;
    bool blocks_too; /* G1E is wanted along with G1 */
};

static const uint64_t WORK_BUDGET = 25u * 1000 * 1000;
static const double LEAST_SCORE = 0.05; /* what leads has more */

/* --- Reporting -------------------------------------------------------------------------------- */

static bool over_threshold(const struct gapped *g, const tac_figures *f)
{
    if (g->template == TAC_G1)
        return f->runs >= g->task->min_runs;
    return f->occurrences >= g->task->min_occurrences &&
           reaches(g->task->confidence, f->occurrences, f->prefix_occurrences);
}

static int best_score_first(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->start > y->start) - (x->start < y->start);
}

/* Keeps the LEADING best and raises the score that a pattern has to beat. */
static void trim(struct gapped *g, size_t most)
{
    if (g->out->at.count <= most)
        return;
    qsort(g->out->at.at, g->out->at.count, sizeof *g->out->at.at, best_score_first);
    g->out->at.count = LEADING;
    assert(g->out->at.at[LEADING - 1].score >= g->least);
    g->least = g->out->at.at[LEADING - 1].score;
}

/* tail TAC_NONE: the blocks alone, G1E; its tail is the input of the last one. */
static tac_status report(struct gapped *g, uint32_t depth, uint32_t tail, const tac_figures *f,
                         tac_error *err)
{
    bool blocks_only = tail == TAC_NONE;
    tac_template template = blocks_only ? TAC_G1E : g->template;
    assert(depth >= 1 && depth <= g->task->depth && f->runs <= g->task->fail.count);
    if (!(g->task->templates & 1u << template))
        return TAC_OK;
    if (blocks_only)
        tail = g->task->runs->blocks.at[g->prefix[depth - 1]].input;
    if (g->task->all) {
        if (g->out->at.count >= g->task->limit)
            return limit_passed(g->task, template, err);
        candidates_add(g->out, template, g->prefix, depth, tail, f);
        return TAC_OK;
    }
    double share = (double)f->runs / g->task->fail.count;
    if (share <= g->least)
        return TAC_OK;
    uint32_t state = blocks_only || g->task->failure_state[tail] ? TAC_NONE : tail;
    double score = share - sample_share(g->sample, g->prefix, depth, state, &g->work);
    if (score <= g->least)
        return TAC_OK;
    candidates_add(g->out, template, g->prefix, depth, tail, f);
    tac_vec_last(&g->out->at).score = score;
    trim(g, 4 * LEADING);
    return TAC_OK;
}

static tac_status report_tails(struct gapped *g, const struct entry *entries, size_t count,
                               uint32_t depth, uint32_t runs, uint64_t starts, tac_error *err)
{
    g->tails.count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct entry *e = &entries[i];
        bool first = i == 0 || entries[i - 1].run != e->run;
        const struct last_state *s = g->last.states.at + g->last.state_from[e->run];
        const struct last_state *stop = g->last.states.at + g->last.state_from[e->run + 1];
        for (; s < stop && s->last > e->end; s++) {
            if (g->tail_starts[s->state] == 0)
                tac_vec_push(&g->tails, s->state);
            g->tail_starts[s->state] += e->starts;
            g->tail_runs[s->state] += first;
        }
        g->work += 8;
    }
    tac_status status = TAC_OK;
    for (size_t i = 0; i < g->tails.count; i++) {
        uint32_t tail = g->tails.at[i];
        tac_figures f = {g->tail_runs[tail], runs, (uint32_t)g->tail_starts[tail],
                         (uint32_t)starts};
        g->tail_starts[tail] = 0;
        g->tail_runs[tail] = 0;
        assert(f.runs <= f.prefix_runs && f.occurrences <= f.prefix_occurrences);
        if (!status && over_threshold(g, &f))
            status = report(g, depth, tail, &f, err);
    }
    tac_figures alone = {runs, runs, (uint32_t)starts, (uint32_t)starts};
    if (!status && g->blocks_too && over_threshold(g, &alone))
        status = report(g, depth, TAC_NONE, &alone, err);
    return status;
}

/* --- Search ----------------------------------------------------------------------------------- */

static bool child_viable(const struct gapped *g, uint32_t block)
{
    if (!g->task->all && (double)g->runs[block] / g->task->fail.count <= g->least)
        return false;
    return g->template == TAC_G1 ? g->runs[block] >= g->task->min_runs
                                 : g->starts[block] >= g->task->min_occurrences;
}

static void count_children(struct gapped *g, const struct entry *entries, size_t count)
{
    g->touched.count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct entry *e = &entries[i];
        bool first = i == 0 || entries[i - 1].run != e->run;
        const struct last_block *b = g->last.blocks.at + g->last.block_from[e->run];
        const struct last_block *stop = g->last.blocks.at + g->last.block_from[e->run + 1];
        for (; b < stop && b->last > e->end; b++) {
            if (g->entries[b->block]++ == 0)
                tac_vec_push(&g->touched, b->block);
            g->starts[b->block] += e->starts;
            g->runs[b->block] += first;
            g->work++;
        }
    }
}

typedef TAC_VEC(struct child) child_list;

/* The viable children with room for their entries; the counters are zero again. */
static size_t choose_children(struct gapped *g, child_list *children)
{
    size_t room = 0;
    if (g->touched.count)
        qsort(g->touched.at, g->touched.count, sizeof *g->touched.at, tac_order_u32);
    for (size_t i = 0; i < g->touched.count; i++) {
        uint32_t block = g->touched.at[i];
        if (child_viable(g, block)) {
            assert(g->slot[block] == TAC_NONE);
            g->slot[block] = (uint32_t)children->count;
            tac_vec_push(children, (struct child){.block = block,
                                                  .first = room,
                                                  .capacity = g->entries[block],
                                                  .runs = g->runs[block],
                                                  .starts = g->starts[block]});
            room += g->entries[block];
        }
        g->entries[block] = g->runs[block] = 0;
        g->starts[block] = 0;
    }
    return room;
}

static void fill_children(struct gapped *g, const struct entry *entries, size_t count,
                          child_list *children, struct entry *store)
{
    for (size_t i = 0; i < count; i++) {
        const struct entry *e = &entries[i];
        const struct last_block *b = g->last.blocks.at + g->last.block_from[e->run];
        const struct last_block *stop = g->last.blocks.at + g->last.block_from[e->run + 1];
        for (; b < stop && b->last > e->end; b++) {
            if (g->slot[b->block] == TAC_NONE)
                continue;
            struct child *child = &children->at[g->slot[b->block]];
            uint32_t end = next_position(&g->last, b, e->end);
            struct entry *list = store + child->first;
            if (child->count && list[child->count - 1].run == e->run &&
                list[child->count - 1].end == end)
                list[child->count - 1].starts += e->starts;
            else
                list[child->count++] = (struct entry){e->run, end, e->starts};
        }
    }
    for (size_t i = 0; i < children->count; i++) {
        assert(children->at[i].count <= children->at[i].capacity);
        g->slot[children->at[i].block] = TAC_NONE;
    }
}

static tac_status expand(struct gapped *g, const struct entry *entries, size_t count,
                         uint32_t depth, uint32_t runs, uint64_t starts, tac_error *err);

static tac_status visit_children(struct gapped *g, const child_list *children,
                                 const struct entry *store, uint32_t depth, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < children->count && !status && !g->stopped; i++) {
        const struct child *child = &children->at[i];
        if (!g->task->all && (double)child->runs / g->task->fail.count <= g->least)
            continue;
        assert(depth < g->task->depth && child->count <= child->capacity);
        g->prefix[depth] = child->block;
        status = expand(g, store + child->first, child->count, depth + 1, child->runs,
                        child->starts, err);
    }
    return status;
}

static tac_status expand(struct gapped *g, const struct entry *entries, size_t count,
                         uint32_t depth, uint32_t runs, uint64_t starts, tac_error *err)
{
    if (g->budget && g->work > g->budget)
        g->stopped = true;
    if (!tac_watch_tick(g->task->watch, "mining patterns with gaps", g->work, 0))
        return tac_fail(err, TAC_E_INTERRUPTED, "interrupted while mining");
    tac_status status = TAC_OK;
    if (!g->only_depth || depth == g->only_depth)
        status = report_tails(g, entries, count, depth, runs, starts, err);
    if (status || g->stopped || depth >= g->depth)
        return status;
    count_children(g, entries, count);
    assert(depth >= 1 && runs <= g->task->fail.count && runs <= starts);
    child_list children = {0};
    size_t room = choose_children(g, &children);
    struct entry *store = tac_alloc((room + 1) * sizeof *store);
    fill_children(g, entries, count, &children, store);
    status = visit_children(g, &children, store, depth, err);
    free(store);
    tac_vec_free(&children);
    return status;
}

static int most_promising_first(const void *a, const void *b)
{
    const struct child *x = a, *y = b;
    if (x->promise != y->promise)
        return x->promise < y->promise ? 1 : -1;
    return (x->block > y->block) - (x->block < y->block);
}

/* So that a search that is cut short has looked at what matters most. */
static void order_children(struct gapped *g, child_list *children)
{
    for (size_t i = 0; i < children->count; i++) {
        struct child *child = &children->at[i];
        child->promise = (double)child->runs / g->task->fail.count -
                         sample_share(g->sample, &child->block, 1, TAC_NONE, &g->work);
    }
    if (children->count)
        qsort(children->at, children->count, sizeof *children->at, most_promising_first);
}

/* Runs and starts per block over the whole cluster. */
static void count_blocks(struct gapped *g)
{
    const struct selection *set = &g->task->fail;
    uint32_t *seen = tac_calloc(g->task->runs->blocks.count + 1, sizeof *seen);
    for (uint32_t r = 0; r < set->count; r++) {
        struct run_view view = view_of(set, r);
        for (uint32_t i = 0; i < view.count; i++) {
            uint32_t block = view.blocks[i];
            g->starts[block]++;
            if (seen[block] != r + 1) {
                seen[block] = r + 1;
                g->runs[block]++;
            }
        }
    }
    free(seen);
}

/* Every occurrence of every block is a start: the children of the empty prefix. */
static tac_status search_from_root(struct gapped *g, tac_error *err)
{
    child_list children = {0};
    size_t blocks = g->task->runs->blocks.count;
    g->touched.count = 0;
    count_blocks(g);
    for (uint32_t b = 0; b < blocks; b++)
        if (g->starts[b]) {
            g->entries[b] = (uint32_t)g->starts[b];
            tac_vec_push(&g->touched, b);
        }
    size_t room = choose_children(g, &children);
    struct entry *store = tac_alloc((room + 1) * sizeof *store);
    for (uint32_t r = 0; r < g->task->fail.count; r++) {
        struct run_view view = view_of(&g->task->fail, r);
        for (uint32_t i = 0; i < view.count; i++) {
            uint32_t slot = g->slot[view.blocks[i]];
            if (slot != TAC_NONE)
                store[children.at[slot].first + children.at[slot].count++] =
                    (struct entry){r, i, 1};
        }
    }
    for (size_t i = 0; i < children.count; i++)
        g->slot[children.at[i].block] = TAC_NONE;
    if (g->sample)
        order_children(g, &children);
    tac_status status = visit_children(g, &children, store, 0, err);
    free(store);
    tac_vec_free(&children);
    return status;
}

static tac_status search_leading(struct gapped *g, unsigned *examined, tac_error *err)
{
    tac_status status = TAC_OK;
    g->sample = sample_new(g->task);
    g->budget = WORK_BUDGET;
    g->least = LEAST_SCORE;
    *examined = 0;
    for (unsigned depth = 1; depth <= g->task->depth && !status && !g->stopped; depth++) {
        g->depth = g->only_depth = depth;
        assert(*examined + 1 == depth); /* every smaller depth was complete */
        status = search_from_root(g, err);
        if (!g->stopped)
            *examined = depth;
    }
    trim(g, LEADING);
    sample_free(g->sample);
    return status;
}

static void set_up(struct gapped *g)
{
    size_t blocks = g->task->runs->blocks.count + 1, tokens = g->task->runs->tokens.count + 1;
    g->runs = tac_calloc(blocks, sizeof *g->runs);
    g->entries = tac_calloc(blocks, sizeof *g->entries);
    g->starts = tac_calloc(blocks, sizeof *g->starts);
    g->slot = tac_alloc(blocks * sizeof *g->slot);
    memset(g->slot, 0xff, blocks * sizeof *g->slot);
    g->tail_runs = tac_calloc(tokens, sizeof *g->tail_runs);
    g->tail_starts = tac_calloc(tokens, sizeof *g->tail_starts);
    count_blocks(g);
    last_occurrences_find(&g->task->fail, g->runs, g->template == TAC_G3 ? 0 : g->task->min_runs,
                          &g->last);
    memset(g->runs, 0, blocks * sizeof *g->runs);
    memset(g->starts, 0, blocks * sizeof *g->starts);
}

static void tear_down(struct gapped *g)
{
    last_occurrences_free(&g->last);
    tac_vec_free(&g->touched);
    tac_vec_free(&g->tails);
    free(g->runs);
    free(g->entries);
    free(g->starts);
    free(g->slot);
    free(g->tail_runs);
    free(g->tail_starts);
}

tac_status mine_gapped(const struct mine_task *task, tac_template template, struct candidates *out,
                       unsigned *examined, tac_error *err)
{
    struct candidates found = {0};
    assert(template == TAC_G1 || template == TAC_G3);
    struct gapped g = {.task = task, .template = template, .out = &found, .depth = task->depth};
    g.blocks_too = template == TAC_G1 && task->templates & 1u << TAC_G1E;
    set_up(&g);
    tac_status status;
    if (task->all) {
        status = search_from_root(&g, err);
        *examined = task->depth;
    } else
        status = search_leading(&g, examined, err);
    tear_down(&g);
    assert(*examined <= task->depth);
    for (size_t i = 0; i < found.at.count && !status; i++)
        candidates_append(out, &found, i);
    candidates_free(&found);
    return status;
}
