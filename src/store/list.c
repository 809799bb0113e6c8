/* See list.h. */
#include "store/list.h"
#include "store/table.h"

static const char *keep(tac_arena *arena, const char *text)
{
    return text && *text ? tac_arena_strdup(arena, text) : "";
}

tac_store_run store_run_keep(tac_arena *arena, const tac_store_run *run)
{
    struct store_row row = store_row_of(STORE_RUN, run);
    row.run.details = NULL;
    store_row_keep(arena, &row);
    return row.run;
}

static bool keep_run(void *context, const tac_store_run *row)
{
    struct store_list *list = context;
    tac_vec_push(&list->runs, store_run_keep(&list->arena, row));
    return true;
}

static bool keep_verdict(void *context, int64_t run, const char *property, const char *answer,
                         const json_t *document)
{
    struct store_list *list = context;
    const json_t *step = json_object_get(document, "step");
    bool tells = json_is_integer(step) && json_integer_value(step) >= 0;
    tac_vec_push(
        &list->verdicts,
        (struct listed_verdict){.run = run,
                                .property = keep(&list->arena, property),
                                .answer = keep(&list->arena, answer),
                                .exercised = !json_is_false(json_object_get(document, "exercised")),
                                .step = tells ? json_integer_value(step) : -1});
    return true;
}

tac_status store_list_runs(struct store_list *list, tac_store *store, tac_error *err)
{
    return tac_store_each_run(store, keep_run, list, err);
}

tac_status store_list_verdicts(struct store_list *list, tac_store *store, tac_error *err)
{
    return tac_store_each_verdict(store, keep_verdict, list, err);
}

size_t store_list_find(const struct store_list *list, int64_t id)
{
    size_t low = 0, high = list->runs.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->runs.at[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->runs.count && list->runs.at[low].id == id ? low : SIZE_MAX;
}

void store_list_free(struct store_list *list)
{
    tac_vec_free(&list->runs);
    tac_vec_free(&list->verdicts);
    tac_arena_free(&list->arena);
}
