/* What a worker did, while it works. */
#pragma once

#include "run/campaign/remote.h"

/* What is told in the end; texts live in the arena. */
struct owned_work {
    tac_run_work shown; /* first: a pointer to it is one to the whole */
    tac_arena arena;
    TAC_VEC(tac_run_worked) campaigns;
};

/* A copy that lives as long as the result. */
const char *owned_work_text(struct owned_work *work, const char *text);
/* What was done on one campaign, and what is left. */
void owned_work_note(struct owned_work *work, const struct run_campaign *campaign, int64_t left);
