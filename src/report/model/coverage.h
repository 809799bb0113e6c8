/* What the runs of a campaign covered of its model.
 *
 * A run of a flow covers the first `steps` steps of its flow: the states it settled in and the
 * transitions (state before, event, first node after). With several devices each has its own state
 * before. A random run is followed on the model event by event (walk.c). */
#pragma once

#include "report/project/parts.h"
#include "tactus/flow_file.h"
#include "tactus/model.h"
#include "tactus/trace.h"

struct coverage {
    tac_model *model;    /* NULL: it could not be read */
    char *problem;       /* why; "" */
    tac_names nodes;     /* "DEVICE APP/ACTIVITY/MACHINE/NODE", and the same without a device */
    uint32_t *node_of;   /* by name id */
    uint32_t *here;      /* by device: the node where it stands */
    bool *nodes_covered; /* by node */
    bool *taken;         /* by transition */
    int64_t *most_steps; /* by flow: the longest executed prefix; -1 = never run */
    size_t flow_count;
    /* random runs */
    tac_names events;              /* of the model */
    tac_names screens;             /* classes of screens that were seen */
    TAC_VEC(uint32_t) screen_node; /* the node of each; TAC_MODEL_NONE = several, or unknown */
    uint64_t steps, placed;        /* events, and those whose transition is known */
};

/* NULL when the campaign has no model. */
struct coverage *coverage_load(const struct report_campaign *campaign);
void coverage_free(struct coverage *coverage); /* NULL is fine */
/* Goes over the flows: the executed ones are covered, the first are listed in the array. */
tac_status coverage_read_flows(struct coverage *coverage, const struct report_campaign *campaign,
                               json_t *flows, tac_error *err);

/* Following one random run; all take NULL. */
struct coverage_walk;
struct coverage_walk *coverage_walk_new(struct coverage *coverage, const struct report_run *run);
void coverage_walk_end(struct coverage_walk *walk);

/* The events of a block, for the campaign and for the walk. *seen: symbols known so far. */
void coverage_take_events(struct report_campaign *campaign, struct coverage_walk *walk,
                          const tac_trace_source *source, const tac_trace_block *block,
                          size_t *seen);
