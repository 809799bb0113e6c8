/* See described.h. Optional keys are left out where there is nothing to say. */
#include "protocol/evidence/described.h"
#include "base/check.h"

/* --- Words ------------------------------------------------------------------------------------ */

static const char *const effects[] = {[TAC_RULE_ENABLES] = "enables",
                                      [TAC_RULE_DISABLES] = "disables",
                                      [TAC_RULE_ALLOWS] = "allows",
                                      [TAC_RULE_DISALLOWS] = "disallows"};
TABLE_COVERS(effects, TAC_RULE_DISALLOWS);
static const char *const admissions[] = {[TAC_ADMITTED] = "OK",
                                         [TAC_ADMISSION_STUCK] = "STUCK",
                                         [TAC_ADMISSION_VIOLATION] = "VIOLATION",
                                         [TAC_ADMISSION_CONFLICT] = "CONFLICT"};
TABLE_COVERS(admissions, TAC_ADMISSION_CONFLICT);
static const char *const safeties[] = {[TAC_SAFETY_UNKNOWN] = "UNKNOWN",
                                       [TAC_SAFE] = "SAFE",
                                       [TAC_UNSAFE] = "UNSAFE",
                                       [TAC_INADMISSIBLE] = "INADMISSIBLE"};
TABLE_COVERS(safeties, TAC_INADMISSIBLE);

const char *tac_rule_effect_name(tac_rule_effect effect)
{
    return effects[effect];
}

const char *tac_admission_name(tac_admission admission)
{
    return admissions[admission];
}

const char *tac_safety_name(tac_safety safety)
{
    return safeties[safety];
}

/* --- Evidence --------------------------------------------------------------------------------- */

static const struct field message_fields[] = {
    FIELDS(tac_protocol_message, message, index, words, id, event, event_index),
    FIELD(tac_protocol_message, line, .maybe = true, .only = IF(tac_protocol_message, line)),
    FIELD(tac_protocol_message, exception, .maybe = true,
          .only = IF(tac_protocol_message, exception))};
static DESCRIBE(message, tac_protocol_message);

static const struct field protocol_reason_fields[] = {
    FIELDS(tac_protocol_reason, rule, fired_by),
    FIELD_ENUM(tac_protocol_reason, effect, effects),
    FIELD(tac_protocol_reason, text),
    FIELD(tac_protocol_reason, words, .maybe = true, .only = IF(tac_protocol_reason, words)),
    FIELD(tac_protocol_reason, in, .omit = true, .about = "event of the witness, from 1"),
    FIELD(tac_protocol_reason, line, .maybe = true, .only = IF(tac_protocol_reason, line)),
    FIELD_POINTER(tac_protocol_reason, fired_at, message_described, .omit = true),
    FIELD_POINTER(tac_protocol_reason, against, protocol_reason_described, .omit = true),
    FIELD(tac_protocol_reason, about, .maybe = true, .only = IF(tac_protocol_reason, about))};
DESCRIBE(protocol_reason, tac_protocol_reason);

static const struct field protocol_step_fields[] = {
    FIELDS(tac_protocol_step, event, callback, assumed),
    FIELD(tac_protocol_step, recorded_as, .known = IF_NOT(tac_protocol_step, assumed)),
    FIELD(tac_protocol_step, message_id, .only = IF_NOT(tac_protocol_step, assumed)),
    FIELD(tac_protocol_step, other_thread, .omit = true),
    FIELD_POINTER(tac_protocol_step, enabled_by, protocol_reason_described)};
DESCRIBE(protocol_step, tac_protocol_step);

static const struct field protocol_violation_fields[] = {
    FIELDS(tac_protocol_violation, message, words, in),
    FIELD(tac_protocol_violation, line, .maybe = true, .only = IF(tac_protocol_violation, line)),
    FIELD_POINTER(tac_protocol_violation, prohibited_by, protocol_reason_described)};
DESCRIBE(protocol_violation, tac_protocol_violation);

static const struct field protocol_witness_fields[] = {
    FIELD(tac_protocol_witness, count, .key = "witness_events"),
    FIELD_LIST(tac_protocol_witness, steps, count, protocol_step_described, .key = "witness"),
    FIELD_STRUCT(tac_protocol_witness, violation, protocol_violation_described)};
DESCRIBE(protocol_witness, tac_protocol_witness);

static const struct field warning_fields[] = {
    FIELD(tac_protocol_warning, file, .maybe = true, .only = IF(tac_protocol_warning, file)),
    FIELDS(tac_protocol_warning, line, message)};
static DESCRIBE(warning, tac_protocol_warning);
static const struct field threads_fields[] = {
    FIELDS(tac_protocol_reading, other_threads.threads, other_threads.messages,
           other_threads.callbacks, other_threads.calls, other_threads.unmatched)};
