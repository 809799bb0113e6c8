/* The planner of adaptive runs: a stochastic shortest path to the next uncovered item, over what is
 * known of where the app is.
 *
 * An event of a node is a choice; its ways are the answers that the app may give, with the
 * frequencies seen so far (and one imagined look at each, so that what was never seen stays
 * possible). The expected number of events to the next uncovered item,
 *
 *   cost(node) = min over choices of  1 + sum over its ways of p(way) * (new(way) ? 0 : cost(to)),
 *
 * is found by value iteration from the costs of the step before, which are lower bounds no longer:
 * it starts from zero when something was covered. Starting again is one more choice, at the restart
 * cost.
 *
 * Where several nodes may be shown, an event is worth what it is on average over those that fit
 * best; one that brings them closer to being told apart is preferred, one that was tried there
 * before without a gain is worth less each time. Cost per step: sweeps * ways, with at most
 * MOST_SWEEPS sweeps. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/adaptive/belief.h"
#include <math.h>
#include <string.h>

#define MOST_SWEEPS 400
#define MOST_VAGUE 16
#define UNREACHABLE 1e12

struct tac_adaptive {
    struct plan plan;
    struct belief belief;
    uint32_t restart_cost;
    double *cost; /* node */
    tac_u64map
        tried;      /* what was likely, and an event: times it was asked for since the last gain */
    size_t counted; /* covered when the costs were last cleared */
    tac_adaptive_figures figures;
};

const char *tac_adaptive_goal_name(tac_adaptive_goal goal)
{
    static const char *const names[] = {[TAC_ADAPTIVE_TRANSITIONS] = "transitions",
                                        [TAC_ADAPTIVE_STATES] = "states",
                                        [TAC_ADAPTIVE_PAIRS] = "pairs",
                                        [TAC_ADAPTIVE_REQUIREMENT] = "requirement"};
    TABLE_COVERS(names, TAC_ADAPTIVE_REQUIREMENT);
    return names[goal];
}

bool tac_adaptive_goal_parse(const char *name, tac_adaptive_goal *out)
{
    tac_adaptive_goal goal = TAC_ADAPTIVE_TRANSITIONS;
    while (goal <= TAC_ADAPTIVE_REQUIREMENT && strcmp(name, tac_adaptive_goal_name(goal)) != 0)
        goal++;
    if (goal > TAC_ADAPTIVE_REQUIREMENT)
        return false;
    *out = goal;
    return true;
}

tac_status tac_adaptive_new_for(const tac_model *model, const tac_adaptive_options *options,
                                tac_adaptive **out, tac_error *err)
{
    struct tac_adaptive *p = tac_calloc(1, sizeof *p);
    tac_status status = adaptive_plan_new(model, options, &p->plan, err);
    if (status != TAC_OK) {
        tac_adaptive_free(p);
        return status;
    }
    p->restart_cost = options->restart_cost ? options->restart_cost : 10;
    belief_init(&p->belief, &p->plan);
    p->cost = tac_calloc(plan_nodes(&p->plan) + 1, sizeof *p->cost);
    p->figures.total = p->plan.names.count;
    *out = p;
    return TAC_OK;
}

tac_status tac_adaptive_new(const tac_model *model, uint32_t restart_cost, tac_adaptive **out,
                            tac_error *err)
{
    return tac_adaptive_new_for(model, &(tac_adaptive_options){.restart_cost = restart_cost}, out,
                                err);
}

void tac_adaptive_free(tac_adaptive *p)
{
    if (!p)
        return;
    belief_free(&p->belief);
    adaptive_plan_free(&p->plan);
    tac_u64map_free(&p->tried);
    free(p->cost);
    free(p);
}

/* --- Choosing --- */

static const struct way *way_at(const struct tac_adaptive *p, const struct choice *choice,
                                uint32_t i)
{
    return &p->plan.ways.at[choice->first + i];
}

/* What was covered in hindsight only, because it was not known before where the app was, is done
 * again from where it is known, once all else is covered: so a fault cannot pass for another state.
 */
static bool is_checking(const struct tac_adaptive *p)
{
    return p->belief.covered_count == p->figures.total;
}

static bool is_new(const struct tac_adaptive *p, const struct way *way)
{
    return way->item != TAC_NONE &&
           !tac_bits_get(is_checking(p) ? p->belief.certainly : p->belief.covered, way->item);
}

/* Given up: it was not there, it keeps leading elsewhere than the model says, or it never became
 * certain that it was possible. */
