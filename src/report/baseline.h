/* The figures of a property in an earlier campaign of the same name, beside those of now. */
#pragma once

#include "report/evidence.h"

/* {"runs","violated","median","p","significant","value_p","value_significant"}: Fisher's exact test
 * on the share of violations, the rank-sum test on the deciding values; the caller's. */
json_t *baseline_json(const struct scenario_tally *now, const struct scenario_tally *before);
/* Brings the baseline's values to the units of the properties now; those that cannot be converted
 * are dropped. */
void baseline_align(const struct run_evidence *now, struct run_evidence *before);
/* Findings for properties that only one side has. */
void baseline_name_missing(struct finding_set *findings, const struct run_evidence *now,
                           const struct run_evidence *before);
double baseline_median(const struct scenario_tally *tally);
