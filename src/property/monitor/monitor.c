/* Feeding a monitor: binding names at the first block, evaluating columns once per chunk, and
 * running every interval plan and automaton over them. names.c tells what names a trace lacks. */
#include "property/monitor/monitor.h"

#include "base/check.h"

tac_status tac_monitor_new(const tac_properties *properties, const tac_monitor_options *options,
                           tac_monitor **out, tac_error *err)
{
    (void)err;
    tac_monitor *monitor = tac_calloc(1, sizeof *monitor);
    monitor->properties = properties;
    if (options)
        monitor->options = *options;
    monitor->trace_name =
        tac_strdup(monitor->options.trace_name ? monitor->options.trace_name : "the trace");
    monitor->options.trace_name = monitor->trace_name;
    *out = monitor;
    return TAC_OK;
}

static void each_closed(void *context, uint32_t id, const struct interval_record *record);

static void part_start(tac_monitor *monitor, size_t index)
{
    assert(index < monitor->plan.parts.count);
    const struct property_part *part = &monitor->plan.parts.at[index];
    struct part_state *state = &monitor->parts[index];
    size_t values = part->temporal ? part->watched_count : part->interval.watched.count;
    size_t comparisons = part->interval.comparisons.count + 1;
    struct answer_room *room = &state->room;
    room->values = tac_calloc(values + 1, sizeof *room->values);
    room->worst_values = tac_calloc(values + 1, sizeof *room->worst_values);
    room->comparisons = tac_calloc(comparisons, sizeof *room->comparisons);
    room->worst_comparisons = tac_calloc(comparisons, sizeof *room->worst_comparisons);
    if (part->each_count) {
        state->each = each_new(part);
        if (monitor->options.on_interval)
            state->each->closed = each_closed;
        state->each->context = &monitor->calls[index];
    } else {
        part_run_init(part, &state->run);
        if (!part->temporal)
            interval_state_init(&part->interval, &state->ended);
    }
}

struct column_program *monitor_program(struct property_plan *plan, size_t k)
{
    if (k == 0)
        return &plan->program;
    for (size_t i = 0; i < plan->parts.count; i++)
        if (plan->parts.at[i].program != &plan->program && --k == 0)
            return plan->parts.at[i].program;
    return NULL;
}

static tac_status bind(tac_monitor *monitor, const tac_monitor_schema *schema, tac_error *err)
{
    assert(!monitor->bound && !monitor->parts);
    tac_diagnostics found = {0};
    property_plan_compile(monitor->properties, schema, monitor->options.semantics,
                          monitor->options.known, monitor->trace_name, &found, &monitor->plan);
    tac_status status = TAC_OK;
    if (found.errors)
        status = tac_diagnostics_fail(&found, err);
    tac_diagnostics_free(&found);
    if (status != TAC_OK) {
        property_plan_free(&monitor->plan);
        return status;
    }
    struct property_plan *plan = &monitor->plan;
    column_start(&plan->program);
    for (size_t i = 0; i < plan->parts.count; i++)
        if (plan->parts.at[i].program != &plan->program)
            column_start(plan->parts.at[i].program);
    monitor->calls = tac_calloc(plan->parts.count + 1, sizeof *monitor->calls);
    monitor->scratch = tac_calloc(COLUMN_CHUNK, sizeof *monitor->scratch);
    monitor->parts = tac_calloc(plan->parts.count + 1, sizeof *monitor->parts);
    monitor->part_property = tac_calloc(plan->parts.count + 1, sizeof(size_t));
    for (size_t i = 0; i < plan->parts.count; i++) {
        monitor->part_property[i] = SIZE_MAX;
        monitor->calls[i] = (struct interval_call){monitor, i};
        plan->parts.at[i].interval.tells_each = monitor->options.on_interval != NULL;
        part_start(monitor, i);
    }
    for (size_t i = 0; i < monitor->properties->properties.count; i++)
        if (plan->combines.at[plan->roots[i]].op == COMBINE_PART)
            monitor->part_property[plan->combines.at[plan->roots[i]].a] = i;
    monitor->bound = true;
    monitor->variables = schema->variable_count;
    return TAC_OK;
}

static void interval_closed(void *context, const struct interval_record *record)
{
    assert(record->set);
    struct interval_call *call = context;
    tac_monitor *monitor = call->monitor;
    size_t property = monitor->part_property[call->part];
    if (property == SIZE_MAX)
        return;
    part_witness(monitor, call->part, record);
    monitor->options.on_interval(monitor->options.context, property,
                                 &monitor->parts[call->part].room.witness);
}

