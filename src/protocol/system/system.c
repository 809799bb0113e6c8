/* Building the transition system and walking it one message at a time. See system.h.
 *
 * A letter knows the machines that read it; machines that also react to other letters (a rule
 * without "TRUE[*]" in front) are kept apart as restless and read everything. So a step costs the
 * number of machines concerned, not the number of rules. */
#include "protocol/system/system.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <string.h>

static bool reacts_to_others(const struct automaton *a)
{
    for (uint32_t s = 0; s < a->states; s++)
        if (a->next[s * a->classes] != s || a->fires[s * a->classes])
            return true;
    return false;
}

static void add_bit(struct system *s, uint32_t letter)
{
    assert(letter < s->recording->letters.count);
    if (s->letters[letter].bit != TAC_NONE)
        return;
    s->letters[letter].bit = s->bit_count++;
    tac_vec_push(&s->bit_letters, letter);
}

struct rule_order {
    uint32_t term, rule;
};

static int compare_order(const void *left, const void *right)
{
    const struct rule_order *a = left, *b = right;
    if (a->term != b->term)
        return a->term < b->term ? -1 : 1;
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

static tac_status add_machine(struct system *s, uint32_t term, uint32_t rule, tac_error *err)
{
    uint32_t number = s->grounding->rules.at[rule].source;
    struct machine machine = {.term = term, .first_effect = (uint32_t)s->effects.count};
    assert(rule < s->grounding->rules.count);
    /* Deriving adds terms to the store: the grounding's, which is ours to extend. */
    struct regex_store *store = (struct regex_store *)&s->grounding->regex;
    tac_error why = {0};
    if (automaton_build(store, term, &machine.automaton, &why) != TAC_OK) {
        if (number == TAC_NONE)
            return tac_fail(err, why.status, "%s", why.message);
        const struct spec_rule *source = &s->specs->rules.at[number];
        return tac_fail_at(err, why.status, s->specs->files.at[source->file], source->line,
                           source->column, "%s", why.message);
    }
    machine.restless = reacts_to_others(&machine.automaton);
    if (machine.restless)
        tac_vec_push(&s->restless, (uint32_t)s->machines.count);
    for (uint32_t i = 0; i < machine.automaton.letter_count; i++)
        s->letters[machine.automaton.letters[i]].mentioned = true;
    tac_vec_push(&s->machines, machine);
    return TAC_OK;
}

/* Rules sorted by left-hand side; each group becomes one machine with its effects. */
static tac_status add_machines(struct system *s, tac_error *err)
{
    size_t count = s->grounding->rules.count;
    struct rule_order *order = tac_calloc(count + 1, sizeof *order);
    for (size_t i = 0; i < count; i++)
        order[i] = (struct rule_order){s->grounding->rules.at[i].term, (uint32_t)i};
    qsort(order, count, sizeof *order, compare_order);
    tac_status status = TAC_OK;
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        if (!i || order[i].term != order[i - 1].term)
            status = add_machine(s, order[i].term, order[i].rule, err);
        if (status != TAC_OK)
            break;
        const struct ground_rule *rule = &s->grounding->rules.at[order[i].rule];
        add_bit(s, rule->target);
        s->letters[rule->target].mentioned = true;
        tac_vec_push(&s->effects, (struct effect){.bit = s->letters[rule->target].bit,
                                                  .permits = rule->permits,
                                                  .rule = order[i].rule});
        tac_vec_last(&s->machines).effect_count++;
    }
    free(order);
    return status;
}

/* Counting sort of (bit, machine) pairs into per-bit runs. */
static void index_bits(struct system *s)
{
    assert(s->bit_letters.count == s->bit_count);
    s->bit_first = tac_calloc(s->bit_count + 2, sizeof *s->bit_first);
    for (size_t i = 0; i < s->effects.count; i++)
        s->bit_first[s->effects.at[i].bit + 1]++;
    for (uint32_t b = 0; b < s->bit_count; b++)
        s->bit_first[b + 1] += s->bit_first[b];
    uint32_t *next = tac_calloc(s->bit_count + 1, sizeof *next);
    memcpy(next, s->bit_first, s->bit_count * sizeof *next);
    tac_vec_reserve(&s->bit_machines, s->effects.count + 1);
    s->bit_machines.count = s->effects.count;
    for (uint32_t m = 0; m < s->machines.count; m++)
        for (uint32_t i = 0; i < s->machines.at[m].effect_count; i++) {
            uint32_t bit = s->effects.at[s->machines.at[m].first_effect + i].bit;
            s->bit_machines.at[next[bit]++] = m;
        }
    free(next);
}

