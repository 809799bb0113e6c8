/* Following a random run on the model: which transitions did its events take?
 *
 * The model may allow several places for what was seen, so a set of configurations (a node and the
 * calls it is in) is kept; every event moves all of them, and what the app shows next (its
 * activity, a class of screens whose node is known) leaves those that fit. A transition counts as
 * taken when it is the only one that fits, never by guess. Where nothing fits, the run has left the
 * model, and is found again where a screen or an activity says where it is. Cost: events x
 * MOST_PLACES. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "report/model/coverage.h"
#include "trace/column.h"
#include <string.h>

enum { MOST_PLACES = 64, MOST_CALLS = 64 };

/* A call that has not come back: a list, the innermost first. */
struct walk_call {
    uint32_t returns, outer; /* outer: index in calls, or TAC_MODEL_NONE */
};

struct walk_place {
    uint32_t node, call, by; /* by: the transition that led here, or TAC_MODEL_NONE */
};

struct coverage_walk {
    struct coverage *coverage;
    TAC_VEC(struct walk_place) places;
    TAC_VEC(struct walk_call) calls;
    bool moved;               /* an event came since the app was last seen */
    bool whole;               /* the run did not end inside its last event */
    tac_str activity, screen; /* where the app was last */
};

static void enter(struct coverage_walk *walk, uint32_t node, uint32_t call, uint32_t by,
                  unsigned depth);

static void enter_machine(struct coverage_walk *walk, uint32_t machine, uint32_t returns,
                          struct walk_place at, unsigned depth)
{
    tac_vec_push(&walk->calls, (struct walk_call){returns, at.call});
    enter(walk, walk->coverage->model->machines[machine].initial, (uint32_t)(walk->calls.count - 1),
          at.by, depth + 1);
}

static void enter_call(struct coverage_walk *walk, const tac_model_call *call, struct walk_place at,
                       unsigned depth)
{
    const tac_model *model = walk->coverage->model;
    if (call->enters != TAC_MODEL_NONE) {
        enter(walk, call->enters, at.call, at.by, depth + 1);
        return;
    }
    if (call->machine != TAC_MODEL_NONE) {
        enter_machine(walk, call->machine, call->returns, at, depth);
        return;
    }
    const tac_model_activity *activity = &model->activities[call->activity];
    for (uint32_t m = 0; m < activity->machine_count; m++)
        if (model->machines[activity->first_machine + m].external)
            enter_machine(walk, activity->first_machine + m, call->returns, at, depth);
}

/* Settles: calls are entered, finals return. */
static void enter(struct coverage_walk *walk, uint32_t node, uint32_t call, uint32_t by,
                  unsigned depth)
{
    const tac_model *model = walk->coverage->model;
    assert(node < model->node_count);
    const tac_model_node *at = &model->nodes[node];
    if (depth > MOST_CALLS || walk->places.count >= MOST_PLACES)
        return;
    if (at->kind == TAC_NODE_CONNECTION)
        enter_call(walk, &model->calls[at->call], (struct walk_place){node, call, by}, depth);
    else if (at->kind == TAC_NODE_FINAL) {
        if (call != TAC_MODEL_NONE && !at->leaves)
            enter(walk, walk->calls.at[call].returns, walk->calls.at[call].outer, by, depth + 1);
    } else
        tac_vec_push(&walk->places, (struct walk_place){node, call, by});
}

static const char *activity_of(const tac_model *model, uint32_t node)
{
    return model->activities[model->machines[model->nodes[node].machine].activity].name;
}

static uint32_t node_of_screen(const struct coverage *coverage, const char *screen)
{
    uint32_t id = *screen ? tac_names_find(&coverage->screens, screen) : TAC_NONE;
    return id == TAC_NONE ? TAC_MODEL_NONE : coverage->screen_node.at[id];
}

/* A screen that is seen at two nodes tells nothing. */
static void learn_screen(struct coverage *coverage, const char *screen, uint32_t node)
{
    if (!*screen)
        return;
    uint32_t id = tac_names_intern(&coverage->screens, screen);
    if (id == coverage->screen_node.count)
        tac_vec_push(&coverage->screen_node, node);
    else if (coverage->screen_node.at[id] != node)
        coverage->screen_node.at[id] = TAC_MODEL_NONE;
}

static bool one_node(const struct coverage_walk *walk)
{
    for (size_t i = 1; i < walk->places.count; i++)
        if (walk->places.at[i].node != walk->places.at[0].node)
            return false;
    return walk->places.count > 0;
}

static bool one_transition(const struct coverage_walk *walk)
{
    for (size_t i = 1; i < walk->places.count; i++)
        if (walk->places.at[i].by != walk->places.at[0].by)
            return false;
    return walk->places.count > 0 && walk->places.at[0].by != TAC_MODEL_NONE;
}

/* Leaves the places that fit what is seen. */
static void filter(struct coverage_walk *walk, const char *activity, const char *screen)
{
    const tac_model *model = walk->coverage->model;
    uint32_t known = node_of_screen(walk->coverage, screen);
    size_t kept = 0;
    bool there = false;
    for (size_t i = 0; i < walk->places.count; i++)
        there = there || walk->places.at[i].node == known;
    for (size_t i = 0; i < walk->places.count; i++) {
        struct walk_place place = walk->places.at[i];
        if (*activity && strcmp(activity_of(model, place.node), activity) != 0)
            continue;
        if (there && place.node != known)
            continue;
        walk->places.at[kept++] = place;
    }
    walk->places.count = kept;
}

