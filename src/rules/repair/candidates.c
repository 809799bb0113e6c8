/* Candidate edits for one fault of a kind: those that can touch it. See docs/rules.md, "Repairs".
 */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/edges.h"
#include "rules/repair/repair.h"
#include <string.h>

#define FEW_VARIABLES 30 /* every one of them is tried in conditions */
#define MOST_SOURCES 5
#define MOST_LITERALS 10

struct scan {
    struct repair *r;
    const tac_rules *now; /* the edited rule set */
    edit_list *out;
};

static bool is_original(const struct scan *c, uint32_t rule)
{
    return rule < c->r->rules->rule_count;
}

static void strengthen(const struct scan *c, uint32_t rule, const char *condition, bool by_rule)
{
    assert(rule < c->now->rule_count);
    struct rules_edit edit = {
        .kind = EDIT_STRENGTHEN, .rule = rule, .condition = condition, .by_rule = by_rule};
    if (is_original(c, rule))
        tac_vec_push(c->out, edit);
}

/* rule and X, rule and not X, for the marked variables. */
static void strengthen_by_variables(const struct scan *c, uint32_t rule, const bool *marks)
{
    for (uint32_t v = 0; v < c->now->variable_count; v++) {
        if (!marks[v])
            continue;
        const char *name = c->now->variables[v].name;
        strengthen(c, rule, tac_arena_format(&c->r->arena, "not %s", name), false);
        strengthen(c, rule, tac_arena_strdup(&c->r->arena, name), false);
    }
}

static void strengthen_by_rule(const struct scan *c, uint32_t rule, uint32_t other)
{
    if (rule != other)
        strengthen(c, rule, tac_arena_format(&c->r->arena, "not %s", c->now->rules[other].name),
                   true);
}

/* All places of all rules of the state. */
static void move_priorities(const struct scan *c, uint32_t state)
{
    assert(state < c->now->state_count);
    uint64_t *places = tac_calloc(c->now->rule_count + 1, sizeof *places);
    for (uint32_t i = 0; i < c->now->rule_count; i++)
        places[i] = rules_place_of_number(c->now->rules[i].priority);
    for_each_edge (e, &c->now->states[state])
        if (is_original(c, c->now->edges[e].rule))
            rules_repair_slots(c->now, places, c->now->edges[e].rule, c->out);
    free(places);
}

static const char *new_name(const struct scan *c, const char *start)
{
    for (uint32_t i = 1;; i++) {
        const char *name = i == 1 ? tac_arena_strdup(&c->r->arena, start)
                                  : tac_arena_format(&c->r->arena, "%s%u", start, i);
        bool taken = false;
        for (uint32_t s = 0; s < c->now->state_count && !taken; s++)
            taken = strcmp(c->now->states[s].name, name) == 0;
        for (uint32_t s = 0; s < c->now->rule_count && !taken; s++)
            taken = strcmp(c->now->rules[s].name, name) == 0;
        for (uint32_t s = 0; s < c->now->variable_count && !taken; s++)
            taken = strcmp(c->now->variables[s].name, name) == 0;
        if (!taken)
            return name;
    }
}

/* Rules that the predicate stands for by name, itself included; marks are by rule. */
static void mark_references(const tac_rules *rules, uint32_t rule, bool *marks)
{
    if (marks[rule])
        return;
    marks[rule] = true;
    tac_rules_predicate when = rules->rules[rule].when;
    for (uint32_t i = when.first; i <= when.root; i++)
        if (rules->nodes[i].op == TAC_RULES_RULE)
            mark_references(rules, rules->nodes[i].left, marks);
}

/* Every threshold that the rules of the state depend on. */
static void move_thresholds(const struct scan *c, uint32_t state)
{
    if (c->now->sensor_count == 0)
        return;
    bool *marks = tac_calloc((size_t)c->now->rule_count + 1, sizeof *marks);
    for_each_edge (e, &c->now->states[state])
        mark_references(c->now, c->now->edges[e].rule, marks);
    for (uint32_t rule = 0; rule < c->now->rule_count; rule++)
        if (marks[rule] && is_original(c, rule))
            rules_repair_thresholds(c->r, c->now, rule, c->out);
    free(marks);
}

/* --- Nondeterminism --------------------------------------------------------------------------- */

/* Priorities are searched by priorities.c; here each of the two gives way to the other. */
static void for_clash(const struct scan *c, const tac_rules_findings *f)
{
    if (f->pair_count == 0)
        return;
    strengthen_by_rule(c, f->pairs[0].rules[0], f->pairs[0].rules[1]);
    strengthen_by_rule(c, f->pairs[0].rules[1], f->pairs[0].rules[0]);
    move_thresholds(c, f->pairs[0].state);
}

/* --- Cycles ----------------------------------------------------------------------------------- */

static void split_state(const struct scan *c, uint32_t state, uint32_t entering, uint32_t leaving)
{
    if (state >= c->r->rules->state_count || !is_original(c, entering) || !is_original(c, leaving))
        return;
    struct rules_edit edit = {.kind = EDIT_SPLIT,
                              .state = state,
                              .entering = entering,
                              .rule = leaving,
                              .name = new_name(c, c->now->states[state].name)};
    tac_vec_push(c->out, edit);
}