static const char *why_given_up(const struct tac_adaptive *p, const struct choice *choice)
{
    uint64_t answers = 0;
    for (uint32_t i = 0; i < choice->count; i++)
        answers += way_at(p, choice, i)->seen;
    if (choice->refused > 2)
        return "its element was not there";
    if (choice->surprised > 4 && choice->surprised > 2 * answers)
        return "the app led elsewhere";
    return choice->vague > MOST_VAGUE ? "the screen does not tell whether it is possible" : NULL;
}

static bool is_open(const struct tac_adaptive *p, const struct choice *choice)
{
    return !why_given_up(p, choice) && !(is_checking(p) && choice->blurs);
}

static double cost_of_choice(const struct tac_adaptive *p, const struct choice *choice)
{
    double looks = choice->count, sum = 1;
    if (!is_open(p, choice))
        return UNREACHABLE;
    for (uint32_t i = 0; i < choice->count; i++)
        looks += way_at(p, choice, i)->seen;
    for (uint32_t i = 0; i < choice->count; i++) {
        const struct way *way = way_at(p, choice, i);
        if (!is_new(p, way))
            sum += (1 + way->seen) / looks * p->cost[way->target];
    }
    return sum < UNREACHABLE ? sum : UNREACHABLE;
}

static double cost_of_start(const struct tac_adaptive *p)
{
    const struct choice *start = &p->plan.choices.at[0];
    double sum = 0;
    for (uint32_t i = 0; i < start->count; i++)
        if (!is_new(p, way_at(p, start, i)))
            sum += p->cost[way_at(p, start, i)->target] / start->count;
    return p->restart_cost + sum;
}

/* Can something uncovered be reached at all, starts allowed? Costs alone cannot say. */
static bool *find_hope(const struct tac_adaptive *p, bool *start)
{
    const struct plan *plan = &p->plan;
    size_t nodes = plan_nodes(plan);
    bool *hope = tac_calloc(nodes + 1, sizeof *hope);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t n = 0; n < nodes; n++)
            for (uint32_t c = plan->first_choice.at[n];
                 c < plan->first_choice.at[n + 1] && !hope[n]; c++) {
                const struct choice *choice = &plan->choices.at[c];
                bool open = is_open(p, choice);
                for (uint32_t i = 0; i < choice->count && open && !hope[n]; i++)
                    if (is_new(p, way_at(p, choice, i)) || hope[way_at(p, choice, i)->target])
                        more = hope[n] = true;
            }
    }
    *start = false;
    bool blurred = is_checking(p) && plan->choices.at[0].blurs;
    for (uint32_t i = 0; i < plan->choices.at[0].count && !blurred; i++) {
        const struct way *way = way_at(p, &plan->choices.at[0], i);
        *start = *start || hope[way->target] || is_new(p, way);
    }
    return hope;
}

static void iterate(struct tac_adaptive *p)
{
    const struct plan *plan = &p->plan;
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double change = 0, start = cost_of_start(p);
        for (size_t k = plan_nodes(plan); k-- > 0;) {
            double best = start;
            for (uint32_t c = plan->first_choice.at[k]; c < plan->first_choice.at[k + 1]; c++) {
                double cost = cost_of_choice(p, &plan->choices.at[c]);
                best = cost < best ? cost : best;
            }
            change = fmax(change, fabs(best - p->cost[k]));
            p->cost[k] = best;
        }
        if (change < 1e-3)
            return;
    }
}

static uint64_t *times_tried(struct tac_adaptive *p, uint32_t event)
{
    uint64_t key = tac_hash_u64(event);
    for (size_t i = 0; i < p->belief.likely; i++)
        key = tac_hash_u64(key ^ p->belief.at.at[i].node);
    return tac_u64map_at(&p->tried, key, 0, NULL);
}

/* What an event costs where the app most likely is; UNREACHABLE when it is given up everywhere. */
static double cost_of_event(struct tac_adaptive *p, uint32_t event, double start)
{
    const struct belief *belief = &p->belief;
    double sum = 0;
    bool possible = false;
    for (size_t i = 0; i < belief->likely; i++) {
        uint32_t choice = plan_choice(&p->plan, belief->at.at[i].node, event);
        double cost =
            choice == TAC_NONE ? UNREACHABLE : cost_of_choice(p, &p->plan.choices.at[choice]);
        possible = possible || cost < UNREACHABLE;
        sum += cost < UNREACHABLE ? cost : 2 * start;
    }
    if (!possible)
        return UNREACHABLE;
    sum /= (double)belief->likely;
    if (belief->likely > 1)
        sum += (double)*times_tried(p, event) - (belief_parts(belief, event) ? 0.5 : 0);
    return sum;
}

