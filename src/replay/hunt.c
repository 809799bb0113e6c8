/* The whole loop: record, validate, verify every disallowed call, replay every witness.
 *
 * Rules that do not admit a recording are refuted by it: the rule that stands in the way is named
 * and left out, until the rest admits it. */
#include "replay/hunt.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "protocol/protocol.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_LEFT_OUT = 200 };

/* Leaves out the rules that stop this recording. */
static tac_status admit(tac_hunt *hunt, size_t recording, tac_protocol_rules *rules,
                        const tac_recording *recorded, tac_watch *watch, tac_error *err)
{
    tac_protocol_options options = {.watch = watch, .skip_near_misses = true};
    tac_status status = TAC_OK;
    for (size_t i = 0; status == TAC_OK && i < MOST_LEFT_OUT; i++) {
        tac_protocol_result result = {0};
        status = tac_protocol_validate(rules, recorded, &options, &result, err);
        const char *rule = result.because ? result.because->rule : "";
        bool stopped =
            result.admission == TAC_ADMISSION_STUCK || result.admission == TAC_ADMISSION_CONFLICT;
        bool removed = stopped && tac_protocol_rules_leave_out(rules, rule);
        if (removed)
            tac_vec_push(&hunt->left_out,
                         (struct hunt_left_out){
                             .rule = tac_strdup(rule),
                             .why = tac_strdup(result.refused ? result.refused->words : ""),
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

static const char *rule_of(const tac_protocol_witness *witness)
{
    const tac_protocol_reason *by = witness->violation.prohibited_by;
    return by ? by->rule : "";
}

/* What makes two predictions the same one. */
static char *key_of(const tac_protocol_witness *witness)
{
    const tac_protocol_violation *violation = &witness->violation;
    assert(witness->count);
    const char *label = witness->steps[witness->count - 1].event;
    const char *hash = strrchr(label, '#'), *method = strrchr(violation->message, ']');
    method = method ? method : violation->message;
    return tac_format("%s|%.*s|%s|%.*s", rule_of(witness), (int)strcspn(method, "("), method,
                      violation->line ? violation->line : "",
                      (int)(hash ? hash - label : (long)strlen(label)), label);
}

static struct hunt_call *call_by_key(tac_hunt *hunt, const char *key)
{
    for (size_t i = 0; i < hunt->calls.count; i++)
        if (!strcmp(hunt->calls.at[i].key, key))
            return &hunt->calls.at[i];
    return NULL;
}

static void add_prediction(tac_hunt *hunt, size_t recording, const tac_protocol_witness *witness)
{
    char *key = key_of(witness);
    struct hunt_call *call = call_by_key(hunt, key);
    if (!call) {
        bool silent;
        struct hunt_call made = {.key = key,
                                 .rule = tac_strdup(rule_of(witness)),
                                 .call = tac_strdup(witness->violation.words),
                                 .verdict = "UNSAFE",
                                 .recording = recording,
                                 .witness = witness};
        rule_marks(made.rule, &silent, &made.severity);
        tac_vec_push(&hunt->calls, made);
        call = &tac_vec_last(&hunt->calls);
        key = NULL;
    } else if (witness->count < call->witness->count) {
        call->witness = witness;
        call->recording = recording;
    }
    call->predicted++;
    free(key);
}

/* Takes the document. */
static tac_status write_json(const char *folder, const char *name, size_t number, json_t *document,
                             tac_error *err)
{
    char *path = number ? tac_format("%s/%s-%zu.json", folder, name, number)
                        : tac_format("%s/%s.json", folder, name);
    char *text = tac_json_text(document, JSON_INDENT(1));
    tac_status status = tac_output_write_file(path, text, strlen(text), err);
    free(text);
    free(path);
    json_decref(document);
    return status;
}

static tac_status predict(tac_hunt *hunt, size_t recording, const tac_hunt_options *options,
                          tac_error *err)
{
    tac_protocol_rules *rules = NULL;
    tac_recording *recorded = NULL;
    tac_protocol_result result = {0};
    tac_protocol_options verify = {.every_witness = true, .watch = options->driving.watch};
    tac_status status =
        tac_protocol_rules_read(options->rule_files, options->rule_count, &rules, NULL, err);
    if (status == TAC_OK)
        status = tac_recording_read(hunt->recordings[recording].file, &recorded, err);
    if (status == TAC_OK)
        status = admit(hunt, recording, rules, recorded, options->driving.watch, err);
    if (status == TAC_OK)
        status = tac_protocol_verify(rules, recorded, &verify, &result, err);
    if (status == TAC_OK)
        status = write_json(options->folder, "verify", recording + 1,
                            tac_protocol_verify_json(&result), err);
    hunt->safe += tac_protocol_result_count(&result, TAC_SAFE);
    hunt->unknown += tac_protocol_result_count(&result, TAC_SAFETY_UNKNOWN);
    for (size_t i = 0; i < result.witness_count; i++)
        add_prediction(hunt, recording, &result.witnesses[i]);
    tac_vec_push(&hunt->verified, result);
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
    json_t *witness = tac_protocol_witness_json(call->witness);
    json_object_set_new(witness, "verdict", json_string(call->verdict));
    tac_status status = write_json(options->folder, "witness", index + 1, witness, err);
    if (status == TAC_OK)
        status = tac_replay_witness(subject, call->witness, hunt->recordings[call->recording].file,
                                    &how, &call->replay, err);
    if (status == TAC_OK)
        status =
            write_json(options->folder, "replay", index + 1, tac_replay_json(&call->replay), err);
    return status;
}

static int by_weight(const void *one, const void *other)
{
    const struct hunt_call *a = one, *b = other;
    int severity = strcmp(a->severity, b->severity); /* "error" before "suspicious" */
    size_t x = a->witness->count, y = b->witness->count;
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
        tac_replay_free(&call->replay);
    }
    for (size_t i = 0; i < hunt->left_out.count; i++) {
        free(hunt->left_out.at[i].rule);
        free(hunt->left_out.at[i].why);
    }
    for (size_t i = 0; i < hunt->verified.count; i++)
        tac_protocol_result_free(&hunt->verified.at[i]);
    tac_vec_free(&hunt->verified);
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
    assert(call->recording < hunt->recording_count && call->replay.memory);
    return (tac_hunt_call){.result = call->replay.result,
                           .rule = call->rule,
                           .call = call->call,
                           .severity = call->severity,
                           .recording = hunt->recordings[call->recording].file,
                           .witness = call->witness,
                           .replay = &call->replay};
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

const char *hunt_stray(const struct tac_hunt *hunt)
{
    const char *stray = NULL;
    for (size_t i = 0; i < hunt->verified.count && !stray; i++)
        stray = hunt->verified.at[i].left_out;
    return stray;
}

tac_answer tac_hunt_answer(const tac_hunt *hunt)
{
    tac_answer answer = hunt->unknown || hunt_stray(hunt) ? TAC_INCONCLUSIVE : TAC_HOLDS;
    for (size_t i = 0; i < hunt->calls.count; i++)
        if (hunt->calls.at[i].replay.result == TAC_REPLAY_CONFIRMED)
            return TAC_VIOLATED;
        else if (hunt->calls.at[i].replay.result == TAC_REPLAY_UNCONTROLLED)
            answer = TAC_INCONCLUSIVE;
    return answer;
}

static tac_status write_hunt(const tac_hunt *hunt, const char *folder, tac_error *err)
{
    return write_json(folder, "hunt", 0, tac_hunt_json(hunt), err);
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
