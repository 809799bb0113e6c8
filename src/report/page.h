/* The page with the document and the traces inside. */
#pragma once

#include "report/project/parts.h"

tac_status report_write_page(const struct tac_report *report, FILE *out, tac_error *err);
