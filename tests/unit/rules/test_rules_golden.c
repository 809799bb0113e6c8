/* PhoneAdapter: every figure of the design, by every engine. */
#include "rules/rules.h"
#include "rules_document.h"
#include "rules_helpers.h"

static const tac_rules_engine engines[] = {TAC_RULES_LEAN, TAC_RULES_HYBRID, TAC_RULES_SYMBOLIC,
                                           TAC_RULES_ENUMERATIVE};

static json_t *check(const tac_rules *rules, tac_rules_options options)
{
    tac_rules_findings *findings = NULL;
    tac_error err = {0};
    if (tac_rules_check(rules, &options, &findings, &err)) {
        test_fail(__FILE__, __LINE__, "%s: %s", tac_rules_engine_name(options.engine), err.message);
        return NULL;
    }
    json_t *document = findings_document(rules, findings, true);
    drop_witnesses(document);
    tac_rules_findings_free(findings);
    return document;
}

static long count_of(const json_t *document, const char *state, const char *key)
{
    const json_t *value =
        json_object_get(json_object_get(json_object_get(document, "states"), state), key);
    return json_is_integer(value)  ? (long)json_integer_value(value)
           : json_is_string(value) ? atol(json_string_value(value))
                                   : -1;
}

static long sum_of(const json_t *document, const char *key)
{
    long sum = 0;
    const char *state;
    json_t *value;
    json_object_foreach(json_object_get(document, "states"), state, value) sum +=
        count_of(document, state, key);
    return sum;
}

static long pair_inputs(const json_t *document, const char *a, const char *b)
{
    const json_t *pairs = json_object_get(document, "pairs");
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i), *rules = json_object_get(pair, "rules");
        if (!strcmp(json_string_value(json_array_get(rules, 0)), a) &&
            !strcmp(json_string_value(json_array_get(rules, 1)), b))
            return atol(json_string_value(json_object_get(pair, "inputs")));
    }
    return -1;
}

static void check_as_printed(const json_t *d)
{
    CHECK_STR(json_string_value(json_object_get(d, "valid_inputs")), "960");
    CHECK(json_is_false(json_object_get(d, "deterministic")));
    CHECK_EQ(count_of(d, "General", "nondeterministic"), 324);
    CHECK_EQ(count_of(d, "Outdoor", "nondeterministic"), 192);
    CHECK_EQ(sum_of(d, "nondeterministic"), 324 + 192);
    CHECK_EQ(json_array_size(json_object_get(d, "pairs")), 4);
    CHECK_EQ(pair_inputs(d, "ActivateOutdoor", "ActivateHome"), 72);
    CHECK_EQ(pair_inputs(d, "ActivateOutdoor", "ActivateOffice"), 108);
    CHECK_EQ(pair_inputs(d, "ActivateHome", "ActivateOffice"), 252);
    CHECK_EQ(pair_inputs(d, "DeactivateOutdoor", "ActivateJogging"), 192);
    char *dead = json_dumps(json_object_get(d, "dead_rules"), 0);
    char *unreachable = json_dumps(json_object_get(d, "unreachable"), 0);
    CHECK_STR(dead, "[[\"General\", \"ActivateSync\"]]");
    CHECK_STR(unreachable, "[\"Sync\"]");
    CHECK_EQ(json_array_size(json_object_get(d, "dead_states")), 0);
    free(dead);
    free(unreachable);
}

TEST(phoneadapter_as_printed)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter.rules");
    REQUIRE(rules);
    CHECK_EQ(rules->rule_count, 16);
    CHECK_EQ(rules->edge_count, 19);
    for (size_t i = 0; i < 4; i++) {
        json_t *document = check(rules, (tac_rules_options){.engine = engines[i]});
        check_as_printed(document);
        json_decref(document);
    }
    tac_rules_free(rules);
}

TEST(phoneadapter_with_sensors_has_the_same_faults)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter-sensors.rules");
    tac_rules *plain = load_rules("examples/rules/phoneadapter.rules");
    REQUIRE(rules && plain);
    CHECK_EQ(rules->variable_count, 12);
    for (size_t i = 0; i < 4; i++) {
        json_t *document = check(rules, (tac_rules_options){.engine = engines[i]});
        json_t *same = check(plain, (tac_rules_options){.engine = engines[i]});
        check_as_printed(document);
        CHECK(json_equal(json_object_get(document, "states"), json_object_get(same, "states")));
        CHECK(json_equal(json_object_get(document, "cycles"), json_object_get(same, "cycles")));
        CHECK(json_equal(json_object_get(document, "race_paths"),
                         json_object_get(same, "race_paths")));
        json_decref(document);
        json_decref(same);
    }
    tac_rules_free(rules);
    tac_rules_free(plain);
}

