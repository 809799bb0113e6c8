/* GraphWalker JSON (one multi-model document). Files that tac_model_write_graphwalker wrote are
 * restored from their properties (graphwalker_own.c); all others go through walker_graph.h. */
#include "base/data/map.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "model/exchange/import.h"
#include "model/exchange/walker_graph.h"

struct walker_reader {
    const tac_json *json;
    struct walker_graph *graph;
    tac_diagnostics *diagnostics;
    size_t problems;
    size_t blocked;
    size_t scan_budget; /* bytes that may still be scanned for places */
};

/* jansson values know no lines: they are found again by their path, which costs a scan of the text.
 * Only what may be reported is located, and past the budget nothing is (line 0). */
static uint32_t line_at(struct walker_reader *reader, const char *pointer)
{
    size_t line = 0, column = 0;
    if (reader->scan_budget < reader->json->size)
        return 0;
    reader->scan_budget -= reader->json->size;
    tac_json_locate(reader->json, pointer, &line, &column);
    return (uint32_t)line;
}

static void report(struct walker_reader *reader, const char *pointer, const char *what)
{
    reader->problems++;
    tac_diagnostics_add(reader->diagnostics, TAC_ERROR, reader->json->name,
                        line_at(reader, pointer), 0, "%s", what);
}

/* A text member, NULL when absent or empty. */
static const char *member(struct walker_reader *reader, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text && *text ? tac_arena_strdup(&reader->graph->arena, text) : NULL;
}

/* "actions" is an array of script fragments. */
static const char *joined_actions(struct walker_reader *reader, const json_t *object)
{
    tac_str text = {0};
    size_t i;
    json_t *action;
    json_array_foreach(json_object_get(object, "actions"), i, action)
    {
        if (json_is_string(action) && *json_string_value(action))
            tac_str_addf(&text, "%s%s", text.length ? " " : "", json_string_value(action));
    }
    const char *kept =
        text.length ? tac_arena_strdup(&reader->graph->arena, tac_str_text(&text)) : NULL;
    tac_str_free(&text);
    return kept;
}

static bool is_blocked(const json_t *object)
{
    return json_is_true(json_object_get(json_object_get(object, "properties"), "blocked"));
}

static void read_vertices(struct walker_reader *reader, const json_t *model, size_t m,
                          tac_names *ids, uint32_t first)
{
    size_t i;
    json_t *vertex;
    char pointer[80];
    json_array_foreach(json_object_get(model, "vertices"), i, vertex)
    {
        snprintf(pointer, sizeof pointer, "/models/%zu/vertices/%zu", m, i);
        struct walker_vertex read = {.id = member(reader, vertex, "id"),
                                     .name = member(reader, vertex, "name"),
                                     .shared = member(reader, vertex, "sharedState"),
                                     .model = (uint32_t)m};
        if (is_blocked(vertex)) {
            reader->blocked++;
            continue;
        }
        if (!read.id) {
            report(reader, pointer, "a vertex has no \"id\"");
            continue;
        }
        if (tac_names_intern(ids, read.id) != reader->graph->vertices.count - first) {
            report(reader, pointer, "two vertices of a model have the same \"id\"");
            continue;
        }
        if (read.shared) /* the only vertices that may be reported later */
            read.line = line_at(reader, pointer);
        tac_vec_push(&reader->graph->vertices, read);
    }
}

/* An edge's end: the vertex, TAC_NONE when absent or blocked; an unknown id is an error. */
static uint32_t end_of_edge(struct walker_reader *reader, const json_t *edge, const char *key,
                            const tac_names *ids, uint32_t first, const char *pointer)
{
    const char *id = json_string_value(json_object_get(edge, key));
    if (!id)
        return TAC_NONE;
    uint32_t vertex = tac_names_find(ids, id);
    if (vertex != TAC_NONE)
        return first + vertex;
    if (!reader->blocked) {
        char what[200];
        snprintf(what, sizeof what, "the edge's %s \"%.80s\" is not a vertex of its model", key,
                 id);
        report(reader, pointer, what);
    }
    return TAC_NONE;
}

