/* What comes of a judged trace: shared by checking (files.c) and following (live.c). */
#pragma once

#include "property/check/judge.h"

struct check_run {
    const tac_properties *properties;
    const char *name; /* of the trace in results */
    const tac_check_options *options;
    struct trace_judge judge;
    bool *told, *alarmed;  /* per property: its news was given out */
    tac_diagnostics notes; /* what its reader has to say */
};

/* known: see tac_monitor_options. source: as judge_begin takes it. */
void check_run_start(struct check_run *run, const tac_properties *properties, const char *name,
                     const tac_check_options *options, bool known, tac_trace_source *source);
void check_run_free(struct check_run *run);
/* Gives out what has become known since the last call, in the order of the deciding states. last:
 * what is still undecided, too. */
void check_run_tell(struct check_run *run, bool last);
/* What was found; it owns all that it points to. */
void check_run_result(struct check_run *run, uint64_t skipped, tac_checked_trace *out);

void check_copy_warnings(const tac_diagnostics *from, tac_diagnostics *to);

/* explain.c: where a violation shows, and the measured value that shows it (borrowed); false and
 * NULL where nothing does. */
bool property_telling_place(const tac_property_result *result, tac_interval *out);
const char *property_telling_variable(const tac_property_result *result);

/* described.c */
/* {"intervals","violated","open","margin"} */
json_t *property_statistics_json(const tac_property_result *result);
