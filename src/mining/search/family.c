/* The patterns that verdicts are permuted over, listed without looking at verdicts.
 *
 * Rows are the cluster's runs and the passing runs, cut as everywhere; of many, an even sample.
 * Contiguous sequences of every depth are listed level by level: a sequence that fewer than two
 * runs show cannot be extended to one that more show. The other templates are tables of two
 * (block and state, block and block, block and x) and are listed where the table is not too large.
 * Every set of rows is listed as often as patterns have it: more often is no harm, the least
 * probability stays the same. Cost: positions x levels, plus table entries x rows. */
#include "base/check.h"
#include "mining/search/chance.h"

enum { MOST_FAIL = 200, MOST_PASS = 400, MOST_SETS = 60000, MOST_TABLE = 16000 };

struct listing {
    struct pattern_family *family;
    visit_rows *visit;
    void *context;
};

static uint32_t evenly(uint32_t i, uint32_t count, uint32_t all)
{
    return (uint32_t)((uint64_t)i * all / count);
}

void family_make(const struct mine_task *task, struct pattern_family *family)
{
    uint32_t fail = task->fail.count < MOST_FAIL ? task->fail.count : MOST_FAIL;
    uint32_t pass = task->pass.count < MOST_PASS ? task->pass.count : MOST_PASS;
    *family = (struct pattern_family){.task = task, .rows = fail + pass, .fail = fail};
    family->views = tac_calloc(family->rows + 1, sizeof *family->views);
    family->from = tac_calloc(family->rows + 2, sizeof *family->from);
    family->length = tac_calloc(family->rows + 1, sizeof *family->length);
    for (uint32_t i = 0; i < family->rows; i++) {
        family->views[i] = i < fail
                               ? view_of(&task->fail, evenly(i, fail, task->fail.count))
                               : view_of(&task->pass, evenly(i - fail, pass, task->pass.count));
        family->length[i] = view_length(&family->views[i]);
        family->from[i + 1] = family->from[i] + family->views[i].count;
    }
}

void family_free(struct pattern_family *family)
{
    free(family->length);
    free(family->views);
    free(family->from);
}

/* False when there were too many already. */
static bool add_set(const struct listing *l, const uint32_t *rows, size_t count)
{
    struct pattern_family *family = l->family;
    assert(count <= family->rows);
    if (count < 2 || count == family->rows)
        return true;
    if (family->sets == MOST_SETS)
        return false;
    family->sets++;
    l->visit(l->context, rows, (uint32_t)count);
    return true;
}

/* --- Contiguous sequences --------------------------------------------------------------------- */

/* Sequences of one length, or such a sequence and the state after it: a number per position. */
struct level {
    uint32_t *id;                  /* per position: TAC_NONE = rare */
    TAC_VEC(uint32_t) count, last; /* per number: rows, and the last row seen */
    tac_u64map ids;
};

static void level_add(struct level *level, uint64_t key, size_t position, uint32_t row)
{
    bool is_new;
    uint32_t id = (uint32_t)*tac_u64map_at(&level->ids, key, level->count.count, &is_new);
    if (is_new) {
        tac_vec_push(&level->count, 0);
        tac_vec_push(&level->last, TAC_NONE);
    }
    level->id[position] = id;
    level->count.at[id] += level->last.at[id] != row;
    level->last.at[id] = row;
}

/* The rows of every number; false when the family is full. */
static bool level_list(const struct listing *l, const struct level *level)
{
    size_t numbers = level->count.count;
    size_t *from = tac_calloc(numbers + 2, sizeof *from);
    for (size_t k = 0; k < numbers; k++)
        from[k + 1] = from[k] + level->count.at[k];
    uint32_t *rows = tac_alloc((from[numbers] + 1) * sizeof *rows);
    uint32_t *filled = tac_calloc(numbers + 1, sizeof *filled);
    for (uint32_t row = 0; row < l->family->rows; row++)
        for (size_t p = l->family->from[row]; p < l->family->from[row + 1]; p++) {
            uint32_t id = level->id[p];
            if (id == TAC_NONE || (filled[id] && rows[from[id] + filled[id] - 1] == row))
                continue;
            rows[from[id] + filled[id]++] = row;
        }
    bool all = true;
    for (size_t k = 0; k < numbers && all; k++) {
        assert(filled[k] == level->count.at[k]);
        all = add_set(l, rows + from[k], filled[k]);
    }
    free(from);
    free(rows);
    free(filled);
    return all;
}

