/* The sections of the report's document: each fills its members. */
#pragma once

#include "report/project/parts.h"

tac_status report_add_properties(struct tac_report *report, tac_error *err);
tac_status report_add_runs(struct tac_report *report, tac_error *err);
tac_status report_add_subjects(struct tac_report *report, tac_error *err);
tac_status report_add_actions(struct tac_report *report, tac_error *err);
tac_status report_add_protocol(struct tac_report *report, tac_error *err);
tac_status report_add_rules(struct tac_report *report, tac_error *err);
tac_status report_add_kpis(struct tac_report *report, tac_error *err);
/* Last: it also says what the others left out. */
tac_status report_add_provenance(struct tac_report *report, tac_error *err);
/* "timelines" of the cited runs; not in the page, which reads the traces themselves. */
tac_status report_add_timelines(const struct tac_report *report, json_t *document, tac_error *err);
