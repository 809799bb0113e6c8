/* Collecting the declarations of a rule file. Resolution is in resolve.c.
 *
 * Variables, sensors and rules share one space of names, because a predicate may use any of them;
 * states and groups have their own. */
#include "rules/language/build.h"
#include "base/check.h"
#include "base/data/text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rules_builder_open(struct rules_builder *b, const char *file, tac_diagnostics *diagnostics)
{
    assert(diagnostics && file);
    memset(b, 0, sizeof *b);
    b->diagnostics = diagnostics;
    b->initial = TAC_RULES_NONE;
    b->file = tac_arena_strdup(&b->arena, file);
    b->app = "";
}

void rules_builder_close(struct rules_builder *b)
{
    for (size_t i = 0; i < b->sensors.count; i++)
        tac_vec_free(&b->sensors.at[i].tests);
    tac_vec_free(&b->groups);
    tac_vec_free(&b->sensors);
    tac_vec_free(&b->values);
    tac_vec_free(&b->variables);
    tac_vec_free(&b->order);
    tac_vec_free(&b->states);
    tac_vec_free(&b->rules);
    tac_vec_free(&b->froms);
    tac_vec_free(&b->actions);
    tac_vec_free(&b->constraints);
    tac_vec_free(&b->expectations);
    tac_vec_free(&b->nodes);
    tac_vec_free(&b->terms);
    tac_names_free(&b->group_names);
    tac_names_free(&b->term_names);
    tac_names_free(&b->state_names);
    tac_arena_free(&b->arena);
}

void rules_build_error(struct rules_builder *b, struct place at, const char *format, ...)
{
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    tac_diagnostics_add(b->diagnostics, TAC_ERROR, b->file, at.line, at.column, "%s", message);
}

/* The distance is computed against every name, so only the first errors of a file get one. */
const char *rules_build_suggestion(struct rules_builder *b, const char *name,
                                   const tac_names *names)
{
    if (b->suggestions >= 20)
        return "";
    b->suggestions++;
    return tac_arena_strdup(&b->arena, tac_meant(name, names->text, names->count).text);
}

const char *rules_build_name(struct rules_builder *b, const char *text, size_t length,
                             struct place at)
{
    if (length == 0)
        rules_build_error(b, at, "a name must not be empty");
    else if (length > RULES_MAX_NAME)
        rules_build_error(b, at, "a name has at most %d characters, this one has %zu",
                          RULES_MAX_NAME, length);
    else if (!tac_utf8_valid(text, length))
        rules_build_error(b, at, "this name is not valid UTF-8");
    else if (rules_word_is_reserved(text, length))
        rules_build_error(b, at, "'%.*s' is a word of the rule language and cannot be a name",
                          (int)length, text);
    return tac_arena_strndup(&b->arena, text, length > RULES_MAX_NAME ? RULES_MAX_NAME : length);
}

uint32_t rules_build_group(struct rules_builder *b, const char *name, struct place at)
{
    uint32_t id = tac_names_intern(&b->group_names, name);
    if (id == b->groups.count)
        tac_vec_push(&b->groups, (tac_rules_group){.name = name, .line = at.line});
    return id;
}

void rules_build_rates(struct rules_builder *b, uint32_t group, uint64_t every_ms, uint64_t hold_ms,
                       struct place at)
{
    assert(group < b->groups.count);
    tac_rules_group *g = &b->groups.at[group];
    g->declared = true;
    if ((every_ms && g->every_ms && every_ms != g->every_ms) ||
        (hold_ms && g->hold_ms && hold_ms != g->hold_ms))
        rules_build_error(b, at, "group '%s' already has another rate (line %u)", g->name, g->line);
    g->every_ms = every_ms ? every_ms : g->every_ms;
    g->hold_ms = hold_ms ? hold_ms : g->hold_ms;
}

bool rules_duration(const char *number, size_t length, const char *unit, size_t unit_length,
                    uint64_t *out)
{
    static const struct {
        const char *name;
        double ms;
    } units[] = {{"ms", 1}, {"s", 1000}, {"min", 60000}, {"h", 3600000}};
    char copy[64] = {0};
    double value, factor = unit ? 0 : 1000;
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == unit_length && !memcmp(units[i].name, unit, unit_length))
            factor = units[i].ms;
    if (length < sizeof copy)
        memcpy(copy, number, length);
    if (factor == 0 || !tac_parse_double(copy, &value) || !(value * factor >= 1) ||
        value * factor > 3.6e9)
        return false;
    *out = (uint64_t)(value * factor + 0.5);
    return true;
}

/* False when the name is taken, or there are too many things. */
static bool declare(struct rules_builder *b, const char *name, enum term kind, size_t index,
                    struct place at)
{
    static const char *const kinds[] = {
        [TERM_VARIABLE] = "variable", [TERM_SENSOR] = "sensor", [TERM_RULE] = "rule"};
    TABLE_COVERS(kinds, TERM_RULE);
    if (index >= RULES_MAX_THINGS) {
        if (index == RULES_MAX_THINGS)
            rules_build_error(b, at, "a rule file has at most %u %ss", RULES_MAX_THINGS,
                              kinds[kind]);
        return false;
    }
    uint32_t known = tac_names_find(&b->term_names, name);
    if (known != TAC_NONE) {
        uint64_t term = b->terms.at[known];
        uint32_t first = (uint32_t)term, line = 0;
        enum term what = (enum term)(term >> 32);
        if (what == TERM_VARIABLE)
            line = b->variables.at[first].variable.line;
        else if (what == TERM_SENSOR)
            line = b->sensors.at[first].sensor.line;
        else
            line = b->rules.at[first].at.line;
        rules_build_error(b, at, "%s is already the name of a %s (line %u): choose another name",
                          name, kinds[what], line);
        return false;
    }
    tac_names_intern(&b->term_names, name);
    tac_vec_push(&b->terms, (uint64_t)kind << 32 | index);
    return true;
}

