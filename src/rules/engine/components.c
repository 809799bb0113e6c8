/* Components of the variables: two are tied when some constraint names both. Each component's valid
 * inputs are counted on their own, so the number of all valid inputs is a product, exact for any
 * number of variables. Union-find, then one small window per component that has constraints. */
#include "rules/engine/components.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <string.h>

static uint32_t find(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

void rules_mark_variables(const tac_rules *rules, tac_rules_predicate predicate, bool *marks)
{
    for (uint32_t i = predicate.first; i <= predicate.root; i++) {
        if (rules->nodes[i].op == TAC_RULES_VARIABLE)
            marks[rules->nodes[i].left] = true;
        else if (rules->nodes[i].op == TAC_RULES_RULE)
            rules_mark_variables(rules, rules->rules[rules->nodes[i].left].when, marks);
    }
}

/* Ties all variables of the predicate to *tied, the first one found. The smaller is the root, so
 * a component is named by its first member. */
static void tie(const tac_rules *rules, uint32_t *parent, uint32_t *seen, uint32_t stamp,
                tac_rules_predicate predicate, uint32_t *tied)
{
    assert(predicate.first <= predicate.root && predicate.root < rules->node_count);
    for (uint32_t i = predicate.first; i <= predicate.root; i++) {
        tac_rules_node node = rules->nodes[i];
        if (node.op == TAC_RULES_RULE) {
            if (seen[node.left] != stamp) {
                seen[node.left] = stamp;
                tie(rules, parent, seen, stamp, rules->rules[node.left].when, tied);
            }
        } else if (node.op == TAC_RULES_VARIABLE) {
            if (*tied == TAC_RULES_NONE)
                *tied = node.left;
            uint32_t a = find(parent, node.left), b = find(parent, *tied);
            if (a < b)
                parent[b] = a;
            else
                parent[a] = b;
        }
    }
}

static uint32_t *tie_all(const tac_rules *rules, bool ignore, uint32_t *variable_of_constraint)
{
    uint32_t *parent = tac_alloc((rules->variable_count + 1) * sizeof *parent);
    uint32_t *seen = tac_calloc(rules->rule_count + 1, sizeof *seen);
    for (uint32_t v = 0; v < rules->variable_count; v++)
        parent[v] = v;
    for (uint32_t i = 0; i < rules->constraint_count && !ignore; i++) {
        variable_of_constraint[i] = TAC_RULES_NONE;
        tie(rules, parent, seen, i + 1, rules->constraints[i].holds, &variable_of_constraint[i]);
    }
    free(seen);
    return parent;
}

/* Sorts items into buckets: first[b] .. first[b+1]-1 in list are the items of bucket b, in order.
 */
static void bucket(tac_arena *memory, const uint32_t *bucket_of, uint32_t items, uint32_t buckets,
                   uint32_t **first, uint32_t **list)
{
    uint32_t *start = tac_arena_calloc(memory, (size_t)buckets + 2, sizeof *start);
    *list = tac_arena_calloc(memory, (size_t)items + 1, sizeof **list);
    for (uint32_t i = 0; i < items; i++)
        if (bucket_of[i] != TAC_RULES_NONE)
            start[bucket_of[i] + 2]++;
    for (uint32_t b = 2; b < buckets + 2; b++)
        start[b] += start[b - 1];
    for (uint32_t i = 0; i < items; i++)
        if (bucket_of[i] != TAC_RULES_NONE)
            (*list)[start[bucket_of[i] + 1]++] = i;
    *first = start;
}

size_t rules_components_widest(const tac_rules *rules)
{
    uint32_t *unused = tac_calloc(rules->constraint_count + 1, sizeof *unused);
    uint32_t *parent = tie_all(rules, false, unused);
    uint32_t *size = tac_calloc(rules->variable_count + 1, sizeof *size);
    size_t widest = 1;
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (++size[find(parent, v)] > widest)
            widest = size[find(parent, v)];
    free(size);
    free(parent);
    free(unused);
    return widest;
}

static tac_status no_valid_input(const tac_rules *rules, uint32_t constraint, tac_error *err)
{
    assert(constraint < rules->constraint_count);
    return tac_fail_at(err, TAC_E_INPUT, rules->file, rules->constraints[constraint].line, 1,
                       "the constraints contradict each other: no input satisfies them all, and "
                       "this is the first that cannot hold with those before it");
}

/* Counts the valid inputs of one component in a window of its own. */
static tac_status count_component(const tac_rules *rules, struct components *c, uint32_t component,
                                  struct window *window, tac_error *err)
{
    assert(component < c->count);
    assert(c->first[component] < c->first[component + 1]); /* no component is empty */
    size_t scope = tac_bdd_scope();
    tac_bdd valid = TAC_BDD_TRUE;
    rules_window_clear(window);
    rules_window_add_variable(window, c->members[c->first[component]]);
    tac_bdd_more_variables(window->variable_of.count);
    for (uint32_t k = c->first_constraint[component]; k < c->first_constraint[component + 1]; k++) {
        tac_bdd holds = rules_window_predicate(window, rules->constraints[c->constraints[k]].holds);
        valid = tac_bdd_leave_with(scope, tac_bdd_and(valid, holds));
        tac_status status = tac_bdd_check("combining the constraints", err);
        if (status)
            return status;
        if (valid == TAC_BDD_FALSE)
            return no_valid_input(rules, c->constraints[k], err);
    }
    tac_bdd_count(valid, window->variable_of.count, c->counts[component], &c->shifts[component]);
    signed char *values = tac_alloc(tac_bdd_variable_count() + 1);
    tac_bdd_first(valid, values);
    for (size_t i = 0; i < window->variable_of.count; i++)
        c->some_input[window->variable_of.at[i]] = values[i] == 1 ? '1' : '0';
    free(values);
    tac_bdd_leave(scope);
    return TAC_OK;
}

/* A constraint without variables ("constraint false") belongs to no component. */
static tac_status check_constant(const tac_rules *rules, uint32_t constraint, struct window *window,
                                 tac_error *err)
{
    assert(constraint < rules->constraint_count);
    size_t scope = tac_bdd_scope();
    tac_bdd holds = rules_window_predicate(window, rules->constraints[constraint].holds);
    tac_bdd_leave(scope);
    return holds == TAC_BDD_FALSE ? no_valid_input(rules, constraint, err) : TAC_OK;
}

static tac_status count_all(const tac_rules *rules, struct components *c,
                            const uint32_t *variable_of_constraint, bool ignore, tac_error *err)
{
    struct window window;
    tac_status status = TAC_OK;
    rules_window_open(&window, rules, c);
    for (uint32_t i = 0; i < rules->constraint_count && !ignore && !status; i++)
        if (variable_of_constraint[i] == TAC_RULES_NONE)
            status = check_constant(rules, i, &window, err);
    mpz_init_set_ui(c->total, 1);
    for (uint32_t i = 0; i < c->count; i++) {
        mpz_init_set_ui(c->counts[i], 1);
        c->shifts[i] = c->first[i + 1] - c->first[i];
        if (!status && c->first_constraint[i] < c->first_constraint[i + 1])
            status = count_component(rules, c, i, &window, err);
        if (mpz_cmp_ui(c->counts[i], 1) != 0)
            mpz_mul(c->total, c->total, c->counts[i]);
        c->total_shift += c->shifts[i];
    }
    rules_window_close(&window);
    return status;
}

tac_status rules_components_open(const tac_rules *rules, bool ignore_constraints,
                                 struct components **out, tac_error *err)
{
    struct components *c = tac_calloc(1, sizeof *c);
    uint32_t n = rules->variable_count;
    uint32_t *tied = tac_calloc(rules->constraint_count + 1, sizeof *tied);
    uint32_t *parent = tie_all(rules, ignore_constraints, tied);
    c->of = tac_arena_calloc(&c->memory, n + 1, sizeof *c->of);
    for (uint32_t v = 0; v < n; v++)
        c->of[v] = find(parent, v) == v ? c->count++ : c->of[find(parent, v)];
    bucket(&c->memory, c->of, n, c->count, &c->first, &c->members);
    uint32_t *component_of = tac_calloc(rules->constraint_count + 1, sizeof *component_of);
    for (uint32_t i = 0; i < rules->constraint_count; i++)
        component_of[i] =
            ignore_constraints || tied[i] == TAC_RULES_NONE ? TAC_RULES_NONE : c->of[tied[i]];
    bucket(&c->memory, component_of, rules->constraint_count, c->count, &c->first_constraint,
           &c->constraints);
    c->some_input = tac_arena_calloc(&c->memory, n + 1, 1);
    memset(c->some_input, '0', n);
    c->counts = tac_arena_calloc(&c->memory, (size_t)c->count + 1, sizeof *c->counts);
    c->shifts = tac_arena_calloc(&c->memory, (size_t)c->count + 1, sizeof *c->shifts);
    tac_status status = count_all(rules, c, tied, ignore_constraints, err);
    free(component_of);
    free(parent);
    free(tied);
    if (status)
        rules_components_close(c);
    else
        *out = c;
    return status;
}

void rules_components_close(struct components *c)
{
    if (!c)
        return;
    for (uint32_t i = 0; i < c->count; i++)
        mpz_clear(c->counts[i]);
    mpz_clear(c->total);
    tac_arena_free(&c->memory);
    free(c);
}