/* Counting sort of (letter, machine) pairs into per-letter runs. */
static void index_uses(struct system *s)
{
    size_t total = 0;
    for (size_t m = 0; m < s->machines.count; m++) {
        const struct automaton *a = &s->machines.at[m].automaton;
        for (uint32_t i = 0; i < a->letter_count; i++)
            s->letters[a->letters[i]].use_count++;
        total += a->letter_count;
    }
    uint32_t next = 0;
    for (size_t l = 0; l < s->recording->letters.count; l++) {
        s->letters[l].first_use = next;
        next += s->letters[l].use_count;
        s->letters[l].use_count = 0;
    }
    tac_vec_reserve(&s->uses, total + 1);
    s->uses.count = total;
    for (size_t m = 0; m < s->machines.count; m++) {
        const struct automaton *a = &s->machines.at[m].automaton;
        for (uint32_t i = 0; i < a->letter_count; i++) {
            struct letter_info *info = &s->letters[a->letters[i]];
            s->uses.at[info->first_use + info->use_count++] =
                (struct machine_use){(uint32_t)m, a->letter_class[i]};
        }
    }
}

/* The letters of one event that matter, and where they stand in the recording. */
static void event_word(const struct system *s, const struct top_level *top, u32_vec *word,
                       u32_vec *places)
{
    const struct recording *r = s->recording;
    assert(top->first <= top->end && top->end <= s->recording->messages.count);
    word->count = places->count = 0;
    bool after_other = true;
    for (uint32_t i = top->first; i < top->end; i++) {
        uint32_t letter = r->messages.at[i].letter;
        if (!s->letters[letter].mentioned) {
            /* To a restless machine all unmentioned letters are alike; under the paper's reading
             * the message right after a conflict decides, whatever it is. */
            if (!s->restless.count && (!s->paper || after_other))
                continue;
            letter = is_back(r->letters.at[letter].direction) ? OTHER_BACK : OTHER_IN;
        }
        after_other = letter == OTHER_BACK || letter == OTHER_IN;
        tac_vec_push(word, letter);
        tac_vec_push(places, i);
    }
}

/* Distinct events. Those that ended in an exception are no behaviour to build on: left out. */
static void collect_events(struct system *s)
{
    const struct recording *r = s->recording;
    tac_names seen = {0};
    u32_vec word = {0}, places = {0};
    for (size_t e = 0; e < r->events.count; e++) {
        if (r->events.at[e].raised) {
            tac_vec_push(&s->event_of, TAC_NONE);
            continue;
        }
        event_word(s, &r->events.at[e], &word, &places);
        uint32_t number = tac_names_intern_bytes(&seen, word.at, word.count * sizeof *word.at);
        tac_vec_push(&s->event_of, number);
        if (number < s->events.count) {
            s->events.at[number].times++;
            continue;
        }
        tac_vec_push(&s->events, (struct event){.first_letter = (uint32_t)s->event_letters.count,
                                                .letter_count = (uint32_t)word.count,
                                                .recorded = (uint32_t)e,
                                                .times = 1});
        tac_vec_append(&s->event_letters, word.at, word.count);
        tac_vec_append(&s->event_messages, places.at, places.count);
    }
    tac_vec_free(&word);
    tac_vec_free(&places);
    tac_names_free(&seen);
}

static bool is_other(uint32_t letter)
{
    return letter == OTHER_BACK || letter == OTHER_IN;
}

