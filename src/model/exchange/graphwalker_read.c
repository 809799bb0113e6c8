/* GraphWalker JSON: one document of several models, or one model by itself. Files that
 * tac_model_write_graphwalker wrote are restored from their properties (graphwalker_own.c); all
 * others go through walker_graph.h. */
#include "base/data/map.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "model/exchange/import.h"
#include "model/exchange/walker_graph.h"

struct walker_reader {
    const tac_json *json;
    struct walker_graph *graph;
    tac_diagnostics *diagnostics;
    uint32_t first_model;  /* of this file in the graph */
    bool alone;            /* the document is one model */
    tac_names blocked_ids; /* vertices of the model being read that are blocked */
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

/* Where an element of a model stands in the document. */
static void pointer_to(const struct walker_reader *reader, size_t m, const char *list, size_t i,
                       char *out, size_t size)
{
    if (reader->alone)
        snprintf(out, size, "/%s/%zu", list, i);
    else
        snprintf(out, size, "/models/%zu/%s/%zu", m, list, i);
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

/* The texts of an array, one after another: "requirements" are tags with commas between, "actions"
 * scripts, which need not end in a semicolon. NULL when there are none. */
static const char *joined(struct walker_reader *reader, const json_t *object, const char *key)
{
    bool scripts = !strcmp(key, "actions");
    tac_str text = {0};
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(object, key), i, one)
    {
        const char *word = json_string_value(one);
        bool ended = text.length && tac_str_text(&text)[text.length - 1] == ';';
        if (!word || !*word)
            continue;
        if (text.length)
            tac_str_add(&text, !scripts ? "," : ended ? " " : "; ");
        tac_str_add(&text, word);
    }
    const char *kept =
        text.length ? tac_arena_strdup(&reader->graph->arena, tac_str_text(&text)) : NULL;
    tac_str_free(&text);
    return kept;
}

/* Numbers are written as such, or as texts. */
static bool number_of(const json_t *object, const char *key, double *number)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_string(value))
        return tac_parse_double(json_string_value(value), number);
    *number = json_number_value(value);
    return json_is_number(value);
}

static double dependency_of(const json_t *edge)
{
    double dependency;
    return number_of(edge, "dependency", &dependency) && dependency >= 0 && dependency <= 100
               ? dependency
               : -1;
}

static double weight_of(const json_t *edge)
{
    double weight;
    return number_of(edge, "weight", &weight) ? weight : 0;
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
        pointer_to(reader, m, "vertices", i, pointer, sizeof pointer);
        struct walker_vertex read = {.id = member(reader, vertex, "id"),
                                     .name = member(reader, vertex, "name"),
                                     .shared = member(reader, vertex, "sharedState"),
                                     .actions = joined(reader, vertex, "actions"),
                                     .requirements = joined(reader, vertex, "requirements"),
                                     .model = reader->first_model + (uint32_t)m};
        if (is_blocked(vertex)) {
            reader->blocked++;
            if (read.id)
                tac_names_intern(&reader->blocked_ids, read.id);
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
    if (tac_names_find(&reader->blocked_ids, id) == TAC_NONE) {
        char what[200];
        snprintf(what, sizeof what, "the edge's %s '%.80s' is not a vertex of its model", key, id);
        report(reader, pointer, what);
    }
    return TAC_NONE;
}

static bool needs_blocked(const struct walker_reader *reader, const json_t *edge)
{
    const char *source = json_string_value(json_object_get(edge, "sourceVertexId"));
    const char *target = json_string_value(json_object_get(edge, "targetVertexId"));
    return (source && tac_names_find(&reader->blocked_ids, source) != TAC_NONE) ||
           (target && tac_names_find(&reader->blocked_ids, target) != TAC_NONE);
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
        pointer_to(reader, m, "edges", i, pointer, sizeof pointer);
        struct walker_edge read = {.id = member(reader, edge, "id"),
                                   .name = member(reader, edge, "name"),
                                   .guard = member(reader, edge, "guard"),
                                   .actions = joined(reader, edge, "actions"),
                                   .requirements = joined(reader, edge, "requirements"),
                                   .dependency = dependency_of(edge),
                                   .weight = weight_of(edge),
                                   .model = reader->first_model + (uint32_t)m};
        if (is_blocked(edge)) {
            reader->blocked++;
            continue;
        }
        size_t problems = reader->problems;
        read.source = end_of_edge(reader, edge, "sourceVertexId", ids, first, pointer);
        read.target = end_of_edge(reader, edge, "targetVertexId", ids, first, pointer);
        if (reader->problems > problems)
            continue;
        struct walker_model *of = &reader->graph->models.at[reader->first_model + m];
        bool starts = start && read.id && strcmp(start, read.id) == 0;
        /* GraphWalker takes an edge without a source as the way in */
        if (!starts && read.source == TAC_NONE && read.target != TAC_NONE &&
            !json_object_get(edge, "sourceVertexId") && of->start_edge == TAC_NONE)
            starts = of->way_in = true;
        if (read.target == TAC_NONE || (read.source == TAC_NONE && !starts)) {
            if (!needs_blocked(reader, edge))
                report(reader, pointer,
                       read.target == TAC_NONE ? "an edge has no \"targetVertexId\""
                                               : "an edge that is not the start has no "
                                                 "\"sourceVertexId\"");
            continue;
        }
        if (read.guard || read.actions)
            read.line = line_at(reader, pointer);
        if (starts)
            of->start_edge = (uint32_t)reader->graph->edges.count;
        tac_vec_push(&reader->graph->edges, read);
    }
}

