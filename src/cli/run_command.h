/* The `tactus run` that gives a campaign; the report tells it. */
#pragma once

#include "run/run.h"

/* One line for a shell; the caller's (free). */
char *run_command_line(const tac_run_options *options);
