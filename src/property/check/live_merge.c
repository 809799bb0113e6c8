/* See live_merge.h. */
#include "property/check/live_merge.h"

#include "base/check.h"
#include "trace/trace.h"
#include <math.h>
#include <string.h>

static tac_status map_variable(struct live_merge *merge, const tac_trace_variable *variable,
                               uint32_t *out, tac_error *err)
{
    uint32_t id = tac_names_intern(&merge->names, variable->name);
    *out = id;
    if (id < merge->variables.count) {
        if (merge->variables.at[id].kind != variable->kind)
            return tac_fail(err, TAC_E_INPUT,
                            "'%s' is a number in one of the traces and discrete in another",
                            variable->name);
        return TAC_OK;
    }
    const char *unit = variable->unit ? variable->unit : "";
    tac_trace_variable copy = *variable;
    copy.name = merge->names.text[id];
    uint32_t unit_id = tac_names_intern(&merge->units, unit);
    copy.unit = merge->units.text[unit_id];
    tac_vec_push(&merge->variables, copy);
    tac_vec_push(&merge->numbers, (double)NAN);
    tac_vec_push(&merge->values, TAC_TRACE_NO_SYMBOL);
    assert(merge->variables.count == merge->names.count);
    return TAC_OK;
}

static tac_status extend_map(struct live_merge *merge, struct live_map *map,
                             const tac_trace_source *source, tac_error *err)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    for (size_t v = map->variables.count; v < count; v++) {
        uint32_t id;
        tac_status status = map_variable(merge, &variables[v], &id, err);
        if (status != TAC_OK)
            return status;
        tac_vec_push(&map->variables, id);
        tac_vec_push(&map->last, (struct live_setting){id, TAC_TRACE_NO_SYMBOL, (double)NAN});
    }
    const char *const *symbols = tac_trace_symbols(source, &count);
    for (size_t s = map->symbols.count; s < count; s++)
        tac_vec_push(&map->symbols, tac_names_intern(&merge->symbols, symbols[s]));
    return TAC_OK;
}

static bool same_number(double a, double b)
{
    return (isnan(a) && isnan(b) && tac_trace_unknown_reason(a) == tac_trace_unknown_reason(b)) ||
           (a <= b && a >= b);
}

/* What state i of the block changed. */
static struct live_row row_of(struct live_map *map, const tac_trace_block *block, size_t i)
{
    assert(map->last.count == map->variables.count);
    size_t count = map->variables.count;
    struct live_row row = {.time = block->time[i],
                           .settings = tac_calloc(count + 1, sizeof *row.settings)};
    for (size_t v = 0; v < count; v++) {
        struct live_setting *last = &map->last.at[v], now = *last;
        if (block->symbols[v]) {
            uint32_t symbol = block->symbols[v][i];
            now.symbol = symbol == TAC_TRACE_NO_SYMBOL ? symbol : map->symbols.at[symbol];
        } else {
            uint32_t reason = tac_trace_unknown_reason(block->numbers[v][i]);
            now.number = reason < map->symbols.count
                             ? tac_trace_unknown_number(map->symbols.at[reason])
                             : block->numbers[v][i];
        }
        if (now.symbol != last->symbol || !same_number(now.number, last->number))
            row.settings[row.count++] = now;
        *last = now;
    }
    return row;
}

tac_status live_merge_add(struct live_merge *merge, struct live_map *map,
                          const tac_trace_source *source, const tac_trace_block *block,
                          tac_error *err)
{
    tac_status status = extend_map(merge, map, source, err);
    if (status != TAC_OK)
        return status;
    uint32_t event = tac_names_find(&merge->names, "event");
    for (size_t i = 0; i < block->count; i++) {
        struct live_row row = row_of(map, block, i);
        for (size_t v = 0; v < map->last.count; v++)
            if (map->last.at[v].variable == event) { /* an instant: said again each time */
                bool said = false;
                for (size_t k = 0; k < row.count; k++)
                    said |= row.settings[k].variable == event;
                if (!said)
                    row.settings[row.count++] = map->last.at[v];
            }
        size_t at = merge->rows.count;
        tac_vec_push(&merge->rows, row);
        for (; at > merge->head && merge->rows.at[at - 1].time > row.time; at--)
            merge->rows.at[at] = merge->rows.at[at - 1];
        merge->rows.at[at] = row;
    }
    return TAC_OK;
}

tac_monitor_schema live_merge_schema(const struct live_merge *merge)
{
    return (tac_monitor_schema){merge->variables.at, merge->variables.count, merge->symbols.text,
                                merge->symbols.count};
}

static void set_columns(struct live_merge *merge)
{
    merge->number_columns.count = merge->symbol_columns.count = 0;
    for (size_t v = 0; v < merge->variables.count; v++) {
        bool number = merge->variables.at[v].kind == TAC_CONTINUOUS;
        tac_vec_push(&merge->number_columns, number ? &merge->numbers.at[v] : NULL);
        tac_vec_push(&merge->symbol_columns, number ? NULL : &merge->values.at[v]);
    }
}

bool live_merge_next(struct live_merge *merge, int64_t limit, tac_monitor_schema *schema,
                     tac_trace_block *block)
{
    assert(merge->head <= merge->rows.count);
    if (merge->head == merge->rows.count || merge->rows.at[merge->head].time > limit)
        return false;
    struct live_row row = merge->rows.at[merge->head++];
    uint32_t event = tac_names_find(&merge->names, "event");
    if (event != TAC_NONE)
        merge->values.at[event] = TAC_TRACE_NO_SYMBOL;
    for (size_t k = 0; k < row.count; k++) {
        assert(row.settings[k].variable < merge->variables.count);
        merge->numbers.at[row.settings[k].variable] = row.settings[k].number;
        merge->values.at[row.settings[k].variable] = row.settings[k].symbol;
    }
    free(row.settings);
    if (merge->released && row.time < merge->last_time) {
        merge->late++;
        row.time = merge->last_time;
    }
    merge->last_time = merge->one_time = row.time;
    if (merge->head > 1000) {
        merge->rows.count -= merge->head;
        memmove(merge->rows.at, merge->rows.at + merge->head,
                merge->rows.count * sizeof *merge->rows.at);
        merge->head = 0;
    }
    set_columns(merge);
    *schema = live_merge_schema(merge);
    *block = (tac_trace_block){1, merge->released++, &merge->one_time, merge->number_columns.at,
                               merge->symbol_columns.at};
    return true;
}

void live_map_free(struct live_map *map)
{
    tac_vec_free(&map->variables);
    tac_vec_free(&map->symbols);
    tac_vec_free(&map->last);
}

void live_merge_free(struct live_merge *merge)
{
    for (size_t i = merge->head; i < merge->rows.count; i++)
        free(merge->rows.at[i].settings);
    tac_vec_free(&merge->rows);
    tac_vec_free(&merge->variables);
    tac_vec_free(&merge->numbers);
    tac_vec_free(&merge->values);
    tac_vec_free(&merge->number_columns);
    tac_vec_free(&merge->symbol_columns);
    tac_names_free(&merge->names);
    tac_names_free(&merge->units);
    tac_names_free(&merge->symbols);
}
