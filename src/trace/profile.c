/* See trace_profile.h. One pass, memory by the number of distinct actions. */
#include "trace/profile.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "trace/clock.h"
#include <math.h>

void profile_start_trace(struct profile *profile, size_t trace)
{
    profile->trace = trace;
    profile->per = profile->variable = SIZE_MAX;
    profile->current = TAC_NONE;
    profile->current_symbol = TAC_TRACE_NO_SYMBOL;
    profile->last_value = NAN;
}

static tac_status bind(struct profile *profile, const tac_trace_source *source, tac_error *err)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    const tac_trace_stat_options *options = profile->options;
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(variables[i].name, options->per)) {
            if (variables[i].kind != TAC_DISCRETE)
                return tac_fail(err, TAC_E_INPUT,
                                "--per %s: the variable is continuous; read it "
                                "with --discrete %s",
                                options->per, options->per);
            profile->per = i;
            profile->is_event = !strcmp(options->per, "event");
        }
        if (!strcmp(variables[i].name, options->variable)) {
            if (variables[i].kind != TAC_CONTINUOUS)
                return tac_fail(err, TAC_E_INPUT,
                                "--variable %s: the variable holds names, not "
                                "numbers",
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
    for (size_t i = 0; i < block->count; i++) {
        double value = profile->variable == SIZE_MAX ? NAN : block->numbers[profile->variable][i];
        uint32_t symbol =
            profile->per == SIZE_MAX ? TAC_TRACE_NO_SYMBOL : block->symbols[profile->per][i];
        add_step(profile, block->time[i], value);
        bool turns =
            profile->is_event ? symbol != TAC_TRACE_NO_SYMBOL : symbol != profile->current_symbol;
        if (turns) {
            close_action(profile, value);
            if (symbol != TAC_TRACE_NO_SYMBOL)
                open_action(profile, names[symbol], block->first + i, block->time[i], value);
        }
        profile->current_symbol = symbol;
        profile->last_time = block->time[i];
        profile->last_value = value;
    }
    return TAC_OK;
}

tac_status profile_end_trace(struct profile *profile, const char *path, tac_error *err)
{
    close_action(profile, profile->last_value);
    if (profile->per == SIZE_MAX || profile->variable == SIZE_MAX)
        return tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "the trace has no variable '%s'",
                           profile->per == SIZE_MAX ? profile->options->per
                                                    : profile->options->variable);
    return TAC_OK;
}

/* --- The document ----------------------------------------------------------------------------- */

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
    return object;
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
    json_object_set_new(object, "actions", actions);
    free(shown);
    return object;
}

void profile_free(struct profile *profile)
{
    tac_names_free(&profile->names);
    tac_vec_free(&profile->actions);
    free(profile->unit);
}
