/* Where the app can be and what leads where: the screens that the runs of a campaign saw, or the
 * configurations of a model. Read-only once finished. */
#pragma once

#include "reproduce/known/steps.h"
#include "tactus/model.h"
#include "tactus/watch.h"

struct place_edge {
    uint32_t from, step, to, count;
};

struct places {
    tac_names names;
    uint32_t start;
    TAC_VEC(struct place_edge)
    edges;           /* finished: by place, then step; one per both, the commonest */
    uint32_t *first; /* per place: its first edge; one more at the end */
};

/* A script and where the app is before each of its steps, and after the last (count + 1 entries;
 * TAC_NONE = unknown). */
struct trail {
    struct script script;
    struct script at;
};

void places_add(struct places *places, uint32_t from, uint32_t step, uint32_t to);
void places_finish(struct places *places);
/* Where the step leads; TAC_NONE when it was never seen there. */
uint32_t places_next(const struct places *places, uint32_t from, uint32_t step);
/* A shortest way, appended; false (and nothing appended) when there is none. */
bool places_path(const struct places *places, uint32_t from, uint32_t to, struct script *out);
/* The same to the nearest place where the step was seen; *place is that place. */
bool places_path_to_step(const struct places *places, uint32_t from, uint32_t step,
                         struct script *out, uint32_t *place);
/* The step with this event at the place, or TAC_NONE. */
uint32_t places_step_named(const struct places *places, const struct step_table *steps,
                           uint32_t place, const char *event);
/* The script followed from the start, by its steps or, where a place does not know a step, by the
 * name of its event. Beyond the first event that nobody knows everything is unknown. */
struct trail places_follow(const struct places *places, const struct step_table *steps,
                           const struct script *script);
void places_free(struct places *places);

struct trail trail_copy(const struct trail *trail);
void trail_free(struct trail *trail);

/* places_model.c: the configurations of a model, at most `most` of them. */
tac_status places_of_model(const tac_model *model, struct step_table *steps, size_t most,
                           tac_watch *watch, struct places *out, tac_error *err);
