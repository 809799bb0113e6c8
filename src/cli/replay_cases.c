/* The cases of `tactus protocol hunt` and `replay`; see protocol_cases.h. */
#include "base/data/text.h"
#include "cli/protocol_case.h"
#include "cli/protocol_cases.h"
#include <stdlib.h>
#include <string.h>

static void add_replay_command(const struct invocation *in, const tac_hunt_call *call,
                               const char *witness, tac_str *out)
{
    tac_str_add(out, "tactus protocol replay");
    case_add_word(out, "--device", option_text(in, "device"));
    for (size_t i = 0; i < option_count(in, "stay"); i++)
        case_add_word(out, "--stay", option_value(in, "stay", i));
    case_add_word(out, "--witness", witness);
    case_add_word(out, "", call->recording);
    for (size_t i = 0; i < in->program_count; i++)
        case_add_word(out, i ? "" : "--", in->program[i]);
}

static enum finding_level level_of(const tac_hunt_call *call)
{
    switch (call->result) {
    case TAC_REPLAY_CONFIRMED:
        return !strcmp(call->severity, "suspicious") ? FINDING_MILD : FINDING_ERROR;
    case TAC_REPLAY_UNCONTROLLED:
        return FINDING_UNCLEAR;
    case TAC_REPLAY_NOT_REPRODUCED:
        break;
    }
    return FINDING_PASS;
}

/* Method, rule and the last event without lines and ordinals: the same in every recording. */
static void add_fingerprint(const char *method, const char *file, const tac_replay *replay,
                            tac_str *out)
{
    const char *last = replay->steps[replay->step_count - 1].event;
    tac_str_addf(out, "%s, %s, ", method, file);
    for (const char *c = last; *c; c++)
        if (*c < '0' || *c > '9')
            tac_str_add_char(out, *c);
}

static void add_replay_detail(const tac_replay *replay, tac_str *out)
{
    for (size_t i = 0; i < replay->step_count; i++)
        case_add_step(out, i + 1, replay->steps[i].event);
    if (replay->exception && replay->stack_count)
        tac_str_addf(out, "%s\n", replay->stack[0]);
    if (replay->reason && *replay->reason)
        tac_str_addf(out, "%s\n", replay->reason);
}

static void add_replayed(const struct invocation *in, struct pipeline *to,
                         const tac_hunt_call *call, const char *witness)
{
    const tac_replay *replay = call->replay;
    const char *method = case_method(to, call->witness->violation.message);
    const char *id = pipeline_text(to, "protocol.%s", *method ? method : "call");
    tac_str same = {0}, text = {0}, detail = {0};
    add_fingerprint(method, case_rule_file(to, call->rule), replay, &same);
    tac_str_addf(&text, "%s: %s, which %s disallows", tac_replay_result_name(call->result),
                 call->call, call->rule);
    if (replay->exception)
        tac_str_addf(&text, "; %s: %s", replay->exception, replay->message);
    add_replay_detail(replay, &detail);
    add_replay_command(in, call, witness, &detail);
    case_declare(to, id, *method ? method : "something");
    pipeline_add(to, level_of(call), id, call->call, tac_str_text(&text), tac_str_text(&detail),
                 tac_str_text(&same));
    case_place_rule(to, call->rule);
    if (*call->recording)
        pipeline_place(to, call->recording, 0);
    tac_str_free(&same);
    tac_str_free(&text);
    tac_str_free(&detail);
}

static void add_left_out(const tac_hunt_left_out *one, struct pipeline *to)
{
    pipeline_add(to, FINDING_NOTE, "protocol", "rules left out",
                 pipeline_text(to, "%s was left out: it refuses %s in %s", one->rule, one->refused,
                               one->recording),
                 "", pipeline_text(to, "left out %s", case_rule_file(to, one->rule)));
    case_place_rule(to, one->rule);
}

static void add_rest(const tac_hunt *hunt, struct pipeline *to)
{
    size_t safe = tac_hunt_decided(hunt, TAC_SAFE);
    size_t unknown = tac_hunt_decided(hunt, TAC_SAFETY_UNKNOWN);
    pipeline_rule(to, "protocol", "how far the rules could judge the recordings");
    if (unknown)
        pipeline_add(to, FINDING_UNCLEAR, "protocol", "calls that were not decided",
                     pipeline_text(to, "%zu %s not decided", unknown,
                                   unknown == 1 ? "call was" : "calls were"),
                     "", "not decided");
    pipeline_add(to, FINDING_PASS, "protocol", "calls that no order makes",
                 pipeline_text(to, "%zu %s proved safe", safe, safe == 1 ? "call" : "calls"), "",
                 "safe");
    for (size_t i = 0; i < tac_hunt_left_out_count(hunt); i++) {
        tac_hunt_left_out one = tac_hunt_left_out_at(hunt, i);
        add_left_out(&one, to);
    }
}

tac_status protocol_cases_hunted(const struct invocation *in, const tac_hunt *hunt, tac_error *err)
{
    struct pipeline cases = {0};
    for (size_t i = 0; i < tac_hunt_call_count(hunt); i++) {
        const char *witness = pipeline_text(&cases, "%s/witness-%zu.json", in->output, i + 1);
        tac_hunt_call call = tac_hunt_call_at(hunt, i);
        add_replayed(in, &cases, &call, witness);
    }
    add_rest(hunt, &cases);
    return pipeline_finish(in, &cases, "tactus protocol hunt", err);
}

tac_status protocol_cases_replayed(const struct invocation *in, const tac_protocol_witness *witness,
                                   const tac_replay *replay, tac_error *err)
{
    struct pipeline cases = {0};
    tac_hunt_call call = {.result = replay->result,
                          .rule = case_rule(witness),
                          .call = witness->violation.words,
                          .severity = "",
                          .recording = in->args[0],
                          .witness = witness,
                          .replay = replay};
    add_replayed(in, &cases, &call, option_text(in, "witness"));
    return pipeline_finish(in, &cases, "tactus protocol replay", err);
}
