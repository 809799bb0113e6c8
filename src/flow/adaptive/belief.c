/* See belief.h. Cost of a step: moves * sights, and what is taken out of steps before it. */
#include "flow/adaptive/belief.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"

enum { MOST_COMPARED = 16, MOST_STEPS = 4096 };

void belief_init(struct belief *belief, struct plan *plan)
{
    *belief = (struct belief){.plan = plan,
                              .asked = TAC_NONE,
                              .covered = tac_bits_new(plan->names.count + 1),
                              .certainly = tac_bits_new(plan->names.count + 1)};
}

void belief_free(struct belief *belief)
{
    tac_vec_free(&belief->at);
    tac_vec_free(&belief->moves);
    tac_vec_free(&belief->first_move);
    free(belief->covered);
    free(belief->certainly);
}

static void forget(struct belief *belief)
{
    belief->at.count = belief->likely = 0;
    belief->moves.count = belief->first_move.count = 0;
}

void belief_start(struct belief *belief)
{
    forget(belief);
    belief->certain = true;
    belief->asked = TAC_NONE;
}

/* The choice that was asked for at a stand; choice 0 is the start. */
static uint32_t asked_at(const struct belief *belief, const struct stand *stand)
{
    return plan_choice(belief->plan, stand->node, belief->asked);
}

uint32_t belief_ask(struct belief *belief, uint32_t event)
{
    uint32_t transition = TAC_MODEL_NONE;
    belief->asked = event;
    for (size_t i = 0; i < belief->likely; i++) {
        uint32_t choice = asked_at(belief, &belief->at.at[i]);
        if (choice != TAC_NONE && transition == TAC_MODEL_NONE)
            transition = belief->plan->ways.at[belief->plan->choices.at[choice].first].transition;
    }
    for (size_t i = 0; i < belief->likely && belief->likely > 1; i++) {
        uint32_t choice = asked_at(belief, &belief->at.at[i]);
        if (choice != TAC_NONE)
            belief->plan->choices.at[choice].vague++;
        belief->vague = true;
    }
    assert(transition != TAC_MODEL_NONE);
    return transition;
}

/* The greatest distance of two targets of two choices: how long it may take from there. */
static uint32_t distance_after(const struct plan *plan, const struct choice *a,
                               const struct choice *b)
{
    uint32_t greatest = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            uint32_t distance = plan_distance(plan, plan->ways.at[a->first + i].target,
                                              plan->ways.at[b->first + k].target);
            greatest = distance > greatest ? distance : greatest;
        }
    return greatest;
}

bool belief_parts(const struct belief *belief, uint32_t event)
{
    const struct plan *plan = belief->plan;
    size_t count = belief->likely < MOST_COMPARED ? belief->likely : MOST_COMPARED;
    bool parts = false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            uint32_t a = belief->at.at[i].node, b = belief->at.at[k].node;
            uint32_t x = plan_choice(plan, a, event), y = plan_choice(plan, b, event);
            if (x == TAC_NONE || y == TAC_NONE)
                return false;
            uint32_t after = distance_after(plan, &plan->choices.at[x], &plan->choices.at[y]);
            parts = parts || after < plan_distance(plan, a, b);
        }
    return parts;
}

/* --- What explains a screen ------------------------------------------------------------------- */

struct looking {
    struct belief *belief;
    const tac_adaptive_sight *sights;
    size_t count;
    tac_adaptive_excluded excluded;
    void *context;
    uint32_t *likely;
    int excluded_fit;  /* of the best sight that was excluded */
    bool any_excluded; /* some move fits the look of the screen alone */
};

static void add_moves(struct looking *in, uint32_t from, uint32_t choice)
{
    struct plan *plan = in->belief->plan;
    const struct choice *of = &plan->choices.at[choice];
    for (uint32_t w = of->first; w < of->first + of->count; w++) {
        uint32_t shown = plan->shown.at[plan->ways.at[w].target];
        size_t s = 0;
        while (s < in->count && in->sights[s].node != shown)
            s++;
        if (s == in->count)
            continue;
        if (!in->excluded || !in->excluded(in->context, plan->ways.at[w].transition, shown)) {
            tac_vec_push(&in->belief->moves, (struct move){from, w, in->sights[s].fit});
        } else if (!in->any_excluded || in->sights[s].fit > in->excluded_fit) {
            in->any_excluded = true;
            in->excluded_fit = in->sights[s].fit;
            *in->likely = shown;
        }
    }
}

