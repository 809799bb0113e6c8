/* Repairs, each analysed again from the text that would be written. */
#include "rules/rules.h"
#include "rules_helpers.h"

static tac_rules_repairs *repair(const tac_rules *rules, tac_rules_fault fault, uint32_t max_edits)
{
    tac_rules_repair_options options = {.fault = fault, .max_edits = max_edits};
    tac_rules_repairs *repairs = NULL;
    tac_error err = {0};
    if (tac_rules_repair(rules, &options, &repairs, &err))
        test_fail(__FILE__, __LINE__, "%s: %s", tac_rules_fault_name(fault), err.message);
    return repairs;
}

/* Writes the rules, reads them, and asks the slow reference. */
static json_t *from_scratch(const tac_rules *rules)
{
    const char *path = test_temporary("repaired.rules");
    FILE *out = fopen(path, "w");
    CHECK_EQ(tac_rules_write(rules, out, NULL), TAC_OK);
    fclose(out);
    tac_diagnostics diagnostics = {0};
    tac_rules *again = NULL;
    tac_error err = {0};
    if (tac_rules_load(path, &diagnostics, &again, &err)) {
        test_fail(__FILE__, __LINE__, "%s", err.message);
        return json_object();
    }
    json_t *document = reference_document(again, false);
    tac_rules_free(again);
    tac_diagnostics_free(&diagnostics);
    return document;
}

static long sum(const json_t *document, const char *key)
{
    long total = 0;
    const char *state;
    json_t *value;
    json_object_foreach(json_object_get(document, "states"), state, value) total +=
        atol(json_string_value(json_object_get(value, key)));
    return total;
}

TEST(determinism_of_phoneadapter_needs_three_priorities)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter.rules");
    tac_rules_repairs *two = repair(rules, TAC_RULES_NONDETERMINISM, 2);
    CHECK_EQ(two->count, 0);
    CHECK_EQ(two->impossible_edits, 2);
    CHECK(two->exhausted);
    tac_rules_repairs_free(two);
    tac_rules_repairs *three = repair(rules, TAC_RULES_NONDETERMINISM, 3);
    REQUIRE(three->count > 0);
    CHECK_EQ(three->least_edits, 3);
    CHECK_EQ(three->impossible_edits, 2);
    CHECK_EQ(three->at[0].edit_count, 3);
    for (size_t i = 0; i < three->count; i++) {
        json_t *again = from_scratch(three->at[i].repaired);
        CHECK_EQ(sum(again, "nondeterministic"), 0);
        CHECK_EQ(atol(three->at[i].after.nondeterminism), 0);
        CHECK_EQ(atol(three->at[i].after.cycle), sum(again, "cycle"));
        CHECK_EQ(atol(three->at[i].after.race), sum(again, "race"));
        json_decref(again);
    }
    for (size_t k = 0; k < 3; k++)
        CHECK_CONTAINS(three->at[0].edits[k], "priority of ");
    tac_rules_repairs_free(three);
    tac_rules_free(rules);
}

/* Independent of the search: every choice of two rules and of their new priorities fails. */
static bool deterministic_with(tac_rules *rules, uint32_t a, uint32_t pa, uint32_t b, uint32_t pb,
                               const unsigned *suspects, size_t suspect_count)
{
    tac_rules_rule *writable = (tac_rules_rule *)rules->rules;
    uint32_t old_a = writable[a].priority, old_b = writable[b].priority, fired[32];
    bool clash = false;
    writable[a].priority = pa;
    writable[b].priority = pb;
    for (size_t i = 0; i < suspect_count && !clash; i++)
        for (uint32_t s = 0; s < rules->state_count && !clash; s++)
            clash = reference_triggered(rules, s, suspects[i], fired) > 1;
    writable[b].priority = old_b;
    writable[a].priority = old_a;
    return !clash;
}

TEST(no_two_priorities_make_phoneadapter_deterministic_by_trying_all)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter.rules");
    static const uint32_t places[] = {0, 1, 2, 4, 5, 6, 9, 10};
    unsigned *suspects = calloc(4096, sizeof *suspects);
    size_t count = 0;
    for (unsigned input = 0; input < 4096; input++)
        if (reference_valid(rules, input))
            suspects[count++] = input;
    CHECK_EQ(count, 960);
    size_t tried = 0;
    for (uint32_t a = 0; a < rules->rule_count; a++)
        for (uint32_t b = a + 1; b < rules->rule_count; b++)
            for (size_t i = 0; i < 8; i++)
                for (size_t k = 0; k < 8; k++) {
                    tried++;
                    CHECK(!deterministic_with(rules, a, places[i], b, places[k], suspects, count));
                }
    CHECK_EQ(tried, 120 * 64);
    free(suspects);
    tac_rules_free(rules);
}

TEST(the_cycle_goes_when_meetings_do_not_start_after_their_end)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter.rules");
    tac_rules_repairs *repairs = repair(rules, TAC_RULES_CYCLE, 0);
    REQUIRE(repairs->count > 0);
    CHECK_EQ(repairs->least_edits, 1);
    CHECK_STR(repairs->at[0].edits[0], "condition of ActivateMeeting: ... and not B_t");
    bool split = false;
    for (size_t i = 0; i < repairs->count; i++) {
        json_t *again = from_scratch(repairs->at[i].repaired);
        CHECK_EQ(sum(again, "cycle"), 0);
        split = split || strncmp(repairs->at[i].edits[0], "split ", 6) == 0;
        json_decref(again);
    }
    CHECK(split);
    tac_rules_repairs_free(repairs);
    tac_rules_free(rules);
}

