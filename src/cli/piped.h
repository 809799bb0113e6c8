/* Inputs that come through a pipe, as from the shell's <(...): they can be read once, and a
 * campaign reads its inputs to plan, to run, to keep them and to tell about them. They become files
 * for the time of the command. */
#ifndef TACTUS_CLI_PIPED_H
#define TACTUS_CLI_PIPED_H

#include <stddef.h>

#include "tactus/error.h"

struct piped {
    char *folder; /* NULL: no input was a pipe */
    char *paths[8];
    size_t count;
};

/* *path becomes that of a file with the same content where it names a pipe; NULL is fine. */
tac_status piped_keep(struct piped *piped, const char **path, tac_error *err);
void piped_remove(struct piped *piped);

#endif
