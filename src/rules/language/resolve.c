/* From declarations to a rule set: names become indices, sensors become propositional variables and
 * the constraints that hold among them, rules become edges, references are checked for cycles.
 *
 * A number's tests are cuts of the number line (>= c lies just below > c); a cut implies every
 * lower cut, so a chain of implications between neighbours says it all. The values of an enumerated
 * sensor exclude each other, and when all of them are used one of them holds. */
#include "rules/language/resolve.h"
#include "base/check.h"
#include "base/data/text.h"
#include <stdlib.h>
#include <string.h>

/* --- Tests of sensors ------------------------------------------------------------------------- */

static uint32_t find_term(const struct rules_builder *b, const char *name, enum term *kind)
{
    uint32_t id = tac_names_find(&b->term_names, name);
    if (id == TAC_NONE)
        return TAC_RULES_NONE;
    *kind = (enum term)(b->terms.at[id] >> 32);
    return (uint32_t)b->terms.at[id];
}

static uint32_t derive(struct resolver *r, uint32_t sensor_index, struct draft_variable draft)
{
    assert(sensor_index < r->b->sensors.count);
    struct rules_builder *b = r->b;
    struct draft_sensor *sensor = &b->sensors.at[sensor_index];
    uint32_t id = tac_names_intern(&r->tests, draft.variable.name);
    if (id < r->test_variables.count)
        return r->test_variables.at[id];
    draft.variable.label = sensor->sensor.label;
    draft.variable.group = sensor->sensor.group;
    draft.variable.line = sensor->sensor.line;
    draft.variable.sensor = sensor_index;
    draft.variable.monotone = sensor->sensor.monotone;
    uint32_t variable = (uint32_t)b->variables.count;
    tac_vec_push(&b->variables, draft);
    tac_vec_push(&sensor->tests, variable);
    tac_vec_push(&r->test_variables, variable);
    return variable;
}

static uint32_t derive_number(struct resolver *r, uint32_t sensor, double number, bool strict)
{
    char text[32];
    tac_double_text(number == 0 ? 0 : number, text, sizeof text);
    struct draft_variable draft = {.number = number, .strict = strict};
    draft.variable.name = tac_arena_format(
        &r->b->arena, "%s %s %s", r->b->sensors.at[sensor].sensor.name, strict ? ">" : ">=", text);
    return derive(r, sensor, draft);
}

/* TAC_RULES_NONE (with an error) when the sensor has no such value. */
static uint32_t derive_value(struct resolver *r, uint32_t sensor_index, const char *value,
                             struct place at)
{
    const tac_rules_sensor *sensor = &r->b->sensors.at[sensor_index].sensor;
    for (uint32_t i = 0; i < sensor->value_count; i++) {
        if (strcmp(r->b->values.at[sensor->first_value + i], value) != 0)
            continue;
        struct draft_variable draft = {.value = i};
        draft.variable.name = tac_arena_format(&r->b->arena, "%s == %s", sensor->name, value);
        return derive(r, sensor_index, draft);
    }
    rules_build_error(
        r->b, at, "sensor %s has no value %s%s", sensor->name, value,
        tac_meant(value, r->b->values.at + sensor->first_value, sensor->value_count).text);
    return TAC_RULES_NONE;
}

static uint32_t resolve_test(struct resolver *r, const struct draft_node *node)
{
    enum term kind = TERM_RULE;
    uint32_t sensor = find_term(r->b, node->name, &kind);
    if (sensor == TAC_RULES_NONE) {
        rules_build_error(r->b, node->at, "'%s' is not a sensor%s", node->name,
                          rules_build_suggestion(r->b, node->name, &r->b->term_names));
        return TAC_RULES_NONE;
    }
    if (kind != TERM_SENSOR) {
        rules_build_error(
            r->b, node->at,
            "%s is on or off and cannot be compared: write %s or not %s (or declare a "
            "sensor)",
            node->name, node->name, node->name);
        return TAC_RULES_NONE;
    }
    bool number = r->b->sensors.at[sensor].sensor.value_count == 0;
    if (number != (node->kind != DRAFT_VALUE)) {
        rules_build_error(r->b, node->at, "sensor %s %s", node->name,
                          number ? "is a number: compare it with a number"
                                 : "has values: compare it with == or != and one of them");
        return TAC_RULES_NONE;
    }
    return number ? derive_number(r, sensor, node->number, node->kind == DRAFT_ABOVE)
                  : derive_value(r, sensor, node->value, node->at);
}

