/* The features that a predictor may ask about: what occurs, how often, what follows at once, what a
 * run ends in, what is repeated, what comes in order, what comes before any x. They are the
 * templates of the miner without thresholds; patterns that were mined are added by the caller.
 *
 * Listed from the rows that are learned from. Sequences are many: those with the clearest
 * difference between failing and passing rows are kept. */
#include "base/check.h"
#include "mining/predict/learn.h"

enum {
    MOST_SEQUENCES = 600,
    ENDINGS = 200,
    BEST_BLOCKS = 16,
    BEST_EVENTS = 16,
    LONGEST = 3,
    MOST_COUNTS = 400
};

struct listed {
    double pass, fail;   /* weights of the rows */
    uint32_t rows, last; /* number of rows, and the last one */
    uint32_t row, at;    /* where it stands, for its blocks */
    uint32_t id;
    uint64_t key;
};
typedef TAC_VEC(struct listed) listed_vec;

struct listing {
    const struct learn_rows *rows;
    const uint8_t *use;
    double pass, fail; /* of all rows in use */
};

static struct run_view row_view(const struct learn_rows *rows, uint32_t row)
{
    struct selection set = {rows->runs, rows->ids.at, NULL, (uint32_t)rows->ids.count};
    assert(row < rows->ids.count);
    return view_of(&set, row);
}

static struct listing listing_of(const struct learn_rows *rows, const uint8_t *use)
{
    struct listing l = {rows, use, 0, 0};
    for (uint32_t r = 0; r < rows->ids.count; r++)
        if (use[r]) {
            l.pass += rows->pass[r];
            l.fail += rows->fail[r];
        }
    return l;
}

static uint32_t note(listed_vec *list, tac_u64map *ids, uint64_t key, const struct listing *l,
                     uint32_t row, uint32_t at)
{
    bool is_new;
    uint32_t id = (uint32_t)*tac_u64map_at(ids, key, list->count, &is_new);
    if (is_new)
        tac_vec_push(list,
                     (struct listed){.last = TAC_NONE, .row = row, .at = at, .id = id, .key = key});
    assert(id < list->count);
    struct listed *entry = &list->at[id];
    if (entry->last != row) {
        entry->last = row;
        entry->rows++;
        entry->pass += l->rows->pass[row];
        entry->fail += l->rows->fail[row];
    }
    return id;
}

/* How clearly the shares differ: the square of the difference in standard errors. */
static double clarity(const struct listing *l, const struct listed *x)
{
    double all = l->pass + l->fail, shown = x->pass + x->fail;
    if (shown <= 0 || shown >= all || l->pass <= 0 || l->fail <= 0)
        return 0;
    double difference = x->fail / l->fail - x->pass / l->pass, share = shown / all;
    return difference * difference / (share * (1 - share) * (1 / l->fail + 1 / l->pass));
}

struct ordering {
    const struct listing *l;
};

static int clearest_first(const void *a, const void *b, void *context)
{
    const struct ordering *ordering = context;
    const struct listed *x = a, *y = b;
    double cx = clarity(ordering->l, x), cy = clarity(ordering->l, y);
    if (cx != cy)
        return cx > cy ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* The clearest `most` that at least two rows show. */
static void keep_clearest(const struct listing *l, listed_vec *list, size_t most)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].rows >= 2)
            list->at[kept++] = list->at[i];
    assert(kept <= list->count);
    list->count = kept;
    struct ordering ordering = {l};
    if (kept)
        qsort_r(list->at, kept, sizeof *list->at, clearest_first, &ordering);
    if (list->count > most)
        list->count = most;
}

/* Sequences of one to `length` blocks, out[n - 1] those of n; a longer one only of a shorter one
 * that two rows show. */
