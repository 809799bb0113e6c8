/* The planner of adaptive runs: a stochastic shortest path to the next uncovered transition.
 *
 * Nodes are the configurations of the model. An event of a node is a choice; its edges are the ways
 * the app may answer, with the frequencies seen so far (and one imagined look at each, so that what
 * was never seen stays possible). The expected number of events to the next uncovered transition,
 *
 *   cost(node) = min over events of  1 + sum over its edges of p(edge) * (new(edge) ? 0 :
 * cost(to)),
 *
 * is found by value iteration from the costs of the step before, which are lower bounds no longer:
 * it starts from zero when something was covered. Starting again is one more choice, at the restart
 * cost.
 *
 * Invariant: edges of one event of one node are consecutive in `order`. Cost per step: sweeps *
 * edges, with at most MOST_SWEEPS sweeps. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/space/engine.h"
#include "tactus/adaptive.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NODES 200000
#define MOST_SWEEPS 400
#define UNREACHABLE 1e12

struct choice {
    uint32_t first, count; /* edges in `order` */
    uint32_t refused;      /* times its element was not there */
    uint32_t surprised;    /* times it led where the model has no transition to */
};

struct tac_adaptive {
    const tac_model *model;
    tac_flow_engine *engine;
    const struct graph *graph;
    uint32_t restart_cost;
    uint32_t *order;        /* edges grouped by node and event */
    uint32_t *first_choice; /* node: first of its choices; one more at the end */
    TAC_VEC(struct choice) choices;
    uint32_t *seen;     /* edge: how often the app answered so */
    uint64_t *covered;  /* transitions */
    uint64_t *feasible; /* transitions that some edge has */
    double *cost;       /* node */
    uint32_t at;        /* node of the graph, TAC_NONE: not running */
    uint32_t asked;     /* choice that was asked for, TAC_NONE: a start */
    tac_adaptive_figures figures;
};

static uint32_t event_of(const struct tac_adaptive *p, uint32_t edge)
{
    assert(edge < p->graph->edges.count);
    return p->model->transitions[p->graph->edges.at[edge].label].event;
}

static tac_status expand_all(struct tac_adaptive *p, tac_error *err)
{
    struct graph *graph = &p->engine->space->graph;
    tac_status status = TAC_OK;
    for (uint32_t n = 0; n < graph->nodes.count && status == TAC_OK; n++) {
        status = graph_expand(graph, n, err);
        if (status == TAC_OK && graph->nodes.count > MOST_NODES)
            status = tac_fail(err, TAC_E_LIMIT,
                              "over %d configurations: the model is too large to be planned in, or "
                              "its calls nest without end",
                              MOST_NODES);
    }
    return status;
}

/* Groups the edges of every node by event, in the order of the model. */
static void group_edges(struct tac_adaptive *p)
{
    const struct graph *graph = p->graph;
    size_t used = 0;
    p->order = tac_alloc((graph->edges.count + 1) * sizeof *p->order);
    p->first_choice = tac_calloc(graph->nodes.count + 1, sizeof *p->first_choice);
    for (uint32_t n = 0; n < graph->nodes.count; n++) {
        struct graph_node at = graph->nodes.at[n];
        p->first_choice[n] = (uint32_t)p->choices.count;
        for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++) {
            bool known = false;
            for (uint32_t k = at.first_edge; k < e && !known; k++)
                known = event_of(p, k) == event_of(p, e);
            if (known)
                continue;
            struct choice choice = {.first = (uint32_t)used};
            for (uint32_t k = e; k < at.first_edge + at.edge_count; k++)
                if (event_of(p, k) == event_of(p, e))
                    p->order[used++] = k;
            choice.count = (uint32_t)used - choice.first;
            tac_vec_push(&p->choices, choice);
            tac_bits_set(p->feasible, graph->edges.at[e].label);
        }
        for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++)
            tac_bits_set(p->feasible, graph->edges.at[e].label);
    }
    p->first_choice[graph->nodes.count] = (uint32_t)p->choices.count;
    assert(used == graph->edges.count);
}

