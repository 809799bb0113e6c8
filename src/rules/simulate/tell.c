/* A simulation as a JSON document and in words. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/print/print.h"
#include "rules/findings/words.h"
#include "rules/simulate/described.h"

static uint64_t target_of(const tac_rules *rules, const tac_rules_transition *transition)
{
    return rules->rules[transition->rule].to;
}
static const tac_rules *rules_of(const struct field_value *with)
{
    return ((const struct rules_document *)with->context)->rules;
}

FIELD_GETTER(to_of, tac_rules_transition,
             out->text = rules_state_name(target_of(rules_of(out), it), out))
static const struct field transition_fields[] = {
    FIELD_NAME(tac_rules_transition, from, rules_state_name),
    FIELD_NAME(tac_rules_transition, rule, rules_rule_name), FIELD_GET_TEXT("to", to_of),
    FIELD_NAMES(tac_rules_transition, others, together, rules_rule_name, .key = "together_with")};
static DESCRIBE(transition, tac_rules_transition);

/* What the first moment has, and what has changed since the one before. */
static void changed_input(const void *value, struct field_value *out)
{
    const tac_rules *rules = rules_of(out);
    const tac_rules_moment *moment = value;
    bool first = moment == ((const struct rules_told *)out->context)->timeline->at;
    const char *before = first ? NULL : moment[-1].input;
    struct rules_value *list = tac_arena_calloc(out->arena, rules->variable_count, sizeof *list);
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (first || before[v] != moment->input[v])
            list[out->count++] =
                (struct rules_value){rules->variables[v].name, moment->input[v] == '1'};
    out->at = list;
    out->absent = first;
}

static void first_input(const void *value, struct field_value *out)
{
    changed_input(value, out);
    out->absent = !out->absent;
}

/* The states that it goes through; the last one, where it ends, only without `transient`. */
static void states_of(const tac_rules_moment *m, bool transient, struct field_value *out)
{
    const char **list = tac_arena_calloc(out->arena, m->count + 1, sizeof *list);
    for (size_t i = transient ? 1 : 0; i < m->count; i++)
        list[out->count++] = rules_state_name(m->transitions[i].from, out);
    if (!transient)
        list[out->count++] = rules_state_name(m->state, out);
    out->at = list;
}
FIELD_GETTER(all_states, tac_rules_moment, states_of(it, false, out))
FIELD_GETTER(transient_states, tac_rules_moment, states_of(it, true, out))
FIELD_GETTER(seconds_of, tac_rules_moment, out->number = (double)it->time_ms / 1000)

static const struct field moment_fields[] = {
    FIELD_GET_NUMBER("time", seconds_of, .unit = "s"),
    FIELD_NAMES(tac_rules_moment, groups, group_count, rules_group_name),
    FIELD_GET_LIST("input", first_input, rules_value_described, .omit = true),
    FIELD_GET_LIST("changed", changed_input, rules_value_described, .omit = true),
    FIELD(tac_rules_moment, valid),
    FIELD_GET_TEXTS("states", all_states),
    FIELD_LIST(tac_rules_moment, transitions, count, transition_described, .key = "steps"),
    FIELD_GET_TEXTS("transient", transient_states),
    FIELD_NAME(tac_rules_moment, state, rules_state_name, .key = "rests_in",
               .known = IF_NOT(tac_rules_moment, never_rests)),
    FIELD(tac_rules_moment, never_rests),
    FIELD(tac_rules_moment, loop, .only = IF(tac_rules_moment, never_rests)),
    FIELD_NAMES(tac_rules_moment, may_rest, may_rest_count, rules_state_name, .key = "may_rest_in",
                .known = IF(tac_rules_moment, may_known)),
    FIELD(tac_rules_moment, may_never_rest, .known = IF(tac_rules_moment, may_known))};
static DESCRIBE(moment, tac_rules_moment);

FIELD_GETTER(last_of, tac_rules_timeline, out->at = &it->at[it->count - 1])
static const struct field end_fields[] = {
    FIELD_NAME(tac_rules_moment, state, rules_state_name, .key = "ends_in",
               .known = IF_NOT(tac_rules_moment, never_rests)),
    FIELD(tac_rules_moment, never_rests)};
static DESCRIBE(end, tac_rules_moment);
static const struct field timeline_fields[] = {
    FIELD_NAME(tac_rules_timeline, start, rules_state_name, .key = "state"),
    FIELD_LIST(tac_rules_timeline, at, count, moment_described, .key = "moments"),
    FIELD_GET_POINTER("", last_of, end_described, .splice = true)};
static DESCRIBE(timeline, tac_rules_timeline);
static const struct field rules_told_fields[] = {
    FIELD_POINTER(struct rules_told, given.rules, rules_app_described, .splice = true),
    FIELD_POINTER(struct rules_told, timeline, timeline_described, .splice = true)};
DESCRIBE(rules_told, struct rules_told);

json_t *tac_rules_timeline_json(const tac_rules *rules, const tac_rules_timeline *timeline)
{
    struct rules_told document = {{.rules = rules}, timeline};
    assert(timeline->count > 0);
    return describe_json_with(&rules_told_described, &document, &document);
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
    tac_print(out, "%s starts in %s.\n", rules->app[0] ? rules->app : rules->file,
              rules->states[timeline->start].name);
    for (size_t i = 0; i < timeline->count; i++) {
        const tac_rules_moment *m = &timeline->at[i];
        tac_str reading = {0};
        tell_reading(rules, m, i ? timeline->at[i - 1].input : NULL, &reading);
        tac_print(out, "%7.10g s ", (double)m->time_ms / 1000);
        tac_print(out, "%s\n", tac_str_text(&reading));
        tac_str_free(&reading);
        for (size_t k = 0; k < m->count; k++)
            tell_transition(rules, &m->transitions[k], out);
        tell_end(rules, m, out);
    }
    if (last->never_rests)
        tac_print(out, "In the end it never rests.\n");
    else
        tac_print(out, "It ends in %s.\n", rules->states[last->state].name);
}
