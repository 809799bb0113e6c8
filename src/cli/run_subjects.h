/* tactus run --subject: many apps, one table. */
#pragma once

#include "cli/command.h"
#include "run/run.h"

int run_subjects(struct invocation *in, const tac_run_options *options);
