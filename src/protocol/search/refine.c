/* Explicit search by abstraction refinement, for cones with too many states.
 *
 * Leaving a message untracked means that it never blocks and that rules about it never conflict:
 * more runs, never fewer. So a target that is safe in the abstraction is safe; and a shortest run
 * to a target in the abstraction that the full system can follow is a shortest one there too. Start
 * with the targets alone; when the full system cannot follow a run, track what stopped it and
 * search again. A cone of 26 million states can be decided with two.
 *
 * Only for blocking conflicts: under the paper's reading a conflict adds runs. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "protocol/search/search.h"

static void add_events(const struct system *s, const u32_vec *closure, struct member_set *chosen)
{
    for (size_t i = 0; i < closure->count; i++)
        if (closure->at[i] >= event_member(s, 0))
            member_set_add(chosen, closure->at[i]);
}

/* Tracks the message that rules disagree about. The group's closure may lack it: then also every
 * event that matters to it, for the states must be closed under all events. */
static void track_conflict(const struct system *s, uint32_t bit, struct member_set *chosen)
{
    u32_vec more = {0};
    member_set_track(s, bit, chosen);
    cone_closure(s, bit, &more);
    add_events(s, &more, chosen);
    tac_vec_free(&more);
}

/* Follows an abstract run on the full system. True when it gets to the violation; else what stops
 * it is tracked, and *refined set if that is new. */
static bool follow(const struct system *s, const struct target_result *target,
                   struct member_set *chosen, bool *refined)
{
    struct conflict conflict;
    enum step_result result;
    const struct recording *r = s->recording;
    size_t before = chosen->members.count;
    bool reached = false;
    struct full_state *state = system_start(s, &result, &conflict);
    assert(target->events.count && target->bit < s->bit_count);
    for (size_t e = 0; e < target->events.count && result == STEP_OK; e++) {
        const struct event *event = &s->events.at[target->events.at[e]];
        const struct top_level *top = &r->events.at[event->recorded];
        for (uint32_t i = top->first; i < top->end && result == STEP_OK; i++) {
            uint32_t letter = r->messages.at[i].letter;
            result = full_state_step(s, state, letter, i, &conflict);
            if (result != STEP_STUCK && result != STEP_VIOLATION)
                continue;
            reached = result == STEP_VIOLATION && e + 1 == target->events.count &&
                      i == s->event_messages.at[event->first_letter + target->position];
            if (!reached)
                member_set_track(s, s->letters[letter].bit, chosen);
        }
    }
    if (result == STEP_CONFLICT)
        track_conflict(s, conflict.bit, chosen);
    full_state_rewind(state, 0);
    *refined = *refined || chosen->members.count > before;
    return reached;
}

/* One abstraction searched: which targets are decided now, and whether it was refined. */
static tac_status search_once(const struct system *s, size_t budget, tac_watch *watch,
                              struct target_result *targets, size_t count,
                              struct member_set *chosen, bool *complete, bool *refined,
                              uint64_t *reached, struct cone *cone, struct state_set *states,
                              tac_error *err)
{
    struct target_result *tries = tac_calloc(count + 1, sizeof *tries);
    member_set_sort(chosen);
    cone_build(s, &chosen->members, true, cone);
    for (size_t i = 0; i < count; i++) {
        tries[i].bit = targets[i].bit;
        tac_vec_push(&cone->targets, targets[i].bit);
    }
    *reached = 0;
    tac_status status = search_bfs(cone, budget, watch, tries, complete, reached, states, err);
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        struct target_result *t = &targets[i];
        if (t->verdict == SEARCH_UNSAFE || tries[i].verdict == SEARCH_UNKNOWN)
            continue;
        if (tries[i].verdict == SEARCH_SAFE) {
            t->verdict = SEARCH_SAFE;
        } else if (follow(s, &tries[i], chosen, refined)) {
            t->verdict = SEARCH_UNSAFE;
            t->position = tries[i].position;
            tac_vec_append(&t->events, tries[i].events.at, tries[i].events.count);
        }
    }
    for (size_t i = 0; i < count; i++)
        tac_vec_free(&tries[i].events);
    free(tries);
    return status;
}

tac_status search_refine(const struct system *s, const struct target_group *group, size_t budget,
                         tac_watch *watch, struct target_result *targets, bool *complete,
                         uint64_t *reached, struct cone *cone, struct state_set *states,
                         tac_error *err)
{
    assert(!s->paper && group->bits.count);
    struct member_set chosen;
    struct conflict conflict;
    enum step_result start;
    tac_status status = TAC_OK;
    member_set_open(s, &chosen);
    add_events(s, &group->closure, &chosen);
    for (size_t i = 0; i < group->bits.count; i++)
        member_set_track(s, group->bits.at[i], &chosen);
    system_start(s, &start, &conflict);
    if (start == STEP_CONFLICT) /* rules that disagree on the empty history stop everything */
        track_conflict(s, conflict.bit, &chosen);
    for (;;) {
        bool refined = false, open = false;
        uint64_t now;
        struct state_set found = {0};
        status = search_once(s, budget, watch, targets, group->bits.count, &chosen, complete,
                             &refined, &now, cone, &found, err);
        *reached += now;
        for (size_t i = 0; i < group->bits.count; i++)
            open = open || targets[i].verdict == SEARCH_UNKNOWN;
        bool done = status != TAC_OK || !open || !refined;
        if (done && status == TAC_OK && !open) {
            *states = found;
            break;
        }
        free(found.words);
        cone_free(cone);
        if (done) {
            *complete = false;
            break;
        }
    }
    member_set_close(s, &chosen);
    return status;
}
