/* States of several growing traces as one, in time order.
 *
 * Each source has its own variables and symbols, and a rotated file comes with new ones; here they
 * get one numbering that only grows. A row holds what a state changed. Rows wait until no source
 * can bring an earlier one; a row that comes later still is taken at the time of the last one and
 * counted. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "tactus/property.h"

struct live_setting {
    uint32_t variable, symbol;
    double number;
};

struct live_row {
    int64_t time;
    struct live_setting *settings; /* owned */
    size_t count;
};

/* From a source's numbering to the common one, and its last state. */
struct live_map {
    TAC_VEC(uint32_t) variables, symbols;
    TAC_VEC(struct live_setting) last;
};

struct live_merge {
    TAC_VEC(tac_trace_variable) variables;
    tac_names names, units, symbols;
    TAC_VEC(double) numbers; /* the merged state; per variable */
    TAC_VEC(uint32_t) values;
    TAC_VEC(const double *) number_columns;
    TAC_VEC(const uint32_t *) symbol_columns;
    TAC_VEC(struct live_row) rows; /* waiting, from `head` on in time order */
    size_t head;
    int64_t last_time, one_time;
    uint64_t released, late;
};

/* Takes over the states of a block. */
tac_status live_merge_add(struct live_merge *merge, struct live_map *map,
                          const tac_trace_source *source, const tac_trace_block *block,
                          tac_error *err);
/* The next state with a time of at most `limit` as a block of one; false when there is none. */
bool live_merge_next(struct live_merge *merge, int64_t limit, tac_monitor_schema *schema,
                     tac_trace_block *block);
tac_monitor_schema live_merge_schema(const struct live_merge *merge);
void live_map_free(struct live_map *map);
void live_merge_free(struct live_merge *merge);
