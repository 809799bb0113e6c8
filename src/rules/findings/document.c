/* See document.h. Written to a file its long lists (states, pairs, groups), each of whose entries
 * may hold a value per variable, exist one entry at a time. */
#include "rules/findings/document.h"
#include "base/check.h"
#include "base/io/json.h"
#include <stdlib.h>

static const tac_rules *rules_of(const struct field_value *with)
{
    return ((const struct rules_document *)with->context)->rules;
}

const char *rules_state_name(uint64_t state, struct field_value *with)
{
    assert(state == TAC_RULES_NONE || state < rules_of(with)->state_count);
    return state == TAC_RULES_NONE ? NULL : rules_of(with)->states[state].name;
}

const char *rules_rule_name(uint64_t rule, struct field_value *with)
{
    return rules_of(with)->rules[rule].name;
}

const char *rules_group_name(uint64_t group, struct field_value *with)
{
    return rules_of(with)->groups[group].name;
}

/* --- Counts and inputs ------------------------------------------------------------------------ */

const char *rules_shown_count(const tac_rules_count *count, struct field_value *out)
{
    out->null = !count->known;
    if (out->null)
        return NULL;
    char *text = rules_count_text(count);
    const char *kept = tac_arena_strdup(out->arena, text);
    free(text);
    return kept;
}

FIELD_GETTER(count_of, void, out->text = rules_shown_count(it, out))

static const struct field rules_count_fields[] = {FIELD_GET_TEXT("count", count_of, .maybe = true)};
DESCRIBE(rules_count, tac_rules_count, .form = DESCRIBE_VALUE);

static const struct field rules_value_fields[] = {FIELDS(struct rules_value, name, on)};
DESCRIBE(rules_value, struct rules_value, .keyed = true, .form = DESCRIBE_VALUE);

void rules_show_input(const char *values, const char *cube, struct field_value *out)
{
    const tac_rules *rules = rules_of(out);
    struct rules_value *list = tac_arena_calloc(out->arena, rules->variable_count, sizeof *list);
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (rules->variable_count <= MANY_VARIABLES || !cube || cube[v] != '*')
            list[out->count++] = (struct rules_value){rules->variables[v].name, values[v] == '1'};
    out->at = list;
}

static void example_of(const void *value, struct field_value *out)
{
    const tac_rules_inputs *inputs = value;
    out->absent = !inputs->example;
    if (inputs->example)
        rules_show_input(inputs->example, inputs->cube, out);
}

static const struct field inputs_fields[] = {
    FIELD_STRUCT(tac_rules_inputs, count, rules_count_described, .key = "inputs"),
    FIELD(tac_rules_inputs, cube, .omit = true),
    FIELD_GET_LIST("example", example_of, rules_value_described, .omit = true)};
static DESCRIBE(inputs, tac_rules_inputs);

/* --- Faults ----------------------------------------------------------------------------------- */

static const struct field clash_fields[] = {
    FIELD_NAME(tac_rules_clash, state, rules_state_name),
    FIELD_NAMES(tac_rules_clash, rules, rule_count, rules_rule_name),
    FIELD_STRUCT(tac_rules_clash, inputs, inputs_described, .splice = true)};
static DESCRIBE(clash, tac_rules_clash);

static const struct field dead_rule_fields[] = {
    FIELD_NAME(tac_rules_dead_rule, state, rules_state_name),
    FIELD_NAME(tac_rules_dead_rule, rule, rules_rule_name)};
static DESCRIBE(dead_rule, tac_rules_dead_rule, .form = DESCRIBE_TUPLE);
static const char *const reasons[] = {[false] = "preempted", [true] = "unsatisfiable"};
static const struct field dead_reason_fields[] = {
    FIELD_NAME(tac_rules_dead_rule, state, rules_state_name),
    FIELD_NAME(tac_rules_dead_rule, rule, rules_rule_name),
    FIELD_ENUM(tac_rules_dead_rule, unsatisfiable, reasons, .key = "reason"),
    FIELD_NAMES(tac_rules_dead_rule, by, by_count, rules_rule_name)};
static DESCRIBE(dead_reason, tac_rules_dead_rule);

static const struct field unstable_fields[] = {
    FIELD_NAME(tac_rules_unstable, state, rules_state_name),
    FIELD_NAME(tac_rules_unstable, rule, rules_rule_name),
    FIELD_NAME(tac_rules_unstable, next, rules_state_name),
    FIELD_STRUCT(tac_rules_unstable, inputs, rules_count_described)};
