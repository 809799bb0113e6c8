/* The parts of the report's document and what they share.
 *
 * Runs of several campaigns are numbered through: run r of campaign c is first_run(c) + r. */
#ifndef TAC_REPORT_PARTS_H
#define TAC_REPORT_PARTS_H

#include "base/data/vec.h"
#include "tactus/report.h"
#include "tactus/store.h"

struct report_run {
    int64_t id; /* within its campaign */
    char *scenario, *verdict, *trace, *exception;
    char *on; /* the device that failed, of several; "" when there is only one */
    int64_t flow, steps;
};

/* A trace that is not what was written. */
struct report_damage {
    int64_t run; /* within its campaign */
    char *file, *what;
};

struct report_campaign {
    char *folder;
    char *label; /* "" for the project folder itself */
    tac_store *store;
    size_t first_run;                /* number of its run 0 in the report */
    TAC_VEC(struct report_run) runs; /* a run whose trace is damaged has none here */
    TAC_VEC(struct report_damage) damaged;
};

struct report_project {
    const tac_report_options *options;
    TAC_VEC(struct report_campaign) campaigns;
    json_t *findings; /* in order of discovery; sorted at the end */
};

/* report_project.c */
tac_status report_project_open(struct report_project *project, const char *folder, tac_error *err);
void report_project_close(struct report_project *project);
/* A finding and an entry of "damaged_traces" for every trace that was left out. */
void report_add_damage(struct report_project *project, json_t *document);
/* severity: "bad", "unclear" or "good". link may be NULL. Text as printf. */
void report_finding(struct report_project *project, const char *severity, const char *link,
                    const char *detail, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Each fills its members of the document. */
tac_status report_add_runs(struct report_project *project, json_t *document, tac_error *err);
tac_status report_add_properties(struct report_project *project, struct report_project *baseline,
                                 json_t *document, tac_error *err);
tac_status report_add_models(struct report_project *project, json_t *document, tac_error *err);
tac_status report_add_causes(struct report_project *project, json_t *document, tac_error *err);
tac_status report_add_protocol(struct report_project *project, json_t *document, tac_error *err);
tac_status report_add_rules(struct report_project *project, json_t *document, tac_error *err);
/* Last: it also says what the others left out. */
tac_status report_add_provenance(struct report_project *project, json_t *document, tac_error *err);

/* DIR/NAME of a campaign; the caller's. */
char *report_path(const struct report_campaign *campaign, const char *name);
/* Bytes as base64 text; the caller's. */
char *report_base64(const unsigned char *data, size_t size);

#endif
