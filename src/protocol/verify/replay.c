/* Plays a witness, and says of each event why it was possible and of the last call what made it
 * illegal. O(messages of the witness * rules that read them). */
#include "protocol/verify/replay.h"
#include "base/check.h"

/* NULL when nothing ever spoke of the letter. */
static const tac_protocol_reason *reason_of(const struct replay *y, struct reason reason)
{
    const struct problem *p = y->problem;
    if (reason.rule == TAC_NONE)
        return NULL;
    if (reason.message == TAC_NONE)
        return evidence_reason(p, reason.rule, "the start", y->memory);
    assert(reason.message < y->messages.count);
    const struct replayed *at = &y->messages.at[reason.message];
    const struct message *m = &p->recording->messages.at[at->message];
    tac_protocol_reason *made =
        evidence_reason(p, reason.rule, evidence_letter(p, m->letter, y->memory), y->memory);
    made->words = evidence_words(p, m->letter, y->memory);
    made->in = (size_t)at->step + 1;
    made->line = evidence_text_or_null(y->memory, problem_call_line(p, m->call));
    return made;
}

static void add_step(struct replay *y, uint32_t step, uint32_t event)
{
    assert(step < y->target->events.count && event < y->problem->system.events.count);
    const struct recording *r = y->problem->recording;
    uint32_t recorded = y->problem->system.events.at[event].recorded;
    assert(recorded < r->events.count);
    const struct top_level *top = &r->events.at[recorded];
    const struct message *first = &r->messages.at[top->first];
    y->steps[step] =
        (tac_protocol_step){.event = evidence_event(r, recorded, y->memory),
                            .callback = evidence_letter(y->problem, first->letter, y->memory),
                            .assumed = top->assumed,
                            .other_thread = top->thread != 0,
                            .recorded_as = top->assumed ? 0 : (size_t)recorded + 1,
                            .message_id = top->assumed ? 0 : r->calls.at[first->call].entry_id,
                            .enabled_by = reason_of(y, y->simulator.reason[first->letter])};
}

/* Since two rules disagreed, whatever the app calls is prohibited. */
static const tac_protocol_reason *doom_of(const struct replay *y)
{
    const struct conflict *conflict = &y->simulator.conflict;
    const char *why = "a conflict of rules";
    tac_protocol_reason *reason =
        evidence_reason(y->problem, conflict->prohibiting, why, y->memory);
    reason->against = evidence_reason(y->problem, conflict->permitting, why, y->memory);
    return reason;
}

static void set_violation(struct replay *y, uint32_t step, uint32_t message)
{
    const struct problem *p = y->problem;
    assert(message < p->recording->messages.count && !y->witness.count);
    assert(step + 1 == y->target->events.count); /* a witness ends where it shows what it is for */
    const struct message *m = &p->recording->messages.at[message];
    y->witness = (tac_protocol_witness){
        .steps = y->steps,
        .count = y->target->events.count,
        .violation = {
            .message = evidence_letter(p, m->letter, y->memory),
            .words = evidence_words(p, m->letter, y->memory),
            .in = (size_t)step + 1,
            .line = evidence_text_or_null(y->memory, problem_call_line(p, m->call)),
            .prohibited_by =
                y->simulator.doomed ? doom_of(y) : reason_of(y, y->simulator.reason[m->letter]),
        }};
}

bool replay_witness(struct replay *y)
{
    struct problem *p = y->problem;
    const struct recording *r = p->recording;
    const struct target_result *t = y->target;
    assert(y->memory && t && t->events.count);
    y->steps = tac_arena_calloc(y->memory, t->events.count, sizeof *y->steps);
    if (simulator_start(&y->simulator, r, &p->grounding, p->system.paper) != STEP_OK)
        return false;
    for (uint32_t step = 0; step < t->events.count; step++) {
        const struct event *event = &p->system.events.at[t->events.at[step]];
        const struct top_level *top = &r->events.at[event->recorded];
        bool last = step + 1 == t->events.count;
        assert(top->first <= top->end && top->end <= r->messages.count);
        uint32_t wanted =
            last ? p->system.event_messages.at[event->first_letter + t->position] : TAC_NONE;
        add_step(y, step, t->events.at[step]);
        for (uint32_t i = top->first; i < top->end; i++) {
            uint32_t number = (uint32_t)y->messages.count;
            tac_vec_push(&y->messages, (struct replayed){step, i});
            enum step_result result =
                simulator_step(&y->simulator, r->messages.at[i].letter, number);
            if (result == STEP_VIOLATION && i == wanted) {
                set_violation(y, step, i);
                return true;
            }
            if (result != STEP_OK)
                return false;
        }
    }
    return false;
}

void replay_free(struct replay *y)
{
    simulator_free(&y->simulator);
    tac_vec_free(&y->messages);
}
