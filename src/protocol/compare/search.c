/* The product of two systems, searched breadth first over an abstraction that grows.
 *
 * A message about which both sides have the same ground rules is blocked in both or in neither, on
 * every sequence that both admit: it cannot tell them apart, only keep both from going on. So the
 * messages whose rules differ are tracked from the start, and every difference shows; the others
 * are tracked when a sequence that was found turns out to be impossible because of them. A sequence
 * that both full systems follow to the difference is a shortest one.
 *
 * States are byte strings: a byte per tracked message, four per tracked machine, for A and then B.
 */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/order.h"
#include "protocol/compare/compare.h"
#include "protocol/system/cone.h"
#include <string.h>

struct side {
    const struct system *system;
    struct grounding *grounding;
    struct member_set tracked; /* bits and machines with memory */
    uint32_t *offset;          /* per member: place in the state's bytes, plus 1; borrowed */
    size_t size;               /* bytes of this side's part */
    uint32_t *signs;           /* borrowed, zero between messages */
    u32_vec touched, machines, classes;
    tac_u64map hashes; /* of terms */
};

struct product {
    struct side sides[2];
    u32_vec events; /* recorded events, distinct for the two sides together */
    tac_names states;
    u32_vec parents, causes; /* per state */
};

/* A structural hash of a term: equal terms of two stores have equal hashes. */
static uint64_t term_hash(struct side *s, uint32_t index)
{
    const struct regex_store *store = &s->grounding->regex;
    const uint64_t *known = tac_u64map_find(&s->hashes, index);
    assert(index < s->grounding->regex.terms.count);
    if (known)
        return *known;
    struct term term = store->terms.at[index];
    uint64_t hash = tac_hash_u64(term.kind + 1);
    if (term.kind == TERM_KIND_ONE) {
        hash = tac_hash_bytes(store->sets.text[term.left], store->sets.length[term.left],
                              hash + term.right);
    } else if (term.kind == TERM_KIND_OR || term.kind == TERM_KIND_AND) {
        /* The order of alternatives is the store's own: add their hashes up. */
        uint64_t sum = 0;
        uint32_t at = index;
        while (store->terms.at[at].kind == term.kind) {
            sum += tac_hash_u64(term_hash(s, store->terms.at[at].left));
            at = store->terms.at[at].right;
        }
        hash = tac_hash_u64(hash ^ (sum + tac_hash_u64(term_hash(s, at))));
    } else if (term_operands(term.kind) > 0) {
        hash = tac_hash_u64(hash ^ term_hash(s, term.left));
        if (term.kind == TERM_KIND_SEQ)
            hash = tac_hash_u64(hash * 31 + term_hash(s, term.right));
    }
    *tac_u64map_at(&s->hashes, index, hash, NULL) = hash;
    return hash;
}

/* What a side's rules about a letter amount to, whatever their order. */
static uint64_t *letter_hashes(struct side *s)
{
    uint64_t *sums = tac_calloc(s->system->recording->letters.count + 1, sizeof *sums);
    for (size_t i = 0; i < s->grounding->rules.count; i++) {
        const struct ground_rule *rule = &s->grounding->rules.at[i];
        sums[rule->target] += tac_hash_u64(term_hash(s, rule->term) * 2 + rule->permits);
    }
    return sums;
}

static void track(struct side *s, uint32_t letter)
{
    uint32_t bit = s->system->letters[letter].bit;
    assert(letter < s->system->recording->letters.count);
    if (bit != TAC_NONE)
        member_set_track(s->system, bit, &s->tracked);
}

static void track_both(struct product *p, uint32_t letter)
{
    for (int k = 0; k < 2; k++)
        track(&p->sides[k], letter);
}

static void track_differences(struct product *p)
{
    uint64_t *a = letter_hashes(&p->sides[SIDE_A]), *b = letter_hashes(&p->sides[SIDE_B]);
    for (uint32_t l = 0; l < p->sides[SIDE_A].system->recording->letters.count; l++)
        if (a[l] != b[l])
            track_both(p, l);
    free(a);
    free(b);
}

