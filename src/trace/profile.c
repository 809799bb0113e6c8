/* See profile.h. One pass, memory by the number of distinct actions. */
#include "trace/profile.h"
#include <fnmatch.h>
#include <math.h>
#include <string.h>

void profile_start_trace(struct profile *profile, size_t trace)
{
    profile->trace = trace;
    profile->per = profile->variable = SIZE_MAX;
    profile->current = TAC_NONE;
    profile->current_symbol = TAC_TRACE_NO_SYMBOL;
    profile->last_value = profile->first_value = NAN;
    profile->by_action = profile->options->per && !strcmp(profile->options->per, "action");
    if (profile->by_action && !profile->nested) {
        profile->nested = tac_calloc(1, sizeof *profile->nested);
        profile->nested->options = profile->options;
    }
    if (profile->nested) {
        profile->nested->trace = trace;
        profile->nested->current = TAC_NONE;
        profile->nested->last_value = NAN;
    }
}

/* --- Actions of the user ---------------------------------------------------------------------- */

static bool in_list(const char *list, const char *name)
{
    while (*list) {
        size_t length = strcspn(list, ",");
        char *one = tac_strndup(list, length);
        bool found = !fnmatch(one, name, 0);
        free(one);
        if (found)
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}

/* The flow of a run: a list of events, or a text of them separated by blanks. */
static bool in_flow(const json_t *flow, const char *name)
{
    size_t index, length = strlen(name);
    const json_t *one;
    json_array_foreach(flow, index, one)
    {
        const char *text =
            json_string_value(json_is_object(one) ? json_object_get(one, "event") : one);
        if (text && !strcmp(text, name))
            return true;
    }
    for (const char *at = json_string_value(flow); at && (at = strstr(at, name)); at++)
        if ((at == json_string_value(flow) || strchr(" ,;", at[-1])) &&
            (!at[length] || strchr(" ,;", at[length])))
            return true;
    return false;
}

static bool is_action(const struct profile *profile, const char *name)
{
    if (profile->options->actions)
        return in_list(profile->options->actions, name);
    if (json_is_array(profile->flow) || json_is_string(profile->flow))
        return in_flow(profile->flow, name);
    return !(*name >= 'A' && *name <= 'Z');
}

static tac_status bind(struct profile *profile, const tac_trace_source *source, tac_error *err)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    const tac_trace_stat_options *options = profile->options;
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(variables[i].name, profile->by_action ? "event" : options->per)) {
            if (variables[i].kind != TAC_DISCRETE)
                return tac_fail(err, TAC_E_INPUT, "'%s' holds numbers; only names can be charged",
                                options->per);
            profile->per = i;
            profile->is_event = profile->by_action || !strcmp(options->per, "event");
        }
        if (!strcmp(variables[i].name, options->variable)) {
            if (variables[i].kind != TAC_CONTINUOUS)
                return tac_fail(err, TAC_E_INPUT, "'%s' holds names, not numbers",
                                options->variable);
            if (profile->unit && strcmp(profile->unit, variables[i].unit))
                return tac_fail(err, TAC_E_INPUT,
                                "'%s' is in '%s' in one trace and in '%s' in "
                                "another",
                                options->variable, profile->unit, variables[i].unit);
            if (!profile->unit)
                profile->unit = tac_strdup(variables[i].unit);
            profile->variable = i;
            profile->linear = variables[i].linear;
        }
    }
    return TAC_OK;
}

static void close_action(struct profile *profile, double value)
{
    if (profile->current == TAC_NONE)
        return;
    enum tac_trace_measure measure = profile->options->measure;
    double cost = measure == TAC_MEASURE_DIFF ? value - profile->start_value : profile->sum;
    if (!isnan(cost)) {
        struct profile_action *action = &profile->actions.at[profile->current];
        double step = cost - action->mean;
        action->count++;
        action->mean += step / (double)action->count;
        action->squares += step * (cost - action->mean);
        action->total += cost;
        if (action->count == 1 || cost > action->worst) {
            action->worst = cost;
            action->worst_trace = profile->trace;
            action->worst_state = profile->start_state;
            action->worst_time = profile->start_time;
        }
    }
    profile->current = TAC_NONE;
}