static void check_state(const json_t *d, const char *state, const long wanted[4])
{
    static const char *const keys[] = {"stable", "one", "race", "cycle"};
    for (int i = 0; i < 4; i++)
        if (count_of(d, state, keys[i]) != wanted[i])
            test_fail(__FILE__, __LINE__, "%s %s: %ld, wanted %ld", state, keys[i],
                      count_of(d, state, keys[i]), wanted[i]);
}

TEST(phoneadapter_made_deterministic)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter-fixed.rules");
    REQUIRE(rules);
    for (size_t i = 0; i < 4; i++) {
        json_t *d = check(rules, (tac_rules_options){.engine = engines[i], .paths = true});
        CHECK(json_is_true(json_object_get(d, "deterministic")));
        CHECK_EQ(sum_of(d, "nondeterministic"), 0);
        check_state(d, "General", (const long[]){6, 666, 222, 66});
        check_state(d, "Outdoor", (const long[]){48, 438, 426, 48});
        check_state(d, "Office", (const long[]){264, 420, 196, 80});
        CHECK_EQ(sum_of(d, "stable"), 3190);
        CHECK_EQ(sum_of(d, "one"), 2616);
        CHECK_EQ(sum_of(d, "race"), 2411);
        CHECK_EQ(sum_of(d, "cycle"), 423);
        CHECK_EQ(json_integer_value(json_object_get(d, "race_paths")), 45);
        char *cycles = json_dumps(json_object_get(d, "cycles"), 0);
        CHECK_STR(cycles, "[[\"Meeting\", \"Office\"]]");
        free(cycles);
        json_decref(d);
    }
    tac_rules_free(rules);
}

TEST(phoneadapter_agrees_with_the_reference)
{
    static const char *const files[] = {"examples/rules/phoneadapter.rules",
                                        "examples/rules/phoneadapter-fixed.rules"};
    for (size_t i = 0; i < 2; i++) {
        tac_rules *rules = load_rules(files[i]);
        json_t *wanted = reference_document(rules, false);
        json_t *got = check(rules, (tac_rules_options){.paths = true});
        CHECK(json_equal(json_object_get(got, "states"), json_object_get(wanted, "states")));
        CHECK(
            json_equal(json_object_get(got, "race_paths"), json_object_get(wanted, "race_paths")));
        CHECK_EQ(json_array_size(json_object_get(got, "paths")),
                 json_array_size(json_object_get(wanted, "paths")));
        json_decref(wanted);
        json_decref(got);
        tac_rules_free(rules);
    }
}

TEST(table2_all_45_cells_by_every_engine)
{
    static const struct {
        const char *state;
        long cells[5];
    } table[] = {{"General", {37, 1, 45, 13, 0}},    {"Outdoor", {3, 0, 135, 23, 0}},
                 {"Jogging", {0, 0, 97, 19, 0}},     {"Driving", {0, 0, 36, 13, 0}},
                 {"DrivingFast", {0, 0, 58, 19, 0}}, {"Home", {0, 0, 76, 19, 0}},
                 {"Office", {0, 0, 29, 1, 0}},       {"Meeting", {0, 0, 32, 1, 0}},
                 {"Sync", {0, 0, 27, 5, 1}}};
    static const char *const columns[] = {"nondeterministic", "dead", "races", "cycles",
                                          "unreachable"};
    tac_rules *rules = load_rules("examples/rules/phoneadapter-table2.rules");
    REQUIRE(rules);
    for (size_t i = 0; i < 4; i++) {
        json_t *d = check(rules, (tac_rules_options){.engine = engines[i], .table2 = true});
        for (size_t row = 0; row < 9; row++)
            for (size_t k = 0; k < 5; k++)
                if (count_of(d, table[row].state, columns[k]) != table[row].cells[k])
                    test_fail(__FILE__, __LINE__, "%s: %s of %s is %ld, the paper says %ld",
                              tac_rules_engine_name(engines[i]), columns[k], table[row].state,
                              count_of(d, table[row].state, columns[k]), table[row].cells[k]);
        json_decref(d);
    }
    tac_rules_free(rules);
}

/* --- Hazards, by tables of where every (state, input) settles --------------------------------- */

