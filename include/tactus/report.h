/* The report: what was found, the evidence, the way there; one self-contained HTML file.
 *
 * A project folder is a campaign of `tactus run`, or a folder whose subfolders are campaigns. The
 * report's document is described by web/src/report.ts; the page under web/ draws it. */
#ifndef TACTUS_REPORT_H
#define TACTUS_REPORT_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/watch.h"
#include <jansson.h>
#include <stdio.h>

TAC_BEGIN_DECLARATIONS

typedef struct tac_report_options {
    const char *folder;
    const char *baseline; /* an earlier project folder to compare with, or NULL */
    const char *title;    /* NULL = by the folder */
    /* Analyses of files that have no runs: adaptation rules, and recordings verified against
     * protocol rules. */
    const char *const *rule_files;
    size_t rule_file_count;
    const char *const *recordings;
    size_t recording_count;
    const char *const *protocol_rules;
    size_t protocol_rule_count;
    tac_watch *watch; /* may be NULL */
} tac_report_options;

/* The document, the caller's. */
tac_status tac_report_build(const tac_report_options *options, json_t **document, tac_error *err);
/* The page with the document inside. */
tac_status tac_report_write(const json_t *document, FILE *out, tac_error *err);

TAC_END_DECLARATIONS

#endif
