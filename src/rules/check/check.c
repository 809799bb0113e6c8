/* One analysis from start to end: the manager, the engine, what is added to its findings. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/check/check.h"
#include "rules/engine/components.h"
#include "rules/witness/witness.h"
#include <stdlib.h>

/* Findings come in the same order from every engine. */
static int by_words(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
    assert(a_count == 0 || a);
    for (size_t i = 0; i < a_count && i < b_count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return (a_count > b_count) - (a_count < b_count);
}

static int by_path(const void *x, const void *y)
{
    const tac_rules_path *a = x, *b = y;
    if (a->states[0] != b->states[0])
        return a->states[0] < b->states[0] ? -1 : 1;
    if (a->cycle != b->cycle)
        return a->cycle ? 1 : -1;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    int order = by_words(a->rules, a->length, b->rules, b->length);
    return order ? order : (a->loop > b->loop) - (a->loop < b->loop);
}

static int by_cycle(const void *x, const void *y)
{
    const tac_rules_cycle *a = x, *b = y;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return by_words(a->states, a->length, b->states, b->length);
}

static int by_clash(const void *x, const void *y)
{
    const tac_rules_clash *a = x, *b = y;
    if (a->state != b->state)
        return a->state < b->state ? -1 : 1;
    return by_words(a->rules, a->rule_count, b->rules, b->rule_count);
}

static void sort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count > 1)
        qsort(array, count, size, compare);
}

static void sort_findings(tac_rules_findings *out)
{
    sort(out->paths, out->path_count, sizeof *out->paths, by_path);
    sort(out->cycles, out->cycle_count, sizeof *out->cycles, by_cycle);
    sort(out->pairs, out->pair_count, sizeof *out->pairs, by_clash);
    sort(out->groups, out->group_count, sizeof *out->groups, by_clash);
}

static tac_status run_engine(struct rules_run *run, tac_error *err)
{
    switch (run->options->engine) {
    case TAC_RULES_HYBRID:
        return rules_engine_hybrid(run, err);
    case TAC_RULES_SYMBOLIC:
        return rules_engine_symbolic(run, err);
    case TAC_RULES_ENUMERATIVE:
        return rules_engine_enumerative(run, err);
    case TAC_RULES_LEAN:
        break;
    }
    return rules_engine_lean(run, err);
}

static tac_status analyse(struct rules_run *run, tac_error *err)
{
    struct window window;
    rules_window_open(&window, run->rules, run->components);
    rules_window_seal(&window);
    rules_window_count(&window, TAC_BDD_TRUE, &run->out->valid_inputs);
    rules_window_close(&window);
    tac_status status = run_engine(run, err);
    if (!status && run->interrupted)
        status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    if (!status)
        status = rules_explain_dead_rules(run, err);
    if (!status && !run->options->table2 && !run->sets_only)
        status = rules_find_witnesses(run, err);
    if (!status && run->options->table2)
        status = rules_count_table2(run, err);
    if (!status && !run->options->table2)
        rules_check_expectations(run);
    if (!status && run->options->hazards)
        status = rules_check_hazards(run, err);
    if (!status && run->interrupted)
        status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    sort_findings(run->out);
    run->out->statistics.nodes_made = rules_work_now();
    return status;
}

/* Small rule sets start in a moment, large ones do not begin by growing the table. */
static size_t first_nodes(const tac_rules *rules)
{
    size_t wanted = 2000 + (size_t)rules->node_count * 8;
    return wanted > 200000 ? 200000 : wanted;
}

static tac_status check(const tac_rules *rules, const tac_rules_options *options, bool sets_only,
                        tac_rules_findings **out, tac_error *err);

/* What every engine says alike, state by state. Counts that a budget left open are not compared. */
static bool same_counts(const tac_rules_findings *a, const tac_rules_findings *b)
{
    bool same = a->pair_count == b->pair_count && a->dead_rule_count == b->dead_rule_count &&
                a->unstable_count == b->unstable_count && a->breach_count == b->breach_count;
    for (uint32_t s = 0; s < a->state_count && same; s++) {
        const tac_rules_state_findings *x = &a->states[s], *y = &b->states[s];
        const tac_rules_count *counts[][2] = {{&x->nondeterministic, &y->nondeterministic},
                                              {&x->stable, &y->stable},
                                              {&x->one, &y->one},
                                              {&x->race, &y->race},
                                              {&x->cycle, &y->cycle}};
        same = x->dead == y->dead && x->unreachable == y->unreachable;
        for (size_t i = 0; i < 5; i++)
            same = same && (!counts[i][0]->known || !counts[i][1]->known ||
                            rules_count_equal(counts[i][0], counts[i][1]));
    }
    return same;
}

/* Small rule sets are analysed once more input by input; the answers must be equal. */
static __attribute__((unused)) bool engines_agree(const tac_rules *rules,
                                                  const tac_rules_options *options,
                                                  const tac_rules_findings *found)
{
    tac_rules_options other = {.engine = TAC_RULES_ENUMERATIVE};
    tac_rules_findings *again = NULL;
    if (options->engine == TAC_RULES_ENUMERATIVE || options->table2 || rules->variable_count > 8 ||
        check(rules, &other, true, &again, NULL) != TAC_OK)
        return true;
    bool same = same_counts(found, again);
    tac_rules_findings_free(again);
    return same;
}

static tac_status check(const tac_rules *rules, const tac_rules_options *options, bool sets_only,
                        tac_rules_findings **out, tac_error *err)
{
    struct components *components = NULL;
    size_t widest = rules_components_widest(rules);
    tac_bdd_limits limits = {.variables = widest > 64 ? widest : 64,
                             .first_nodes = first_nodes(rules),
                             .max_bytes = options->max_bytes};
    double start = rules_now();
    tac_status status = tac_bdd_start(&limits, err);
    if (status)
        return status;
    status = rules_components_open(rules, options->table2, &components, err);
    if (!status) {
        struct rules_run run = {.rules = rules,
                                .options = options,
                                .components = components,
                                .ignore_constraints = options->table2,
                                .sets_only = sets_only,
                                .work = options->work ? options->work : DEFAULT_WORK};
        run.out = rules_findings_new(rules, options);
        run.out->some_input = tac_strdup(components->some_input);
        run.out->statistics.prepare_ms = (rules_now() - start) * 1e3;
        status = analyse(&run, err);
        if (status)
            tac_rules_findings_free(run.out);
        else
            *out = run.out;
    }
    rules_components_close(components);
    tac_bdd_stop();
    assert_costly(status != TAC_OK || engines_agree(rules, options, *out));
    return status;
}

tac_status tac_rules_check(const tac_rules *rules, const tac_rules_options *options,
                           tac_rules_findings **out, tac_error *err)
{
    return check(rules, options, options->table2, out, err);
}

tac_status rules_check_sets(const tac_rules *rules, const tac_rules_options *options,
                            tac_rules_findings **out, tac_error *err)
{
    return check(rules, options, true, out, err);
}