static struct level level_new(const struct listing *l)
{
    struct level level = {.id =
                              tac_alloc((l->family->from[l->family->rows] + 1) * sizeof *level.id)};
    memset(level.id, 0xff, (l->family->from[l->family->rows] + 1) * sizeof *level.id);
    return level;
}

static void level_free(struct level *level)
{
    free(level->id);
    tac_vec_free(&level->count);
    tac_vec_free(&level->last);
    tac_u64map_free(&level->ids);
}

/* Every sequence of `depth` blocks; of those that two rows show in `before`, if given, with what
 * follows: one more block, or the state. */
static struct level level_of(const struct listing *l, const struct level *before, unsigned depth,
                             bool states)
{
    struct level level = level_new(l);
    for (uint32_t row = 0; row < l->family->rows; row++) {
        const struct run_view *view = &l->family->views[row];
        for (uint32_t i = 0; i + depth <= view->count; i++) {
            size_t p = l->family->from[row] + i;
            uint32_t prefix = before ? before->id[p] : 0;
            if (before && (prefix == TAC_NONE || before->count.at[prefix] < 2))
                continue;
            uint32_t next = states ? state_after(l->family->task->runs, view, i + depth - 1)
                                   : view->blocks[i + depth - 1];
            if (next != TAC_NONE)
                level_add(&level, (uint64_t)prefix << 32 | next, p, row);
        }
    }
    return level;
}

/* The sequences of a level with the state that follows. */
static bool list_with_states(const struct listing *l, const struct level *level, unsigned depth)
{
    struct level with = level_of(l, level, depth, true);
    bool all = level_list(l, &with);
    level_free(&with);
    return all;
}

static void list_contiguous(const struct listing *l)
{
    struct level level = level_of(l, NULL, 1, false);
    bool all = true;
    for (unsigned depth = 1; depth <= l->family->task->depth && all; depth++) {
        all = level_list(l, &level) && list_with_states(l, &level, depth);
        if (all)
            l->family->listed_depth[TAC_G2] = l->family->listed_depth[TAC_G2E] = depth;
        if (all && depth < l->family->task->depth) {
            struct level next = level_of(l, &level, depth + 1, false);
            level_free(&level);
            level = next;
        }
    }
    level_free(&level);
}

/* --- Tables of two ---------------------------------------------------------------------------- */

/* First and last positions of blocks and events, a row of `rows` numbers for each; events that a
 * row lacks have first = UINT32_MAX and last = 0 (positions count from 1). */
struct spans {
    TAC_VEC(uint32_t) which; /* blocks or tokens that at least two rows show */
    uint32_t *slot;          /* place in which, or TAC_NONE */
    uint32_t *first, *last;  /* which.count x rows */
};

static uint32_t thing_at(const struct listing *l, const struct run_view *view, uint32_t event,
                         bool blocks)
{
    uint32_t i = event / 2;
    if (i >= view->count)
        return blocks ? TAC_NONE : view->tail;
    if (blocks)
        return event % 2 ? view->blocks[i] : TAC_NONE;
    const struct block *block = &l->family->task->runs->blocks.at[view->blocks[i]];
    return event % 2 ? block->input : block->state;
}

