/* Folders for what a command keeps for its own time, in TMPDIR or /tmp. One that a kill left behind
 * is removed by the next process of the same user that makes one: its owner holds a lock on it.
 * And files without a name, in TMPDIR or /var/tmp (/tmp may be memory itself): they are gone with
 * their descriptor. */
#pragma once

#include "tactus/error.h"

/* *out is the path, the caller's for tac_scratch_remove. */
tac_status tac_scratch_make(const char *purpose, char **out, tac_error *err);
/* Removes the folder with everything in it and frees the path. NULL is fine. */
void tac_scratch_remove(char *folder);

/* For reading and writing; -1 with errno. */
int tac_scratch_file(void);
const char *tac_scratch_file_folder(void); /* where it is tried; for messages */
