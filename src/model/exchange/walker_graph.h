/* A GraphWalker project in memory, whatever file it came from (JSON or GraphML), and its conversion
 * to an interaction model.
 *
 * GraphWalker may go on, from a vertex with a shared state, with the edges of any other vertex of
 * that shared state. Models that are linked so become one state machine in which the vertices of
 * one shared state are one state: the same walks, and no stack is needed. Each model has variables
 * of its own: where several have some, they are put behind the model's name (global.x is shared).
 */
#pragma once

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "tactus/model.h"

/* Texts live in the graph's arena; NULL = absent. */
struct walker_model {
    const char *name, *actions;        /* actions: run before the first step */
    uint32_t start_vertex, start_edge; /* one of them, or both TAC_NONE */
    bool way_in;                       /* the start edge was found by having no source */
};

struct walker_vertex {
    const char *id, *name, *shared;
    const char *actions, *requirements; /* run on arrival; separated by commas */
    uint32_t model, line;
};

struct walker_edge {
    const char *id, *name, *guard, *actions, *requirements;
    double weight;           /* 0 = not given */
    double dependency;       /* negative = not given */
    uint32_t source, target; /* vertices; source may be TAC_NONE for the start edge */
    uint32_t model, line;
};

struct walker_graph {
    tac_arena arena;
    const char *name, *file;
    bool without_guards; /* keep them as notes instead */
    TAC_VEC(struct walker_model) models;
    TAC_VEC(struct walker_vertex) vertices;
    TAC_VEC(struct walker_edge) edges;
};

void tac_walker_graph_free(struct walker_graph *graph);
/* Builds the model; what GraphWalker says and a model cannot is added to diagnostics. */
tac_status tac_walker_graph_build(const struct walker_graph *graph, tac_diagnostics *diagnostics,
                                  tac_model **out, tac_error *err);

/* Takes the label language of an edge apart: name [guard] / actions, weight=x, dependency=x,
 * REQTAG=tags. The label is changed. */
void tac_walker_edge_label(struct walker_graph *graph, struct walker_edge *edge, char *label);

/* A name for a model file out of any text: blanks, control characters and '/' become '_'; empty or
 * NULL gives the fallback (which is cleaned too). The arena's. */
char *tac_import_clean_name(tac_arena *arena, const char *text, const char *fallback);
/* The file's name without folders and what follows its first dot. */
char *tac_import_file_stem(tac_arena *arena, const char *path);
