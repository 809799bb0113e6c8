/* The section on models: what of them was executed. */
#ifndef TAC_REPORT_MODELS_H
#define TAC_REPORT_MODELS_H

#include "report/project/parts.h"

tac_status report_add_models(struct tac_report *report, tac_error *err);

#endif
