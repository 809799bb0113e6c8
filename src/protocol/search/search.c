/* All targets of a system: grouped by cone, each cone searched once.
 *
 * Targets are the in-messages that some rule prohibits and some event sends. Under the paper's
 * reading of conflicts there is one more: whatever in-message follows a conflict. */
#include "protocol/search/search.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <string.h>

static bool wanted_target(const struct system *s, uint32_t bit, const char *method)
{
    assert(bit < s->bit_count);
    uint32_t letter = s->bit_letters.at[bit];
    if (!s->prohibitable[bit] || is_back(s->recording->letters.at[letter].direction) ||
        !s->letters[letter].event_count)
        return false;
    if (!method)
        return true;
    const struct call *call = &s->recording->calls.at[s->recording->letters.at[letter].call];
    return strstr(s->recording->names.text[call->signature], method) != NULL;
}

/* The explicit engines: the whole cone first, growing abstractions if it is too large. */
static tac_status search_explicit(const struct system *s, const struct target_group *group,
                                  const struct cone *cone, const struct search_options *options,
                                  struct target_result *targets, bool *complete,
                                  struct search_result *out, tac_error *err)
{
    tac_status status = search_bfs(cone, options->budget ? options->budget : SEARCH_STATE_BUDGET,
                                   options->watch, targets, complete, &out->states, NULL, err);
    if (status != TAC_OK || *complete || s->paper)
        return status;
    struct cone last;
    struct state_set states = {0};
    status = search_refine(s, group, REFINE_STATE_BUDGET, options->watch, targets, complete,
                           &out->states, &last, &states, err);
    if (status == TAC_OK && *complete) {
        cone_free(&last);
        free(states.words);
    }
    return status;
}

static tac_status search_group(const struct system *s, const struct target_group *group,
                               const struct search_options *options, struct target_result *targets,
                               struct search_result *out, tac_error *err)
{
    assert(group->bits.count);
    struct cone cone;
    cone_build(s, &group->closure, false, &cone);
    for (size_t i = 0; i < group->bits.count; i++)
        tac_vec_push(&cone.targets, group->bits.at[i]);
    tac_status status = TAC_OK;
    bool complete = false;
    if (options->engine != ENGINE_BDD)
        status = search_explicit(s, group, &cone, options, targets, &complete, out, err);
    if (status == TAC_OK && !complete && options->engine != ENGINE_BFS) {
        double reached = 0;
        status = search_bdd(&cone, options->watch, targets, &complete, &reached, err);
        /* Diagrams can hold more states than fit a number. */
        double total = (double)out->states + reached;
        out->states = total < 9e18 ? (uint64_t)total : (uint64_t)9e18;
        out->used_bdd = true;
    }
    cone_free(&cone);
    out->cones++;
    return status;
}

/* `seen` finds the group of an equal closure again. */
static void add_to_group(const struct system *s, uint32_t bit, tac_names *seen,
                         struct target_group **groups, size_t *count)
{
    u32_vec closure = {0};
    cone_closure(s, bit, &closure);
    uint32_t group = tac_names_intern_bytes(seen, closure.at, closure.count * sizeof *closure.at);
    if (group == *count) {
        if (!(*count & (*count - 1))) /* room for twice as many, at powers of two */
            *groups = tac_realloc(*groups, 2 * *count + 1, sizeof **groups);
        (*groups)[(*count)++] = (struct target_group){0};
        memcpy(&(*groups)[group].closure, &closure, sizeof closure);
    } else {
        tac_vec_free(&closure);
    }
    tac_vec_push(&(*groups)[group].bits, bit);
}

struct target_group *search_groups(const struct system *s, const char *target, size_t *count)
{
    assert(s->store && s->event_of.count == s->recording->events.count);
    struct target_group *groups = NULL;
    tac_names seen = {0};
    *count = 0;
    for (uint32_t bit = 0; bit < s->bit_count; bit++)
        if (wanted_target(s, bit, target))
            add_to_group(s, bit, &seen, &groups, count);
    if (s->paper)
        add_to_group(s, TAC_NONE, &seen, &groups, count);
    tac_names_free(&seen);
    return groups;
}

void search_groups_free(struct target_group *groups, size_t count)
{
    for (size_t g = 0; g < count; g++) {
        tac_vec_free(&groups[g].closure);
        tac_vec_free(&groups[g].bits);
    }
    free(groups);
}

tac_status search_all(const struct system *s, const struct search_options *options,
                      struct search_result *out, tac_error *err)
{
    *out = (struct search_result){0};
    size_t count;
    struct target_group *groups = search_groups(s, options->target, &count);
    tac_status status = TAC_OK;
    for (size_t g = 0; g < count && status == TAC_OK; g++) {
        size_t first = out->targets.count;
        for (size_t i = 0; i < groups[g].bits.count; i++)
            tac_vec_push(&out->targets, (struct target_result){.bit = groups[g].bits.at[i]});
        status = search_group(s, &groups[g], options, out->targets.at + first, out, err);
    }
    search_groups_free(groups, count);
    if (status != TAC_OK)
        search_result_free(out);
    return status;
}

enum search_verdict search_overall(const struct search_result *result, size_t *shortest)
{
    enum search_verdict verdict = SEARCH_SAFE;
    *shortest = SIZE_MAX;
    for (size_t i = 0; i < result->targets.count; i++) {
        const struct target_result *t = &result->targets.at[i];
        if (t->verdict == SEARCH_UNKNOWN && verdict == SEARCH_SAFE)
            verdict = SEARCH_UNKNOWN;
        if (t->verdict != SEARCH_UNSAFE)
            continue;
        verdict = SEARCH_UNSAFE;
        if (*shortest == SIZE_MAX || t->events.count < result->targets.at[*shortest].events.count)
            *shortest = i;
    }
    return verdict;
}

void search_result_free(struct search_result *result)
{
    for (size_t i = 0; i < result->targets.count; i++)
        tac_vec_free(&result->targets.at[i].events);
    tac_vec_free(&result->targets);
}
