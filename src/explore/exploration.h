/* What an exploration leaves: what was learnt, and the model that says it. */
#pragma once

#include "explore/explorer.h"

struct tac_exploration {
    struct explorer ex;
    struct emitted model;
    bool complete; /* false: stopped by a limit on events, or by a failure */
    bool failed;
    tac_error failure; /* what ended it early, if failed */
};
