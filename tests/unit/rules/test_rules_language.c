/* The two rule languages: what they mean, and what their errors say and where. */
#include "base/data/str.h"
#include "rules/rules.h"
#include "rules_document.h"
#include "tactus_test.h"

static tac_diagnostics found;

static tac_rules *parse(const char *text)
{
    tac_rules *rules = NULL;
    tac_diagnostics_free(&found);
    if (tac_rules_parse("test.rules", text, strlen(text), &found, &rules, NULL))
        return NULL;
    return rules;
}

#define STATES "state A initial; state B\n"

/* The first error of the text: its place and a part of its message. */
static void expect_error(const char *text, size_t line, size_t column, const char *part)
{
    tac_rules *rules = parse(text);
    if (rules || found.count == 0) {
        test_fail(__FILE__, __LINE__, "no error in: %s", text);
        tac_rules_free(rules);
        return;
    }
    if (found.at[0].line != line || found.at[0].column != column ||
        !strstr(found.at[0].message, part))
        test_fail(__FILE__, __LINE__, "got %zu:%zu: %s\nwanted %zu:%zu: ...%s... in\n%s",
                  found.at[0].line, found.at[0].column, found.at[0].message, line, column, part,
                  text);
    tac_diagnostics_free(&found);
}

TEST(errors_name_the_place_and_the_remedy)
{
    expect_error("state A initial\nrule r: A -> A when x1\n", 2, 21,
                 "'x1' is not a variable or a rule");
    expect_error("variable speed_ok\n" STATES "rule r: A -> B when sped_ok\n", 3, 21,
                 "did you mean 'speed_ok'?");
    expect_error("variable x\nstate Home initial\nrule r: Home -> Hme when x\n", 3, 17,
                 "'Hme' is not a state; did you mean 'Home'?");
    expect_error("variable x\n" STATES "rule r: A -> B when x priority 2147483648\n", 3, 32,
                 "a priority is a whole number from 0");
    expect_error("variable x\n" STATES "rule r: A -> B when x priority -1\n", 3, 32, "not '-1'");
    expect_error("variable x\n" STATES "rule r: A -> B when x and\n", 3, 26,
                 "expected a variable, a rule name, 'not' or '(', found the end of the line");
    expect_error("variable x\n" STATES "rule r: A -> B when (x or x\n", 3, 28, "expected ')'");
    expect_error("variable x\n" STATES "rule r A -> B when x\n", 3, 8,
                 "':' after the name of the rule");
    expect_error("variable x, x\n" STATES, 1, 13, "already the name of a variable (line 1)");
    expect_error("state A initial; state A\n", 1, 24, "already declared on line 1");
    expect_error("state A initial; state B initial\n", 1, 24, "already the initial one");
    expect_error("state A\n", 1, 1, "no state is initial");
    expect_error("variable x\n", 1, 1, "there is no state");
    expect_error("stat A initial\n", 1, 1, "or 'expect', found 'stat'; did you mean 'state'?");
    expect_error("variable x\n" STATES "rule r: A -> B wen x\n", 3, 16,
                 "expected 'when' and the rule's predicate, found 'wen'; did you mean 'when'?");
    expect_error("variable x\n" STATES "rule r: A -> B when x adn x\n", 3, 23,
                 "found 'adn'; did you mean 'and'?");
    expect_error("sensor s nmber\n" STATES, 1, 10, "did you mean 'number'?");
    expect_error("variable x\n" STATES "rule r: A, A -> B when x\n", 3, 12, "names state A twice");
    expect_error("variable not\n" STATES, 1, 10, "cannot be a name");
    expect_error("variable x \"open\n" STATES, 1, 12, "this quote is not closed on its line");
    expect_error("variable x\n" STATES "rule r: A -> B when x ? y\n", 3, 23,
                 "expected 'and', 'or', '->', 'priority'");
    expect_error("variable x\n" STATES "rule r: A -> B when x do y=on\n", 3, 26,
                 "an action sets a declared variable");
    expect_error("variable x\n" STATES "rule r: A -> B when x do x=maybe\n", 3, 26,
                 "set to on or off, not to maybe");
    expect_error("variable x\n" STATES "rule r: A -> B when x do x=on, x=off\n", 3, 32,
                 "two values");
    expect_error("variable x\n" STATES "rule r: A -> B when x > 5\n", 3, 21, "cannot be compared");
    expect_error("sensor s number\n" STATES "rule r: A -> B when s\n", 3, 21,
                 "is a sensor: compare it");
    expect_error("sensor s number\n" STATES "rule r: A -> B when s == home\n", 3, 21,
                 "is a number");
    expect_error("sensor s {home, work}\n" STATES "rule r: A -> B when s == hom\n", 3, 21,
                 "has no value hom; did you mean 'home'?");
    expect_error("sensor s {home, work} monotone\n" STATES, 1, 23, "only a number can be monotone");
}

