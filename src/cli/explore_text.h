/* What an exploration found, for people. */
#pragma once

#include "explore/explore.h"
#include <stdio.h>

/* model_path: where the model was written; NULL = to standard output. */
void print_exploration(const tac_exploration *found, const char *model_path, FILE *out);
