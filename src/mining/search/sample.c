/* The passing sample of the bounded search, kept by block: postings are (run, index) in order, so
 * a prefix is extended by one merge, O(runs of the prefix + occurrences of the block). */
#include "mining/search/sample.h"
#include "base/check.h"

struct posting {
    uint32_t run, index;
};

struct sample {
    uint32_t runs;
    struct run_view *views;
    size_t *events_from;            /* per run, of events */
    TAC_VEC(struct posting) events; /* (token, position of its last occurrence), latest first */
    size_t *from;                   /* per block, postings */
    struct posting *postings;
    size_t *last_from;         /* per token, of last_seen */
    struct posting *last_seen; /* (run, index of the last occurrence of the state) */
    struct posting *prefix[TAC_MINE_MAX_DEPTH + 1]; /* (run, end) of each depth */
    uint32_t count[TAC_MINE_MAX_DEPTH + 1];
    uint32_t blocks[TAC_MINE_MAX_DEPTH]; /* the prefix that is computed ... */
    uint32_t depth;                      /* ... up to here */
};

/* Both indexes are counting sorts: while filling, from[k + 1] is the next free place of key k. */
static void sums(size_t *from, size_t keys)
{
    for (size_t k = 2; k < keys + 2; k++)
        from[k] += from[k - 1];
}

static void index_blocks(struct sample *sample, const struct selection *set)
{
    size_t blocks = set->runs->blocks.count, total = 0;
    sample->from = tac_calloc(blocks + 2, sizeof *sample->from);
    for (uint32_t r = 0; r < set->count; r++) {
        struct run_view view = view_of(set, r);
        total += view.count;
        for (uint32_t i = 0; i < view.count; i++)
            sample->from[view.blocks[i] + 2]++;
    }
    sums(sample->from, blocks);
    sample->postings = tac_alloc((total + 1) * sizeof *sample->postings);
    for (uint32_t r = 0; r < set->count; r++) {
        struct run_view view = view_of(set, r);
        for (uint32_t i = 0; i < view.count; i++)
            sample->postings[sample->from[view.blocks[i] + 1]++] = (struct posting){r, i};
    }
    assert(sample->from[blocks] == total); /* every place is taken */
}

static void index_states(struct sample *sample, const struct selection *set)
{
    size_t tokens = set->runs->tokens.count, total = 0;
    uint32_t *seen = tac_calloc(tokens + 1, sizeof *seen);
    sample->last_from = tac_calloc(tokens + 2, sizeof *sample->last_from);
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t r = 0; r < set->count; r++) {
            struct run_view view = view_of(set, r);
            uint32_t stamp = 2 * r + 1 + (uint32_t)fill;
            for (uint32_t i = view.count + 1; i-- > 0;) {
                uint32_t state = state_after(set->runs, &view, i - 1);
                if (state == TAC_NONE || seen[state] == stamp)
                    continue;
                seen[state] = stamp;
                if (fill)
                    sample->last_seen[sample->last_from[state + 1]++] = (struct posting){r, i};
                else
                    sample->last_from[state + 2]++, total++;
            }
        }
        if (!fill) {
            sums(sample->last_from, tokens);
            sample->last_seen = tac_alloc((total + 1) * sizeof *sample->last_seen);
            memset(seen, 0, (tokens + 1) * sizeof *seen);
        }
    }
    assert(sample->last_from[tokens] == total);
    free(seen);
}

/* Walking a run backwards meets the last occurrence of each event first, latest first. */
static void index_events(struct sample *sample, const struct selection *set)
{
    uint32_t *seen = tac_calloc(set->runs->tokens.count + 1, sizeof *seen);
    sample->views = tac_calloc(set->count + 1, sizeof *sample->views);
    sample->events_from = tac_calloc(set->count + 1, sizeof *sample->events_from);
    for (uint32_t r = 0; r < set->count; r++) {
        struct run_view view = sample->views[r] = view_of(set, r);
        for (uint32_t position = 2 * view.count + 1; position-- > 0;) {
            uint32_t token = view.tail;
            if (position < 2 * view.count) {
                const struct block *block = &set->runs->blocks.at[view.blocks[position / 2]];
                token = position % 2 ? block->input : block->state;
            }
            if (token == TAC_NONE || seen[token] == r + 1)
                continue;
            seen[token] = r + 1;
            tac_vec_push(&sample->events, (struct posting){token, position});
        }
        sample->events_from[r + 1] = sample->events.count;
        assert(sample->events.count - sample->events_from[r] <= view_length(&view));
    }
    free(seen);
}

