/* Repairs of random rule sets: each is checked again by the enumerative engine, and where one edit
 * of a condition or a threshold is enough, found by trying them all, no more are proposed. */
#include "base/data/random.h"
#include "base/data/str.h"
#include "rules/rules.h"
#include "rules_document.h"
#include "rules_helpers.h"

static tac_rules *parse(const char *text)
{
    tac_diagnostics diagnostics = {0};
    tac_rules *rules = NULL;
    tac_rules_parse("random.rules", text, strlen(text), &diagnostics, &rules, NULL);
    tac_diagnostics_free(&diagnostics);
    return rules;
}

/* How much of the fault there is, by the enumerative engine. */
static long amount(const tac_rules *rules, tac_rules_fault fault)
{
    tac_rules_options options = {.engine = TAC_RULES_ENUMERATIVE};
    tac_rules_findings *findings = NULL;
    long total = 0;
    if (tac_rules_check(rules, &options, &findings, NULL))
        return -1;
    json_t *document = findings_document(rules, findings, false), *state;
    const char *name;
    json_object_foreach(json_object_get(document, "states"), name, state) total +=
        atol(json_string_value(json_object_get(
            state, fault == TAC_RULES_NONDETERMINISM ? "nondeterministic" : "cycle")));
    if (fault == TAC_RULES_DEAD)
        total = (long)json_array_size(json_object_get(document, "dead_rules"));
    if (fault == TAC_RULES_UNREACHABLE)
        total = (long)json_array_size(json_object_get(document, "unreachable"));
    json_decref(document);
    tac_rules_findings_free(findings);
    return total;
}

static __attribute__((noinline)) char *text_of(const tac_rules *rules)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    tac_rules_write(rules, out, NULL);
    fclose(out);
    return text;
}

TEST(every_repair_of_random_rules_removes_its_fault)
{
    static const tac_rules_fault faults[] = {TAC_RULES_NONDETERMINISM, TAC_RULES_DEAD,
                                             TAC_RULES_CYCLE, TAC_RULES_UNREACHABLE};
    size_t rounds = test_scale(10), unreachable = 0, reached = 0;
    for (uint64_t seed = 1; seed <= rounds && !test_failed; seed++)
        for (size_t f = 0; f < 4; f++) {
            char *text = random_rules(seed * 37 + f, seed & 1, seed & 2, true);
            tac_rules *rules = parse(text);
            tac_rules_repair_options options = {
                .fault = faults[f], .max_edits = 2, .max_proposals = 6};
            tac_rules_repairs *repairs = NULL;
            long before = rules ? amount(rules, faults[f]) : 0;
            bool few = faults[f] == TAC_RULES_UNREACHABLE && before <= 2;
            if (before > 0 && tac_rules_repair(rules, &options, &repairs, NULL) == TAC_OK) {
                unreachable += few;
                reached += few && repairs->count > 0;
                for (size_t i = 0; i < repairs->count; i++) {
                    char *written = text_of(repairs->at[i].repaired);
                    tac_rules *again = parse(written);
                    if (repairs->at[i].removes != (amount(again, faults[f]) == 0))
                        test_fail(__FILE__, __LINE__, "%s is not removed by '%s'\n%s\n%s",
                                  tac_rules_fault_name(faults[f]), repairs->at[i].edits[0], text,
                                  written);
                    for (size_t k = 0; k < i; k++)
                        CHECK(strcmp(repairs->at[i].edits[0], repairs->at[k].edits[0]) ||
                              repairs->at[i].edit_count > 1);
                    tac_rules_free(again);
                    free(written);
                }
            }
            tac_rules_repairs_free(repairs);
            tac_rules_free(rules);
            free(text);
        }
    CHECK(reached * 10 >= unreachable * 9);
}

/* --- One edit, by trying them all ------------------------------------------------------------- */

static bool cures(const char *text)
{
    tac_rules *rules = parse(text);
    bool cured = rules && amount(rules, TAC_RULES_CYCLE) == 0;
    tac_rules_free(rules);
    return cured;
}

/* The text with "(P) and CONDITION" instead of P in the predicate of the line at `line`. */
static bool condition_cures(const char *text, const char *line, const char *condition)
{
    const char *when = strstr(line, " when ") + 6, *end = when + strcspn(when, "\n");
    const char *priority = strstr(when, " priority "), *actions = strstr(when, " do ");
    if (priority && priority < end)
        end = priority;
    if (actions && actions < end)
        end = actions;
    tac_str edited = {0};
    tac_str_add_bytes(&edited, text, (size_t)(when - text));
    tac_str_addf(&edited, "(%.*s) and %s%s", (int)(end - when), when, condition, end);
    bool cured = cures(tac_str_text(&edited));
    tac_str_free(&edited);
    return cured;
}

static bool some_condition_cures(const tac_rules *rules, const char *text)
{
    for (const char *line = strstr(text, "\nrule "); line; line = strstr(line + 1, "\nrule "))
        for (uint32_t v = 0; v < rules->variable_count; v++) {
            char condition[80];
            snprintf(condition, sizeof condition, "not %s", rules->variables[v].name);
            if (condition_cures(text, line + 1, condition + 4) ||
                condition_cures(text, line + 1, condition))
                return true;
        }
    return false;
}

/* Every test "x > n" or "x >= n" in every rule, at every place of the number line that differs. */
static bool some_threshold_cures(const char *text)
{
    for (const char *at = strstr(text, "\nrule "); at && *at; at++) {
        if (strncmp(at, "x >", 3) && strncmp(at, "y >", 3))
            continue;
        size_t length = strcspn(at, "0123456789");
        length += strspn(at + length, "0123456789.");
        for (int place = -2; place <= 14; place++)
            for (int strict = 0; strict < 2; strict++) {
                tac_str edited = {0};
                tac_str_add_bytes(&edited, text, (size_t)(at - text));
                tac_str_addf(&edited, "%c %s %g%s", at[0], strict ? ">" : ">=", place / 2.0,
                             at + length);
                bool cured = cures(tac_str_text(&edited));
                tac_str_free(&edited);
                if (cured)
                    return true;
            }
    }
    return false;
}

