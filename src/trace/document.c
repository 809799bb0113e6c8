/* The documents of what is known about traces: of `trace import`, `trace stat` and `trace show`. */
#include "trace/document.h"

#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "trace/text/clock.h"
#include "trace/text/list.h"
#include <math.h>
#include <string.h>

static const char *const kinds[] = {[TAC_DISCRETE] = "discrete", [TAC_CONTINUOUS] = "continuous"};
TABLE_COVERS(kinds, TAC_CONTINUOUS);
static const struct field trace_variable_fields[] = {
    FIELD(tac_trace_variable, name), FIELD_ENUM(tac_trace_variable, kind, kinds),
    FIELD_TEXT(tac_trace_variable, unit, .only = IF_IS(tac_trace_variable, kind, TAC_CONTINUOUS)),
    FIELD_ENUM(tac_trace_variable, type, value_type_words, .omit = true)};
DESCRIBE(trace_variable, tac_trace_variable);

/* --- Import ----------------------------------------------------------------------------------- */

static const struct field source_fields[] = {
    FIELD_TEXT(tac_trace_imported_source, path, .key = "source"),
    FIELDS(tac_trace_imported_source, format, states, skipped),
    FIELD_TEXT(tac_trace_imported_source, first_skipped, .omit = true),
    FIELD_SECONDS(tac_trace_imported_source, from, .known = IF(tac_trace_imported_source, states)),
    FIELD_SECONDS(tac_trace_imported_source, to, .known = IF(tac_trace_imported_source, states)),
    FIELD_SECONDS(tac_trace_imported_source, offset),
    FIELD_TEXT(tac_trace_imported_source, clock, .omit = true),
    FIELD_TEXT(tac_trace_imported_source, clock_from, .omit = true),
    FIELD_SECONDS(tac_trace_imported_source, clock_offset,
                  .only = IF(tac_trace_imported_source, clock_from))};
static DESCRIBE(source, tac_trace_imported_source);

static const struct field trace_imported_fields[] = {
    FIELDS(tac_trace_imported, format, states),
    FIELD_SECONDS(tac_trace_imported, from, .known = IF(tac_trace_imported, states)),
    FIELD_SECONDS(tac_trace_imported, to, .known = IF(tac_trace_imported, states)),
    FIELD_LIST(tac_trace_imported, sources, source_count, source_described),
    FIELD_LIST(tac_trace_imported, variables, variable_count, trace_variable_described),
    FIELD_TEXTS(tac_trace_imported, warnings, warning_count)};
DESCRIBE(trace_imported, tac_trace_imported);

json_t *tac_trace_imported_json(const tac_trace_imported *imported)
{
    return describe_json(&trace_imported_described, imported);
}

/* --- Statistics ------------------------------------------------------------------------------- */

static const struct field discrete_fields[] = {FIELD(tac_trace_figures, distinct)};
static DESCRIBE(discrete, tac_trace_figures);
static const struct field continuous_fields[] = {
    FIELD(tac_trace_figures, unit), FIELD(tac_trace_figures, least, .key = "min"),
    FIELD(tac_trace_figures, most, .key = "max"),
    FIELD(tac_trace_figures, mean, .about = "weighted by time"),
    FIELDS(tac_trace_figures, first, last)};
static DESCRIBE(continuous, tac_trace_figures);
static const struct field unknown_fields[] = {
    FIELD(tac_trace_figures, unknown, .key = "states"),
    FIELD(tac_trace_figures, reason, .about = "of the first of them")};
static DESCRIBE(unknown, tac_trace_figures, .about = "states without a known value");
static const struct field figures_fields[] = {
    FIELD(tac_trace_figures, name), FIELD_ENUM(tac_trace_figures, kind, kinds),
    FIELD_GROUP(tac_trace_figures, "", discrete_described, .splice = true,
                .only = IF_IS(tac_trace_figures, kind, TAC_DISCRETE)),
    FIELD_GROUP(tac_trace_figures, "", continuous_described, .splice = true,
                .only = IF_IS(tac_trace_figures, kind, TAC_CONTINUOUS)),
    FIELD_GROUP(tac_trace_figures, "unknown", unknown_described,
                .only = IF(tac_trace_figures, unknown))};
static DESCRIBE(figures, tac_trace_figures);

static const struct field event_fields[] = {FIELDS(tac_trace_event_count, name, count)};
static DESCRIBE(event, tac_trace_event_count, .keyed = true, .form = DESCRIBE_VALUE);

FIELD_GETTER(duration_of, tac_trace_summary, out->number = clock_seconds(it->to - it->from))

static const struct field summary_fields[] = {
    FIELD_TEXT(tac_trace_summary, path, .key = "trace"),
    FIELDS(tac_trace_summary, format, states),
    FIELD_SECONDS(tac_trace_summary, from, .known = IF(tac_trace_summary, states)),
    FIELD_SECONDS(tac_trace_summary, to, .known = IF(tac_trace_summary, states)),
    FIELD_GET_NUMBER("duration", duration_of, .unit = "s"),
    FIELD(tac_trace_summary, skipped),
    FIELD(tac_trace_summary, meta, .about = "as the trace has it"),
    FIELD_LIST(tac_trace_summary, variables, variable_count, figures_described),
    FIELD_LIST(tac_trace_summary, events, event_count, event_described),
    FIELD_TEXT(tac_trace_summary, example, .maybe = true,
               .about = "a property that the trace can answer")};
static DESCRIBE(summary, tac_trace_summary);

