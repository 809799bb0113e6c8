/* The page around the report's document: one self-contained HTML file. */
#ifndef TAC_REPORT_PAGE_H
#define TAC_REPORT_PAGE_H

#include "tactus/error.h"
#include <jansson.h>
#include <stdio.h>

/* The built page (web/dist/report.html) with the document inside. */
tac_status report_write_page(const json_t *document, FILE *out, tac_error *err);

#endif
