/* Which steps may change places: the orders of several devices that are one flow.
 *
 * Steps of one type behave alike: they are of one device, use the same channels, and no requirement
 * tells one from the other. Two types depend on each other when they are of one device, share a
 * channel, or a requirement tells their orders apart. The last ends when a requirement has met so
 * much of its sequence that it no longer matters, so dependence is asked with the states of the
 * watchers. docs/flows.md has the meaning. */
#pragma once

#include "base/data/vec.h"
#include "flow/require/watcher.h"

/* What decides whether two steps commute: the device, the channels, what requirements see. */
struct step_type {
    uint32_t slot, sends, receives;
    struct watcher_step example;
};

struct orders {
    uint32_t *class_of_transition, *class_of_node;
    size_t node_classes;
    uint32_t *type_at; /* transition class * node_classes + node class: a type, or TAC_NONE */
    TAC_VEC(struct step_type) types;
    size_t watcher_count;
    uint32_t *commute_from; /* [watcher][type][type], symmetric; see watcher_commute_from */
};

/* False, and nothing made, when requirements tell more steps apart than is worth while. */
bool orders_new(struct orders *orders, const tac_model *model, const uint32_t *slot_of_device,
                struct watcher *const *watchers, size_t watcher_count, bool witness);
void orders_free(struct orders *orders);
/* Does the type of a step depend on the state it settles in? */
static inline bool orders_ask_nodes(const struct orders *orders)
{
    return orders->node_classes > 1;
}
uint32_t orders_type(const struct orders *orders, uint32_t transition, uint32_t node);
/* progress: of each watcher. */
bool orders_depend(const struct orders *orders, uint32_t a, uint32_t b, const uint32_t *progress);
