/* The paper's Table 2, counted as its authors did: constraints ignored, nondeterminism over the
 * variables of the state's own rules, races and cycles by depth-first search along every satisfied
 * rule whatever its priority. Counted are distinct (path, input projected on the variables of the
 * rules on the path) with two transitions or more; a path ends where no rule is satisfied (race) or
 * at the first state already on it, the start included (cycle).
 * The inputs of a path are carried along as a diagram. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/check/check.h"
#include "rules/edges.h"
#include <stdlib.h>
#include <string.h>

#define MAX_TABLE2_PATHS 2000000u

struct table2 {
    struct rules_run *run;
    const tac_rules *rules;
    struct window window;
    TAC_VEC(uint32_t) path; /* edges */
    TAC_VEC(uint32_t) uses; /* by variable: how many rules of the path name it */
    bool **names;           /* by rule: the variables of its predicate; made when needed */
    size_t used;            /* variables with uses > 0 */
    uint64_t paths;
    bool *on_path; /* by state */
    mpz_t race, cycle;
    bool failed;
};

static const bool *names_of(struct table2 *t, uint32_t rule)
{
    if (!t->names[rule]) {
        t->names[rule] = tac_calloc(t->rules->variable_count + 1, sizeof **t->names);
        rules_mark_variables(t->rules, t->rules->rules[rule].when, t->names[rule]);
    }
    return t->names[rule];
}

static void use_rule(struct table2 *t, uint32_t rule, bool enter)
{
    assert(rule < t->rules->rule_count);
    const bool *names = names_of(t, rule);
    for (uint32_t v = 0; v < t->rules->variable_count; v++) {
        if (!names[v])
            continue;
        if (enter)
            t->used += t->uses.at[v]++ == 0;
        else
            t->used -= --t->uses.at[v] == 0;
    }
}

/* The inputs of the path, projected on the variables its rules name. The set depends on no other
 * variable, except at the end of a race, where "no rule is satisfied" may name more. */
static void count_path(struct table2 *t, tac_bdd inputs, mpz_t sum)
{
    size_t scope = tac_bdd_scope();
    mpz_t count;
    mpz_init(count);
    uint32_t *others = tac_calloc(t->rules->variable_count + 1, sizeof *others);
    assert(t->used <= t->rules->variable_count && t->path.count >= 2);
    size_t other_count = 0;
    for (uint32_t v = 0; v < t->rules->variable_count; v++)
        if (t->uses.at[v] == 0)
            others[other_count++] = v;
    assert(other_count + t->used == t->rules->variable_count);
    tac_bdd projected = tac_bdd_exists(inputs, tac_bdd_variables(others, other_count));
    tac_bdd_count_full(projected, t->used, count);
    mpz_add(sum, sum, count);
    mpz_clear(count);
    free(others);
    tac_bdd_leave(scope);
}

static void search(struct table2 *t, uint32_t s, tac_bdd inputs)
{
    const tac_rules *rules = t->rules;
    size_t scope = tac_bdd_scope();
    if (t->failed || ++t->paths > MAX_TABLE2_PATHS || tac_bdd_failed()) {
        t->failed = true;
        return;
    }
    tac_bdd resting = inputs;
    assert(s < rules->state_count && !t->on_path[s]);
    t->on_path[s] = true;
    for_each_edge (e, &rules->states[s]) {
        const tac_rules_rule *rule = &rules->rules[rules->edges[e].rule];
        size_t inner = tac_bdd_scope();
        tac_bdd wanted = rules_window_rule(&t->window, rules->edges[e].rule);
        tac_bdd taken = tac_bdd_and(inputs, wanted);
        resting = tac_bdd_diff(resting, wanted);
        tac_vec_push(&t->path, e);
        use_rule(t, rules->edges[e].rule, true);
        if (taken != TAC_BDD_FALSE && t->on_path[rule->to] && t->path.count >= 2)
            count_path(t, taken, t->cycle);
        else if (taken != TAC_BDD_FALSE && !t->on_path[rule->to])
            search(t, rule->to, taken);
        use_rule(t, rules->edges[e].rule, false);
        t->path.count--;
        resting = tac_bdd_leave_with(inner, resting);
    }
    t->on_path[s] = false;
    if (resting != TAC_BDD_FALSE && t->path.count >= 2)
        count_path(t, resting, t->race);
    tac_bdd_leave(scope);
}

/* Nondeterministic inputs over the variables of the state's own rules: nothing else matters to
 * them, so every other variable is a factor of two. */
static void project_nondeterminism(struct table2 *t, uint32_t s)
{
    const tac_rules_state *state = &t->rules->states[s];
    tac_rules_count *count = &t->run->out->states[s].nondeterministic;
    for_each_edge (e, state)
        use_rule(t, t->rules->edges[e].rule, true);
    mpz_t value;
    mpz_init(value);
    mpz_mul_2exp(value, count->mantissa, count->shift);
    /* the other variables are free: each doubles the count */
    assert(t->used <= t->rules->variable_count);
    assert(!count->known || mpz_divisible_2exp_p(value, t->rules->variable_count - t->used));
    mpz_tdiv_q_2exp(value, value, t->rules->variable_count - t->used);
    mpz_set(count->mantissa, value);
    count->shift = 0;
    mpz_clear(value);
    for_each_edge (e, state)
        use_rule(t, t->rules->edges[e].rule, false);
}

static void count_state(struct table2 *t, uint32_t s)
{
    tac_rules_state_findings *found = &t->run->out->states[s];
    mpz_set_ui(t->race, 0);
    mpz_set_ui(t->cycle, 0);
    search(t, s, TAC_BDD_TRUE);
    assert(t->failed || (t->path.count == 0 && t->used == 0));
    found->race.known = found->cycle.known = !t->failed;
    mpz_set(found->race.mantissa, t->race);
    mpz_set(found->cycle.mantissa, t->cycle);
    found->race.shift = found->cycle.shift = 0;
    project_nondeterminism(t, s);
}

tac_status rules_count_table2(struct rules_run *run, tac_error *err)
{
    const tac_rules *rules = run->rules;
    struct table2 t = {.run = run, .rules = rules};
    if (rules->action_count)
        return tac_fail(err, TAC_E_INPUT,
                        "the convention of Table 2 is for rules without actions: check these with "
                        "the ordinary semantics");
    mpz_inits(t.race, t.cycle, NULL);
    t.names = tac_calloc(rules->rule_count + 1, sizeof *t.names);
    t.on_path = tac_calloc(rules->state_count + 1, sizeof *t.on_path);
    for (uint32_t v = 0; v <= rules->variable_count; v++)
        tac_vec_push(&t.uses, 0);
    rules_window_open(&t.window, rules, run->components);
    rules_window_seal_all(&t.window);
    for (uint32_t s = 0; s < rules->state_count; s++)
        count_state(&t, s);
    run->out->truncated = t.failed;
    run->out->paths_known = run->out->cycles_known = !t.failed;
    for (uint32_t r = 0; r < rules->rule_count; r++)
        free(t.names[r]);
    free(t.names);
    free(t.on_path);
    tac_vec_free(&t.uses);
    tac_vec_free(&t.path);
    mpz_clears(t.race, t.cycle, NULL);
    rules_window_close(&t.window);
    tac_bdd_recover();
    return TAC_OK;
}
