/* What the traces of a campaign say about its properties, gathered for drawing and counting.
 *
 * Every trace is read once, with one monitor over all properties that is made once; intervals and
 * curves are kept up to a cap, the worst first, and counted beyond it. Linear in runs x properties.
 */
#pragma once

#include "property/property.h"
#include "report/project/parts.h"

/* What a property says about a run. */
enum run_answer {
    ANSWER_HOLDS = 'h',
    ANSWER_VIOLATED = 'v',
    ANSWER_UNCLEAR = 'u',
    ANSWER_NEVER = 'n' /* holds, but was never exercised */
};

struct scenario_tally {
    const char *scenario;
    size_t runs, violated;
    TAC_VEC(double) values; /* the deciding value of each run that has one */
};

struct kept_interval {
    size_t run;
    double from, to, start, end, value, margin; /* NaN = unknown */
    bool violated;
};

/* A curve that is kept: the first of a scenario, and those with the least margins. */
struct kept_series {
    size_t scenario; /* index of the tally */
    size_t run;
    double margin;
    bool first;
    json_t *series; /* as in web/src/report.ts */
};

struct property_evidence {
    const char *name, *source; /* of the loaded file */
    size_t line;
    const char *variable; /* "" when the property bounds no single variable */
    char unit[32];        /* of bound, values, margins and series */
    const char *aggregate;
    double bound; /* NaN when there is none */
    const char *from_event, *to_event;
    TAC_VEC(struct scenario_tally) scenarios;
    TAC_VEC(struct kept_interval) intervals;
    TAC_VEC(struct kept_series) series;
    size_t interval_count; /* all that were seen */
    size_t runs, violated, unclear, never;
    uint64_t untested; /* instances that needed something that was not observed */
    int64_t toward;    /* above 0: lower values are better; below: higher ones; 0: not known */
    bool has_worst;
    double worst_margin;
    size_t worst_run;
};

struct run_evidence {
    size_t curves;    /* kept in all; 0 = only counts */
    size_t intervals; /* kept in all */
    tac_properties *file;
    tac_arena texts;
    TAC_VEC(struct property_evidence) properties;
};

/* Reads every trace of the campaign; also fills what the traces say about the runs themselves
 * (version, answers), the events that occur, and the coverage of random runs. */
tac_status evidence_collect(struct run_evidence *evidence, struct report_campaign *campaign,
                            tac_watch *watch, tac_error *err);
/* NULL when absent. */
const struct property_evidence *evidence_find(const struct run_evidence *evidence,
                                              const char *name);
const struct scenario_tally *evidence_scenario(const struct property_evidence *property,
                                               const char *scenario);
void evidence_free(struct run_evidence *evidence);

/* keep.c: what is kept, the worst first. */
void evidence_keep_interval(struct property_evidence *property,
                            const struct kept_interval *interval, size_t most);
/* Whether a curve with that margin would be kept; then its place is free. */
bool evidence_wants_series(struct property_evidence *property, size_t scenario, double margin,
                           size_t most, bool *first);
void evidence_sort(struct property_evidence *property, size_t most);
