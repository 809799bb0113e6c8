/* Removing nondeterminism by priorities alone, exhaustively.
 *
 * Priorities change no predicate, so all predicates are translated once and a choice of priorities
 * is judged by a few operations. The search tree is complete: take the first clash that is left, of
 * two rules in some state. Whatever removes it must change the priority of a rule of that state
 * (one of the two, or a third that then pre-empts both), and only the place among the rules of its
 * states matters; so the branches are all places of all rules of the state. A depth at which no
 * leaf works proves that so many edits do not suffice. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/order.h"
#include "rules/edges.h"
#include "rules/repair/repair.h"

struct priorities {
    struct repair *r;
    const tac_rules *rules;
    struct window window;
    uint64_t *now;   /* by rule: its place */
    bool *edited;    /* by rule */
    uint32_t *order; /* scratch: edges of a state by priority */
    struct rules_edit edits[MAX_REPAIR_EDITS];
    size_t count;
};

/* Per number, itself the last: so many that MAX_REPAIR_EDITS rules find room between two numbers,
 * each halfway between those that are there. */
#define PLACES ((uint64_t)256)

static void add_slot(uint32_t rule, uint64_t place, edit_list *out)
{
    struct rules_edit edit = {.kind = EDIT_PRIORITY,
                              .rule = rule,
                              .priority = (uint32_t)(place / PLACES),
                              .between = (uint32_t)((place + 1) % PLACES)};
    tac_vec_push(out, edit);
}

static uint64_t rules_place_of(const struct rules_edit *edit)
{
    return rules_place_of_number(edit->priority) - PLACES + 1 +
           (edit->between ? edit->between - 1 : PLACES - 1);
}

uint64_t rules_place_of_number(uint32_t priority)
{
    return PLACES * (uint64_t)priority + PLACES - 1;
}

/* The places of the rules that compete with `rule` in some state, sorted and distinct. */
static size_t competing(const tac_rules *rules, const uint64_t *places, uint32_t rule,
                        uint64_t *list)
{
    size_t count = 0, distinct = 0;
    for (uint32_t e = 0; e < rules->edge_count; e++) {
        if (rules->edges[e].rule != rule)
            continue;
        for_each_edge (k, &rules->states[rules->edges[e].state])
            if (rules->edges[k].rule != rule)
                list[count++] = places[rules->edges[k].rule];
    }
    qsort(list, count, sizeof *list, tac_order_u64);
    for (size_t i = 0; i < count; i++)
        if (distinct == 0 || list[i] != list[distinct - 1])
            list[distinct++] = list[i];
    assert(distinct <= count);
    return distinct;
}

/* A place strictly between two, one with a number of its own if there is one, near to `own`. False
 * when own lies there already, or there is none. */
static bool place_between(uint64_t low, bool has_low, uint64_t high, uint64_t own, uint64_t *out)
{
    uint64_t least = has_low ? low + 1 : 0, most = high - 1;
    if (high == 0 || least > most || (own >= least && own <= most))
        return false;
    uint64_t after = (most + 1) / PLACES; /* the numbers below it are not above most */
    uint64_t first = least / PLACES;
    if (first >= after)
        *out = least + (most - least) / 2;
    else
        *out = rules_place_of_number((uint32_t)(own < least ? first : after - 1));
    return true;
}

void rules_repair_slots(const tac_rules *rules, const uint64_t *places, uint32_t rule,
                        edit_list *out)
{
    uint64_t own = places[rule], place;
    size_t room = 0;
    for (uint32_t e = 0; e < rules->edge_count; e++)
        if (rules->edges[e].rule == rule)
            room += rules->states[rules->edges[e].state].edge_count;
    uint64_t *list = tac_calloc(room + 1, sizeof *list);
    size_t count = competing(rules, places, rule, list);
    assert(count <= room);
    for (size_t i = 0; i < count; i++) {
        if (place_between(i ? list[i - 1] : 0, i > 0, list[i], own, &place))
            add_slot(rule, place, out);
        if (own != list[i])
            add_slot(rule, list[i], out);
    }
    uint64_t end = rules_place_of_number(TAC_RULES_MAX_PRIORITY);
    if (count && own <= list[count - 1] && list[count - 1] < end)
        add_slot(rule, rules_place_of_number((uint32_t)((list[count - 1] + 1) / PLACES)), out);
    free(list);
}

