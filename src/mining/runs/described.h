/* Descriptions of the documents of mining. */
#pragma once

#include "base/describe/describe.h"
#include "mining/template.h"

/* What several templates told. */
struct mined_templates {
    const tac_runs *runs;
    tac_template_result *results;
    size_t count, limit;
    bool all;
};

DESCRIBED(mined, struct mined);                     /* `tactus mine` */
DESCRIBED(predictor, tac_predictor);                /* with --train */
DESCRIBED(mined_templates, struct mined_templates); /* with --template */
DESCRIBED(prediction, tac_prediction);              /* `tactus predict` */
