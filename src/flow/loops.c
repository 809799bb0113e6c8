/* Loops counted along the prefix of a depth-first walk; see loops.h. */
#include "flow/loops.h"
#include "base/check.h"
#include "base/data/alloc.h"

struct tracked_loop {
    const tac_requirement_loop *loop;
    const struct watcher *watcher; /* of the small graph: says whose steps count */
    uint32_t *uses;                /* of each transition or node in the prefix */
    uint32_t closed;               /* steps that used something again */
};

struct entered {
    uint32_t transition, node; /* of the step */
};

struct loops {
    struct tac_flow_engine *engine;
    struct space *own_space; /* the engine's, while the small one is in its place */
    uint64_t **own_alive;
    tac_requirement *copies; /* the requirements without those loops; their texts are borrowed */
    const tac_requirement **list;
    tac_requirement_loop *kept; /* the loops that stay, of all copies */
    TAC_VEC(struct tracked_loop) tracked;
    TAC_VEC(struct entered) prefix;
    uint32_t *words; /* scratch */
};

static bool is_tracked(const tac_requirement_loop *loop)
{
    return loop->kind != TAC_LOOP_CONSECUTIVE;
}

bool loops_apply(const struct tac_flow_engine *engine)
{
    if (engine->distinct || engine->options.requirements_watch_only)
        return false;
    for (size_t i = 0; i < engine->options.requirement_count; i++)
        for (size_t k = 0; k < engine->options.requirements[i]->loop_count; k++)
            if (is_tracked(&engine->options.requirements[i]->loops[k]))
                return true;
    return false;
}

/* Copies the requirements without the tracked loops. */
static void copy_requirements(struct loops *loops)
{
    const tac_flow_options *options = &loops->engine->options;
    size_t total = 0, at = 0;
    for (size_t i = 0; i < options->requirement_count; i++)
        total += options->requirements[i]->loop_count;
    loops->copies = tac_calloc(options->requirement_count + 1, sizeof *loops->copies);
    loops->list = tac_calloc(options->requirement_count + 1, sizeof *loops->list);
    loops->kept = tac_calloc(total + 1, sizeof *loops->kept);
    for (size_t i = 0; i < options->requirement_count; i++) {
        tac_requirement *copy = &loops->copies[i];
        *copy = *options->requirements[i];
        loops->list[i] = copy;
        copy->loops = loops->kept + at;
        copy->loop_count = 0;
        for (size_t k = 0; k < options->requirements[i]->loop_count; k++)
            if (!is_tracked(&options->requirements[i]->loops[k]))
                copy->loops[copy->loop_count++] = options->requirements[i]->loops[k];
        at += copy->loop_count;
    }
    assert(at < total);
}

static void track(struct loops *loops)
{
    const tac_flow_options *options = &loops->engine->options;
    const tac_model *model = loops->engine->model;
    for (size_t i = 0; i < options->requirement_count; i++)
        for (size_t k = 0; k < options->requirements[i]->loop_count; k++) {
            const tac_requirement_loop *loop = &options->requirements[i]->loops[k];
            size_t count =
                loop->kind == TAC_LOOP_TRANSITION ? model->transition_count : model->node_count;
            if (is_tracked(loop))
                tac_vec_push(&loops->tracked, (struct tracked_loop){
                                                  .loop = loop,
                                                  .watcher = loops->engine->space->watchers[i],
                                                  .uses = tac_calloc(count + 1, sizeof(uint32_t))});
        }
}