static tac_rules_node resolve_node(struct resolver *r, const struct draft_node *node)
{
    if (node->kind == DRAFT_OPERATOR)
        return (tac_rules_node){node->op, node->left, node->right};
    if (node->kind != DRAFT_NAME)
        return (tac_rules_node){TAC_RULES_VARIABLE, resolve_test(r, node), 0};
    enum term kind = TERM_VARIABLE;
    uint32_t index = find_term(r->b, node->name, &kind);
    if (index == TAC_RULES_NONE)
        rules_build_error(r->b, node->at, "'%s' is not a variable or a rule%s", node->name,
                          rules_build_suggestion(r->b, node->name, &r->b->term_names));
    else if (kind == TERM_SENSOR)
        rules_build_error(r->b, node->at, "%s is a sensor: compare it, as in %s", node->name,
                          r->b->sensors.at[index].sensor.value_count ? "location == home"
                                                                     : "speed > 5");
    return (tac_rules_node){kind == TERM_RULE ? TAC_RULES_RULE : TAC_RULES_VARIABLE, index, 0};
}

/* --- Actions ---------------------------------------------------------------------------------- */

int rules_truth(const char *text)
{
    static const char *const words[] = {"off", "on", "false", "true", "0", "1"};
    for (int i = 0; i < 6; i++)
        if (strcmp(text, words[i]) == 0)
            return i & 1;
    return -1;
}

/* Of every action its variable, or its sensor's value, so that all tests are known afterwards. */
static void resolve_action_targets(struct resolver *r)
{
    for (size_t i = 0; i < r->b->actions.count; i++) {
        const struct draft_action *action = &r->b->actions.at[i];
        enum term kind = TERM_RULE;
        uint32_t index = find_term(r->b, action->name, &kind);
        uint32_t target = TAC_RULES_NONE;
        if (index == TAC_RULES_NONE || kind == TERM_RULE)
            rules_build_error(r->b, action->at,
                              "an action sets a declared variable, and %s is none%s", action->name,
                              rules_build_suggestion(r->b, action->name, &r->b->term_names));
        else if (kind == TERM_SENSOR && r->b->sensors.at[index].sensor.value_count == 0)
            rules_build_error(r->b, action->at,
                              "an action cannot set sensor %s: it is a number that is only sensed",
                              action->name);
        else if (kind == TERM_SENSOR)
            target = derive_value(r, index, action->value, action->at);
        else if (rules_truth(action->value) < 0)
            rules_build_error(r->b, action->at, "%s is set to on or off, not to %s", action->name,
                              action->value);
        else
            target = index;
        tac_vec_push(&r->targets, target);
    }
}

static void add_action(struct resolver *r, size_t first, uint32_t variable, bool value,
                       struct place at)
{
    assert(variable < r->b->variables.count && first <= r->actions.count);
    uint32_t final = r->final_of[variable];
    for (size_t i = first; i < r->actions.count; i++)
        if (r->actions.at[i].variable == final) {
            if (r->actions.at[i].value != value)
                rules_build_error(r->b, at, "this rule sets %s to two values",
                                  r->b->variables.at[variable].variable.name);
            return;
        }
    tac_vec_push(&r->actions, (tac_rules_action){final, value});
}

/* Setting an enumerated sensor clears the tests of its other values. */
static void expand_actions(struct resolver *r, const struct draft_rule *draft)
{
    size_t first = r->actions.count;
    for (uint32_t i = 0; i < draft->action_count; i++) {
        const struct draft_action *action = &r->b->actions.at[draft->first_action + i];
        uint32_t target = r->targets.at[draft->first_action + i];
        if (target == TAC_RULES_NONE)
            continue;
        uint32_t sensor = r->b->variables.at[target].variable.sensor;
        if (sensor == TAC_RULES_NONE) {
            add_action(r, first, target, rules_truth(action->value) == 1, action->at);
            continue;
        }
        const struct draft_sensor *tests = &r->b->sensors.at[sensor];
        for (size_t t = 0; t < tests->tests.count; t++)
            add_action(r, first, tests->tests.at[t], tests->tests.at[t] == target, action->at);
    }
}

/* --- Order of the variables and derived constraints ------------------------------------------- */

static int by_cut(const void *x, const void *y)
{
    const struct draft_variable *a = *(struct draft_variable *const *)x;
    const struct draft_variable *b = *(struct draft_variable *const *)y;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (int)a->strict - (int)b->strict;
}

