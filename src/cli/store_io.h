/* What 'tactus store verify' and 'tactus store repair' share. */
#ifndef TAC_CLI_STORE_IO_H
#define TAC_CLI_STORE_IO_H

#include "cli/command.h"
#include "tactus/store.h"

/* Opens the folder of the command, looks at everything, and sets aside when `repair`. Prints and
 * returns the exit code: of verify 1 when something is damaged. */
int store_look(struct invocation *in, bool repair);

/* After a failure: when it is a damaged row of an index, what to do about it on standard error. */
void advise_repair(const tac_error *err, const char *folder);

#endif
