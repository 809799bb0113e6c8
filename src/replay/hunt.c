/* The whole loop: record, validate, verify every disallowed call, replay every witness.
 *
 * Rules that do not admit a recording are refuted by it: the rule that stands in the way is named
 * and left out, until the rest admits it. */
#include "replay/hunt.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_LEFT_OUT = 200 };

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Leaves out the rules that stop this recording. */
static tac_status admit(tac_hunt *hunt, size_t recording, tac_protocol_rules *rules,
                        const tac_recording *recorded, tac_watch *watch, tac_error *err)
{
    tac_protocol_options options = {.watch = watch};
    tac_status status = TAC_OK;
    for (size_t i = 0; status == TAC_OK && i < MOST_LEFT_OUT; i++) {
        tac_protocol_result result = {0};
        status = tac_protocol_validate(rules, recorded, &options, NULL, &result, err);
        const char *rule = result.refusing_rule;
        bool stopped =
            result.admission == TAC_ADMISSION_STUCK || result.admission == TAC_ADMISSION_CONFLICT;
        bool removed = stopped && tac_protocol_rules_leave_out(rules, rule);
        if (removed)
            tac_vec_push(
                &hunt->left_out,
                (struct hunt_left_out){.rule = tac_strdup(rule),
                                       .why = tac_strdup(result.refused ? result.refused : ""),
                                       .recording = recording});
        else if (stopped)
            status =
                tac_fail(err, TAC_E_INPUT, "%s: no rule is to blame that the rules do not admit it",
                         hunt->recordings[recording].file);
        tac_protocol_result_free(&result);
        if (!removed)
            break;
    }
    return status;
}

/* What makes two predictions the same one. */
static char *key_of(const json_t *one)
{
    const json_t *violation = json_object_get(one, "violation"), *steps;
    steps = json_object_get(one, "witness");
    const char *label = text_in(json_array_get(steps, json_array_size(steps) - 1), "event");
    const char *hash = strrchr(label, '#');
    const char *message = text_in(violation, "message");
    const char *method = strrchr(message, ']');
    method = method ? method : message;
    return tac_format("%s|%.*s|%s|%.*s",
                      text_in(json_object_get(violation, "prohibited_by"), "rule"),
                      (int)strcspn(method, "("), method, text_in(violation, "line"),
                      (int)(hash ? hash - label : (long)strlen(label)), label);
}

static struct hunt_call *call_by_key(tac_hunt *hunt, const char *key)
{
    for (size_t i = 0; i < hunt->calls.count; i++)
        if (!strcmp(hunt->calls.at[i].key, key))
            return &hunt->calls.at[i];
    return NULL;
}

static void add_prediction(tac_hunt *hunt, size_t recording, json_t *one)
{
    char *key = key_of(one);
    struct hunt_call *call = call_by_key(hunt, key);
    const json_t *violation = json_object_get(one, "violation");
    if (!call) {
        const char *rule = text_in(json_object_get(violation, "prohibited_by"), "rule");
        bool silent;
        struct hunt_call made = {.key = key,
                                 .rule = tac_strdup(rule),
                                 .call = tac_strdup(text_in(violation, "words")),
                                 .verdict = "UNSAFE",
                                 .recording = recording,
                                 .witness = json_incref(one)};
        rule_marks(rule, &silent, &made.severity);
        tac_vec_push(&hunt->calls, made);
        call = &tac_vec_last(&hunt->calls);
        key = NULL;
    } else if (!call->replay && json_array_size(json_object_get(one, "witness")) <
                                    json_array_size(json_object_get(call->witness, "witness"))) {
        json_decref(call->witness);
        call->witness = json_incref(one);
        call->recording = recording;
    }
    call->predicted++;
    free(key);
}

static tac_status write_json(const char *folder, const char *name, size_t number,
                             const json_t *document, tac_error *err)
{
    char *path = number ? tac_format("%s/%s-%zu.json", folder, name, number)
                        : tac_format("%s/%s.json", folder, name);
    char *text = tac_json_text(document, JSON_INDENT(1));
    tac_status status = tac_output_write_file(path, text, strlen(text), err);
    free(text);
    free(path);
    return status;
}

static tac_status predict(tac_hunt *hunt, size_t recording, const tac_hunt_options *options,
                          tac_error *err)
{
    tac_protocol_rules *rules = NULL;
    tac_recording *recorded = NULL;
    json_t *document = NULL;
    tac_protocol_result result = {0};
    tac_protocol_options verify = {.every_witness = true, .watch = options->driving.watch};
    tac_status status =
        tac_protocol_rules_read(options->rule_files, options->rule_count, &rules, NULL, err);
    if (status == TAC_OK)
        status = tac_recording_read(hunt->recordings[recording].file, &recorded, err);
    if (status == TAC_OK)
        status = admit(hunt, recording, rules, recorded, options->driving.watch, err);
    if (status == TAC_OK)
        status = tac_protocol_verify(rules, recorded, &verify, &document, &result, err);
    if (status == TAC_OK)
        status = write_json(options->folder, "verify", recording + 1, document, err);
    size_t i;
    json_t *one;
    hunt->safe += tac_protocol_result_count(&result, TAC_SAFE);
    hunt->unknown += tac_protocol_result_count(&result, TAC_SAFETY_UNKNOWN);
    json_array_foreach(json_object_get(document, "witnesses"), i, one)
        add_prediction(hunt, recording, one);
    tac_protocol_result_free(&result);
    json_decref(document);
    tac_recording_free(recorded);
    tac_protocol_rules_free(rules);
    return status;
}

