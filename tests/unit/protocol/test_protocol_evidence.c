/* Evidence: it outlives what it was made from, and a witness read from its document is the same. */
#include "protocol/result.h"
#include "tactus/protocol.h"
#include "tactus_test.h"

/* The answer of verify about an example, with its rules and its recording gone. */
static void verify_example(const char *rules_name, const char *trace_name,
                           tac_protocol_result *result)
{
    const char *root = getenv("TACTUS_SOURCE_ROOT");
    char spec[1024], trace[1024];
    if (!root)
        SKIP("TACTUS_SOURCE_ROOT is not set");
    snprintf(spec, sizeof spec, "%s/examples/protocol/%s", root, rules_name);
    snprintf(trace, sizeof trace, "%s/examples/protocol/%s", root, trace_name);
    const char *files[] = {spec};
    tac_protocol_rules *rules = NULL;
    tac_recording *recording = NULL;
    tac_protocol_options options = {.every_witness = true, .trust_rules = true};
    REQUIRE(tac_protocol_rules_read(files, 1, &rules, NULL, NULL) == TAC_OK);
    REQUIRE(tac_recording_read(trace, &recording, NULL) == TAC_OK);
    REQUIRE(tac_protocol_verify(rules, recording, &options, result, NULL) == TAC_OK);
    tac_recording_free(recording);
    tac_protocol_rules_free(rules);
}

TEST(a_witness_says_what_enabled_each_event_and_what_the_call_breaks)
{
    tac_protocol_result result;
    verify_example("remover.spec", "buggy.jsonl", &result);
    const tac_protocol_witness *witness = result.witness;
    REQUIRE(result.safety == TAC_UNSAFE && witness && witness->count == 3);
    CHECK(result.witness_count >= 1 && result.calls && result.call_count >= 1);
    CHECK_EQ(witness->violation.in, 3);
    CHECK_CONTAINS(witness->violation.words, "execute");
    const tac_protocol_reason *by = witness->violation.prohibited_by;
    REQUIRE(by);
    CHECK_EQ(by->effect, TAC_RULE_DISALLOWS);
    CHECK(by->in >= 1 && by->in <= 3 && by->words);
    for (size_t i = 0; i < witness->count; i++)
        CHECK(witness->steps[i].message_id && witness->steps[i].recorded_as);
    tac_protocol_result_free(&result);
}

TEST(a_witness_read_from_its_document_is_the_same)
{
    tac_protocol_result result, read;
    verify_example("remover.spec", "buggy.jsonl", &result);
    json_t *document = tac_protocol_verify_json(&result);
    REQUIRE(tac_protocol_witness_read(document, &read, NULL) == TAC_OK);
    json_decref(document);
    REQUIRE(read.witness && read.witness_count == result.witness_count);
    json_t *wanted = tac_protocol_witness_json(result.witness);
    json_t *got = tac_protocol_witness_json(read.witness);
    CHECK(json_equal(wanted, got));
    json_decref(wanted);
    json_decref(got);
    for (size_t i = 0; i < read.witness_count; i++)
        CHECK_STR(read.witnesses[i].violation.message, result.witnesses[i].violation.message);
    tac_protocol_result_free(&read);
    tac_protocol_result_free(&result);
}

TEST(a_document_that_is_not_one_of_verify_has_no_witness)
{
    static const char *const texts[] = {
        "{}",
        "[]",
        "{\"witness\": 3, \"violation\": {}}",
        "{\"witness\": [], \"violation\": {}}",
        "{\"witness\": [{}], \"violation\": null}",
        "{\"witness\": {\"a\": 1}, \"violation\": {}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *document = json_loads(texts[i], 0, NULL);
        tac_protocol_result read = {0};
        CHECK_EQ(tac_protocol_witness_read(document, &read, NULL), TAC_E_INPUT);
        CHECK(!read.memory);
        json_decref(document);
    }
}

TEST(what_a_document_lacks_is_empty)
{
    const char *text = "{\"witness\": [1, {\"message_id\": -4, \"recorded_as\": -4, \"event\": 2,"
                       " \"enabled_by\": {\"in\": 1}}], \"violation\": {\"in\": \"x\","
                       " \"prohibited_by\": {\"effect\": \"?\", \"against\": {\"against\": {}}}},"
                       " \"witnesses\": [{}, 7]}";
    json_t *document = json_loads(text, 0, NULL);
    tac_protocol_result read;
    REQUIRE(document && tac_protocol_witness_read(document, &read, NULL) == TAC_OK);
    json_decref(document);
    const tac_protocol_witness *witness = read.witness;
    CHECK(witness->count == 2 && witness->steps[0].assumed && !witness->steps[1].assumed);
    CHECK_STR(witness->steps[1].event, "");
    CHECK_EQ(witness->steps[1].recorded_as, 0);
    CHECK_STR(witness->steps[1].enabled_by->words, "");
    CHECK_STR(witness->violation.words, "");
    const tac_protocol_reason *by = witness->violation.prohibited_by;
    CHECK(by && by->effect == TAC_RULE_DISALLOWS && by->against && !by->against->against);
    CHECK_EQ(read.witness_count, 0);
    json_decref(tac_protocol_witness_json(witness));
    tac_protocol_result_free(&read);
}
