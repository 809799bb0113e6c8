/* The four engines on random rule sets, against each other and against the slow reference. */
#include "base/data/str.h"
#include "base/io/json.h"
#include "rules/language/operator.h"
#include "rules/rules.h"
#include "rules_document.h"
#include "rules_reference.h"
#include "tactus_test.h"

static const tac_rules_engine engines[] = {TAC_RULES_LEAN, TAC_RULES_HYBRID, TAC_RULES_SYMBOLIC,
                                           TAC_RULES_ENUMERATIVE};

static tac_rules *parse(const char *text)
{
    tac_diagnostics diagnostics = {0};
    tac_error err = {0};
    tac_rules *rules = NULL;
    if (tac_rules_parse("random.rules", text, strlen(text), &diagnostics, &rules, &err))
        test_fail(__FILE__, __LINE__, "%s\n%s", err.message, text);
    tac_diagnostics_free(&diagnostics);
    return rules;
}

static json_t *analyse(const tac_rules *rules, tac_rules_engine engine, bool hazards)
{
    tac_rules_options options = {.engine = engine, .paths = true, .hazards = hazards};
    tac_rules_findings *findings = NULL;
    tac_error err = {0};
    if (tac_rules_check(rules, &options, &findings, &err)) {
        test_fail(__FILE__, __LINE__, "%s: %s", tac_rules_engine_name(engine), err.message);
        return NULL;
    }
    json_t *document = findings_document(rules, findings, true);
    json_object_del(document, "engine");
    json_object_del(document, "statistics");
    drop_witnesses(document);
    tac_rules_findings_free(findings);
    return document;
}

static unsigned input_of(const tac_rules *rules, const json_t *example)
{
    unsigned input = 0;
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (json_is_true(json_object_get(example, rules->variables[v].name)))
            input |= 1u << v;
    return input;
}

/* Every valid input of a pair's cube triggers both rules, and so does the example. */
static void check_cubes(const tac_rules *rules, const json_t *document)
{
    const json_t *pairs = json_object_get(document, "pairs");
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        const char *cube = json_string_value(json_object_get(pair, "cube"));
        const char *state = json_string_value(json_object_get(pair, "state"));
        unsigned example = input_of(rules, json_object_get(pair, "example")), matches = 0;
        uint32_t s = 0, fired[64];
        while (strcmp(rules->states[s].name, state))
            s++;
        for (unsigned input = 0; input < 1u << rules->variable_count; input++) {
            bool inside = reference_valid(rules, input);
            for (uint32_t v = 0; v < rules->variable_count; v++)
                inside =
                    inside && (cube[v] == '*' || (unsigned)(cube[v] - '0') == (input >> v & 1));
            if (!inside && input != example)
                continue;
            matches += inside;
            size_t count = reference_triggered(rules, s, input, fired), both = 0;
            for (size_t k = 0; k < count; k++)
                for (size_t r = 0; r < 2; r++)
                    both += !strcmp(
                        rules->rules[fired[k]].name,
                        json_string_value(json_array_get(json_object_get(pair, "rules"), r)));
            CHECK_EQ(both, 2);
        }
        CHECK(matches > 0);
    }
}

static json_t *without_details(const json_t *array)
{
    json_t *copy = json_deep_copy(array);
    for (size_t i = 0; i < json_array_size(copy); i++) {
        json_t *entry = json_array_get(copy, i);
        json_object_del(entry, "cube");
        json_object_del(entry, "cubes");
        json_object_del(entry, "example");
        json_object_del(entry, "ends_in");
    }
    return copy;
}

static void compare_list(const json_t *got, const json_t *wanted, const char *key, const char *text)
{
    json_t *plain = without_details(json_object_get(got, key));
    char *a = sorted_text(plain), *b = sorted_text(json_object_get(wanted, key));
    if (strcmp(a, b))
        test_fail(__FILE__, __LINE__, "%s:\n%s--- wanted\n%s--- in\n%s", key, a, b, text);
    free(a);
    free(b);
    json_decref(plain);
}

