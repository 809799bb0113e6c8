/* What the KPI commands share: a catalogue and the apps named on the command line. */
#pragma once

#include "kpi/kpi.h"

struct kpi_subjects {
    tac_kpi_subject *at;
    tac_kpi_app **apps;
    char **campaigns;
    size_t count;
};

/* "APP.json=CAMPAIGN": the app that the file declares. "CAMPAIGN": an app with every feature of the
 * catalogue, named after the folder. */
tac_status kpi_subjects_open(const tac_kpi_catalogue *catalogue, const char *const *words,
                             size_t count, struct kpi_subjects *out, tac_error *err);
void kpi_subjects_free(struct kpi_subjects *subjects);