static void sequences_of(const struct listing *l, unsigned length, listed_vec *out)
{
    uint32_t rows = (uint32_t)l->rows->ids.count;
    tac_u64map ids = {0};
    TAC_VEC(uint32_t) id_at = {0}, next_at = {0};
    size_t *from = tac_calloc(rows + 1, sizeof *from);
    for (uint32_t r = 0; r < rows; r++) {
        struct run_view view = row_view(l->rows, r);
        from[r + 1] = from[r] + (l->use[r] ? view.count : 0);
    }
    tac_vec_reserve(&id_at, from[rows] + 1);
    tac_vec_reserve(&next_at, from[rows] + 1);
    for (unsigned n = 1; n <= length; n++) {
        listed_vec now = {0};
        tac_u64map_free(&ids);
        ids = (tac_u64map){0};
        for (uint32_t r = 0; r < rows; r++) {
            struct run_view view = row_view(l->rows, r);
            for (uint32_t i = 0; l->use[r] && i < view.count; i++) {
                size_t p = from[r] + i;
                uint32_t prefix = n == 1 ? 0 : id_at.at[p];
                next_at.at[p] = TAC_NONE;
                if (i + n > view.count || prefix == TAC_NONE ||
                    (n > 1 && out[n - 2].at[prefix].rows < 2))
                    continue;
                next_at.at[p] =
                    note(&now, &ids, (uint64_t)prefix << 32 | view.blocks[i + n - 1], l, r, i);
            }
        }
        memcpy(id_at.at, next_at.at, from[rows] * sizeof *id_at.at);
        out[n - 1] = now;
    }
    tac_u64map_free(&ids);
    tac_vec_free(&id_at);
    tac_vec_free(&next_at);
    free(from);
}

static const tac_figures nothing;

static void add_sequence(const struct listing *l, const struct listed *x, unsigned length,
                         tac_template template, struct candidates *out)
{
    struct run_view view = row_view(l->rows, x->row);
    const uint32_t *blocks = view.blocks + x->at;
    assert(length >= 1 && x->at + length <= view.count);
    uint32_t input = l->rows->runs->blocks.at[blocks[length - 1]].input;
    candidates_add(out, template, blocks, length, input, &nothing);
}

void list_sequences(const struct learn_rows *rows, const uint8_t *use, size_t most,
                    struct candidates *out)
{
    struct listing l = listing_of(rows, use);
    listed_vec lists[LONGEST];
    sequences_of(&l, LONGEST, lists);
    for (unsigned n = 1; n <= LONGEST; n++) {
        listed_vec *list = &lists[n - 1];
        keep_clearest(&l, list, most / LONGEST);
        for (size_t i = 0; i < list->count; i++)
            add_sequence(&l, &list->at[i], n, TAC_G2E, out);
        tac_vec_free(list);
    }
}

static void events_of(const struct listing *l, listed_vec *out)
{
    tac_u64map ids = {0};
    const struct tac_runs *runs = l->rows->runs;
    *out = (listed_vec){0};
    for (uint32_t r = 0; r < l->rows->ids.count; r++) {
        struct run_view view = row_view(l->rows, r);
        for (uint32_t i = 0; l->use[r] && i < view.count; i++) {
            note(out, &ids, runs->blocks.at[view.blocks[i]].state, l, r,
                 runs->blocks.at[view.blocks[i]].state);
            note(out, &ids, runs->blocks.at[view.blocks[i]].input, l, r,
                 runs->blocks.at[view.blocks[i]].input);
        }
        if (l->use[r] && view.tail != TAC_NONE)
            note(out, &ids, view.tail, l, r, view.tail);
    }
    tac_u64map_free(&ids);
}

void list_events(const struct learn_rows *rows, const uint8_t *use, struct candidates *out)
{
    struct listing l = listing_of(rows, use);
    listed_vec list;
    events_of(&l, &list);
    keep_clearest(&l, &list, 2000);
    for (size_t i = 0; i < list.count; i++)
        candidates_add(out, TAC_HAS, NULL, 0, list.at[i].at, &nothing);
    tac_vec_free(&list);
}

/* The numbers that a count is compared with: all small ones, then in steps of a half or a third. */
static uint32_t next_times(uint32_t times)
{
    return times < 6 ? times + 1 : times % 3 ? times * 3 / 2 : times * 4 / 3;
}