/* Nothing fits: the app is somewhere in its activity, or where the screen was seen before. */
static void find_again(struct coverage_walk *walk, const char *activity, const char *screen)
{
    const tac_model *model = walk->coverage->model;
    uint32_t known = node_of_screen(walk->coverage, screen);
    walk->calls.count = 0;
    if (known != TAC_MODEL_NONE) {
        enter(walk, known, TAC_MODEL_NONE, TAC_MODEL_NONE, 0);
        return;
    }
    size_t count = 0;
    for (uint32_t n = 0; n < model->node_count && *activity; n++)
        count += model->nodes[n].kind == TAC_NODE_STATE && !strcmp(activity_of(model, n), activity);
    for (uint32_t n = 0; n < model->node_count && count && count < MOST_PLACES; n++)
        if (model->nodes[n].kind == TAC_NODE_STATE && !strcmp(activity_of(model, n), activity))
            enter(walk, n, TAC_MODEL_NONE, TAC_MODEL_NONE, 0);
}

/* The app is now seen at this place. */
static void coverage_walk_see(struct coverage_walk *walk, const char *activity, const char *screen)
{
    if (!walk || (!*activity && !*screen))
        return;
    struct coverage *coverage = walk->coverage;
    filter(walk, activity, screen);
    if (walk->moved && one_transition(walk)) {
        coverage->taken[walk->places.at[0].by] = true;
        coverage->placed++;
    }
    walk->moved = false;
    if (!walk->places.count)
        find_again(walk, activity, screen);
    if (one_node(walk)) {
        coverage->nodes_covered[walk->places.at[0].node] = true;
        learn_screen(coverage, screen, walk->places.at[0].node);
    }
}

/* One event, and where it was sent to. "" = nobody says. */
static void coverage_walk_step(struct coverage_walk *walk, const char *activity, const char *screen,
                               const char *event)
{
    if (!walk)
        return;
    const tac_model *model = walk->coverage->model;
    if (tac_names_find(&walk->coverage->events, event) == TAC_NONE)
        return; /* what the app announced, not what a user did */
    coverage_walk_see(walk, activity, screen);
    struct walk_place before[MOST_PLACES];
    size_t count = walk->places.count;
    assert(count <= MOST_PLACES);
    if (count)
        memcpy(before, walk->places.at, count * sizeof *before);
    walk->places.count = 0;
    walk->coverage->steps++;
    walk->moved = true;
    for (size_t i = 0; i < count; i++) {
        const tac_model_node *node = &model->nodes[before[i].node];
        for (uint32_t t = node->first_out; t < node->first_out + node->out_count; t++)
            if (!strcmp(model->events[model->transitions[t].event], event))
                enter(walk, model->transitions[t].to, before[i].call, t, 0);
    }
}

struct coverage_walk *coverage_walk_new(struct coverage *coverage, const struct report_run *run)
{
    if (!coverage || !coverage->model || run->row.flow >= 0)
        return NULL;
    const tac_model *model = coverage->model;
    struct coverage_walk *walk = tac_calloc(1, sizeof *walk);
    walk->coverage = coverage;
    walk->whole = tac_stored_end_of(run->row.verdict) == TAC_STORED_PASS;
    for (uint32_t m = 0; m < model->machine_count; m++)
        if (model->machines[m].external && model->activities[model->machines[m].activity].external)
            enter(walk, model->machines[m].initial, TAC_MODEL_NONE, TAC_MODEL_NONE, 0);
    return walk;
}

void coverage_walk_end(struct coverage_walk *walk)
{
    if (!walk)
        return;
    if (walk->whole)
        coverage_walk_see(walk, tac_str_text(&walk->activity), tac_str_text(&walk->screen));
    tac_str_free(&walk->activity);
    tac_str_free(&walk->screen);
    tac_vec_free(&walk->places);
    tac_vec_free(&walk->calls);
    free(walk);
}

/* --- the events of a trace --- */

void coverage_take_events(struct report_campaign *campaign, struct coverage_walk *walk,
                          const tac_trace_source *source, const tac_trace_block *block,
                          size_t *seen)
{
    size_t count;
    const char *const *symbols = tac_trace_symbols(source, &count);
    size_t event = trace_column(source, "event");
    for (; *seen < count; ++*seen) /* every symbol once: cheap, and no event is left out */
        tac_names_intern(&campaign->events, symbols[*seen]);
    if (!walk || event == SIZE_MAX)
        return;
    size_t activity = trace_column(source, "activity"), screen = trace_column(source, "screen");
    for (size_t i = 0; i < block->count; i++) {
        const char *name = trace_text_at(source, block, event, i);
        const char *where = trace_text_at(source, block, activity, i);
        const char *shown = trace_text_at(source, block, screen, i);
        if (*name) /* what is shown beside an event is where it was sent to */
            coverage_walk_step(walk, where, shown, name);
        if (i + 1 == block->count) {
            tac_str_clear(&walk->activity);
            tac_str_clear(&walk->screen);
            tac_str_add(&walk->activity, where);
            tac_str_add(&walk->screen, shown);
        }
    }
}
