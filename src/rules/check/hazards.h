/* Private to the files about hazards. */
#pragma once

#include "rules/check/check.h"

#define RATED_GROUPS 12

/* Groups are read in blocks, those of one block together; one bit for each group. */
struct read_order {
    uint32_t count, blocks[RATED_GROUPS];
};
struct read_orders {
    struct read_order *at;
    size_t count, capacity;
};
/* Every order that the rates allow; false when there are too many to look at. The caller frees
 * orders->at. */
bool rules_read_orders(const tac_rules *rules, struct read_orders *orders);
/* The example's order `which` (0 or 1): the blocks without the groups that did not change. */
void rules_hazard_order(const tac_rules *rules, tac_rules_hazards *out, int which,
                        const struct read_order *order);

/* The same question when several rules may fire together; unknown when it is too large. */
tac_status rules_chance_hazards(struct rules_run *run, tac_error *err);
/* Every change one by one. */
tac_status rules_explicit_hazards(struct rules_run *run, tac_error *err);
/* Given out->before and out->after: two orders of the changed groups that end differently, of those
 * in the list when it is not NULL. */
void rules_hazard_example(const tac_rules *rules, tac_rules_hazards *out, uint32_t state,
                          const struct read_orders *orders);
