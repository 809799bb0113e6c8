/* Replay on an app that is made up: what is confirmed, where it diverges, marks of rules, stopping.
 */
#include "base/data/alloc.h"
#include "base/io/input.h"
#include "replay/witness.h"
#include "tactus_test.h"
#include <unistd.h>

/* What the made-up app does. */
struct fake {
    const struct subject_log *log;
    size_t absent, uncontrolled; /* steps, from 1; 0 = none */
    bool calls, fails, fails_later, fails_from;
    size_t fails_in_attempt; /* 0 = all */
    unsigned starts, stops, performed;
    const char *says; /* the failure's message */
};

static tac_status start(void *state, enum subject_mode mode, uint64_t seed,
                        const struct subject_log *log, tac_error *err)
{
    struct fake *f = state;
    (void)seed;
    (void)err;
    CHECK(mode == SUBJECT_HELD || f->performed == 0);
    f->log = log;
    f->starts++;
    return TAC_OK;
}

static void fail_now(struct fake *f)
{
    struct subject_failure failure = {FAILURE_UNCAUGHT, "IllegalStateException",
                                      f->says ? f->says : "executed twice",
                                      "IllegalStateException\n    at execute (A.java:5)\n"};
    if (!f->fails_in_attempt || f->fails_in_attempt == f->starts)
        f->log->failure(f->log->context, &failure);
}

static tac_status perform(void *state, const struct subject_step *step, struct step_outcome *out,
                          tac_error *err)
{
    struct fake *f = state;
    (void)err;
    *out = (struct step_outcome){.end = STEP_DONE, .callback = SIZE_MAX};
    f->performed++;
    if (step->number + 1 == f->absent || step->number + 1 == f->uncontrolled) {
        out->end = step->number + 1 == f->absent ? STEP_ABSENT : STEP_UNCONTROLLED;
        out->why = tac_strdup("it is not there");
        return TAC_OK;
    }
    bool last = step->number + 1 == step->count;
    json_t *entry =
        json_pack("{s:s,s:s,s:s,s:s,s:s}", "type", "callin_entry", "class", "android.os.AsyncTask",
                  "method", "android.os.AsyncTask execute(java.lang.Object[])", "caller",
                  "RemoverActivity.java", "line", "5");
    if (last && f->calls)
        f->log->message(f->log->context, entry);
    json_decref(entry);
    if (last && f->fails)
        fail_now(f);
    return TAC_OK;
}

static tac_status let_go(void *state, double seconds, tac_error *err)
{
    struct fake *f = state;
    (void)seconds;
    (void)err;
    if (f->fails_later)
        fail_now(f);
    return TAC_OK;
}

static tac_status stop(void *state, tac_error *err)
{
    (void)err;
    ((struct fake *)state)->stops++;
    return TAC_OK;
}

static void free_nothing(void *state)
{
    (void)state;
}

static const struct subject_driver fake_driver = {.kind = "fake",
                                                  .recorder = "fake",
                                                  .start = start,
                                                  .perform = perform,
                                                  .let_go = let_go,
                                                  .stop = stop,
                                                  .free = free_nothing};

/* The example's recording; with a header, a copy that begins with it. */
static void place_recording(char *trace, size_t size, const char *root, const char *header)
{
    char *text = NULL;
    size_t length = 0;
    snprintf(trace, size, "%s/examples/protocol/buggy.jsonl", root);
    if (!header)
        return;
    REQUIRE(tac_input_slurp(trace, 1 << 20, &text, &length, NULL) == TAC_OK);
    snprintf(trace, size, "%s", test_temporary("headed.jsonl"));
    FILE *copy = fopen(trace, "w");
    REQUIRE(copy);
    fprintf(copy, "%s\n%s", header, text);
    fclose(copy);
    free(text);
}