static char *random_sensor_rules(uint64_t seed)
{
    tac_random random;
    tac_str out = {0};
    tac_random_seed(&random, seed);
    tac_str_add(&out, "sensor x number in G\nsensor y number in H\n"
                      "state s0 initial\nstate s1\nstate s2\n");
    for (unsigned r = 0; r < 5; r++) {
        tac_str_addf(&out, "rule r%u: s%u -> s%u when ", r, r % 3,
                     (unsigned)tac_random_below(&random, 3));
        for (unsigned t = 0, n = 1 + (unsigned)tac_random_below(&random, 2); t < n; t++)
            tac_str_addf(&out, "%s%s%c > %u", t ? " and " : "",
                         tac_random_below(&random, 2) ? "not " : "",
                         tac_random_below(&random, 2) ? 'x' : 'y',
                         1 + (unsigned)tac_random_below(&random, 5));
        tac_str_addf(&out, " priority %u\n", r);
    }
    return tac_str_take(&out);
}

static void check_least(char *source)
{
    tac_rules *rules = parse(source);
    char *text = text_of(rules);
    tac_rules_repair_options options = {.fault = TAC_RULES_CYCLE, .max_edits = 1};
    tac_rules_repairs *repairs = NULL;
    if (amount(rules, TAC_RULES_CYCLE) > 0) {
        REQUIRE(tac_rules_repair(rules, &options, &repairs, NULL) == TAC_OK);
        bool one = some_condition_cures(rules, text) ||
                   (rules->sensor_count && some_threshold_cures(text));
        if (one && repairs->least_edits != 1)
            test_fail(__FILE__, __LINE__, "one edit is enough, and %u are proposed\n%s",
                      repairs->least_edits, text);
    }
    tac_rules_repairs_free(repairs);
    tac_rules_free(rules);
    free(text);
    free(source);
}

TEST(one_condition_or_threshold_is_found_where_one_is_enough)
{
    size_t rounds = test_scale(20);
    for (uint64_t seed = 1; seed <= rounds && !test_failed; seed++)
        check_least(random_sensor_rules(seed * 97));
    for (uint64_t seed = 1; seed <= rounds && !test_failed; seed++) {
        char *text = random_rules(seed * 41, false, false, false);
        check_least(text);
    }
}

TEST(a_threshold_is_moved_for_hysteresis)
{
    tac_rules *rules = parse("sensor speed number\nstate Walk initial; state Ride\n"
                             "rule Enter: Walk -> Ride when speed > 5 priority 1\n"
                             "rule Leave: Ride -> Walk when speed < 10 priority 1\n");
    tac_rules_repair_options options = {.fault = TAC_RULES_CYCLE};
    tac_rules_repairs *repairs = NULL;
    REQUIRE(tac_rules_repair(rules, &options, &repairs, NULL) == TAC_OK);
    bool moved = false;
    for (size_t i = 0; i < repairs->count; i++)
        moved = moved || strstr(repairs->at[i].edits[0], "threshold of Leave: speed >= 10 -> ");
    CHECK_EQ(repairs->least_edits, 1);
    CHECK(moved);
    tac_rules_repairs_free(repairs);
    tac_rules_free(rules);
}

TEST(a_rule_can_go_before_priority_zero_and_equal_repairs_are_one)
{
    tac_rules *rules = parse("group G: a, b\nstate S initial; state T; state U\n"
                             "rule first: S -> T when a or b priority 0\n"
                             "rule second: S -> U when a priority 1\n"
                             "rule back: T, U -> S when not a and not b priority 0\n");
    tac_rules_repair_options options = {.fault = TAC_RULES_DEAD};
    tac_rules_repairs *repairs = NULL;
    REQUIRE(tac_rules_repair(rules, &options, &repairs, NULL) == TAC_OK);
    bool before_all = false;
    for (size_t i = 0; i < repairs->count; i++)
        before_all = before_all || strstr(repairs->at[i].edits[0], "second: 1 -> 0, and what is");
    for (size_t i = 0; i < repairs->count; i++)
        for (size_t k = 0; k < repairs->at[i].same_count; k++)
            before_all = before_all || strstr(repairs->at[i].same[k], "second: 1 -> 0, and what");
    CHECK(before_all);
    size_t same = 0;
    for (size_t i = 0; i < repairs->count; i++)
        same += repairs->at[i].same_count;
    CHECK(same > 0);
    tac_rules_repairs_free(repairs);
    tac_rules_free(rules);
}

TEST(a_cycle_among_very_many_is_ended)
{
    tac_rules_shape shape = {200, 600, 200, 5};
    tac_rules *rules = NULL;
    REQUIRE(tac_rules_generate(&shape, &rules, NULL) == TAC_OK);
    tac_rules_repair_options options = {.fault = TAC_RULES_CYCLE, .max_proposals = 2};
    tac_rules_repairs *repairs = NULL;
    REQUIRE(tac_rules_repair(rules, &options, &repairs, NULL) == TAC_OK);
    REQUIRE(repairs->count == 2 && repairs->cycle_length > 0);
    CHECK(repairs->at[0].removes);
    CHECK_STR(repairs->at[0].after.cycle, "0");
    CHECK(repairs->at[1].ends_cycle);
    tac_rules_repairs_free(repairs);
    tac_rules_free(rules);
}
