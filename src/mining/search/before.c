/* G4: (not x) U (s & X e): the block (s, e) comes before any x (mining paper, sections 5.4
 * and 6.4).
 *
 * It holds on a run iff the block occurs and x does not occur before the block's first occurrence.
 * So only first occurrences matter: for every block that enough runs show, the events before its
 * first occurrence are subtracted. x must occur in the passing runs; an x that no failing run shows
 * before the block has the block's own support. Cost: blocks over the support x events before them,
 * plus the patterns reported. */
#include "mining/search/candidates.h"

struct first_event {
    uint32_t position, token;
};

struct before {
    const struct mine_task *task;
    struct candidates *out;
    TAC_VEC(struct first_event) first; /* per run, earliest first */
    size_t *from;
    TAC_VEC(uint32_t) alphabet; /* x: events of the passing runs */
    uint32_t *lost;             /* per token: runs where x comes before the block */
    TAC_VEC(uint32_t) touched;
};

enum { MOST_ABSENT = 256 }; /* x looked at without `all`: the most common ones */

static void add_first_event(struct before *b, uint32_t token, uint32_t position, uint32_t *seen,
                            uint32_t stamp)
{
    if (seen[token] == stamp)
        return;
    seen[token] = stamp;
    tac_vec_push(&b->first, (struct first_event){position, token});
}

static void index_first_events(struct before *b)
{
    const struct mine_task *task = b->task;
    uint32_t *seen = tac_calloc(task->runs->tokens.count + 1, sizeof *seen);
    b->from = tac_calloc(task->fail.count + 1, sizeof *b->from);
    for (uint32_t r = 0; r < task->fail.count; r++) {
        struct run_view view = view_of(&task->fail, r);
        for (uint32_t i = 0; i < view.count; i++) {
            const struct block *block = &task->runs->blocks.at[view.blocks[i]];
            add_first_event(b, block->state, 2 * i, seen, r + 1);
            add_first_event(b, block->input, 2 * i + 1, seen, r + 1);
        }
        b->from[r + 1] = b->first.count;
    }
    free(seen);
}

struct common {
    double share;
    uint32_t token;
};

static int most_common_first(const void *a, const void *b)
{
    const struct common *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    return (x->token > y->token) - (x->token < y->token);
}

static void choose_alphabet(struct before *b)
{
    const struct mine_task *task = b->task;
    TAC_VEC(struct common) list = {0};
    for (uint32_t t = 0; t < task->runs->tokens.count; t++)
        if (task->in_pass[t])
            tac_vec_push(&list, (struct common){task->pass_share[t], t});
    if (!task->all && list.count > MOST_ABSENT) {
        qsort(list.at, list.count, sizeof *list.at, most_common_first);
        list.count = MOST_ABSENT;
    }
    for (size_t i = 0; i < list.count; i++)
        tac_vec_push(&b->alphabet, list.at[i].token);
    tac_vec_free(&list);
}

/* The runs that show the block and where first, in run order. */
struct showing {
    uint32_t run, index;
};

static tac_status report_block(struct before *b, uint32_t block, const struct showing *list,
                               uint32_t count, tac_error *err)
{
    const struct mine_task *task = b->task;
    b->touched.count = 0;
    for (uint32_t i = 0; i < count; i++)
        for (size_t k = b->from[list[i].run]; k < b->from[list[i].run + 1]; k++) {
            if (b->first.at[k].position >= 2 * list[i].index)
                break;
            if (b->lost[b->first.at[k].token]++ == 0)
                tac_vec_push(&b->touched, b->first.at[k].token);
        }
    tac_status status = TAC_OK;
    for (size_t i = 0; i < b->alphabet.count && !status; i++) {
        uint32_t x = b->alphabet.at[i], shown = count - b->lost[x];
        const struct block *own = &task->runs->blocks.at[block];
        bool about_itself = x == own->state || x == own->input;
        if (shown < task->min_runs || (about_itself && !task->all))
            continue;
        tac_figures f = {shown, count, shown, count};
        if (task->all && b->out->at.count >= task->limit)
            status = limit_passed(task, TAC_G4, err);
        else
            candidates_add(b->out, TAC_G4, &block, 1, x, &f);
    }
    for (size_t i = 0; i < b->touched.count; i++)
        b->lost[b->touched.at[i]] = 0;
    return status;
}

/* First occurrences of every block, grouped by block (a counting sort over runs in order). */
static tac_status visit_blocks(struct before *b, tac_error *err)
{
    const struct mine_task *task = b->task;
    size_t blocks = task->runs->blocks.count;
    uint32_t *seen = tac_calloc(blocks + 1, sizeof *seen);
    size_t *from = tac_calloc(blocks + 2, sizeof *from);
    struct showing *list = NULL;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t r = 0; r < task->fail.count; r++) {
            struct run_view view = view_of(&task->fail, r);
            for (uint32_t i = 0; i < view.count; i++) {
                uint32_t block = view.blocks[i], stamp = 2 * r + 1 + pass;
                if (seen[block] == stamp)
                    continue;
                seen[block] = stamp;
                if (pass)
                    list[from[block + 1]++] = (struct showing){r, i};
                else
                    from[block + 2]++;
            }
        }
        if (pass == 0) {
            for (size_t k = 2; k < blocks + 2; k++)
                from[k] += from[k - 1];
            list = tac_alloc((from[blocks + 1] + 1) * sizeof *list);
            memset(seen, 0, (blocks + 1) * sizeof *seen);
        }
    }
    tac_status status = TAC_OK;
    for (uint32_t k = 0; k < blocks && !status; k++) {
        uint32_t count = (uint32_t)(from[k + 1] - from[k]);
        if (count >= task->min_runs)
            status = report_block(b, k, list + from[k], count, err);
        if (k % 1024 == 0 && !tac_watch_tick(task->watch, "mining initialisations", k, blocks))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted while mining");
    }
    free(seen);
    free(from);
    free(list);
    return status;
}

tac_status mine_before(const struct mine_task *task, struct candidates *out, tac_error *err)
{
    struct candidates found = {0};
    struct before b = {.task = task, .out = &found};
    b.lost = tac_calloc(task->runs->tokens.count + 1, sizeof *b.lost);
    index_first_events(&b);
    choose_alphabet(&b);
    tac_status status = visit_blocks(&b, err);
    for (size_t i = 0; i < found.at.count && !status; i++)
        candidates_append(out, &found, i);
    candidates_free(&found);
    tac_vec_free(&b.first);
    tac_vec_free(&b.alphabet);
    tac_vec_free(&b.touched);
    free(b.from);
    free(b.lost);
    return status;
}