static void each_closed(void *context, uint32_t id, const struct interval_record *record)
{
    struct interval_call *call = context;
    struct part_state *state = &call->monitor->parts[call->part];
    tac_str_clear(&state->room.value);
    each_value_text(state->each, id, call->monitor->symbols.at, call->monitor->symbols.count,
                    &state->room.value);
    interval_closed(call, record);
}

static tac_status too_many(const tac_monitor *monitor, size_t index, tac_error *err)
{
    const struct property_part *part = &monitor->plan.parts.at[index];
    const struct part_state *state = &monitor->parts[index];
    const struct ast *at = NULL;
    if (part->program->overflow != COLUMN_NONE)
        at = part->program->bound_places.at[part->program->overflow];
    else if (!part->each_count)
        at = part_run_overflow(part, &state->run);
    if (part->each_count && state->each->too_many)
        return tac_fail_at(
            err, TAC_E_LIMIT, monitor->properties->file, part->ast->line, part->ast->column,
            "more than %d values of 'for each' have something open at once", EACH_MOST);
    if (!at)
        return TAC_OK;
    tac_arena arena = {0};
    tac_status status = tac_fail_at(
        err, TAC_E_LIMIT, monitor->properties->file, at->line, at->column,
        "'%s' has more open obligations than a monitor keeps (%d)",
        at->kind == AST_QUANTIFIED ? "the interval" : ast_operator_text(&arena, at), DUTY_MOST);
    tac_arena_free(&arena);
    return status;
}

/* Binds names on the first call and whenever the schema has grown. */
static tac_status take_schema(tac_monitor *monitor, const tac_monitor_schema *schema,
                              const tac_trace_block *block, tac_error *err)
{
    tac_status status = TAC_OK;
    struct column_program *program;
    if (!monitor->bound)
        status = bind(monitor, schema, err);
    else if (schema->variable_count > monitor->variables)
        status = monitor_bind_late(monitor, schema, err);
    if (status != TAC_OK)
        return status;
    if (schema->symbol_count > monitor->symbols.count)
        tac_vec_append(&monitor->symbols, schema->symbols + monitor->symbols.count,
                       schema->symbol_count - monitor->symbols.count);
    for (size_t k = 0; (program = monitor_program(&monitor->plan, k)); k++) {
        column_symbols(program, schema->symbols, schema->symbol_count);
        if (monitor->states == 0 && block->count)
            monitor_warn_without_value(monitor, program, block);
    }
    if (monitor->states == 0 && block->count)
        monitor->start = block->time[0];
    return TAC_OK;
}

tac_status tac_monitor_feed(tac_monitor *monitor, const tac_monitor_schema *schema,
                            const tac_trace_block *block, tac_error *err)
{
    assert(!block->count || !monitor->states || block->time[0] >= monitor->now);
    tac_status status = take_schema(monitor, schema, block, err);
    const struct property_plan *plan = &monitor->plan;
    for (size_t offset = 0; status == TAC_OK && offset < block->count; offset += COLUMN_CHUNK) {
        size_t count = block->count - offset;
        if (count > COLUMN_CHUNK)
            count = COLUMN_CHUNK;
        column_evaluate(&monitor->plan.program, block, offset, count);
        struct chunk chunk = {.program = &plan->program,
                              .time = block->time + offset,
                              .first = monitor->states,
                              .count = count};
        for (size_t i = 0; i < plan->parts.count; i++) {
            const struct property_part *part = &plan->parts.at[i];
            struct part_state *state = &monitor->parts[i];
            struct interval_listener told = {interval_closed, &monitor->calls[i]};
            const struct interval_listener *listener = monitor->options.on_interval ? &told : NULL;
            if (!part->each_count && !part->temporal)
                interval_feed(&part->interval, &state->run.interval, &chunk, listener);
            else if (!part->each_count)
                part_run_feed(part, &state->run, &chunk, monitor->scratch, listener);
        }
        for (size_t i = 0; i < plan->parts.count; i++)
            if (monitor->parts[i].each)
                each_feed(monitor->parts[i].each, block, offset, count, monitor->states,
                          monitor->scratch);
        monitor->states += count;
        for (size_t i = 0; status == TAC_OK && i < plan->parts.count; i++)
            status = too_many(monitor, i, err);
    }
    if (block->count)
        monitor->now = block->time[block->count - 1];
    return status;
}

void tac_monitor_tick(tac_monitor *monitor, int64_t now)
{
    if (!monitor->bound || !monitor->states || now <= monitor->now)
        return;
    for (size_t i = 0; i < monitor->plan.parts.count; i++) {
        struct part_state *state = &monitor->parts[i];
        if (state->each)
            each_tick(state->each, monitor->states - 1, now);
        else
            part_run_tick(&monitor->plan.parts.at[i], &state->run, monitor->states - 1, now);
    }
}

