/* Judging a trace by one property: "what do the runs over 8 MB share?". Violated (or presumably
 * violated at the end of the trace) is the failing cluster "property NAME"; a trace that does not
 * decide is an error, because a run without a label cannot be mined. */
#include "mining/runs/labeller.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "tactus/property.h"

struct property_labeller {
    tac_properties *properties;
    size_t index;
    char *label;
};

static tac_status unknown_name(const tac_properties *properties, const char *file, const char *name,
                               tac_error *err)
{
    size_t count = tac_property_count(properties);
    const char **names = tac_calloc(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = tac_property_name(properties, i);
    const char *closest = tac_closest(name, names, count);
    tac_status status =
        tac_fail_at(err, TAC_E_USAGE, file, 0, 0, "there is no property '%s'%s%s%s", name,
                    closest ? "; did you mean '" : "", closest ? closest : "", closest ? "'?" : "");
    free(names);
    return status;
}

tac_status labeller_new(const char *properties, const char *name, struct property_labeller **out,
                        tac_error *err)
{
    tac_diagnostics findings = {0};
    struct property_labeller *labeller = tac_calloc(1, sizeof *labeller);
    tac_status status = tac_property_load(properties, &findings, &labeller->properties, err);
    tac_diagnostics_free(&findings);
    if (!status) {
        labeller->index = name ? tac_property_find(labeller->properties, name) : 0;
        if (labeller->index >= tac_property_count(labeller->properties))
            status = unknown_name(labeller->properties, properties, name ? name : "", err);
        else
            labeller->label =
                tac_format("property %s", tac_property_name(labeller->properties, labeller->index));
    }
    if (status) {
        labeller_free(labeller);
        return status;
    }
    *out = labeller;
    return TAC_OK;
}

/* The monitor borrows the source's symbols, so the verdict is taken before the source is closed. */
static tac_status judge_source(struct property_labeller *labeller, tac_monitor *monitor,
                               tac_trace_source *source, const char *trace, const char **label,
                               tac_error *err)
{
    tac_status status;
    const tac_trace_block *block;
    while (!(status = tac_trace_next(source, &block, err)) && block) {
        status = tac_monitor_feed_source(monitor, source, block, err);
        if (status)
            return status;
    }
    const bool whole = !status && !tac_trace_is_cut(source);
    if (whole)
        status = tac_monitor_finish(monitor, NULL, err);
    if (status)
        return status;
    tac_property_result result;
    if (whole)
        tac_monitor_result(monitor, labeller->index, true, &result);
    else
        tac_monitor_result_of_cut(monitor, labeller->index, &result);
    if (result.answer == TAC_INCONCLUSIVE)
        return tac_fail_at(err, TAC_E_INPUT, trace, 0, 0,
                           "this trace does not decide the property %s%s", result.name,
                           whole ? "" : ": it is cut");
    bool violated = result.answer == TAC_VIOLATED || result.answer == TAC_PRESUMABLY_VIOLATED;
    *label = violated ? labeller->label : "0";
    return TAC_OK;
}

tac_status labeller_judge(struct property_labeller *labeller, const char *trace, const char **label,
                          tac_error *err)
{
    tac_monitor *monitor;
    tac_trace_source *source;
    tac_monitor_options options = {.trace_name = trace};
    tac_status status = tac_monitor_new(labeller->properties, &options, &monitor, err);
    if (status)
        return status;
    status = tac_trace_open(trace, NULL, &source, err);
    if (!status) {
        status = judge_source(labeller, monitor, source, trace, label, err);
        tac_trace_close(source);
    }
    tac_monitor_free(monitor);
    return status;
}

void labeller_free(struct property_labeller *labeller)
{
    if (!labeller)
        return;
    tac_property_free(labeller->properties);
    free(labeller->label);
    free(labeller);
}
