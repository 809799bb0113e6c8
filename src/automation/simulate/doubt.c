/* What a play leaves open: the steps behind conditions that nobody understands were left out. */
#include "automation/simulate/play.h"
#include <string.h>

enum { DEEPEST = 40 };

static bool decides(const struct branch *steps, size_t from, const struct record *write,
                    bool going_on, unsigned depth)
{
    for (size_t i = from; i < steps->count; i++) {
        const struct step *step = steps->at[i];
        bool ends = step->kind == STEP_STOP || step->kind == STEP_DELAY || step->kind == STEP_WAIT;
        if ((ends && going_on) || depth > DEEPEST ||
            (step->kind == STEP_WRITE && step->entity == write->entity &&
             !strcmp(step->slot, write->slot)))
            return true;
        for (size_t b = 0; b < step->branch_count; b++)
            if (decides(&step->branches[b], 0, write, going_on, depth + 1))
                return true;
    }
    return false;
}

bool play_doubts(const struct play *sim, uint32_t automation, const struct record *write,
                 bool going_on)
{
    for (size_t i = 0; i < sim->log.count; i++) {
        const struct record *r = &sim->log.at[i];
        if (r->kind != RECORD_UNKNOWN || r->automation != automation)
            continue;
        if (r->rest && decides(r->rest, r->from, write, going_on, 0))
            return true;
        for (size_t b = 0; r->open && b < r->open->branch_count; b++)
            if (decides(&r->open->branches[b], 0, write, going_on, 0))
                return true;
    }
    return false;
}
