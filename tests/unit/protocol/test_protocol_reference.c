/* Every row of the public corpus's reference: validation, both engines, shortest lengths, and a
 * certificate for each safe row that the independent checker accepts. */
#include "protocol/protocol.h"
#include "tactus_test.h"

struct row {
    char trace[160], set[64], model[32];
    long messages, callbacks, ground_rules, steps;
    char validation[16], verdict[16];
    long witness; /* -1 when there is none */
};

static bool read_row(FILE *file, struct row *row)
{
    char line[1024], witness[16];
    if (!fgets(line, sizeof line, file))
        return false;
    int n = sscanf(line, "%159s %63s %31s %ld %ld %ld %15s %ld %15s %15s", row->trace, row->set,
                   row->model, &row->messages, &row->callbacks, &row->ground_rules, row->validation,
                   &row->steps, row->verdict, witness);
    row->witness = n == 10 && strcmp(witness, "-") ? atol(witness) : -1;
    return n == 10;
}

static tac_protocol_rules *load_rules(const struct row *row)
{
    char name[200];
    tac_protocol_rules *rules = NULL;
    tac_error err = {0};
    snprintf(name, sizeof name, "lifestate/sets/%s_%s.txt", row->set, row->model);
    const char *list = test_corpus(name);
    REQUIRE(list);
    if (tac_protocol_rules_read_list(list, NULL, &rules, NULL, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", name, err.message);
    REQUIRE(rules);
    return rules;
}

static void check_validation(const struct row *row, const tac_protocol_rules *rules,
                             const tac_recording *recording)
{
    tac_protocol_options options = {.as_recorded = true};
    tac_protocol_result result;
    REQUIRE(tac_protocol_validate(rules, recording, &options, &result, NULL) == TAC_OK);
    CHECK_STR(tac_admission_name(result.admission), row->validation);
    CHECK_EQ(result.steps, row->steps);
    CHECK_EQ(result.ground_rules, row->ground_rules);
    CHECK_EQ(result.reading.messages, row->messages);
    CHECK_EQ(result.reading.toplevel_callbacks, row->callbacks);
    tac_protocol_result_free(&result);
}

static void check_verdict(const struct row *row, const tac_protocol_rules *rules,
                          const tac_recording *recording, tac_protocol_engine engine)
{
    tac_protocol_options options = {.engine = engine, .as_recorded = true};
    tac_protocol_result result = {0};
    tac_error err = {0};
    if (tac_protocol_verify(rules, recording, &options, &result, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", row->trace, err.message);
    REQUIRE(result.memory);
    CHECK_STR(tac_safety_name(result.safety), row->verdict);
    if (row->witness >= 0)
        CHECK_EQ(result.witness ? result.witness->count : 0, row->witness);
    tac_protocol_result_free(&result);
}

static void check_certificate(const struct row *row, const tac_protocol_rules *rules,
                              const tac_recording *recording)
{
    const char *path = test_temporary("certificate.json");
    tac_protocol_options options = {.certificate = path, .as_recorded = true};
    tac_protocol_check check = {.reason = NULL};
    tac_error err = {0};
    if (tac_protocol_verify(rules, recording, &options, NULL, &err) != TAC_OK ||
        tac_protocol_check_certificate(rules, recording, path, &options, &check, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", row->trace, err.message);
    REQUIRE(check.memory);
    CHECK(!check.reason && check.verdict.answer == TAC_HOLDS);
    if (check.reason)
        fprintf(stderr, "%s %s %s: %s\n", row->trace, row->set, row->model, check.reason);
    tac_protocol_check_free(&check);
}

/* Runs check on every row; `step` > 1 takes only every step-th row. */
static void each_row_of(const char *folder, size_t wanted, size_t step,
                        void (*check)(const struct row *, const tac_protocol_rules *,
                                      const tac_recording *))
{
    char path[200];
    snprintf(path, sizeof path, "%s/reference.tsv", folder);
    const char *reference = test_corpus(path);
    if (!reference)
        SKIP("the public corpus is not here (TACTUS_CORPUS)");
    FILE *file = fopen(reference, "r");
    char header[1024], name[200], loaded[160] = "";
    struct row row;
    tac_recording *recording = NULL;
    size_t rows = 0;
    REQUIRE(file && fgets(header, sizeof header, file));
    while (read_row(file, &row)) {
        if (rows++ % step)
            continue;
        if (strcmp(loaded, row.trace)) {
            tac_recording_free(recording);
            recording = NULL;
            snprintf(name, sizeof name, "%s/traces/%s.xz", folder, row.trace);
            REQUIRE(tac_recording_read(test_corpus(name), &recording, NULL) == TAC_OK);
            strcpy(loaded, row.trace);
        }
        tac_protocol_rules *rules = load_rules(&row);
        bool before = test_failed;
        check(&row, rules, recording);
        if (test_failed && !before)
            fprintf(stderr, "in %s %s %s\n", row.trace, row.set, row.model);
        tac_protocol_rules_free(rules);
    }
    CHECK_EQ(rows, wanted);
    tac_recording_free(recording);
    fclose(file);
}

static void each_row(size_t step, void (*check)(const struct row *, const tac_protocol_rules *,
                                                const tac_recording *))
{
    each_row_of("lifestate", 81, step, check);
    each_row_of("lifestate-more", 12, step, check);
}

static void check_bfs(const struct row *row, const tac_protocol_rules *rules,
                      const tac_recording *recording)
{
    check_validation(row, rules, recording);
    check_verdict(row, rules, recording, TAC_ENGINE_BFS);
}

static void check_bdd(const struct row *row, const tac_protocol_rules *rules,
                      const tac_recording *recording)
{
    check_verdict(row, rules, recording, TAC_ENGINE_BDD);
}

static void check_safe(const struct row *row, const tac_protocol_rules *rules,
                       const tac_recording *recording)
{
    if (!strcmp(row->verdict, "SAFE"))
        check_certificate(row, rules, recording);
}

TEST(every_row_of_the_reference_is_reproduced)
{
    each_row(1, check_bfs);
}

TEST(decision_diagrams_give_the_same_verdicts_and_lengths)
{
    each_row(1, check_bdd);
}

/* The brute-force checker is slow by design: under sanitizers every tenth row. */
TEST(certificates_of_safe_rows_are_accepted)
{
    each_row(test_scale(10) == 10 ? 1 : 10, check_safe);
}

TEST(a_truncated_recording_is_used_up_to_its_last_complete_callback)
{
    const char *path = test_corpus("lifestate/traces/examples.trace_truncated_recoverable.pb.xz");
    if (!path)
        SKIP("the public corpus is not here (TACTUS_CORPUS)");
    tac_recording *recording = NULL;
    REQUIRE(tac_recording_read(path, &recording, NULL) == TAC_OK);
    tac_recording_facts facts = tac_recording_look(recording);
    CHECK(facts.truncated);
    CHECK_EQ(facts.toplevel_callbacks, 3);
    CHECK_EQ(facts.messages, 27);
    CHECK(facts.dropped_messages > 0);
    tac_recording_free(recording);
}

/* The recording of a crash: Fragment.startActivity on a detached fragment threw in a callback that
 * never ended. The rules about startActivity saw it coming; those about timers did not. */
TEST(a_recorded_crash_is_foreseen_by_the_rules_about_the_call)
{
    const char *path = test_corpus("lifestate/traces/ContractionTimerDistilled.traceCrash.pb.xz");
    if (!path)
        SKIP("the public corpus is not here (TACTUS_CORPUS)");
    const struct {
        const char *set;
        size_t foreseen, unforeseen;
    } cases[] = {{"startActivity", 1, 0}, {"cdt", 0, 2}};
    tac_recording *recording = NULL;
    REQUIRE(tac_recording_read(path, &recording, NULL) == TAC_OK);
    for (size_t i = 0; i < 2; i++) {
        struct row row = {.model = "lifestate"};
        tac_protocol_options options = {.as_recorded = true};
        tac_protocol_result result;
        strcpy(row.set, cases[i].set);
        tac_protocol_rules *rules = load_rules(&row);
        REQUIRE(tac_protocol_validate(rules, recording, &options, &result, NULL) == TAC_OK);
        CHECK_EQ(result.admission, TAC_ADMITTED);
        CHECK_EQ(result.foreseen_count, cases[i].foreseen);
        CHECK_EQ(result.unforeseen_count, cases[i].unforeseen);
        tac_protocol_result_free(&result);
        tac_protocol_rules_free(rules);
    }
    tac_recording_free(recording);
}
