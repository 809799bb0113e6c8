/* The figures of a list of patterns on any set of runs: passing runs of matched length, held-out
 * runs, new runs.
 *
 * One pass over the runs. Per run the first and last position of every event are noted; contiguous
 * patterns share a trie that is walked from every position, gapped ones a trie that is searched
 * once per run, G4 is read off the first positions. Cost per run: its length times the depth of
 * matching trie paths, plus the trie nodes that it matches. */
#include "mining/search/measure.h"
#include "base/check.h"
#include "base/data/bits.h"

struct before_block {
    uint32_t block;
    TAC_VEC(uint32_t) patterns;
    uint32_t runs;
};

struct measurer {
    struct ledger ledger;
    struct positions positions;
    struct contiguous_trie *contiguous;
    struct gapped_trie *gapped;
    TAC_VEC(struct before_block) before;
    tac_u64map before_ids;   /* block to place in `before` */
    TAC_VEC(uint32_t) plain; /* of TAC_HAS, TAC_END and TAC_MANY */
};

static void note_position(struct positions *p, uint32_t token, uint32_t position)
{
    if (p->stamp[token] != p->current) {
        p->stamp[token] = p->current;
        p->first[token] = position;
        p->times[token] = 0;
    }
    p->times[token]++;
    p->last[token] = position;
}

static void note_positions(struct measurer *m, const struct run_view *view)
{
    struct positions *p = &m->positions;
    p->current++;
    for (uint32_t i = 0; i < view->count; i++) {
        const struct block *block = &m->ledger.runs->blocks.at[view->blocks[i]];
        note_position(p, block->state, 2 * i);
        note_position(p, block->input, 2 * i + 1);
    }
    if (view->tail != TAC_NONE)
        note_position(p, view->tail, 2 * view->count);
}

static void group_before_patterns(struct measurer *m)
{
    const struct candidates *patterns = m->ledger.patterns;
    for (uint32_t i = 0; i < patterns->at.count; i++) {
        const struct candidate *c = &patterns->at.at[i];
        if (c->template == TAC_HAS || c->template == TAC_END || c->template == TAC_MANY)
            tac_vec_push(&m->plain, i);
        if (c->template != TAC_G4)
            continue;
        assert(c->block_count == 1);
        uint32_t block = blocks_of(patterns, c)[0];
        bool is_new;
        uint64_t *place = tac_u64map_at(&m->before_ids, block, m->before.count, &is_new);
        if (is_new)
            tac_vec_push(&m->before, (struct before_block){.block = block});
        tac_vec_push(&m->before.at[*place].patterns, i);
    }
}

/* The first occurrence of each wanted block, and whether x came before it. */
static void measure_before(struct measurer *m, const struct run_view *view, uint32_t *seen)
{
    const struct positions *p = &m->positions;
    if (m->before.count == 0)
        return;
    for (uint32_t i = 0; i < view->count; i++) {
        const uint64_t *place = tac_u64map_find(&m->before_ids, view->blocks[i]);
        if (!place || seen[*place] == m->ledger.run + 1)
            continue;
        seen[*place] = m->ledger.run + 1;
        struct before_block *group = &m->before.at[*place];
        group->runs++;
        for (size_t k = 0; k < group->patterns.count; k++) {
            uint32_t pattern = group->patterns.at[k];
            uint32_t x = m->ledger.patterns->at.at[pattern].tail;
            if (p->stamp[x] == p->current && p->first[x] < 2 * i)
                continue;
            m->ledger.figures[pattern].occurrences++;
            ledger_fire(&m->ledger, pattern, 2 * i + 2);
        }
    }
}

/* Whether the run ends in the blocks and then the tail; tail TAC_NONE: in the last input. */
static bool ends_so(const struct run_view *view, const uint32_t *blocks, uint32_t count,
                    uint32_t tail)
{
    if (view->tail != tail || view->count < count)
        return false;
    return count == 0 || memcmp(view->blocks + view->count - count, blocks, count * 4) == 0;
}

