/* Private to the two files of the lean engine. */
#pragma once

#include "base/data/arena.h"
#include "rules/engine/engine.h"

struct lean {
    struct rules_run *run;
    struct window window;
    bool whole;        /* one window for all states; trigger and unstable are kept */
    tac_bdd *trigger;  /* by edge: T(S,R) */
    tac_bdd *unstable; /* by edge: triggers it, and something fires in the next state */
    bool *live;        /* by edge: T(S,R) is not empty */
    bool *goes_on;     /* by edge: `unstable` is not empty */
    tac_bdd *enabled;  /* by state, valid while enabled_stamp equals the window's stamp */
    uint32_t *enabled_stamp;
    tac_arena memory; /* of these arrays */
};

/* Race and cycle sets and the paths, within the run's budget; what does not fit stays unknown. */
void rules_lean_exact(struct lean *l);
