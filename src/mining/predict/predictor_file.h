/* The model file of a predictor: JSON, with names only, readable and editable by hand.
 * predictor_write.c writes it, predictor_read.c reads it. */
#pragma once

#include "mining/predict/predictor.h"

#define WEIGHTS_FORMAT "tactus predictor 1"
#define RULES_FORMAT "tactus predictor 2"

extern const char *const predictor_feature_names[FEATURES];
