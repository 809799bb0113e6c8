/* The orders in which groups can be read after a change, when they are refreshed at their rates.
 *
 * A change happens at some time c; group g is read at the first multiple of its period from c plus
 * its hold time on, or exactly then when it has no period. Groups that are due at the same time are
 * read together, so an order is a sequence of blocks. It depends on c only through the order of the
 * due times, which changes where c plus a hold time is a multiple of a period: one c on each such
 * point and one behind it, over the least common multiple of the periods, give every order.
 *
 * Invariant: these are the readings of `rules simulate` for changes at every moment. */
#include "base/check.h"
#include "rules/check/hazards.h"
#include <stdlib.h>
#include <string.h>

#define MOST_POINTS 400000.0
#define MOST_ORDERS 5000

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Twice the time, so that "just behind" a whole millisecond is one more. */
static uint64_t due(const tac_rules_group *group, uint64_t change)
{
    uint64_t time = change + 2 * group->hold_ms, period = 2 * group->every_ms;
    uint64_t late = period ? time % period : 0;
    return late ? time + period - late : time;
}

static void order_at(const tac_rules *rules, uint64_t change, struct read_order *out)
{
    assert(rules->group_count <= RATED_GROUPS);
    uint64_t times[RATED_GROUPS];
    uint32_t left = rules->group_count;
    for (uint32_t g = 0; g < rules->group_count; g++)
        times[g] = due(&rules->groups[g], change);
    memset(out, 0, sizeof *out);
    while (left) {
        uint64_t first = UINT64_MAX;
        for (uint32_t g = 0; g < rules->group_count; g++)
            if (times[g] < first)
                first = times[g];
        assert(out->count < RATED_GROUPS);
        for (uint32_t g = 0; g < rules->group_count; g++)
            if (times[g] == first) {
                out->blocks[out->count] |= 1u << g;
                times[g] = UINT64_MAX;
                left--;
            }
        assert(out->blocks[out->count]); /* time goes on: no block is empty */
        out->count++;
    }
}

static void add_order(struct read_orders *orders, const struct read_order *order)
{
    for (size_t i = 0; i < orders->count; i++)
        if (!memcmp(&orders->at[i], order, sizeof *order))
            return;
    tac_vec_push(orders, *order);
}

/* The orders of changes on and just behind the point where a group's due time jumps. */
static void add_points(const tac_rules *rules, const tac_rules_group *group, uint64_t common,
                       struct read_orders *orders)
{
    struct read_order order;
    uint64_t period = group->every_ms ? group->every_ms : common;
    for (uint64_t time = 0; time < common && orders->count <= MOST_ORDERS; time += period) {
        uint64_t hold = group->hold_ms % common;
        uint64_t change = time >= hold ? time - hold : time + common - hold;
        order_at(rules, 2 * change, &order);
        add_order(orders, &order);
        order_at(rules, 2 * change + 1, &order);
        add_order(orders, &order);
    }
}

bool rules_read_orders(const tac_rules *rules, struct read_orders *orders)
{
    uint64_t common = 1;
    double points = 0;
    *orders = (struct read_orders){0};
    if (rules->group_count > RATED_GROUPS)
        return false;
    for (uint32_t g = 0; g < rules->group_count; g++) {
        uint64_t period = rules->groups[g].every_ms;
        if (!period)
            continue;
        common = common / common_divisor(common, period) * period;
        if (common > (uint64_t)1 << 50)
            return false;
    }
    for (uint32_t g = 0; g < rules->group_count; g++) {
        uint64_t reads = rules->groups[g].every_ms ? common / rules->groups[g].every_ms : 1;
        points += (double)reads;
    }
    if (points > MOST_POINTS)
        return false;
    for (uint32_t g = 0; g < rules->group_count; g++)
        add_points(rules, &rules->groups[g], common, orders);
    return orders->count <= MOST_ORDERS;
}
