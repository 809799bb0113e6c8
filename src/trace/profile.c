/* See profile.h. One pass, memory by the number of distinct actions. */
#include "trace/profile.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "trace/clock.h"
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

/* --- The document ----------------------------------------------------------------------------- */

static json_t *nested_json(const struct profile *nested, const char *action,
                           const char *const *paths);

static json_t *action_json(const struct profile *profile, uint32_t id, const char *const *paths)
{
    const struct profile_action *action = &profile->actions.at[id];
    json_t *object = json_object(), *at = json_object();
    double spread = action->count > 1 ? sqrt(action->squares / (double)(action->count - 1)) : 0;
    json_object_set_new(object, "name", tac_json_string(profile->names.text[id]));
    json_object_set_new(object, "count", json_integer((json_int_t)action->count));
    json_object_set_new(object, "mean", tac_json_number(action->mean));
    json_object_set_new(object, "spread", tac_json_number(spread));
    json_object_set_new(object, "worst", tac_json_number(action->worst));
    json_object_set_new(at, "trace", tac_json_string(paths[action->worst_trace]));
    json_object_set_new(at, "state", json_integer((json_int_t)action->worst_state));
    json_object_set_new(at, "t", tac_json_number(clock_seconds(action->worst_time)));
    json_object_set_new(object, "worst_at", at);
    json_object_set_new(object, "total", tac_json_number(action->total));
    if (profile->nested)
        json_object_set_new(object, "nested",
                            nested_json(profile->nested, profile->names.text[id], paths));
    return object;
}

/* The events below an action, by their own name. */
static json_t *nested_json(const struct profile *nested, const char *action,
                           const char *const *paths)
{
    json_t *list = json_array();
    size_t length = strlen(action);
    for (uint32_t i = 0; i < nested->actions.count; i++) {
        const char *name = nested->names.text[i];
        if (!nested->actions.at[i].count || strncmp(name, action, length) || name[length] != '\n')
            continue;
        json_t *one = action_json(nested, i, paths);
        json_object_set_new(one, "name", tac_json_string(name + length + 1));
        json_array_append_new(list, one);
    }
    return list;
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

json_t *profile_json(const struct profile *profile, const char *const *paths)
{
    static const char *const measures[] = {"diff", "integral", "max"};
    TAC_VEC(struct ranked) order = {0};
    for (uint32_t i = 0; i < profile->actions.count; i++)
        if (profile->actions.at[i].count)
            tac_vec_push(&order, (struct ranked){profile->actions.at[i].mean, i});
    if (order.count)
        qsort(order.at, order.count, sizeof *order.at, by_mean);
    json_t *actions = json_array(), *object = json_object();
    for (size_t i = 0; i < order.count; i++)
        json_array_append_new(actions, action_json(profile, order.at[i].id, paths));
    tac_vec_free(&order);
    const char *unit = profile->unit ? profile->unit : "";
    bool integral = profile->options->measure == TAC_MEASURE_INTEGRAL;
    char *shown = tac_format("%s%s", unit, integral ? *unit ? " s" : "s" : "");
    json_object_set_new(object, "per", tac_json_string(profile->options->per));
    json_object_set_new(object, "variable", tac_json_string(profile->options->variable));
    json_object_set_new(object, "unit", tac_json_string(shown));
    json_object_set_new(object, "measure", json_string(measures[profile->options->measure]));
    if (profile->options->measure == TAC_MEASURE_DIFF)
        json_object_set_new(object, "growth", tac_json_number(profile->growth));
    json_object_set_new(object, "actions", actions);
    free(shown);
    return object;
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