tac_status loops_open(struct tac_flow_engine *engine, struct loops **out, tac_error *err)
{
    struct loops *loops = tac_calloc(1, sizeof *loops);
    tac_diagnostics findings = {0};
    struct space *small = NULL;
    loops->engine = engine;
    loops->own_space = engine->space;
    loops->own_alive = engine->alive;
    copy_requirements(loops);
    tac_flow_options options = engine->options;
    options.requirements = loops->list;
    tac_status status = space_new(engine->model, &options, &findings, &small, err);
    tac_diagnostics_free(&findings);
    if (status == TAC_OK) {
        assert(small->graph.roots.count == engine->graph->roots.count);
        engine->space = small;
        engine->graph = &small->graph;
        engine->alive = NULL;
        loops->words = tac_calloc(small->width + 1, sizeof *loops->words);
        track(loops);
        status = engine_needs_pruning(engine) ? engine_prune(engine, err) : TAC_OK;
    }
    if (status != TAC_OK)
        loops_close(loops);
    else
        *out = loops;
    return status;
}

void loops_close(struct loops *loops)
{
    struct tac_flow_engine *engine = loops->engine;
    if (engine->space != loops->own_space) {
        for (uint32_t k = 0; engine->alive && k <= engine->options.length; k++)
            free(engine->alive[k]);
        free(engine->alive);
        space_free(engine->space);
        engine->space = loops->own_space;
        engine->graph = &engine->space->graph;
        engine->alive = loops->own_alive;
    }
    for (size_t i = 0; i < loops->tracked.count; i++)
        free(loops->tracked.at[i].uses);
    tac_vec_free(&loops->tracked);
    tac_vec_free(&loops->prefix);
    free(loops->copies);
    free(loops->list);
    free(loops->kept);
    free(loops->words);
    free(loops);
}

/* What a step uses in a loop's sense, or TAC_NONE when it does not count. */
static uint32_t used_by(const struct tracked_loop *at, struct entered step)
{
    bool by_transition = at->loop->kind == TAC_LOOP_TRANSITION;
    struct watcher_step seen = {step.transition, step.node};
    if (!watcher_counts(at->watcher, by_transition, seen))
        return TAC_NONE;
    return by_transition ? step.transition : step.node;
}

static bool add(struct loops *loops, struct entered step)
{
    bool allowed = true;
    for (size_t i = 0; i < loops->tracked.count; i++) {
        struct tracked_loop *at = &loops->tracked.at[i];
        uint32_t used = used_by(at, step);
        if (used == TAC_NONE)
            continue;
        at->closed += at->uses[used]++ > 0;
        allowed = allowed && (at->loop->max == TAC_UNBOUNDED || at->closed <= at->loop->max);
    }
    tac_vec_push(&loops->prefix, step);
    return allowed;
}

void loops_leave(struct loops *loops)
{
    assert(loops->prefix.count > 0);
    struct entered step = loops->prefix.at[--loops->prefix.count];
    for (size_t i = 0; i < loops->tracked.count; i++) {
        struct tracked_loop *at = &loops->tracked.at[i];
        uint32_t used = used_by(at, step);
        if (used == TAC_NONE)
            continue;
        assert(at->uses[used] > 0);
        at->closed -= --at->uses[used] > 0;
    }
}

void loops_begin(struct loops *loops, uint32_t root)
{
    const struct space *space = loops->engine->space;
    while (loops->prefix.count)
        loops_leave(loops);
    space_words(space, root, loops->words);
    for (size_t slot = 0; slot < space->devices.count; slot++)
        add(loops, (struct entered){TAC_MODEL_NONE, space->configs.at.at[loops->words[slot]].node});
}

bool loops_enter(struct loops *loops, uint32_t edge)
{
    const struct space *space = loops->engine->space;
    struct graph_edge to = space->graph.edges.at[edge];
    space_words(space, to.target, loops->words);
    uint32_t node = space->configs.at.at[loops->words[space_slot_of(space, to.label)]].node;
    if (add(loops, (struct entered){to.label, node}))
        return true;
    loops_leave(loops);
    return false;
}

bool loops_accept(const struct loops *loops)
{
    for (size_t i = 0; i < loops->tracked.count && !loops->engine->space->witness; i++)
        if (loops->tracked.at[i].closed < loops->tracked.at[i].loop->min)
            return false;
    return true;
}
