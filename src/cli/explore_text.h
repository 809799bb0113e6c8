/* What an exploration found, for people. */
#ifndef TAC_CLI_EXPLORE_TEXT_H
#define TAC_CLI_EXPLORE_TEXT_H

#include "tactus/explore.h"
#include <stdio.h>

/* model_path: where the model was written; NULL = to standard output. */
void print_exploration(const tac_exploration *found, const char *model_path, FILE *out);

#endif
