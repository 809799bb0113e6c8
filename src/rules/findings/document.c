/* The JSON document of "rules check": see docs/rules.md for its keys. As a whole it is for callers
 * that look into it; written to a file its long lists (states, pairs, groups), each of whose
 * entries may hold a value per variable, exist one entry at a time. */
#include "rules/findings/document.h"
#include "base/check.h"
#include "base/io/json.h"
#include <stdlib.h>
#include <string.h>

json_t *rules_state_name_json(const tac_rules *rules, uint32_t state)
{
    assert(state < rules->state_count);
    return tac_json_string(rules->states[state].name);
}

json_t *rules_input_json(const tac_rules *rules, const char *values, const char *cube)
{
    json_t *object = json_object();
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (rules->variable_count <= MANY_VARIABLES || !cube || cube[v] != '*')
            json_object_set_new(object, rules->variables[v].name, json_boolean(values[v] == '1'));
    return object;
}

json_t *rules_rule_names_json(const tac_rules *rules, const uint32_t *names, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, tac_json_string(rules->rules[names[i]].name));
    return array;
}

json_t *rules_state_names_json(const tac_rules *rules, const uint32_t *names, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, rules_state_name_json(rules, names[i]));
    return array;
}

static void add_inputs(json_t *object, const tac_rules *rules, const tac_rules_inputs *inputs)
{
    json_object_set_new(object, "inputs", rules_count_json(&inputs->count));
    if (inputs->cube)
        json_object_set_new(object, "cube", tac_json_string(inputs->cube));
    if (inputs->example)
        json_object_set_new(object, "example",
                            rules_input_json(rules, inputs->example, inputs->cube));
}

static json_t *states_json(const tac_rules *rules, const tac_rules_findings *f)
{
    json_t *states = json_object();
    for (uint32_t i = 0; i < rules->state_count; i++)
        json_object_set_new(states, rules->states[i].name, rules_state_json(rules, f, i));
    return states;
}

static json_t *clash_json(const tac_rules *rules, const tac_rules_clash *found)
{
    json_t *clash = json_object();
    json_object_set_new(clash, "state", rules_state_name_json(rules, found->state));
    json_object_set_new(clash, "rules",
                        rules_rule_names_json(rules, found->rules, found->rule_count));
    add_inputs(clash, rules, &found->inputs);
    return clash;
}

static json_t *clashes_json(const tac_rules *rules, const tac_rules_clash *clashes, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, clash_json(rules, &clashes[i]));
    return array;
}

static void add_dead_rules(json_t *document, const tac_rules *rules, const tac_rules_findings *f)
{
    json_t *dead = json_array(), *reasons = json_array();
    for (size_t i = 0; i < f->dead_rule_count; i++) {
        const tac_rules_dead_rule *rule = &f->dead_rules[i];
        const char *name = rules->rules[rule->rule].name;
        json_t *pair = json_array(), *reason = json_object();
        json_array_append_new(pair, rules_state_name_json(rules, rule->state));
        json_array_append_new(pair, tac_json_string(name));
        json_array_append_new(dead, pair);
        json_object_set_new(reason, "state", rules_state_name_json(rules, rule->state));
        json_object_set_new(reason, "rule", tac_json_string(name));
        json_object_set_new(reason, "reason",
                            json_string(rule->unsatisfiable ? "unsatisfiable" : "preempted"));
        json_object_set_new(reason, "by", rules_rule_names_json(rules, rule->by, rule->by_count));
        json_array_append_new(reasons, reason);
    }
    json_object_set_new(document, "dead_rules", dead);
    json_object_set_new(document, "dead_rule_reasons", reasons);
}

static json_t *marked_states(const tac_rules *rules, const tac_rules_findings *f, bool dead)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < rules->state_count; i++)
        if (dead ? f->states[i].dead : f->states[i].unreachable)
            json_array_append_new(array, rules_state_name_json(rules, i));
    return array;
}