/* Nested slices, and those of a trace without lengths, are taken as disjoint: say what that left
 * out. */
static void warn_swallowed(tac_monitor *monitor, const struct property_part *part,
                           const struct part_state *state)
{
    uint64_t count = interval_swallowed(&part->interval, &state->run.interval);
    if (count)
        monitor_warn(monitor, part->ast->line, part->ast->column,
                     "%llu slice%s began while another of that name was open and %s not judged; "
                     "ask about the lengths instead: count(event == \"end:NAME\" and dur > 16 ms)",
                     (unsigned long long)count, count == 1 ? "" : "s", count == 1 ? "was" : "were");
}

tac_status tac_monitor_finish(tac_monitor *monitor, const tac_monitor_schema *schema,
                              tac_error *err)
{
    if (!monitor->bound) {
        tac_monitor_schema none = {0};
        tac_status status = bind(monitor, schema ? schema : &none, err);
        if (status != TAC_OK)
            return status;
    }
    tac_status status = schema ? monitor_check_names(monitor, schema, err) : TAC_OK;
    for (size_t i = 0; status == TAC_OK && i < monitor->plan.parts.count; i++) {
        const struct property_part *part = &monitor->plan.parts.at[i];
        struct interval_listener listener = {interval_closed, &monitor->calls[i]};
        if (part->each_count) {
            each_finish(monitor->parts[i].each);
        } else if (!part->temporal) {
            interval_end(&part->interval, &monitor->parts[i].run.interval,
                         monitor->options.on_interval ? &listener : NULL);
            warn_swallowed(monitor, part, &monitor->parts[i]);
        }
    }
    return status;
}

bool tac_monitor_lost(const tac_monitor *monitor)
{
    bool lost = false;
    for (size_t i = 0; monitor->bound && i < monitor->plan.parts.count; i++) {
        const struct part_state *state = &monitor->parts[i];
        lost = lost || (state->each ? state->each->lost : state->run.lost);
    }
    return lost;
}

bool tac_monitor_violated(const tac_monitor *monitor)
{
    tac_property_result result;
    for (size_t i = 0; monitor->bound && i < monitor->properties->properties.count; i++) {
        tac_monitor_result((tac_monitor *)(uintptr_t)monitor, i, false, &result);
        if (result.decided && result.answer == TAC_VIOLATED)
            return true;
    }
    return false;
}

uint64_t tac_monitor_states(const tac_monitor *monitor)
{
    return monitor->states;
}

const tac_diagnostics *tac_monitor_warnings(const tac_monitor *monitor)
{
    return &monitor->warnings;
}

void tac_monitor_reset(tac_monitor *monitor)
{
    monitor->states = 0;
    monitor->now = 0;
    monitor->symbols.count = 0;
    if (!monitor->bound)
        return;
    struct column_program *program;
    for (size_t k = 0; (program = monitor_program(&monitor->plan, k)); k++)
        column_reset(program);
    for (size_t i = 0; i < monitor->plan.parts.count; i++)
        if (monitor->parts[i].each)
            each_reset(monitor->parts[i].each);
        else
            part_run_reset(&monitor->plan.parts.at[i], &monitor->parts[i].run);
}

void monitor_restart(tac_monitor *monitor, const char *trace_name)
{
    tac_monitor_reset(monitor);
    free(monitor->trace_name);
    monitor->trace_name = tac_strdup(trace_name ? trace_name : "the trace");
    monitor->options.trace_name = monitor->trace_name;
}

void tac_monitor_free(tac_monitor *monitor)
{
    if (!monitor)
        return;
    for (size_t i = 0; monitor->bound && i < monitor->plan.parts.count; i++) {
        struct part_state *state = &monitor->parts[i];
        const struct property_part *part = &monitor->plan.parts.at[i];
        if (part->each_count)
            each_free(state->each);
        else
            part_run_free(part, &state->run);
        if (!part->each_count && !part->temporal)
            interval_state_free(&part->interval, &state->ended);
        free(state->room.values);
        free(state->room.worst_values);
        free(state->room.comparisons);
        free(state->room.worst_comparisons);
        tac_str_free(&state->room.value);
        tac_str_free(&state->room.worst_value);
    }
    free(monitor->calls);
    free(monitor->parts);
    free(monitor->part_property);
    free(monitor->scratch);
    free(monitor->trace_name);
    tac_vec_free(&monitor->symbols);
    property_plan_free(&monitor->plan);
    tac_diagnostics_free(&monitor->warnings);
    free(monitor);
}
