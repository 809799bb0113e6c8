/* The steps that candidates are made of, each once, by number; and sequences of them. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "run/flow_set.h"
#include "tactus/flow_file.h"

/* Numbers of steps, in order. Used with the macros of base/data/vec.h. */
struct script {
    uint32_t *at;
    size_t count, capacity;
};

struct step_table {
    struct flow_set texts; /* owns them */
    tac_names keys;        /* each step as JSON; the id is the step's number */
    TAC_VEC(tac_flow_step) at;
};

/* The number of a step that is equal in everything; the step is copied when it is new. */
uint32_t steps_number(struct step_table *table, const tac_flow_step *step);
/* The same step with another wait after it, or another text entered by its action `action`. */
uint32_t steps_with_time(struct step_table *table, uint32_t step, double time);
uint32_t steps_with_value(struct step_table *table, uint32_t step, size_t action,
                          const char *value);
/* The script as a flow from `start` (its steps are not used); flow->steps is the caller's. */
tac_flow steps_flow(const struct step_table *table, const struct script *script,
                    const tac_flow *start);
void steps_free(struct step_table *table);

struct script script_copy(const struct script *script);
bool script_equal(const struct script *a, const struct script *b);
/* Every message that a step awaits was sent before it: as many on its channel as were received. */
bool script_sends_first(const struct step_table *table, const struct script *script);
/* Without `count` steps from `from` on. */
struct script script_without(const struct script *script, size_t from, size_t count);
