/* A campaign against earlier ones of the same name: what changed, and could that be chance? */
#pragma once

#include "report/evidence.h"

/* What the comparisons of one report add up to. */
struct baseline_summary {
    size_t compared;  /* pairs of property and scenario */
    size_t changed;   /* of these, significantly */
    size_t too_small; /* of these, with so few runs that no change could be significant */
};

/* {"runs","violated","median","p","significant","value_p","value_significant"}: Fisher's exact test
 * on the share of violations, the rank-sum test on the deciding values; the caller's. */
json_t *baseline_json(const struct scenario_tally *now, const struct scenario_tally *before);
/* Brings the baseline's values to the units of the properties now; those that cannot be converted
 * are dropped. */
void baseline_align(const struct run_evidence *now, struct run_evidence *before);
/* A finding for each significant change of the property, and for each scenario of only one side.
 * link: where the page shows the property. */
void baseline_compare(struct finding_set *findings, const struct property_evidence *now,
                      const struct property_evidence *before, const char *link,
                      struct baseline_summary *summary);
/* Findings for properties that only one side has. */
void baseline_name_missing(struct finding_set *findings, const struct run_evidence *now,
                           const struct run_evidence *before);
/* The finding about all comparisons together. */
void baseline_conclude(struct finding_set *findings, const struct baseline_summary *summary);

double baseline_median(const struct scenario_tally *tally);
