/* Listings as JSON Lines. The text of a step depends only on its edge, and that of a start on its
 * root, so each is made once and a line is put together from them. Memory grows with the graph, not
 * with the number of flows. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "flow/describe.h"
#include "flow/file.h"
#include "flow/loops.h"

struct lines {
    tac_flow_engine *engine;
    FILE *out;
    char **steps, **starts; /* by edge and by root of the space; NULL = not yet made */
    size_t step_capacity;
    u32_vec lifted;
    tac_str line;
    char *model;
    bool failed;
};

static char *text_of(json_t *value)
{
    char *text = tac_json_text(value, JSON_COMPACT);
    json_decref(value);
    return text;
}

static const char *step_text(struct lines *in, uint32_t node, uint32_t edge)
{
    if (in->step_capacity <= edge) {
        size_t old = in->step_capacity;
        in->step_capacity = tac_vec_next_capacity(old, (size_t)edge + 1);
        in->steps = tac_realloc(in->steps, in->step_capacity, sizeof *in->steps);
        for (size_t i = old; i < in->step_capacity; i++)
            in->steps[i] = NULL;
    }
    if (!in->steps[edge]) {
        assert(node < in->engine->space->graph.nodes.count);
        tac_arena arena = {0};
        tac_flow_step step = describe_step(in->engine, &arena, node, edge);
        in->steps[edge] = text_of(flow_step_json(&step));
        tac_arena_free(&arena);
    }
    return in->steps[edge];
}

static const char *start_text(struct lines *in, uint32_t root)
{
    assert(root < in->engine->space->graph.roots.count);
    if (!in->starts[root]) {
        tac_arena arena = {0};
        tac_flow flow = {0};
        describe_starts(in->engine, &arena, root, &flow);
        in->starts[root] = text_of(flow_starts_json(&flow));
        tac_arena_free(&arena);
    }
    return in->starts[root];
}

static bool write_line(void *context, const tac_flow_path *path)
{
    struct lines *in = context;
    const struct graph *graph = &in->engine->space->graph;
    uint32_t root;
    const uint32_t *edges = describe_lift(in->engine, path, &root, &in->lifted);
    uint32_t node = graph->roots.at[root];
    tac_str_clear(&in->line);
    tac_str_addf(&in->line,
                 "{\"kind\":\"%s\",\"model\":%s,\"start\":", tac_flow_kind_name(path->kind),
                 in->model);
    tac_str_add(&in->line, start_text(in, root));
    tac_str_add(&in->line, ",\"steps\":[");
    for (uint32_t i = 0; i < path->length; i++) {
        if (i)
            tac_str_add_char(&in->line, ',');
        tac_str_add(&in->line, step_text(in, node, edges[i]));
        node = graph->edges.at[edges[i]].target;
    }
    tac_str_add(&in->line, "]}\n");
    in->failed = fwrite(in->line.text, 1, in->line.length, in->out) != in->line.length;
    return !in->failed;
}

tac_status tac_flow_list_jsonl(tac_flow_engine *engine, uint64_t limit, FILE *out, uint64_t *listed,
                               tac_error *err)
{
    struct lines in = {.engine = engine, .out = out};
    size_t roots = engine->space->graph.roots.count;
    in.model = text_of(tac_json_string(engine->model->name));
    in.starts = tac_calloc(roots + 1, sizeof *in.starts);
    tac_status status = flow_list_stream(engine, limit, write_line, &in, listed, err);
    if (status == TAC_OK && in.failed)
        status = tac_fail(err, TAC_E_IO, "cannot write the flows");
    for (size_t i = 0; i < in.step_capacity; i++)
        free(in.steps[i]);
    for (size_t i = 0; i < roots; i++)
        free(in.starts[i]);
    free(in.steps);
    free(in.starts);
    free(in.model);
    tac_vec_free(&in.lifted);
    tac_str_free(&in.line);
    return status;
}
