/* A campaign for people; both are given to finish_text, with a tac_run_summary. */
#ifndef TAC_CLI_RUN_TEXT_H
#define TAC_CLI_RUN_TEXT_H

#include <stdio.h>

void run_text_summary(FILE *out, void *summary);
/* Of runs that others will do. */
void run_text_planned(FILE *out, void *summary);

#endif
