/* What campaigns came to, described: the documents of `tactus run` and `tactus worker`, the files
 * verdicts.json and matrix.json. */
#pragma once

#include "base/describe/describe.h"
#include "run/run.h"

DESCRIBED(run_lost, tac_run_lost_device);
DESCRIBED(run_summary, tac_run_summary);
DESCRIBED(run_planned, tac_run_summary); /* with what was planned */
DESCRIBED(run_work, tac_run_work);
DESCRIBED(run_subject, tac_run_subject_row);
DESCRIBED(run_matrix, tac_run_matrix);
