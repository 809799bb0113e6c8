/* The configurations of a model as places: what a user who knows the model takes for a short cut.
 */
#include "flow/describe.h"
#include "reproduce/known/places.h"

static uint32_t place_of(struct places *places, uint32_t node)
{
    char name[32];
    snprintf(name, sizeof name, "%u", node);
    return tac_names_intern(&places->names, name);
}

static tac_status add_edges(tac_flow_engine *engine, uint32_t node, struct step_table *steps,
                            struct places *out, tac_error *err)
{
    struct graph *graph = &engine->space->graph;
    tac_status status = graph_expand(graph, node, err);
    if (status != TAC_OK)
        return status;
    tac_arena arena = {0};
    struct graph_node at = graph->nodes.at[node];
    for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++) {
        tac_flow_step step = describe_step(engine, &arena, node, e);
        uint32_t target = graph->edges.at[e].target;
        places_add(out, place_of(out, node), steps_number(steps, &step), place_of(out, target));
    }
    tac_arena_free(&arena);
    return TAC_OK;
}

tac_status places_of_model(const tac_model *model, struct step_table *steps, size_t most,
                           tac_watch *watch, struct places *out, tac_error *err)
{
    tac_flow_options options = {.length = TAC_FLOW_UNBOUNDED, .watch = watch};
    tac_diagnostics findings = {0};
    tac_flow_engine *engine = NULL;
    tac_status status = tac_flow_engine_new(model, &options, &findings, &engine, err);
    tac_diagnostics_free(&findings);
    if (status == TAC_OK && engine->space->graph.roots.count)
        out->start = place_of(out, engine->space->graph.roots.at[0]);
    /* places are numbered as they are met, so this is breadth first */
    for (size_t i = 0; status == TAC_OK && i < out->names.count && i < most; i++) {
        uint32_t node = (uint32_t)strtoul(out->names.text[i], NULL, 10);
        status = add_edges(engine, node, steps, out, err);
        if (status == TAC_OK && !tac_watch_tick(watch, "configurations", i, 0))
            status = tac_fail(err, TAC_E_INTERRUPTED, "stopped while reading the model");
    }
    tac_flow_engine_free(engine);
    if (status == TAC_OK)
        places_finish(out);
    else
        places_free(out);
    return status;
}