static int by_fit(const void *a, const void *b)
{
    const struct stand *x = a, *y = b;
    if (x->fit != y->fit)
        return x->fit > y->fit ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* The nodes that the moves of the last step lead to. */
static void stand_at_targets(struct belief *belief)
{
    size_t kept = 0;
    belief->at.count = 0;
    for (size_t m = tac_vec_last(&belief->first_move); m < belief->moves.count; m++) {
        const struct move *move = &belief->moves.at[m];
        tac_vec_push(&belief->at,
                     (struct stand){belief->plan->ways.at[move->way].target, move->fit});
    }
    qsort(belief->at.at, belief->at.count, sizeof *belief->at.at, by_fit);
    for (size_t i = 0; i < belief->at.count; i++) {
        bool known = false;
        for (size_t k = kept; k-- > 0 && !known;)
            known = belief->at.at[k].node == belief->at.at[i].node;
        if (!known)
            belief->at.at[kept++] = belief->at.at[i];
    }
    belief->at.count = kept;
    belief->likely = 0;
    while (belief->likely < kept && belief->at.at[belief->likely].fit == belief->at.at[0].fit)
        belief->likely++;
}

static size_t end_of_step(const struct belief *belief, size_t step)
{
    return step + 1 < belief->first_move.count ? belief->first_move.at[step + 1]
                                               : belief->moves.count;
}

/* Takes out of a step what the step after it does not go on from; false when that is nothing. A
 * move that is out has no way. */
static bool take_out(struct belief *belief, size_t step)
{
    bool any = false;
    for (size_t m = belief->first_move.at[step]; m < end_of_step(belief, step); m++) {
        struct move *move = &belief->moves.at[m];
        bool goes_on = false;
        if (move->way == TAC_NONE)
            continue;
        for (size_t n = end_of_step(belief, step); n < end_of_step(belief, step + 1) && !goes_on;
             n++)
            goes_on = belief->moves.at[n].way != TAC_NONE &&
                      belief->moves.at[n].from == belief->plan->ways.at[move->way].target;
        any = any || !goes_on;
        move->way = goes_on ? move->way : TAC_NONE;
    }
    return any;
}

/* The item that all best moves of a step bring counts; a single way was taken for certain. */
static void credit(struct belief *belief, size_t step)
{
    struct plan *plan = belief->plan;
    const struct move *best = NULL;
    bool one_item = true, one_way = true;
    for (size_t m = belief->first_move.at[step]; m < end_of_step(belief, step); m++) {
        const struct move *move = &belief->moves.at[m];
        if (move->way == TAC_NONE || (best && move->fit < best->fit))
            continue;
        bool better = !best || move->fit > best->fit;
        one_item =
            better || (one_item && plan->ways.at[move->way].item == plan->ways.at[best->way].item);
        one_way = better || (one_way && move->way == best->way);
        best = better ? move : best;
    }
    assert(best); /* what was possible has an explanation */
    struct way *way = &plan->ways.at[best->way];
    bool last = step + 1 == belief->first_move.count;
    way->seen += one_way && last;
    if (one_item && way->item != TAC_NONE && last && belief->known)
        tac_bits_set(belief->certainly, way->item);
    if (!one_item || way->item == TAC_NONE || tac_bits_get(belief->covered, way->item))
        return;
    tac_bits_set(belief->covered, way->item);
    belief->covered_count++;
    for (size_t c = 0; c < plan->choices.count && belief->vague; c++)
        plan->choices.at[c].vague = 0;
    belief->vague = false;
}

/* Goes on from some node that shows the best sight, for want of an explanation. */
static void recover(struct looking *in, bool any_excluded)
{
    struct belief *belief = in->belief;
    const struct plan *plan = belief->plan;
    uint32_t best = TAC_NONE;
    forget(belief);
    belief->certain = false;
    for (size_t s = 0; s < in->count; s++)
        if (best == TAC_NONE || in->sights[s].fit > in->sights[best].fit)
            best = (uint32_t)s;
    for (uint32_t n = 0; n < plan_nodes(plan) && best != TAC_NONE && !belief->at.count; n++)
        if (plan->shown.at[n] == in->sights[best].node)
            tac_vec_push(&belief->at, (struct stand){n, 0});
    belief->likely = belief->at.count;
    if (!any_excluded && best != TAC_NONE)
        *in->likely = in->sights[best].node;
}

/* Adds the step's moves; false when the event was not possible everywhere. */
static bool add_step(struct looking *in)
{
    struct belief *belief = in->belief;
    bool everywhere = true;
    if (belief->asked == TAC_NONE)
        add_moves(in, TAC_NONE, 0);
    for (size_t i = 0; i < belief->at.count && belief->asked != TAC_NONE; i++) {
        uint32_t choice = asked_at(belief, &belief->at.at[i]);
        if (choice != TAC_NONE)
            add_moves(in, belief->at.at[i].node, choice);
        everywhere = everywhere && choice != TAC_NONE;
    }
    return everywhere;
}

static tac_adaptive_landing be_surprised(struct looking *in, bool everywhere)
{
    struct belief *belief = in->belief;
    bool certain = belief->certain && everywhere;
    for (size_t i = 0; i < belief->at.count && belief->asked != TAC_NONE && !in->any_excluded;
         i++) {
        uint32_t choice = asked_at(belief, &belief->at.at[i]);
        if (choice != TAC_NONE)
            belief->plan->choices.at[choice].surprised++;
    }
    recover(in, in->any_excluded);
    if (in->any_excluded)
        return TAC_ADAPTIVE_EXCLUDED;
    return certain ? TAC_ADAPTIVE_REFUTED : TAC_ADAPTIVE_UNMODELLED;
}

tac_adaptive_landing belief_see(struct belief *belief, const tac_adaptive_sight *sights,
                                size_t count, tac_adaptive_excluded excluded, void *context,
                                uint32_t *likely)
{
    struct looking in = {belief, sights, count, excluded, context, likely, 0, false};
    *likely = TAC_MODEL_NONE;
    if (belief->first_move.count >= MOST_STEPS)
        belief->moves.count = belief->first_move.count = 0;
    tac_vec_push(&belief->first_move, belief->moves.count);
    belief->known = belief->certain && (belief->asked == TAC_NONE || belief->at.count == 1);
    bool everywhere = add_step(&in);
    if (tac_vec_last(&belief->first_move) == belief->moves.count)
        return be_surprised(&in, everywhere);
    stand_at_targets(belief);
    size_t last = belief->first_move.count - 1;
    for (size_t step = last; step-- > 0 && take_out(belief, step);)
        credit(belief, step);
    credit(belief, last);
    *likely = belief->plan->shown.at[belief->at.at[0].node];
    return TAC_ADAPTIVE_POSSIBLE;
}

/* --- Asking ----------------------------------------------------------------------------------- */

void belief_refuse(struct belief *belief)
{
    for (size_t i = 0; i < belief->at.count && belief->asked != TAC_NONE; i++) {
        uint32_t choice = asked_at(belief, &belief->at.at[i]);
        if (choice != TAC_NONE)
            belief->plan->choices.at[choice].refused++;
    }
    belief->asked = TAC_NONE;
}

struct expected {
    uint32_t node, seen;
};

static int by_seen(const void *a, const void *b)
{
    const struct expected *x = a, *y = b;
    return x->seen > y->seen ? -1 : x->seen < y->seen;
}

static void expect(const struct plan *plan, uint32_t choice, struct expected *out, size_t *count,
                   size_t most)
{
    const struct choice *of = &plan->choices.at[choice];
    for (uint32_t w = of->first; w < of->first + of->count; w++) {
        uint32_t shown = plan->shown.at[plan->ways.at[w].target];
        size_t i = 0;
        while (i < *count && out[i].node != shown)
            i++;
        if (i == most)
            continue;
        if (i == *count)
            out[(*count)++] = (struct expected){shown, 0};
        out[i].seen += plan->ways.at[w].seen;
    }
}

size_t belief_expected(const struct belief *belief, uint32_t *nodes, size_t most)
{
    struct expected *found = tac_calloc(most + 1, sizeof *found);
    size_t count = 0;
    if (belief->asked == TAC_NONE)
        expect(belief->plan, 0, found, &count, most);
    for (size_t i = 0; i < belief->at.count && belief->asked != TAC_NONE; i++) {
        uint32_t choice = asked_at(belief, &belief->at.at[i]);
        if (choice != TAC_NONE)
            expect(belief->plan, choice, found, &count, most);
    }
    if (count > 1)
        qsort(found, count, sizeof *found, by_seen);
    for (size_t i = 0; i < count; i++)
        nodes[i] = found[i].node;
    free(found);
    return count;
}