static int by_priority(const void *x, const void *y, void *context)
{
    const struct priorities *p = context;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    uint64_t pa = p->now[p->rules->edges[a].rule], pb = p->now[p->rules->edges[b].rule];
    return pa != pb ? (pa < pb ? -1 : 1) : (a > b) - (a < b);
}

/* Whether two rules fire together in the state under the present priorities. */
static bool clashes(struct priorities *p, uint32_t s)
{
    assert(s < p->rules->state_count);
    const tac_rules_state *state = &p->rules->states[s];
    uint32_t count = state->edge_count;
    for (uint32_t i = 0; i < count; i++)
        p->order[i] = state->first_edge + i;
    qsort_r(p->order, count, sizeof *p->order, by_priority, p);
    size_t scope = tac_bdd_scope();
    tac_bdd free_inputs = p->window.valid, level = TAC_BDD_FALSE;
    bool clash = false;
    for (uint32_t i = 0; i < count && !clash; i++) {
        uint32_t rule = p->rules->edges[p->order[i]].rule;
        if (i && p->now[rule] != p->now[p->rules->edges[p->order[i - 1]].rule]) {
            free_inputs = tac_bdd_diff(free_inputs, level);
            level = TAC_BDD_FALSE;
        }
        tac_bdd fires = tac_bdd_and(free_inputs, rules_window_rule(&p->window, rule));
        clash = !tac_bdd_disjoint(fires, level);
        level = tac_bdd_or(level, fires);
    }
    tac_bdd_leave(scope);
    return clash;
}

static uint32_t first_clash(struct priorities *p)
{
    for (uint32_t s = 0; s < p->rules->state_count; s++)
        if (clashes(p, s))
            return s;
    return TAC_RULES_NONE;
}

static void search(struct priorities *p, size_t left);

static void branch(struct priorities *p, uint32_t rule, size_t left)
{
    assert(left > 0 && !p->edited[rule]);
    edit_list slots = {0};
    rules_repair_slots(p->rules, p->now, rule, &slots);
    uint64_t kept = p->now[rule];
    p->edited[rule] = true;
    for (size_t i = 0; i < slots.count && !p->r->stopped; i++) {
        p->now[rule] = rules_place_of(&slots.at[i]);
        p->edits[p->count++] = slots.at[i];
        search(p, left - 1);
        p->count--;
    }
    p->edited[rule] = false;
    p->now[rule] = kept;
    tac_vec_free(&slots);
}

static void search(struct priorities *p, size_t left)
{
    p->r->candidates++;
    uint32_t s = first_clash(p);
    if (s == TAC_RULES_NONE) {
        rules_repair_record(p->r, p->edits, p->count);
        return;
    }
    if (p->r->candidates % 4096 == 0 &&
        !tac_watch_tick(p->r->options->watch, "priorities", p->r->candidates, 0))
        p->r->stopped = p->r->interrupted = true;
    if (p->r->candidates >= MAX_PRIORITIES)
        p->r->stopped = true;
    if (left == 0 || p->r->stopped || tac_bdd_failed())
        return;
    for_each_edge (e, &p->rules->states[s])
        if (!p->edited[p->rules->edges[e].rule])
            branch(p, p->rules->edges[e].rule, left);
}

bool rules_repair_priorities(struct repair *r, uint32_t edits, bool *complete, tac_error *err)
{
    const tac_rules *rules = r->rules;
    struct components *components = NULL;
    tac_bdd_limits limits = {.variables = 64, .max_bytes = r->options->max_bytes};
    *complete = false;
    if (tac_bdd_start(&limits, err))
        return false;
    bool fine = rules_components_open(rules, false, &components, err) == TAC_OK;
    if (fine) {
        struct priorities p = {.r = r, .rules = rules};
        p.now = tac_calloc(rules->rule_count + 1, sizeof *p.now);
        p.edited = tac_calloc(rules->rule_count + 1, sizeof *p.edited);
        p.order = tac_calloc(rules->edge_count + 1, sizeof *p.order);
        for (uint32_t i = 0; i < rules->rule_count; i++)
            p.now[i] = rules_place_of_number(rules->rules[i].priority);
        rules_window_open(&p.window, rules, components);
        rules_window_seal_all(&p.window);
        search(&p, edits);
        *complete = !r->stopped && !tac_bdd_failed();
        rules_window_close(&p.window);
        free(p.now);
        free(p.edited);
        free(p.order);
    }
    rules_components_close(components);
    tac_bdd_stop();
    return fine;
}
