/* Breadth-first search over packed states: the first hit of a target is a shortest witness.
 *
 * States lie one after the other in an array that is also the queue; a table of indices finds them
 * again. Stops when every target is hit, when nothing is left, or at the budget. Memory: words * 8
 * + 16 bytes a state. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/order.h"
#include "protocol/search/search.h"
#include <string.h>

struct origin {
    uint32_t parent, program;
};

struct space {
    const struct cone *cone;
    TAC_VEC(uint64_t) words;
    TAC_VEC(struct origin) origins;
    uint32_t *table; /* state + 1, open addressing */
    size_t capacity; /* a power of two */
};

static size_t space_count(const struct space *s)
{
    return s->origins.count;
}

static uint64_t hash_state(const struct space *s, const uint64_t *state)
{
    return tac_hash_bytes(state, s->cone->words * sizeof *state, 0);
}

static void grow(struct space *s)
{
    s->capacity = s->capacity ? 2 * s->capacity : 1024;
    free(s->table);
    s->table = tac_calloc(s->capacity, sizeof *s->table);
    for (size_t i = 0; i < space_count(s); i++) {
        size_t slot = hash_state(s, s->words.at + i * s->cone->words) & (s->capacity - 1);
        while (s->table[slot])
            slot = (slot + 1) & (s->capacity - 1);
        s->table[slot] = (uint32_t)i + 1;
    }
    assert(!(s->capacity & (s->capacity - 1)) && 2 * (space_count(s) + 1) <= s->capacity);
}

/* True when the state is new. */
static bool add_state(struct space *s, const uint64_t *state, struct origin origin)
{
    size_t words = s->cone->words;
    if (2 * (space_count(s) + 1) > s->capacity)
        grow(s);
    size_t slot = hash_state(s, state) & (s->capacity - 1);
    for (; s->table[slot]; slot = (slot + 1) & (s->capacity - 1))
        if (!memcmp(s->words.at + (s->table[slot] - 1) * words, state, words * sizeof *state))
            return false;
    assert(origin.parent == TAC_NONE || origin.parent < space_count(s));
    s->table[slot] = (uint32_t)space_count(s) + 1;
    tac_vec_append(&s->words, state, words);
    tac_vec_push(&s->origins, origin);
    assert(s->words.count == space_count(s) * words);
    return true;
}

/* The events from the start to the state, then the last one. */
static void set_witness(const struct space *s, uint32_t state, const struct program *last,
                        uint32_t position, struct target_result *target)
{
    u32_vec *events = &target->events;
    assert(state < space_count(s) && !events->count);
    assert(target->verdict != SEARCH_UNSAFE); /* the first hit is the shortest, and stays */
    tac_vec_push(events, last->event);
    for (; s->origins.at[state].parent != TAC_NONE; state = s->origins.at[state].parent) {
        assert(s->origins.at[state].parent < state);
        tac_vec_push(events, s->cone->programs.at[s->origins.at[state].program].event);
    }
    tac_reverse(events->at, events->count);
    target->verdict = SEARCH_UNSAFE;
    target->position = position;
}

static struct target_result *find_target(const struct cone *cone, struct target_result *targets,
                                         uint32_t bit)
{
    for (size_t i = 0; i < cone->targets.count; i++)
        if (targets[i].bit == bit)
            return &targets[i];
    return NULL;
}

/* Runs every event on the state; the number of targets hit for the first time. */
static size_t expand(struct space *s, uint32_t index, uint64_t *state, uint32_t *scratch,
                     struct target_result *targets)
{
    assert(index < space_count(s));
    const struct cone *cone = s->cone;
    size_t hits = 0;
    for (uint32_t p = 0; p < cone->programs.count; p++) {
        memcpy(state, s->words.at + (size_t)index * cone->words, cone->words * sizeof *state);
        const struct program *program = &cone->programs.at[p];
        struct event_outcome outcome = cone_run(cone, program, state, scratch);
        if (outcome.result == STEP_OK) {
            add_state(s, state, (struct origin){index, p});
        } else if (outcome.result == STEP_VIOLATION) {
            struct target_result *target = find_target(cone, targets, outcome.bit);
            if (!target || target->verdict == SEARCH_UNSAFE)
                continue;
            set_witness(s, index, program, outcome.position, target);
            hits++;
        }
    }
    return hits;
}

tac_status search_bfs(const struct cone *cone, size_t budget, tac_watch *watch,
                      struct target_result *targets, bool *complete, uint64_t *reached,
                      struct state_set *states, tac_error *err)
{
    struct space s = {.cone = cone};
    size_t open = cone->targets.count;
    uint64_t *state = tac_alloc((cone->words + 1) * sizeof *state);
    uint32_t *scratch = system_borrow(cone->system);
    tac_status status = TAC_OK;
    assert(cone->words && cone->initial);
    *complete = true;
    if (!cone->blocked_at_start)
        add_state(&s, cone->initial, (struct origin){TAC_NONE, TAC_NONE});
    for (uint32_t i = 0; i < space_count(&s) && open; i++) {
        if (i % 1024 == 0 && !tac_watch_tick(watch, "states", i, 0)) {
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted while searching");
            break;
        }
        if (space_count(&s) > budget) {
            *complete = false;
            break;
        }
        open -= expand(&s, i, state, scratch, targets);
    }
    if (status == TAC_OK && *complete)
        for (size_t i = 0; i < cone->targets.count; i++)
            if (targets[i].verdict == SEARCH_UNKNOWN)
                targets[i].verdict = SEARCH_SAFE;
    *reached += space_count(&s);
    if (states && status == TAC_OK && *complete && open) {
        states->count = space_count(&s);
        states->words = s.words.at;
        s.words.at = NULL;
    }
    free(state);
    system_return(cone->system, scratch);
    free(s.table);
    tac_vec_free(&s.words);
    tac_vec_free(&s.origins);
    return status;
}