static DESCRIBE(unstable, tac_rules_unstable);

static const char *const path_kinds[] = {[false] = "race", [true] = "cycle"};
static const struct field path_fields[] = {
    FIELD_ENUM(tac_rules_path, cycle, path_kinds, .key = "kind"),
    FIELD_NAMES(tac_rules_path, states, length, rules_state_name, .more = 1),
    FIELD_NAMES(tac_rules_path, rules, length, rules_rule_name),
    FIELD(tac_rules_path, loop, .only = IF(tac_rules_path, cycle)),
    FIELD_STRUCT(tac_rules_path, inputs, inputs_described, .splice = true),
    FIELD_TEXTS(tac_rules_path, inputs.cubes, inputs.cube_count),
    FIELD(tac_rules_path, inputs.cubes_truncated, .omit = true)};
static DESCRIBE(path, tac_rules_path);

static const struct field cycle_fields[] = {
    FIELD_NAMES(tac_rules_cycle, states, length, rules_state_name)};
static DESCRIBE(cycle, tac_rules_cycle, .form = DESCRIBE_VALUE);
static const struct field cycle_detail_fields[] = {
    FIELD_NAMES(tac_rules_cycle, states, length, rules_state_name),
    FIELD_STRUCT(tac_rules_cycle, inputs, inputs_described, .splice = true),
    FIELD(tac_rules_cycle, persists, .only = IF(tac_rules_cycle, monotone_relevant))};
static DESCRIBE(cycle_detail, tac_rules_cycle);

static const struct field breach_fields[] = {
    FIELD_NAME(tac_rules_breach, state, rules_state_name),
    FIELD_NAME(tac_rules_breach, rule, rules_rule_name),
    FIELD_STRUCT(tac_rules_breach, inputs, inputs_described, .splice = true)};
static DESCRIBE(breach, tac_rules_breach);

FIELD_GETTER(expectation_of, tac_rules_unmet,
             out->at = &rules_of(out)->expectations[it->expectation])
static const struct field expectation_fields[] = {
    FIELD_NAME(tac_rules_expectation, state, rules_state_name, .key = "expected"),
    FIELD(tac_rules_expectation, line)};
static DESCRIBE(expectation, tac_rules_expectation);
static const struct field unmet_fields[] = {
    FIELD_GET_POINTER("", expectation_of, expectation_described, .splice = true),
    FIELD_NAME(tac_rules_unmet, state, rules_state_name),
    FIELD_NAME(tac_rules_unmet, ends_in, rules_state_name, .maybe = true),
    FIELD_STRUCT(tac_rules_unmet, inputs, inputs_described, .splice = true)};
static DESCRIBE(unmet, tac_rules_unmet);

/* --- The whole -------------------------------------------------------------------------------- */

static struct rules_existence existence_of(const tac_rules_findings *f, uint32_t state, bool race)
{
    const tac_rules_state_findings *found = &f->states[state];
    const tac_rules_witness *witness = race ? &found->race_witness : &found->cycle_witness;
    bool open = witness->exists == TAC_RULES_UNKNOWN && witness->at_least;
    return (struct rules_existence){witness, witness->exists,
                                    open ? (int64_t)witness->at_least - 1 : -1, state, race};
}

static void states_of(const void *value, struct field_value *out)
{
    const tac_rules_findings *f = value;
    const tac_rules *rules = rules_of(out);
    struct rules_state *list = tac_arena_calloc(out->arena, rules->state_count, sizeof *list);
    for (uint32_t i = 0; i < rules->state_count; i++)
        list[i] = (struct rules_state){.name = rules->states[i].name,
                                       .index = i,
                                       .found = &f->states[i],
                                       .table2 = f->table2,
                                       .witnesses = f->witnesses,
                                       .cycle = existence_of(f, i, false),
                                       .race = existence_of(f, i, true)};
    out->at = list;
    out->count = rules->state_count;
}

static void marked_states(const tac_rules_findings *f, bool dead, struct field_value *out)
{
    const tac_rules *rules = rules_of(out);
    const char **list = tac_arena_calloc(out->arena, rules->state_count, sizeof *list);
    for (uint32_t i = 0; i < rules->state_count; i++)
        if (dead ? f->states[i].dead : f->states[i].unreachable)
            list[out->count++] = rules->states[i].name;
    out->at = list;
    out->absent = !out->count;
}

