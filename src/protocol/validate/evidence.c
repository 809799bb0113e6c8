/* How a walk through the rules ended, as evidence: the message refused, the rule against it and
 * what made that rule fire, calls that raised, the names that the recording has almost. */
#include "protocol/evidence/evidence.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "protocol/spec/spelling.h"
#include "protocol/validate/validation.h"

enum { MOST_RAISED = 1000 };

/* What made the rule fire: "the start", or the message in the rules' notation. */
static const char *fired_by(const struct validation *v, uint32_t message, tac_arena *memory)
{
    if (message == TAC_NONE)
        return "the start";
    return evidence_letter(v->problem, recording_message(v->problem->recording, message)->letter,
                           memory);
}

/* The top-level event that a message belongs to. */
static uint32_t event_of(const struct recording *r, uint32_t message)
{
    uint32_t low = 0, high = (uint32_t)r->events.count;
    assert(r->events.count && message < r->messages.count);
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->events.at[middle].first <= message)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static tac_protocol_message message_of(const struct validation *v, uint32_t message,
                                       tac_arena *memory)
{
    const struct problem *p = v->problem;
    const struct recording *r = p->recording;
    assert(message < r->messages.count + r->tail.count);
    const struct message *m = recording_message(r, message);
    const struct call *call = &r->calls.at[m->call];
    bool in_tail = message >= r->messages.count;
    uint32_t event = in_tail ? (uint32_t)r->events.count : event_of(r, message);
    const char *exception = call->exception == TAC_NONE ? NULL : r->names.text[call->exception];
    return (tac_protocol_message){
        .message = evidence_letter(p, m->letter, memory),
        .words = evidence_words(p, m->letter, memory),
        .index = (size_t)message + 1,
        .id = m->is_exit ? call->exit_id : call->entry_id,
        .event = in_tail ? "a callback that never ended" : evidence_event(r, event, memory),
        .event_index = (size_t)event + 1,
        .line = evidence_text_or_null(memory, problem_call_line(p, m->call)),
        .exception = evidence_text_or_null(memory, exception),
    };
}

static const tac_protocol_message *one_message(const struct validation *v, uint32_t message,
                                               tac_arena *memory)
{
    tac_protocol_message *one = tac_arena_alloc(memory, sizeof *one);
    *one = message_of(v, message, memory);
    return one;
}

/* The letter's bit that was looked at when the walk ended; TAC_NONE: after a conflict, by the
 * paper's reading. */
static uint32_t refused_bit(const struct validation *v)
{
    const struct problem *p = v->problem;
    assert(v->result != STEP_OK && v->message < p->recording->messages.count);
    uint32_t bit = p->system.letters[p->recording->messages.at[v->message].letter].bit;
    return v->state.doomed ? TAC_NONE : bit;
}

/* Two rules that disagree since a message. */
static tac_protocol_reason *disagreement(const struct validation *v, uint32_t message,
                                         tac_arena *memory)
{
    const char *text = fired_by(v, message, memory);
    tac_protocol_reason *reason =
        evidence_reason(v->problem, v->conflict.prohibiting, text, memory);
    reason->against = evidence_reason(v->problem, v->conflict.permitting, text, memory);
    return reason;
}

static const tac_protocol_reason *because(const struct validation *v, tac_arena *memory)
{
    const struct problem *p = v->problem;
    if (v->result == STEP_CONFLICT) {
        tac_protocol_reason *reason = disagreement(v, v->message, memory);
        reason->about = evidence_letter(p, p->system.bit_letters.at[v->conflict.bit], memory);
        return reason;
    }
    uint32_t bit = refused_bit(v);
    if (bit == TAC_NONE)
        return disagreement(v, v->message ? v->message - 1 : TAC_NONE, memory);
    struct reason found = v->state.reason[bit];
    tac_protocol_reason *reason =
        evidence_reason(p, found.rule, fired_by(v, found.message, memory), memory);
    if (found.message != TAC_NONE)
        reason->fired_at = one_message(v, found.message, memory);
    return reason;
}

void validation_ending(const struct validation *v, tac_protocol_result *out)
{
    static const tac_admission admissions[] = {
        [STEP_OK] = TAC_ADMITTED,
        [STEP_STUCK] = TAC_ADMISSION_STUCK,
        [STEP_VIOLATION] = TAC_ADMISSION_VIOLATION,
        [STEP_CONFLICT] = TAC_ADMISSION_CONFLICT,
    };
    TABLE_COVERS(admissions, STEP_CONFLICT);
    assert(out->memory && v->result < sizeof admissions / sizeof *admissions);
    out->validated = true;
    out->admission = admissions[v->result];
    out->steps = v->steps;
    if (v->result == STEP_OK)
        return;
    out->because = because(v, out->memory);
    if (v->message != TAC_NONE)
        out->refused = one_message(v, v->message, out->memory);
}

static const tac_protocol_message *raised(const struct validation *v, const u32_vec *list,
                                          size_t *count, tac_arena *memory)
{
    *count = list->count < MOST_RAISED ? list->count : MOST_RAISED;
    tac_protocol_message *messages = tac_arena_calloc(memory, *count + 1, sizeof *messages);
    for (size_t i = 0; i < *count; i++)
        messages[i] = message_of(v, list->at[i], memory);
    return messages;
}

void validation_near_misses(const struct validation *v, tac_protocol_result *out)
{
    const struct problem *p = v->problem;
    near_misses misses = {0};
    spelling_check(p->specs, p->recording, &misses);
    tac_protocol_near_miss *list = tac_arena_calloc(out->memory, misses.count + 1, sizeof *list);
    for (size_t i = 0; i < misses.count; i++) {
        const struct near_miss *miss = &misses.at[i];
        tac_str text = {0};
        near_miss_text(miss, &text);
        list[i] = (tac_protocol_near_miss){
            .file = evidence_text(out->memory, p->specs->files.at[miss->file]),
            .line = miss->line,
            .column = miss->column,
            .written = evidence_text(out->memory, miss->written),
            .suggestion = evidence_text_or_null(out->memory, miss->recorded),
            .message = evidence_text(out->memory, tac_str_text(&text))};
        tac_str_free(&text);
    }
    out->near_misses = list;
    out->near_miss_count = misses.count;
    near_misses_free(&misses);
}

static void list_without_instance(const struct problem *p, tac_protocol_result *out)
{
    size_t count = p->specs->rules.count;
    uint8_t *used = tac_calloc(count + 1, 1);
    tac_protocol_place *list = tac_arena_calloc(out->memory, count + 1, sizeof *list);
    for (size_t i = 0; i < p->grounding.rules.count; i++)
        if (p->grounding.rules.at[i].source != TAC_NONE)
            used[p->grounding.rules.at[i].source] = 1;
    for (size_t i = 0; i < count; i++) {
        const struct spec_rule *rule = &p->specs->rules.at[i];
        if (!used[i])
            list[out->without_instance_count++] = (tac_protocol_place){
                evidence_text(out->memory, p->specs->files.at[rule->file]), rule->line};
    }
    assert(out->without_instance_count <= count);
    out->without_instance = list;
    free(used);
}

void validation_evidence(const struct validation *v, tac_protocol_result *out)
{
    const struct problem *p = v->problem;
    assert(out->validated);
    out->ground_rules = p->grounding.rules.count;
    out->reading = evidence_reading(p, out->memory);
    out->assumed_used = v->assumed;
    list_without_instance(p, out);
    out->foreseen = raised(v, &v->foreseen, &out->foreseen_count, out->memory);
    out->unforeseen = raised(v, &v->unforeseen, &out->unforeseen_count, out->memory);
}