static json_t *unstable_json(const tac_rules *rules, const tac_rules_findings *f)
{
    json_t *array = json_array();
    for (size_t i = 0; i < f->unstable_count; i++) {
        json_t *triple = json_object();
        json_object_set_new(triple, "state", rules_state_name_json(rules, f->unstable[i].state));
        json_object_set_new(triple, "rule",
                            tac_json_string(rules->rules[f->unstable[i].rule].name));
        json_object_set_new(triple, "next", rules_state_name_json(rules, f->unstable[i].next));
        json_object_set_new(triple, "inputs", rules_count_json(&f->unstable[i].inputs));
        json_array_append_new(array, triple);
    }
    return array;
}

static json_t *cubes_json(const tac_rules_inputs *inputs)
{
    json_t *array = json_array();
    for (size_t i = 0; i < inputs->cube_count; i++)
        json_array_append_new(array, tac_json_string(inputs->cubes[i]));
    return array;
}

static json_t *paths_json(const tac_rules *rules, const tac_rules_findings *f)
{
    json_t *array = json_array();
    for (size_t i = 0; i < f->path_count; i++) {
        const tac_rules_path *found = &f->paths[i];
        json_t *path = json_object();
        json_object_set_new(path, "kind", json_string(found->cycle ? "cycle" : "race"));
        json_object_set_new(path, "states",
                            rules_state_names_json(rules, found->states, found->length + 1));
        json_object_set_new(path, "rules",
                            rules_rule_names_json(rules, found->rules, found->length));
        if (found->cycle)
            json_object_set_new(path, "loop", json_integer((json_int_t)found->loop));
        add_inputs(path, rules, &found->inputs);
        json_object_set_new(path, "cubes", cubes_json(&found->inputs));
        if (found->inputs.cubes_truncated)
            json_object_set_new(path, "cubes_truncated", json_true());
        json_array_append_new(array, path);
    }
    return array;
}

static void add_cycles(json_t *document, const tac_rules *rules, const tac_rules_findings *f)
{
    if (!f->cycles_known) {
        json_object_set_new(document, "cycles", json_null());
        return;
    }
    json_t *names = json_array(), *details = json_array();
    for (size_t i = 0; i < f->cycle_count; i++) {
        json_t *detail = json_object();
        json_array_append_new(
            names, rules_state_names_json(rules, f->cycles[i].states, f->cycles[i].length));
        json_object_set_new(
            detail, "states",
            rules_state_names_json(rules, f->cycles[i].states, f->cycles[i].length));
        add_inputs(detail, rules, &f->cycles[i].inputs);
        if (f->cycles[i].monotone_relevant)
            json_object_set_new(detail, "persists", json_boolean(f->cycles[i].persists));
        json_array_append_new(details, detail);
    }
    json_object_set_new(document, "cycles", names);
    json_object_set_new(document, "cycle_details", details);
}

static json_t *breaches_json(const tac_rules *rules, const tac_rules_findings *f)
{
    json_t *array = json_array();
    for (size_t i = 0; i < f->breach_count; i++) {
        json_t *breach = json_object();
        json_object_set_new(breach, "state", rules_state_name_json(rules, f->breaches[i].state));
        json_object_set_new(breach, "rule",
                            tac_json_string(rules->rules[f->breaches[i].rule].name));
        add_inputs(breach, rules, &f->breaches[i].inputs);
        json_array_append_new(array, breach);
    }
    return array;
}

static json_t *unmet_json(const tac_rules *rules, const tac_rules_findings *f)
{
    if (!f->unmet_known)
        return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < f->unmet_count; i++) {
        const tac_rules_unmet *found = &f->unmet[i];
        const tac_rules_expectation *expected = &rules->expectations[found->expectation];
        json_t *unmet = json_object();
        json_object_set_new(unmet, "expected", rules_state_name_json(rules, expected->state));
        json_object_set_new(unmet, "line", json_integer(expected->line));
        json_object_set_new(unmet, "state", rules_state_name_json(rules, found->state));
        json_object_set_new(unmet, "ends_in",
                            found->ends_in == TAC_RULES_NONE
                                ? json_null()
                                : rules_state_name_json(rules, found->ends_in));
        add_inputs(unmet, rules, &found->inputs);
        json_array_append_new(array, unmet);
    }
    return array;
}

