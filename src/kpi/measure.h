/* What the KPIs of a catalogue are worth in one campaign, run by run. */
#pragma once

#include "kpi/catalogue.h"

struct kpi_values {
    TAC_VEC(double) at; /* one per run that says something: 0 or 1, or the run's mean */
    size_t silent;      /* runs that say nothing */
    char *reason;       /* why a run says nothing, the first; NULL */
    char *unit;         /* of figures; NULL until one was seen */
    double bound;       /* of figures, in that unit */
    bool skipped;       /* the app lacks a feature; reason says which */
};

struct kpi_campaign {
    size_t runs;
    struct kpi_values *of; /* one per KPI */
    size_t count;
};

tac_status kpi_measure(const tac_kpi_catalogue *catalogue, const tac_kpi_subject *subject,
                       tac_watch *watch, struct kpi_campaign *out, tac_error *err);
void kpi_campaign_free(struct kpi_campaign *campaign);
