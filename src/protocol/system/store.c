/* What a system lends out. See system.h. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/order.h"
#include "protocol/system/system.h"

struct system_store {
    TAC_VEC(uint32_t *) spare;
    struct full_state start;
    enum step_result start_result;
    struct conflict start_conflict;
    bool started;
};

static size_t array_size(const struct system *s)
{
    size_t members = s->bit_count + s->machines.count + s->events.count;
    size_t letters = s->recording->letters.count, signs = 2 * (size_t)s->bit_count;
    size_t size = members > letters ? members : letters;
    return (size > signs ? size : signs) + 2;
}

struct system_store *system_store_new(void)
{
    return tac_calloc(1, sizeof(struct system_store));
}

void system_store_free(struct system_store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < store->spare.count; i++)
        free(store->spare.at[i]);
    tac_vec_free(&store->spare);
    full_state_free(&store->start);
    free(store);
}

uint32_t *system_borrow(const struct system *s)
{
    if (s->store->spare.count)
        return tac_vec_pop(&s->store->spare);
    return tac_calloc(array_size(s), sizeof(uint32_t));
}

void system_return(const struct system *s, uint32_t *zeros)
{
    assert(zeros);
#ifdef TAC_CHECKS
    for (size_t i = 0; i < array_size(s); i++)
        assert_costly(!zeros[i]);
#endif
    tac_vec_push(&s->store->spare, zeros);
}

void member_set_open(const struct system *s, struct member_set *out)
{
    *out = (struct member_set){.place = system_borrow(s)};
}

void member_set_track(const struct system *s, uint32_t bit, struct member_set *set)
{
    assert(bit < s->bit_count);
    member_set_add(set, bit);
    for (uint32_t i = s->bit_first[bit]; i < s->bit_first[bit + 1]; i++)
        if (s->machines.at[s->bit_machines.at[i]].automaton.states > 1)
            member_set_add(set, machine_member(s, s->bit_machines.at[i]));
}

void member_set_sort(struct member_set *set)
{
    if (set->members.count)
        qsort(set->members.at, set->members.count, sizeof *set->members.at, tac_order_u32);
    for (size_t i = 0; i < set->members.count; i++) {
        assert_costly(!i || set->members.at[i - 1] < set->members.at[i]);
        set->place[set->members.at[i]] = (uint32_t)i + 1;
    }
}

void member_set_close(const struct system *s, struct member_set *set)
{
    for (size_t i = 0; i < set->members.count; i++)
        set->place[set->members.at[i]] = 0;
    if (set->place)
        system_return(s, set->place);
    tac_vec_free(&set->members);
    set->place = NULL;
}

struct full_state *system_start(const struct system *s, enum step_result *result,
                                struct conflict *conflict)
{
    struct system_store *store = s->store;
    if (!store->started) {
        store->start_result = full_state_start(s, &store->start, &store->start_conflict);
        store->start.remembers = true;
        store->started = true;
    }
    assert(!store->start.changes.count); /* whoever changed it has rewound it */
    *result = store->start_result;
    *conflict = store->start_conflict;
    return &store->start;
}
