/* A hunt as JSON and for people. */
#include "base/io/json.h"
#include "protocol/evidence/json.h"
#include "replay/hunt.h"

static json_t *recording_json(const tac_record_facts *facts)
{
    json_t *unseen = json_array();
    for (size_t i = 0; i < facts->unseen_count; i++)
        json_array_append_new(unseen, tac_json_string(facts->unseen[i]));
    return json_pack("{s:o,s:I,s:I,s:I,s:I,s:I,s:I,s:o,s:o}", "file", tac_json_string(facts->file),
                     "seed", (json_int_t)facts->seed, "messages", (json_int_t)facts->messages,
                     "callbacks", (json_int_t)facts->callbacks, "steps", (json_int_t)facts->steps,
                     "failures", (json_int_t)facts->failures, "dropped", (json_int_t)facts->dropped,
                     "unseen", unseen, "note",
                     facts->note ? tac_json_string(facts->note) : json_null());
}

static json_t *call_json(const tac_hunt *hunt, const struct hunt_call *call)
{
    const tac_replay *replay = &call->replay;
    json_t *json = json_object();
    json_object_set_new(json, "rule", tac_json_string(call->rule));
    json_object_set_new(json, "call", tac_json_string(call->call));
    json_object_set_new(json, "verdict", json_string(call->verdict));
    json_object_set_new(json, "result", json_string(tac_replay_result_name(replay->result)));
    json_object_set_new(json, "confirmed", json_boolean(replay->result == TAC_REPLAY_CONFIRMED));
    json_object_set_new(json, "witness_events", json_integer((json_int_t)replay->step_count));
    json_object_set_new(json, "exception", replay_exception_json(replay));
    json_object_set_new(json, "severity", tac_json_string(call->severity));
    json_object_set_new(json, "predicted", json_integer((json_int_t)call->predicted));
    json_object_set_new(json, "recording", tac_json_string(hunt->recordings[call->recording].file));
    json_object_set_new(json, "witness", evidence_steps_json(call->witness));
    json_object_set_new(json, "violation", evidence_violation_json(&call->witness->violation));
    json_object_set_new(json, "replay", tac_replay_json(replay));
    return json;
}

json_t *tac_hunt_json(const tac_hunt *hunt)
{
    json_t *recordings = json_array(), *calls = json_array(), *left_out = json_array();
    json_int_t counts[3] = {0};
    for (size_t i = 0; i < hunt->recording_count; i++)
        json_array_append_new(recordings, recording_json(&hunt->recordings[i]));
    for (size_t i = 0; i < hunt->calls.count; i++) {
        json_array_append_new(calls, call_json(hunt, &hunt->calls.at[i]));
        counts[hunt->calls.at[i].replay.result]++;
    }
    for (size_t i = 0; i < hunt->left_out.count; i++)
        json_array_append_new(
            left_out,
            json_pack("{s:o,s:o,s:o}", "rule", tac_json_string(hunt->left_out.at[i].rule),
                      "refused", tac_json_string(hunt->left_out.at[i].why), "recording",
                      tac_json_string(hunt->recordings[hunt->left_out.at[i].recording].file)));
    json_t *document = json_pack(
        "{s:o,s:o,s:I,s:I,s:I,s:I,s:I,s:o}", "recordings", recordings, "calls", calls, "confirmed",
        counts[TAC_REPLAY_CONFIRMED], "not_reproduced", counts[TAC_REPLAY_NOT_REPRODUCED],
        "uncontrolled", counts[TAC_REPLAY_UNCONTROLLED], "safe", (json_int_t)hunt->safe, "unknown",
        (json_int_t)hunt->unknown, "rules_left_out", left_out);
    if (hunt_stray(hunt))
        json_object_set_new(document, "left_out", tac_json_string(hunt_stray(hunt)));
    return document;
}

static void recording_text(const tac_record_facts *facts, FILE *out)
{
    fprintf(out, "recorded   %s: %lld callbacks, %lld messages, %lld gestures, %lld failures\n",
            facts->file, (long long)facts->callbacks, (long long)facts->messages,
            (long long)facts->steps, (long long)facts->failures);
    for (size_t i = 0; i < facts->unseen_count; i++)
        fprintf(out, "           not seen: %s\n", facts->unseen[i]);
    if (facts->dropped)
        fprintf(out, "           not kept: %lld messages\n", (long long)facts->dropped);
    if (facts->note && *facts->note)
        fprintf(out, "           %s\n", facts->note);
}

static void call_text(const struct hunt_call *call, FILE *out)
{
    const tac_replay *replay = &call->replay;
    fprintf(out, "%-14s %s, after %zu events (%s, %s)\n", tac_replay_result_name(replay->result),
            call->call, replay->step_count, call->severity, call->rule);
    for (size_t i = 0; i < replay->step_count; i++)
        fprintf(out, "               %2zu. %s\n", i + 1, replay->steps[i].event);
    if (replay->exception)
        fprintf(out, "               %s: %s\n", replay->exception, replay->message);
    if (replay->exception && replay->stack_count)
        fprintf(out, "                   %s\n", replay->stack[0]);
    if (replay->reason && *replay->reason)
        fprintf(out, "               %s\n", replay->reason);
}

void tac_hunt_text(const tac_hunt *hunt, FILE *out)
{
    size_t counts[3] = {0};
    for (size_t i = 0; i < hunt->recording_count; i++)
        recording_text(&hunt->recordings[i], out);
    for (size_t i = 0; i < hunt->left_out.count; i++) {
        tac_hunt_left_out one = tac_hunt_left_out_at(hunt, i);
        fprintf(out, "left out   %s: it refuses %s in %s\n", one.rule, one.refused, one.recording);
    }
    if (hunt_stray(hunt))
        fprintf(out, "left out   what may be a rule: %s; nothing is proved without it\n",
                hunt_stray(hunt));
    for (size_t i = 0; i < hunt->calls.count; i++) {
        call_text(&hunt->calls.at[i], out);
        counts[hunt->calls.at[i].replay.result]++;
    }
    fprintf(out, "%zu confirmed, %zu not reproduced, %zu uncontrolled; %zu call%s proved safe\n",
            counts[TAC_REPLAY_CONFIRMED], counts[TAC_REPLAY_NOT_REPRODUCED],
            counts[TAC_REPLAY_UNCONTROLLED], hunt->safe, hunt->safe == 1 ? "" : "s");
}
