/* The documents of recordings, replays and hunts. */
#include "protocol/evidence/described.h"
#include "base/check.h"
#include "replay/described.h"

static const struct field record_fields[] = {
    FIELDS(tac_record_facts, file, seed, callbacks, messages, steps, failures, dropped),
    FIELD_TEXTS(tac_record_facts, unseen, unseen_count),
    FIELD(tac_record_facts, note, .maybe = true)};
static DESCRIBE(record, tac_record_facts);
static const struct field replay_records_fields[] = {
    FIELD_LIST(struct replay_records, facts, count, record_described, .key = "recordings")};
DESCRIBE(replay_records, struct replay_records);

static const char *const results[] = {[TAC_REPLAY_CONFIRMED] = "CONFIRMED",
                                      [TAC_REPLAY_NOT_REPRODUCED] = "NOT REPRODUCED",
                                      [TAC_REPLAY_UNCONTROLLED] = "UNCONTROLLED"};
TABLE_COVERS(results, TAC_REPLAY_UNCONTROLLED);

const char *tac_replay_result_name(tac_replay_result result)
{
    return results[result];
}

static const struct field exception_fields[] = {FIELD(tac_replay, exception, .key = "type"),
                                                FIELD(tac_replay, message),
                                                FIELD_TEXTS(tac_replay, stack, stack_count)};
static DESCRIBE(exception, tac_replay);
static const struct field step_fields[] = {FIELDS(tac_replay_step, event, performed),
                                           FIELD(tac_replay_step, gesture, .omit = true)};
static DESCRIBE(step, tac_replay_step);
static const struct field replay_fields[] = {
    FIELD_ENUM(tac_replay, result, results),
    FIELD(tac_replay, step_count, .key = "witness_events"),
    FIELD(tac_replay, performed),
    FIELD(tac_replay, diverged_at, .known = IF(tac_replay, diverged_at)),
    FIELD(tac_replay, reason, .maybe = true),
    FIELD_GROUP(tac_replay, "exception", exception_described, .known = IF(tac_replay, exception)),
    FIELDS(tac_replay, attempts, confirmed_attempts, seed, call, call_seen, rule, severity, silent),
    FIELD_TEXTS(tac_replay, released_besides, released_count),
    FIELD_LIST(tac_replay, steps, step_count, step_described)};
DESCRIBE(replay, tac_replay);

json_t *tac_replay_json(const tac_replay *replay)
{
    return describe_json(&replay_described, replay);
}

/* --- A hunt ----------------------------------------------------------------------------------- */

static const struct field hunt_record_fields[] = {
    FIELDS(tac_record_facts, file, seed, messages, callbacks, steps, failures, dropped),
    FIELD_TEXTS(tac_record_facts, unseen, unseen_count),
    FIELD(tac_record_facts, note, .maybe = true)};
static DESCRIBE(hunt_record, tac_record_facts);

static const char *file_of(uint64_t recording, struct field_value *with)
{
    return ((const tac_hunt *)with->context)->recordings[recording].file;
}
FIELD_GETTER(is_confirmed, struct hunt_call, out->yes = it->replay.result == TAC_REPLAY_CONFIRMED)
static const struct field called_fields[] = {
    FIELD_LIST(tac_protocol_witness, steps, count, protocol_step_described, .key = "witness"),
    FIELD_STRUCT(tac_protocol_witness, violation, protocol_violation_described)};
static DESCRIBE(called, tac_protocol_witness);
static const struct field call_fields[] = {
    FIELDS(struct hunt_call, rule, call, verdict),
    FIELD_ENUM(struct hunt_call, replay.result, results),
    FIELD_GET_BOOL("confirmed", is_confirmed),
    FIELD(struct hunt_call, replay.step_count, .key = "witness_events"),
    FIELD_STRUCT(struct hunt_call, replay, exception_described, .key = "exception",
                 .known = IF(struct hunt_call, replay.exception)),
    FIELDS(struct hunt_call, severity, predicted),
    FIELD_NAME(struct hunt_call, recording, file_of),
    FIELD_POINTER(struct hunt_call, witness, called_described, .splice = true),
    FIELD_STRUCT(struct hunt_call, replay, replay_described)};
static DESCRIBE(call, struct hunt_call);

static const struct field left_out_fields[] = {
    FIELD(struct hunt_left_out, rule), FIELD(struct hunt_left_out, why, .key = "refused"),
    FIELD_NAME(struct hunt_left_out, recording, file_of)};
static DESCRIBE(left_out, struct hunt_left_out);

static int64_t count_of(const tac_hunt *hunt, tac_replay_result result)
{
    int64_t count = 0;
    for (size_t i = 0; i < hunt->calls.count; i++)
        count += hunt->calls.at[i].replay.result == result;
    return count;
}
FIELD_GETTER(confirmed, tac_hunt, out->integer = count_of(it, TAC_REPLAY_CONFIRMED))
FIELD_GETTER(not_reproduced, tac_hunt, out->integer = count_of(it, TAC_REPLAY_NOT_REPRODUCED))
FIELD_GETTER(uncontrolled, tac_hunt, out->integer = count_of(it, TAC_REPLAY_UNCONTROLLED))
FIELD_GETTER(stray_of, tac_hunt, out->text = hunt_stray(it); out->absent = !out->text)
static const struct field hunt_fields[] = {
    FIELD_LIST(tac_hunt, recordings, recording_count, hunt_record_described),
    FIELD_LIST(tac_hunt, calls.at, calls.count, call_described, .key = "calls"),
    FIELD_GET_INTEGER("confirmed", confirmed),
    FIELD_GET_INTEGER("not_reproduced", not_reproduced),
    FIELD_GET_INTEGER("uncontrolled", uncontrolled),
    FIELDS(tac_hunt, safe, unknown),
    FIELD_LIST(tac_hunt, left_out.at, left_out.count, left_out_described, .key = "rules_left_out"),
    FIELD_GET_TEXT("left_out", stray_of, .omit = true)};
DESCRIBE(hunt, tac_hunt);

json_t *tac_hunt_json(const tac_hunt *hunt)
{
    return describe_json_with(&hunt_described, hunt, hunt);
}