static uint32_t best_event(struct tac_adaptive *p, bool may_start)
{
    const struct plan *plan = &p->plan;
    double start = cost_of_start(p), best_cost = may_start ? start : UNREACHABLE;
    uint32_t best = TAC_NONE;
    for (size_t i = 0; i < p->belief.likely; i++) {
        uint32_t node = p->belief.at.at[i].node;
        for (uint32_t c = plan->first_choice.at[node]; c < plan->first_choice.at[node + 1]; c++) {
            double cost = cost_of_event(p, plan->choices.at[c].event, start);
            if (cost < best_cost - 1e-9) {
                best_cost = cost;
                best = plan->choices.at[c].event;
            }
        }
    }
    return best;
}

static tac_adaptive_step start_again(struct tac_adaptive *p)
{
    belief_start(&p->belief);
    p->figures.starts++;
    return TAC_ADAPTIVE_START;
}

/* Costs below may have become too low, and what was tried in vain may now be worth while. */
static void note_gain(struct tac_adaptive *p)
{
    p->figures.covered = p->belief.covered_count;
    if (p->counted == p->figures.covered)
        return;
    p->counted = p->figures.covered;
    memset(p->cost, 0, plan_nodes(&p->plan) * sizeof *p->cost);
    tac_u64map_free(&p->tried);
    p->tried = (tac_u64map){0};
}

tac_adaptive_step tac_adaptive_next(tac_adaptive *p, uint32_t *transition)
{
    note_gain(p);
    assert(p->figures.covered <= p->figures.total);
    bool from_start, *hope = find_hope(p, &from_start), here = false, checking = is_checking(p);
    for (size_t i = 0; i < p->belief.likely && !(checking && p->belief.at.count > 1); i++)
        here = here || hope[p->belief.at.at[i].node];
    free(hope);
    if (!here && !from_start && (!checking || p->figures.starts))
        return checking ? TAC_ADAPTIVE_COVERED : TAC_ADAPTIVE_OVER;
    if (!here)
        return start_again(p);
    iterate(p);
    uint32_t event = best_event(p, from_start);
    if (event == TAC_NONE)
        return start_again(p);
    if (p->belief.likely > 1)
        ++*times_tried(p, event);
    *transition = belief_ask(&p->belief, event);
    p->figures.events++;
    return TAC_ADAPTIVE_EVENT;
}

/* --- Learning --- */

tac_adaptive_landing tac_adaptive_saw(tac_adaptive *p, const tac_adaptive_sight *sights,
                                      size_t count, tac_adaptive_excluded excluded, void *context,
                                      uint32_t *likely)
{
    uint32_t node;
    tac_adaptive_landing landing =
        belief_see(&p->belief, sights, count, excluded, context, likely ? likely : &node);
    p->figures.unmodelled += landing == TAC_ADAPTIVE_UNMODELLED || landing == TAC_ADAPTIVE_REFUTED;
    note_gain(p);
    return landing;
}

bool tac_adaptive_landed(tac_adaptive *p, uint32_t node)
{
    tac_adaptive_sight sight = {node, 0};
    return tac_adaptive_saw(p, &sight, node != TAC_MODEL_NONE, NULL, NULL, NULL) ==
           TAC_ADAPTIVE_POSSIBLE;
}

void tac_adaptive_refused(tac_adaptive *p)
{
    belief_refuse(&p->belief);
}

size_t tac_adaptive_expected(const tac_adaptive *p, uint32_t *nodes, size_t most)
{
    return belief_expected(&p->belief, nodes, most);
}

void tac_adaptive_report(const tac_adaptive *p, tac_adaptive_figures *out)
{
    *out = p->figures;
}

/* Of the choices that bring an item: whether all are given up, and why. */
static const char *why_left(const struct tac_adaptive *p, uint32_t item, const bool *hope)
{
    const struct plan *plan = &p->plan;
    const char *why = NULL;
    for (uint32_t n = 0; n < plan_nodes(plan); n++)
        for (uint32_t c = plan->first_choice.at[n]; c < plan->first_choice.at[n + 1]; c++)
            for (uint32_t i = 0; i < plan->choices.at[c].count; i++) {
                if (way_at(p, &plan->choices.at[c], i)->item != item)
                    continue;
                const char *given_up = why_given_up(p, &plan->choices.at[c]);
                if (!given_up && hope[n])
                    return "not reached";
                why = given_up ? given_up : why;
            }
    return why ? why : "the ways there are given up";
}

void tac_adaptive_left(const tac_adaptive *p, tac_adaptive_visit visit, void *context)
{
    bool start, *hope = find_hope(p, &start);
    for (size_t i = 0; i < p->plan.infeasible.count; i++)
        visit(context, p->plan.infeasible.at[i], "no flow of the model has it");
    for (uint32_t i = 0; i < p->plan.names.count; i++)
        if (!tac_bits_get(p->belief.covered, i))
            visit(context, p->plan.names.at[i], why_left(p, i, hope));
    free(hope);
}