void rules_build_variable(struct rules_builder *b, uint32_t group, const char *name,
                          const char *label, tac_monotone monotone, struct place at)
{
    assert(group == TAC_RULES_NONE || group < b->groups.count);
    if (!declare(b, name, TERM_VARIABLE, b->variables.count, at))
        return;
    if (group == TAC_RULES_NONE)
        group = rules_build_group(b, name, at);
    tac_rules_variable variable = {.name = name,
                                   .label = label,
                                   .group = group,
                                   .line = at.line,
                                   .sensor = TAC_RULES_NONE,
                                   .monotone = monotone};
    tac_vec_push(&b->order, b->variables.count);
    tac_vec_push(&b->variables, (struct draft_variable){.variable = variable});
}

void rules_build_sensor(struct rules_builder *b, const tac_rules_sensor *sensor, struct place at)
{
    assert(sensor->first_value + sensor->value_count <= b->values.count);
    if (!declare(b, sensor->name, TERM_SENSOR, b->sensors.count, at))
        return;
    struct draft_sensor draft = {.sensor = *sensor};
    draft.sensor.line = at.line;
    if (draft.sensor.group == TAC_RULES_NONE)
        draft.sensor.group = rules_build_group(b, sensor->name, at);
    for (uint32_t i = 0; i < sensor->value_count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(b->values.at[sensor->first_value + i],
                       b->values.at[sensor->first_value + j]) == 0) {
                rules_build_error(b, at, "sensor %s has the value %s twice", sensor->name,
                                  b->values.at[sensor->first_value + i]);
            }
    tac_vec_push(&b->order, (uint64_t)1 << 63 | b->sensors.count);
    tac_vec_push(&b->sensors, draft);
}

void rules_build_state(struct rules_builder *b, const char *name, bool initial, struct place at)
{
    uint32_t id = tac_names_find(&b->state_names, name);
    if (id != TAC_NONE) {
        rules_build_error(b, at, "state %s is already declared on line %u", name,
                          b->states.at[id].line);
        return;
    }
    if (b->states.count >= RULES_MAX_THINGS) {
        if (b->states.count == RULES_MAX_THINGS)
            rules_build_error(b, at, "a rule file has at most %u states", RULES_MAX_THINGS);
        return;
    }
    id = tac_names_intern(&b->state_names, name);
    tac_vec_push(&b->states, (tac_rules_state){.name = name, .line = at.line});
    if (!initial)
        return;
    if (b->initial != TAC_RULES_NONE)
        rules_build_error(b, at, "state %s is already the initial one (line %u): there is one only",
                          b->states.at[b->initial].name, b->states.at[b->initial].line);
    b->initial = id;
}

struct draft_rule *rules_build_rule(struct rules_builder *b, const char *name, struct place at)
{
    declare(b, name, TERM_RULE, b->rules.count, at);
    struct draft_rule rule = {.name = name,
                              .at = at,
                              .priority = TAC_RULES_LOWEST_PRIORITY,
                              .first_from = (uint32_t)b->froms.count,
                              .first_action = (uint32_t)b->actions.count};
    tac_vec_push(&b->rules, rule);
    return &tac_vec_last(&b->rules);
}

void rules_build_from(struct rules_builder *b, const char *state, struct place at)
{
    assert(b->rules.count > 0); /* belongs to the rule last added */
    tac_vec_push(&b->froms, (struct draft_name){state, at});
    tac_vec_last(&b->rules).from_count++;
}

void rules_build_action(struct rules_builder *b, const char *name, const char *value,
                        struct place at)
{
    assert(b->rules.count > 0); /* belongs to the rule last added */
    tac_vec_push(&b->actions, (struct draft_action){name, value, at});
    tac_vec_last(&b->rules).action_count++;
}

bool rules_build_priority(struct rules_builder *b, const char *text, size_t length, struct place at,
                          uint32_t *out)
{
    char copy[32] = {0};
    uint64_t number;
    if (length < sizeof copy)
        memcpy(copy, text, length);
    if (!tac_parse_u64(copy, &number) || number > TAC_RULES_MAX_PRIORITY) {
        rules_build_error(b, at, "a priority is a whole number from 0 (highest) to %u, not '%.*s'",
                          TAC_RULES_MAX_PRIORITY, (int)(length > 40 ? 40 : length), text);
        return false;
    }
    *out = (uint32_t)number;
    return true;
}

void rules_build_constraint(struct rules_builder *b, tac_rules_predicate holds, struct place at)
{
    assert(holds.first <= holds.root && holds.root < b->nodes.count);
    tac_vec_push(&b->constraints, (tac_rules_constraint){.holds = holds, .line = at.line});
}

void rules_build_expectation(struct rules_builder *b, const char *state, tac_rules_predicate when,
                             struct place at)
{
    assert(when.first <= when.root && when.root < b->nodes.count);
    tac_vec_push(&b->expectations, (struct draft_expectation){state, at, when});
}
