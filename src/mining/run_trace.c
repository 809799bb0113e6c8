/* A run as a trace: the counterpart of runs/trace.c, which makes runs of traces, and of
 * emit_property.c, whose properties speak of the variables that are written here. A run has no
 * times; its states and inputs come a second apart. */
#include "base/check.h"
#include "mining/runs/runs.h"
#include "tactus/mining_emit.h"
#include "tactus/trace.h"

enum { SECOND = 1000000000 };

struct row_writer {
    tac_trace_writer *out;
    size_t event, state;
    int64_t time;
    bool shown; /* a state that the run shows */
    tac_status status;
};

static void write_row(struct row_writer *w, size_t variable, const char *text, tac_error *err)
{
    if (w->status != TAC_OK)
        return;
    assert(variable == w->event || variable == w->state);
    tac_trace_writer_begin(w->out, w->time);
    tac_trace_writer_symbol(w->out, variable, text);
    w->status = tac_trace_writer_end(w->out, err);
    w->time += SECOND;
}

/* The state that normalisation puts before the inputs of a run until it shows one is not written.
 */
static void write_state(struct row_writer *w, const tac_runs *runs, uint32_t token, tac_error *err)
{
    const char *text = tac_token_text(runs, token);
    w->shown = w->shown || strcmp(text, "start") != 0;
    if (w->shown)
        write_row(w, w->state, text, err);
}

tac_status tac_runs_write_trace(const tac_runs *runs, size_t index, FILE *out, tac_error *err)
{
    assert(index < runs->list.count);
    const struct mined_run *run = &runs->list.at[index];
    const uint32_t *blocks = run_blocks(runs, run);
    struct row_writer w = {0};
    w.status = tac_trace_writer_new(out, "jsonl", NULL, &w.out, err);
    if (w.status != TAC_OK)
        return w.status;
    w.event = tac_trace_writer_variable(
        w.out, &(tac_trace_variable){.name = "event", .unit = "", .kind = TAC_DISCRETE});
    w.state = tac_trace_writer_variable(
        w.out,
        &(tac_trace_variable){.name = runs_state_variable(runs), .unit = "", .kind = TAC_DISCRETE});
    for (uint32_t i = 0; i < run->blocks; i++) {
        const struct block *block = &runs->blocks.at[blocks[i]];
        write_state(&w, runs, block->state, err);
        write_row(&w, w.event, tac_token_text(runs, block->input), err);
    }
    if (run->tail != TAC_NONE)
        write_row(&w, w.state, tac_token_text(runs, run->tail), err);
    else if (w.shown) /* what the last input brought about was not seen */
        write_row(&w, w.state, "", err);
    tac_error ignored;
    tac_status finished = tac_trace_writer_finish(w.out, NULL, w.status == TAC_OK ? err : &ignored);
    return w.status == TAC_OK ? finished : w.status;
}