static void compare(const tac_rules *rules, const json_t *got, const json_t *wanted,
                    const char *text)
{
    static const char *const lists[] = {
        "pairs",        "groups",     "unstable",    "paths",      "cycles", "inconsistent_actions",
        "expectations", "dead_rules", "dead_states", "unreachable"};
    static const char *const values[] = {"valid_inputs", "deterministic", "states", "race_paths",
                                         "cycle_paths"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        compare_list(got, wanted, lists[i], text);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        json_t *a = json_object_get(got, values[i]), *b = json_object_get(wanted, values[i]);
        if (!json_equal(a, b)) {
            char *x = json_dumps(a, JSON_ENCODE_ANY), *y = json_dumps(b, JSON_ENCODE_ANY);
            test_fail(__FILE__, __LINE__, "%s: %s, wanted %s\n%s", values[i], x, y, text);
            free(x);
            free(y);
        }
    }
    check_cubes(rules, got);
}

static void check_round_trip(const tac_rules *rules, const json_t *document)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CHECK_EQ(tac_rules_write(rules, out, NULL), TAC_OK);
    fclose(out);
    tac_rules *again = parse(text);
    if (again) {
        json_t *same = analyse(again, TAC_RULES_LEAN, false);
        json_t *a = json_object_get(same, "paths"), *b = json_object_get(document, "paths");
        CHECK(json_equal(a, b));
        CHECK(json_equal(json_object_get(same, "states"), json_object_get(document, "states")));
        json_decref(same);
    }
    tac_rules_free(again);
    free(text);
}

static void check_text(const char *text)
{
    tac_rules *rules = parse(text);
    if (rules) {
        bool valid = false;
        for (unsigned input = 0; input < 1u << rules->variable_count; input++)
            valid = valid || reference_valid(rules, input);
        if (valid) {
            json_t *wanted = reference_document(rules, false), *first = NULL;
            for (size_t i = 0; i < 4; i++) {
                json_t *got = analyse(rules, engines[i], false);
                if (i == 0) {
                    compare(rules, got, wanted, text);
                    check_round_trip(rules, got);
                    first = json_incref(got);
                } else if (!json_equal(got, first)) {
                    test_fail(__FILE__, __LINE__, "%s differs from lean on:\n%s",
                              tac_rules_engine_name(engines[i]), text);
                }
                json_decref(got);
            }
            json_decref(first);
            json_decref(wanted);
        }
    }
    tac_rules_free(rules);
}

TEST(four_engines_and_the_reference_agree_on_random_rules)
{
    size_t rounds = test_scale(500);
    for (uint64_t seed = 1; seed <= rounds && !test_failed; seed++) {
        char *text = random_rules(seed, seed & 1, seed & 2, seed & 4);
        check_text(text);
        free(text);
    }
}

/* An operator that is forgotten has no spelling; one that is wrong means something else in the
 * reference. */
TEST(every_operator_means_one_thing_to_all_engines)
{
    for (size_t i = 0; i < sizeof rules_operators / sizeof *rules_operators; i++)
        CHECK((i == TAC_RULES_VARIABLE || i == TAC_RULES_RULE) !=
              (rules_spelling((tac_rules_operator)i) != NULL));
    for (const struct syntax_operator *a = rules_spellings; a->text; a++) {
        bool prefix = a->place == SYNTAX_PREFIX, whole = a->place == SYNTAX_WHOLE;
        CHECK_EQ(rules_operators[a->kind].operands, whole ? 0 : prefix ? 1 : 2);
        for (const struct syntax_operator *b = rules_spellings; b->text && !test_failed; b++) {
            if (rules_operators[a->kind].operands != 2 || rules_operators[b->kind].operands != 2)
                continue;
            tac_str text = {0};
            tac_str_addf(&text,
                         "variable a, b, c\nstate S initial, T\nrule p: S -> T when a %s b\n"
                         "rule q: S -> T when a %s b %s c\nrule r: T -> S when (a %s b) %s c\n"
                         "rule s: T -> S when a %s (b %s c)\nexpect T when not (c %s not a)\n",
                         a->text, a->text, b->text, a->text, b->text, a->text, b->text, a->text);
            check_text(tac_str_text(&text));
            tac_str_free(&text);
        }
    }
}

