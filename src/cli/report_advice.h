/* What the command line says to readers of reports. */
#ifndef TAC_CLI_REPORT_ADVICE_H
#define TAC_CLI_REPORT_ADVICE_H

#include "tactus/report.h"

/* The command that looks for the shortest script of a failure; the caller's. */
char *reproduce_command_line(const tac_report_failure *failure);

#endif