/* The features of predictors: an event occurs, or occurs so many times; a run ends so. */
static void measure_plain(struct measurer *m, const struct run_view *view)
{
    const struct positions *p = &m->positions;
    const struct candidates *patterns = m->ledger.patterns;
    for (size_t k = 0; k < m->plain.count; k++) {
        uint32_t i = m->plain.at[k];
        const struct candidate *c = &patterns->at.at[i];
        bool shown;
        if (c->template != TAC_END)
            shown = p->stamp[c->tail] == p->current && p->times[c->tail] >= c->times;
        else
            shown = ends_so(view, blocks_of(patterns, c), c->block_count, c->tail);
        m->ledger.figures[i].prefix_runs++;
        m->ledger.figures[i].prefix_occurrences++;
        if (!shown)
            continue;
        m->ledger.figures[i].occurrences++;
        ledger_fire(&m->ledger, i,
                    c->template == TAC_HAS ? p->first[c->tail] + 1 : view_length(view));
    }
}

static void finish(struct measurer *m)
{
    struct ledger *ledger = &m->ledger;
    contiguous_trie_finish(m->contiguous);
    gapped_trie_finish(m->gapped);
    for (size_t i = 0; i < m->before.count; i++) {
        for (size_t k = 0; k < m->before.at[i].patterns.count; k++) {
            tac_figures *f = &ledger->figures[m->before.at[i].patterns.at[k]];
            assert(f->runs <= m->before.at[i].runs && f->runs == f->occurrences);
            f->prefix_runs = f->prefix_occurrences = m->before.at[i].runs;
        }
        tac_vec_free(&m->before.at[i].patterns);
    }
    for (size_t i = 0; ledger->completion && i < ledger->patterns->at.count; i++)
        if (ledger->figures[i].runs)
            ledger->completion[i] /= ledger->figures[i].runs;
    tac_vec_free(&m->before);
    tac_vec_free(&m->plain);
    tac_u64map_free(&m->before_ids);
    free(m->positions.first);
    free(m->positions.last);
    free(m->positions.times);
    free(m->positions.stamp);
    free(ledger->shown);
}

static void start(struct measurer *m, const struct measure_request *request)
{
    const struct tac_runs *runs = request->set->runs;
    size_t count = request->patterns->at.count, tokens = runs->tokens.count + 1;
    m->ledger = (struct ledger){.patterns = request->patterns,
                                .runs = runs,
                                .figures = request->figures,
                                .completion = request->completion,
                                .fired = request->fired,
                                .row = tac_bits_words(request->set->count),
                                .min_rest = request->min_rest};
    memset(request->figures, 0, count * sizeof *request->figures);
    if (request->completion)
        memset(request->completion, 0, count * sizeof *request->completion);
    if (request->fired)
        memset(request->fired, 0, count * m->ledger.row * sizeof *request->fired);
    m->ledger.shown = tac_calloc(count + 1, sizeof *m->ledger.shown);
    m->positions.first = tac_calloc(tokens, sizeof(uint32_t));
    m->positions.last = tac_calloc(tokens, sizeof(uint32_t));
    m->positions.times = tac_calloc(tokens, sizeof(uint32_t));
    m->positions.stamp = tac_calloc(tokens, sizeof(uint32_t));
    m->contiguous = contiguous_trie_new(&m->ledger);
    m->gapped = gapped_trie_new(&m->ledger);
    group_before_patterns(m);
    assert(m->before.count <= count && m->plain.count <= count);
}

tac_status measure(const struct measure_request *request, tac_error *err)
{
    struct measurer m = {0};
    tac_status status = TAC_OK;
    assert(request->set && request->figures);
    if (request->patterns->at.count == 0)
        return TAC_OK;
    assert(request->set->runs && (request->set->ids || !request->set->count));
    start(&m, request);
    uint32_t *seen = tac_calloc(m.before.count + 1, sizeof *seen);
    for (uint32_t r = 0; r < request->set->count && !status; r++) {
        struct run_view view = view_of(request->set, r);
        m.ledger.run = r;
        note_positions(&m, &view);
        contiguous_trie_run(m.contiguous, &view, &m.positions);
        gapped_trie_run(m.gapped, &view, &m.positions);
        measure_before(&m, &view, seen);
        measure_plain(&m, &view);
        if (r % 64 == 0 &&
            !tac_watch_tick(request->watch, "measuring patterns", r, request->set->count))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted while measuring patterns");
    }
    for (size_t i = 0; i < request->patterns->at.count; i++)
        assert(request->figures[i].runs <= request->set->count);
    free(seen);
    finish(&m);
    return status;
}
