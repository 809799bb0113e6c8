/* Private: hazards counted by going through every change (state, before, after).
 *
 * An ending is the pair (matrix.h) in which a run rests, or NEVER; where chance decides, it is the
 * number of a set of those. For a change, the endings of all orders are those of subsets of the
 * changed groups, smaller subsets first, without repetition: two or more are a hazard. */
#pragma once

#include "rules/check/hazards.h"
#include "rules/engine/matrix.h"

#define NEVER UINT64_MAX /* the ending "never stable" */

typedef TAC_VEC(uint64_t) ending_list;

struct changes {
    struct rules_run *run;
    const tac_rules *rules;
    struct matrix m;
    uint64_t pairs;
    uint64_t *ends; /* by pair */
    /* The ending after the variables of the mask are read; NULL: an ending is a pair. */
    uint64_t (*commit)(struct changes *c, uint64_t ending, uint64_t mask, uint64_t input);
    /* Fills the example of the findings: orders of the changed groups that end differently, or the
     * first order that the rates allow and order `other`. */
    void (*show)(struct changes *c, uint64_t pair, uint64_t input, const uint32_t *changed,
                 uint32_t count, size_t other);
    uint64_t *group_mask; /* by group */
    uint64_t rising, falling;
    ending_list valid; /* inputs */
    ending_list *of_subset;
    size_t subsets;
    uint32_t *edges;           /* room for those that fire */
    struct read_orders orders; /* that the rates allow */
};

/* Inputs, groups and orders; bytes: of what is kept by pair. At most `groups` groups are followed.
 */
tac_status rules_changes_open(struct changes *c, struct rules_run *run, size_t bytes,
                              uint32_t groups, tac_error *err);
void rules_changes_close(struct changes *c);
uint64_t rules_changes_end(struct changes *c, const struct read_order *order, uint64_t pair,
                           uint64_t input);
tac_status rules_changes_count(struct changes *c, tac_error *err);

static inline uint64_t rules_changes_commit(struct changes *c, uint64_t ending, uint64_t mask,
                                            uint64_t input)
{
    if (c->commit)
        return c->commit(c, ending, mask, input);
    return ending == NEVER ? NEVER : c->ends[(ending & ~mask) | (input & mask)];
}
