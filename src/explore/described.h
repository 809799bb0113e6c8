/* The documents of `tactus explore` and `tactus screen`, described. */
#ifndef TAC_EXPLORE_DESCRIBED_H
#define TAC_EXPLORE_DESCRIBED_H

#include "base/describe/describe.h"
#include "tactus/explore.h"

DESCRIBED(exploration, tac_exploration);
DESCRIBED(explore_screen, tac_screen_elements);

#endif