static void verify(char *trace, size_t size, const char *header, tac_protocol_result *result)
{
    const char *root = getenv("TACTUS_SOURCE_ROOT");
    char spec[1024];
    if (!root)
        SKIP("TACTUS_SOURCE_ROOT is not set");
    snprintf(spec, sizeof spec, "%s/examples/protocol/remover.spec", root);
    place_recording(trace, size, root, header);
    const char *files[] = {spec};
    tac_protocol_rules *rules = NULL;
    tac_recording *recording = NULL;
    tac_protocol_options options = {.every_witness = true};
    REQUIRE(tac_protocol_rules_read(files, 1, &rules, NULL, NULL) == TAC_OK);
    REQUIRE(tac_recording_read(trace, &recording, NULL) == TAC_OK);
    REQUIRE(tac_protocol_verify(rules, recording, &options, result, NULL) == TAC_OK);
    REQUIRE(result->witness);
    tac_recording_free(recording);
    tac_protocol_rules_free(rules);
}

static tac_replay play(struct fake *f, tac_watch *watch, tac_status wanted)
{
    char trace[1024];
    tac_protocol_result predicted;
    tac_replay answer = {.step_count = 0};
    struct tac_subject subject = {.driver = &fake_driver, .state = f, .name = NULL};
    tac_replay_options options = {.seed = 7, .watch = watch};
    verify(trace, sizeof trace, NULL, &predicted);
    CHECK(tac_replay_witness(&subject, predicted.witness, trace, &options, &answer, NULL) ==
          wanted);
    CHECK(f->starts == f->stops);
    tac_protocol_result_free(&predicted);
    return answer;
}

