/* What was found about one state, as JSON: how many inputs, whether it can be so, and a witness. */
#include "rules/findings/document.h"
#include <stdlib.h>

static json_t *existence_json(tac_rules_existence exists)
{
    return exists == TAC_RULES_UNKNOWN ? json_string("unknown")
                                       : json_boolean(exists == TAC_RULES_YES);
}

/* With very many variables only those that matter: every other one may have any valid value. */
static json_t *witness_input_json(const tac_rules *rules, const tac_rules_findings *f,
                                  const tac_rules_witness *witness)
{
    if (rules->variable_count <= MANY_VARIABLES) {
        char *values = tac_rules_witness_input(rules, f, witness);
        json_t *input = rules_input_json(rules, values, NULL);
        free(values);
        return input;
    }
    json_t *input = json_object();
    for (size_t i = 0; i < witness->literal_count; i++)
        json_object_set_new(input, rules->variables[witness->variables[i]].name,
                            json_boolean(witness->values[i]));
    return input;
}

static json_t *witness_json(const tac_rules *rules, const tac_rules_findings *f,
                            const tac_rules_witness *witness, bool race)
{
    if (witness->exists != TAC_RULES_YES)
        return json_null();
    json_t *object = json_object();
    json_object_set_new(object, "input", witness_input_json(rules, f, witness));
    json_object_set_new(object, "states",
                        rules_state_names_json(rules, witness->states, witness->length + 1));
    json_object_set_new(object, "rules",
                        rules_rule_names_json(rules, witness->rules, witness->length));
    json_object_set_new(object, "length", json_integer((json_int_t)witness->length));
    if (!race)
        json_object_set_new(object, "loop", json_integer((json_int_t)witness->loop));
    json_object_set_new(object, "shortest", json_boolean(witness->at_least == witness->length));
    json_object_set_new(object, "at_least", json_integer((json_int_t)witness->at_least));
    json_object_set_new(object, "inputs", rules_count_json(&witness->inputs));
    return object;
}

/* The keys KIND_exists, KIND_witness, and what is known where the rest is not. */
static void add_existence(json_t *state, const tac_rules *rules, const tac_rules_findings *f,
                          uint32_t i, bool race)
{
    static const char *const keys[][5] = {
        {"cycle_exists", "cycle_witness", "cycle_none_up_to", "cycle_at_least", "cycle_at_most"},
        {"race_exists", "race_witness", "race_none_up_to", "race_at_least", "race_at_most"}};
    const tac_rules_state_findings *found = &f->states[i];
    const tac_rules_witness *witness = race ? &found->race_witness : &found->cycle_witness;
    json_object_set_new(state, keys[race][0], existence_json(witness->exists));
    json_object_set_new(state, keys[race][1], witness_json(rules, f, witness, race));
    if (witness->exists == TAC_RULES_UNKNOWN && witness->at_least > 0)
        json_object_set_new(state, keys[race][2], json_integer((json_int_t)witness->at_least - 1));
    if ((race ? found->race : found->cycle).known)
        return;
    tac_rules_count least, most;
    rules_count_init(&least);
    rules_count_init(&most);
    tac_rules_bounds(f, i, race, &least, &most);
    json_object_set_new(state, keys[race][3], rules_count_json(&least));
    json_object_set_new(state, keys[race][4], rules_count_json(&most));
    rules_count_clear(&least);
    rules_count_clear(&most);
}

/* On a deterministic rule set every other input races or never rests. */
static void add_sum(json_t *state, const tac_rules_findings *f, uint32_t i)
{
    tac_rules_count sum;
    if (!f->deterministic)
        return;
    rules_count_init(&sum);
    rules_unrest(f, i, &sum);
    json_object_set_new(state, "race_or_cycle", rules_count_json(&sum));
    rules_count_clear(&sum);
}

json_t *rules_state_json(const tac_rules *rules, const tac_rules_findings *f, uint32_t i)
{
    const tac_rules_state_findings *found = &f->states[i];
    json_t *state = json_object();
    json_object_set_new(state, "nondeterministic", rules_count_json(&found->nondeterministic));
    if (f->table2) {
        json_object_set_new(state, "dead", json_integer(found->dead_rules));
        json_object_set_new(state, "races", rules_count_json(&found->race));
        json_object_set_new(state, "cycles", rules_count_json(&found->cycle));
        json_object_set_new(state, "unreachable", json_integer(found->unreachable));
    } else {
        json_object_set_new(state, "stable", rules_count_json(&found->stable));
        json_object_set_new(state, "one", rules_count_json(&found->one));
        json_object_set_new(state, "race", rules_count_json(&found->race));
        json_object_set_new(state, "cycle", rules_count_json(&found->cycle));
        add_sum(state, f, i);
    }
    if (f->witnesses) {
        add_existence(state, rules, f, i, false);
        add_existence(state, rules, f, i, true);
    }
    return state;
}