tac_status tac_adaptive_new(const tac_model *model, uint32_t restart_cost, tac_adaptive **out,
                            tac_error *err)
{
    struct tac_adaptive *p = tac_calloc(1, sizeof *p);
    tac_diagnostics findings = {0};
    tac_flow_options options = {.length = TAC_FLOW_UNBOUNDED};
    p->model = model;
    p->restart_cost = restart_cost ? restart_cost : 10;
    p->at = p->asked = TAC_NONE;
    tac_status status = tac_flow_engine_new(model, &options, &findings, &p->engine, err);
    tac_diagnostics_free(&findings);
    if (status == TAC_OK && p->engine->space->devices.count != 1)
        status = tac_fail(err, TAC_E_INPUT, "an adaptive run drives one device; the model has %zu",
                          p->engine->space->devices.count);
    if (status == TAC_OK)
        status = expand_all(p, err);
    if (status != TAC_OK) {
        tac_adaptive_free(p);
        return status;
    }
    p->graph = &p->engine->space->graph;
    p->feasible = tac_bits_new(model->transition_count);
    p->covered = tac_bits_new(model->transition_count);
    group_edges(p);
    p->seen = tac_calloc(p->graph->edges.count + 1, sizeof *p->seen);
    p->cost = tac_calloc(p->graph->nodes.count + 1, sizeof *p->cost);
    p->figures.total = tac_bits_count(p->feasible, tac_bits_words(model->transition_count));
    assert(p->figures.total <= model->transition_count);
    *out = p;
    return TAC_OK;
}

void tac_adaptive_free(tac_adaptive *p)
{
    if (!p)
        return;
    tac_flow_engine_free(p->engine);
    free(p->order);
    free(p->first_choice);
    tac_vec_free(&p->choices);
    free(p->seen);
    free(p->covered);
    free(p->feasible);
    free(p->cost);
    free(p);
}

/* --- Choosing --- */

/* Given up: it was not there, or it keeps leading elsewhere than the model says. */
static bool is_given_up(const struct tac_adaptive *p, const struct choice *choice)
{
    uint64_t answers = 0;
    for (uint32_t i = 0; i < choice->count; i++)
        answers += p->seen[p->order[choice->first + i]];
    return choice->refused > 2 || (choice->surprised > 4 && choice->surprised > 2 * answers);
}

static double cost_of_choice(const struct tac_adaptive *p, const struct choice *choice)
{
    double looks = choice->count, sum = 1;
    if (is_given_up(p, choice))
        return UNREACHABLE;
    for (uint32_t i = 0; i < choice->count; i++)
        looks += p->seen[p->order[choice->first + i]];
    for (uint32_t i = 0; i < choice->count; i++) {
        uint32_t edge = p->order[choice->first + i];
        struct graph_edge to = p->graph->edges.at[edge];
        double chance = (1 + p->seen[edge]) / looks;
        if (tac_bits_get(p->covered, to.label))
            sum += chance * p->cost[to.target];
    }
    return sum < UNREACHABLE ? sum : UNREACHABLE;
}

static double cost_of_start(const struct tac_adaptive *p)
{
    double sum = 0;
    for (size_t r = 0; r < p->graph->roots.count; r++)
        sum += p->cost[p->graph->roots.at[r]] / (double)p->graph->roots.count;
    return p->restart_cost + sum;
}

/* Can an uncovered transition be reached at all, starts allowed? Costs alone cannot say. */
static bool *find_hope(const struct tac_adaptive *p)
{
    size_t nodes = p->graph->nodes.count;
    bool *hope = tac_calloc(nodes + 1, sizeof *hope);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t n = 0; n < nodes; n++)
            for (uint32_t c = p->first_choice[n]; c < p->first_choice[n + 1] && !hope[n]; c++) {
                const struct choice *choice = &p->choices.at[c];
                bool open = !is_given_up(p, choice);
                for (uint32_t i = 0; i < choice->count && open && !hope[n]; i++) {
                    struct graph_edge edge = p->graph->edges.at[p->order[choice->first + i]];
                    if (!tac_bits_get(p->covered, edge.label) || hope[edge.target])
                        more = hope[n] = true;
                }
            }
    }
    return hope;
}

static void iterate(struct tac_adaptive *p)
{
    size_t nodes = p->graph->nodes.count;
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double change = 0, start = cost_of_start(p);
        for (size_t k = nodes; k-- > 0;) {
            double best = start;
            for (uint32_t c = p->first_choice[k]; c < p->first_choice[k + 1]; c++) {
                double cost = cost_of_choice(p, &p->choices.at[c]);
                best = cost < best ? cost : best;
            }
            change = fmax(change, fabs(best - p->cost[k]));
            p->cost[k] = best;
        }
        if (change < 1e-3)
            return;
    }
}

static tac_adaptive_step start_again(struct tac_adaptive *p)
{
    p->asked = TAC_NONE;
    p->at = TAC_NONE;
    p->figures.starts++;
    return TAC_ADAPTIVE_START;
}

