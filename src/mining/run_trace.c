/* A run as a trace: the counterpart of runs/trace.c, which makes runs of traces, and of
 * emit_property.c, whose properties speak of the variables that are given here. A run has no times;
 * its states and inputs come a second apart.
 *
 * Per block of the run there are two rows, its state and its input; at the end comes the state that
 * the last input brought about. Where a run ends in an input there is no state after it: the state
 * is then one that no run has, because a missing value would be unknown. */
#include "base/check.h"
#include "mining/emit.h"
#include "mining/runs/runs.h"
#include "trace/read/format.h"

enum { SECOND = 1000000000 };

struct run_rows {
    const tac_runs *runs;
    const struct mined_run *run;
    uint32_t next; /* row: two for each block, and the last state */
    int64_t time;
    size_t event, state;
};

static tac_status add_row(tac_trace_source *source, size_t variable, const char *text,
                          tac_error *err)
{
    struct run_rows *rows = source->reader;
    uint32_t symbol;
    tac_status status = source_symbol_slow(source, text, strlen(text), &symbol, err);
    if (status != TAC_OK)
        return status;
    source_begin(source);
    source_set_symbol(source, variable, symbol);
    if (!source_commit(source, rows->time))
        return source_commit_error(source, rows->time, 0, 0, err);
    rows->time += SECOND;
    return TAC_OK;
}

static tac_status add_last(tac_trace_source *source, tac_error *err)
{
    const struct run_rows *rows = source->reader;
    uint32_t tail = rows->run->tail;
    source->ended = true;
    return add_row(source, rows->state, tail == TAC_NONE ? "" : tac_token_text(rows->runs, tail),
                   err);
}

static tac_status fill(tac_trace_source *source, tac_error *err)
{
    struct run_rows *rows = source->reader;
    const uint32_t *blocks = run_blocks(rows->runs, rows->run);
    tac_status status = TAC_OK;
    while (status == TAC_OK && !source->ended && source->count < TAC_TRACE_BLOCK_STATES) {
        uint32_t row = rows->next++;
        const struct block *block =
            row / 2 < rows->run->blocks ? &rows->runs->blocks.at[blocks[row / 2]] : NULL;
        status = !block ? add_last(source, err)
                 : row % 2
                     ? add_row(source, rows->event, tac_token_text(rows->runs, block->input), err)
                     : add_row(source, rows->state, tac_token_text(rows->runs, block->state), err);
    }
    return status;
}

static tac_status open_rows(tac_trace_source *source, tac_error *err)
{
    struct run_rows *rows = source->reader;
    tac_status status = source_want_variable(source, "event", TAC_DISCRETE, "", &rows->event, err);
    return status == TAC_OK ? source_want_variable(source, runs_state_variable(rows->runs),
                                                   TAC_DISCRETE, "", &rows->state, err)
                            : status;
}

static void close_rows(tac_trace_source *source)
{
    free(source->reader);
}

tac_status tac_runs_open_trace(const tac_runs *runs, size_t index, tac_trace_source **out,
                               tac_error *err)
{
    static const struct trace_format format = {
        .id = TRACE_FORMATS, .open = open_rows, .fill = fill, .close = close_rows};
    assert(index < runs->list.count);
    struct run_rows *rows = tac_calloc(1, sizeof *rows);
    rows->runs = runs;
    rows->run = &runs->list.at[index];
    char *name = tac_runs_name(runs, index);
    tac_status status = source_open_made(&format, rows, name, out, err);
    free(name);
    return status;
}