static void lay_out(struct side *s)
{
    s->size = 0;
    for (size_t i = 0; i < s->tracked.members.count; i++) {
        uint32_t member = s->tracked.members.at[i];
        s->offset[member] = (uint32_t)s->size + 1;
        s->size += member < s->system->bit_count ? 1 : sizeof(uint32_t);
    }
}

/* Notes what a machine does to tracked messages; false when it disagrees with another. */
static bool note(struct side *s, uint32_t machine)
{
    const struct machine *m = &s->system->machines.at[machine];
    bool consistent = true;
    for (uint32_t i = 0; i < m->effect_count; i++) {
        const struct effect *e = &s->system->effects.at[m->first_effect + i];
        if (!s->offset[e->bit])
            continue;
        if (!s->signs[e->bit])
            tac_vec_push(&s->touched, e->bit);
        s->signs[e->bit] |= e->permits ? 1 : 2;
        consistent = consistent && s->signs[e->bit] != 3;
    }
    return consistent;
}

static bool settle(struct side *s, uint8_t *state, bool consistent)
{
    for (size_t i = 0; i < s->touched.count; i++) {
        uint32_t bit = s->touched.at[i];
        if (consistent)
            state[s->offset[bit] - 1] = s->signs[bit] == 2;
        s->signs[bit] = 0;
    }
    s->touched.count = 0;
    return consistent;
}

static bool start(struct side *s, uint8_t *state)
{
    bool consistent = true;
    memset(state, 0, s->size);
    for (uint32_t m = 0; m < s->system->machines.count; m++) {
        const struct automaton *a = &s->system->machines.at[m].automaton;
        uint32_t place = s->offset[machine_member(s->system, m)];
        if (place)
            memcpy(state + place - 1, &a->initial, sizeof a->initial);
        if (a->fires_at_start)
            consistent = note(s, m) && consistent;
    }
    return settle(s, state, consistent);
}

static bool read_letter(struct side *s, uint8_t *state, uint32_t letter)
{
    const struct system *y = s->system;
    bool other = letter == OTHER_BACK || letter == OTHER_IN, consistent = true;
    uint32_t bit = other ? TAC_NONE : y->letters[letter].bit;
    if (bit != TAC_NONE && s->offset[bit] && state[s->offset[bit] - 1])
        return false;
    cone_readers(y, letter, &s->machines, &s->classes);
    for (size_t i = 0; i < s->machines.count; i++) {
        const struct automaton *a = &y->machines.at[s->machines.at[i]].automaton;
        uint32_t place = s->offset[machine_member(y, s->machines.at[i])], at = a->initial;
        if (a->states > 1 && !place)
            continue;
        if (place)
            memcpy(&at, state + place - 1, sizeof at);
        size_t edge = (size_t)at * a->classes + s->classes.at[i];
        assert(edge < (size_t)a->states * a->classes);
        if (place)
            memcpy(state + place - 1, &a->next[edge], sizeof at);
        if (a->fires[edge])
            consistent = note(s, s->machines.at[i]) && consistent;
    }
    return settle(s, state, consistent);
}

/* Does the side admit the event? The state is undefined if not. */
static bool run_event(struct side *s, uint8_t *state, uint32_t recorded)
{
    const struct event *e = &s->system->events.at[s->system->event_of.at[recorded]];
    assert(recorded < s->system->event_of.count && s->system->event_of.at[recorded] != TAC_NONE);
    for (uint32_t i = 0; i < e->letter_count; i++)
        if (!read_letter(s, state, s->system->event_letters.at[e->first_letter + i]))
            return false;
    return true;
}

struct refusal compare_follow(const struct system *s, const u32_vec *events)
{
    struct refusal refusal = {.message = TAC_NONE};
    const struct recording *r = s->recording;
    struct full_state *state = system_start(s, &refusal.result, &refusal.conflict);
    for (size_t e = 0; e < events->count && refusal.result == STEP_OK; e++) {
        const struct top_level *top = &r->events.at[events->at[e]];
        for (uint32_t i = top->first; i < top->end && refusal.result == STEP_OK; i++) {
            uint32_t letter = r->messages.at[i].letter;
            refusal.result = full_state_step(s, state, letter, i, &refusal.conflict);
            refusal.message = i;
            if (refusal.result == STEP_STUCK || refusal.result == STEP_VIOLATION)
                refusal.reason = state->reason[s->letters[letter].bit];
        }
    }
    full_state_rewind(state, 0);
    return refusal;
}