/* The first cycle that is left: a path that closes at its start, or a witness's. */
bool rules_first_cycle(const tac_rules_findings *f, const uint32_t **states, const uint32_t **rules,
                       size_t *length)
{
    for (size_t i = 0; i < f->path_count; i++)
        if (f->paths[i].cycle && f->paths[i].loop == 0) {
            *states = f->paths[i].states;
            *rules = f->paths[i].rules;
            *length = f->paths[i].length;
            return true;
        }
    const tac_rules_witness *best = NULL;
    for (uint32_t s = 0; s < f->state_count && f->witnesses; s++) {
        const tac_rules_witness *w = &f->states[s].cycle_witness;
        if (w->exists == TAC_RULES_YES && w->loop == 0 && (!best || w->length < best->length))
            best = w;
    }
    if (!best)
        return false;
    *states = best->states;
    *rules = best->rules;
    *length = best->length;
    return true;
}

/* What ends a cycle: a rule on it gives way, or another rule of one of its states takes over. The
 * other rules can also matter by the rules that they refer to. */
static void for_cycle(const struct scan *c, const tac_rules_findings *f)
{
    const uint32_t *states, *rules;
    size_t length;
    if (!rules_first_cycle(f, &states, &rules, &length))
        return;
    bool *marks = tac_calloc(c->now->variable_count + 1, sizeof *marks);
    bool *touched = tac_calloc((size_t)c->now->rule_count + 1, sizeof *touched);
    bool few = c->now->variable_count <= FEW_VARIABLES;
    for (uint32_t v = 0; v < c->now->variable_count && few; v++)
        marks[v] = true; /* constraints may tie any of them to the cycle */
    for (size_t i = 0; i < length; i++) {
        for_each_edge (e, &c->now->states[states[i]]) {
            rules_mark_variables(c->now, c->now->rules[c->now->edges[e].rule].when, marks);
            if (few)
                mark_references(c->now, c->now->edges[e].rule, touched);
        }
    }
    for (size_t i = 0; i < length; i++) {
        uint32_t rule = rules[i], next = rules[(i + 1) % length];
        touched[rule] = false;
        strengthen_by_variables(c, rule, marks);
        strengthen_by_rule(c, rule, next);
        split_state(c, states[(i + 1) % length], rule, next);
    }
    for (uint32_t rule = 0; rule < c->now->rule_count; rule++)
        if (touched[rule])
            strengthen_by_variables(c, rule, marks);
    for (size_t i = 0; i < length; i++) {
        move_priorities(c, states[i]);
        move_thresholds(c, states[i]);
    }
    free(marks);
    free(touched);
}

/* --- Dead rules and unreachable states -------------------------------------------------------- */

static void for_dead_rule(const struct scan *c, const tac_rules_dead_rule *dead)
{
    assert(dead->state < c->now->state_count);
    move_priorities(c, dead->state);
    bool *marks = tac_calloc(c->now->variable_count + 1, sizeof *marks);
    rules_mark_variables(c->now, c->now->rules[dead->rule].when, marks);
    for (size_t i = 0; i < dead->by_count; i++)
        rules_mark_variables(c->now, c->now->rules[dead->by[i]].when, marks);
    for (size_t i = 0; i < dead->by_count; i++) {
        strengthen_by_rule(c, dead->by[i], dead->rule);
        strengthen_by_variables(c, dead->by[i], marks);
    }
    move_thresholds(c, dead->state);
    free(marks);
}

static void for_dead(const struct scan *c, const tac_rules_findings *f)
{
    if (f->dead_rule_count)
        for_dead_rule(c, &f->dead_rules[0]);
}

static void add_rule(const struct scan *c, uint32_t from, uint32_t to, const char *start,
                     const char *condition, uint32_t priority)
{
    if (from >= c->r->rules->state_count || to >= c->r->rules->state_count)
        return;
    struct rules_edit edit = {.kind = EDIT_ADD_RULE,
                              .state = from,
                              .target = to,
                              .priority = priority,
                              .condition = tac_arena_strdup(&c->r->arena, condition),
                              .name = new_name(c, start)};
    tac_vec_push(c->out, edit);
}

/* Its rules are made active in another state too, before or after the rules that are there. */
static void add_entries(const struct scan *c, const tac_rules_findings *f, uint32_t target)
{
    assert(target < c->now->state_count);
    for (uint32_t rule = 0; rule < c->now->rule_count; rule++) {
        if (c->now->rules[rule].to != target)
            continue;
        for (uint32_t s = 0; s < c->now->state_count; s++) {
            const tac_rules_state *state = &c->now->states[s];
            if (s == target || f->states[s].unreachable)
                continue;
            uint32_t first = 0;
            if (state->edge_count)
                first = c->now->rules[c->now->edges[state->first_edge].rule].priority;
            add_rule(c, s, target, c->now->rules[rule].name, c->now->rules[rule].name,
                     TAC_RULES_LOWEST_PRIORITY);
            if (first > 0)
                add_rule(c, s, target, c->now->rules[rule].name, c->now->rules[rule].name,
                         first - 1);
        }
    }
}

