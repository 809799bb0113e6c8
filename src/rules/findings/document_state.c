/* What was found about one state: how many inputs, whether it can be so, and a witness. */
#include "rules/findings/document.h"
#include <stdlib.h>

/* With very many variables only those that matter: every other one may have any valid value. */
static void input_of(const void *value, struct field_value *out)
{
    const struct rules_document *document = out->context;
    const tac_rules *rules = document->rules;
    const tac_rules_witness *witness = value;
    if (rules->variable_count <= MANY_VARIABLES) {
        char *values = tac_rules_witness_input(rules, document->findings, witness);
        rules_show_input(values, NULL, out);
        free(values);
        return;
    }
    struct rules_value *list = tac_arena_calloc(out->arena, witness->literal_count, sizeof *list);
    for (size_t i = 0; i < witness->literal_count; i++)
        list[i] =
            (struct rules_value){rules->variables[witness->variables[i]].name, witness->values[i]};
    out->at = list;
    out->count = witness->literal_count;
}

FIELD_GETTER(is_shortest, tac_rules_witness, out->yes = it->at_least == it->length)

#define WITNESS_BEGINS                                                                             \
    FIELD_GET_LIST("input", input_of, rules_value_described),                                      \
        FIELD_NAMES(tac_rules_witness, states, length, rules_state_name, .more = 1),               \
        FIELD_NAMES(tac_rules_witness, rules, length, rules_rule_name),                            \
        FIELD(tac_rules_witness, length)
#define WITNESS_ENDS                                                                               \
    FIELD_GET_BOOL("shortest", is_shortest), FIELD(tac_rules_witness, at_least),                   \
        FIELD_STRUCT(tac_rules_witness, inputs, rules_count_described)
static const struct field race_witness_fields[] = {WITNESS_BEGINS, WITNESS_ENDS};
static DESCRIBE(race_witness, tac_rules_witness);
static const struct field cycle_witness_fields[] = {
    WITNESS_BEGINS, FIELD(tac_rules_witness, loop, .about = "its last state comes again there"),
    WITNESS_ENDS};
static DESCRIBE(cycle_witness, tac_rules_witness);

FIELD_GETTER(exists_of, struct rules_existence,
             out->json = it->exists == TAC_RULES_UNKNOWN
                             ? json_string("unknown")
                             : json_boolean(it->exists == TAC_RULES_YES))

static void bound(const struct rules_existence *it, bool upper, struct field_value *out)
{
    const struct rules_document *document = out->context;
    const tac_rules_state_findings *found = &document->findings->states[it->state];
    tac_rules_count least, most;
    out->absent = (it->race ? found->race : found->cycle).known;
    if (out->absent)
        return;
    rules_count_init(&least);
    rules_count_init(&most);
    tac_rules_bounds(document->findings, it->state, it->race, &least, &most);
    out->text = rules_shown_count(upper ? &most : &least, out);
    rules_count_clear(&least);
    rules_count_clear(&most);
}
FIELD_GETTER(at_least, struct rules_existence, bound(it, false, out))
FIELD_GETTER(at_most, struct rules_existence, bound(it, true, out))

/* The keys KIND_exists, KIND_witness, and what is known where the rest is not. */
#define EXISTENCE(kind)                                                                            \
    static const struct field kind##_existence_fields[] = {                                        \
        FIELD_GET_JSON(#kind "_exists", exists_of),                                                \
        FIELD_POINTER(struct rules_existence, witness, kind##_witness_described,                   \
                      .key = #kind "_witness",                                                     \
                      .known = IF_IS(struct rules_existence, exists, TAC_RULES_YES)),              \
        FIELD(struct rules_existence, none_up_to, .key = #kind "_none_up_to",                      \
              .only = IF_OTHER(struct rules_existence, none_up_to, -1)),                           \
        FIELD_GET_TEXT(#kind "_at_least", at_least, .omit = true, .maybe = true),                  \
        FIELD_GET_TEXT(#kind "_at_most", at_most, .omit = true, .maybe = true)};                   \
    static DESCRIBE(kind##_existence, struct rules_existence)
EXISTENCE(cycle);
EXISTENCE(race);

/* On a deterministic rule set every other input races or never rests. */
static void unrest_of(const void *value, struct field_value *out)
{
    const struct rules_document *document = out->context;
    tac_rules_count sum;
    out->absent = !document->findings->deterministic;
    if (out->absent)
        return;
    rules_count_init(&sum);
    rules_unrest(document->findings, ((const struct rules_state *)value)->index, &sum);
    out->text = rules_shown_count(&sum, out);
    rules_count_clear(&sum);
}

FIELD_GETTER(unreachable_of, tac_rules_state_findings, out->integer = it->unreachable)

static const struct field table2_fields[] = {
    FIELD(tac_rules_state_findings, dead_rules, .key = "dead"),
    FIELD_STRUCT(tac_rules_state_findings, race, rules_count_described, .key = "races"),
    FIELD_STRUCT(tac_rules_state_findings, cycle, rules_count_described, .key = "cycles"),
    FIELD_GET_INTEGER("unreachable", unreachable_of)};
static DESCRIBE(table2, tac_rules_state_findings);
static const struct field counts_fields[] = {
    FIELD_STRUCT(tac_rules_state_findings, stable, rules_count_described),
    FIELD_STRUCT(tac_rules_state_findings, one, rules_count_described),
    FIELD_STRUCT(tac_rules_state_findings, race, rules_count_described),
    FIELD_STRUCT(tac_rules_state_findings, cycle, rules_count_described)};
static DESCRIBE(counts, tac_rules_state_findings);
static const struct field first_count_fields[] = {
    FIELD_STRUCT(tac_rules_state_findings, nondeterministic, rules_count_described)};
static DESCRIBE(first_count, tac_rules_state_findings);

static const struct field rules_state_fields[] = {
    FIELD(struct rules_state, name),
    FIELD_POINTER(struct rules_state, found, first_count_described, .splice = true),
    FIELD_POINTER(struct rules_state, found, table2_described, .splice = true,
                  .only = IF(struct rules_state, table2)),
    FIELD_POINTER(struct rules_state, found, counts_described, .splice = true,
                  .only = IF_NOT(struct rules_state, table2)),
    FIELD_GET_TEXT("race_or_cycle", unrest_of, .omit = true, .maybe = true,
                   .only = IF_NOT(struct rules_state, table2)),
    FIELD_STRUCT(struct rules_state, cycle, cycle_existence_described, .splice = true,
                 .only = IF(struct rules_state, witnesses)),
    FIELD_STRUCT(struct rules_state, race, race_existence_described, .splice = true,
                 .only = IF(struct rules_state, witnesses))};
DESCRIBE(rules_state, struct rules_state, .keyed = true);
