/* Distinct runs, their folds and their features. */
#include "base/check.h"
#include "base/data/bits.h"
#include "base/data/random.h"
#include "mining/predict/learn.h"

/* Rows in turn, cluster after cluster, so that every fold has its share of each of them. */
static void deal_folds(struct learn_rows *rows, const uint32_t *order, uint32_t count)
{
    uint32_t clusters = (uint32_t)rows->runs->clusters.count;
    uint32_t *next = tac_calloc(clusters + 2, sizeof *next); /* per cluster; last: no label */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < count; k++) {
            uint32_t of = rows->runs->list.at[rows->ids.at[order[k]]].cluster;
            uint32_t *at = &next[of < clusters ? of : clusters];
            if (pass == 0)
                at[1]++;
            else
                rows->fold[order[k]] = (uint8_t)(at[0]++ % OUTER_FOLDS);
        }
        for (uint32_t c = 0; c <= clusters && pass == 0; c++)
            next[c + 1] += next[c];
    }
    assert(next[clusters] == count); /* each row has its place */
    free(next);
}

void learn_rows_make(const struct tac_runs *runs, struct learn_rows *rows)
{
    tac_names seen = {0};
    *rows = (struct learn_rows){.runs = runs};
    tac_str key = {0};
    for (uint32_t i = 0; i < runs->list.count; i++) {
        const struct mined_run *run = &runs->list.at[i];
        tac_str_clear(&key);
        tac_str_add_bytes(&key, (const char *)&run->tail, sizeof run->tail);
        if (run->blocks)
            tac_str_add_bytes(&key, (const char *)run_blocks(runs, run), 4 * (size_t)run->blocks);
        size_t before = seen.count;
        uint32_t row = tac_names_intern_bytes(&seen, key.text, key.length);
        if (row >= before)
            tac_vec_push(&rows->ids, i);
        tac_vec_push(&rows->of, row);
    }
    assert(rows->ids.count == seen.count && rows->of.count == runs->list.count);
    tac_str_free(&key);
    tac_names_free(&seen);
    rows->pass = tac_calloc(rows->ids.count + 1, sizeof *rows->pass);
    rows->fail = tac_calloc(rows->ids.count + 1, sizeof *rows->fail);
    rows->fold = tac_calloc(rows->ids.count + 1, sizeof *rows->fold);
    rows->inner = tac_calloc(rows->ids.count + 1, sizeof *rows->inner);
    learn_rows_weigh(rows, TAC_NONE);
    /* failing rows and passing rows are dealt apart, each in an order of chance */
    for (int fails = 0; fails < 2; fails++) {
        TAC_VEC(uint32_t) order = {0};
        tac_random random;
        tac_random_seed(&random, 77 + (uint64_t)fails);
        for (uint32_t r = 0; r < rows->ids.count; r++)
            if ((rows->fail[r] > 0) == fails)
                tac_vec_push(&order, r);
        for (uint32_t k = (uint32_t)order.count; k > 1; k--) {
            uint32_t other = (uint32_t)tac_random_below(&random, k), row = order.at[k - 1];
            order.at[k - 1] = order.at[other];
            order.at[other] = row;
        }
        /* neighbours are dealt apart only where they are many; few rows one by one, or all of
         * them would be in one fold and nothing could be chosen by leaving it out */
        uint32_t step = order.count < INNER_FOLDS * INNER_FOLDS;
        for (uint32_t k = 0; k < order.count; k++)
            rows->inner[order.at[k]] = (uint8_t)((k / INNER_FOLDS + k * step) % INNER_FOLDS);
        deal_folds(rows, order.at, (uint32_t)order.count);
        tac_vec_free(&order);
    }
}

void learn_rows_weigh(struct learn_rows *rows, uint32_t cluster)
{
    memset(rows->pass, 0, rows->ids.count * sizeof *rows->pass);
    memset(rows->fail, 0, rows->ids.count * sizeof *rows->fail);
    for (uint32_t i = 0; i < rows->of.count; i++) {
        const struct mined_run *run = &rows->runs->list.at[i];
        uint32_t row = rows->of.at[i];
        assert(row < rows->ids.count);
        if (run->cluster == TAC_RUN_PASSED)
            rows->pass[row]++;
        else if (run->cluster != TAC_RUN_UNLABELLED &&
                 (cluster == TAC_NONE || run->cluster == cluster))
            rows->fail[row]++;
    }
}

void learn_rows_free(struct learn_rows *rows)
{
    tac_vec_free(&rows->ids);
    tac_vec_free(&rows->of);
    free(rows->pass);
    free(rows->fail);
    free(rows->fold);
    free(rows->inner);
}

tac_status columns_make(const struct learn_rows *rows, const struct candidates *features,
                        uint64_t min_rest, tac_watch *watch, struct columns *out, tac_error *err)
{
    uint32_t count = (uint32_t)rows->ids.count;
    size_t words = tac_bits_words(count);
    struct selection set = {rows->runs, rows->ids.at, NULL, count};
    tac_figures *figures = tac_calloc(features->at.count + 1, sizeof *figures);
    uint64_t *fired = tac_calloc(features->at.count * words + 1, sizeof *fired);
    struct measure_request request = {.patterns = features,
                                      .set = &set,
                                      .min_rest = min_rest,
                                      .figures = figures,
                                      .fired = fired,
                                      .watch = watch};
    tac_status status = measure(&request, err);
    *out = (struct columns){.count = (uint32_t)features->at.count, .rows = count};
    out->from = tac_calloc(features->at.count + 2, sizeof *out->from);
    for (size_t f = 0; f < features->at.count && !status; f++)
        out->from[f + 1] = out->from[f] + figures[f].runs;
    out->row = tac_alloc((out->from[status ? 0 : features->at.count] + 1) * sizeof *out->row);
    for (size_t f = 0; f < features->at.count && !status; f++) {
        size_t at = out->from[f];
        for (size_t r = tac_bits_next(fired + f * words, count, 0); r != SIZE_MAX;
             r = tac_bits_next(fired + f * words, count, r + 1))
            out->row[at++] = (uint32_t)r;
        assert(at == out->from[f + 1]);
    }
    free(figures);
    free(fired);
    if (status)
        columns_free(out);
    return status;
}

void columns_free(struct columns *columns)
{
    free(columns->from);
    free(columns->row);
    *columns = (struct columns){0};
}