static void open_action(struct profile *profile, const char *name, uint64_t state, int64_t time,
                        double value)
{
    uint32_t id = tac_names_intern(&profile->names, name);
    while (profile->actions.count <= id)
        tac_vec_push(&profile->actions, (struct profile_action){0});
    profile->current = id;
    profile->start_state = state;
    profile->start_time = time;
    profile->start_value = value;
    profile->sum = profile->options->measure == TAC_MEASURE_MAX ? value : 0;
}

/* The time since the last state belongs to the action that was going on. */
static void add_step(struct profile *profile, int64_t time, double value)
{
    double seconds = (double)(time - profile->last_time) * 1e-9;
    if (profile->current == TAC_NONE)
        return;
    if (profile->options->measure == TAC_MEASURE_MAX)
        profile->sum = isnan(profile->sum) ? value : fmax(profile->sum, value);
    else if (profile->options->measure == TAC_MEASURE_INTEGRAL && !isnan(profile->last_value))
        profile->sum +=
            seconds * (profile->linear ? (profile->last_value + value) / 2 : profile->last_value);
}

/* An event of the app: below the action that is going on. */
static void turn_nested(struct profile *profile, const char *event, uint64_t state, int64_t time,
                        double value)
{
    close_action(profile->nested, value);
    if (profile->current == TAC_NONE)
        return;
    char *name = tac_format("%s\n%s", profile->names.text[profile->current], event);
    open_action(profile->nested, name, state, time, value);
    free(name);
}

/* The growth of the whole trace; what comes before the first action is charged to "(before)". */
static void note_growth(struct profile *profile, const tac_trace_block *block, size_t row,
                        double value)
{
    if (isnan(value))
        return;
    if (isnan(profile->first_value)) {
        profile->first_value = value;
        if (profile->by_action && profile->current == TAC_NONE)
            open_action(profile, "(before)", block->first + row, block->time[row], value);
    }
    /* A counter that shows up inside an action counts from there. */
    if (profile->current != TAC_NONE && isnan(profile->start_value))
        profile->start_value = value;
    if (profile->nested && profile->nested->current != TAC_NONE &&
        isnan(profile->nested->start_value))
        profile->nested->start_value = value;
}

tac_status profile_feed(struct profile *profile, const tac_trace_source *source,
                        const tac_trace_block *block, tac_error *err)
{
    if (profile->per == SIZE_MAX || profile->variable == SIZE_MAX) {
        tac_status status = bind(profile, source, err);
        if (status)
            return status;
    }
    size_t symbols;
    const char *const *names = tac_trace_symbols(source, &symbols);
    profile->flow = json_object_get(tac_trace_meta(source), "flow");
    for (size_t i = 0; i < block->count; i++) {
        double value = profile->variable == SIZE_MAX ? NAN : block->numbers[profile->variable][i];
        uint32_t symbol =
            profile->per == SIZE_MAX ? TAC_TRACE_NO_SYMBOL : block->symbols[profile->per][i];
        note_growth(profile, block, i, value);
        add_step(profile, block->time[i], value);
        if (profile->nested)
            add_step(profile->nested, block->time[i], value);
        bool turns =
            profile->is_event ? symbol != TAC_TRACE_NO_SYMBOL : symbol != profile->current_symbol;
        if (turns && profile->by_action && !is_action(profile, names[symbol])) {
            turn_nested(profile, names[symbol], block->first + i, block->time[i], value);
        } else if (turns) {
            if (profile->nested)
                close_action(profile->nested, value);
            close_action(profile, value);
            if (symbol != TAC_TRACE_NO_SYMBOL)
                open_action(profile, names[symbol], block->first + i, block->time[i], value);
        }
        profile->current_symbol = symbol;
        profile->last_time = block->time[i];
        profile->last_value = value;
        if (profile->nested) {
            profile->nested->last_time = block->time[i];
            profile->nested->last_value = value;
        }
    }
    return TAC_OK;
}

tac_status profile_end_trace(struct profile *profile, const char *path, tac_error *err)
{
    close_action(profile, profile->last_value);
    if (profile->nested)
        close_action(profile->nested, profile->last_value);
    if (!isnan(profile->last_value) && !isnan(profile->first_value))
        profile->growth += profile->last_value - profile->first_value;
    if (profile->per == SIZE_MAX || profile->variable == SIZE_MAX)
        return tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "the trace has no variable '%s'",
                           profile->per == SIZE_MAX && !profile->by_action ? profile->options->per
                           : profile->per == SIZE_MAX                      ? "event"
                                                      : profile->options->variable);
    return TAC_OK;
}