/* Which events hold a letter (an event once per occurrence; repeats do no harm). */
static void index_events(struct system *s)
{
    for (size_t i = 0; i < s->event_letters.count; i++)
        if (!is_other(s->event_letters.at[i]))
            s->letters[s->event_letters.at[i]].event_count++;
    uint32_t next = 0;
    for (size_t l = 0; l < s->recording->letters.count; l++) {
        s->letters[l].first_event = next;
        next += s->letters[l].event_count;
        s->letters[l].event_count = 0;
    }
    tac_vec_reserve(&s->letter_events, next + 1);
    s->letter_events.count = next;
    for (uint32_t e = 0; e < s->events.count; e++)
        for (uint32_t i = 0; i < s->events.at[e].letter_count; i++) {
            uint32_t letter = s->event_letters.at[s->events.at[e].first_letter + i];
            if (is_other(letter))
                continue;
            struct letter_info *info = &s->letters[letter];
            s->letter_events.at[info->first_event + info->event_count++] = e;
        }
}

tac_status system_build(const struct spec_set *specs, const struct recording *recording,
                        const struct grounding *grounding, bool paper, struct system *out,
                        tac_error *err)
{
    *out = (struct system){
        .recording = recording, .specs = specs, .grounding = grounding, .paper = paper};
    out->letters = tac_calloc(recording->letters.count + 1, sizeof *out->letters);
    out->store = system_store_new();
    for (size_t i = 0; i < recording->letters.count; i++)
        out->letters[i].bit = TAC_NONE;
    tac_status status = add_machines(out, err);
    if (status != TAC_OK) {
        system_free(out);
        return status;
    }
    out->prohibitable = tac_calloc(out->bit_count + 1, 1);
    for (size_t i = 0; i < out->effects.count; i++)
        if (!out->effects.at[i].permits)
            out->prohibitable[out->effects.at[i].bit] = 1;
    index_bits(out);
    index_uses(out);
    system_collect_events(out);
    return TAC_OK;
}

void system_collect_events(struct system *s)
{
    system_store_free(s->store); /* its arrays are sized by the events */
    s->store = system_store_new();
    s->event_of.count = 0;
    s->events.count = s->event_letters.count = s->event_messages.count = 0;
    for (size_t l = 0; l < s->recording->letters.count; l++)
        s->letters[l].event_count = 0;
    collect_events(s);
    index_events(s);
    assert(s->event_letters.count == s->event_messages.count);
}

void system_free(struct system *s)
{
    for (size_t i = 0; i < s->machines.count; i++)
        automaton_free(&s->machines.at[i].automaton);
    tac_vec_free(&s->machines);
    tac_vec_free(&s->effects);
    tac_vec_free(&s->uses);
    tac_vec_free(&s->restless);
    tac_vec_free(&s->events);
    tac_vec_free(&s->event_of);
    tac_vec_free(&s->event_letters);
    tac_vec_free(&s->event_messages);
    tac_vec_free(&s->letter_events);
    tac_vec_free(&s->bit_letters);
    tac_vec_free(&s->bit_machines);
    free(s->bit_first);
    free(s->prohibitable);
    free(s->letters);
    system_store_free(s->store);
    *s = (struct system){0};
}

/* Rules that fire at one step. */
struct fired {
    TAC_VEC(uint32_t) effects;
};

static void machine_fires(const struct system *s, uint32_t machine, struct fired *fired)
{
    const struct machine *m = &s->machines.at[machine];
    for (uint32_t i = 0; i < m->effect_count; i++)
        tac_vec_push(&fired->effects, m->first_effect + i);
}

/* Applies what fired; false when two rules disagree about a message. */
static bool apply(const struct system *s, const struct fired *fired, struct full_state *state,
                  uint32_t message, struct conflict *conflict)
{
    bool consistent = true;
    for (size_t i = 0; i < fired->effects.count; i++) {
        const struct effect *a = &s->effects.at[fired->effects.at[i]];
        uint32_t *mark = &state->mark[a->bit];
        const struct effect *b = *mark ? &s->effects.at[*mark - 1] : a;
        if (a->permits != b->permits && consistent) {
            *conflict = (struct conflict){.bit = a->bit,
                                          .permitting = a->permits ? a->rule : b->rule,
                                          .prohibiting = a->permits ? b->rule : a->rule};
            consistent = false;
        }
        *mark = fired->effects.at[i] + 1;
    }
    for (size_t i = 0; i < fired->effects.count; i++) {
        const struct effect *effect = &s->effects.at[fired->effects.at[i]];
        state->mark[effect->bit] = 0;
        if (!consistent)
            continue;
        if (state->remembers)
            tac_vec_push(&state->changes,
                         (struct state_change){.index = effect->bit,
                                               .blocked = state->blocked[effect->bit],
                                               .reason = state->reason[effect->bit]});
        state->blocked[effect->bit] = !effect->permits;
        state->reason[effect->bit] = (struct reason){effect->rule, message};
    }
    return consistent;
}