FIELD_GETTER(dead_states, void, marked_states(it, true, out))

FIELD_GETTER(unreachable_states, void, marked_states(it, false, out))

/* States with a run that never ends, with a race; and those of which neither is known. */
struct totals {
    size_t cycle[TAC_RULES_UNKNOWN + 1], race[TAC_RULES_UNKNOWN + 1];
};
static void totals_of(const void *value, struct field_value *out)
{
    const tac_rules_findings *f = value;
    struct totals *totals = tac_arena_calloc(out->arena, 1, sizeof *totals);
    for (uint32_t i = 0; i < f->state_count; i++) {
        totals->cycle[f->states[i].cycle_witness.exists]++;
        totals->race[f->states[i].race_witness.exists]++;
    }
    out->at = totals;
}
static const struct field totals_fields[] = {
    FIELD(struct totals, cycle[TAC_RULES_YES], .key = "cycle_states"),
    FIELD(struct totals, race[TAC_RULES_YES], .key = "race_states"),
    FIELD(struct totals, cycle[TAC_RULES_UNKNOWN], .key = "cycle_states_unknown"),
    FIELD(struct totals, race[TAC_RULES_UNKNOWN], .key = "race_states_unknown")};
static DESCRIBE(totals, struct totals);

/* What the sensors became. */
static void derived_of(const void *value, struct field_value *out)
{
    const tac_rules *rules = rules_of(out);
    (void)value;
    out->absent = !rules->sensor_count;
    out->json = out->absent ? NULL : json_object();
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        if (rules->variables[v].sensor == TAC_RULES_NONE)
            continue;
        const char *sensor = rules->sensors[rules->variables[v].sensor].name;
        json_t *tests = json_object_get(out->json, sensor);
        if (!tests)
            json_object_set_new(out->json, sensor, tests = json_array());
        json_array_append_new(tests, tac_json_string(rules->variables[v].name));
    }
}

static const struct field rules_figures_fields[] = {
    FIELD(tac_rules, state_count, .key = "states"), FIELD(tac_rules, rule_count, .key = "rules"),
    FIELD(tac_rules, edge_count, .key = "active_rules"),
    FIELD(tac_rules, variable_count, .key = "variables")};
static DESCRIBE(rules_figures, tac_rules);
FIELD_GETTER(rules_given, void, out->at = rules_of(out))
static const struct field statistics_fields[] = {
    FIELD_GET_POINTER("", rules_given, rules_figures_described, .splice = true),
    FIELDS(tac_rules_statistics, prepare_ms, detect_ms, exact_ms, witness_ms, describe_ms,
           nodes_made),
    FIELD(tac_rules_statistics, activation_nodes,
          .only = IF(tac_rules_statistics, activation_nodes)),
    FIELD(tac_rules_statistics, activation_paths,
          .only = IF(tac_rules_statistics, activation_nodes))};
static DESCRIBE(statistics, tac_rules_statistics);

/* What the paper's Table 2 does not count. */
static const struct field runs_fields[] = {
    FIELD_LIST(tac_rules_findings, cycles, cycle_count, cycle_described,
               .known = IF(tac_rules_findings, cycles_known)),
    FIELD_LIST(tac_rules_findings, cycles, cycle_count, cycle_detail_described,
               .key = "cycle_details", .only = IF(tac_rules_findings, cycles_known)),
    FIELD(tac_rules_findings, race_paths, .known = IF(tac_rules_findings, paths_known)),
    FIELD(tac_rules_findings, cycle_paths, .known = IF(tac_rules_findings, paths_known)),
    FIELD_LIST(tac_rules_findings, unstable, unstable_count, unstable_described),
    FIELD_LIST(tac_rules_findings, breaches, breach_count, breach_described,
               .key = "inconsistent_actions"),
    FIELD_LIST(tac_rules_findings, unmet, unmet_count, unmet_described, .key = "expectations",
               .known = IF(tac_rules_findings, unmet_known))};
static DESCRIBE(runs, tac_rules_findings);

static void paths_of(const void *value, struct field_value *out)
{
    const tac_rules_findings *f = value;
    out->absent = !((const struct rules_document *)out->context)->paths || f->table2;
    out->null = !f->paths_known;
    out->at = f->paths;
    out->count = f->path_count;
}

