/* The `tactus run` that gives a campaign; the report tells it. */
#ifndef TAC_CLI_RUN_COMMAND_H
#define TAC_CLI_RUN_COMMAND_H

#include "tactus/run.h"

/* One line for a shell; the caller's (free). */
char *run_command_line(const tac_run_options *options);

#endif
