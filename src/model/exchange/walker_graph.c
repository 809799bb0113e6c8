/* From a GraphWalker project to an interaction model: see walker_graph.h. Linear in the size of the
 * project, apart from the union of shared states (inverse Ackermann). */
#include "model/exchange/walker_graph.h"
#include "base/data/forest.h"
#include "base/data/map.h"
#include "base/data/only_name.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "model/model.h"
#include "model/script/script.h"
#include <ctype.h>

void tac_walker_graph_free(struct walker_graph *graph)
{
    tac_vec_free(&graph->models);
    tac_vec_free(&graph->vertices);
    tac_vec_free(&graph->edges);
    tac_arena_free(&graph->arena);
}

char *tac_import_clean_name(tac_arena *arena, const char *text, const char *fallback)
{
    char *name = tac_arena_strdup(arena, text && *text ? text : fallback);
    for (char *c = name; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == '/' || *c == 0x7f)
            *c = '_';
    return name;
}

char *tac_import_file_stem(tac_arena *arena, const char *path)
{
    const char *base = strcmp(path, "-") ? tac_base_name(path) : "stdin";
    size_t length = strcspn(base, ".");
    char *stem = tac_arena_strndup(arena, base, length ? length : strlen(base));
    return tac_import_clean_name(arena, stem, "imported");
}

struct conversion {
    const struct walker_graph *graph;
    tac_diagnostics *diagnostics;
    tac_model_builder *builder;
    tac_arena arena;
    uint32_t *vertex_group, *model_group; /* union-find forests */
    char **state_name;                    /* per vertex group root */
    uint32_t *machine;                    /* per model group root */
    tac_names taken;                      /* "MACHINE NAME" of states given out */
    TAC_VEC(uint32_t) last_number;        /* per taken name */
    bool *has_vertices;                   /* per model group root */
    uint32_t shape_root;          /* the model group that starts when none says so, or TAC_NONE */
    tac_names edge_names;         /* as they are written */
    TAC_VEC(const char *) events; /* per edge name */
    tac_names taken_events;
    size_t unnamed_edges, ignored_guards, numbered_edges;
    bool several_scripts; /* more than one model has variables */
};

static void join_shared_states(struct conversion *work)
{
    const struct walker_graph *graph = work->graph;
    tac_names shared = {0};
    TAC_VEC(uint32_t) first = {0};
    TAC_VEC(uint32_t) uses = {0};
    for (uint32_t v = 0; v < graph->vertices.count; v++) {
        const struct walker_vertex *vertex = &graph->vertices.at[v];
        if (!vertex->shared)
            continue;
        uint32_t id = tac_names_intern(&shared, vertex->shared);
        if (id == first.count) {
            tac_vec_push(&first, v);
            tac_vec_push(&uses, 1u);
            continue;
        }
        uses.at[id]++;
        tac_forest_join(work->vertex_group, first.at[id], v);
        tac_forest_join(work->model_group, graph->vertices.at[first.at[id]].model, vertex->model);
    }
    for (uint32_t id = 0; id < first.count; id++)
        if (uses.at[id] == 1)
            tac_diagnostics_add(work->diagnostics, TAC_WARNING, graph->file,
                                graph->vertices.at[first.at[id]].line, 0,
                                "the shared state '%s' is unknown elsewhere: no other vertex has "
                                "it, so it links nothing",
                                shared.text[id]);
    tac_names_free(&shared);
    tac_vec_free(&first);
    tac_vec_free(&uses);
}

/* A state name that the machine does not have yet: NAME, then NAME_2, NAME_3, ... The number tried
 * last is kept with the name, so that many equal names take linear time. */
static char *fresh_name(struct conversion *work, uint32_t machine, const char *wanted)
{
    tac_str key = {0};
    char *name = tac_arena_strdup(&work->arena, wanted);
    uint32_t first = TAC_NONE;
    for (;;) {
        tac_str_clear(&key);
        tac_str_addf(&key, "%u %s", machine, name);
        size_t before = work->taken.count;
        uint32_t id = tac_names_intern(&work->taken, tac_str_text(&key));
        if (work->taken.count > before) {
            tac_vec_push(&work->last_number, 1u);
            break;
        }
        first = first == TAC_NONE ? id : first;
        name = tac_arena_format(&work->arena, "%s_%u", wanted, ++work->last_number.at[first]);
    }
    tac_str_free(&key);
    return name;
}

static bool model_starts(const struct walker_graph *graph, uint32_t m)
{
    return graph->models.at[m].start_vertex != TAC_NONE ||
           graph->models.at[m].start_edge != TAC_NONE;
}

