/* A trace as one run: the state variable gives the state events, `event` the input events. The
 * state that an event brings about stands in its own row if it changed there, else in the row after
 * it; in DroidBot's folders (state_first) a row's state is the screen that its event was sent to.
 * A run that failed in the very row of an event ended while handling it, and ends in that
 * input. The verdict, exception and stack come from the trace's header, or the label from a
 * property. */
#include "tactus/trace.h"
#include "base/check.h"
#include "mining/runs/runs.h"
#include "trace/trace.h"

struct trace_columns {
    size_t event, state; /* SIZE_MAX = not known yet */
};

static size_t column_named(const tac_trace_source *source, const char *name)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    for (size_t i = 0; i < count; i++)
        if (variables[i].kind == TAC_DISCRETE && strcmp(variables[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

static struct trace_columns find_columns(struct tac_runs *runs, const tac_trace_source *source)
{
    static const char *const usual[] = {"state", "screen", "activity"};
    struct trace_columns columns = {column_named(source, "event"), SIZE_MAX};
    if (runs->state_of) {
        columns.state = column_named(source, runs->state_of);
        return columns;
    }
    size_t i = 0;
    while (i < 3 && (columns.state = column_named(source, usual[i])) == SIZE_MAX)
        i++;
    if (i < 3 && !runs->state_found)
        runs->state_found = usual[i];
    return columns;
}

/* What the next row has to know about the rows before it. */
struct position {
    bool state_first; /* a row's state stands before its event */
    uint32_t state;   /* of the last row */
    bool after_event; /* the state after the last input has not been told yet */
};

static void add_block(struct tac_runs *runs, const tac_trace_source *source,
                      const tac_trace_block *block, struct position *at)
{
    struct trace_columns columns = find_columns(runs, source);
    size_t count;
    const char *const *symbols = tac_trace_symbols(source, &count);
    for (size_t i = 0; i < block->count; i++) {
        uint32_t event =
            columns.event == SIZE_MAX ? TAC_TRACE_NO_SYMBOL : block->symbols[columns.event][i];
        uint32_t state =
            columns.state == SIZE_MAX ? TAC_TRACE_NO_SYMBOL : block->symbols[columns.state][i];
        assert(event == TAC_TRACE_NO_SYMBOL || event < count);
        assert(state == TAC_TRACE_NO_SYMBOL || state < count);
        bool acted =
            event != TAC_TRACE_NO_SYMBOL && *symbols[event] && *symbols[event] != TAC_TRACE_UNKNOWN;
        bool shown =
            state != TAC_TRACE_NO_SYMBOL && *symbols[state] && *symbols[state] != TAC_TRACE_UNKNOWN;
        bool before = at->state_first && acted;
        if (before && shown)
            tac_runs_state(runs, symbols[state]);
        if (acted)
            tac_runs_input(runs, symbols[event]);
        bool told = shown && !before && (state != at->state || (at->after_event && !acted));
        if (told)
            tac_runs_state(runs, symbols[state]);
        at->after_event = (acted || at->after_event) && !told;
        at->state = state;
    }
}

static const char *meta_text(const json_t *meta, const char *key)
{
    return json_string_value(json_object_get(meta, key));
}

static tac_status end_run(struct tac_runs *runs, const json_t *meta, const char *path,
                          const char *name, tac_error *err)
{
    struct run_outcome outcome = {.verdict = meta_text(meta, "verdict"),
                                  .exception = meta_text(meta, "exception"),
                                  .label = meta_text(meta, "label"),
                                  .place = meta_text(meta, "place"),
                                  .message = meta_text(meta, "message")};
    tac_str stack = {0};
    const json_t *lines = json_object_get(meta, "stack");
    if (json_is_string(lines))
        tac_str_add(&stack, json_string_value(lines));
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *line = json_string_value(json_array_get(lines, i));
        tac_str_addf(&stack, "%s\n", line ? line : "");
    }
    outcome.stack = stack.length ? stack.text : NULL;
    tac_status status = TAC_OK;
    if (runs->labeller.label) {
        const char *label;
        status = labeller_label(&runs->labeller, path, &label, err);
        if (!status)
            outcome = (struct run_outcome){.label = label};
    }
    if (!status)
        status = runs_end_with(runs, &outcome, name, 0, err);
    tac_str_free(&stack);
    return status;
}

tac_status read_trace_run(struct tac_runs *runs, const char *path, const char *name,
                          bool state_first, tac_error *err)
{
    struct trace_judge *judge = &runs->labeller.judge;
    tac_status status = judge_open(judge, path, path, err);
    if (status)
        return status;
    const tac_trace_source *source = judge->source;
    runs_begin_at(runs, name, 0);
    struct position at = {.state_first = state_first, .state = TAC_TRACE_NO_SYMBOL};
    const tac_trace_block *block;
    while (!(status = judge_next(judge, &block, err)) && block)
        add_block(runs, source, block, &at);
    if (!status && !state_first && at.after_event && at.state != TAC_TRACE_NO_SYMBOL &&
        !json_object_get(tac_trace_meta(source), "exception")) {
        size_t count;
        tac_runs_state(runs, tac_trace_symbols(source, &count)[at.state]);
    }
    if (!status && find_columns(runs, source).state == SIZE_MAX)
        status = tac_fail_at(err, TAC_E_INPUT, name, 0, 0,
                             "the trace has no variable '%s' for the state%s",
                             runs->state_of ? runs->state_of : "state, screen or activity",
                             runs->state_of ? "" : "; name the variable that is the state");
    if (!status)
        status = runs_check(runs, name, 0, err);
    if (!status)
        status = end_run(runs, tac_trace_meta(source), path, name, err);
    judge_close(judge);
    return status;
}
