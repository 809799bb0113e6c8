/* The documents of `tactus kpi`, described; the report shows the scores too. */
#pragma once

#include "base/describe/describe.h"
#include "kpi/kpi.h"

struct kpi_scores {
    const char *catalogue;
    const tac_kpi_report *report;
};
struct kpi_chosen {
    const char *catalogue, *app;
    const tac_kpi_choices *choices;
};
DESCRIBED(kpi_scores, struct kpi_scores);
DESCRIBED(kpi_chosen, struct kpi_chosen);
