/* Files of runs among the traces of `check`: each run is checked as a trace of its own. */
#ifndef TAC_CLI_CHECK_RUNS_H
#define TAC_CLI_CHECK_RUNS_H

#include "tactus/property.h"

/* As tac_check_traces; a path may also be a file of runs as `mine` reads them. */
tac_status check_traces_and_runs(const tac_properties *properties, const char *const *paths,
                                 size_t count, const tac_check_options *options,
                                 tac_check_report *out, tac_error *err);

#endif
