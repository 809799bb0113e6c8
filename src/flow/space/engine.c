/* Making and freeing engines. */
#include "flow/space/engine.h"
#include "base/check.h"
#include "base/data/alloc.h"

tac_status tac_flow_engine_new(const tac_model *model, const tac_flow_options *options,
                               tac_diagnostics *diagnostics, tac_flow_engine **out, tac_error *err)
{
    tac_flow_engine *engine = tac_calloc(1, sizeof *engine);
    engine->model = model;
    engine->options = *options;
    engine->wanted = options->witness ? TAC_FLOW_WITNESS
                     : options->kinds ? options->kinds & TAC_FLOW_ANY
                                      : TAC_FLOW_ANY;
    tac_status status = space_new(model, options, diagnostics, &engine->space, err);
    if (status == TAC_OK) {
        engine->graph = &engine->space->graph;
        assert(engine->wanted != 0 || options->kinds);
        if (options->distinct) {
            status = distinct_new(engine->space, options->memory_limit, &engine->distinct, err);
            if (status == TAC_OK)
                engine->graph = &engine->distinct->graph;
        }
    }
    if (status != TAC_OK) {
        tac_flow_engine_free(engine);
        return status;
    }
    *out = engine;
    return TAC_OK;
}

const char *tac_flow_orders(const tac_flow_engine *engine)
{
    const struct space *space = engine->space;
    if (space->devices.count < 2)
        return NULL;
    return !space->reduced ? "all" : space->watcher_count ? "observed" : "independent";
}

static void free_description(struct description *description)
{
    if (!description)
        return;
    tac_arena_free(&description->arena);
    tac_vec_free(&description->lifted);
    free(description);
}

void tac_flow_engine_free(tac_flow_engine *engine)
{
    if (!engine)
        return;
    if (engine->alive)
        for (uint32_t k = 0; k <= engine->options.length; k++)
            free(engine->alive[k]);
    free(engine->alive);
    free_description(engine->description);
    distinct_free(engine->distinct);
    space_free(engine->space);
    free(engine);
}

tac_status engine_ask(const struct tac_flow_engine *engine, const char *what, tac_error *err)
{
    if (tac_watch_tick(engine->options.watch, what, 0, 0))
        return TAC_OK;
    return tac_fail(err, TAC_E_INTERRUPTED, "%s was stopped", what);
}

tac_status engine_begin(const struct tac_flow_engine *engine, const char *what, tac_error *err)
{
    if (engine->options.length == TAC_FLOW_UNBOUNDED)
        return tac_fail(err, TAC_E_USAGE, "%s needs a bound on the length of flows", what);
    return engine_ask(engine, what, err);
}

bool engine_needs_pruning(const struct tac_flow_engine *engine)
{
    return !engine->graph->every_prefix_completes || engine->wanted != TAC_FLOW_ANY;
}
