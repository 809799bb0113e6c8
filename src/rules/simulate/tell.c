/* A simulation as a JSON document and in words. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "rules/findings/words.h"
#include <stdlib.h>

static json_t *state_json(const tac_rules *rules, uint32_t state)
{
    assert(state < rules->state_count);
    return tac_json_string(rules->states[state].name);
}

static json_t *input_json(const tac_rules *rules, const char *input, const char *before)
{
    json_t *object = json_object();
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (!before || before[v] != input[v])
            json_object_set_new(object, rules->variables[v].name, json_boolean(input[v] == '1'));
    return object;
}

static json_t *transition_json(const tac_rules *rules, const tac_rules_transition *t)
{
    json_t *object = json_object(), *others = json_array();
    json_object_set_new(object, "from", state_json(rules, t->from));
    json_object_set_new(object, "rule", tac_json_string(rules->rules[t->rule].name));
    json_object_set_new(object, "to", state_json(rules, rules->rules[t->rule].to));
    for (size_t i = 0; i < t->together; i++)
        json_array_append_new(others, tac_json_string(rules->rules[t->others[i]].name));
    json_object_set_new(object, "together_with", others);
    return object;
}

static json_t *states_of(const tac_rules *rules, const tac_rules_moment *m, bool transient)
{
    json_t *array = json_array();
    for (size_t i = transient ? 1 : 0; i < m->count; i++)
        json_array_append_new(array, state_json(rules, m->transitions[i].from));
    if (!transient)
        json_array_append_new(array, state_json(rules, m->state));
    return array;
}

static json_t *moment_json(const tac_rules *rules, const tac_rules_moment *m, const char *before)
{
    json_t *object = json_object(), *groups = json_array(), *steps = json_array();
    json_t *may = json_array();
    for (size_t i = 0; i < m->group_count; i++)
        json_array_append_new(groups, tac_json_string(rules->groups[m->groups[i]].name));
    for (size_t i = 0; i < m->count; i++)
        json_array_append_new(steps, transition_json(rules, &m->transitions[i]));
    for (size_t i = 0; i < m->may_rest_count; i++)
        json_array_append_new(may, state_json(rules, m->may_rest[i]));
    json_object_set_new(object, "time", tac_json_number((double)m->time_ms / 1000));
    json_object_set_new(object, "groups", groups);
    json_object_set_new(object, before ? "changed" : "input", input_json(rules, m->input, before));
    json_object_set_new(object, "valid", json_boolean(m->valid));
    json_object_set_new(object, "states", states_of(rules, m, false));
    json_object_set_new(object, "steps", steps);
    json_object_set_new(object, "transient", states_of(rules, m, true));
    json_object_set_new(object, "rests_in",
                        m->never_rests ? json_null() : state_json(rules, m->state));
    json_object_set_new(object, "never_rests", json_boolean(m->never_rests));
    if (m->never_rests)
        json_object_set_new(object, "loop", json_integer((json_int_t)m->loop));
    json_object_set_new(object, "may_rest_in", m->may_known ? may : json_null());
    if (!m->may_known)
        json_decref(may);
    json_object_set_new(object, "may_never_rest",
                        m->may_known ? json_boolean(m->may_never_rest) : json_null());
    return object;
}

json_t *tac_rules_timeline_json(const tac_rules *rules, const tac_rules_timeline *timeline)
{
    json_t *document = json_object(), *moments = json_array();
    const tac_rules_moment *last = &timeline->at[timeline->count - 1];
    assert(timeline->count > 0);
    json_object_set_new(document, "app", tac_json_string(rules->app));
    json_object_set_new(document, "state", state_json(rules, timeline->start));
    for (size_t i = 0; i < timeline->count; i++)
        json_array_append_new(
            moments, moment_json(rules, &timeline->at[i], i ? timeline->at[i - 1].input : NULL));
    json_object_set_new(document, "moments", moments);
    json_object_set_new(document, "ends_in",
                        last->never_rests ? json_null() : state_json(rules, last->state));
    json_object_set_new(document, "never_rests", json_boolean(last->never_rests));
    return document;
}

/* --- In words --------------------------------------------------------------------------------- */

static void tell_reading(const tac_rules *rules, const tac_rules_moment *m, const char *before,
                         tac_str *out)
{
    char *cube = tac_strdup(m->input);
    bool any = false;
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        bool told = before ? before[v] != m->input[v] : m->input[v] == '1';
        cube[v] = told ? m->input[v] : '*';
        any = any || told;
    }
    for (size_t i = 0; i < m->group_count; i++)
        tac_str_addf(out, "%s%s", i ? ", " : "", rules->groups[m->groups[i]].name);
    if (m->group_count)
        tac_str_add(out, ": ");
    if (any)
        rules_words_of_cube(rules, cube, out);
    else
        tac_str_add(out, before ? "as before" : "nothing is on");
    if (!m->valid)
        tac_str_add(out, " (this breaks a constraint)");
    free(cube);
}

static void tell_transition(const tac_rules *rules, const tac_rules_transition *t, FILE *out)
{
    tac_str others = {0};
    if (t->together) {
        tac_str_add(&others, "; by chance it could have been ");
        rules_words_of_rules(rules, t->others, t->together, " or ", &others);
    }
    rules_write_paragraph(out, 10, "%s -> %s by %s%s", rules->states[t->from].name,
                          rules->states[rules->rules[t->rule].to].name, rules->rules[t->rule].name,
                          tac_str_text(&others));
    tac_str_free(&others);
}

static void tell_end(const tac_rules *rules, const tac_rules_moment *m, FILE *out)
{
    if (m->never_rests)
        rules_write_paragraph(out, 10, "and so on for ever: it never rests.");
    else if (m->count)
        rules_write_paragraph(out, 10, "It rests in %s.", rules->states[m->state].name);
    else
        rules_write_paragraph(out, 10, "It stays in %s.", rules->states[m->state].name);
    size_t ways = m->may_rest_count + m->may_never_rest;
    if (m->may_known && ways > 1) {
        tac_str may = {0};
        rules_words_of_states(rules, m->may_rest, m->may_rest_count, &may);
        rules_write_paragraph(out, 10, "By chance it may end in: %s%s.", tac_str_text(&may),
                              m->may_never_rest ? ", or never rest" : "");
        tac_str_free(&may);
    }
}

void tac_rules_timeline_text(const tac_rules *rules, const tac_rules_timeline *timeline, FILE *out)
{
    const tac_rules_moment *last = &timeline->at[timeline->count - 1];
    fprintf(out, "%s starts in %s.\n", rules->app[0] ? rules->app : rules->file,
            rules->states[timeline->start].name);
    for (size_t i = 0; i < timeline->count; i++) {
        const tac_rules_moment *m = &timeline->at[i];
        tac_str reading = {0};
        tell_reading(rules, m, i ? timeline->at[i - 1].input : NULL, &reading);
        fprintf(out, "%7.10g s ", (double)m->time_ms / 1000);
        fprintf(out, "%s\n", tac_str_text(&reading));
        tac_str_free(&reading);
        for (size_t k = 0; k < m->count; k++)
            tell_transition(rules, &m->transitions[k], out);
        tell_end(rules, m, out);
    }
    if (last->never_rests)
        fprintf(out, "In the end it never rests.\n");
    else
        fprintf(out, "It ends in %s.\n", rules->states[last->state].name);
}
