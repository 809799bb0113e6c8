/* The section on crashes: their causes, by stack. */
#pragma once

#include "report/project/parts.h"

tac_status report_add_causes(struct tac_report *report, tac_error *err);
