/* One change whose outcome depends on the order in which groups are read, and two orders that show
 * it, found by playing them. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/check/hazards.h"
#include "rules/engine/simulate.h"
#include <string.h>

struct order_search {
    const tac_rules *rules;
    tac_rules_hazards *out;
    uint32_t changed[64], order[64];
    size_t count;
    uint64_t tried;
    bool has_first;
    char *first_values;
};

static void commit(const struct order_search *o, uint32_t group, char *values)
{
    for (uint32_t v = 0; v < o->rules->variable_count; v++)
        if (o->rules->variables[v].group == group)
            values[v] = o->out->after[v];
}

/* Extends the order; true when a second way to end was found. */
static bool try_orders(struct order_search *o, size_t depth, uint32_t state, const char *values,
                       bool never)
{
    assert(depth <= o->count && state < o->rules->state_count);
    if (depth == o->count) {
        uint32_t end = never ? TAC_RULES_NONE : state;
        bool differs = o->has_first &&
                       (end != o->out->ends[0] || (!never && strcmp(values, o->first_values) != 0));
        if (o->has_first && !differs)
            return false;
        int which = o->has_first;
        o->out->ends[which] = end;
        o->out->order[which] = tac_calloc(o->count + 1, sizeof(uint32_t));
        memcpy(o->out->order[which], o->order, o->count * sizeof(uint32_t));
        if (!o->has_first)
            o->first_values = tac_strdup(values);
        o->has_first = true;
        return which == 1;
    }
    for (size_t i = 0; i < o->count && o->tried++ < 1000000; i++) {
        bool used = false;
        for (size_t k = 0; k < depth; k++)
            used = used || o->order[k] == o->changed[i];
        if (used)
            continue;
        char *next = tac_strdup(values);
        uint32_t next_state = state;
        commit(o, o->changed[i], next);
        bool diverges = never || !rules_settle(o->rules, &next_state, next);
        o->order[depth] = o->changed[i];
        bool done = try_orders(o, depth + 1, next_state, next, diverges);
        free(next);
        if (done)
            return true;
    }
    return false;
}

static bool group_moved(const tac_rules *rules, const tac_rules_hazards *h, uint32_t group)
{
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (rules->variables[v].group == group && h->before[v] != h->after[v])
            return true;
    return false;
}

void rules_hazard_order(const tac_rules *rules, tac_rules_hazards *out, int which,
                        const struct read_order *order)
{
    size_t count = 0;
    free(out->order[which]);
    free(out->together[which]);
    out->order[which] = tac_calloc((size_t)rules->group_count + 1, sizeof(uint32_t));
    out->together[which] = tac_calloc((size_t)rules->group_count + 1, sizeof(bool));
    for (uint32_t b = 0; b < order->count; b++) {
        bool first = true;
        for (uint32_t g = 0; g < rules->group_count; g++)
            if (order->blocks[b] >> g & 1 && group_moved(rules, out, g)) {
                out->together[which][count] = !first;
                out->order[which][count++] = g;
                first = false;
            }
    }
    assert(count <= rules->group_count);
    out->order_count = count;
}

/* Plays the order from the example's state; the values afterwards are the caller's. */
static uint32_t play_order(const tac_rules *rules, const tac_rules_hazards *h, uint32_t state,
                           const struct read_order *order, char **values)
{
    *values = tac_strdup(h->before);
    for (uint32_t b = 0; b < order->count; b++) {
        for (uint32_t v = 0; v < rules->variable_count; v++)
            if (order->blocks[b] >> rules->variables[v].group & 1 &&
                group_moved(rules, h, rules->variables[v].group))
                (*values)[v] = h->after[v];
        if (!rules_settle(rules, &state, *values))
            return TAC_RULES_NONE;
    }
    return state;
}

/* Two of the listed orders that end differently. */
static void example_of_rates(const tac_rules *rules, tac_rules_hazards *out, uint32_t state,
                             const struct read_orders *orders)
{
    char *first = NULL, *values = NULL;
    for (size_t i = 0; i < orders->count && !out->has_example; i++) {
        uint32_t end = play_order(rules, out, state, &orders->at[i], &values);
        int which = i > 0;
        bool differs =
            which && (end != out->ends[0] || (end != TAC_RULES_NONE && strcmp(values, first) != 0));
        if (!which || differs) {
            out->ends[which] = end;
            rules_hazard_order(rules, out, which, &orders->at[i]);
        }
        out->has_example = differs;
        if (which)
            free(values);
        else
            first = values;
    }
    free(first);
}

void rules_hazard_example(const tac_rules *rules, tac_rules_hazards *out, uint32_t state,
                          const struct read_orders *orders)
{
    out->state = state;
    if (orders) {
        example_of_rates(rules, out, state, orders);
        return;
    }
    struct order_search o = {.rules = rules, .out = out};
    for (uint32_t g = 0; g < rules->group_count && o.count < 64; g++) {
        bool moved = false;
        for (uint32_t v = 0; v < rules->variable_count; v++)
            moved = moved || (rules->variables[v].group == g && out->before[v] != out->after[v]);
        if (moved)
            o.changed[o.count++] = g;
    }
    out->state = state;
    out->order_count = o.count;
    out->has_example = try_orders(&o, 0, state, out->before, false);
    assert(!out->has_example || (out->order[0] && out->order[1]));
    free(o.first_values);
}