TEST(labels_of_another_recorder_or_mode_are_refused)
{
    static const struct {
        const char *header;
        tac_status wanted;
    } cases[] = {
        {"{\"type\":\"app\",\"recorder\":{\"name\":\"fake\",\"mode\":\"slow\"}}", TAC_OK},
        {"{\"type\":\"app\",\"recorder\":{\"name\":\"fake\"}}", TAC_OK},
        {"{\"type\":\"app\",\"recorder\":{\"name\":\"fake\",\"mode\":\"fast\"}}", TAC_E_INPUT},
        {"{\"type\":\"app\",\"recorder\":{\"name\":\"other\"}}", TAC_E_INPUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f = {.calls = true, .fails = true};
        struct tac_subject subject = {.driver = &fake_driver, .state = &f, .mode = "slow"};
        tac_replay_options options = {.seed = 7};
        tac_replay answer = {.step_count = 0};
        tac_protocol_result predicted;
        tac_error err = {0};
        char trace[1024];
        verify(trace, sizeof trace, cases[i].header, &predicted);
        CHECK(tac_replay_witness(&subject, predicted.witness, trace, &options, &answer, &err) ==
              cases[i].wanted);
        CHECK(cases[i].wanted == TAC_OK || (f.starts == 0 && err.line == 1));
        tac_replay_free(&answer);
        tac_protocol_result_free(&predicted);
    }
}

TEST(an_exception_in_the_last_step_confirms)
{
    struct fake f = {.calls = true, .fails = true};
    tac_replay answer = play(&f, NULL, TAC_OK);
    CHECK(answer.result == TAC_REPLAY_CONFIRMED && answer.performed == 3);
    CHECK(answer.attempts == 1 && answer.seed == 7 && !answer.reason);
    CHECK_STR(answer.exception, "IllegalStateException");
    CHECK_EQ(answer.stack_count, 1);
    CHECK_STR(answer.stack[0], "at execute (A.java:5)");
    CHECK_EQ(answer.diverged_at, 0);
    tac_replay_free(&answer);
}

TEST(the_document_of_a_replay_has_its_keys)
{
    struct fake f = {.absent = 2, .calls = true, .fails = true};
    tac_replay answer = play(&f, NULL, TAC_OK);
    json_t *document = tac_replay_json(&answer);
    tac_replay_free(&answer);
    CHECK_STR(json_string_value(json_object_get(document, "result")), "NOT REPRODUCED");
    CHECK_EQ(json_integer_value(json_object_get(document, "diverged_at")), 2);
    CHECK_EQ(json_integer_value(json_object_get(document, "witness_events")), 3);
    CHECK(json_is_null(json_object_get(document, "exception")));
    const json_t *steps = json_object_get(document, "steps");
    CHECK_EQ(json_array_size(steps), 3);
    CHECK(json_is_true(json_object_get(json_array_get(steps, 0), "performed")));
    CHECK(json_is_false(json_object_get(json_array_get(steps, 1), "performed")));
    json_decref(document);
}

TEST(a_failure_behind_the_call_confirms_and_without_the_call_does_not)
{
    struct fake after = {.calls = true, .fails_later = true}, without = {.fails_later = true};
    tac_replay answer = play(&after, NULL, TAC_OK);
    CHECK(answer.result == TAC_REPLAY_CONFIRMED && answer.call_seen);
    tac_replay_free(&answer);
    answer = play(&without, NULL, TAC_OK);
    CHECK(answer.result == TAC_REPLAY_NOT_REPRODUCED && answer.diverged_at == 3);
    CHECK_CONTAINS(answer.reason, "went another way");
    tac_replay_free(&answer);
}

TEST(a_call_without_effect_is_not_confirmed)
{
    struct fake f = {.calls = true};
    tac_replay answer = play(&f, NULL, TAC_OK);
    CHECK(answer.result == TAC_REPLAY_NOT_REPRODUCED);
    CHECK_CONTAINS(answer.reason, "nothing was seen");
    tac_replay_free(&answer);
}

TEST(a_step_that_is_not_there_is_named)
{
    struct fake absent = {.absent = 2, .calls = true, .fails = true}, held = {.uncontrolled = 1};
    tac_replay answer = play(&absent, NULL, TAC_OK);
    CHECK(answer.result == TAC_REPLAY_NOT_REPRODUCED && answer.diverged_at == 2);
    CHECK(answer.performed == 1 && answer.attempts == 2);
    tac_replay_free(&answer);
    answer = play(&held, NULL, TAC_OK);
    CHECK(answer.result == TAC_REPLAY_UNCONTROLLED && answer.diverged_at == 1);
    tac_replay_free(&answer);
}

TEST(one_of_two_attempts_is_told)
{
    struct fake f = {.calls = true, .fails = true, .fails_in_attempt = 2};
    tac_replay answer = play(&f, NULL, TAC_OK);
    CHECK(answer.result == TAC_REPLAY_CONFIRMED && answer.attempts == 2);
    CHECK_EQ(answer.confirmed_attempts, 1);
    tac_replay_free(&answer);
}

struct stopping_watch {
    tac_watch watch;
    size_t looks, allowed;
};

static bool look(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    struct stopping_watch *w = (struct stopping_watch *)self;
    (void)what;
    (void)done;
    (void)total;
    return w->looks++ < w->allowed;
}

TEST(a_watch_stops_it_at_every_look)
{
    for (size_t allowed = 0; allowed < 3; allowed++) {
        struct fake f = {.calls = true, .fails = true};
        struct stopping_watch w = {{look}, 0, allowed};
        CHECK(play(&f, &w.watch, TAC_E_INTERRUPTED).memory == NULL);
        CHECK(f.performed == allowed);
    }
}

TEST(marks_hold_for_a_rule_or_a_whole_file)
{
    char path[] = "/tmp/tactus-marks-XXXXXX", place[64];
    int file = mkstemp(path);
    REQUIRE(file >= 0);
    const char *text = "// words\n//! severity: suspicious\n\nSPEC a |- b;\n//! silent\n"
                       "//! severity: error\nSPEC c |- d;\nSPEC e |- f\n";
    REQUIRE(write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    static const struct {
        int line;
        bool silent;
        const char *severity;
    } wanted[] = {{4, false, "suspicious"}, {7, true, "error"}, {8, false, "suspicious"}};
    for (size_t i = 0; i < 3; i++) {
        bool silent;
        char *severity;
        snprintf(place, sizeof place, "%s:%d", path, wanted[i].line);
        rule_marks(place, &silent, &severity);
        CHECK(silent == wanted[i].silent && !strcmp(severity, wanted[i].severity));
        free(severity);
    }
    unlink(path);
}
