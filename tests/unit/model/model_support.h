/* Random models and exact comparison, for the tests of models. */
#ifndef MODEL_SUPPORT_H
#define MODEL_SUPPORT_H

#include "base/data/random.h"
#include "tactus/model.h"
#include <stdbool.h>

typedef struct random_model_options {
    unsigned devices;   /* 1 or more */
    bool deterministic; /* no state has two transitions of one event */
    bool shuffled;      /* elements are added in a random order of parents */
    bool decorated;     /* times, weights, channels, notes, actions */
    const char *prefix; /* of the names of machines and states; NULL = "" */
} random_model_options;

/* A valid model: every reference resolves and every device has a start. The same seed gives the
 * same model but for names (prefix) and, when shuffled, the order of its elements. */
tac_model *random_model(uint64_t seed, const random_model_options *options);
/* Every array and every text equal (lines and file names aside); *why tells the first difference.
 */
bool models_equal(const tac_model *a, const tac_model *b, const char **why);
/* The model as the writer writes it; the caller's. */
char *model_text(const tac_model *model);
/* Loads a model from text; diagnostics may be NULL. NULL when it has errors. */
tac_model *model_of(const char *text, tac_diagnostics *diagnostics);

#endif
