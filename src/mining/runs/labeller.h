/* Labels from a property: runs that violate it fail, in a cluster named after it. */
#ifndef TAC_MINING_LABELLER_H
#define TAC_MINING_LABELLER_H

#include "tactus/error.h"

struct property_labeller;

tac_status labeller_new(const char *properties, const char *name, struct property_labeller **out,
                        tac_error *err);
/* *label: "0", "property NAME", or NULL when the trace does not decide; borrowed. */
tac_status labeller_judge(struct property_labeller *labeller, const char *trace, const char **label,
                          tac_error *err);
void labeller_free(struct property_labeller *labeller);

#endif
