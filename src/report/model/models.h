/* The section on models: what of them was executed. */
#pragma once

#include "report/project/parts.h"

tac_status report_add_models(struct tac_report *report, tac_error *err);