static DESCRIBE(threads, tac_protocol_reading);
static const struct field reading_fields[] = {
    FIELDS(tac_protocol_reading, truncated, dropped_messages),
    FIELD_TEXTS(tac_protocol_reading, assumed_callbacks, assumed_count),
    FIELD(tac_protocol_reading, not_assumed),
    FIELD_GROUP(tac_protocol_reading, "other_threads", threads_described),
    FIELD_LIST(tac_protocol_reading, warnings, warning_count, warning_described),
    HIDDEN(tac_protocol_reading, messages, toplevel_callbacks, raised_callbacks)};
static DESCRIBE(reading, tac_protocol_reading);

/* --- Answers ---------------------------------------------------------------------------------- */

static const struct field near_miss_fields[] = {
    FIELDS(tac_protocol_near_miss, file, line, column, written),
    FIELD(tac_protocol_near_miss, suggestion, .maybe = true),
    FIELD(tac_protocol_near_miss, message)};
static DESCRIBE(near_miss, tac_protocol_near_miss);
static const struct field place_fields[] = {FIELDS(tac_protocol_place, file, line)};
static DESCRIBE(place, tac_protocol_place);

FIELD_GETTER(result_word, tac_protocol_result,
             out->text = it->admission == TAC_ADMITTED && it->left_out ? "UNKNOWN"
                                                                       : admissions[it->admission])
static const struct field protocol_validate_fields[] = {
    FIELD_GET_TEXT("result", result_word),
    FIELD(tac_protocol_result, left_out, .only = IF(tac_protocol_result, left_out)),
    FIELD(tac_protocol_result, steps),
    FIELD_POINTER(tac_protocol_result, refused, message_described),
    FIELD_POINTER(tac_protocol_result, because, protocol_reason_described),
    FIELDS(tac_protocol_result, ground_rules, reading.messages, reading.toplevel_callbacks,
           reading.raised_callbacks),
    FIELD_STRUCT(tac_protocol_result, reading, reading_described, .splice = true),
    FIELD(tac_protocol_result, assumed_used),
    FIELD_LIST(tac_protocol_result, near_misses, near_miss_count, near_miss_described),
    FIELD_LIST(tac_protocol_result, without_instance, without_instance_count, place_described,
               .key = "rules_without_instance"),
    FIELD_LIST(tac_protocol_result, foreseen, foreseen_count, message_described),
    FIELD_LIST(tac_protocol_result, unforeseen, unforeseen_count, message_described)};
DESCRIBE(protocol_validate, tac_protocol_result);

static const struct field call_fields[] = {
    FIELD(tac_protocol_call, message),
    FIELD(tac_protocol_call, method, .maybe = true, .only = IF(tac_protocol_call, method)),
    FIELD_ENUM(tac_protocol_call, safety, safeties, .key = "verdict"),
    FIELD(tac_protocol_call, witness_events, .omit = true)};
static DESCRIBE(call, tac_protocol_call);

/* Where the rules are taken on trust nothing is said of it; a call of the app that they disallow
 * is no reason to mistrust them. */
static bool is_admitted(const tac_protocol_result *it)
{
    return it->admission == TAC_ADMITTED || it->admission == TAC_ADMISSION_VIOLATION;
}
FIELD_GETTER(admitted_of, tac_protocol_result, out->yes = is_admitted(it))
FIELD_GETTER(because_of, tac_protocol_result, out->absent = !it->validated || is_admitted(it);
             out->at = it->because)
FIELD_GETTER(refused_of, tac_protocol_result, out->absent = !it->validated || is_admitted(it);
             out->at = it->refused)
FIELD_GETTER(witness_events_of, tac_protocol_result, out->null = !it->witness;
             out->integer = it->witness ? (int64_t)it->witness->count : 0)
FIELD_GETTER(steps_of, tac_protocol_result, out->count = it->witness ? it->witness->count : 0;
             out->at = it->witness ? it->witness->steps : NULL)
FIELD_GETTER(violation_of, tac_protocol_result, out->null = !it->witness;
             out->at = it->witness ? &it->witness->violation : NULL)

static const char *const engines[] = {[false] = "bfs", [true] = "bdd"};
static const struct field protocol_verify_fields[] = {
    FIELD_ENUM(tac_protocol_result, safety, safeties, .key = "verdict"),
    FIELD(tac_protocol_result, left_out, .only = IF(tac_protocol_result, left_out)),
    FIELD_GET_BOOL("admitted", admitted_of, .only = IF(tac_protocol_result, validated)),
    FIELD_GET_POINTER("because", because_of, protocol_reason_described, .omit = true,
                      .maybe = true),
    FIELD_GET_POINTER("refused", refused_of, message_described, .omit = true, .maybe = true),
    FIELD_GET_INTEGER("witness_events", witness_events_of, .maybe = true),
    FIELD_GET_LIST("witness", steps_of, protocol_step_described),
    FIELD_GET_POINTER("violation", violation_of, protocol_violation_described, .maybe = true),
    FIELD_LIST(tac_protocol_result, calls, call_count, call_described, .key = "targets"),
    FIELD_LIST(tac_protocol_result, witnesses, witness_count, protocol_witness_described,
               .only = IF(tac_protocol_result, every_witness)),
    FIELD_ENUM(tac_protocol_result, by_diagrams, engines, .key = "engine"),
    FIELDS(tac_protocol_result, states, ground_rules, reading.messages, reading.toplevel_callbacks,
           events, reading.raised_callbacks),
    FIELD_STRUCT(tac_protocol_result, reading, reading_described, .splice = true),
    FIELD(tac_protocol_result, certificate, .maybe = true)};
