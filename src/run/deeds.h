/* What a random or adaptive run did, so that it can be done again: in each place one act. Acts and
 * places are few and repeat, so each is kept once.
 *
 * In the trace of the run, as "performed":
 * {"places":[text],"acts":[a step of a flow file],"steps":[[place, act], ...],"end":place} */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "device/device.h"
#include <jansson.h>

struct run_deed {
    uint32_t place, act;
};

struct run_deeds {
    tac_names places, acts; /* acts as JSON */
    TAC_VEC(struct run_deed) list;
};

/* place: where it was done, "" when unknown. */
void deeds_add(struct run_deeds *deeds, const char *place, const char *event,
               const tac_gesture *gesture);
/* The same with several gestures that are one step; abandoned as in tac_flow_step. */
void deeds_add_step(struct run_deeds *deeds, const char *place, const char *event,
                    const tac_model_action *actions, size_t count, size_t abandoned);
/* NULL when nothing was done; the caller's. end: where the app stands now. */
json_t *deeds_json(const struct run_deeds *deeds, const char *end);
void deeds_free(struct run_deeds *deeds);
