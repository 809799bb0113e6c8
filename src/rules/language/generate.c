/* Random rule sets as in section 5.1 of the paper: every state but the initial one is the target of
 * some rule; one to eight rules per state (more only when there are more than eight for each), all
 * with different priorities, so the set is deterministic; one to five variables per predicate,
 * every variable used somewhere; each negated with probability one half, joined by "and" or "or"
 * with probability one half.
 *
 * Rules and states are dealt out first, so that the conditions hold by construction; linear. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "rules/language/build.h"

#define MOST_RULES                                                                                 \
    8 /* of one state, unless the shape leaves no choice: (10, 90, 30) is in the paper */
#define ROOM_FOR_RULES 64
#define MOST_VARIABLES 5 /* of one predicate */
#define GROUPS 4u

struct generator {
    struct rules_builder b;
    tac_arena memory; /* of the arrays below */
    tac_random random;
    const tac_rules_shape *shape;
    uint32_t *rules_of;                           /* by state */
    uint32_t *state_of, *target_of, *priority_of; /* by rule */
    uint32_t *chosen;                             /* by rule * MOST_VARIABLES: its variables */
    uint8_t *chosen_count;
};

static uint32_t below(struct generator *g, uint32_t bound)
{
    assert(bound > 0);
    return (uint32_t)tac_random_below(&g->random, bound);
}

static void shuffle(struct generator *g, uint32_t *list, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t k = below(g, i), kept = list[i - 1];
        list[i - 1] = list[k];
        list[k] = kept;
    }
}

/* One rule for each state, the others where there is room. */
static void deal_rules(struct generator *g)
{
    uint32_t states = g->shape->states, rules = g->shape->rules, next = 0;
    uint32_t *open = tac_calloc(states + 1, sizeof *open), open_count = states;
    uint32_t average = (rules + states - 1) / states;
    uint32_t most = average > MOST_RULES ? average : MOST_RULES;
    for (uint32_t s = 0; s < states; s++) {
        g->rules_of[s] = 1;
        open[s] = s;
    }
    for (uint32_t left = rules - states; left > 0; left--) {
        uint32_t k = below(g, open_count);
        if (++g->rules_of[open[k]] == most)
            open[k] = open[--open_count];
    }
    free(open);
    for (uint32_t s = 0; s < states; s++) {
        uint32_t priorities[ROOM_FOR_RULES];
        for (uint32_t i = 0; i < g->rules_of[s]; i++)
            priorities[i] = i;
        shuffle(g, priorities, g->rules_of[s]);
        for (uint32_t i = 0; i < g->rules_of[s]; i++, next++) {
            g->state_of[next] = s;
            g->priority_of[next] = priorities[i];
        }
    }
}

/* Every state but the first is dealt to some rule; no rule leads where it starts, if it can be
 * helped. */
static void deal_targets(struct generator *g)
{
    uint32_t states = g->shape->states, rules = g->shape->rules;
    uint32_t *order = tac_calloc(rules + 1, sizeof *order);
    for (uint32_t i = 0; i < rules; i++)
        order[i] = i;
    shuffle(g, order, rules);
    for (uint32_t i = 0; i < rules; i++) {
        uint32_t target = i + 1 < states ? i + 1 : below(g, states);
        if (i + 1 >= states && states > 1)
            while (target == g->state_of[order[i]])
                target = below(g, states);
        g->target_of[order[i]] = target;
    }
    for (uint32_t i = 0; i + 1 < states && i < rules; i++) {
        uint32_t rule = order[i], other = order[below(g, states - 1)];
        uint32_t a = g->target_of[rule], b = g->target_of[other];
        if (a == g->state_of[rule] && b != g->state_of[rule] && a != g->state_of[other]) {
            g->target_of[rule] = b;
            g->target_of[other] = a;
        }
    }
    free(order);
}

static bool has_variable(const struct generator *g, uint32_t rule, uint32_t variable)
{
    for (uint8_t i = 0; i < g->chosen_count[rule]; i++)
        if (g->chosen[rule * MOST_VARIABLES + i] == variable)
            return true;
    return false;
}

static void choose(struct generator *g, uint32_t rule, uint32_t variable)
{
    assert(g->chosen_count[rule] < MOST_VARIABLES);
    g->chosen[rule * MOST_VARIABLES + g->chosen_count[rule]++] = variable;
}

/* Every variable goes to some rule with room, then every rule gets one to five. */
static void deal_variables(struct generator *g)
{
    uint32_t rules = g->shape->rules, variables = g->shape->variables;
    uint32_t *open = tac_calloc(rules + 1, sizeof *open), open_count = rules;
    for (uint32_t r = 0; r < rules; r++)
        open[r] = r;
    for (uint32_t v = 0; v < variables; v++) {
        uint32_t k = below(g, open_count);
        choose(g, open[k], v);
        if (g->chosen_count[open[k]] == MOST_VARIABLES)
            open[k] = open[--open_count];
    }
    free(open);
    for (uint32_t r = 0; r < rules; r++) {
        uint32_t wanted = 1 + below(g, MOST_VARIABLES);
        if (wanted > variables)
            wanted = variables;
        while (g->chosen_count[r] < wanted) {
            uint32_t v = below(g, variables);
            if (!has_variable(g, r, v))
                choose(g, r, v);
        }
    }
}

