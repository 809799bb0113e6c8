/* Plays a witness, and says of each event why it was possible and of the last call what made it
 * illegal. O(messages of the witness * rules that read them). */
#include "protocol/verify/replay.h"
#include "base/check.h"
#include "base/io/json.h"

/* {"rule", "fired_by", "in": number of the witness's event, ...} or null when nothing ever spoke
 * of the letter. */
static json_t *reason_json(const struct replay *y, struct reason reason)
{
    const struct problem *p = y->problem;
    if (reason.rule == TAC_NONE)
        return json_null();
    if (reason.message == TAC_NONE)
        return problem_reason_json(p, reason.rule, "the start");
    assert(reason.message < y->messages.count);
    const struct replayed *at = &y->messages.at[reason.message];
    uint32_t call = p->recording->messages.at[at->message].call;
    uint32_t letter = p->recording->messages.at[at->message].letter;
    tac_str text = {0};
    recording_letter_text(p->recording, letter, &text);
    json_t *json = problem_reason_json(p, reason.rule, tac_str_text(&text));
    tac_str_free(&text);
    json_object_set_new(json, "words", problem_words_json(p, letter));
    json_object_set_new(json, "in", json_integer(at->step + 1));
    if (problem_call_line(p, call))
        json_object_set_new(json, "line", tac_json_string(problem_call_line(p, call)));
    return json;
}

static void add_step(struct replay *y, uint32_t event)
{
    assert(event < y->problem->system.events.count);
    const struct recording *r = y->problem->recording;
    uint32_t recorded = y->problem->system.events.at[event].recorded;
    uint32_t first = r->events.at[recorded].first;
    uint32_t letter = r->messages.at[first].letter;
    tac_str name = {0};
    assert(recorded < r->events.count && first < r->messages.count);
    recording_event_name(r, recorded, &name);
    json_t *step = json_object();
    json_object_set_new(step, "event", tac_json_string(tac_str_text(&name)));
    json_object_set_new(step, "callback", problem_letter_json(y->problem, letter));
    json_object_set_new(step, "assumed", json_boolean(r->events.at[recorded].assumed));
    if (r->events.at[recorded].assumed) {
        json_object_set_new(step, "recorded_as", json_null());
    } else {
        uint64_t id = r->calls.at[r->messages.at[first].call].entry_id;
        json_object_set_new(step, "recorded_as", json_integer(recorded + 1));
        json_object_set_new(step, "message_id", json_integer((json_int_t)id));
    }
    if (r->events.at[recorded].thread)
        json_object_set_new(step, "other_thread", json_true());
    json_object_set_new(step, "enabled_by", reason_json(y, y->simulator.reason[letter]));
    json_array_append_new(y->steps, step);
    tac_str_free(&name);
}

static void add_violation(struct replay *y, uint32_t step, uint32_t message)
{
    const struct problem *p = y->problem;
    assert(message < p->recording->messages.count && !y->violation);
    assert(step + 1 == y->target->events.count); /* a witness ends where it shows what it is for */
    const struct message *m = &p->recording->messages.at[message];
    y->illegal = m->letter;
    y->rule = y->simulator.doomed ? y->simulator.conflict.prohibiting
                                  : y->simulator.reason[m->letter].rule;
    y->violation = json_object();
    json_object_set_new(y->violation, "message", problem_letter_json(p, m->letter));
    json_object_set_new(y->violation, "words", problem_words_json(p, m->letter));
    json_object_set_new(y->violation, "in", json_integer(step + 1));
    if (problem_call_line(p, m->call))
        json_object_set_new(y->violation, "line", tac_json_string(problem_call_line(p, m->call)));
    if (y->simulator.doomed) {
        json_t *reason =
            problem_reason_json(p, y->simulator.conflict.prohibiting, "a conflict of rules");
        json_object_set_new(
            reason, "against",
            problem_reason_json(p, y->simulator.conflict.permitting, "a conflict of rules"));
        json_object_set_new(y->violation, "prohibited_by", reason);
    } else {
        json_object_set_new(y->violation, "prohibited_by",
                            reason_json(y, y->simulator.reason[m->letter]));
    }
}

bool replay_witness(struct replay *y)
{
    struct problem *p = y->problem;
    const struct recording *r = p->recording;
    const struct target_result *t = y->target;
    assert(y->target && y->target->events.count);
    y->steps = json_array();
    if (simulator_start(&y->simulator, r, &p->grounding, p->system.paper) != STEP_OK)
        return false;
    for (uint32_t step = 0; step < t->events.count; step++) {
        const struct event *event = &p->system.events.at[t->events.at[step]];
        const struct top_level *top = &r->events.at[event->recorded];
        bool last = step + 1 == t->events.count;
        assert(top->first <= top->end && top->end <= r->messages.count);
        uint32_t wanted =
            last ? p->system.event_messages.at[event->first_letter + t->position] : TAC_NONE;
        add_step(y, t->events.at[step]);
        for (uint32_t i = top->first; i < top->end; i++) {
            uint32_t number = (uint32_t)y->messages.count;
            tac_vec_push(&y->messages, (struct replayed){step, i});
            enum step_result result =
                simulator_step(&y->simulator, r->messages.at[i].letter, number);
            if (result == STEP_VIOLATION && i == wanted) {
                add_violation(y, step, i);
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
    json_decref(y->steps);
    json_decref(y->violation);
}
