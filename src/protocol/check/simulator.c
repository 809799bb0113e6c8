/* See simulator.h. One derivative per rule and message. */
#include "protocol/check/simulator.h"
#include "base/check.h"
#include "base/data/alloc.h"

/* Applies the rules whose expression is nullable now. */
static enum step_result fire(struct simulator *s, uint32_t message)
{
    const struct grounding *g = s->grounding;
    size_t letters = s->recording->letters.count;
    uint32_t *permitted = tac_calloc(letters + 1, sizeof *permitted);
    uint32_t *prohibited = tac_calloc(letters + 1, sizeof *prohibited);
    bool conflict = false;
    for (uint32_t i = 0; i < g->rules.count; i++) {
        assert_costly(g->rules.at[i].target < letters);
        if (regex_nullable(&g->regex, s->terms[i]))
            (g->rules.at[i].permits ? permitted : prohibited)[g->rules.at[i].target] = i + 1;
    }
    for (uint32_t l = 0; l < letters; l++)
        if (permitted[l] && prohibited[l]) {
            s->conflict = (struct conflict){l, permitted[l] - 1, prohibited[l] - 1};
            conflict = true;
        }
    for (uint32_t l = 0; l < letters && !conflict; l++)
        if (permitted[l] || prohibited[l]) {
            s->blocked[l] = prohibited[l] != 0;
            s->reason[l] = (struct reason){permitted[l] + prohibited[l] - 1, message};
        }
    free(permitted);
    free(prohibited);
    if (conflict && !s->paper)
        return STEP_CONFLICT;
    s->doomed = s->doomed || conflict;
    return STEP_OK;
}

enum step_result simulator_start(struct simulator *s, const struct recording *recording,
                                 struct grounding *grounding, bool paper)
{
    size_t letters = recording->letters.count;
    assert(recording->letters.count && grounding);
    *s = (struct simulator){.recording = recording, .grounding = grounding, .paper = paper};
    s->terms = tac_calloc(grounding->rules.count + 1, sizeof *s->terms);
    s->blocked = tac_calloc(letters + 1, 1);
    s->reason = tac_alloc((letters + 1) * sizeof *s->reason);
    for (size_t l = 0; l < letters; l++)
        s->reason[l] = (struct reason){TAC_NONE, TAC_NONE};
    for (size_t i = 0; i < grounding->rules.count; i++)
        s->terms[i] = grounding->rules.at[i].term;
    return fire(s, TAC_NONE);
}

enum step_result simulator_step(struct simulator *s, uint32_t letter, uint32_t message)
{
    assert(letter < s->recording->letters.count);
    bool back = is_back(s->recording->letters.at[letter].direction);
    if (s->doomed || s->blocked[letter])
        return back ? STEP_STUCK : STEP_VIOLATION;
    for (size_t i = 0; i < s->grounding->rules.count; i++)
        s->terms[i] = regex_derivative(&s->grounding->regex, s->terms[i], letter);
    return fire(s, message);
}

void simulator_free(struct simulator *s)
{
    free(s->terms);
    free(s->blocked);
    free(s->reason);
    *s = (struct simulator){0};
}
