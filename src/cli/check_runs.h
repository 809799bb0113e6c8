/* Files of runs among the traces of `check`: each run is checked as a trace of its own. */
#pragma once

#include "tactus/property.h"

struct checked_files {
    tac_check_report report;
    size_t *path; /* per trace: the number of the path it came from; runs of one file share it */
};

/* As tac_check_traces; a path may also be a file of runs as `mine` reads them. */
tac_status check_traces_and_runs(const tac_properties *properties, const char *const *paths,
                                 size_t count, const tac_check_options *options,
                                 struct checked_files *out, tac_error *err);
void checked_files_free(struct checked_files *files);
/* What readers skipped and what is doubtful, for people. A run need not show all that properties
 * speak of: of a file of runs only what no run of it shows is worth a warning, once. */
void print_check_warnings(const struct checked_files *files);