tac_adaptive_step tac_adaptive_next(tac_adaptive *p, uint32_t *transition)
{
    assert(p->figures.covered <= p->figures.total);
    if (p->figures.covered == p->figures.total)
        return TAC_ADAPTIVE_COVERED;
    bool *hope = find_hope(p), roots = false, here = p->at != TAC_NONE && hope[p->at];
    for (size_t r = 0; r < p->graph->roots.count; r++)
        roots = roots || hope[p->graph->roots.at[r]];
    free(hope);
    if (!here && !roots)
        return TAC_ADAPTIVE_OVER;
    if (p->at == TAC_NONE || !here)
        return start_again(p);
    iterate(p);
    uint32_t best = TAC_NONE;
    double best_cost = roots ? cost_of_start(p) : UNREACHABLE;
    for (uint32_t c = p->first_choice[p->at]; c < p->first_choice[p->at + 1]; c++) {
        double cost = cost_of_choice(p, &p->choices.at[c]);
        if (cost < best_cost - 1e-9) {
            best_cost = cost;
            best = c;
        }
    }
    if (best == TAC_NONE)
        return start_again(p);
    p->asked = best;
    p->figures.events++;
    assert(best >= p->first_choice[p->at] && p->choices.at[best].count > 0);
    *transition = p->graph->edges.at[p->order[p->choices.at[best].first]].label;
    return TAC_ADAPTIVE_EVENT;
}

/* --- Learning --- */

static uint32_t node_shown(const struct tac_adaptive *p, uint32_t graph_node)
{
    uint32_t words[64];
    assert(p->engine->space->width <= 64);
    space_words(p->engine->space, graph_node, words);
    return p->engine->space->configs.at.at[words[0]].node;
}

static void cover(struct tac_adaptive *p, uint32_t edge)
{
    uint32_t transition = p->graph->edges.at[edge].label;
    p->figures.covered += !tac_bits_get(p->covered, transition);
    if (!tac_bits_get(p->covered, transition)) /* costs below may have become too low */
        memset(p->cost, 0, p->graph->nodes.count * sizeof *p->cost);
    tac_bits_set(p->covered, transition);
}

/* Some configuration that shows this node, for going on after a surprise. */
static uint32_t any_showing(const struct tac_adaptive *p, uint32_t node)
{
    for (uint32_t n = 0; n < p->graph->nodes.count; n++)
        if (node_shown(p, n) == node)
            return n;
    return TAC_NONE;
}

bool tac_adaptive_landed(tac_adaptive *p, uint32_t node)
{
    uint32_t choice = p->asked;
    p->asked = TAC_NONE;
    if (choice == TAC_NONE) {
        p->at = TAC_NONE;
        for (size_t r = 0; r < p->graph->roots.count && p->at == TAC_NONE; r++)
            if (node_shown(p, p->graph->roots.at[r]) == node)
                p->at = p->graph->roots.at[r];
    } else {
        assert(choice < p->choices.count);
        const struct choice *of = &p->choices.at[choice];
        p->at = TAC_NONE;
        for (uint32_t i = 0; i < of->count && node != TAC_MODEL_NONE; i++) {
            uint32_t edge = p->order[of->first + i], to = p->graph->edges.at[edge].target;
            if (node_shown(p, to) != node)
                continue;
            p->seen[edge]++;
            cover(p, edge);
            p->at = to;
            return true;
        }
    }
    if (p->at != TAC_NONE)
        return true;
    p->figures.unmodelled++;
    if (choice != TAC_NONE)
        p->choices.at[choice].surprised++;
    p->at = node == TAC_MODEL_NONE ? TAC_NONE : any_showing(p, node);
    return false;
}

void tac_adaptive_refused(tac_adaptive *p)
{
    if (p->asked != TAC_NONE)
        p->choices.at[p->asked].refused++;
    p->asked = TAC_NONE;
}

size_t tac_adaptive_expected(const tac_adaptive *p, uint32_t *nodes, size_t most)
{
    size_t count = 0;
    if (p->asked == TAC_NONE) {
        for (size_t r = 0; r < p->graph->roots.count && count < most; r++)
            nodes[count++] = node_shown(p, p->graph->roots.at[r]);
        return count;
    }
    const struct choice *of = &p->choices.at[p->asked];
    for (uint32_t i = 0; i < of->count && count < most; i++)
        nodes[count++] = node_shown(p, p->graph->edges.at[p->order[of->first + i]].target);
    return count;
}

void tac_adaptive_report(const tac_adaptive *p, tac_adaptive_figures *out)
{
    *out = p->figures;
}

bool tac_adaptive_has(const tac_adaptive *p, uint32_t transition)
{
    return tac_bits_get(p->covered, transition);
}
