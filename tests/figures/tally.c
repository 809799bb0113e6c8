/* See tally.h. */
#include "figures/tally.h"
#include "base/data/str.h"
#include "figures/kind.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void tally_add(struct tally *tally, const char *name, size_t length, int64_t total)
{
    uint32_t id = tac_names_intern_bytes(&tally->names, name, length);
    if (id == tally->rows.count)
        tac_vec_push(&tally->rows, (struct tally_row){0});
    tally->rows.at[id].count++;
    tally->rows.at[id].total += total;
}

void tally_add_number(struct tally *tally, uint64_t number)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%" PRIu64, number);
    tally_add(tally, text, (size_t)length, 0);
}

enum order { BY_NAME, BY_NUMBER, BY_COUNT };

static bool comes_before(const struct tally *tally, size_t a, size_t b, enum order order)
{
    if (order == BY_COUNT && tally->rows.at[a].count != tally->rows.at[b].count)
        return tally->rows.at[a].count > tally->rows.at[b].count;
    if (order == BY_NUMBER) {
        unsigned long long x = strtoull(tally->names.text[a], NULL, 10);
        unsigned long long y = strtoull(tally->names.text[b], NULL, 10);
        if (x != y)
            return x < y;
    }
    if (order == BY_NAME) {
        int sign = strcmp(tally->names.text[a], tally->names.text[b]);
        if (sign)
            return sign < 0;
    }
    return a < b;
}

static void sort_rows(const struct tally *tally, size_t *rows, size_t *spare, size_t count,
                      enum order order)
{
    if (count < 2)
        return;
    size_t half = count / 2, i = 0, k = half, n = 0;
    sort_rows(tally, rows, spare, half, order);
    sort_rows(tally, rows + half, spare, count - half, order);
    while (i < half || k < count)
        spare[n++] = k == count || (i < half && !comes_before(tally, rows[k], rows[i], order))
                         ? rows[i++]
                         : rows[k++];
    memcpy(rows, spare, count * sizeof *rows);
}

static size_t *in_order(const struct tally *tally, enum order order)
{
    size_t *rows = tac_calloc(tally->rows.count + 1, sizeof *rows);
    size_t *spare = tac_calloc(tally->rows.count + 1, sizeof *spare);
    for (size_t i = 0; i < tally->rows.count; i++)
        rows[i] = i;
    sort_rows(tally, rows, spare, tally->rows.count, order);
    free(spare);
    return rows;
}

/* Indices of the rows, the greatest count first, equal counts in order of arrival; the caller's. */
static size_t *tally_by_count(const struct tally *tally)
{
    return in_order(tally, BY_COUNT);
}

static char *text_of(const struct tally *tally, enum order order, const char *between,
                     const char *next)
{
    tac_str text = {0};
    size_t *rows = in_order(tally, order);
    for (size_t i = 0; i < tally->rows.count; i++)
        tac_str_addf(&text, "%s%s%s%" PRId64, i ? next : "", tally->names.text[rows[i]], between,
                     tally->rows.at[rows[i]].count);
    free(rows);
    return text.text ? tac_str_take(&text) : tac_strdup("");
}

char *tally_text(const struct tally *tally)
{
    return text_of(tally, BY_NAME, ":", " ");
}

char *tally_text_by_number(const struct tally *tally)
{
    return text_of(tally, BY_NUMBER, ":", " ");
}

char *tally_braces(const struct tally *tally)
{
    char *inner = text_of(tally, BY_NUMBER, ": ", ", ");
    char *text = tac_format("{%s}", inner);
    free(inner);
    return text;
}

void tally_free(struct tally *tally)
{
    tac_names_free(&tally->names);
    tac_vec_free(&tally->rows);
}

void figures_top(struct figures *facts, const char *key, const struct tally *tally, size_t most,
                 bool totals)
{
    size_t *rows = tally_by_count(tally);
    for (size_t i = 0; i < tally->rows.count && i < most; i++) {
        const struct tally_row *row = &tally->rows.at[rows[i]];
        const char *name = tally->names.text[rows[i]];
        if (totals)
            figures_textf(facts, key, "%s %" PRId64 " %" PRId64, name, row->count, row->total);
        else
            figures_textf(facts, key, "%s %" PRId64, name, row->count);
    }
    free(rows);
}