/* blocks: a block stands where its input does. Only what at least min_rest events follow counts. */
static struct spans find_spans(const struct listing *l, bool blocks, uint64_t min_rest)
{
    size_t things =
        (blocks ? l->family->task->runs->blocks.count : l->family->task->runs->tokens.count) + 1;
    uint32_t rows = l->family->rows;
    uint32_t *count = tac_calloc(things, sizeof *count), *seen = tac_calloc(things, sizeof *seen);
    struct spans spans = {.slot = tac_alloc(things * sizeof *spans.slot)};
    memset(spans.slot, 0xff, things * sizeof *spans.slot);
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t row = 0; row < rows; row++)
            for (uint32_t e = 0; e < l->family->length[row]; e++) {
                uint32_t thing = thing_at(l, &l->family->views[row], e, blocks);
                if (thing == TAC_NONE || l->family->length[row] - e - 1 < min_rest)
                    continue;
                if (!fill) {
                    count[thing] += seen[thing] != row + 1;
                    seen[thing] = row + 1;
                } else if (spans.slot[thing] != TAC_NONE) {
                    size_t at = (size_t)spans.slot[thing] * rows + row;
                    if (spans.first[at] == UINT32_MAX)
                        spans.first[at] = e + 1;
                    spans.last[at] = e + 1;
                }
            }
        for (uint32_t t = 0; t + 1 < things && !fill; t++)
            if (count[t] >= 2) {
                spans.slot[t] = (uint32_t)spans.which.count;
                tac_vec_push(&spans.which, t);
            }
        if (!fill) {
            size_t size = spans.which.count * rows + 1;
            spans.first = tac_alloc(size * sizeof *spans.first);
            memset(spans.first, 0xff, size * sizeof *spans.first);
            spans.last = tac_calloc(size, sizeof *spans.last);
        }
    }
    free(count);
    free(seen);
    return spans;
}

static void spans_free(struct spans *spans)
{
    tac_vec_free(&spans->which);
    free(spans->slot);
    free(spans->first);
    free(spans->last);
}

/* Lists the table of all pairs (a, b): the rows where `shown` holds. Whether it was whole. */
typedef bool shown_in_row(uint32_t first_a, uint32_t last_a, uint32_t first_b, uint32_t last_b);

static bool list_table(const struct listing *l, const struct spans *a, const struct spans *b,
                       shown_in_row *shown)
{
    uint32_t rows = l->family->rows, *list = tac_alloc((rows + 1) * sizeof *list);
    bool all = a->which.count * b->which.count <= MOST_TABLE;
    for (size_t i = 0; i < a->which.count && all; i++)
        for (size_t k = 0; k < b->which.count && all; k++) {
            size_t count = 0;
            for (uint32_t row = 0; row < rows; row++) {
                size_t x = i * rows + row, y = k * rows + row;
                list[count] = row;
                count += a->last[x] && shown(a->first[x], a->last[x], b->first[y], b->last[y]);
            }
            all = add_set(l, list, count);
        }
    free(list);
    return all;
}

/* a, later b */
static bool in_order(uint32_t first_a, uint32_t last_a, uint32_t first_b, uint32_t last_b)
{
    (void)last_a, (void)first_b;
    return first_a < last_b;
}

/* a before any b; a's state stands one event before it and is its beginning */
static bool before_any(uint32_t first_a, uint32_t last_a, uint32_t first_b, uint32_t last_b)
{
    (void)last_a, (void)last_b;
    return first_b >= first_a - 1;
}

/* after the last a with rest enough, b never again */
static bool never_after(uint32_t first_a, uint32_t last_a, uint32_t first_b, uint32_t last_b)
{
    (void)first_a, (void)first_b;
    return last_b <= last_a;
}

static void list_tables(const struct listing *l)
{
    struct pattern_family *family = l->family;
    struct spans blocks = find_spans(l, true, 0), tokens = find_spans(l, false, 0);
    struct spans counting = find_spans(l, true, family->task->min_rest);
    if (list_table(l, &blocks, &tokens, in_order)) /* states among the tokens */
        family->listed_depth[TAC_G1] = family->listed_depth[TAC_G3] = 1;
    family->listed_depth[TAC_G1E] = family->listed_depth[TAC_G2E] ? 1 : 0;
    if (family->listed_depth[TAC_G1E] && list_table(l, &blocks, &blocks, in_order))
        family->listed_depth[TAC_G1E] = 2;
    if (list_table(l, &blocks, &tokens, before_any))
        family->listed_depth[TAC_G4] = 1;
    if (list_table(l, &counting, &tokens, never_after))
        family->listed_depth[TAC_G5] = 1;
    spans_free(&blocks);
    spans_free(&tokens);
    spans_free(&counting);
}

void family_visit(struct pattern_family *family, visit_rows *visit, void *context)
{
    struct listing listing = {family, visit, context};
    list_contiguous(&listing);
    list_tables(&listing);
    assert(family->sets <= MOST_SETS);
}
