/* What one can do with whole interaction models: draw them, exchange them with other tools, merge,
 * abstract and compare them. Models are borrowed unless said otherwise; a `tac_model **out` is the
 * caller's (tac_model_free). */
#pragma once

#include "tactus/model.h"
#include "tactus/verdict.h"

/* How a loaded model did: holds, with its size and the number of warnings. */
void tac_model_check_verdict(const tac_model *model, const tac_diagnostics *findings,
                             tac_verdict *out);

/* What makes a suite of the model hard to play. */
typedef struct tac_model_risks {
    size_t nondeterministic; /* pairs of a state and an event that lead to several places */
    uint32_t first;          /* a transition of the first such pair, or TAC_MODEL_NONE */
    size_t fragile;          /* actions that find their element by its place alone */
} tac_model_risks;

void tac_model_find_risks(const tac_model *model, tac_model_risks *out);

/* --- Drawing --- */

/* Graphviz text: nested boxes, connections as circles, finals crossed. */
tac_status tac_model_write_dot(const tac_model *model, FILE *out, tac_error *err);
/* The same through the program `dot`; TAC_E_MISSING names the package when it is not installed. */
tac_status tac_model_write_svg(const tac_model *model, FILE *out, tac_error *err);

/* A drawing of a large model: some states one by one, the rest as a box per state machine. */
typedef struct tac_model_view {
    const char *activity; /* only states of this activity one by one; NULL: of all */
    const char *focus;    /* STATE or MACHINE/STATE: those nearest to it; NULL: to the start */
    const char *engine;   /* graphviz' way to lay out: dot, neato, fdp, ...; NULL: dot */
    uint32_t most_states; /* one by one; 0: no limit. As SVG fewer, until it is a page wide */
    bool collapsed;       /* no state one by one */
} tac_model_view;

/* TAC_E_INPUT when the model has no such activity or state. */
tac_status tac_model_write_view_dot(const tac_model *model, const tac_model_view *view, FILE *out,
                                    tac_error *err);
tac_status tac_model_write_view_svg(const tac_model *model, const tac_model_view *view, FILE *out,
                                    tac_error *err);

/* index.svg with a box for each activity and a linked drawing of each into the folder, which is
 * made when it is not there. Pictures of states are copied beside them. */
tac_status tac_model_draw_pages(const tac_model *model, const char *folder, tac_error *err);

/* What some runs visited: nodes[node_count] and transitions[transition_count]. */
typedef struct tac_model_marks {
    const bool *nodes, *transitions;
} tac_model_marks;
/* The SVG with visited states and transitions strong, the others pale; marks NULL = all alike. */
tac_status tac_model_draw_coverage(const tac_model *model, const tac_model_marks *marks, FILE *out,
                                   tac_error *err);

/* --- Models of other tools --- */

/* GraphWalker JSON. Calls become shared states, which know no stack; everything that GraphWalker
 * does not know stands in "properties", so that tac_model_import_files gives an equal model. */
tac_status tac_model_write_graphwalker(const tac_model *model, FILE *out, tac_error *err);
typedef struct tac_import_options {
    const char *format;  /* "droidbot" (a folder or utg.js), "graphwalker" (JSON), "graphml", "dot",
                            or  NULL: by content */
    bool without_guards; /* GraphWalker: keep guards and actions as notes, evaluate nothing */
} tac_import_options;

/* Several GraphWalker files make one project, linked by shared states. Guards and actions are
 * evaluated; what is not understood of them is an error that names it. What cannot be carried over
 * (edges without events, trailing data) is reported as a warning. */
tac_status tac_model_import_files(const char *const *paths, size_t count,
                                  const tac_import_options *options, tac_diagnostics *diagnostics,
                                  tac_model **out, tac_error *err);

typedef struct tac_merge_options {
    uint32_t common; /* keep what is in at least this many models; 0 = 1 = everything */
    bool by_shape;   /* match states by behaviour instead of by name */
} tac_merge_options;

typedef struct tac_merge_figures {
    size_t transitions; /* different ones over all models */
    size_t in_all;      /* those that every model has */
    size_t kept;        /* those of the merged model */
} tac_merge_figures;

/* One model out of several extractions of an app. The weight of a transition is the sum of its
 * weights, so it tells how often it was seen. figures may be NULL. */
tac_status tac_model_merge(const tac_model *const *models, size_t count,
                           const tac_merge_options *options, tac_diagnostics *diagnostics,
                           tac_merge_figures *figures, tac_model **out, tac_error *err);
/* Folds equivalent controls: events of one class of the file ("digit: zero one two", one class per
 * line, '*' for any text) become one event. */
tac_status tac_model_abstract(const tac_model *model, const char *classes_path,
                              tac_diagnostics *diagnostics, tac_model **out, tac_error *err);
/* Indices into one of a model's arrays. */
typedef struct tac_model_indices {
    const uint32_t *at;
    size_t count;
} tac_model_indices;

/* What one of two models has alone; states, connections and finals are nodes. */
typedef struct tac_model_only {
    tac_model_indices machines, states, connections, finals, transitions;
} tac_model_only;

/* TAC_PART_MODEL: the model as a whole; its index is 0. */
typedef enum tac_model_part {
    TAC_PART_MACHINE,
    TAC_PART_NODE,
    TAC_PART_TRANSITION,
    TAC_PART_MODEL
} tac_model_part;

/* Two parts that correspond and differ. */
typedef struct tac_model_change {
    tac_model_part part;
    uint32_t index;             /* in the first model */
    const char *what;           /* "kind", "time", "calls", "initial", ... */
    const char *first, *second; /* what it is in each; "" for nothing */
} tac_model_change;

typedef struct tac_model_differences {
    const tac_model *first, *second;      /* borrowed: they live at least as long */
    size_t count;                         /* of all differences; 0: equal */
    size_t machines, states, transitions; /* that correspond */
    size_t renamed;                       /* nodes that correspond under another name */
    tac_model_only only_first, only_second;
    const tac_model_change *changes;
    size_t change_count;
} tac_model_differences;

/* The comparison up to the names of everything but events and channels; the caller's. */
tac_model_differences *tac_model_diff(const tac_model *first, const tac_model *second);
void tac_model_differences_free(tac_model_differences *differences); /* NULL is fine */
/* {"equal","matched","renamed","differences","devices","only_first","only_second","changed"}; the
 * caller's. */
json_t *tac_model_differences_json(const tac_model_differences *differences);
/* Holds when equal; the witness is the difference. */
void tac_model_diff_verdict(const tac_model_differences *differences, const char *subject,
                            tac_verdict *out);
