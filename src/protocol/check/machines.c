/* (1) of the certificate checker: each machine of a cone is the automaton of one of the checker's
 * own ground rules for each effect it claims, and every own rule about a tracked message has its
 * machine.
 *
 * Machine and automaton are equal when they fire on the same histories, which a walk over all pairs
 * of states reached together decides. Cost: rules times effects, each the product of both automata
 * and their letters. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "protocol/check/check_certificate.h"
#include <string.h>

uint32_t check_machine_class(const struct check_machine *m, uint32_t letter)
{
    for (size_t i = 0; i < m->letters.count; i++)
        if (m->letters.at[i] == letter)
            return m->letter_class.at[i];
    return 0;
}

const struct own_automaton *check_own_automaton(struct checker *c, uint32_t rule)
{
    assert(rule < c->rules.rules.count);
    struct own_automaton *own = &c->own[rule];
    if (own->made || c->status != TAC_OK)
        return own;
    own->made = true;
    check_tree_letters(c->rules.rules.at[rule].body, &own->letters);
    c->status = check_dfa_build(c->rules.rules.at[rule].body, own->letters.at, own->letters.count,
                                &own->dfa, c->err);
    if (c->status != TAC_OK)
        return own;
    /* Does it accept anything at all? */
    uint8_t *seen = tac_calloc(own->dfa.states + 1, 1);
    check_vec work = {0};
    tac_vec_push(&work, own->dfa.start);
    seen[own->dfa.start] = 1;
    while (work.count) {
        uint32_t s = tac_vec_pop(&work);
        own->fires_ever = own->fires_ever || own->dfa.accepts[s];
        for (uint32_t k = 0; k < own->dfa.symbols; k++) {
            uint32_t to = own->dfa.next[s * own->dfa.symbols + k];
            if (!seen[to])
                tac_vec_push(&work, to);
            seen[to] = 1;
        }
    }
    free(seen);
    tac_vec_free(&work);
    return own;
}

static uint32_t own_symbol(const struct own_automaton *own, uint32_t letter)
{
    for (size_t i = 0; i < own->letters.count; i++)
        if (own->letters.at[i] == letter)
            return (uint32_t)i;
    return (uint32_t)own->letters.count;
}

/* Do machine and automaton fire on the same histories? Walks all pairs of states reached together.
 * Letters: those of either side, and one that neither mentions. */
static bool same_language(const struct check_machine *m, const struct own_automaton *own)
{
    check_vec letters = {0};
    tac_names seen = {0};
    tac_vec_append(&letters, m->letters.at, m->letters.count);
    tac_vec_append(&letters, own->letters.at, own->letters.count);
    tac_vec_push(&letters, TAC_NONE);
    bool same = m->fires_at_start == (own->dfa.accepts[own->dfa.start] != 0);
    uint32_t pair[2] = {m->initial, own->dfa.start};
    tac_names_intern_bytes(&seen, pair, sizeof pair);
    assert(own->made && own->dfa.states > own->dfa.start);
    for (uint32_t at = 0; at < seen.count && same; at++)
        for (size_t i = 0; i < letters.count && same; i++) {
            memcpy(pair, seen.text[at], sizeof pair);
            uint32_t edge = pair[0] * m->classes + check_machine_class(m, letters.at[i]);
            uint32_t to =
                own->dfa.next[pair[1] * own->dfa.symbols + own_symbol(own, letters.at[i])];
            same = (m->fires[edge] != 0) == (own->dfa.accepts[to] != 0);
            pair[0] = m->next[edge];
            pair[1] = to;
            tac_names_intern_bytes(&seen, pair, sizeof pair);
        }
    tac_names_free(&seen);
    tac_vec_free(&letters);
    return same;
}

void check_effects(struct checker *c, const struct check_cone *cone)
{
    assert(!c->rejected && cone->with_memory <= cone->machines.count);
    for (size_t m = 0; m < cone->machines.count; m++)
        for (size_t e = 0; e < cone->machines.at[m].effects.count && !c->rejected; e++) {
            const struct check_effect *effect = &cone->machines.at[m].effects.at[e];
            bool found = false;
            for (uint32_t r = 0; r < c->rules.rules.count && !found && c->status == TAC_OK; r++) {
                const struct check_rule *rule = &c->rules.rules.at[r];
                found = rule->target == effect->letter && rule->permits == effect->permits &&
                        check_own_automaton(c, r)->made && c->status == TAC_OK &&
                        same_language(&cone->machines.at[m], &c->own[r]);
            }
            if (!found && c->status == TAC_OK)
                check_reject(c, "machine %zu claims an effect that no rule has", m);
        }
}

void check_complete(struct checker *c, const struct check_cone *cone)
{
    assert(!c->rejected && cone->tracked);
    for (uint32_t r = 0; r < c->rules.rules.count && !c->rejected && c->status == TAC_OK; r++) {
        const struct check_rule *rule = &c->rules.rules.at[r];
        if (!cone->tracked[rule->target] || !check_own_automaton(c, r)->fires_ever ||
            c->status != TAC_OK)
            continue;
        bool found = false;
        for (size_t m = 0; m < cone->machines.count && !found; m++) {
            const struct check_machine *machine = &cone->machines.at[m];
            for (size_t e = 0; e < machine->effects.count && !found; e++)
                found = machine->effects.at[e].letter == rule->target &&
                        machine->effects.at[e].permits == rule->permits &&
                        same_language(machine, &c->own[r]);
        }
        if (!found) {
            const struct spec_rule *source = &c->specs->rules.at[rule->source];
            check_reject(c, "no machine for an instance of the rule %s:%u",
                         c->specs->files.at[source->file], source->line);
        }
    }
}