static void sort_tests(struct resolver *r, struct draft_sensor *sensor)
{
    size_t count = sensor->tests.count;
    struct draft_variable **sorted = tac_alloc((count + 1) * sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &r->b->variables.at[sensor->tests.at[i]];
    qsort(sorted, count, sizeof *sorted, by_cut);
    for (size_t i = 0; i < count; i++)
        sensor->tests.at[i] = (uint32_t)(sorted[i] - r->b->variables.at);
    free(sorted);
}

/* Declared variables and sensors in the order of the file; the tests of a sensor by cut or value.
 */
static void number_variables(struct resolver *r)
{
    uint32_t next = 0;
    r->final_of = tac_arena_calloc(&r->b->arena, r->b->variables.count + 1, sizeof *r->final_of);
    for (size_t i = 0; i < r->b->order.count; i++) {
        uint64_t entry = r->b->order.at[i];
        if (!(entry >> 63)) {
            r->final_of[entry] = next++;
            continue;
        }
        struct draft_sensor *sensor = &r->b->sensors.at[(uint32_t)entry];
        sort_tests(r, sensor);
        for (size_t t = 0; t < sensor->tests.count; t++)
            r->final_of[sensor->tests.at[t]] = next++;
    }
}

static uint32_t push_node(struct resolver *r, tac_rules_operator op, uint32_t left, uint32_t right)
{
    tac_vec_push(&r->nodes, (tac_rules_node){op, left, right});
    return (uint32_t)r->nodes.count - 1;
}

static void derive_constraint(struct resolver *r, uint32_t first, uint32_t root, uint32_t line)
{
    assert(first <= root && root < r->nodes.count);
    tac_rules_constraint constraint = {.holds = {first, root}, .line = line, .derived = true};
    tac_vec_push(&r->b->constraints, constraint);
}

/* test[i] -> test[j], or not (test[i] and test[j]) */
static void relate_tests(struct resolver *r, const struct draft_sensor *sensor, size_t i, size_t j,
                         bool exclude)
{
    assert(i != j && i < sensor->tests.count && j < sensor->tests.count);
    uint32_t first = (uint32_t)r->nodes.count;
    uint32_t a = push_node(r, TAC_RULES_VARIABLE, r->final_of[sensor->tests.at[i]], 0);
    uint32_t b = push_node(r, TAC_RULES_VARIABLE, r->final_of[sensor->tests.at[j]], 0);
    uint32_t root = push_node(r, exclude ? TAC_RULES_AND : TAC_RULES_IMPLIES, a, b);
    if (exclude)
        root = push_node(r, TAC_RULES_NOT, root, 0);
    derive_constraint(r, first, root, sensor->sensor.line);
}

static void derive_constraints(struct resolver *r, const struct draft_sensor *sensor)
{
    size_t count = sensor->tests.count;
    if (sensor->sensor.value_count == 0) {
        for (size_t i = 1; i < count; i++)
            relate_tests(r, sensor, i, i - 1, false);
        return;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            relate_tests(r, sensor, i, j, true);
    if (count < sensor->sensor.value_count)
        return;
    uint32_t first = (uint32_t)r->nodes.count, root = first;
    for (size_t i = 0; i < count; i++) {
        uint32_t leaf = push_node(r, TAC_RULES_VARIABLE, r->final_of[sensor->tests.at[i]], 0);
        root = i ? push_node(r, TAC_RULES_OR, root, leaf) : leaf;
    }
    derive_constraint(r, first, root, sensor->sensor.line);
}

void rules_resolve_terms(struct resolver *r)
{
    struct rules_builder *b = r->b;
    for (size_t i = 0; i < b->nodes.count; i++)
        tac_vec_push(&r->nodes, resolve_node(r, &b->nodes.at[i]));
    resolve_action_targets(r);
    number_variables(r);
    for (size_t i = 0; i < r->nodes.count; i++)
        if (r->nodes.at[i].op == TAC_RULES_VARIABLE && r->nodes.at[i].left != TAC_RULES_NONE)
            r->nodes.at[i].left = r->final_of[r->nodes.at[i].left];
    for (size_t i = 0; i < b->sensors.count; i++)
        derive_constraints(r, &b->sensors.at[i]);
}

void rules_resolve_actions(struct resolver *r, const struct draft_rule *draft, tac_rules_rule *rule)
{
    rule->first_action = (uint32_t)r->actions.count;
    expand_actions(r, draft);
    rule->action_count = (uint32_t)r->actions.count - rule->first_action;
}
