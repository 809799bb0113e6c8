/* A hunt for people. */
#include "base/print/print.h"
#include "replay/hunt.h"

static void recording_text(const tac_record_facts *facts, FILE *out)
{
    tac_print(out, "recorded   %s: %lld callbacks, %lld messages, %lld gestures, %lld failures\n",
              facts->file, (long long)facts->callbacks, (long long)facts->messages,
              (long long)facts->steps, (long long)facts->failures);
    for (size_t i = 0; i < facts->unseen_count; i++)
        tac_print(out, "           not seen: %s\n", facts->unseen[i]);
    if (facts->dropped)
        tac_print(out, "           not kept: %lld messages\n", (long long)facts->dropped);
    if (facts->note && *facts->note)
        tac_print(out, "           %s\n", facts->note);
}

static void call_text(const struct hunt_call *call, FILE *out)
{
    const tac_replay *replay = &call->replay;
    tac_print(out, "%-14s %s, after %zu events (%s, %s)\n", tac_replay_result_name(replay->result),
              call->call, replay->step_count, call->severity, call->rule);
    for (size_t i = 0; i < replay->step_count; i++)
        tac_print(out, "               %2zu. %s\n", i + 1, replay->steps[i].event);
    if (replay->exception)
        tac_print(out, "               %s: %s\n", replay->exception, replay->message);
    if (replay->exception && replay->stack_count)
        tac_print(out, "                   %s\n", replay->stack[0]);
    if (replay->reason && *replay->reason)
        tac_print(out, "               %s\n", replay->reason);
}

void tac_hunt_text(const tac_hunt *hunt, FILE *out)
{
    size_t counts[3] = {0};
    for (size_t i = 0; i < hunt->recording_count; i++)
        recording_text(&hunt->recordings[i], out);
    for (size_t i = 0; i < hunt->left_out.count; i++) {
        tac_hunt_left_out one = tac_hunt_left_out_at(hunt, i);
        tac_print(out, "left out   %s: it refuses %s in %s\n", one.rule, one.refused,
                  one.recording);
    }
    if (hunt_stray(hunt))
        tac_print(out, "left out   what may be a rule: %s; nothing is proved without it\n",
                  hunt_stray(hunt));
    for (size_t i = 0; i < hunt->calls.count; i++) {
        call_text(&hunt->calls.at[i], out);
        counts[hunt->calls.at[i].replay.result]++;
    }
    tac_print(out, "%zu confirmed, %zu not reproduced, %zu uncontrolled; %zu call%s proved safe\n",
              counts[TAC_REPLAY_CONFIRMED], counts[TAC_REPLAY_NOT_REPRODUCED],
              counts[TAC_REPLAY_UNCONTROLLED], hunt->safe, hunt->safe == 1 ? "" : "s");
}
