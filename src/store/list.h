/* The rows of a campaign, all in memory: its runs in order of id, and what its properties said of
 * them. For who asks for them by number or more than once; tac_store_each_run needs no memory.
 * O(size of the rows). */
#pragma once

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "store/store.h"

struct listed_verdict {
    int64_t run;
    const char *property, *answer;
    bool exercised;
    int64_t step; /* after which it was decided; -1 = none is told */
};

/* A row that outlives its visit: no text is NULL, and it has no details. */
tac_store_run store_run_keep(tac_arena *arena, const tac_store_run *row);

/* A zeroed one is empty. Rows are as store_run_keep makes them. */
struct store_list {
    tac_arena arena;
    TAC_VEC(tac_store_run) runs;
    TAC_VEC(struct listed_verdict) verdicts;
};

tac_status store_list_runs(struct store_list *list, tac_store *store, tac_error *err);
tac_status store_list_verdicts(struct store_list *list, tac_store *store, tac_error *err);
/* The place of a run in the list; SIZE_MAX when it has no row. O(log n). */
size_t store_list_find(const struct store_list *list, int64_t id);
void store_list_free(struct store_list *list);