static bool fires_twice_anywhere(const tac_rules *rules)
{
    uint32_t fired[64];
    for (uint32_t s = 0; s < rules->state_count; s++)
        for (unsigned input = 0; input < 1u << rules->variable_count; input++)
            if (reference_triggered(rules, s, input, fired) > 1)
                return true;
    return false;
}

TEST(hazards_agree_with_all_orders_walked)
{
    size_t rounds = test_scale(300), compared = 0;
    for (uint64_t seed = 1; seed <= rounds && !test_failed; seed++) {
        char *text = random_rules(seed * 7919, seed & 1, seed & 2, false);
        tac_rules *rules = parse(text);
        if (rules && !fires_twice_anywhere(rules)) {
            json_t *wanted = reference_document(rules, true);
            json_t *want = json_object_get(wanted, "hazards");
            const char *valid = json_string_value(json_object_get(wanted, "valid_inputs"));
            for (size_t i = 0; i < 4 && strcmp(valid, "0"); i += 3) {
                json_t *got = analyse(rules, engines[i], true);
                json_t *hazards = json_object_get(got, "hazards");
                json_object_del(hazards, "example");
                json_object_del(hazards, "monotone");
                CHECK(json_is_false(json_object_get(hazards, "chance")));
                json_object_del(hazards, "chance");
                if (!json_equal(hazards, want))
                    test_fail(__FILE__, __LINE__, "%s: hazards differ on\n%s",
                              tac_rules_engine_name(engines[i]), text);
                compared++;
                json_decref(got);
            }
            json_decref(wanted);
        }
        tac_rules_free(rules);
        free(text);
    }
    CHECK(compared > rounds / 2);
}

static void check_rated(const char *text, unsigned span)
{
    tac_rules *rules = parse(text);
    long hazards, rated, of;
    reference_chance_hazards(rules, span, &hazards, &rated, &of);
    for (size_t i = 0; i < 4; i += 3) {
        json_t *got = analyse(rules, engines[i], true), *found = json_object_get(got, "hazards");
        char wanted[64];
        snprintf(wanted, sizeof wanted, "%ld", hazards);
        if (strcmp(wanted, json_string_value(json_object_get(found, "total"))))
            test_fail(__FILE__, __LINE__, "%s: %s hazards, wanted %s in\n%s",
                      tac_rules_engine_name(engines[i]),
                      json_string_value(json_object_get(found, "total")), wanted, text);
        snprintf(wanted, sizeof wanted, "%ld", of);
        CHECK_STR(json_string_value(json_object_get(found, "of")), wanted);
        const json_t *rates = json_object_get(found, "rates");
        snprintf(wanted, sizeof wanted, "%ld", rated);
        if (span && strcmp(wanted, json_string_value(json_object_get(rates, "total"))))
            test_fail(__FILE__, __LINE__, "%s: %s under rates, wanted %s in\n%s",
                      tac_rules_engine_name(engines[i]),
                      json_string_value(json_object_get(rates, "total")), wanted, text);
        json_decref(got);
    }
    tac_rules_free(rules);
}

TEST(hazards_under_chance_and_rates_agree_with_walking_every_moment)
{
    static const char *const rates[] = {
        "", "group G0 every 2 ms\ngroup G1 every 3 ms hold 1 ms\n",
        "group G0 every 1 ms\ngroup G1 every 4 ms\ngroup G2 every 2 ms\n",
        "group G0 hold 3 ms\ngroup G1 every 2 ms\n"};
    size_t rounds = test_scale(240);
    for (uint64_t seed = 1; seed <= rounds && !test_failed; seed++) {
        char *small = random_rules(seed * 211, seed & 1, seed & 2, !(seed & 8)), *text = NULL;
        tac_rules *rules = parse(small);
        bool valid = false;
        for (unsigned input = 0; input < 1u << rules->variable_count; input++)
            valid = valid || reference_valid(rules, input);
        size_t size;
        FILE *out = open_memstream(&text, &size);
        if (rules->group_count == 3)
            fputs(rates[seed % 4], out);
        fputs(small, out);
        fclose(out);
        if (valid && rules->variable_count <= 4)
            check_rated(text, seed % 4 && rules->group_count == 3 ? 12 : 0);
        tac_rules_free(rules);
        free(small);
        free(text);
    }
}

