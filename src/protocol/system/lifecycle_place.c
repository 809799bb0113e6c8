/* Where assumed callbacks must have happened for the recorded messages to be possible.
 *
 * The recording is walked through the system. At a message that is refused, a shortest sequence of
 * assumed callbacks that makes it possible is looked for, breadth first, among those of the objects
 * concerned: the message's own, and those that rules about it mention. None is found: the walk ends
 * there, as validation will. Bounded per refusal by NODE_BUDGET, so linear in the recording. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/order.h"
#include "protocol/system/lifecycle.h"
#include <string.h>

#define NODE_BUDGET 4000
#define PATH_MAX_LENGTH 24

struct path_node {
    uint32_t parent, event; /* index in nodes; TAC_NONE: the state at the refusal */
};

struct insertion {
    uint32_t before; /* message */
    uint32_t event;  /* assumed */
};

struct placement {
    const struct system *system;
    struct recording *recording;
    struct full_state state;
    tac_u64map by_object;            /* identity -> first index in `chain`, plus 1 */
    TAC_VEC(struct path_node) chain; /* event; parent: next of the same object, plus 1 */
    u32_vec candidates;              /* assumed events */
    TAC_VEC(struct path_node) nodes;
    TAC_VEC(struct insertion) inside; /* in the order of the walk */
    u32_vec order;
};

static uint32_t receiver_of(const struct recording *r, uint32_t letter)
{
    const struct call *call = &r->calls.at[r->letters.at[letter].call];
    assert(letter < r->letters.count);
    return call->value_count ? r->values.at[call->first_value].identity : IDENTITY_NULL;
}

static void index_objects(struct placement *p)
{
    const struct recording *r = p->recording;
    for (uint32_t e = 0; e < r->events.count; e++) {
        if (!r->events.at[e].assumed)
            continue;
        uint64_t object = receiver_of(r, r->messages.at[r->events.at[e].first].letter);
        uint64_t *first = tac_u64map_at(&p->by_object, object, 0, NULL);
        tac_vec_push(&p->chain, (struct path_node){.parent = (uint32_t)*first, .event = e});
        *first = p->chain.count;
    }
}

static void add_object(struct placement *p, uint32_t object)
{
    const uint64_t *first = tac_u64map_find(&p->by_object, object);
    for (uint64_t at = first ? *first : 0; at; at = p->chain.at[at - 1].parent) {
        uint32_t event = p->chain.at[at - 1].event;
        for (size_t i = 0; i < p->candidates.count; i++)
            if (p->candidates.at[i] == event)
                return; /* the object is listed */
        tac_vec_push(&p->candidates, event);
    }
}

/* The assumed events of the objects that a refused letter has to do with. */
static void find_candidates(struct placement *p, uint32_t letter)
{
    const struct system *s = p->system;
    uint32_t bit = s->letters[letter].bit;
    p->candidates.count = 0;
    add_object(p, receiver_of(p->recording, letter));
    if (bit == TAC_NONE)
        return;
    for (uint32_t i = s->bit_first[bit]; i < s->bit_first[bit + 1]; i++) {
        const struct automaton *a = &s->machines.at[s->bit_machines.at[i]].automaton;
        for (uint32_t k = 0; k < a->letter_count && p->candidates.count < 256; k++)
            add_object(p, receiver_of(p->recording, a->letters[k]));
    }
}

/* Both messages of an assumed event; false when the rules do not admit them now. */
static bool play(struct placement *p, uint32_t event)
{
    const struct top_level *top = &p->recording->events.at[event];
    struct conflict conflict;
    assert(event < p->recording->events.count && p->recording->events.at[event].assumed);
    for (uint32_t i = top->first; i < top->end; i++)
        if (full_state_step(p->system, &p->state, p->recording->messages.at[i].letter, i,
                            &conflict) != STEP_OK)
            return false;
    return true;
}

/* The events on the way to a node, first to last; their number. */
static size_t path_to(const struct placement *p, uint32_t node, uint32_t *path)
{
    size_t length = 0;
    for (; node != TAC_NONE && length < PATH_MAX_LENGTH; node = p->nodes.at[node].parent)
        path[length++] = p->nodes.at[node].event;
    tac_reverse(path, length);
    return length;
}

static bool possible(const struct placement *p, uint32_t letter)
{
    uint32_t bit = p->system->letters[letter].bit;
    return bit == TAC_NONE || !p->state.blocked[bit];
}

/* Replays a node's path from the refusal on. */
static bool stand_at(struct placement *p, uint32_t node, size_t mark, uint32_t *path,
                     size_t *length)
{
    full_state_rewind(&p->state, mark);
    *length = node == TAC_NONE ? 0 : path_to(p, node, path);
    for (size_t i = 0; i < *length; i++)
        if (!play(p, path[i]))
            return false;
    return true;
}

/* Leaves the state after a shortest sequence that makes the letter possible, with the sequence in
 * path; or as it was. */
