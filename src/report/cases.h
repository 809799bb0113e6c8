/* The findings of a report as a list for other tools. */
#pragma once

#include "report/project/finding.h"

/* Calls use with the list, which lives as long as the call. */
tac_status report_use_list(const tac_report *report, report_list_use *use, void *context,
                           tac_error *err);