/* What the sensors became. */
static json_t *derived_json(const tac_rules *rules)
{
    json_t *derived = json_object();
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        if (rules->variables[v].sensor == TAC_RULES_NONE)
            continue;
        const char *sensor = rules->sensors[rules->variables[v].sensor].name;
        json_t *tests = json_object_get(derived, sensor);
        if (!tests)
            json_object_set_new(derived, sensor, tests = json_array());
        json_array_append_new(tests, tac_json_string(rules->variables[v].name));
    }
    return derived;
}

json_t *rules_statistics_json(const tac_rules *rules, const tac_rules_findings *f)
{
    json_t *statistics = json_object();
    json_object_set_new(statistics, "states", json_integer(rules->state_count));
    json_object_set_new(statistics, "rules", json_integer(rules->rule_count));
    json_object_set_new(statistics, "active_rules", json_integer(rules->edge_count));
    json_object_set_new(statistics, "variables", json_integer(rules->variable_count));
    json_object_set_new(statistics, "prepare_ms", tac_json_number(f->statistics.prepare_ms));
    json_object_set_new(statistics, "detect_ms", tac_json_number(f->statistics.detect_ms));
    json_object_set_new(statistics, "exact_ms", tac_json_number(f->statistics.exact_ms));
    json_object_set_new(statistics, "witness_ms", tac_json_number(f->statistics.witness_ms));
    json_object_set_new(statistics, "describe_ms", tac_json_number(f->statistics.describe_ms));
    json_object_set_new(statistics, "nodes_made",
                        json_integer((json_int_t)f->statistics.nodes_made));
    if (f->statistics.activation_nodes > 0) {
        json_object_set_new(statistics, "activation_nodes",
                            tac_json_number(f->statistics.activation_nodes));
        json_object_set_new(statistics, "activation_paths",
                            tac_json_number(f->statistics.activation_paths));
    }
    return statistics;
}

/* States with a run that never ends, with a race; and those of which neither is known. */
static void add_totals(json_t *document, const tac_rules_findings *f)
{
    json_int_t counts[2][3] = {{0}};
    for (uint32_t i = 0; i < f->state_count; i++) {
        counts[0][f->states[i].cycle_witness.exists]++;
        counts[1][f->states[i].race_witness.exists]++;
    }
    json_object_set_new(document, "cycle_states", json_integer(counts[0][TAC_RULES_YES]));
    json_object_set_new(document, "race_states", json_integer(counts[1][TAC_RULES_YES]));
    json_object_set_new(document, "cycle_states_unknown",
                        json_integer(counts[0][TAC_RULES_UNKNOWN]));
    json_object_set_new(document, "race_states_unknown",
                        json_integer(counts[1][TAC_RULES_UNKNOWN]));
}

