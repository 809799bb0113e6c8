/* The runs of a campaign as cases for pipelines. */
#pragma once

#include "cli/pipeline.h"
#include "run/run.h"

/* A case per run, and one per property and run. The campaign may be in a database. */
tac_status run_cases(const struct invocation *in, struct pipeline *to,
                     const tac_run_options *options, const tac_run_summary *summary,
                     tac_error *err);
/* A case per subject, and one per subject and property. */
tac_status run_subject_cases(struct pipeline *to, const tac_run_options *options,
                             const tac_run_matrix *matrix, tac_error *err);
