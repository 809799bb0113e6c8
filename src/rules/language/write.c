/* A rule set as text. Derived variables print as the tests they stand for, derived constraints are
 * left out (the sensors imply them), so reading the text back gives an equal rule set. */
#include "rules/language/write.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/language/operator.h"
#include <string.h>

/* Texts of the nodes are built operands first, so long chains need no recursion. */
static char *wrap(char *text, bool parentheses)
{
    if (!parentheses)
        return text;
    char *wrapped = tac_format("(%s)", text);
    free(text);
    return wrapped;
}

/* Edits that put other tests into the predicate of one rule. */
struct tests {
    const struct rules_edit *edits;
    size_t count;
    uint32_t rule;
};

static const char *test_text(const tac_rules *rules, uint32_t variable, const struct tests *tests)
{
    for (size_t i = 0; i < tests->count; i++)
        if (tests->edits[i].kind == EDIT_THRESHOLD && tests->edits[i].rule == tests->rule &&
            tests->edits[i].variable == variable)
            return tests->edits[i].condition;
    return rules->variables[variable].name;
}

/* The text of an operand, with parentheses where it binds more loosely than its operator, or as
 * loosely on the side where that means something else. */
static char *operand(const tac_rules *rules, uint32_t node, const struct syntax_operator *op,
                     enum syntax_place other, char **text)
{
    const struct syntax_operator *own = rules_spelling(rules->nodes[node].op);
    char *whole = wrap(
        *text, own && (own->power < op->power || (own->power == op->power && op->place == other)));
    *text = NULL;
    return whole;
}

static char *node_text(const tac_rules *rules, uint32_t index, char **texts, uint32_t first,
                       const struct tests *tests)
{
    assert(index >= first && index < rules->node_count);
    const tac_rules_node *node = &rules->nodes[index];
    const struct syntax_operator *op = rules_spelling(node->op);
    uint8_t operands = rules_operators[node->op].operands;
    if (!op)
        return tac_strdup(node->op == TAC_RULES_RULE ? rules->rules[node->left].name
                                                     : test_text(rules, node->left, tests));
    if (operands == 0)
        return tac_strdup(op->text);
    char *left = operand(rules, node->left, op, SYNTAX_RIGHT, &texts[node->left - first]);
    char *right = operands == 1
                      ? NULL
                      : operand(rules, node->right, op, SYNTAX_LEFT, &texts[node->right - first]);
    char *text =
        right ? tac_format("%s %s %s", left, op->text, right) : tac_format("%s %s", op->text, left);
    free(left);
    free(right);
    return text;
}

static char *predicate_text(const tac_rules *rules, tac_rules_predicate predicate,
                            const struct tests *tests)
{
    uint32_t count = predicate.root - predicate.first + 1;
    char **texts = tac_calloc(count, sizeof *texts);
    for (uint32_t i = 0; i < count; i++)
        texts[i] = node_text(rules, predicate.first + i, texts, predicate.first, tests);
    char *text = texts[count - 1];
    free(texts);
    return text;
}

char *rules_predicate_text(const tac_rules *rules, tac_rules_predicate predicate)
{
    return predicate_text(rules, predicate, &(struct tests){0});
}

static void write_marks(const char *label, tac_monotone monotone, FILE *out)
{
    if (label[0])
        fprintf(out, " \"%s\"", label);
    if (monotone)
        fputs(monotone == TAC_MONOTONE_RISING ? " monotone rising" : " monotone falling", out);
}

static void write_sensor(const tac_rules *rules, const tac_rules_sensor *sensor, FILE *out)
{
    fprintf(out, "sensor %s ", sensor->name);
    if (sensor->value_count == 0)
        fputs("number", out);
    for (uint32_t i = 0; i < sensor->value_count; i++)
        fprintf(out, "%s%s", i ? ", " : "{", rules->values[sensor->first_value + i]);
    fprintf(out, "%s in %s", sensor->value_count ? "}" : "", rules->groups[sensor->group].name);
    write_marks(sensor->label, sensor->monotone, out);
    fputc('\n', out);
}

static void write_duration(const char *word, uint64_t ms, FILE *out)
{
    if (ms && ms % 1000 == 0)
        fprintf(out, " %s %llu s", word, (unsigned long long)(ms / 1000));
    else if (ms)
        fprintf(out, " %s %llu ms", word, (unsigned long long)ms);
}

/* How often the group is refreshed, at its first mention. */
static void write_rates(const tac_rules *rules, uint32_t group, bool *mentioned, FILE *out)
{
    assert(group < rules->group_count);
    if (mentioned[group])
        return;
    mentioned[group] = true;
    write_duration("every", rules->groups[group].every_ms, out);
    write_duration("hold", rules->groups[group].hold_ms, out);
}

static bool has_rates(const tac_rules_group *group)
{
    return group->every_ms || group->hold_ms;
}

