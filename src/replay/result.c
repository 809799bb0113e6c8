/* What came of a replay, as others read it: copied from the witness and the best attempt. */
#include "base/check.h"
#include "base/io/json.h"
#include "protocol/evidence/evidence.h"
#include "replay/witness.h"
#include <string.h>

static const char *text_in(const json_t *object, const char *key, tac_arena *memory)
{
    return evidence_text(memory, tac_json_get_text(object, key));
}

/* The lines of a text without their indentation; empty ones are left out. */
static const char *const *take_lines(const char *text, size_t *count, tac_arena *memory)
{
    size_t most = 1;
    for (const char *c = text; c && *c; c++)
        most += *c == '\n';
    const char **lines = tac_arena_calloc(memory, most, sizeof *lines);
    *count = 0;
    while (text && *text) {
        size_t length = strcspn(text, "\n"), blank = strspn(text, " ");
        if (length > blank)
            lines[(*count)++] =
                evidence_text(memory, tac_arena_strndup(memory, text + blank, length - blank));
        text += length + (text[length] == '\n');
    }
    assert(*count <= most);
    return lines;
}

/* The frames of a stack; its first lines repeat the message. */
static const char *frames_of(const char *stack)
{
    const char *frames = stack ? strstr(stack, "\n    at ") : NULL;
    return frames ? frames + 1 : stack;
}

static const tac_replay_step *take_steps(const struct witness *w, size_t performed,
                                         tac_arena *memory)
{
    tac_replay_step *steps = tac_arena_calloc(memory, w->steps.count, sizeof *steps);
    for (size_t i = 0; i < w->steps.count; i++) {
        json_t *by = json_object_get(w->steps.at[i].entry, "by");
        steps[i] = (tac_replay_step){.event = evidence_text(memory, w->steps.at[i].label),
                                     .performed = i < performed,
                                     .gesture = json_incref(by),
                                     .action = text_in(by, "action", memory),
                                     .xpath = text_in(by, "xpath", memory),
                                     .value = text_in(by, "value", memory)};
    }
    return steps;
}

void replay_result(const struct witness *w, const struct replay_report *report, uint64_t seed,
                   tac_replay *out)
{
    tac_arena *memory = evidence_memory();
    assert(report->performed <= w->steps.count && report->diverged_at <= w->steps.count);
    *out = (tac_replay){
        .result = report->result,
        .steps = take_steps(w, report->performed, memory),
        .step_count = w->steps.count,
        .performed = report->performed,
        .diverged_at = report->diverged_at,
        .reason = evidence_text_or_null(memory, report->reason),
        .exception = evidence_text_or_null(memory, report->type),
        .message = evidence_text_or_null(memory, report->message),
        .attempts = report->attempts,
        .confirmed_attempts = report->confirmed,
        .seed = seed,
        .call = evidence_text(memory, w->words),
        .call_seen = report->call_seen,
        .rule = evidence_text(memory, w->rule),
        .severity = evidence_text(memory, w->severity),
        .silent = w->silent,
        .memory = memory,
    };
    out->stack = take_lines(frames_of(report->stack), &out->stack_count, memory);
    out->released_besides = take_lines(report->besides, &out->released_count, memory);
}

void tac_replay_free(tac_replay *replay)
{
    if (!replay)
        return;
    for (size_t i = 0; i < replay->step_count; i++)
        json_decref(replay->steps[i].gesture);
    evidence_memory_free(replay->memory);
    *replay = (tac_replay){.result = TAC_REPLAY_CONFIRMED};
}
