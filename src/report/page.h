/* The page with the document and the traces inside. */
#ifndef TAC_REPORT_PAGE_H
#define TAC_REPORT_PAGE_H

#include "report/project/parts.h"

tac_status report_write_page(const struct tac_report *report, FILE *out, tac_error *err);

#endif
