/* The findings of a report as a list for other tools. */
#ifndef TAC_REPORT_CASES_H
#define TAC_REPORT_CASES_H

#include "findings/findings.h"
#include "tactus/report.h"

typedef tac_status report_list_use(const struct finding_list *list, void *context, tac_error *err);

/* Calls use with the list, which lives as long as the call. */
tac_status report_use_list(const tac_report *report, report_list_use *use, void *context,
                           tac_error *err);

#endif
