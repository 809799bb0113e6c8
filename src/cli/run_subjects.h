/* tactus run --subject: many apps, one table. */
#ifndef TAC_CLI_RUN_SUBJECTS_H
#define TAC_CLI_RUN_SUBJECTS_H

#include "cli/command.h"
#include "tactus/run.h"

int run_subjects(struct invocation *in, const tac_run_options *options);

#endif
