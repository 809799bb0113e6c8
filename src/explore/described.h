/* The documents of `tactus explore` and `tactus screen`, described. */
#pragma once

#include "base/describe/describe.h"
#include "explore/explore.h"

DESCRIBED(exploration, tac_exploration);
DESCRIBED(explore_screen, tac_screen_elements);
