/* Some states of a trace, for people and programs that look into it.
 *
 * A state is kept as what it changes against the one kept before it, so that a value which holds
 * costs nothing. A change is 16 bytes, and a value that goes was there: at most two changes for
 * every value that a state shows. */
#include "base/check.h"
#include "trace/keep.h"
#include "trace/read/source.h"
#include "trace/tools.h"
#include "trace/trace.h"
#include <fnmatch.h>
#include <math.h>

struct owned_states {
    tac_trace_states shown; /* first: the caller has its address */
    tac_arena arena;        /* texts and changes */
    tac_names symbols;
    TAC_VEC(tac_trace_shown_state) states;
};

/* What a variable was in the state kept last. */
struct held_value {
    double number;
    uint32_t symbol; /* of the source */
};

struct state_picker {
    const tac_trace_source *source;
    struct owned_states *owned;
    TAC_VEC(struct held_value) held;
    TAC_VEC(tac_trace_change) changes; /* of one state */
};

static bool same_number(double a, double b)
{
    return !memcmp(&a, &b, sizeof a) ||
           (isnan(a) && isnan(b) && tac_trace_unknown_reason(a) == tac_trace_unknown_reason(b));
}

static void note_symbol(struct state_picker *picker, size_t variable, uint32_t symbol,
                        bool is_event)
{
    struct held_value *held = &picker->held.at[variable];
    if (symbol == (is_event ? TAC_TRACE_NO_SYMBOL : held->symbol))
        return;
    size_t count;
    const char *const *names = tac_trace_symbols(picker->source, &count);
    tac_trace_change change = {(uint32_t)variable, TAC_TRACE_NO_SYMBOL, NAN};
    assert(symbol == TAC_TRACE_NO_SYMBOL || symbol < count);
    if (symbol != TAC_TRACE_NO_SYMBOL)
        change.symbol = tac_names_intern(&picker->owned->symbols, names[symbol]);
    held->symbol = symbol;
    tac_vec_push(&picker->changes, change);
}

static void note_number(struct state_picker *picker, size_t variable, double number)
{
    struct held_value *held = &picker->held.at[variable];
    if (same_number(number, held->number))
        return;
    held->number = number;
    size_t count;
    const char *const *names = tac_trace_symbols(picker->source, &count);
    uint32_t reason = tac_trace_unknown_reason(number);
    uint32_t symbol = reason < count ? tac_names_intern(&picker->owned->symbols, names[reason])
                                     : TAC_TRACE_NO_SYMBOL;
    tac_vec_push(&picker->changes, (tac_trace_change){(uint32_t)variable, symbol, number});
}

static void keep_state(struct state_picker *picker, const tac_trace_block *block, size_t row)
{
    size_t count, event = source_find_variable(picker->source, "event", 5);
    tac_trace_variables(picker->source, &count);
    while (picker->held.count < count)
        tac_vec_push(&picker->held, (struct held_value){NAN, TAC_TRACE_NO_SYMBOL});
    picker->changes.count = 0;
    for (size_t i = 0; i < count; i++) {
        if (block->numbers[i])
            note_number(picker, i, block->numbers[i][row]);
        else if (block->symbols[i])
            note_symbol(picker, i, block->symbols[i][row], i == event);
    }
    size_t size = picker->changes.count * sizeof *picker->changes.at;
    tac_trace_change *changes = size ? tac_arena_alloc(&picker->owned->arena, size) : NULL;
    if (size)
        memcpy(changes, picker->changes.at, size);
    tac_vec_push(&picker->owned->states,
                 (tac_trace_shown_state){.index = block->first + row,
                                         .time = block->time[row],
                                         .changes = changes,
                                         .change_count = picker->changes.count});
}

static bool has_event(const tac_trace_source *source, const tac_trace_block *block, size_t row,
                      const char *wanted)
{
    size_t count, event = source_find_variable(source, "event", 5);
    if (!wanted)
        return true;
    const char *const *names = tac_trace_symbols(source, &count);
    uint32_t symbol = event == SIZE_MAX ? TAC_TRACE_NO_SYMBOL : block->symbols[event][row];
    return symbol != TAC_TRACE_NO_SYMBOL && !fnmatch(wanted, names[symbol], 0);
}

/* Keeps the wanted states; `more` when the limit cut some off. */
static tac_status collect(tac_trace_source *source, const tac_trace_show_options *options,
                          struct state_picker *picker, tac_error *err)
{
    const tac_trace_block *block;
    tac_trace_states *shown = &picker->owned->shown;
    tac_status status;
    while (!(status = tac_trace_next(source, &block, err)) && block) {
        if (!block->first) {
            shown->any = true;
            shown->start = block->time[0];
        }
        for (size_t i = 0; i < block->count; i++) {
            double since = (double)(block->time[i] - shown->start) * 1e-9;
            uint64_t state = block->first + i;
            if ((options->to >= 0 && since > options->to) ||
                (options->last_state && state > options->last_state))
                return TAC_OK;
            if (since < options->from || state < options->first_state ||
                !has_event(source, block, i, options->event))
                continue;
            if (options->limit && picker->owned->states.count == options->limit) {
                shown->more = true;
                return TAC_OK;
            }
            keep_state(picker, block, i);
        }
    }
    return status;
}

static void describe(struct owned_states *owned, const tac_trace_source *source, const char *path)
{
    tac_trace_states *shown = &owned->shown;
    const tac_trace_variable *variables = tac_trace_variables(source, &shown->variable_count);
    shown->path = tac_arena_strdup(&owned->arena, path);
    shown->format = tac_arena_strdup(&owned->arena, tac_trace_format(source));
    shown->meta = keep_meta(source);
    shown->variables = keep_variables(&owned->arena, variables, shown->variable_count);
    shown->symbols = owned->symbols.text;
    shown->symbol_count = owned->symbols.count;
    shown->states = owned->states.at;
    shown->state_count = owned->states.count;
}

tac_status tac_trace_show(const char *path, const tac_trace_show_options *options,
                          tac_trace_states **out, tac_error *err)
{
    tac_trace_source *source;
    tac_status status = tac_trace_open(path, options->trace, &source, err);
    if (status)
        return status;
    struct owned_states *owned = tac_calloc(1, sizeof *owned);
    struct state_picker picker = {.source = source, .owned = owned};
    status = collect(source, options, &picker, err);
    tac_vec_free(&picker.held);
    tac_vec_free(&picker.changes);
    if (!status) {
        describe(owned, source, path);
        *out = &owned->shown;
    } else {
        tac_trace_states_free(&owned->shown);
    }
    tac_trace_close(source);
    return status;
}

void tac_trace_states_free(tac_trace_states *states)
{
    struct owned_states *owned = (struct owned_states *)states;
    if (!owned)
        return;
    drop_meta(owned->shown.meta);
    tac_vec_free(&owned->states);
    tac_names_free(&owned->symbols);
    tac_arena_free(&owned->arena);
    free(owned);
}