static void path_to(const struct product *p, uint32_t state, uint32_t last, u32_vec *out)
{
    out->count = 0;
    tac_vec_push(out, last);
    for (; p->parents.at[state] != TAC_NONE; state = p->parents.at[state])
        tac_vec_push(out, p->causes.at[state]);
    tac_reverse(out->at, out->count);
}

/* The letter that a full system refuses: of the message, or the one that rules disagree about. */
static uint32_t refused_letter(const struct system *s, const struct refusal *refusal)
{
    assert(refusal->result != STEP_OK);
    if (refusal->result == STEP_CONFLICT)
        return s->bit_letters.at[refusal->conflict.bit];
    return s->recording->messages.at[refusal->message].letter;
}

/* A difference in the abstraction: true, or what was missed is tracked (then *refined). */
static bool confirm(struct product *p, const u32_vec *events, int admits, bool *refined)
{
    u32_vec before = {.at = events->at, .count = events->count - 1};
    bool real = true;
    assert(events->count && (admits == SIDE_A || admits == SIDE_B));
    for (int k = 0; k < 2; k++) {
        const struct system *s = p->sides[k].system;
        struct refusal refusal = compare_follow(s, k == admits ? events : &before);
        if (refusal.result == STEP_OK)
            continue;
        size_t known = p->sides[0].tracked.members.count + p->sides[1].tracked.members.count;
        track_both(p, refused_letter(s, &refusal));
        *refined = *refined ||
                   p->sides[0].tracked.members.count + p->sides[1].tracked.members.count > known;
        real = false;
    }
    assert_costly(!real || compare_follow(p->sides[!admits].system, events).result != STEP_OK);
    return real;
}

static void add_state(struct product *p, const uint8_t *state, size_t size, uint32_t parent,
                      uint32_t cause)
{
    if (!tac_names_add(&p->states, state, size))
        return;
    tac_vec_push(&p->parents, parent);
    tac_vec_push(&p->causes, cause);
}

static void clear_states(struct product *p)
{
    tac_names_free(&p->states);
    p->states = (tac_names){0};
    p->parents.count = p->causes.count = 0;
}

/* One event from one state. True when the abstraction must be refined. */
static bool expand(struct product *p, uint32_t from, uint32_t event, uint8_t *state,
                   struct comparison *out)
{
    assert(from < p->states.count && p->parents.count == p->states.count);
    size_t size = p->sides[0].size + p->sides[1].size;
    bool ok[2], refined = false;
    u32_vec path = {0};
    memcpy(state, p->states.text[from], size);
    for (int k = 0; k < 2; k++)
        ok[k] = run_event(&p->sides[k], state + (k ? p->sides[0].size : 0), event);
    if (ok[0] && ok[1]) {
        add_state(p, state, size, from, event);
        return false;
    }
    int admits = ok[SIDE_A] ? SIDE_A : SIDE_B;
    if (ok[0] == ok[1] || out->only[admits].found)
        return false;
    path_to(p, from, event, &path);
    if (confirm(p, &path, admits, &refined)) {
        out->only[admits].found = true;
        tac_vec_append(&out->only[admits].events, path.at, path.count);
    }
    tac_vec_free(&path);
    return refined;
}

