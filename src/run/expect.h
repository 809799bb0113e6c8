/* What a model expects of its screens: the <expect> of states and transitions. */
#pragma once

#include "base/data/vec.h"
#include "model/model.h"
#include "property/property.h"

struct expectation {
    tac_condition *condition;
    uint32_t node, transition; /* of the model; one of them is TAC_MODEL_NONE */
    size_t first_observable;
    bool broken; /* by the screen that was read last */
};

struct expectations {
    TAC_VEC(struct expectation) all;
    TAC_VEC(tac_observable) observables; /* those of the conditions, one after the other */
    tac_observed *readings;
    struct expectations *next; /* the same with a past of its own, for the next device of a team */
};

/* Reads the conditions of the model; what is wrong with them goes to the diagnostics as errors.
 * NULL: the model expects nothing. */
struct expectations *expectations_new(const tac_model *model, tac_diagnostics *diagnostics);
void expectations_free(struct expectations *expectations); /* NULL is fine */

/* The node of "App/Activity/Machine/State" on the device of this name (NULL: on any), or
 * TAC_MODEL_NONE. */
uint32_t model_node_at(const tac_model *model, const char *device, const char *path);
