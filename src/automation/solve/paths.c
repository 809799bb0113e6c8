/* Unfolds the tree of steps. A sequence whose condition fails ends, and what surrounds it goes on;
 * a stop ends everything up to the script it stands in. Cost: the number of ways, capped. */
#include "automation/solve/paths.h"
#include "base/check.h"
#include <string.h>

enum { MOST_PATHS = 200 };

static void path_free(struct path *path)
{
    tac_vec_free(&path->demands);
    tac_vec_free(&path->writes);
    tac_vec_free(&path->delays);
    tac_vec_free(&path->effects);
}

void paths_free(struct path_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        path_free(&list->at[i]);
    tac_vec_free(list);
}

static struct path copy_of(const struct path *path)
{
    struct path copy = *path;
    memset(&copy.demands, 0, sizeof copy.demands);
    memset(&copy.writes, 0, sizeof copy.writes);
    memset(&copy.delays, 0, sizeof copy.delays);
    memset(&copy.effects, 0, sizeof copy.effects);
    tac_vec_append(&copy.demands, path->demands.at, path->demands.count);
    tac_vec_append(&copy.writes, path->writes.at, path->writes.count);
    tac_vec_append(&copy.delays, path->delays.at, path->delays.count);
    tac_vec_append(&copy.effects, path->effects.at, path->effects.count);
    return copy;
}

static void demand(struct path *path, const struct cond *cond, bool want)
{
    tac_vec_push(&path->demands, (struct path_demand){.cond = cond,
                                                      .want = want,
                                                      .late = path->delays.count > 0,
                                                      .writes = path->writes.count});
}

static void sequence(const struct branch *steps, struct path_list *live, bool repeated);

/* live: the ways that come here; afterwards those that leave. */
static void choose(const struct step *step, struct path_list *live, bool repeated)
{
    struct path_list out = {.cut = live->cut};
    bool otherwise = false;
    for (size_t b = 0; b <= step->branch_count && !otherwise; b++) {
        bool last = b == step->branch_count;
        otherwise = !last && !step->branches[b].cond;
        struct path_list taken = {0};
        for (size_t i = 0; i < live->count; i++) {
            struct path path = copy_of(&live->at[i]);
            for (size_t before = 0; before < b; before++)
                demand(&path, step->branches[before].cond, false);
            if (!last && !otherwise)
                demand(&path, step->branches[b].cond, true);
            tac_vec_push(&taken, path);
        }
        if (!last)
            sequence(&step->branches[b], &taken, repeated);
        for (size_t i = 0; i < taken.count; i++)
            if (out.count < MOST_PATHS)
                tac_vec_push(&out, taken.at[i]);
            else
                path_free(&taken.at[i]), out.cut = true;
        out.cut |= taken.cut;
        tac_vec_free(&taken);
    }
    paths_free(live);
    *live = out;
    assert(live->count <= MOST_PATHS);
}

/* How often a repetition waits is not known, nor then how long. */
static void wait_step(const struct step *step, struct path *path, bool repeated)
{
    if (!path->delays.count)
        path->early_writes = path->writes.count;
    tac_vec_push(
        &path->delays,
        (struct path_delay){.seconds = step->kind == STEP_DELAY && !repeated ? step->seconds : -1,
                            .wait = step->kind == STEP_WAIT && !repeated,
                            .writes = path->writes.count,
                            .place = step->place,
                            .step = step});
}

static double elapsed(const struct path *path)
{
    double total = 0;
    for (size_t i = 0; i < path->delays.count; i++) {
        if (path->delays.at[i].seconds < 0)
            return -1;
        total += path->delays.at[i].seconds;
    }
    return total;
}

static void simple(const struct step *step, struct path *path, bool repeated)
{
    if (step->kind == STEP_WRITE)
        tac_vec_push(&path->writes, (struct path_write){
                                        .step = step, .after = elapsed(path), .perhaps = repeated});
    else if (step->kind == STEP_EFFECT)
        tac_vec_push(&path->effects, step);
    else if (step->kind == STEP_STOP)
        path->stopped = true;
    else
        wait_step(step, path, repeated);
}

static void nested(const struct step *step, struct path_list *live, bool repeated)
{
    bool script = step->kind == STEP_SCRIPT;
    for (size_t b = 0; b < step->branch_count; b++)
        sequence(&step->branches[b], live, repeated || step->kind == STEP_REPEAT);
    for (size_t i = 0; i < live->count; i++) {
        if (script)
            live->at[i].stopped = false;
    }
}

static void split(const struct step *step, struct path_list *live, struct path_list *ended)
{
    for (size_t i = 0; i < live->count; i++) {
        if (ended->count + live->count < MOST_PATHS) {
            struct path path = copy_of(&live->at[i]);
            demand(&path, step->cond, false);
            tac_vec_push(ended, path);
        } else {
            live->cut = true;
        }
        demand(&live->at[i], step->cond, true);
    }
}

static void set_aside(struct path_list *live, struct path_list *stopped)
{
    size_t kept = 0;
    for (size_t i = 0; i < live->count; i++)
        if (live->at[i].stopped)
            tac_vec_push(stopped, live->at[i]);
        else
            live->at[kept++] = live->at[i];
    live->count = kept;
}

static void sequence(const struct branch *steps, struct path_list *live, bool repeated)
{
    struct path_list ended = {0};
    for (size_t s = 0; s < steps->count; s++) {
        const struct step *step = steps->at[s];
        set_aside(live, &ended);
        if (step->kind == STEP_CHOOSE)
            choose(step, live, repeated);
        else if (step->kind == STEP_CONDITION)
            split(step, live, &ended);
        else if (step->kind == STEP_REPEAT || step->kind == STEP_PARALLEL ||
                 step->kind == STEP_SCRIPT)
            nested(step, live, repeated);
        else
            for (size_t i = 0; i < live->count; i++)
                simple(step, &live->at[i], repeated);
    }
    for (size_t i = 0; i < ended.count; i++)
        tac_vec_push(live, ended.at[i]);
    tac_vec_free(&ended);
}

void paths_of(const struct automation *automation, struct path_list *out)
{
    struct path start = {0};
    memset(out, 0, sizeof *out);
    demand(&start, automation->cond, true);
    tac_vec_push(out, start);
    sequence(&automation->steps, out, false);
    for (size_t i = 0; i < out->count; i++)
        if (!out->at[i].delays.count)
            out->at[i].early_writes = out->at[i].writes.count;
}

const struct path_write *path_last(const struct path *path, size_t writes, uint32_t entity,
                                   const char *slot)
{
    assert(writes <= path->writes.count);
    for (size_t i = writes; i-- > 0;)
        if (path->writes.at[i].step->entity == entity &&
            !strcmp(path->writes.at[i].step->slot, slot))
            return &path->writes.at[i];
    return NULL;
}
