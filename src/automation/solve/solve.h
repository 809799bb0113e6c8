/* Is there a situation in which these conditions hold together?
 *
 * A situation gives each entity one of its representative values and the time it has had it, and
 * the moment its parts; it is searched by backtracking over the variables that still matter, with
 * three-valued evaluation. Free conditions may be chosen (SOLVE_POSSIBLE: no answer then means
 * there is none at all) or must not matter (SOLVE_CERTAIN: an answer then holds whatever they are).
 * Cost: exponential in the variables that the conditions share, cut by a budget. */
#pragma once

#include "automation/model/model.h"
#include "automation/solve/paths.h"

enum truth { FALSE_NOW, TRUE_NOW, OPEN_NOW };
enum solve_mode { SOLVE_CERTAIN, SOLVE_POSSIBLE };
enum solve_answer { SOLVE_NONE, SOLVE_FOUND, SOLVE_GAVE_UP };

#define VALUE_OPEN UINT16_MAX
#define AGE_LONG 86400.0

/* What happens: an entity goes from one value to another (and has kept it for `hold`), or a
 * moment, a start, an event. */
struct event {
    const struct trigger *trigger; /* which one it was made from */
    uint32_t entity;               /* TAC_NONE: none */
    uint16_t from, to;             /* numbers of representative values */
    double hold;
};

struct situation {
    uint16_t *value;           /* by entity; VALUE_OPEN: any */
    double *age;               /* by entity, seconds since its last change; -1: any */
    int8_t *free;              /* by free condition: 0, 1, or -1: any */
    double clock[CLOCK_PARTS]; /* NAN: any */
    size_t entity_count, free_count;
};

/* One condition to be met: cond must be `want`, seen by an automation that `trigger` started and
 * that has already made the first `writes` writes of `path`, just after `event`. */
struct demand {
    const struct cond *cond;
    bool want;
    const struct trigger *trigger; /* NULL: not started by any trigger we know */
    const struct event *event;
    const struct path *path;
    size_t writes;
    bool later; /* time has passed or something was written since: the entity may have another value
                 */
};

struct solver {
    const tac_automation_model *model;
    struct situation now;
    uint64_t work;  /* assignments tried, in all */
    size_t gave_up; /* questions that passed their budget */
};

void solver_open(struct solver *solver, const tac_automation_model *model);
void solver_close(struct solver *solver);

/* Whether the trigger fires when its entity goes from one value to another. */
bool trigger_fires(const struct trigger *trigger, const struct value *from, const struct value *to);
/* Calls for every event that fires the trigger until the callback returns true; then true.
 * SOLVE_POSSIBLE: also for entities that go away or come back, though nobody asks for that. */
bool each_event(const tac_automation_model *model, const struct trigger *trigger,
                enum solve_mode mode, bool (*each)(const struct event *event, void *context),
                void *context);
/* Whether each_event knows all of them: only then a proof may rest on it. */
bool events_are_known(const tac_automation_model *model, const struct trigger *trigger);
/* Whether one event fires both. */
bool same_event(const struct trigger *a, const struct trigger *b, const tac_automation_model *model,
                const struct event *event);

/* On SOLVE_FOUND the situation is in solver->now (what is open there does not matter), with the
 * event's entity already at its new value. */
enum solve_answer solve(struct solver *solver, const struct event *event, enum solve_mode mode,
                        const struct demand *demands, size_t count);