/* Which groups of models have something in them; one with nothing is left out. */
static void find_groups(struct conversion *work)
{
    const struct walker_graph *graph = work->graph;
    bool any_start = false;
    work->shape_root = TAC_NONE;
    for (uint32_t v = 0; v < graph->vertices.count; v++)
        work->has_vertices[tac_forest_root(work->model_group, graph->vertices.at[v].model)] = true;
    for (uint32_t m = 0; m < graph->models.count; m++) {
        uint32_t root = tac_forest_root(work->model_group, m);
        any_start |= model_starts(graph, m);
        if (!work->has_vertices[root])
            tac_diagnostics_add(work->diagnostics, TAC_WARNING, graph->file, 0, 0,
                                "the model '%s' has no vertices and is left out",
                                graph->models.at[m].name);
        else if (work->shape_root == TAC_NONE)
            work->shape_root = root;
    }
    if (any_start)
        work->shape_root = TAC_NONE;
}

/* One machine, in an activity of its own, per group of linked models, named after the model that
 * starts it. The names of
 * machines are kept apart under TAC_NONE, which is no machine. */
static void add_machines(struct conversion *work)
{
    const struct walker_graph *graph = work->graph;
    uint32_t device = tac_build_device(work->builder, "device", NULL, 0);
    uint32_t application =
        tac_build_application(work->builder, device, graph->name, NULL, NULL, true, 0);
    uint32_t *starts = tac_calloc(graph->models.count + 1, sizeof *starts); /* model + 1 */
    for (uint32_t m = 0; m < graph->models.count; m++)
        if (model_starts(graph, m) && !starts[tac_forest_root(work->model_group, m)])
            starts[tac_forest_root(work->model_group, m)] = m + 1;
    if (work->shape_root != TAC_NONE)
        starts[work->shape_root] = work->shape_root + 1;
    for (uint32_t m = 0; m < graph->models.count; m++) {
        if (tac_forest_root(work->model_group, m) != m || !work->has_vertices[m])
            continue;
        uint32_t named_after = starts[m] ? starts[m] - 1 : m;
        char *name = fresh_name(work, TAC_NONE, graph->models.at[named_after].name);
        uint32_t activity = tac_build_activity(work->builder, application, name, starts[m] != 0, 0);
        work->machine[m] = tac_build_machine(work->builder, activity, name, starts[m] != 0, 0);
    }
    free(starts);
}

static uint32_t machine_of_model(struct conversion *work, uint32_t m)
{
    return work->machine[tac_forest_root(work->model_group, m)];
}

static const char *name_of_vertex(struct conversion *work, uint32_t v)
{
    return work->state_name[tac_forest_root(work->vertex_group, v)];
}

static void add_states(struct conversion *work)
{
    const struct walker_graph *graph = work->graph;
    for (uint32_t v = 0; v < graph->vertices.count; v++) {
        if (tac_forest_root(work->vertex_group, v) != v)
            continue;
        const struct walker_vertex *vertex = &graph->vertices.at[v];
        uint32_t machine = machine_of_model(work, vertex->model);
        const char *fallback = vertex->id ? vertex->id : "state";
        char *wanted = tac_import_clean_name(
            &work->arena, vertex->name ? vertex->name : vertex->shared, fallback);
        work->state_name[v] = fresh_name(work, machine, wanted);
        uint32_t node = tac_build_node(work->builder, machine, TAC_NODE_STATE, work->state_name[v],
                                       vertex->line);
        tac_build_node_labels(work->builder, node, vertex->requirements);
    }
}

