/* Which runs of a cause its search begins with: of those that fail again most often, and of further
 * ones where what it finds is disturbed by other failures. */
#include "base/check.h"
#include "reproduce/chase.h"

enum { MOST_ORIGINALS = 4 };

/* Fails more often when replayed, or is shorter. */
static bool is_better(const struct catch *one, const struct catch *other)
{
    const tac_reproduction *a = &one->told, *b = &other->told;
    if (a->reproduced != b->reproduced)
        return a->reproduced;
    uint64_t left = (uint64_t)a->replays_failed * b->replays;
    uint64_t right = (uint64_t)b->replays_failed * a->replays;
    return left != right ? left > right : a->steps_after < b->steps_after;
}

/* Of the shortest runs the first that fails again every time; else the one that does most often. A
 * run that fails sometimes only is hard to reduce, and may have met something else besides. Where
 * the beginning up to the decision does not do (time decided, and a replay ends at once), the whole
 * run is the original. */
static tac_status choose_original(struct hunt *hunt, const struct cause *cause, size_t *chosen,
                                  tac_error *err)
{
    double best = -1;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < cause->runs.count && i < MOST_ORIGINALS && best < 1; i++) {
        double share = -0.5;
        struct source_run *run = &hunt->source.runs.at[cause->runs.at[i]];
        size_t *decided = chase_decided_after(run, cause);
        status = chase_try(hunt, cause, cause->runs.at[i], &share, err);
        if (status == TAC_OK && share == 0 && decided && *decided < run->trail.script.count) {
            *decided = SIZE_MAX;
            status = chase_try(hunt, cause, cause->runs.at[i], &share, err);
        }
        if (share > best) {
            best = share;
            *chosen = i;
        }
        if (status != TAC_OK)
            break;
    }
    return status;
}

tac_status hunt_cause(struct hunt *hunt, const struct cause *cause, const char *folder,
                      tac_reproduction *out, tac_error *err)
{
    struct catch best;
    size_t chosen = 0;
    assert(cause->runs.count > 0);
    tac_status status = choose_original(hunt, cause, &chosen, err);
    tac_status chased =
        chase_from(hunt, cause, cause->runs.at[chosen], &best, status == TAC_OK ? err : NULL);
    status = status == TAC_OK ? chased : status;
    for (size_t i = 0; i < cause->runs.count && i < MOST_ORIGINALS && status == TAC_OK &&
                       best.told.reproduced && best.disturbed;
         i++) {
        struct catch other;
        if (i == chosen)
            continue;
        status = chase_from(hunt, cause, cause->runs.at[i], &other, err);
        bool better = status == TAC_OK && is_better(&other, &best);
        struct catch worse = better ? best : other;
        best = better ? other : best;
        catch_free(&worse);
    }
    if (status == TAC_OK && best.told.reproduced)
        status = write_cause(hunt, folder, &best.script, &best.start, &best.told, err);
    best.told.executions = knowledge_executions(&hunt->known, cause->key);
    best.told.search_executions = knowledge_searching(&hunt->known, cause->key);
    tac_vec_free(&best.script);
    *out = best.told;
    return status;
}
