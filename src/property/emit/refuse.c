/* What a monitor with fixed memory that reads no screens cannot express. */
#include "property/emit/code.h"
#include <string.h>

static tac_status refuse(const tac_properties *properties, const struct ast *at, tac_error *err,
                         const char *what, const char *why)
{
    return tac_fail_at(err, TAC_E_INPUT, properties->file, at->line, at->column,
                       "%s cannot be exported: %s", what, why);
}

static tac_status check_part(const tac_properties *properties, const struct property_part *part,
                             tac_error *err)
{
    const struct interval_plan *interval = &part->interval;
    if (part->each_count)
        return refuse(properties, part->ast, err, "'for each'",
                      "the number of values is not known before the trace is read");
    if (part->queued)
        return refuse(properties, part->ast, err,
                      "a bound that does not start at 0, or operators inside each other whose "
                      "automaton is too large,",
                      "they keep queues of obligations, and a monitor has fixed memory");
    if (interval->inner || interval->relations.count)
        return refuse(properties, part->ast, err, "nested intervals",
                      "an interval may wait for others without a bound");
    if (interval->ahead)
        return refuse(properties, part->ast, err, "an interval end that looks ahead",
                      "it keeps a queue of obligations");
    if (!part->temporal && interval->slice)
        return refuse(properties, part->ast, err, "an interval that is a slice",
                      "slices may overlap, and a monitor has fixed memory; write both ends");
    if (!part->temporal && quantifier_samples(interval->quantifier))
        return refuse(properties, part->ast, err, "share, percentile and mean",
                      "they keep a figure of every interval");
    return TAC_OK;
}

tac_status emit_check(const tac_properties *properties, const struct property_plan *plan,
                      size_t only, tac_error *err)
{
    for (size_t i = 0; i < plan->parts.count; i++)
        if (only == SIZE_MAX || only == i) {
            tac_status status = check_part(properties, &plan->parts.at[i], err);
            if (status != TAC_OK)
                return status;
        }
    for (size_t i = 0; i < plan->program.bounds.count; i++)
        if (plan->program.bounds.at[i].low > 0 || plan->program.bounds.at[i].low_strict)
            return refuse(properties, plan->program.bound_places.at[i], err,
                          "a bound into the past that does not start at 0",
                          "it keeps a queue of states, and a monitor has fixed memory");
    for (size_t i = 0; i < plan->program.nodes.count; i++)
        if (plan->program.nodes.at[i].op == COLUMN_SYMBOLS_EQUAL ||
            plan->program.nodes.at[i].op == COLUMN_SYMBOLS_DIFFER)
            return tac_fail_at(err, TAC_E_INPUT, properties->file, 0, 0,
                               "comparing two discrete variables cannot be exported");
    for (size_t i = 0; i < plan->program.nodes.count; i++)
        if (column_operations[plan->program.nodes.at[i].op].group == COLUMN_GROUP_OBSERVED)
            return tac_fail_at(err, TAC_E_INPUT, properties->file, 0, 0,
                               "formulas over observables, texts and lists cannot be exported: "
                               "an exported monitor reads no screens");
    for (size_t i = 0; i < plan->program.slots.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(plan->program.slots.at[i].name, plan->program.slots.at[k].name) == 0)
                return tac_fail_at(err, TAC_E_INPUT, properties->file,
                                   plan->program.slots.at[i].line, plan->program.slots.at[i].column,
                                   "'%s' is used as a number and as a discrete value",
                                   plan->program.slots.at[i].name);
    return TAC_OK;
}
