/* What the command line says to readers of reports. */
#pragma once

#include "report/report.h"

/* The command that looks for the shortest script of a failure; the caller's. */
char *reproduce_command_line(const tac_report_failure *failure);
