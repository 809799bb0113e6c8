/* What is looked at before it is read, and so is read more than once. Standard input and pipes give
 * their bytes only once: they are kept in a file without a name first. Files and folders stay where
 * they are. */
#pragma once

#include "tactus/error.h"
#include "tactus/watch.h"

typedef struct tac_settled {
    const char *name; /* for people: as it was given, "<stdin>" for "-" */
    const char *path; /* to open, as often as wanted */
    int file;         /* that keeps it; -1 = the path is the one that was given */
    char kept[32];
} tac_settled;

/* The path must outlive *out, which stays where it is. A path that cannot be opened is taken as it
 * is: whoever reads it says why. */
tac_status tac_settle(const char *path, tac_watch *watch, tac_settled *out, tac_error *err);
/* Makes an error of reading what was kept name the source instead. Returns the status. */
tac_status tac_settled_tell(const tac_settled *settled, tac_status status, tac_error *err);
/* Tells so, and lets go of what was kept. */
tac_status tac_settled_close(tac_settled *settled, tac_status status, tac_error *err);