TEST(all_errors_of_a_file_are_reported)
{
    CHECK(!parse("stat A\nvariable x x\nstate B initial\nrule r: B -> C when y\n"));
    CHECK_EQ(found.errors, 4);
    CHECK_EQ(found.at[0].line, 1);
    CHECK_EQ(found.at[1].line, 2);
    CHECK_EQ(found.at[2].line, 4);
    tac_diagnostics_free(&found);
}

TEST(rule_references_must_not_go_round)
{
    expect_error("variable x\n" STATES "rule a: A -> B when not b\nrule b: B -> A when c or x\n"
                 "rule c: A -> B when a\n",
                 3, 6, "a, which refers to b, which refers to c, which refers to a");
    expect_error("variable x\n" STATES "rule a: A -> B when not a\n", 3, 6, "go round in a circle");
    tac_str text = {0};
    tac_str_add(&text, "variable x\n" STATES "rule r0: A -> B when x\n");
    for (int i = 1; i < 40; i++)
        tac_str_addf(&text, "rule r%d: A -> B when r%d or r%d priority %d\n", i, i - 1, i - 1, i);
    expect_error(tac_str_text(&text), 22, 6, "more than 1000000 names");
    tac_str_free(&text);
}

static tac_rules *check_counts(const char *text, const char *valid)
{
    tac_rules *rules = parse(text);
    tac_rules_options options = {0};
    tac_rules_findings *findings = NULL;
    tac_error err = {0};
    if (!rules || tac_rules_check(rules, &options, &findings, &err)) {
        test_fail(__FILE__, __LINE__, "%s %s", found.count ? found.at[0].message : "", err.message);
        return rules;
    }
    json_t *document = findings_document(rules, findings, false);
    CHECK_STR(json_string_value(json_object_get(document, "valid_inputs")), valid);
    json_decref(document);
    tac_rules_findings_free(findings);
    return rules;
}