/* Variables in their order, neighbours of one group on one line; a sensor where its tests stand. */
static void write_variables(const tac_rules *rules, FILE *out)
{
    uint32_t group = TAC_RULES_NONE, sensor = TAC_RULES_NONE;
    bool *written = tac_calloc(rules->sensor_count + 1, sizeof *written);
    bool *mentioned = tac_calloc(rules->group_count + 1, sizeof *mentioned);
    for (uint32_t i = 0; i < rules->variable_count; i++) {
        const tac_rules_variable *variable = &rules->variables[i];
        if (variable->sensor != TAC_RULES_NONE) {
            if (group != TAC_RULES_NONE)
                fputc('\n', out);
            group = TAC_RULES_NONE;
            if (has_rates(&rules->groups[variable->group]) && !mentioned[variable->group]) {
                fprintf(out, "group %s", rules->groups[variable->group].name);
                write_rates(rules, variable->group, mentioned, out);
                fputc('\n', out);
            }
            if (variable->sensor != sensor)
                write_sensor(rules, &rules->sensors[variable->sensor], out);
            sensor = variable->sensor;
            written[sensor] = true;
            continue;
        }
        if (variable->group == group) {
            fprintf(out, ", %s", variable->name);
        } else {
            fprintf(out, "%sgroup %s", group == TAC_RULES_NONE ? "" : "\n",
                    rules->groups[variable->group].name);
            write_rates(rules, variable->group, mentioned, out);
            fprintf(out, ": %s", variable->name);
        }
        group = variable->group;
        write_marks(variable->label, variable->monotone, out);
    }
    if (group != TAC_RULES_NONE)
        fputc('\n', out);
    for (uint32_t i = 0; i < rules->sensor_count; i++)
        if (!written[i])
            write_sensor(rules, &rules->sensors[i], out);
    free(written);
    free(mentioned);
}

/* The predicate of a rule with the conditions that edits add to it. */
static void write_condition(const tac_rules *rules, uint32_t rule, const struct rules_edit *edits,
                            size_t edit_count, FILE *out)
{
    tac_rules_predicate when = rules->rules[rule].when;
    char *text = predicate_text(rules, when, &(struct tests){edits, edit_count, rule});
    bool added = false;
    for (size_t i = 0; i < edit_count; i++)
        added = added || (edits[i].kind == EDIT_STRENGTHEN && edits[i].rule == rule);
    const struct syntax_operator *root = rules_spelling(rules->nodes[when.root].op);
    bool weak = added && root && root->power < rules_spelling(TAC_RULES_AND)->power;
    fprintf(out, weak ? " when (%s)" : " when %s", text);
    for (size_t i = 0; i < edit_count; i++)
        if (edits[i].kind == EDIT_STRENGTHEN && edits[i].rule == rule)
            fprintf(out, " and %s", edits[i].condition);
    free(text);
}

/* A rule that goes between two levels makes a level of its own: the larger numbers grow by one for
 * each such level. */
static uint32_t edited_priority(const tac_rules *rules, uint32_t rule,
                                const struct rules_edit *edits, size_t edit_count)
{
    assert(rule < rules->rule_count);
    uint32_t priority = rules->rules[rule].priority, grown = 0;
    uint32_t between = 0;
    for (size_t i = 0; i < edit_count; i++)
        if (edits[i].kind == EDIT_PRIORITY && edits[i].rule == rule) {
            priority = edits[i].priority;
            between = edits[i].between;
        }
    if (priority == TAC_RULES_LOWEST_PRIORITY)
        return priority;
    for (size_t i = 0; i < edit_count; i++) {
        bool counts = edits[i].kind == EDIT_PRIORITY && edits[i].between &&
                      (edits[i].priority < priority ||
                       (edits[i].priority == priority && (!between || edits[i].between < between)));
        for (size_t k = 0; k < i && counts; k++) /* two rules may share the new level */
            counts = edits[k].kind != EDIT_PRIORITY || !edits[k].between ||
                     edits[k].priority != edits[i].priority || edits[k].between != edits[i].between;
        grown += counts;
    }
    return priority + grown;
}

/* Where the rule leads: a split sends its entering rule to the second half. */
static void write_target(const tac_rules *rules, uint32_t rule, const struct rules_edit *edits,
                         size_t edit_count, FILE *out)
{
    for (size_t i = 0; i < edit_count; i++)
        if (edits[i].kind == EDIT_SPLIT && edits[i].entering == rule) {
            fprintf(out, " -> %s", edits[i].name);
            return;
        }
    fprintf(out, " -> %s", rules->states[rules->rules[rule].to].name);
}

/* A rule active in a split state is active in both halves, but for the one that is left out. */
static void write_halves(const tac_rules *rules, uint32_t rule, uint32_t state,
                         const struct rules_edit *edits, size_t edit_count, FILE *out)
{
    fputs(rules->states[state].name, out);
    for (size_t i = 0; i < edit_count; i++)
        if (edits[i].kind == EDIT_SPLIT && edits[i].state == state && edits[i].rule != rule)
            fprintf(out, ", %s", edits[i].name);
}

