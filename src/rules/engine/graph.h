/* Private: the machine as a graph, with bounds on the length of its runs. */
#pragma once

#include "base/data/arena.h"
#include "rules/engine/engine.h"

#define NO_LENGTH UINT32_MAX

/* What the engine's findings say about the edges, and lengths that no run can be shorter than. */
struct witness_graph {
    const tac_rules *rules;
    bool *live;       /* by edge: some valid input triggers it */
    bool *goes_on;    /* by edge: and then another rule fires at once */
    bool *can_rest;   /* by state: some input lets it rest */
    uint32_t *girth;  /* by state: transitions of a way back to it, at least; NO_LENGTH = none */
    uint32_t *lasso;  /* by state: transitions until some state comes again, at least */
    uint32_t *rest;   /* by state: transitions until the app can rest, at least */
    tac_arena memory; /* of these arrays */
};

void rules_graph_open(struct witness_graph *g, const tac_rules *rules,
                      const tac_rules_findings *findings);
void rules_graph_close(struct witness_graph *g);
