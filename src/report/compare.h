/* A campaign against an earlier one: is it worse? Crashes and steps that could not be done, all of
 * them and by identity, properties and their figures; each a comparison within flow, scenario and
 * device (project/strata.h), corrected for how many there are. */
#pragma once

#include "base/describe/describe.h"
#include "report/evidence.h"
#include "report/project/strata.h"

enum gate_answer { GATE_WORSE, GATE_BETTER, GATE_SAME, GATE_UNKNOWN };

/* One comparison. */
struct gate_item {
    enum gate_kind {
        GATE_CRASHES,
        GATE_CRASH,
        GATE_STEPS,
        GATE_STEP,
        GATE_PROPERTY,
        GATE_FIGURE
    } kind;
    const char *name; /* as a reader calls it */
    const char *id;   /* of the finding, or "" */
    const char *unit; /* of figures; "" */
    enum gate_answer answer;
    struct strata_change change;
    double p;     /* corrected, of the answer or of a rise */
    double floor; /* a change up to it is noise */
    double rise;  /* the smallest one that would have been found in 9 of 10; NaN: none */
    bool lower_is_better;
};

static inline bool gate_item_changed(const struct gate_item *item)
{
    return item->answer == GATE_WORSE || item->answer == GATE_BETTER;
}

struct gate_report {
    tac_arena texts;
    TAC_VEC(struct gate_item) items;
    TAC_VEC(const char *) differences; /* between the campaigns, a sentence each */
    size_t runs[2], common[2];         /* before, now: all, and those that could be compared */
};

struct gate_sides {
    struct tac_report *report;
    const struct report_campaign *now, *before;
    const struct run_evidence *properties, *earlier; /* of now, of before */
};

/* Adds findings and what was compared to the report. */
void gate_compare(const struct gate_sides *sides, struct gate_report *out);
/* Sentences about it; link: where the page shows what was compared. */
void gate_add_findings(struct finding_set *findings, const struct gate_report *gate,
                       const char *link);
void gate_report_free(struct gate_report *gate);

/* composition.c: the stratum of each run, UINT32_MAX for those that the other side has nothing
 * like; and what the campaigns differ in. The caller's. */
uint32_t *gate_strata(const struct gate_sides *sides, bool now, struct gate_report *out);

DESCRIBED(gate, struct gate_report);
