/* Folders for what a command keeps for its own time, in TMPDIR or /tmp. One that a kill left behind
 * is removed by the next process of the same user that makes one: its owner holds a lock on it. */
#ifndef TAC_BASE_SCRATCH_H
#define TAC_BASE_SCRATCH_H

#include "tactus/error.h"

/* *out is the path, the caller's for tac_scratch_remove. */
tac_status tac_scratch_make(const char *purpose, char **out, tac_error *err);
/* Removes the folder with everything in it and frees the path. NULL is fine. */
void tac_scratch_remove(char *folder);

#endif