DESCRIBE(protocol_verify, tac_protocol_result);

static const struct field protocol_result_fields[] = {
    /* stays: verdict,
    memory */
    FIELD_ENUM(tac_protocol_result, admission, admissions),
    FIELDS(tac_protocol_result, validated, steps, ground_rules, left_out, assumed_used),
    FIELD_POINTER(tac_protocol_result, refused, message_described),
    FIELD_POINTER(tac_protocol_result, because, protocol_reason_described),
    FIELD_STRUCT(tac_protocol_result, reading, reading_described),
    FIELD_LIST(tac_protocol_result, near_misses, near_miss_count, near_miss_described),
    FIELD_LIST(tac_protocol_result, without_instance, without_instance_count, place_described),
    FIELD_LIST(tac_protocol_result, foreseen, foreseen_count, message_described),
    FIELD_LIST(tac_protocol_result, unforeseen, unforeseen_count, message_described),
    FIELD_ENUM(tac_protocol_result, safety, safeties),
    FIELD_POINTER(tac_protocol_result, witness, protocol_witness_described),
    FIELD_LIST(tac_protocol_result, witnesses, witness_count, protocol_witness_described),
    FIELD_LIST(tac_protocol_result, calls, call_count, call_described),
    FIELDS(tac_protocol_result, every_witness, by_diagrams, states, events, certificate)};
DESCRIBE(protocol_result, tac_protocol_result);

FIELD_GETTER(is_accepted, tac_protocol_check, out->yes = !it->reason)
static const struct field protocol_check_fields[] = {
    FIELD_GET_BOOL("accepted", is_accepted),
    FIELD(tac_protocol_check, reason, .maybe = true),
    FIELDS(tac_protocol_check, cones, states, ground_rules),
    FIELD_TEXTS(tac_protocol_check, proved, proved_count),
    FIELD(tac_protocol_check, target, .maybe = true),
    FIELD(tac_protocol_check, as_recorded),
    FIELD(tac_protocol_check, rules_hash, .key = "rules_sha256"),
    FIELD(tac_protocol_check, recording_hash, .key = "recording_sha256"),
    FIELDS(tac_protocol_check, events, assumed_callbacks),
    FIELD(tac_protocol_check, raised_callbacks, .omit = true)};
DESCRIBE(protocol_check, tac_protocol_check);

static const struct field event_fields[] = {
    FIELDS(tac_protocol_event, event, recorded_as, assumed)};
static DESCRIBE(event, tac_protocol_event);
static const struct field difference_fields[] = {
    FIELD_LIST(tac_protocol_difference, events, count, event_described),
    FIELD(tac_protocol_difference, refused, .maybe = true),
    FIELD_ENUM(tac_protocol_difference, result, admissions),
    FIELD_POINTER(tac_protocol_difference, because, protocol_reason_described)};
static DESCRIBE(difference, tac_protocol_difference);
FIELD_GETTER(a_admits, tac_protocol_comparison, out->yes = it->a_admits_all_of_b == TAC_HOLDS)
FIELD_GETTER(b_admits, tac_protocol_comparison, out->yes = it->b_admits_all_of_a == TAC_HOLDS)
static const struct field protocol_comparison_fields[] = {
    FIELD_GET_BOOL("a_admits_all_of_b", a_admits,
                   .known = IF_OTHER(tac_protocol_comparison, a_admits_all_of_b, TAC_INCONCLUSIVE)),
    FIELD_GET_BOOL("b_admits_all_of_a", b_admits,
                   .known = IF_OTHER(tac_protocol_comparison, b_admits_all_of_a, TAC_INCONCLUSIVE)),
    FIELD(tac_protocol_comparison, left_out, .only = IF(tac_protocol_comparison, left_out)),
    FIELD_POINTER(tac_protocol_comparison, only_a, difference_described),
    FIELD_POINTER(tac_protocol_comparison, only_b, difference_described),
    FIELDS(tac_protocol_comparison, states, assumed_callbacks)};
DESCRIBE(protocol_comparison, tac_protocol_comparison);

json_t *tac_protocol_validate_json(const tac_protocol_result *result)
{
    return describe_json(&protocol_validate_described, result);
}

json_t *tac_protocol_verify_json(const tac_protocol_result *result)
{
    return describe_json(&protocol_verify_described, result);
}

json_t *tac_protocol_witness_json(const tac_protocol_witness *witness)
{
    return describe_json(&protocol_witness_described, witness);
}

json_t *tac_protocol_check_json(const tac_protocol_check *check)
{
    return describe_json(&protocol_check_described, check);
}