static void read_edges(struct walker_reader *reader, const json_t *model, size_t m,
                       const tac_names *ids, uint32_t first)
{
    const char *start = json_string_value(json_object_get(model, "startElementId"));
    size_t i;
    json_t *edge;
    char pointer[80];
    json_array_foreach(json_object_get(model, "edges"), i, edge)
    {
        snprintf(pointer, sizeof pointer, "/models/%zu/edges/%zu", m, i);
        struct walker_edge read = {.id = member(reader, edge, "id"),
                                   .name = member(reader, edge, "name"),
                                   .guard = member(reader, edge, "guard"),
                                   .actions = joined_actions(reader, edge),
                                   .weight = json_number_value(json_object_get(edge, "weight")),
                                   .model = (uint32_t)m};
        if (is_blocked(edge)) {
            reader->blocked++;
            continue;
        }
        size_t problems = reader->problems;
        read.source = end_of_edge(reader, edge, "sourceVertexId", ids, first, pointer);
        read.target = end_of_edge(reader, edge, "targetVertexId", ids, first, pointer);
        if (reader->problems > problems)
            continue;
        bool starts = start && read.id && strcmp(start, read.id) == 0;
        if (read.target == TAC_NONE || (read.source == TAC_NONE && !starts)) {
            if (!reader->blocked)
                report(reader, pointer,
                       read.target == TAC_NONE ? "an edge has no \"targetVertexId\""
                                               : "an edge that is not the start has no "
                                                 "\"sourceVertexId\"");
            continue;
        }
        if (read.guard)
            read.line = line_at(reader, pointer);
        if (starts)
            reader->graph->models.at[m].start_edge = (uint32_t)reader->graph->edges.count;
        tac_vec_push(&reader->graph->edges, read);
    }
}

static void read_model(struct walker_reader *reader, const json_t *model, size_t m)
{
    struct walker_graph *graph = reader->graph;
    char pointer[64], fallback[32];
    snprintf(pointer, sizeof pointer, "/models/%zu", m);
    snprintf(fallback, sizeof fallback, "Model_%zu", m + 1);
    struct walker_model read = {
        .name = tac_import_clean_name(&graph->arena, member(reader, model, "name"), fallback),
        .start_vertex = TAC_NONE,
        .start_edge = TAC_NONE};
    tac_vec_push(&graph->models, read);
    if (!json_is_object(model) || !json_is_array(json_object_get(model, "vertices"))) {
        report(reader, pointer, "a model has no array \"vertices\"");
        return;
    }
    tac_names ids = {0};
    uint32_t first = (uint32_t)graph->vertices.count;
    read_vertices(reader, model, m, &ids, first);
    read_edges(reader, model, m, &ids, first);
    const char *start = json_string_value(json_object_get(model, "startElementId"));
    uint32_t vertex = start ? tac_names_find(&ids, start) : TAC_NONE;
    if (vertex != TAC_NONE)
        graph->models.at[m].start_vertex = first + vertex;
    else if (start && graph->models.at[m].start_edge == TAC_NONE)
        report(reader, pointer, "\"startElementId\" names no vertex or edge of its model");
    tac_names_free(&ids);
    const char *actions = joined_actions(reader, model);
    if (actions)
        tac_diagnostics_add(reader->diagnostics, TAC_WARNING, reader->json->name,
                            line_at(reader, pointer), 0,
                            "the actions \"%s\" of the model \"%s\" are not executed", actions,
                            graph->models.at[m].name);
}

static tac_status read_foreign(const tac_json *json, const char *path, tac_diagnostics *diagnostics,
                               tac_model **out, tac_error *err)
{
    struct walker_graph graph = {.file = json->name};
    struct walker_reader reader = {
        .json = json, .graph = &graph, .diagnostics = diagnostics, .scan_budget = (size_t)1 << 28};
    const char *name = json_string_value(json_object_get(json->root, "name"));
    char *stem = tac_import_file_stem(&graph.arena, path);
    graph.name = tac_import_clean_name(&graph.arena, name, stem);
    size_t i;
    json_t *model;
    json_array_foreach(json_object_get(json->root, "models"), i, model)
    {
        read_model(&reader, model, i);
    }
    if (reader.blocked)
        tac_diagnostics_add(diagnostics, TAC_WARNING, json->name, 0, 0,
                            "%zu blocked element%s left out, with the edges that need them",
                            reader.blocked, reader.blocked == 1 ? " is" : "s are");
    tac_status status = reader.problems ? tac_diagnostics_fail(diagnostics, err)
                                        : tac_walker_graph_build(&graph, diagnostics, out, err);
    tac_walker_graph_free(&graph);
    return status;
}

tac_status tac_import_graphwalker(const char *path, const tac_json *json,
                                  tac_diagnostics *diagnostics, tac_model **out, tac_error *err)
{
    const json_t *models = json_object_get(json->root, "models");
    if (!json_is_array(models) || !json_array_size(models))
        return tac_json_fail(json, "", err,
                             "not a GraphWalker project: expected an object with a non-empty "
                             "array \"models\"");
    const json_t *properties = json_object_get(json_array_get(models, 0), "properties");
    if (json_is_object(json_object_get(properties, "tactus")))
        return tac_import_own_graphwalker(json, diagnostics, out, err);
    return read_foreign(json, path, diagnostics, out, err);
}
