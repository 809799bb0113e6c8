/* Two rule sets on one recording: both systems on the same letters, the search, and what it found.
 * See compare.h. */
#include "protocol/compare/compare.h"
#include "base/check.h"
#include "protocol/evidence/evidence.h"
#include "protocol/system/lifecycle.h"

/* The recording with the callbacks that either rule set's life cycles add. */
static struct recording *complete_for_both(const struct spec_set *a, const struct spec_set *b,
                                           const struct recording *r)
{
    struct recording *first = lifecycle_complete(a, r);
    struct recording *second = lifecycle_complete(b, first ? first : r);
    if (second && first)
        recording_free(first);
    return second ? second : first;
}

static tac_status build_side(const tac_protocol_rules *rules, const struct recording *recording,
                             const tac_protocol_options *options, struct problem *out,
                             tac_error *err)
{
    *out = (struct problem){.specs = &rules->set, .recording = recording};
    tac_status status =
        grounding_build(out->specs, recording, false, options->watch, &out->grounding, err);
    if (status != TAC_OK)
        return status;
    status = system_build(out->specs, recording, &out->grounding, false, &out->system, err);
    if (status != TAC_OK)
        grounding_free(&out->grounding);
    return status;
}

static const tac_protocol_event *list_events(const struct recording *r, const u32_vec *events,
                                             tac_arena *memory)
{
    tac_protocol_event *list = tac_arena_calloc(memory, events->count, sizeof *list);
    for (size_t i = 0; i < events->count; i++) {
        assert(events->at[i] < r->events.count);
        list[i] = (tac_protocol_event){.event = evidence_event(r, events->at[i], memory),
                                       .recorded_as = (size_t)events->at[i] + 1,
                                       .assumed = r->events.at[events->at[i]].assumed};
    }
    return list;
}

/* What made a rule fire: "the start", or a message in the rules' notation. */
static const char *fired_by(const struct problem *p, uint32_t message, tac_arena *memory)
{
    assert(message == TAC_NONE || message < p->recording->messages.count);
    return message == TAC_NONE
               ? "the start"
               : evidence_letter(p, p->recording->messages.at[message].letter, memory);
}

/* The rule that refuses; in a conflict the one that permits stands against it. */
static const tac_protocol_reason *because(const struct problem *p, const struct refusal *refusal,
                                          tac_arena *memory)
{
    if (refusal->result != STEP_CONFLICT)
        return evidence_reason(p, refusal->reason.rule,
                               fired_by(p, refusal->reason.message, memory), memory);
    const char *text = fired_by(p, refusal->message, memory);
    tac_protocol_reason *reason = evidence_reason(p, refusal->conflict.prohibiting, text, memory);
    reason->against = evidence_reason(p, refusal->conflict.permitting, text, memory);
    reason->about = evidence_letter(p, p->system.bit_letters.at[refusal->conflict.bit], memory);
    return reason;
}

/* What one side alone admits, and how the other one refuses it. */
static const tac_protocol_difference *
difference_of(const struct problem *other, const struct difference *found, tac_arena *memory)
{
    const u32_vec *events = &found->events;
    if (!found->found)
        return NULL;
    assert(events->count);
    const struct recording *r = other->recording;
    struct refusal refusal = compare_follow(&other->system, events);
    assert(refusal.result != STEP_OK);
    bool at_start = refusal.message == TAC_NONE, conflict = refusal.result == STEP_CONFLICT;
    tac_protocol_difference *difference = tac_arena_alloc(memory, sizeof *difference);
    *difference = (tac_protocol_difference){
        .events = list_events(r, events, memory),
        .count = events->count,
        .refused =
            at_start ? NULL : evidence_words(other, r->messages.at[refusal.message].letter, memory),
        .result = conflict                           ? TAC_ADMISSION_CONFLICT
                  : refusal.result == STEP_VIOLATION ? TAC_ADMISSION_VIOLATION
                                                     : TAC_ADMISSION_STUCK,
        .because = because(other, &refusal, memory),
    };
    return difference;
}

/* Does one side admit all that the other does? against: what only the other admits. */
static tac_answer inclusion(const struct comparison *c, const char *left_out,
                            const struct difference *against)
{
    return against->found ? TAC_VIOLATED : c->complete && !left_out ? TAC_HOLDS : TAC_INCONCLUSIVE;
}

static void set_result(const struct problem *sides, const struct comparison *c,
                       tac_protocol_comparison *out)
{
    tac_arena *memory = evidence_memory();
    const char *left_out = sides[SIDE_A].specs->left_out ? sides[SIDE_A].specs->left_out
                                                         : sides[SIDE_B].specs->left_out;
    *out = (tac_protocol_comparison){
        .a_admits_all_of_b = inclusion(c, left_out, &c->only[SIDE_B]),
        .b_admits_all_of_a = inclusion(c, left_out, &c->only[SIDE_A]),
        .left_out = evidence_text_or_null(memory, left_out),
        .only_a = difference_of(&sides[SIDE_B], &c->only[SIDE_A], memory),
        .only_b = difference_of(&sides[SIDE_A], &c->only[SIDE_B], memory),
        .states = c->states,
        .assumed_callbacks = sides[SIDE_A].recording->assumed_events,
        .memory = memory,
    };
}

tac_status tac_protocol_compare(const tac_protocol_rules *a, const tac_protocol_rules *b,
                                const tac_recording *recording, const tac_protocol_options *options,
                                tac_protocol_comparison *out, tac_error *err)
{
    const struct recording *r = recording_read_as(recording, options->as_recorded);
    struct recording *completed =
        options->as_recorded ? NULL : complete_for_both(&a->set, &b->set, r);
    struct problem sides[2];
    struct comparison found = {0};
    r = completed ? completed : r;
    tac_status status = build_side(a, r, options, &sides[0], err);
    if (status == TAC_OK) {
        status = build_side(b, r, options, &sides[1], err);
        if (status != TAC_OK)
            problem_free(&sides[0]);
    }
    if (status != TAC_OK) {
        recording_free(completed);
        return status;
    }
    const struct compared_side compared[2] = {{&sides[0].system, &sides[0].grounding},
                                              {&sides[1].system, &sides[1].grounding}};
    status = compare_search(compared, COMPARE_STATE_BUDGET, options->watch, &found, err);
    if (status == TAC_OK) {
        set_result(sides, &found, out);
        comparison_free(&found);
    }
    problem_free(&sides[0]);
    problem_free(&sides[1]);
    recording_free(completed);
    return status;
}
