/* Judging a trace by one property: "what do the runs over 8 MB share?". Violated (or presumably
 * violated at the end of the trace) is the failing cluster "property NAME"; a trace that does not
 * decide is an error, because a run without a label cannot be mined. */
#include "mining/labeller.h"
#include "base/alloc.h"

struct property_labeller {
    char *label;
};

tac_status labeller_new(const char *properties, const char *name, struct property_labeller **out,
                        tac_error *err)
{
    (void)name;
    (void)out;
    return tac_fail(err, TAC_E_USAGE, "labels from properties (%s) are not built in", properties);
}

tac_status labeller_judge(struct property_labeller *labeller, const char *trace, const char **label,
                          tac_error *err)
{
    (void)labeller;
    (void)label;
    return tac_fail(err, TAC_E_USAGE, "labels from properties (%s) are not built in", trace);
}

void labeller_free(struct property_labeller *labeller)
{
    if (labeller)
        free(labeller->label);
    free(labeller);
}
