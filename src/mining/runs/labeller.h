/* Labels from a property: runs that violate it fail, in a cluster named after it. */
#pragma once

#include "property/check/judge.h"

/* Zeroed: traces are only read. */
struct property_labeller {
    struct trace_judge judge;
    tac_properties *properties;
    size_t index;
    char *label; /* NULL: no property gives labels */
};

tac_status labeller_load(struct property_labeller *labeller, const char *properties,
                         const char *name, tac_error *err);
/* Of the trace that its judge has read to its end. *label: "0" or "property NAME", borrowed. */
tac_status labeller_label(const struct property_labeller *labeller, const char *trace,
                          const char **label, tac_error *err);
void labeller_free(struct property_labeller *labeller);