TEST(table2_agrees_with_walking_projected_inputs)
{
    size_t rounds = test_scale(100);
    for (uint64_t seed = 1; seed <= rounds && !test_failed; seed++) {
        char *text = random_rules(seed * 31, seed & 1, false, seed & 4);
        tac_rules *rules = parse(text);
        json_t *wanted = reference_table2(rules);
        for (size_t i = 0; i < 4; i++) {
            tac_rules_options options = {.engine = engines[i], .table2 = true};
            tac_rules_findings *findings = NULL;
            tac_error err = {0};
            REQUIRE(tac_rules_check(rules, &options, &findings, &err) == TAC_OK);
            json_t *got = findings_document(rules, findings, false);
            for (uint32_t s = 0; s < rules->state_count; s++) {
                json_t *a = json_object_get(json_object_get(got, "states"), rules->states[s].name);
                json_t *b = json_object_get(wanted, rules->states[s].name);
                json_object_del(a, "dead");
                json_object_del(a, "unreachable");
                if (!json_equal(a, b))
                    test_fail(__FILE__, __LINE__, "%s, state %s of\n%s",
                              tac_rules_engine_name(engines[i]), rules->states[s].name, text);
            }
            json_decref(got);
            tac_rules_findings_free(findings);
        }
        json_decref(wanted);
        tac_rules_free(rules);
        free(text);
    }
}

/* Past 64 variables the lean engine works in small windows; the hybrid one does not. Cubes may
 * differ (the order of the variables does), everything else must not. */
static void compare_wide(const char *text)
{
    tac_rules *rules = parse(text);
    json_t *lean = analyse(rules, TAC_RULES_LEAN, false);
    json_t *hybrid = analyse(rules, TAC_RULES_HYBRID, false);
    static const char *const lists[] = {
        "pairs",      "groups",      "unstable",   "inconsistent_actions",
        "dead_rules", "dead_states", "unreachable"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        json_t *wanted = without_details(json_object_get(hybrid, lists[i]));
        json_t *pack = json_pack("{s:O}", lists[i], wanted);
        compare_list(lean, pack, lists[i], text);
        json_decref(pack);
        json_decref(wanted);
    }
    CHECK(
        json_equal(json_object_get(lean, "valid_inputs"), json_object_get(hybrid, "valid_inputs")));
    if (json_is_false(json_object_get(lean, "truncated")) &&
        !json_equal(json_object_get(lean, "states"), json_object_get(hybrid, "states")))
        test_fail(__FILE__, __LINE__, "states differ in\n%s", text);
    json_decref(lean);
    json_decref(hybrid);
    tac_rules_free(rules);
}

TEST(small_windows_give_the_same_answers_as_one_whole_window)
{
    size_t rounds = test_scale(60);
    for (uint64_t seed = 1; seed <= rounds && !test_failed; seed++) {
        char *small = random_rules(seed * 101, seed & 1, seed & 2, seed & 4), *text = NULL;
        tac_rules *rules = parse(small);
        bool valid = false;
        for (unsigned input = 0; input < 1u << rules->variable_count; input++)
            valid = valid || reference_valid(rules, input);
        tac_rules_free(rules);
        size_t size;
        FILE *out = open_memstream(&text, &size);
        for (int v = 0; v < 70; v++)
            fprintf(out, "variable w%d\n", v);
        fprintf(out, "%sconstraint w3 -> w4\nconstraint w9 -> v0\nconstraint w4 or w5\n", small);
        fprintf(out, "rule extra: s1 -> s0 when w3 or w60 priority 9\n");
        fclose(out);
        if (valid)
            compare_wide(text);
        free(small);
        free(text);
    }
}