/* --- The result ------------------------------------------------------------------------------- */

struct profile_builder {
    const struct profile *profile;
    const tac_trace_summary *traces;
    tac_arena *arena;
};

static tac_trace_cost cost_of(const struct profile_builder *builder,
                              const struct profile_action *action, const char *name)
{
    double spread = action->count > 1 ? sqrt(action->squares / (double)(action->count - 1)) : 0;
    return (tac_trace_cost){.name = tac_arena_strdup(builder->arena, name),
                            .count = action->count,
                            .mean = action->mean,
                            .worst = action->worst,
                            .total = action->total,
                            .spread = spread,
                            .worst_trace = builder->traces[action->worst_trace].path,
                            .worst_state = action->worst_state,
                            .worst_time = action->worst_time};
}

/* The events below an action, by their own name. */
static void add_nested(const struct profile_builder *builder, const char *action,
                       tac_trace_cost *cost)
{
    const struct profile *nested = builder->profile->nested;
    TAC_VEC(tac_trace_cost) list = {0};
    size_t length = strlen(action);
    for (uint32_t i = 0; i < nested->actions.count; i++) {
        const char *name = nested->names.text[i];
        if (!nested->actions.at[i].count || strncmp(name, action, length) || name[length] != '\n')
            continue;
        tac_vec_push(&list, cost_of(builder, &nested->actions.at[i], name + length + 1));
    }
    tac_trace_cost *kept = tac_arena_calloc(builder->arena, list.count, sizeof *kept);
    if (list.count)
        memcpy(kept, list.at, list.count * sizeof *kept);
    cost->nested = kept;
    cost->nested_count = list.count;
    tac_vec_free(&list);
}

struct ranked {
    double mean;
    uint32_t id;
};

static int by_mean(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->mean != y->mean)
        return x->mean > y->mean ? -1 : 1;
    return x->id < y->id ? -1 : 1;
}

static const tac_trace_cost *ranked_costs(const struct profile_builder *builder, size_t *count)
{
    const struct profile *profile = builder->profile;
    TAC_VEC(struct ranked) order = {0};
    for (uint32_t i = 0; i < profile->actions.count; i++)
        if (profile->actions.at[i].count)
            tac_vec_push(&order, (struct ranked){profile->actions.at[i].mean, i});
    if (order.count)
        qsort(order.at, order.count, sizeof *order.at, by_mean);
    tac_trace_cost *costs = tac_arena_calloc(builder->arena, order.count, sizeof *costs);
    for (size_t i = 0; i < order.count; i++) {
        const char *name = profile->names.text[order.at[i].id];
        costs[i] = cost_of(builder, &profile->actions.at[order.at[i].id], name);
        if (profile->nested)
            add_nested(builder, name, &costs[i]);
    }
    *count = order.count;
    tac_vec_free(&order);
    return costs;
}

const tac_trace_profile *profile_result(const struct profile *profile,
                                        const tac_trace_summary *traces, tac_arena *arena)
{
    const struct profile_builder builder = {profile, traces, arena};
    const tac_trace_stat_options *options = profile->options;
    const char *unit = profile->unit ? profile->unit : "";
    const char *time = options->measure != TAC_MEASURE_INTEGRAL ? "" : *unit ? " s" : "s";
    tac_trace_profile *result = tac_arena_calloc(arena, 1, sizeof *result);
    result->per = tac_arena_strdup(arena, options->per);
    result->variable = tac_arena_strdup(arena, options->variable);
    result->unit = tac_arena_format(arena, "%s%s", unit, time);
    result->measure = options->measure;
    result->nests = profile->nested != NULL;
    result->growth = profile->growth;
    result->actions = ranked_costs(&builder, &result->action_count);
    return result;
}

void profile_free(struct profile *profile)
{
    if (profile->nested)
        profile_free(profile->nested);
    free(profile->nested);
    tac_names_free(&profile->names);
    tac_vec_free(&profile->actions);
    free(profile->unit);
}
