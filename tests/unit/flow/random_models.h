/* Seeded random models and requirements for cross-checks. */
#ifndef RANDOM_MODELS_H
#define RANDOM_MODELS_H

#include "base/data/random.h"
#include "tactus/model.h"
#include "tactus/requirement.h"

typedef struct random_model_options {
    uint32_t most_devices; /* 1 to 3 */
    bool channels;         /* sends and receives, when there are several devices */
    bool leaving;          /* some finals leave the app, whatever called their machine */
} random_model_options;

/* A valid model; calls with and without reuse and auto-return, activities as call targets, several
 * starts, initial and return nodes that are final, repeated events. */
tac_model *random_model(tac_random *random, const random_model_options *options);
/* Names only what the model has; valid for tac_flow_engine_new. */
tac_requirement *random_requirement(tac_random *random, const tac_model *model);
/* From one of the templates of `tactus flow require`. */
tac_requirement *random_template(tac_random *random, const tac_model *model);

#endif