static bool make_possible(struct placement *p, uint32_t letter, uint32_t *path, size_t *length)
{
    size_t mark = p->state.changes.count;
    assert(p->state.remembers && !possible(p, letter));
    find_candidates(p, letter);
    p->nodes.count = 0;
    for (size_t at = 0; at <= p->nodes.count && p->nodes.count < NODE_BUDGET; at++) {
        uint32_t node = at ? (uint32_t)at - 1 : TAC_NONE;
        for (size_t c = 0; c < p->candidates.count; c++) {
            if (!stand_at(p, node, mark, path, length) || *length == PATH_MAX_LENGTH)
                break;
            bool repeated = false;
            for (size_t i = 0; i < *length; i++)
                repeated = repeated || path[i] == p->candidates.at[c];
            if (repeated || !play(p, p->candidates.at[c]))
                continue;
            tac_vec_push(&p->nodes, (struct path_node){node, p->candidates.at[c]});
            if (possible(p, letter)) {
                path[(*length)++] = p->candidates.at[c];
                return true;
            }
        }
    }
    full_state_rewind(&p->state, mark);
    return false;
}

static bool starts_event(const struct recording *r, uint32_t message)
{
    assert(message < r->messages.count);
    return !r->calls.at[r->messages.at[message].call].assumed &&
           r->calls.at[r->messages.at[message].call].parent == TAC_NONE &&
           !r->messages.at[message].is_exit;
}

static bool raised_call(const struct recording *r, uint32_t message)
{
    const struct call *call = &r->calls.at[r->messages.at[message].call];
    assert(message < r->messages.count);
    return call->kind == CALLIN && call->raised;
}

static void walk(struct placement *p)
{
    struct recording *r = p->recording;
    uint32_t path[PATH_MAX_LENGTH + 1];
    struct conflict conflict;
    bool going = full_state_start(p->system, &p->state, &conflict) == STEP_OK;
    p->state.remembers = true;
    for (size_t k = 0; k < r->order.count; k++) {
        uint32_t i = r->order.at[k], letter = r->messages.at[i].letter;
        size_t length = 0;
        p->state.changes.count = 0;
        if (going && !possible(p, letter) && !raised_call(r, i) &&
            make_possible(p, letter, path, &length))
            for (size_t e = 0; e < length; e++) {
                uint32_t first = r->events.at[path[e]].first;
                if (starts_event(r, i)) {
                    tac_vec_push(&p->order, first);
                    tac_vec_push(&p->order, first + 1);
                } else {
                    tac_vec_push(&p->inside, (struct insertion){i, path[e]});
                }
            }
        going = going && full_state_step(p->system, &p->state, letter, i, &conflict) == STEP_OK;
        tac_vec_push(&p->order, i);
    }
}

/* New numbers for the messages: those inserted stand before the one that needed them. */
static void insert(struct placement *p)
{
    struct recording *r = p->recording;
    size_t count = r->messages.count, next = 0;
    uint32_t *more = tac_calloc(count + 1, sizeof *more); /* inserted before a message */
    uint32_t *number = tac_calloc(count + 1, sizeof *number);
    assert(p->inside.count);
    for (size_t i = 0; i < p->inside.count; i++)
        more[p->inside.at[i].before] += 2;
    for (size_t i = 0; i < count; i++) {
        next += more[i];
        number[i] = (uint32_t)next++;
    }
    number[count] = (uint32_t)next;
    struct message *moved = tac_calloc(next + 1, sizeof *moved);
    for (size_t i = 0; i < count; i++)
        moved[number[i]] = r->messages.at[i];
    u32_vec order = {0};
    size_t given = 0;
    for (size_t k = 0; k < p->order.count; k++) {
        uint32_t i = p->order.at[k], place = number[i] - more[i];
        for (; given < p->inside.count && p->inside.at[given].before == i; given++) {
            uint32_t first = r->events.at[p->inside.at[given].event].first;
            for (uint32_t m = 0; m < 2; m++) {
                moved[place] = r->messages.at[first + m];
                tac_vec_push(&order, place++);
            }
        }
        tac_vec_push(&order, number[i]);
    }
    assert(given == p->inside.count);
    for (size_t e = 0; e < r->events.count; e++) {
        struct top_level *top = &r->events.at[e];
        top->first = number[top->first] - more[top->first];
        top->end = number[top->end] - (top->end < count ? more[top->end] : 0);
    }
    r->messages.count = 0;
    tac_vec_append(&r->messages, moved, next);
    tac_vec_free(&p->order);
    memcpy(&p->order, &order, sizeof order);
    free(more);
    free(number);
    free(moved);
}

bool lifecycle_place(const struct system *system, struct recording *r)
{
    struct placement p = {.system = system, .recording = r};
    index_objects(&p);
    walk(&p);
    bool inserted = p.inside.count > 0;
    if (inserted)
        insert(&p);
    r->order.count = 0;
    tac_vec_append(&r->order, p.order.at, p.order.count);
    full_state_free(&p.state);
    tac_u64map_free(&p.by_object);
    tac_vec_free(&p.chain);
    tac_vec_free(&p.candidates);
    tac_vec_free(&p.nodes);
    tac_vec_free(&p.inside);
    tac_vec_free(&p.order);
    return inserted;
}