static const struct field worst_fields[] = {FIELD_TEXT(tac_trace_cost, worst_trace, .key = "trace"),
                                            FIELD(tac_trace_cost, worst_state, .key = "state"),
                                            FIELD_SECONDS(tac_trace_cost, worst_time, .key = "t")};
static DESCRIBE(worst, tac_trace_cost);
static const struct field cost_fields[] = {
    FIELDS(tac_trace_cost, name, count, mean),
    FIELD(tac_trace_cost, spread, .about = "the sample's standard deviation"),
    FIELD(tac_trace_cost, worst), FIELD_GROUP(tac_trace_cost, "worst_at", worst_described),
    FIELD(tac_trace_cost, total)};
static DESCRIBE(cost, tac_trace_cost);
static const struct field action_fields[] = {
    FIELD_GROUP(tac_trace_cost, "", cost_described, .splice = true),
    FIELD_LIST(tac_trace_cost, nested, nested_count, cost_described)};
static DESCRIBE(action, tac_trace_cost);

static const char *const measures[] = {
    [TAC_MEASURE_DIFF] = "diff", [TAC_MEASURE_INTEGRAL] = "integral", [TAC_MEASURE_MAX] = "max"};
TABLE_COVERS(measures, TAC_MEASURE_MAX);
static const struct field profile_fields[] = {
    FIELDS(tac_trace_profile, per, variable, unit),
    FIELD_ENUM(tac_trace_profile, measure, measures),
    FIELD(tac_trace_profile, growth, .only = IF_IS(tac_trace_profile, measure, TAC_MEASURE_DIFF)),
    FIELD_LIST(tac_trace_profile, actions, action_count, action_described,
               .only = IF(tac_trace_profile, nests)),
    FIELD_LIST(tac_trace_profile, actions, action_count, cost_described,
               .only = IF_NOT(tac_trace_profile, nests))};
static DESCRIBE(profile, tac_trace_profile);

static const struct field trace_statistics_fields[] = {
    FIELD_LIST(tac_trace_statistics, traces, trace_count, summary_described),
    FIELD_POINTER(tac_trace_statistics, profile, profile_described)};
DESCRIBE(trace_statistics, tac_trace_statistics);

json_t *tac_trace_statistics_json(const tac_trace_statistics *statistics)
{
    return describe_json(&trace_statistics_described, statistics);
}

/* --- States ----------------------------------------------------------------------------------- */

/* What the variables are in the state that is written; states come in order. */
struct showing {
    const tac_trace_states *states;
    tac_trace_change *held;
    size_t event; /* the place behind the last variable when there is none */
};

static const tac_trace_change none = {.symbol = TAC_TRACE_NO_SYMBOL, .number = (double)NAN};

/* A list as a list, a boolean as one. */
static json_t *symbol_json(const tac_trace_variable *variable, const char *text)
{
    if (*text == TAC_TRACE_UNKNOWN)
        return json_pack("{s:o}", "unknown", tac_json_string(text + 1));
    json_t *list = variable->type == TAC_VALUE_LIST ? json_loads(text, 0, NULL) : NULL;
    if (list)
        return list;
    if (variable->type == TAC_VALUE_BOOLEAN)
        return json_boolean(!strcmp(text, "true"));
    return tac_json_string(text);
}

static void values_of(const void *value, struct field_value *out)
{
    const tac_trace_shown_state *state = value;
    const struct showing *showing = out->context;
    const tac_trace_states *states = showing->states;
    tac_trace_change *held = showing->held;
    held[showing->event] = none;
    for (size_t k = 0; k < state->change_count; k++) {
        assert(state->changes[k].variable < states->variable_count);
        held[state->changes[k].variable] = state->changes[k];
    }
    json_t *values = json_object();
    for (size_t i = 0; i < states->variable_count; i++) {
        const tac_trace_variable *variable = &states->variables[i];
        if (!isnan(held[i].number))
            json_object_set_new(values, variable->name, tac_json_number(held[i].number));
        else if (held[i].symbol != TAC_TRACE_NO_SYMBOL)
            json_object_set_new(values, variable->name,
                                symbol_json(variable, states->symbols[held[i].symbol]));
    }
    out->json = values;
}

static const struct field state_fields[] = {
    FIELD(tac_trace_shown_state, index, .key = "state"),
    FIELD_SECONDS(tac_trace_shown_state, time, .key = "t"),
    FIELD_GET_JSON("values", values_of, .about = "by the variable's name")};
static DESCRIBE(state, tac_trace_shown_state);

static const struct field trace_states_fields[] = {
    FIELD_TEXT(tac_trace_states, path, .key = "trace"),
    FIELD(tac_trace_states, format),
    FIELD_SECONDS(tac_trace_states, start, .key = "from", .known = IF(tac_trace_states, any)),
    FIELD(tac_trace_states, more, .about = "the limit cut some off"),
    FIELD(tac_trace_states, meta, .about = "as the trace has it"),
    FIELD_LIST(tac_trace_states, variables, variable_count, trace_variable_described),
    FIELD_LIST(tac_trace_states, states, state_count, state_described),
    FIELD(tac_trace_states, state_count, .key = "shown")};
DESCRIBE(trace_states, tac_trace_states);

tac_status tac_trace_states_write(const tac_trace_states *states, FILE *out, tac_error *err)
{
    size_t count = states->variable_count;
    struct showing showing = {states, tac_calloc(count + 1, sizeof *showing.held), count};
    for (size_t i = 0; i < count; i++) {
        showing.held[i] = none;
        if (!strcmp(states->variables[i].name, "event"))
            showing.event = i;
    }
    tac_status status = describe_write(&trace_states_described, states, &showing, out, err);
    free(showing.held);
    return status;
}
