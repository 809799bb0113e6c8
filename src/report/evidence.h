/* What the traces of a campaign say about its properties, gathered for drawing and counting. */
#ifndef TAC_REPORT_EVIDENCE_H
#define TAC_REPORT_EVIDENCE_H

#include "report/parts.h"
#include "tactus/property.h"

struct scenario_tally {
    char *scenario;
    size_t runs, violated, series;
    TAC_VEC(double) values; /* the deciding value of each run that has one */
};

struct property_evidence {
    const char *name, *source; /* of the loaded file */
    char *variable;            /* "" when the property bounds no single variable */
    char unit[32];             /* of bound, values, margins and series */
    const char *aggregate;
    double bound; /* NaN when there is none */
    char *from_event, *to_event;
    TAC_VEC(struct scenario_tally) scenarios;
    json_t *series, *intervals; /* as in web/src/report.ts */
    bool has_worst;
    double worst_margin;
    size_t worst_run;
};

struct run_evidence {
    size_t series_per_scenario; /* how many curves are kept; 0 = only counts */
    tac_properties *file;
    TAC_VEC(struct property_evidence) properties;
};

/* Reads every trace of the campaign; nothing when it has no properties. */
tac_status evidence_collect(struct run_evidence *evidence, const struct report_campaign *campaign,
                            tac_watch *watch, tac_error *err);
/* NULL when absent. */
const struct property_evidence *evidence_find(const struct run_evidence *evidence,
                                              const char *name);
const struct scenario_tally *evidence_scenario(const struct property_evidence *property,
                                               const char *scenario);
void evidence_free(struct run_evidence *evidence);

#endif