static uint32_t push(struct generator *g, struct draft_node node)
{
    tac_vec_push(&g->b.nodes, node);
    return (uint32_t)g->b.nodes.count - 1;
}

static tac_rules_predicate make_predicate(struct generator *g, uint32_t rule)
{
    assert(g->chosen_count[rule] > 0);
    tac_rules_predicate predicate = {.first = (uint32_t)g->b.nodes.count};
    for (uint8_t i = 0; i < g->chosen_count[rule]; i++) {
        const char *name = g->b.variables.at[g->chosen[rule * MOST_VARIABLES + i]].variable.name;
        uint32_t node = push(g, (struct draft_node){.kind = DRAFT_NAME, .name = name});
        struct draft_node join = {.kind = DRAFT_OPERATOR, .op = TAC_RULES_NOT, .left = node};
        if (below(g, 2))
            node = push(g, join);
        if (i > 0) {
            join.op = below(g, 2) ? TAC_RULES_AND : TAC_RULES_OR;
            join.left = predicate.root;
            join.right = node;
            node = push(g, join);
        }
        predicate.root = node;
    }
    return predicate;
}

static void declare(struct generator *g)
{
    struct place at = {0, 0};
    tac_arena *arena = &g->b.arena;
    uint32_t variables = g->shape->variables;
    g->b.app =
        tac_arena_format(arena, "Generated_%u_%u_%u", g->shape->states, g->shape->rules, variables);
    for (uint32_t v = 0; v < variables; v++) {
        uint32_t part = (uint32_t)((uint64_t)v * GROUPS / variables);
        uint32_t group = rules_build_group(&g->b, tac_arena_format(arena, "G%u", part), at);
        rules_build_variable(&g->b, group, tac_arena_format(arena, "v%u", v), "", TAC_MONOTONE_NO,
                             at);
    }
    for (uint32_t s = 0; s < g->shape->states; s++)
        rules_build_state(&g->b, tac_arena_format(arena, "s%u", s), s == 0, at);
    for (uint32_t r = 0; r < g->shape->rules; r++) {
        rules_build_rule(&g->b, tac_arena_format(arena, "r%u", r), at);
        rules_build_from(&g->b, g->b.states.at[g->state_of[r]].name, at);
        struct draft_rule *rule = &tac_vec_last(&g->b.rules);
        rule->to = g->b.states.at[g->target_of[r]].name;
        rule->priority = g->priority_of[r];
        tac_rules_predicate when = make_predicate(g, r);
        tac_vec_last(&g->b.rules).when = when;
    }
}

static tac_status check_shape(const tac_rules_shape *shape, tac_error *err)
{
    if (shape->states < 1 || shape->states > RULES_MAX_THINGS || shape->rules > RULES_MAX_THINGS)
        return tac_fail(err, TAC_E_USAGE, "from 1 to %u states and rules can be generated",
                        RULES_MAX_THINGS);
    if (shape->rules < shape->states || shape->rules > (uint64_t)shape->states * ROOM_FOR_RULES)
        return tac_fail(err, TAC_E_USAGE,
                        "%u states have 1 to %u rules each, so %u to %llu in all, not %u",
                        shape->states, ROOM_FOR_RULES, shape->states,
                        (unsigned long long)shape->states * ROOM_FOR_RULES, shape->rules);
    if (shape->variables < 1 || shape->variables > (uint64_t)shape->rules * MOST_VARIABLES)
        return tac_fail(err, TAC_E_USAGE,
                        "%u rules name at most five variables each, so 1 to %llu in all, not %u",
                        shape->rules, (unsigned long long)shape->rules * MOST_VARIABLES,
                        shape->variables);
    return TAC_OK;
}

tac_status tac_rules_generate(const tac_rules_shape *shape, tac_rules **out, tac_error *err)
{
    tac_status status = check_shape(shape, err);
    if (status)
        return status;
    tac_diagnostics diagnostics = {0};
    struct generator g = {.shape = shape};
    size_t rules = (size_t)shape->rules + 1;
    tac_random_seed(&g.random, shape->seed);
    rules_builder_open(&g.b, "generated", &diagnostics);
    g.rules_of = tac_arena_calloc(&g.memory, (size_t)shape->states + 1, sizeof *g.rules_of);
    g.state_of = tac_arena_calloc(&g.memory, rules, sizeof *g.state_of);
    g.target_of = tac_arena_calloc(&g.memory, rules, sizeof *g.target_of);
    g.priority_of = tac_arena_calloc(&g.memory, rules, sizeof *g.priority_of);
    g.chosen = tac_arena_calloc(&g.memory, rules * MOST_VARIABLES, sizeof *g.chosen);
    g.chosen_count = tac_arena_calloc(&g.memory, rules, sizeof *g.chosen_count);
    deal_rules(&g);
    deal_targets(&g);
    deal_variables(&g);
    declare(&g);
    status = rules_builder_finish(&g.b, out, err);
    rules_builder_close(&g.b);
    tac_diagnostics_free(&diagnostics);
    tac_arena_free(&g.memory);
    return status;
}