static long enumerate_hazards(const tac_rules *rules, long *all)
{
    unsigned inputs = 1u << rules->variable_count, masks[3] = {0};
    uint32_t states = rules->state_count, fired[32];
    uint32_t *end = calloc((size_t)states * inputs, sizeof *end);
    unsigned *valid = calloc(inputs, sizeof *valid), valid_count = 0;
    long hazards = 0;
    for (uint32_t v = 0; v < rules->variable_count; v++)
        masks[rules->variables[v].group] |= 1u << v;
    for (unsigned a = 0; a < inputs; a++)
        if (reference_valid(rules, a))
            valid[valid_count++] = a;
    for (uint32_t s = 0; s < states; s++)
        for (unsigned a = 0; a < inputs; a++) {
            uint32_t at = s, steps = 0;
            while (steps++ <= states && reference_triggered(rules, at, a, fired))
                at = rules->rules[fired[0]].to;
            end[s * inputs + a] = steps > states ? states : at;
        }
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (uint32_t s = 0; s < states; s++)
        for (unsigned i = 0; i < valid_count; i++) {
            if (reference_triggered(rules, s, valid[i], fired))
                continue;
            for (unsigned k = 0; k < valid_count; k++) {
                unsigned moved = valid[i] ^ valid[k];
                uint32_t first = UINT32_MAX;
                bool differ = false;
                if (!!(moved & masks[0]) + !!(moved & masks[1]) + !!(moved & masks[2]) < 2)
                    continue;
                *all += 1;
                for (int o = 0; o < 6; o++) {
                    uint32_t at = s;
                    unsigned now = valid[i];
                    for (int g = 0; g < 3 && at < states; g++) {
                        unsigned mask = masks[orders[o][g]];
                        now = (now & ~mask) | (valid[k] & mask);
                        at = end[at * inputs + now];
                    }
                    differ = differ || (first != UINT32_MAX && at != first);
                    first = at;
                }
                hazards += differ;
            }
        }
    free(end);
    free(valid);
    return hazards;
}

TEST(hazards_of_phoneadapter_are_exact)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter-fixed.rules");
    REQUIRE(rules);
    long all = 0, wanted = enumerate_hazards(rules, &all);
    for (size_t i = 0; i < 4; i++) {
        json_t *d = check(rules, (tac_rules_options){.engine = engines[i], .hazards = true});
        json_t *hazards = json_object_get(d, "hazards");
        CHECK_EQ(atol(json_string_value(json_object_get(hazards, "total"))), wanted);
        CHECK_EQ(atol(json_string_value(json_object_get(hazards, "of"))), all);
        json_decref(d);
    }
    CHECK_EQ(wanted, 373404);
    tac_rules_free(rules);
}

TEST(hazards_where_chance_decides_are_counted_by_every_engine)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter.rules");
    for (size_t i = 0; i < 4; i++) {
        json_t *d = check(rules, (tac_rules_options){.engine = engines[i], .hazards = true});
        json_t *hazards = json_object_get(d, "hazards");
        CHECK(json_is_true(json_object_get(hazards, "chance")));
        CHECK_STR(json_string_value(json_object_get(hazards, "total")), "468000");
        CHECK_STR(json_string_value(json_object_get(hazards, "of")), "2925230");
        json_decref(d);
    }
    tac_rules_free(rules);
}

TEST(the_fault_that_no_class_names_is_found_by_an_expectation)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter-fixed.rules");
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    tac_rules_write(rules, out, NULL);
    fputs("expect Driving when A_bt\n", out);
    fclose(out);
    tac_rules_free(rules);
    tac_diagnostics diagnostics = {0};
    REQUIRE(tac_rules_parse("x", text, size, &diagnostics, &rules, NULL) == TAC_OK);
    json_t *d = check(rules, (tac_rules_options){0});
    const json_t *unmet = json_object_get(d, "expectations");
    bool jogging = false;
    for (size_t i = 0; i < json_array_size(unmet); i++) {
        const json_t *one = json_array_get(unmet, i);
        if (!strcmp(json_string_value(json_object_get(one, "state")), "Jogging")) {
            jogging = true;
            /* A_bt, and either still jogging, or off the ground too fast to stay in Driving */
            CHECK_EQ(atol(json_string_value(json_object_get(one, "inputs"))), 288);
            CHECK_STR(json_string_value(json_object_get(one, "ends_in")), "Jogging");
        }
    }
    CHECK(jogging);
    json_decref(d);
    tac_rules_free(rules);
    free(text);
    tac_diagnostics_free(&diagnostics);
}
