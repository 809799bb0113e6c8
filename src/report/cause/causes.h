/* The section on crashes: their causes, by stack. */
#ifndef TAC_REPORT_CAUSES_H
#define TAC_REPORT_CAUSES_H

#include "report/project/parts.h"

tac_status report_add_causes(struct tac_report *report, tac_error *err);

#endif