/* Events that occur at least so many times. */
static void list_counts(const struct listing *l, struct candidates *out)
{
    const struct tac_runs *runs = l->rows->runs;
    uint32_t *times = tac_calloc(runs->tokens.count + 1, sizeof *times);
    tac_u64map ids = {0};
    listed_vec list = {0};
    TAC_VEC(uint32_t) tokens = {0};
    for (uint32_t r = 0; r < l->rows->ids.count; r++) {
        struct run_view view = row_view(l->rows, r);
        tokens.count = 0;
        for (uint32_t i = 0; l->use[r] && i < view.count; i++) {
            tac_vec_push(&tokens, runs->blocks.at[view.blocks[i]].state);
            tac_vec_push(&tokens, runs->blocks.at[view.blocks[i]].input);
        }
        if (l->use[r] && view.tail != TAC_NONE)
            tac_vec_push(&tokens, view.tail);
        for (size_t k = 0; k < tokens.count; k++)
            times[tokens.at[k]]++;
        for (size_t k = 0; k < tokens.count; k++) {
            uint32_t token = tokens.at[k];
            for (uint32_t n = 2; n <= times[token]; n = next_times(n))
                note(&list, &ids, (uint64_t)token << 32 | n, l, r, n);
            times[token] = 0;
        }
    }
    tac_vec_free(&tokens);
    tac_u64map_free(&ids);
    free(times);
    keep_clearest(l, &list, MOST_COUNTS);
    for (size_t i = 0; i < list.count; i++) {
        candidates_add(out, TAC_MANY, NULL, 0, (uint32_t)(list.at[i].key >> 32), &nothing);
        tac_vec_last(&out->at).times = (uint32_t)list.at[i].key;
    }
    tac_vec_free(&list);
}

/* Runs that end in 0 .. LONGEST blocks and then their last state, or their last input. */
static void list_ends(const struct listing *l, struct candidates *out)
{
    for (unsigned n = 0; n <= LONGEST; n++) {
        listed_vec list = {0};
        tac_names keys = {0};
        tac_u64map ids = {0};
        for (uint32_t r = 0; r < l->rows->ids.count; r++) {
            struct run_view view = row_view(l->rows, r);
            if (!l->use[r] || view.count < n || (n == 0 && view.tail == TAC_NONE))
                continue;
            uint32_t key[LONGEST + 1] = {view.tail};
            if (n)
                memcpy(key + 1, view.blocks + view.count - n, n * sizeof *key);
            note(&list, &ids, tac_names_intern_bytes(&keys, key, (1 + n) * sizeof *key), l, r,
                 view.count - n);
        }
        keep_clearest(l, &list, ENDINGS / LONGEST);
        for (size_t i = 0; i < list.count; i++) {
            struct run_view view = row_view(l->rows, list.at[i].row);
            candidates_add(out, TAC_END, n ? view.blocks + view.count - n : NULL, n, view.tail,
                           &nothing);
        }
        tac_vec_free(&list);
        tac_names_free(&keys);
        tac_u64map_free(&ids);
    }
}

/* The clearest blocks repeated and in pairs, and before any of the clearest events. */
static void list_tables(const struct listing *l, struct candidates *out)
{
    listed_vec blocks, events;
    sequences_of(l, 1, &blocks);
    keep_clearest(l, &blocks, BEST_BLOCKS * 3);
    events_of(l, &events);
    keep_clearest(l, &events, BEST_EVENTS);
    for (size_t i = 0; i < blocks.count; i++) {
        struct run_view view = row_view(l->rows, blocks.at[i].row);
        uint32_t block = view.blocks[blocks.at[i].at], many[4] = {block, block, block, block};
        uint32_t input = l->rows->runs->blocks.at[block].input;
        for (unsigned n = 2; n <= 4; n++)
            candidates_add(out, TAC_G1E, many, n, input, &nothing);
        for (size_t k = 0; k < blocks.count && k < BEST_BLOCKS && i < BEST_BLOCKS; k++) {
            struct run_view other = row_view(l->rows, blocks.at[k].row);
            uint32_t pair[2] = {block, other.blocks[blocks.at[k].at]};
            if (pair[0] != pair[1])
                candidates_add(out, TAC_G1E, pair, 2, l->rows->runs->blocks.at[pair[1]].input,
                               &nothing);
        }
        for (size_t k = 0; k < events.count && i < BEST_BLOCKS; k++)
            candidates_add(out, TAC_G4, &block, 1, events.at[k].at, &nothing);
    }
    tac_vec_free(&blocks);
    tac_vec_free(&events);
}

void list_features(const struct learn_rows *rows, const uint8_t *use, struct candidates *out)
{
    struct listing l = listing_of(rows, use);
    list_events(rows, use, out);
    list_sequences(rows, use, MOST_SEQUENCES, out);
    list_ends(&l, out);
    list_counts(&l, out);
    list_tables(&l, out);
}
