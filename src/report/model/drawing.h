/* A graph for the page: nodes and arrows with their places, laid out by dot. The page draws them
 * itself, so that they follow its colours, can be moved about and searched; without places (dot is
 * missing, slow or fails) the page lays them out plainly. No text of an app reaches dot: only its
 * length does. */
#pragma once

#include "base/data/vec.h"
#include "base/describe/describe.h"
#include <stdbool.h>
#include <stdint.h>

struct drawn_node {
    const char *kind;   /* "state", "call", "end", "activity" */
    const char *name;   /* as the model says */
    char *label, *hint; /* what the screen shows; owned */
    const char *screen; /* the name by which `screens` knows it; NULL = it does not */
    bool covered, start;
    bool placed;
    double x, y, w, h; /* the middle, in pixels from the top left; w 0 = no place */
};

struct drawn_edge {
    uint32_t from, to;            /* nodes */
    TAC_VEC(const char *) events; /* the model's names */
    bool taken, silent;
    char *path;  /* of an SVG path; owned, NULL = no place */
    double x, y; /* of the label */
};

struct model_drawing {
    TAC_VEC(struct drawn_node) nodes;
    TAC_VEC(struct drawn_edge) edges;
    double width, height; /* 0 = not laid out */
    double seconds;       /* what laying it out took */
    char problem[160];    /* why it is not laid out; "" = it is */
};

/* Sets the places; at most so many seconds. */
void drawing_lay_out(struct model_drawing *drawing, double seconds);
DESCRIBED(model_drawing, struct model_drawing);
void drawing_free(struct model_drawing *drawing);