struct sample *sample_new(const struct mine_task *task)
{
    struct sample *sample = tac_calloc(1, sizeof *sample);
    const struct selection *pass = &task->pass;
    uint32_t count = pass->count < SAMPLE_RUNS ? pass->count : SAMPLE_RUNS;
    uint32_t *ids = tac_alloc((count + 1) * sizeof *ids);
    uint32_t *cuts = tac_alloc((count + 1) * sizeof *cuts);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = (uint32_t)((uint64_t)i * pass->count / count);
        assert(k < pass->count);
        ids[i] = pass->ids[k];
        cuts[i] = pass->cuts ? pass->cuts[k] : UINT32_MAX;
    }
    struct selection set = {task->runs, ids, cuts, count};
    sample->runs = count;
    index_blocks(sample, &set);
    index_states(sample, &set);
    index_events(sample, &set);
    assert(task->depth <= TAC_MINE_MAX_DEPTH);
    for (unsigned d = 0; d <= task->depth; d++)
        sample->prefix[d] = tac_alloc((count + 1) * sizeof *sample->prefix[d]);
    free(ids);
    free(cuts);
    return sample;
}

/* Makes blocks[0 .. depth-1] + block the prefix of depth + 1 blocks. Returns the work done. */
static uint64_t extend(struct sample *sample, uint32_t depth, uint32_t block)
{
    const struct posting *p = sample->postings + sample->from[block];
    const struct posting *stop = sample->postings + sample->from[block + 1];
    struct posting *out = sample->prefix[depth + 1];
    assert(out); /* depth + 1 is at most the task's depth */
    uint32_t count = 0;
    uint64_t work = (uint64_t)(stop - p);
    if (depth == 0) {
        for (; p < stop; p++)
            if (count == 0 || out[count - 1].run != p->run)
                out[count++] = *p;
    } else {
        const struct posting *in = sample->prefix[depth];
        for (uint32_t i = 0; i < sample->count[depth]; i++) {
            while (p < stop &&
                   (p->run < in[i].run || (p->run == in[i].run && p->index <= in[i].index)))
                p++;
            if (p < stop && p->run == in[i].run)
                out[count++] = *p;
        }
        work += sample->count[depth];
    }
    assert(count <= sample->runs && (depth == 0 || count <= sample->count[depth]));
    sample->count[depth + 1] = count;
    return work;
}

double sample_share(struct sample *sample, const uint32_t *prefix, uint32_t depth, uint32_t state,
                    uint64_t *work)
{
    uint32_t same = 0;
    while (same < depth && same < sample->depth && sample->blocks[same] == prefix[same])
        same++;
    for (sample->depth = same; sample->depth < depth; sample->depth++) {
        *work += extend(sample, sample->depth, prefix[sample->depth]);
        sample->blocks[sample->depth] = prefix[sample->depth];
    }
    if (sample->runs == 0)
        return 0;
    if (state == TAC_NONE)
        return (double)sample->count[depth] / sample->runs;
    const struct posting *last = sample->last_seen + sample->last_from[state];
    const struct posting *stop = sample->last_seen + sample->last_from[state + 1];
    const struct posting *in = sample->prefix[depth];
    uint32_t shown = 0;
    *work += sample->count[depth] + (uint64_t)(stop - last);
    for (uint32_t i = 0; i < sample->count[depth]; i++) {
        while (last < stop && last->run < in[i].run)
            last++;
        shown += last < stop && last->run == in[i].run && last->index > in[i].index;
    }
    assert(shown <= sample->count[depth]);
    return (double)shown / sample->runs;
}

uint32_t sample_runs(const struct sample *sample)
{
    return sample->runs;
}

static bool occurs_at(const struct run_view *view, uint32_t index, const uint32_t *blocks,
                      uint32_t depth)
{
    for (uint32_t k = 0; k < depth; k++)
        if (index + k >= view->count || view->blocks[index + k] != blocks[k])
            return false;
    return true;
}

uint32_t sample_rests(const struct sample *sample, const uint32_t *blocks, uint32_t depth,
                      uint64_t min_rest, uint32_t *shown)
{
    const struct posting *first = sample->postings + sample->from[blocks[0]];
    const struct posting *p = sample->postings + sample->from[blocks[0] + 1];
    uint32_t runs = 0, done = TAC_NONE;
    while (p-- > first) { /* backwards: the last occurrence of a run comes first */
        const struct run_view *view = &sample->views[p->run];
        uint32_t from = 2 * (p->index + depth), length = view_length(view);
        if (p->run == done || from > length || length - from < min_rest ||
            !occurs_at(view, p->index, blocks, depth))
            continue;
        done = p->run;
        runs++;
        for (size_t k = sample->events_from[p->run]; k < sample->events_from[p->run + 1]; k++) {
            const struct posting *event = &sample->events.at[k];
            if (event->index < from)
                break;
            shown[event->run]++;
        }
    }
    assert(runs <= sample->runs);
    return runs;
}

void sample_free(struct sample *sample)
{
    if (!sample)
        return;
    for (unsigned d = 0; d <= TAC_MINE_MAX_DEPTH; d++)
        free(sample->prefix[d]);
    free(sample->views);
    free(sample->events_from);
    tac_vec_free(&sample->events);
    free(sample->from);
    free(sample->postings);
    free(sample->last_from);
    free(sample->last_seen);
    free(sample);
}