TEST(dead_rules_and_unreachable_states_are_revived)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter.rules");
    static const tac_rules_fault faults[] = {TAC_RULES_DEAD, TAC_RULES_UNREACHABLE};
    static const char *const keys[] = {"dead_rules", "unreachable"};
    for (size_t f = 0; f < 2; f++) {
        tac_rules_repairs *repairs = repair(rules, faults[f], 0);
        REQUIRE(repairs->count > 0);
        for (size_t i = 0; i < repairs->count; i++) {
            json_t *again = from_scratch(repairs->at[i].repaired);
            CHECK_EQ(json_array_size(json_object_get(again, keys[f])), 0);
            json_decref(again);
        }
        tac_rules_repairs_free(repairs);
    }
    tac_rules_free(rules);
}

TEST(races_become_fewer)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter-fixed.rules");
    tac_rules_repairs *repairs = repair(rules, TAC_RULES_RACE, 0);
    REQUIRE(repairs->count > 0);
    for (size_t i = 0; i < repairs->count; i++) {
        json_t *again = from_scratch(repairs->at[i].repaired);
        CHECK(sum(again, "race") < 2411);
        CHECK_EQ(atol(repairs->at[i].after.race), sum(again, "race"));
        json_decref(again);
    }
    tac_rules_repairs_free(repairs);
    tac_rules_free(rules);
}

TEST(hazards_become_fewer)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter-fixed.rules");
    tac_rules_repairs *repairs = repair(rules, TAC_RULES_HAZARD, 0);
    REQUIRE(repairs->count > 0);
    CHECK(atol(repairs->at[0].after.hazard) < 373404);
    tac_rules_repairs_free(repairs);
    tac_rules_free(rules);
}

TEST(a_clean_rule_set_needs_no_repair)
{
    const char *text = "variable x\nstate A initial\nstate B\n"
                       "rule go: A -> B when x\nrule back: B -> A when not x\n";
    tac_diagnostics diagnostics = {0};
    tac_rules *rules = NULL;
    REQUIRE(tac_rules_parse("x", text, strlen(text), &diagnostics, &rules, NULL) == TAC_OK);
    for (int fault = TAC_RULES_NONDETERMINISM; fault <= TAC_RULES_HAZARD; fault++) {
        tac_rules_repairs *repairs = repair(rules, (tac_rules_fault)fault, 0);
        CHECK(repairs->nothing_to_do);
        tac_rules_repairs_free(repairs);
    }
    tac_rules_free(rules);
}

static char *written(const tac_rules *rules)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    tac_rules_write(rules, memory, NULL);
    fclose(memory);
    return text;
}

/* The rewritten source reads as the repaired rules; *kept counts its lines that are the source's.
 */
static void check_rewritten(const char *source, const tac_rules *repaired, size_t *kept)
{
    char *text = NULL;
    size_t size = 0;
    tac_error err = {0};
    tac_diagnostics diagnostics = {0};
    tac_rules *read = NULL;
    FILE *memory = open_memstream(&text, &size);
    CHECK_EQ(tac_rules_rewrite(source, strlen(source), repaired, memory, &err), TAC_OK);
    fclose(memory);
    REQUIRE(tac_rules_parse("r", text, size, &diagnostics, &read, &err) == TAC_OK);
    char *wanted = written(repaired), *got = written(read);
    CHECK_STR(got, wanted);
    *kept = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        *kept += strstr(source, line) != NULL;
    free(wanted);
    free(got);
    free(text);
    tac_rules_free(read);
    tac_diagnostics_free(&diagnostics);
}

TEST(a_repaired_file_keeps_its_comments)
{
    static const char source[] = "# first\n"
                                 "variable a, b   # the inputs\n\n"
                                 "state X initial; state Y, Z\n"
                                 "rule one: X -> Y when a  # to the left\n"
                                 "  rule  two:X->Z when a ; rule back: Y -> X when not a\n"
                                 "# last\n"
                                 "expect Y when a";
    tac_diagnostics diagnostics = {0};
    tac_error err = {0};
    tac_rules *rules = NULL;
    REQUIRE(tac_rules_parse("r", source, strlen(source), &diagnostics, &rules, &err) == TAC_OK);
    size_t kept;
    check_rewritten(source, rules, &kept);
    CHECK_EQ(kept, 7); /* nothing was changed */
    tac_rules_repairs *repairs = repair(rules, TAC_RULES_NONDETERMINISM, 2);
    CHECK(repairs->count > 0);
    for (size_t i = 0; i < repairs->count; i++) {
        check_rewritten(source, repairs->at[i].repaired, &kept);
        CHECK(kept >= 5 && kept < 7); /* all but the lines of the changed rules */
    }
    tac_rules_repairs_free(repairs);
    tac_rules_free(rules);
    tac_diagnostics_free(&diagnostics);
}

TEST(every_repair_of_phoneadapter_is_written_into_its_file)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter.rules");
    char *source = written(rules);
    for (tac_rules_fault fault = TAC_RULES_DEAD; fault < TAC_RULES_RACE; fault++) {
        tac_rules_repairs *repairs = repair(rules, fault, 1);
        for (size_t i = 0; i < repairs->count; i++) {
            size_t kept;
            check_rewritten(source, repairs->at[i].repaired, &kept);
            CHECK(kept + 3 >= rules->rule_count);
        }
        tac_rules_repairs_free(repairs);
    }
    free(source);
    tac_rules_free(rules);
}