/* A new rule where none leads: from a state that can be reached, on one literal, only where nothing
 * else fires, or before everything where the state never rests. */
static void insert_rules(const struct scan *c, const tac_rules_findings *f, uint32_t target)
{
    uint32_t sources = 0;
    const tac_rules *now = c->now;
    for (uint32_t i = 0; i < now->state_count && sources < MOST_SOURCES; i++) {
        uint32_t s = (now->initial + i) % now->state_count; /* the initial state first */
        if (f->states[s].unreachable || s == target)
            continue;
        sources++;
        bool rests = !rules_count_is_zero(&f->states[s].stable);
        const tac_rules_state *state = &now->states[s];
        uint32_t first =
            state->edge_count ? now->rules[now->edges[state->first_edge].rule].priority : 1;
        uint32_t priority = rests ? TAC_RULES_LOWEST_PRIORITY : first ? first - 1 : 0;
        char *start = tac_format("%sTo%s", now->states[s].name, now->states[target].name);
        for (uint32_t v = 0; v < now->variable_count && v < MOST_LITERALS; v++) {
            add_rule(c, s, target, start, now->variables[v].name, priority);
            add_rule(c, s, target, start,
                     tac_arena_format(&c->r->arena, "not %s", now->variables[v].name), priority);
        }
        add_rule(c, s, target, start, "true", priority);
        free(start);
    }
}

static void for_unreachable(const struct scan *c, const tac_rules_findings *f)
{
    for (uint32_t s = 0; s < c->now->state_count; s++) {
        if (!f->states[s].unreachable)
            continue;
        for (size_t i = 0; i < f->dead_rule_count; i++)
            if (c->now->rules[f->dead_rules[i].rule].to == s)
                for_dead_rule(c, &f->dead_rules[i]);
        add_entries(c, f, s);
        insert_rules(c, f, s);
        return;
    }
}

/* --- Races and hazards ------------------------------------------------------------------------ */

/* A rule that goes straight to the end of the race, and a first rule that waits for the second. */
static void for_race(const struct scan *c, const tac_rules_findings *f)
{
    for (size_t i = 0; i < f->path_count; i++) {
        const tac_rules_path *path = &f->paths[i];
        if (path->cycle || path->length > 4)
            continue;
        uint32_t first = path->rules[0], priority = c->now->rules[first].priority;
        uint32_t from = path->states[0], to = path->states[path->length];
        if (path->length == 2) {
            strengthen_by_rule(c, first, path->rules[1]);
            move_thresholds(c, from);
        }
        if (priority == 0 || from == to)
            continue;
        const char *condition = c->now->rules[first].name;
        for (size_t k = 1; k < path->length; k++)
            condition = tac_arena_format(&c->r->arena, "%s and %s", condition,
                                         c->now->rules[path->rules[k]].name);
        char *start = tac_format("%sTo%s", c->now->states[from].name, c->now->states[to].name);
        add_rule(c, from, to, start, condition,
                 priority == TAC_RULES_LOWEST_PRIORITY ? TAC_RULES_MAX_PRIORITY : priority - 1);
        free(start);
    }
}

static void for_hazard(const struct scan *c, const tac_rules_findings *f)
{
    const tac_rules_hazards *h = f->hazards;
    if (!h || !h->has_example)
        return;
    bool *marks = tac_calloc(c->now->variable_count + 1, sizeof *marks);
    for (uint32_t v = 0; v < c->now->variable_count; v++)
        marks[v] = h->before[v] != h->after[v];
    const tac_rules_state *state = &c->now->states[h->state];
    for_each_edge (e, state)
        strengthen_by_variables(c, c->now->edges[e].rule, marks);
    move_priorities(c, h->state);
    for (int i = 0; i < 2; i++) {
        if (h->ends[i] == TAC_RULES_NONE)
            continue;
        for_each_edge (e, &c->now->states[h->ends[i]])
            strengthen_by_variables(c, c->now->edges[e].rule, marks);
        uint32_t other = h->ends[1 - i];
        for_each_edge (e, state) {
            const tac_rules_rule *rule = &c->now->rules[c->now->edges[e].rule];
            if (rule->to == other && other != h->ends[i])
                add_rule(c, h->ends[i], other, rule->name, rule->name, rule->priority);
        }
    }
    free(marks);
}

void rules_repair_candidates(struct repair *r, const tac_rules *now, const tac_rules_findings *f,
                             edit_list *out)
{
    struct scan c = {r, now, out};
    switch (r->options->fault) {
    case TAC_RULES_NONDETERMINISM:
        for_clash(&c, f);
        break;
    case TAC_RULES_DEAD:
        for_dead(&c, f);
        break;
    case TAC_RULES_CYCLE:
        for_cycle(&c, f);
        break;
    case TAC_RULES_UNREACHABLE:
        for_unreachable(&c, f);
        break;
    case TAC_RULES_RACE:
        for_race(&c, f);
        break;
    case TAC_RULES_HAZARD:
        for_hazard(&c, f);
        break;
    }
}
