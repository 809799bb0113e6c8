/* Judging a trace by one property: "what do the runs over 8 MB share?". Violated (or presumably
 * violated at the end of the trace) is the failing cluster "property NAME"; a trace that does not
 * decide is an error, because a run without a label cannot be mined. */
#include "mining/runs/labeller.h"
#include "base/data/alloc.h"
#include "base/data/text.h"

static tac_status unknown_name(const tac_properties *properties, const char *file, const char *name,
                               tac_error *err)
{
    size_t count = tac_property_count(properties);
    const char **names = tac_calloc(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = tac_property_name(properties, i);
    tac_status status = tac_fail_at(err, TAC_E_USAGE, file, 0, 0, "there is no property '%s'%s",
                                    name, tac_meant(name, names, count).text);
    free(names);
    return status;
}

tac_status labeller_load(struct property_labeller *labeller, const char *properties,
                         const char *name, tac_error *err)
{
    tac_diagnostics findings = {0};
    tac_status status = tac_property_load(properties, &findings, &labeller->properties, err);
    tac_diagnostics_free(&findings);
    if (status)
        return status;
    labeller->index = name ? tac_property_find(labeller->properties, name) : 0;
    if (labeller->index >= tac_property_count(labeller->properties))
        return unknown_name(labeller->properties, properties, name ? name : "", err);
    labeller->label =
        tac_format("property %s", tac_property_name(labeller->properties, labeller->index));
    judge_add(&labeller->judge, labeller->properties, NULL, NULL);
    labeller->judge.allow_missing = true;
    return TAC_OK;
}

tac_status labeller_label(const struct property_labeller *labeller, const char *trace,
                          const char **label, tac_error *err)
{
    tac_property_result result;
    judge_result(&labeller->judge, 0, labeller->index, &result);
    if (result.answer == TAC_INCONCLUSIVE)
        return tac_fail_at(err, TAC_E_INPUT, trace, 0, 0,
                           "this trace does not decide the property %s%s%s%s", result.name,
                           !labeller->judge.ended ? ": it is cut"
                           : result.unknown       ? ": "
                                                  : "",
                           result.unknown && result.unknown->variable ? result.unknown->variable
                                                                      : "",
                           result.unknown ? " is not known" : "");
    bool violated = result.answer == TAC_VIOLATED || result.answer == TAC_PRESUMABLY_VIOLATED;
    *label = violated ? labeller->label : "0";
    return TAC_OK;
}

void labeller_free(struct property_labeller *labeller)
{
    judge_free(&labeller->judge);
    tac_property_free(labeller->properties);
    free(labeller->label);
}
