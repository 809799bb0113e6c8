/* Finding a small proof: abstraction refinement guided by counterexamples.
 *
 * Leaving a message untracked means that it never blocks: more runs, never fewer, so safety of the
 * abstraction is safety. Start with the targets alone; when the abstraction has a run to a target,
 * replay it on the full system: it must get stuck somewhere, and what stops it there is tracked
 * from then on. A cone with 26 million states can have a proof with a few dozen. */
#include "base/alloc.h"
#include "base/bits.h"
#include "protocol/certificate.h"
#include <string.h>

#define PROOF_STATE_BUDGET ((size_t)1 << 17)

/* Tracks a bit, and with it every machine with memory that has a rule about it. */
static void track_bit(const struct system *s, uint32_t bit, uint64_t *chosen)
{
    tac_bits_set(chosen, bit);
    for (uint32_t i = s->bit_first[bit]; i < s->bit_first[bit + 1]; i++)
        if (s->machines.at[s->bit_machines.at[i]].automaton.states > 1)
            tac_bits_set(chosen, s->bit_count + s->bit_machines.at[i]);
}

static void track_rule(const struct system *s, uint32_t rule, uint64_t *chosen)
{
    for (uint32_t m = 0; m < s->machines.count; m++) {
        const struct machine *machine = &s->machines.at[m];
        for (uint32_t i = 0; i < machine->effect_count; i++)
            if (s->effects.at[machine->first_effect + i].rule == rule &&
                machine->automaton.states > 1)
                tac_bits_set(chosen, s->bit_count + m);
    }
}

/* Replays an abstract run on the full system and tracks what stops it. False when nothing does. */
static bool refine(const struct system *s, const u32_vec *events, uint64_t *chosen)
{
    struct full_state state;
    struct conflict conflict;
    const struct recording *r = s->recording;
    bool refined = false;
    enum step_result result = full_state_start(s, &state, &conflict);
    for (size_t e = 0; e < events->count && result == STEP_OK; e++) {
        const struct top_level *top = &r->events.at[s->events.at[events->at[e]].recorded];
        for (uint32_t i = top->first; i < top->end && result == STEP_OK; i++) {
            uint32_t letter = r->messages.at[i].letter;
            result = full_state_step(s, &state, letter, i, &conflict);
            if (result == STEP_STUCK || result == STEP_VIOLATION) {
                uint32_t bit = s->letters[letter].bit;
                refined = !tac_bits_get(chosen, bit);
                track_bit(s, bit, chosen);
            }
        }
    }
    if (result == STEP_CONFLICT) {
        size_t words = tac_bits_words(cone_closure_size(s));
        size_t before = tac_bits_count(chosen, words);
        track_rule(s, conflict.permitting, chosen);
        track_rule(s, conflict.prohibiting, chosen);
        refined = tac_bits_count(chosen, words) > before;
    }
    full_state_free(&state);
    return refined;
}

static void release(struct cone *cone, struct target_result *targets)
{
    for (size_t i = 0; i < cone->targets.count; i++)
        tac_vec_free(&targets[i].events);
    free(targets);
}

tac_status certificate_prove(const struct system *s, const struct target_group *group,
                             tac_watch *watch, struct cone *cone, struct state_set *states,
                             tac_error *err)
{
    size_t words = tac_bits_words(cone_closure_size(s));
    uint64_t *chosen = tac_calloc(words + 1, sizeof *chosen);
    tac_status status = TAC_OK;
    for (uint32_t e = 0; e < s->events.count; e++) {
        size_t member = s->bit_count + s->machines.count + e;
        if (tac_bits_get(group->closure, member))
            tac_bits_set(chosen, member);
    }
    for (size_t i = 0; i < group->bits.count; i++)
        track_bit(s, group->bits.at[i], chosen);
    for (bool done = false; !done && status == TAC_OK;) {
        bool complete;
        uint64_t reached = 0;
        cone_build(s, chosen, cone);
        struct target_result *targets = tac_calloc(group->bits.count + 1, sizeof *targets);
        for (size_t i = 0; i < group->bits.count; i++) {
            tac_vec_push(&cone->targets, group->bits.at[i]);
            targets[i].bit = group->bits.at[i];
        }
        status =
            search_bfs(cone, PROOF_STATE_BUDGET, watch, targets, &complete, &reached, states, err);
        done = status == TAC_OK && complete;
        bool any_unsafe = false, refined = false;
        for (size_t i = 0; i < group->bits.count && status == TAC_OK; i++)
            if (targets[i].verdict == SEARCH_UNSAFE) {
                any_unsafe = true;
                refined = refine(s, &targets[i].events, chosen) || refined;
            }
        done = done && !any_unsafe;
        if (any_unsafe && !refined)
            status = tac_fail(err, TAC_E_INTERNAL, "a proof of safety meets a counterexample");
        if (status == TAC_OK && !done && !any_unsafe)
            status = tac_fail(err, TAC_E_LIMIT,
                              "no proof with fewer than %zu states was found: ask for one call at "
                              "a time with --target",
                              PROOF_STATE_BUDGET);
        release(cone, targets);
        if (!done) {
            cone_free(cone);
            free(states->words);
            *states = (struct state_set){0};
        }
    }
    free(chosen);
    return status;
}
