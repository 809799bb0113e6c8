/* Inputs that come through a pipe, as from the shell's <(...): they can be read once, and a
 * campaign reads its inputs to plan, to run, to keep them and to tell about them. They become files
 * for the time of the command. */
#pragma once

#include <stddef.h>

#include "tactus/error.h"

struct piped {
    char *folder; /* NULL: no input was a pipe */
    char *paths[8];
    const char *names[8]; /* what they were called, for messages */
    size_t count;
};

/* *path becomes that of a file with the same content where it names a pipe; NULL is fine. */
tac_status piped_keep(struct piped *piped, const char **path, tac_error *err);
/* What the caller called the file at path: the pipe that it is the copy of, or path itself. NULL
 * for piped is fine. */
const char *piped_name(const struct piped *piped, const char *path);
void piped_remove(struct piped *piped);