/* One abstraction. *refined: it was too coarse, and has grown. */
static tac_status search_once(struct product *p, size_t budget, tac_watch *watch, bool *refined,
                              struct comparison *out, tac_error *err)
{
    *refined = false;
    clear_states(p);
    for (int k = 0; k < 2; k++)
        lay_out(&p->sides[k]);
    uint8_t *state = tac_calloc(p->sides[0].size + p->sides[1].size + 1, 1);
    tac_status status = TAC_OK;
    bool a = start(&p->sides[0], state), b = start(&p->sides[1], state + p->sides[0].size);
    if (a && b)
        add_state(p, state, p->sides[0].size + p->sides[1].size, TAC_NONE, TAC_NONE);
    out->complete = true;
    for (uint32_t i = 0; i < p->states.count && !*refined && status == TAC_OK; i++) {
        if (i % 256 == 0 && !tac_watch_tick(watch, "states", i, 0))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted while comparing");
        if (p->states.count > budget) {
            out->complete = false;
            break;
        }
        for (size_t e = 0; e < p->events.count && !*refined && status == TAC_OK; e++)
            *refined = expand(p, i, p->events.at[e], state, out);
        if (out->only[0].found && out->only[1].found)
            break;
    }
    out->states += p->states.count;
    free(state);
    return status;
}

/* Recorded events that some side tells from the others; those that raised are no behaviour. */
static void collect_events(struct product *p)
{
    const struct recording *r = p->sides[0].system->recording;
    tac_names seen = {0};
    for (uint32_t e = 0; e < r->events.count; e++) {
        uint32_t pair[2] = {p->sides[0].system->event_of.at[e], p->sides[1].system->event_of.at[e]};
        assert((pair[0] == TAC_NONE) == (pair[1] == TAC_NONE));
        if (pair[0] == TAC_NONE)
            continue;
        if (tac_names_add(&seen, pair, sizeof pair))
            tac_vec_push(&p->events, e);
    }
    tac_names_free(&seen);
}

static void side_close(struct side *s)
{
    for (size_t i = 0; i < s->tracked.members.count; i++)
        s->offset[s->tracked.members.at[i]] = 0;
    system_return(s->system, s->offset);
    system_return(s->system, s->signs);
    member_set_close(s->system, &s->tracked);
    tac_vec_free(&s->touched);
    tac_vec_free(&s->machines);
    tac_vec_free(&s->classes);
    tac_u64map_free(&s->hashes);
}

/* Rules that disagree on the empty history let nothing happen: one event is the difference, if the
 * other side admits one. */
static void compare_dead_side(struct product *p, const bool dead[2], struct comparison *out)
{
    int admits = dead[SIDE_A] ? SIDE_B : SIDE_A;
    out->complete = true;
    for (size_t e = 0; e < p->events.count && dead[0] != dead[1] && !out->only[admits].found; e++) {
        u32_vec one = {.at = &p->events.at[e], .count = 1};
        if (compare_follow(p->sides[admits].system, &one).result != STEP_OK)
            continue;
        out->only[admits].found = true;
        tac_vec_push(&out->only[admits].events, p->events.at[e]);
    }
}

tac_status compare_search(const struct compared_side sides[2], size_t budget, tac_watch *watch,
                          struct comparison *out, tac_error *err)
{
    struct product p = {0};
    bool dead[2];
    tac_status status = TAC_OK;
    *out = (struct comparison){0};
    assert(sides[0].system->recording == sides[1].system->recording);
    for (int k = 0; k < 2; k++) {
        struct conflict conflict;
        enum step_result result;
        p.sides[k].system = sides[k].system;
        p.sides[k].grounding = sides[k].grounding;
        p.sides[k].offset = system_borrow(sides[k].system);
        p.sides[k].signs = system_borrow(sides[k].system);
        member_set_open(sides[k].system, &p.sides[k].tracked);
        system_start(sides[k].system, &result, &conflict);
        dead[k] = result != STEP_OK;
    }
    collect_events(&p);
    if (dead[0] || dead[1]) {
        compare_dead_side(&p, dead, out);
    } else {
        track_differences(&p);
        for (bool refined = true; refined && status == TAC_OK;)
            status = search_once(&p, budget, watch, &refined, out, err);
    }
    clear_states(&p);
    tac_vec_free(&p.parents);
    tac_vec_free(&p.causes);
    tac_vec_free(&p.events);
    side_close(&p.sides[0]);
    side_close(&p.sides[1]);
    if (status != TAC_OK)
        comparison_free(out);
    return status;
}

void comparison_free(struct comparison *c)
{
    for (int k = 0; k < 2; k++)
        tac_vec_free(&c->only[k].events);
}
