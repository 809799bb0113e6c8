/* The union of models by names: what merging and abstracting are made of.
 *
 * Elements of the same name at the same place are one element. A transition is the same when
 * machine, from, event, to, kind, guard, update and channels are; its weight is the sum of the
 * weights, and it remembers in how many of the added models it was. Connections are the same when
 * they call and return the same, whatever their names. */
#pragma once

#include "tactus/model.h"

struct model_union;

/* Other names for the elements of an added model. Arrays may be NULL (every own name is kept). */
struct model_renaming {
    const char *const *events; /* per event, never NULL entries */
    /* With a correspondence to the model that tac_model_union_finish gave last: */
    const tac_model *merged;
    const uint32_t *machines, *nodes; /* per machine and node: those of `merged`, or
                                         TAC_MODEL_NONE for one that gets a name of its own */
};

struct model_union *tac_model_union_new(const char *name, const char *file);
void tac_model_union_add(struct model_union *all, const tac_model *model,
                         const struct model_renaming *renaming, tac_diagnostics *diagnostics);
/* A model of what is in at least `common` of the added models (initials and what kept connections
 * call are always kept). The union stays as it is. */
tac_status tac_model_union_finish(struct model_union *all, uint32_t common,
                                  tac_diagnostics *diagnostics, tac_model **out, tac_error *err);
/* Transitions of the union, and how many of them are in at least `common` models. */
void tac_model_union_count(const struct model_union *all, uint32_t common, size_t *in_all,
                           size_t *kept);
void tac_model_union_free(struct model_union *all);