static tac_status replay_call(tac_subject *subject, tac_hunt *hunt, size_t index,
                              const tac_hunt_options *options, tac_error *err)
{
    struct hunt_call *call = &hunt->calls.at[index];
    tac_replay_options how = options->replay;
    how.seed = hunt->recordings[call->recording].seed;
    json_object_set_new(call->witness, "verdict", json_string("UNSAFE"));
    tac_status status = write_json(options->folder, "witness", index + 1, call->witness, err);
    if (status == TAC_OK)
        status = tac_replay_witness(subject, call->witness, hunt->recordings[call->recording].file,
                                    &how, &call->result, &call->replay, err);
    return status == TAC_OK ? write_json(options->folder, "replay", index + 1, call->replay, err)
                            : status;
}

static int by_weight(const void *one, const void *other)
{
    const struct hunt_call *a = one, *b = other;
    int severity = strcmp(a->severity, b->severity); /* "error" before "suspicious" */
    size_t x = json_array_size(json_object_get(a->witness, "witness"));
    size_t y = json_array_size(json_object_get(b->witness, "witness"));
    return severity ? severity : x != y ? (x < y ? -1 : 1) : strcmp(a->key, b->key);
}

void tac_hunt_free(tac_hunt *hunt)
{
    if (!hunt)
        return;
    tac_record_facts_free(hunt->recordings, hunt->recording_count);
    for (size_t i = 0; i < hunt->calls.count; i++) {
        struct hunt_call *call = &hunt->calls.at[i];
        free(call->key);
        free(call->rule);
        free(call->call);
        free(call->severity);
        json_decref(call->witness);
        json_decref(call->replay);
    }
    for (size_t i = 0; i < hunt->left_out.count; i++) {
        free(hunt->left_out.at[i].rule);
        free(hunt->left_out.at[i].why);
    }
    tac_vec_free(&hunt->calls);
    tac_vec_free(&hunt->left_out);
    free(hunt);
}

size_t tac_hunt_call_count(const tac_hunt *hunt)
{
    return hunt->calls.count;
}

tac_hunt_call tac_hunt_call_at(const tac_hunt *hunt, size_t index)
{
    assert(index < hunt->calls.count);
    const struct hunt_call *call = &hunt->calls.at[index];
    assert(call->recording < hunt->recording_count && call->replay);
    return (tac_hunt_call){.result = call->result,
                           .rule = call->rule,
                           .call = call->call,
                           .severity = call->severity,
                           .recording = hunt->recordings[call->recording].file,
                           .violation = json_object_get(call->witness, "violation"),
                           .replay = call->replay};
}

size_t tac_hunt_left_out_count(const tac_hunt *hunt)
{
    return hunt->left_out.count;
}

tac_hunt_left_out tac_hunt_left_out_at(const tac_hunt *hunt, size_t index)
{
    assert(index < hunt->left_out.count);
    const struct hunt_left_out *one = &hunt->left_out.at[index];
    assert(one->recording < hunt->recording_count);
    return (tac_hunt_left_out){one->rule, one->why, hunt->recordings[one->recording].file};
}

size_t tac_hunt_decided(const tac_hunt *hunt, tac_safety safety)
{
    assert(safety == TAC_SAFE || safety == TAC_SAFETY_UNKNOWN);
    return safety == TAC_SAFE ? hunt->safe : hunt->unknown;
}

tac_answer tac_hunt_answer(const tac_hunt *hunt)
{
    tac_answer answer = hunt->unknown ? TAC_INCONCLUSIVE : TAC_HOLDS;
    for (size_t i = 0; i < hunt->calls.count; i++)
        if (hunt->calls.at[i].result == TAC_REPLAY_CONFIRMED)
            return TAC_VIOLATED;
        else if (hunt->calls.at[i].result == TAC_REPLAY_UNCONTROLLED)
            answer = TAC_INCONCLUSIVE;
    return answer;
}

static tac_status write_hunt(const tac_hunt *hunt, const char *folder, tac_error *err)
{
    json_t *document = tac_hunt_json(hunt);
    tac_status status = write_json(folder, "hunt", 0, document, err);
    json_decref(document);
    return status;
}

tac_status tac_replay_hunt(tac_subject *subject, const tac_hunt_options *options, tac_hunt **out,
                           tac_error *err)
{
    if (mkdir(options->folder, 0777) && errno != EEXIST)
        return tac_fail_errno(err, errno, options->folder, "cannot make the folder");
    tac_hunt *hunt = tac_calloc(1, sizeof *hunt);
    char *path = tac_format("%s/recording.jsonl", options->folder);
    tac_status status = tac_replay_record(subject, &options->driving, path, options->rules_name,
                                          &hunt->recordings, &hunt->recording_count, err);
    free(path);
    for (size_t i = 0; status == TAC_OK && i < hunt->recording_count; i++)
        status = predict(hunt, i, options, err);
    if (status == TAC_OK && hunt->calls.count)
        qsort(hunt->calls.at, hunt->calls.count, sizeof *hunt->calls.at, by_weight);
    for (size_t i = 0; status == TAC_OK && i < hunt->calls.count; i++)
        status = replay_call(subject, hunt, i, options, err);
    if (status == TAC_OK)
        status = write_hunt(hunt, options->folder, err);
    if (status == TAC_OK)
        *out = hunt;
    else
        tac_hunt_free(hunt);
    return status;
}