static void write_added(const tac_rules *rules, const struct rules_edit *edit, FILE *out)
{
    assert(edit->kind != EDIT_ADD_RULE || (edit->name && edit->condition));
    if (edit->kind != EDIT_ADD_RULE)
        return;
    fprintf(out, "rule %s: %s -> %s when %s", edit->name, rules->states[edit->state].name,
            rules->states[edit->target].name, edit->condition);
    if (edit->priority != TAC_RULES_LOWEST_PRIORITY)
        fprintf(out, " priority %u", edit->priority);
    fputc('\n', out);
}

static void write_statement(const tac_rules *rules, const char *start,
                            tac_rules_predicate predicate, FILE *out)
{
    char *text = rules_predicate_text(rules, predicate);
    fprintf(out, "%s%s", start, text);
    free(text);
}

/* "location == home" is set by "location = home"; its siblings follow from it. */
static void write_actions(const tac_rules *rules, const tac_rules_rule *rule, FILE *out)
{
    bool any = false;
    for (uint32_t a = 0; a < rule->action_count; a++) {
        const tac_rules_action *action = &rules->actions[rule->first_action + a];
        const tac_rules_variable *variable = &rules->variables[action->variable];
        const char *value = strstr(variable->name, " == ");
        if (variable->sensor != TAC_RULES_NONE && !action->value)
            continue;
        fputs(any ? ", " : " do ", out);
        any = true;
        if (variable->sensor != TAC_RULES_NONE && value)
            fprintf(out, "%s=%s", rules->sensors[variable->sensor].name, value + 4);
        else
            fprintf(out, "%s=%s", variable->name, action->value ? "on" : "off");
    }
}

/* sources[rule] lists its states: edges are sorted by state, a rule is written with all of them. */
static void write_rules(const tac_rules *rules, const struct rules_edit *edits, size_t edit_count,
                        FILE *out)
{
    uint32_t *first = tac_calloc(rules->rule_count + 2, sizeof *first);
    uint32_t *states = tac_calloc(rules->edge_count + 1, sizeof *states);
    for (uint32_t i = 0; i < rules->edge_count; i++)
        first[rules->edges[i].rule + 2]++;
    for (uint32_t i = 2; i < rules->rule_count + 2; i++)
        first[i] += first[i - 1];
    for (uint32_t i = 0; i < rules->edge_count; i++)
        states[first[rules->edges[i].rule + 1]++] = rules->edges[i].state;
    for (uint32_t i = 0; i < rules->rule_count; i++) {
        uint32_t priority = edited_priority(rules, i, edits, edit_count);
        fprintf(out, "rule %s: ", rules->rules[i].name);
        for (uint32_t s = first[i]; s < first[i + 1]; s++) {
            fputs(s > first[i] ? ", " : "", out);
            write_halves(rules, i, states[s], edits, edit_count, out);
        }
        write_target(rules, i, edits, edit_count, out);
        write_condition(rules, i, edits, edit_count, out);
        if (priority != TAC_RULES_LOWEST_PRIORITY)
            fprintf(out, " priority %u", priority);
        write_actions(rules, &rules->rules[i], out);
        fputc('\n', out);
    }
    for (size_t i = 0; i < edit_count; i++)
        write_added(rules, &edits[i], out);
    free(first);
    free(states);
}

tac_status rules_write_edited(const tac_rules *rules, const struct rules_edit *edits,
                              size_t edit_count, FILE *out, tac_error *err)
{
    if (rules->app[0])
        fprintf(out, "app %s\n", rules->app);
    write_variables(rules, out);
    for (uint32_t i = 0; i < rules->constraint_count; i++)
        if (!rules->constraints[i].derived) {
            write_statement(rules, "constraint ", rules->constraints[i].holds, out);
            fputc('\n', out);
        }
    for (size_t i = 0; i < edit_count; i++)
        if (edits[i].kind == EDIT_MENTION)
            fprintf(out, "constraint %s -> %s\n", edits[i].condition, edits[i].condition);
    for (uint32_t i = 0; i < rules->state_count; i++)
        fprintf(out, "state %s%s\n", rules->states[i].name, i == rules->initial ? " initial" : "");
    for (size_t i = 0; i < edit_count; i++)
        if (edits[i].kind == EDIT_SPLIT)
            fprintf(out, "state %s\n", edits[i].name);
    write_rules(rules, edits, edit_count, out);
    for (uint32_t i = 0; i < rules->expectation_count; i++) {
        fprintf(out, "expect %s", rules->states[rules->expectations[i].state].name);
        write_statement(rules, " when ", rules->expectations[i].when, out);
        fputc('\n', out);
    }
    return ferror(out) ? tac_fail(err, TAC_E_IO, "cannot write the rules") : TAC_OK;
}

tac_status tac_rules_write(const tac_rules *rules, FILE *out, tac_error *err)
{
    return rules_write_edited(rules, NULL, 0, out, err);
}
