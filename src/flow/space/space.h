/* The graph of one model under one set of options: devices, channels, reduction and requirements.
 *
 * A node is an array of words:
 *
 *   configuration of each device | balance of each channel | blocked step types | values | watchers
 *
 * values: the variables of guards, interned as one word; absent when the model has no guards.
 *
 * One device without channels and requirements has one word, and then node and configuration ids
 * are the same number and nothing is stored twice. */
#pragma once

#include "flow/flow.h"
#include "flow/space/config.h"
#include "flow/space/graph.h"
#include "flow/space/orders.h"

struct space {
    struct graph graph; /* first: a graph of this module is a space */
    const tac_model *model;
    struct configs configs;
    struct watcher **watchers;
    size_t watcher_count;
    bool witness, reduced;
    bool watch_only; /* a watcher that rejects stays in WATCHER_REJECTS */
    size_t memory_limit;
    u32_vec devices;       /* those with a start; a slot is an index into it */
    u32_vec root_machines; /* the started machine of each slot, root by root */
    uint32_t *balance_of;  /* channel: index of its balance, or TAC_NONE when nobody receives */
    struct orders orders;  /* of a reduced space */
    size_t at_balance, at_blocked, at_values, at_watcher, width; /* places of the words */
    struct scripted *scripted; /* guards and updates; NULL when there are none */
    tac_names keys;            /* the words of each node; unused when width is 1 */
    tac_names label_texts;     /* distinct printed events */
    uint32_t *label_class;     /* transition: id in label_texts */
    struct graph_label *labels;
    uint32_t *before, *after; /* scratch words */
    uint32_t *progress;       /* scratch: of each watcher */
    u32_vec targets;          /* scratch */
};

tac_status space_new(const tac_model *model, const tac_flow_options *options,
                     tac_diagnostics *diagnostics, struct space **out, tac_error *err);
void space_free(struct space *space);
/* The words of a node, copied to `words` (width of them). */
void space_words(const struct space *space, uint32_t node, uint32_t *words);
size_t space_memory(const struct space *space); /* bytes, roughly */
uint32_t space_slot_of(const struct space *space, uint32_t transition);
/* The seconds until the next event: the requirement's, else the transition's, else negative. */
double space_time_of(const struct space *space, uint32_t transition);

/* --- scripted.c: guards and updates --- */

/* Has the model any? */
bool scripted_needed(const tac_model *model);
/* NULL when the model has none. A model that was loaded has only scripts that are understood. */
struct scripted *scripted_new(const tac_model *model);
void scripted_free(struct scripted *scripted);
size_t scripted_memory(const struct scripted *scripted);
/* The values before the first step. */
uint32_t scripted_start(struct scripted *scripted);
bool scripted_allows(struct scripted *scripted, uint32_t values, uint32_t transition);
uint32_t scripted_after(struct scripted *scripted, uint32_t values, uint32_t transition);

/* --- Between space.c and setup.c --- */

uint32_t space_device_of(const tac_model *model, uint32_t machine);
uint32_t space_machine_of(const tac_model *model, uint32_t transition);
/* The node of these words, made and classified when it is new. */
uint32_t space_node(struct space *space, const uint32_t *words);
tac_status space_expand(struct graph *graph, uint32_t node, tac_error *err);