FIELD_GETTER(hazards_of, tac_rules_findings, out->at = it->hazards; out->absent = !out->at;
             out->null = out->at && !((const tac_rules_hazards *)out->at)->known)

FIELD_GETTER(is_faulty, void, out->yes = tac_rules_faulty(it))

FIELD_GETTER(engine_of, tac_rules_findings, out->text = tac_rules_engine_name(it->engine))

static const struct field findings_fields[] = {
    FIELD_GET_TEXT("engine", engine_of),
    FIELD_WORD("convention", "table2", .only = IF(tac_rules_findings, table2)),
    FIELD_GET_BOOL("faults", is_faulty),
    FIELD(tac_rules_findings, truncated),
    FIELD_STRUCT(tac_rules_findings, valid_inputs, rules_count_described),
    FIELD(tac_rules_findings, deterministic),
    FIELD_GET_LIST("states", states_of, rules_state_described),
    FIELD_LIST(tac_rules_findings, pairs, pair_count, clash_described),
    FIELD_LIST(tac_rules_findings, groups, group_count, clash_described,
               .known = IF(tac_rules_findings, groups_known)),
    FIELD_LIST(tac_rules_findings, dead_rules, dead_rule_count, dead_rule_described),
    FIELD_LIST(tac_rules_findings, dead_rules, dead_rule_count, dead_reason_described,
               .key = "dead_rule_reasons"),
    FIELD_GET_TEXTS("dead_states", dead_states),
    FIELD_GET_TEXTS("unreachable", unreachable_states),
    FIELD_GET_POINTER("", totals_of, totals_described, .splice = true,
                      .only = IF(tac_rules_findings, witnesses)),
    FIELD_GROUP(tac_rules_findings, "", runs_described, .splice = true,
                .only = IF_NOT(tac_rules_findings, table2)),
    FIELD_GET_LIST("paths", paths_of, path_described, .omit = true, .maybe = true),
    FIELD_GET_POINTER("hazards", hazards_of, rules_hazards_described, .omit = true, .maybe = true),
    FIELD_GET_JSON("derived", derived_of, .omit = true),
    FIELD_STRUCT(tac_rules_findings, statistics, statistics_described)};
static DESCRIBE(findings, tac_rules_findings);

static const struct field rules_app_fields[] = {FIELD(tac_rules, app)};
DESCRIBE(rules_app, tac_rules);
static const struct field rules_document_fields[] = {
    FIELD_POINTER(struct rules_document, rules, rules_app_described, .splice = true),
    FIELD_POINTER(struct rules_document, findings, findings_described, .splice = true)};
DESCRIBE(rules_document, struct rules_document);

/* The lists that show faults, where there are any. */
static const struct field evidence_fields[] = {
    FIELD_LIST(tac_rules_findings, pairs, pair_count, clash_described, .omit = true),
    FIELD_LIST(tac_rules_findings, dead_rules, dead_rule_count, dead_reason_described,
               .key = "dead_rule_reasons", .omit = true),
    FIELD_GET_TEXTS("unreachable", unreachable_states, .omit = true),
    FIELD_LIST(tac_rules_findings, cycles, cycle_count, cycle_detail_described,
               .key = "cycle_details", .omit = true, .only = IF_NOT(tac_rules_findings, table2)),
    FIELD_LIST(tac_rules_findings, breaches, breach_count, breach_described,
               .key = "inconsistent_actions", .omit = true,
               .only = IF_NOT(tac_rules_findings, table2)),
    FIELD_LIST(tac_rules_findings, unmet, unmet_count, unmet_described, .key = "expectations",
               .omit = true, .only = IF_NOT(tac_rules_findings, table2))};
static DESCRIBE(evidence, tac_rules_findings);

json_t *rules_evidence_json(const tac_rules *rules, const tac_rules_findings *f)
{
    return describe_json_with(&evidence_described, f, &(struct rules_document){rules, f, false});
}

json_t *rules_statistics_json(const tac_rules *rules, const tac_rules_findings *f)
{
    return describe_json_with(&statistics_described, &f->statistics,
                              &(struct rules_document){rules, f, false});
}

tac_status tac_rules_findings_write(const tac_rules *rules, const tac_rules_findings *f, bool paths,
                                    FILE *out, tac_error *err)
{
    struct rules_document document = {rules, f, paths};
    return describe_write(&rules_document_described, &document, &document, out, err);
}