static enum step_result finish_step(const struct system *s, struct fired *fired,
                                    struct full_state *state, uint32_t message,
                                    struct conflict *conflict)
{
    bool consistent = apply(s, fired, state, message, conflict);
    tac_vec_free(&fired->effects);
    if (consistent)
        return STEP_OK;
    if (!s->paper)
        return STEP_CONFLICT;
    state->doomed = true;
    return STEP_OK;
}

enum step_result full_state_start(const struct system *s, struct full_state *out,
                                  struct conflict *conflict)
{
    assert(s->bit_first || !s->bit_count);
    *out = (struct full_state){
        .blocked = tac_calloc(s->bit_count + 1, 1),
        .reason = tac_calloc(s->bit_count + 1, sizeof *out->reason),
        .at = tac_calloc(s->machines.count + 1, sizeof *out->at),
        .mark = tac_calloc(s->bit_count + 1, sizeof *out->mark),
    };
    for (uint32_t i = 0; i < s->bit_count; i++)
        out->reason[i] = (struct reason){TAC_NONE, TAC_NONE};
    struct fired fired = {0};
    for (uint32_t m = 0; m < s->machines.count; m++) {
        out->at[m] = s->machines.at[m].automaton.initial;
        if (s->machines.at[m].automaton.fires_at_start)
            machine_fires(s, m, &fired);
    }
    return finish_step(s, &fired, out, TAC_NONE, conflict);
}

static void move_machine(const struct system *s, uint32_t machine, uint32_t class,
                         struct full_state *state, struct fired *fired)
{
    const struct automaton *a = &s->machines.at[machine].automaton;
    size_t edge = (size_t)state->at[machine] * a->classes + class;
    if (state->remembers && a->next[edge] != state->at[machine])
        tac_vec_push(
            &state->changes,
            (struct state_change){.index = machine, .is_machine = true, .at = state->at[machine]});
    state->at[machine] = a->next[edge];
    if (a->fires[edge])
        machine_fires(s, machine, fired);
}

void full_state_rewind(struct full_state *state, size_t mark)
{
    assert(mark <= state->changes.count);
    while (state->changes.count > mark) {
        struct state_change change = tac_vec_pop(&state->changes);
        if (change.is_machine) {
            state->at[change.index] = change.at;
        } else {
            state->blocked[change.index] = change.blocked;
            state->reason[change.index] = change.reason;
        }
    }
}

enum step_result full_state_step(const struct system *s, struct full_state *state, uint32_t letter,
                                 uint32_t message, struct conflict *conflict)
{
    const struct letter_info *info = &s->letters[letter];
    bool back = is_back(s->recording->letters.at[letter].direction);
    if (state->doomed || (info->bit != TAC_NONE && state->blocked[info->bit]))
        return back ? STEP_STUCK : STEP_VIOLATION;
    struct fired fired = {0};
    for (uint32_t i = 0; i < info->use_count; i++) {
        const struct machine_use *use = &s->uses.at[info->first_use + i];
        move_machine(s, use->machine, use->class, state, &fired);
    }
    for (size_t i = 0; i < s->restless.count; i++) {
        uint32_t m = s->restless.at[i];
        const struct automaton *a = &s->machines.at[m].automaton;
        bool reads = false;
        for (uint32_t k = 0; k < info->use_count && !reads; k++)
            reads = s->uses.at[info->first_use + k].machine == m;
        if (!reads && (a->next[state->at[m] * a->classes] != state->at[m] ||
                       a->fires[state->at[m] * a->classes]))
            move_machine(s, m, 0, state, &fired);
    }
    return finish_step(s, &fired, state, message, conflict);
}

void full_state_free(struct full_state *state)
{
    free(state->blocked);
    free(state->reason);
    free(state->at);
    free(state->mark);
    tac_vec_free(&state->changes);
    *state = (struct full_state){0};
}