/* What a model's scripts are called with when several models have some. */
static const char *own_script(struct conversion *work, uint32_t model, const char *text)
{
    if (!text || !work->several_scripts)
        return text;
    char *prefix = tac_import_clean_name(&work->arena, work->graph->models.at[model].name, "model");
    for (char *c = prefix; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            *c = '_';
    if (isdigit((unsigned char)*prefix))
        *prefix = '_';
    return script_rename(&work->arena, text, prefix);
}

static const char *joined(struct conversion *work, const char *a, const char *b)
{
    return a && b ? tac_arena_format(&work->arena, "%s; %s", a, b) : a ? a : b;
}

static void add_scripts(struct conversion *work, const struct walker_edge *edge,
                        uint32_t transition)
{
    const struct walker_vertex *target = &work->graph->vertices.at[edge->target];
    const char *guard = own_script(work, edge->model, edge->guard);
    const char *update = joined(work, own_script(work, edge->model, edge->actions),
                                own_script(work, target->model, target->actions));
    if (!work->graph->without_guards) {
        tac_build_guard(work->builder, transition, guard);
        tac_build_update(work->builder, transition, update);
    } else if (guard || update) {
        tac_build_note(work->builder, transition,
                       tac_arena_format(&work->arena, "%s%s%s%s%s", guard ? "guard: " : "",
                                        guard ? guard : "", guard && update ? "; " : "",
                                        update ? "actions: " : "", update ? update : ""));
        work->ignored_guards += guard != NULL;
    }
    tac_build_transition_labels(work->builder, transition, edge->requirements);
    tac_build_dependency(work->builder, transition, edge->dependency);
}

static const char *written_name(const struct walker_edge *edge)
{
    const char *name = edge->name && *edge->name ? edge->name : edge->id;
    return name && *name ? name : "unnamed";
}

/* The event of all edges with that name. Names that are written differently stay different. */
static const char *event_of(struct conversion *work, const struct walker_edge *edge)
{
    const char *written = written_name(edge);
    uint32_t id = tac_names_intern(&work->edge_names, written);
    if (id == work->events.count) {
        char *clean = tac_import_clean_name(&work->arena, written, written);
        char *only = tac_only_name(&work->taken_events, clean, "_");
        work->numbered_edges += strcmp(only, clean) != 0;
        tac_vec_push(&work->events, tac_arena_strdup(&work->arena, only));
        free(only);
    }
    return work->events.at[id];
}

/* Names that can stay as they are have the first choice. */
static void name_events(struct conversion *work)
{
    for (uint32_t e = 0; e < work->graph->edges.count; e++) {
        const struct walker_edge *edge = &work->graph->edges.at[e];
        const char *written = written_name(edge);
        if (!strcmp(tac_import_clean_name(&work->arena, written, written), written))
            event_of(work, edge);
    }
}

static void add_edge(struct conversion *work, const struct walker_edge *edge, const char *from)
{
    const char *event = event_of(work, edge);
    work->unnamed_edges += !edge->name;
    uint32_t transition = tac_build_transition(
        work->builder, machine_of_model(work, edge->model), from, event,
        name_of_vertex(work, edge->target), tac_ends_with(event, "-") ? TAC_EVENT_USER : -1, -1,
        edge->weight > 0 ? edge->weight : 1, NULL, NULL, edge->line);
    add_scripts(work, edge, transition);
}

/* Where a group of models starts: at the start vertex; or before the start edge, in a state of its
 * own when its source has other edges too (GraphWalker takes the start edge first). */
static const char *initial_of_start(struct conversion *work, uint32_t m, const uint32_t *out_degree)
{
    const struct walker_graph *graph = work->graph;
    const struct walker_model *model = &graph->models.at[m];
    if (model->start_vertex != TAC_NONE)
        return name_of_vertex(work, model->start_vertex);
    const struct walker_edge *edge = &graph->edges.at[model->start_edge];
    if (edge->source != TAC_NONE &&
        out_degree[tac_forest_root(work->vertex_group, edge->source)] == 1)
        return name_of_vertex(work, edge->source);
    uint32_t machine = machine_of_model(work, m);
    char *name = fresh_name(work, machine, "Start");
    tac_build_node(work->builder, machine, TAC_NODE_STATE, name, edge->line);
    add_edge(work, edge, name);
    return name;
}

/* Without a start element: the first vertex of the group that no edge enters, else its first. */
static void initials_by_shape(struct conversion *work, const char **initial)
{
    const struct walker_graph *graph = work->graph;
    uint8_t *entered = tac_calloc(graph->vertices.count + 1, 1);
    for (size_t e = 0; e < graph->edges.count; e++)
        entered[tac_forest_root(work->vertex_group, graph->edges.at[e].target)] = 1;
    for (int allow_entered = 0; allow_entered < 2; allow_entered++)
        for (uint32_t v = 0; v < graph->vertices.count; v++) {
            uint32_t root = tac_forest_root(work->model_group, graph->vertices.at[v].model);
            if (!initial[root] &&
                (allow_entered || !entered[tac_forest_root(work->vertex_group, v)])) {
                initial[root] = name_of_vertex(work, v);
                if (root == work->shape_root)
                    tac_diagnostics_add(work->diagnostics, TAC_WARNING, graph->file, 0, 0,
                                        "no model says where it starts; the first vertex%s is "
                                        "used: '%s'",
                                        allow_entered ? "" : " that no edge enters", initial[root]);
            }
        }
    free(entered);
}

static void add_initials(struct conversion *work, const uint32_t *out_degree)
{
    const struct walker_graph *graph = work->graph;
    const char **initial = tac_calloc(graph->models.count + 1, sizeof *initial);
    for (uint32_t m = 0; m < graph->models.count; m++) {
        uint32_t root = tac_forest_root(work->model_group, m);
        if (!model_starts(graph, m))
            continue;
        if (initial[root])
            tac_diagnostics_add(work->diagnostics, TAC_WARNING, graph->file, 0, 0,
                                "the model '%s' has a start of its own, but is linked to a model "
                                "that has one too; the first is used",
                                graph->models.at[m].name);
        else
            initial[root] = initial_of_start(work, m, out_degree);
    }
    initials_by_shape(work, initial);
    for (uint32_t m = 0; m < graph->models.count; m++)
        if (initial[m])
            tac_build_initial(work->builder, work->machine[m], initial[m], 0);
    free(initial);
}

static void add_edges(struct conversion *work)
{
    const struct walker_graph *graph = work->graph;
    uint32_t *out_degree = tac_calloc(graph->vertices.count + 1, sizeof *out_degree);
    for (size_t e = 0; e < graph->edges.count; e++) {
        const struct walker_edge *edge = &graph->edges.at[e];
        if (edge->source == TAC_NONE)
            continue;
        out_degree[tac_forest_root(work->vertex_group, edge->source)]++;
        add_edge(work, edge, name_of_vertex(work, edge->source));
    }
    add_initials(work, out_degree);
    free(out_degree);
}

/* Which models have scripts; setups are run before the first step. */
static void find_scripts(struct conversion *work)
{
    const struct walker_graph *graph = work->graph;
    uint32_t first = TAC_NONE;
    for (size_t e = 0; e < graph->edges.count; e++) {
        const struct walker_edge *edge = &graph->edges.at[e];
        if (!edge->guard && !edge->actions)
            continue;
        work->several_scripts |= first != TAC_NONE && first != edge->model;
        first = edge->model;
    }
    for (uint32_t m = 0; m < graph->models.count; m++)
        if (graph->models.at[m].actions)
            work->several_scripts |= first != TAC_NONE && first != m;
    for (uint32_t m = 0; m < graph->models.count && !graph->without_guards; m++) {
        uint32_t start = graph->models.at[m].start_vertex;
        tac_build_setup(work->builder, own_script(work, m, graph->models.at[m].actions));
        if (start != TAC_NONE) /* nothing leads to where it starts */
            tac_build_setup(work->builder, own_script(work, m, graph->vertices.at[start].actions));
    }
}

tac_status tac_walker_graph_build(const struct walker_graph *graph, tac_diagnostics *diagnostics,
                                  tac_model **out, tac_error *err)
{
    if (!graph->vertices.count)
        return tac_fail_at(err, TAC_E_INPUT, graph->file, 0, 0,
                           "the file has no vertices, so there is no model in it");
    struct conversion work = {.graph = graph,
                              .diagnostics = diagnostics,
                              .builder = tac_model_builder_new(graph->name, graph->file)};
    size_t vertices = graph->vertices.count, models = graph->models.count;
    work.vertex_group = tac_calloc(vertices + 1, sizeof(uint32_t));
    work.model_group = tac_calloc(models + 1, sizeof(uint32_t));
    work.machine = tac_calloc(models + 1, sizeof(uint32_t));
    work.state_name = tac_calloc(vertices + 1, sizeof(char *));
    for (uint32_t v = 0; v < vertices; v++)
        work.vertex_group[v] = v;
    work.has_vertices = tac_calloc(models + 1, sizeof(bool));
    for (uint32_t m = 0; m < models; m++)
        work.model_group[m] = m;
    find_scripts(&work);
    join_shared_states(&work);
    find_groups(&work);
    add_machines(&work);
    add_states(&work);
    name_events(&work);
    add_edges(&work);
    if (work.numbered_edges)
        tac_diagnostics_add(diagnostics, TAC_WARNING, graph->file, 0, 0,
                            "%zu edge name%s another one's once blanks and '/' are '_': numbered",
                            work.numbered_edges, work.numbered_edges == 1 ? " is" : "s are");
    if (work.unnamed_edges)
        tac_diagnostics_add(diagnostics, TAC_WARNING, graph->file, 0, 0,
                            "%zu edge%s without a name: named after the edge's id",
                            work.unnamed_edges, work.unnamed_edges == 1 ? "" : "s");
    if (work.ignored_guards)
        tac_diagnostics_add(diagnostics, TAC_WARNING, graph->file, 0, 0,
                            "%zu guard%s kept as notes and not evaluated: flows may take an edge "
                            "whose guard is false",
                            work.ignored_guards, work.ignored_guards == 1 ? " is" : "s are");
    tac_status status = tac_model_builder_finish(work.builder, diagnostics, out, err);
    free(work.vertex_group);
    free(work.model_group);
    free(work.machine);
    free(work.has_vertices);
    free(work.state_name);
    tac_names_free(&work.taken);
    tac_names_free(&work.edge_names);
    tac_names_free(&work.taken_events);
    tac_vec_free(&work.events);
    tac_vec_free(&work.last_number);
    tac_arena_free(&work.arena);
    return status;
}