/* Without `lists` these have their keys and places only. */
static json_t *document_json(const tac_rules *rules, const tac_rules_findings *f, bool paths,
                             bool lists)
{
    json_t *document = json_object();
    json_object_set_new(document, "app", tac_json_string(rules->app));
    json_object_set_new(document, "engine", json_string(tac_rules_engine_name(f->engine)));
    if (f->table2)
        json_object_set_new(document, "convention", json_string("table2"));
    json_object_set_new(document, "faults", json_boolean(tac_rules_faulty(f)));
    json_object_set_new(document, "truncated", json_boolean(f->truncated));
    json_object_set_new(document, "valid_inputs", rules_count_json(&f->valid_inputs));
    json_object_set_new(document, "deterministic", json_boolean(f->deterministic));
    json_object_set_new(document, "states", lists ? states_json(rules, f) : json_null());
    json_object_set_new(document, "pairs",
                        lists ? clashes_json(rules, f->pairs, f->pair_count) : json_null());
    json_object_set_new(document, "groups",
                        lists && f->groups_known ? clashes_json(rules, f->groups, f->group_count)
                                                 : json_null());
    add_dead_rules(document, rules, f);
    json_object_set_new(document, "dead_states", marked_states(rules, f, true));
    json_object_set_new(document, "unreachable", marked_states(rules, f, false));
    if (f->witnesses)
        add_totals(document, f);
    if (!f->table2) {
        add_cycles(document, rules, f);
        json_object_set_new(document, "race_paths",
                            f->paths_known ? json_integer((json_int_t)f->race_paths) : json_null());
        json_object_set_new(document, "cycle_paths",
                            f->paths_known ? json_integer((json_int_t)f->cycle_paths)
                                           : json_null());
        json_object_set_new(document, "unstable", unstable_json(rules, f));
        json_object_set_new(document, "inconsistent_actions", breaches_json(rules, f));
        json_object_set_new(document, "expectations", unmet_json(rules, f));
    }
    if (paths && !f->table2)
        json_object_set_new(document, "paths", f->paths_known ? paths_json(rules, f) : json_null());
    if (f->hazards)
        json_object_set_new(document, "hazards", rules_hazards_json(rules, f->hazards));
    if (rules->sensor_count)
        json_object_set_new(document, "derived", derived_json(rules));
    json_object_set_new(document, "statistics", rules_statistics_json(rules, f));
    return document;
}

json_t *tac_rules_findings_json(const tac_rules *rules, const tac_rules_findings *f, bool paths)
{
    return document_json(rules, f, paths, true);
}

json_t *rules_evidence_json(const tac_rules *rules, const tac_rules_findings *f)
{
    static const char *const keys[] = {"pairs",         "dead_rule_reasons",    "unreachable",
                                       "cycle_details", "inconsistent_actions", "expectations"};
    json_t *document = document_json(rules, f, false, false), *evidence = json_object();
    json_object_set_new(document, "pairs", clashes_json(rules, f->pairs, f->pair_count));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *value = json_object_get(document, keys[i]);
        if (value && json_array_size(value))
            json_object_set(evidence, keys[i], value);
    }
    json_decref(document);
    return evidence;
}

/* --- Writing --- */

static void write_value(FILE *out, json_t *value)
{
    char *text = tac_json_text(value, JSON_COMPACT);
    fputs(text, out);
    free(text);
    json_decref(value);
}

static void write_key(FILE *out, const char *key, bool first)
{
    if (!first)
        fputc(',', out);
    write_value(out, tac_json_string(key));
    fputc(':', out);
}

static void write_states(FILE *out, const tac_rules *rules, const tac_rules_findings *f)
{
    fputc('{', out);
    for (uint32_t i = 0; i < rules->state_count; i++) {
        write_key(out, rules->states[i].name, i == 0);
        write_value(out, rules_state_json(rules, f, i));
    }
    fputc('}', out);
}

static void write_clashes(FILE *out, const tac_rules *rules, const tac_rules_clash *clashes,
                          size_t count)
{
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        if (i)
            fputc(',', out);
        write_value(out, clash_json(rules, &clashes[i]));
    }
    fputc(']', out);
}

tac_status tac_rules_findings_write(const tac_rules *rules, const tac_rules_findings *f, bool paths,
                                    FILE *out, tac_error *err)
{
    json_t *document = document_json(rules, f, paths, false), *value;
    const char *key;
    bool first = true;
    fputc('{', out);
    json_object_foreach(document, key, value)
    {
        write_key(out, key, first);
        first = false;
        if (!strcmp(key, "states"))
            write_states(out, rules, f);
        else if (!strcmp(key, "pairs"))
            write_clashes(out, rules, f->pairs, f->pair_count);
        else if (!strcmp(key, "groups") && f->groups_known)
            write_clashes(out, rules, f->groups, f->group_count);
        else
            write_value(out, json_incref(value));
    }
    fputs("}\n", out);
    json_decref(document);
    return ferror(out) ? tac_fail(err, TAC_E_IO, "cannot write the JSON document") : TAC_OK;
}