static void read_model(struct walker_reader *reader, const json_t *model, size_t m)
{
    struct walker_graph *graph = reader->graph;
    char pointer[64] = "", fallback[32];
    if (!reader->alone)
        snprintf(pointer, sizeof pointer, "/models/%zu", m);
    snprintf(fallback, sizeof fallback, "Model_%zu", m + 1);
    struct walker_model read = {
        .name = tac_import_clean_name(&graph->arena, member(reader, model, "name"), fallback),
        .actions = joined(reader, model, "actions"),
        .start_vertex = TAC_NONE,
        .start_edge = TAC_NONE};
    uint32_t index = (uint32_t)graph->models.count;
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
    if (vertex != TAC_NONE && !graph->models.at[index].way_in)
        graph->models.at[index].start_vertex = first + vertex;
    else if (vertex == TAC_NONE && start && graph->models.at[index].start_edge == TAC_NONE) {
        if (tac_names_find(&reader->blocked_ids, start) != TAC_NONE)
            report(reader, pointer,
                   "\"startElementId\" names a vertex that is blocked: nothing can be walked");
        else
            tac_diagnostics_add(
                reader->diagnostics, TAC_WARNING, reader->json->name, line_at(reader, pointer), 0,
                "\"startElementId\" of the model '%s' names no vertex or edge of it: "
                "it does not start there",
                graph->models.at[index].name);
    }
    tac_names_free(&ids);
    tac_names_free(&reader->blocked_ids);
    reader->blocked_ids = (tac_names){0};
    if (json_array_size(json_object_get(model, "predefinedPathEdgeIds")))
        tac_diagnostics_add(
            reader->diagnostics, TAC_WARNING, reader->json->name, line_at(reader, pointer), 0,
            "the predefined path of the model '%s' is left out", graph->models.at[index].name);
}

bool tac_is_own_graphwalker(const tac_json *json)
{
    const json_t *models = json_object_get(json->root, "models");
    const json_t *properties = json_object_get(json_array_get(models, 0), "properties");
    return json_is_object(json_object_get(properties, "tactus"));
}

tac_status tac_read_graphwalker(const char *path, const tac_json *json, struct walker_graph *graph,
                                tac_diagnostics *diagnostics, tac_error *err)
{
    const json_t *models = json_object_get(json->root, "models");
    bool alone = !models && json_is_array(json_object_get(json->root, "vertices"));
    if (!alone && (!json_is_array(models) || !json_array_size(models)))
        return tac_json_fail(json, "", err,
                             "not a GraphWalker project: expected an object with a non-empty "
                             "array \"models\", or a model with an array \"vertices\"");
    struct walker_reader reader = {.json = json,
                                   .alone = alone,
                                   .graph = graph,
                                   .diagnostics = diagnostics,
                                   .first_model = (uint32_t)graph->models.count,
                                   .scan_budget = (size_t)1 << 28};
    const char *name = json_string_value(json_object_get(json->root, "name"));
    if (!graph->name)
        graph->name =
            tac_import_clean_name(&graph->arena, name, tac_import_file_stem(&graph->arena, path));
    size_t i;
    json_t *model;
    if (alone)
        read_model(&reader, json->root, 0);
    json_array_foreach(models, i, model)
    {
        read_model(&reader, model, i);
    }
    if (reader.blocked)
        tac_diagnostics_add(diagnostics, TAC_WARNING, json->name, 0, 0,
                            "%zu blocked element%s left out, with the edges that need them",
                            reader.blocked, reader.blocked == 1 ? " is" : "s are");
    return reader.problems ? tac_diagnostics_fail(diagnostics, err) : TAC_OK;
}
