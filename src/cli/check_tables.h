/* The CSV files of `tactus check`: every interval with its figures, and margins over time. */
#pragma once

#include "base/io/output.h"
#include "tactus/property.h"

struct check_tables {
    const tac_properties *properties;
    tac_output intervals, margins;
    bool has_intervals, has_margins;
    double *least; /* per property: the least margin so far in the trace `trace` */
    char *trace;
};

/* Paths may be NULL. Sets what options needs to be told of intervals. */
tac_status check_tables_open(struct check_tables *tables, const char *intervals,
                             const char *margins, tac_check_options *options, tac_error *err);
/* Commits the files when status is TAC_OK, else removes them. */
tac_status check_tables_close(struct check_tables *tables, tac_status status, tac_error *err);
