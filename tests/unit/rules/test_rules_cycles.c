/* All cycles of a rule set at once: the proof by pairs of rules and the repair that cuts them,
 * against the slow reference on small random rule sets. */
#include "base/data/alloc.h"
#include "rules/repair/repair.h"
#include "rules/witness/pairs.h"
#include "rules_helpers.h"

static tac_rules *parsed(const char *text)
{
    tac_diagnostics diagnostics = {0};
    tac_rules *rules = NULL;
    tac_error err = {0};
    if (tac_rules_parse("random", text, strlen(text), &diagnostics, &rules, &err))
        test_fail(__FILE__, __LINE__, "%s", err.message);
    tac_diagnostics_free(&diagnostics);
    return rules;
}

static long cycles_of(const json_t *document, const char *state)
{
    const json_t *row = json_object_get(json_object_get(document, "states"), state);
    return atol(json_string_value(json_object_get(row, "cycle")));
}

static long all_cycles(const tac_rules *rules)
{
    json_t *document = reference_document(rules, false);
    long total = 0;
    for (uint32_t s = 0; s < rules->state_count; s++)
        total += cycles_of(document, rules->states[s].name);
    json_decref(document);
    return total;
}

/* A state with a cycle is endless by pairs; some without are not. */
TEST(pairs_prove_absence_only_where_there_is_none)
{
    size_t proved = 0, endless = 0;
    for (uint64_t seed = 1; seed <= test_scale(150) && !test_failed; seed++) {
        char *text = random_rules(seed * 7 + 1, seed & 1, false, seed & 2);
        tac_rules *rules = parsed(text);
        json_t *document = reference_document(rules, false);
        struct components *components = NULL;
        struct rule_pairs pairs;
        tac_bdd_limits limits = {.variables = 256};
        REQUIRE(tac_bdd_start(&limits, NULL) == TAC_OK);
        REQUIRE(rules_components_open(rules, false, &components, NULL) == TAC_OK);
        REQUIRE(rules_pairs_open(&pairs, rules, components, NULL));
        for (uint32_t s = 0; s < rules->state_count; s++) {
            bool may = rules_pairs_endless(&pairs, s);
            CHECK(may || cycles_of(document, rules->states[s].name) == 0);
            proved += !may;
            endless += may;
        }
        rules_pairs_close(&pairs);
        rules_components_close(components);
        tac_bdd_stop();
        json_decref(document);
        tac_rules_free(rules);
        free(text);
    }
    CHECK(proved > 0 && endless > 0); /* a share of the sets under sanitizers */
}

TEST(cutting_all_cycles_leaves_none)
{
    size_t repaired = 0, faulty = 0;
    for (uint64_t seed = 1; seed <= test_scale(150) && !test_failed; seed++) {
        char *text = random_rules(seed * 11 + 2, seed & 1, false, seed & 2);
        tac_rules *rules = parsed(text);
        tac_rules_repair_options options = {.fault = TAC_RULES_CYCLE};
        struct repair r = {.rules = rules, .options = &options};
        if (all_cycles(rules)) {
            rules_repair_all_cycles(&r);
            faulty++;
            CHECK(r.plans.count <= 1);
            for (size_t i = 0; i < r.plans.count; i++) {
                tac_rules *after =
                    rules_repair_apply(rules, r.plans.at[i].edits, r.plans.at[i].count);
                REQUIRE(after != NULL);
                CHECK_EQ(all_cycles(after), 0);
                CHECK(r.plans.at[i].count > 0);
                tac_rules_free(after);
                repaired++;
            }
        }
        tac_vec_free(&r.plans);
        tac_names_free(&r.seen);
        tac_arena_free(&r.arena);
        tac_rules_free(rules);
        free(text);
    }
    /* a condition that refers to another with "not" grows when that shrinks: now and then a pair
     * comes back for ever */
    CHECK(repaired * 20 >= faulty * 19);
    CHECK(repaired > 0);
}