TEST(precedence_is_not_and_or_arrow)
{
    const struct {
        const char *text, *written;
    } cases[] = {{"not x and y or z -> x", "not x and y or z -> x"},
                 {"x -> y -> z", "x -> y -> z"},
                 {"(x -> y) -> z", "(x -> y) -> z"},
                 {"x or y and z", "x or y and z"},
                 {"(x or y) and z", "(x or y) and z"},
                 {"not (x and y)", "not (x and y)"},
                 {"!x && y || z", "not x and y or z"},
                 {"x and (y and z)", "x and (y and z)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tac_str text = {0};
        tac_str_addf(&text, "variable x, y, z\nstate A initial; state B\nrule r: A -> B when %s\n",
                     cases[i].text);
        tac_rules *rules = parse(tac_str_text(&text));
        REQUIRE(rules);
        char *out = NULL;
        size_t size;
        FILE *file = open_memstream(&out, &size);
        tac_rules_write(rules, file, NULL);
        fclose(file);
        tac_str wanted = {0};
        tac_str_addf(&wanted, "rule r: A -> B when %s\n", cases[i].written);
        CHECK_CONTAINS(out, tac_str_text(&wanted));
        free(out);
        tac_str_free(&text);
        tac_str_free(&wanted);
        tac_rules_free(rules);
    }
}

TEST(sensors_become_variables_and_constraints)
{
    /* Cuts of the number line: below 5, at 5, between, at or above 70: 4 of 8 inputs. */
    tac_rules *rules =
        check_counts("sensor speed number\n" STATES
                     "rule r: A -> B when speed == 5\nrule s: B -> A when speed >= 70\n",
                     "4");
    REQUIRE(rules);
    CHECK_EQ(rules->variable_count, 3);
    CHECK_STR(rules->variables[0].name, "speed >= 5");
    CHECK_STR(rules->variables[1].name, "speed > 5");
    CHECK_STR(rules->variables[2].name, "speed >= 70");
    tac_rules_free(rules);
    /* All three values used: exactly one holds. */
    rules = check_counts("sensor l {a, b, c}\n" STATES
                         "rule r: A -> B when l == a or l == c\nrule s: B -> A when l != b\n",
                         "3");
    tac_rules_free(rules);
    /* Two of three: none may hold, too. */
    rules =
        check_counts("sensor l {a, b, c}\n" STATES "rule r: A -> B when l == a or l == c\n", "3");
    tac_rules_free(rules);
    rules =
        check_counts("sensor l {a, b} in G\n" STATES "rule r: A -> B when l == a do l=b\n", "2");
    REQUIRE(rules);
    CHECK_EQ(rules->action_count, 2);
    tac_rules_free(rules);
}

TEST(labels_and_monotone_in_either_order)
{
    tac_rules *rules = parse("group T: a monotone \"x\", b \"y\" monotone falling, c\n" STATES);
    REQUIRE(rules);
    CHECK_EQ(rules->variables[0].monotone, TAC_MONOTONE_RISING);
    CHECK_STR(rules->variables[0].label, "x");
    CHECK_EQ(rules->variables[1].monotone, TAC_MONOTONE_FALLING);
    CHECK_STR(rules->variables[1].label, "y");
    CHECK_EQ(rules->variables[2].monotone, TAC_MONOTONE_NO);
    tac_rules_free(rules);
}

static const char json_rules[] =
    "{\"app\": \"X\", \"groups\": [{\"name\": \"G\", \"variables\": [\"x\", {\"name\": \"y\", "
    "\"label\": \"why\", \"monotone\": \"rising\"}]}],\n"
    " \"sensors\": [{\"name\": \"s\", \"type\": \"number\", \"group\": \"G\"}],\n"
    " \"constraints\": [\"x -> y\"], \"states\": [\"A\", \"B\"], \"initial\": \"A\",\n"
    " \"rules\": [{\"name\": \"r\", \"from\": \"A\", \"to\": \"B\", \"when\": \"x and s > 3\", "
    "\"priority\": 2},\n"
    "  {\"name\": \"q\", \"from\": [\"B\"], \"to\": \"A\", \"when\": \"not r\", \"do\": {\"y\": "
    "\"off\"}}],\n"
    " \"expect\": [{\"state\": \"B\", \"when\": \"x\"}]}";

TEST(json_says_the_same_as_text)
{
    tac_rules *json = parse(json_rules);
    tac_rules *text = parse("app X\ngroup G: x, y \"why\" monotone rising\nsensor s number in G\n"
                            "constraint x -> y\nstate A initial\nstate B\n"
                            "rule r: A -> B when x and s > 3 priority 2\n"
                            "rule q: B -> A when not r do y=off\nexpect B when x\n");
    REQUIRE(json && text);
    char *a = NULL, *b = NULL;
    size_t size;
    FILE *file = open_memstream(&a, &size);
    tac_rules_write(json, file, NULL);
    fclose(file);
    file = open_memstream(&b, &size);
    tac_rules_write(text, file, NULL);
    fclose(file);
    CHECK_STR(a, b);
    free(a);
    free(b);
    tac_rules_free(json);
    tac_rules_free(text);
}

TEST(json_errors_have_places_too)
{
    expect_error(
        "{\"states\": [\"A\"], \"initial\": \"A\",\n \"rules\": [{\"name\": \"r\", \"from\": "
        "\"A\", \"to\": \"A\", \"when\": \"nope\"}]}",
        2, 59, "'nope' is not a variable or a rule");
    expect_error(
        "{\"states\": [\"A\"], \"initial\": \"A\",\n \"rules\": [{\"name\": \"r\", \"from\": "
        "\"Q\", \"to\": \"A\", \"when\": \"true\"}]}",
        2, 34, "'Q' is not a state");
    expect_error("{\"states\": [\"A\"], \"initial\": \"A\", \"rulez\": []}", 1, 44,
                 "'rulez' is not a key");
    expect_error(
        "{\"states\": [\"A\"], \"initial\": \"A\",\n \"rules\": [{\"name\": \"r\", \"from\": "
        "\"A\", \"to\": \"A\", \"when\": \"true\", \"priority\": 3000000000}]}",
        2, 78, "a priority is a whole number");
}

static tac_status check_status(const char *text, tac_rules_engine engine, size_t bytes,
                               tac_error *err)
{
    tac_rules *rules = parse(text);
    tac_rules_options options = {.engine = engine, .max_bytes = bytes};
    tac_rules_findings *findings = NULL;
    if (!rules) {
        test_fail(__FILE__, __LINE__, "%s", found.at[0].message);
        return TAC_E_INPUT;
    }
    tac_status status = tac_rules_check(rules, &options, &findings, err);
    tac_rules_findings_free(findings);
    tac_rules_free(rules);
    return status;
}

TEST(contradictory_constraints_are_named)
{
    tac_error err = {0};
    const char *text = "variable x, y\nconstraint x\nconstraint y\nconstraint x -> not y\n" STATES
                       "rule r: A -> B when x\n";
    for (int engine = TAC_RULES_LEAN; engine <= TAC_RULES_ENUMERATIVE; engine++) {
        CHECK_EQ(check_status(text, (tac_rules_engine)engine, 0, &err), TAC_E_INPUT);
        CHECK_EQ(err.line, 4);
        CHECK_CONTAINS(err.message, "no input satisfies them all");
    }
    CHECK_EQ(check_status("variable x\nconstraint false\n" STATES, TAC_RULES_LEAN, 0, &err),
             TAC_E_INPUT);
    CHECK_EQ(err.line, 2);
}

TEST(a_predicate_of_a_thousand_variables)
{
    tac_str text = {0}, pairs = {0};
    tac_error err = {0};
    for (int i = 0; i < 1000; i++)
        tac_str_addf(&text, "variable v%d\n", i);
    tac_str_add(&pairs, tac_str_text(&text));
    tac_str_add(&text, STATES "rule r: A -> B when v0");
    for (int i = 1; i < 1000; i++)
        tac_str_addf(&text, i % 2 ? " and v%d" : " or not v%d", i);
    tac_str_add(&text, "\n");
    CHECK_EQ(check_status(tac_str_text(&text), TAC_RULES_LEAN, 0, &err), TAC_OK);
    CHECK_EQ(check_status(tac_str_text(&text), TAC_RULES_ENUMERATIVE, 0, &err), TAC_E_LIMIT);
    CHECK_CONTAINS(err.message, "up to 26 variables, and there are 1000");
    /* A function whose diagram explodes in this order ends in a clear limit. */
    tac_str_add(&pairs, "constraint v0 or v999\n" STATES "rule r: A -> B when false");
    for (int i = 0; i < 500; i++)
        tac_str_addf(&pairs, " or v%d and v%d and v%d", i, 999 - i, (i * 7919) % 1000);
    tac_str_add(&pairs, "\n");
    tac_status status = check_status(tac_str_text(&pairs), TAC_RULES_HYBRID, (size_t)8 << 20, &err);
    CHECK_EQ(status, TAC_E_LIMIT);
    CHECK_CONTAINS(err.message, "decision-diagram nodes");
    tac_str_free(&text);
    tac_str_free(&pairs);
}

TEST(very_deep_and_very_long_predicates_are_refused)
{
    tac_str text = {0};
    tac_str_add(&text, "variable x\n" STATES "rule r: A -> B when ");
    for (int i = 0; i < 100000; i++)
        tac_str_add(&text, "(");
    expect_error(tac_str_text(&text), 3, 221, "nested more than 200 deep");
    tac_str_clear(&text);
    tac_str_add(&text, "variable x\n" STATES "rule r: A -> B when x");
    for (int i = 0; i < 30000; i++)
        tac_str_add(&text, " or x");
    parse(tac_str_text(&text));
    CHECK_CONTAINS(found.count ? found.at[0].message : "",
                   "more than 20000 names, values and operators");
    tac_diagnostics_free(&found);
    tac_str_free(&text);
}

TEST(an_action_that_breaks_a_constraint_is_reported)
{
    tac_rules *rules = parse("variable x, y\nconstraint x -> y\n" STATES
                             "rule r: A -> B when y do y=off\nrule b: B -> A when not y\n");
    tac_rules_options options = {0};
    tac_rules_findings *findings = NULL;
    REQUIRE(rules && tac_rules_check(rules, &options, &findings, NULL) == TAC_OK);
    CHECK_EQ(findings->breach_count, 1);
    CHECK_STR(findings->breaches[0].inputs.example, "11");
    CHECK(tac_rules_faulty(findings));
    tac_rules_findings_free(findings);
    tac_rules_free(rules);
}

TEST(counts_past_sixty_digits_are_m_times_two_to_the_k)
{
    tac_str text = {0};
    for (int i = 0; i < 300; i++)
        tac_str_addf(&text, "variable v%d\n", i);
    tac_str_add(&text, "constraint v0 or v1\n" STATES "rule r: A -> B when v0\n");
    tac_rules *rules = check_counts(tac_str_text(&text), "3*2^298");
    tac_rules_free(rules);
    tac_str_free(&text);
}

TEST(generated_rules_keep_their_promises)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        tac_rules_shape shape = {.states = 12, .rules = 40, .variables = 30, .seed = seed};
        tac_rules *rules = NULL;
        tac_rules_options options = {.work = 1000};
        tac_rules_findings *findings = NULL;
        REQUIRE(tac_rules_generate(&shape, &rules, NULL) == TAC_OK);
        bool target[12] = {0}, used[30] = {0};
        for (uint32_t r = 0; r < rules->rule_count; r++)
            target[rules->rules[r].to] = true;
        for (uint32_t i = 0; i < rules->node_count; i++)
            if (rules->nodes[i].op == TAC_RULES_VARIABLE)
                used[rules->nodes[i].left] = true;
        for (uint32_t s = 0; s < 12; s++) {
            CHECK(s == rules->initial || target[s]);
            CHECK(rules->states[s].edge_count >= 1 && rules->states[s].edge_count <= 8);
        }
        for (uint32_t v = 0; v < 30; v++)
            CHECK(used[v]);
        REQUIRE(tac_rules_check(rules, &options, &findings, NULL) == TAC_OK);
        CHECK(findings->deterministic);
        tac_rules_findings_free(findings);
        tac_rules_free(rules);
    }
    tac_rules_shape impossible = {.states = 10, .rules = 9, .variables = 1};
    tac_rules *rules = NULL;
    tac_error err = {0};
    CHECK_EQ(tac_rules_generate(&impossible, &rules, &err), TAC_E_USAGE);
    CHECK_CONTAINS(err.message, "1 to 64 rules each");
}
