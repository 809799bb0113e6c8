/* Colour refinement (Weisfeiler and Leman) by hashing: the colour of a node in round k + 1 is a
 * hash of its kind, and of the labels and round-k colours of what it leads to, in any order. A
 * fixed number of rounds keeps it linear: O(ROUNDS * (nodes + transitions)). */
#include "model/compare/colour.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include <string.h>

enum { ROUNDS = 16 };

static uint64_t mix(uint64_t a, uint64_t b)
{
    return tac_hash_u64(a * 0x9e3779b97f4a7c15u + tac_hash_u64(b));
}

static uint64_t *hash_texts(const char *const *texts, uint32_t count)
{
    uint64_t *hashes = tac_calloc((size_t)count + 1, sizeof *hashes);
    for (uint32_t i = 0; i < count; i++)
        hashes[i] = tac_hash_bytes(texts[i], strlen(texts[i]), 1);
    return hashes;
}

static uint64_t call_colour(const tac_model *model, const tac_model_call *call,
                            const uint64_t *colours, const uint64_t *activity_colours)
{
    if (call->enters != TAC_MODEL_NONE)
        return mix(colours[call->enters], 8);
    uint64_t target = call->machine != TAC_MODEL_NONE
                          ? colours[model->machines[call->machine].initial]
                          : activity_colours[call->activity];
    uint64_t options = (uint64_t)call->reuse | (uint64_t)call->auto_return << 1 |
                       (uint64_t)(call->machine == TAC_MODEL_NONE) << 2;
    return mix(mix(target, colours[call->returns]), options);
}

static void refine(const tac_model *model, const uint64_t *labels, const uint64_t *before,
                   uint64_t *activity_colours, uint64_t *after)
{
    memset(activity_colours, 0, model->activity_count * sizeof *activity_colours);
    for (uint32_t m = 0; m < model->machine_count; m++)
        if (model->machines[m].external)
            activity_colours[model->machines[m].activity] +=
                tac_hash_u64(before[model->machines[m].initial]);
    for (uint32_t n = 0; n < model->node_count; n++) {
        const tac_model_node *node = &model->nodes[n];
        uint64_t sum = 0;
        for (uint32_t t = node->first_out; t < node->first_out + node->out_count; t++)
            sum += mix(labels[t], before[model->transitions[t].to]);
        if (node->call != TAC_MODEL_NONE)
            sum += call_colour(model, &model->calls[node->call], before, activity_colours);
        after[n] = mix(sum, (uint64_t)node->kind);
    }
}

/* What a transition shows apart from its target. */
static uint64_t *label_colours(const tac_model *model)
{
    uint64_t *events = hash_texts(model->events, model->event_count);
    uint64_t *channels = hash_texts(model->channels, model->channel_count);
    uint64_t *labels = tac_calloc((size_t)model->transition_count + 1, sizeof *labels);
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const tac_model_transition *transition = &model->transitions[t];
        uint64_t sends = transition->sends == TAC_MODEL_NONE ? 0 : channels[transition->sends];
        uint64_t receives =
            transition->receives == TAC_MODEL_NONE ? 0 : channels[transition->receives];
        labels[t] = mix(mix(events[transition->event], sends), receives);
    }
    free(events);
    free(channels);
    return labels;
}

uint64_t *tac_model_colours(const tac_model *model)
{
    uint64_t *now = tac_calloc((size_t)model->node_count + 1, sizeof *now);
    uint64_t *next = tac_calloc((size_t)model->node_count + 1, sizeof *next);
    uint64_t *activities = tac_calloc((size_t)model->activity_count + 1, sizeof *activities);
    uint64_t *labels = label_colours(model);
    for (int round = 0; round < ROUNDS; round++) {
        refine(model, labels, now, activities, next);
        uint64_t *swap = now;
        now = next;
        next = swap;
    }
    free(next);
    free(activities);
    free(labels);
    return now;
}
