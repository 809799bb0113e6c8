/* From what failing runs share back to what can be executed and checked: flow requirements, and
 * runs as the traces that mined properties speak of. */
#pragma once

#include "tactus/mining.h"
#include "tactus/model.h"
#include "tactus/trace.h"

/* Writes CLUSTER-N.req.xml into the folder (made when absent) for the `limit` leading patterns of
 * each cluster. *skipped: patterns that are no sequence of transitions of the model. All of them
 * skipped is TAC_E_INPUT. */
tac_status tac_mine_requirements(const tac_runs *runs, const tac_mine_result *result, size_t limit,
                                 const tac_model *model, const char *folder, size_t *written,
                                 size_t *skipped, tac_error *err);

/* Whether a path is a file of runs rather than a trace: JSON Lines with "events", text in a file
 * named .runs, .runs.gz or .runs.xz, or other text that begins with a number, as labels do, and is
 * not of a trace's format. False when it cannot be read. */
bool tac_runs_is_file(const char *path);
/* One run as a trace of its events and of its states, in the variable that mined properties use, to
 * be closed before the runs are freed. */
tac_status tac_runs_open_trace(const tac_runs *runs, size_t run, tac_trace_source **out,
                               tac_error *err);
