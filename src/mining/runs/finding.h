/* The identity of a crash, from what its run keeps. */
#pragma once

#include "findings/identity.h"
#include <jansson.h>

/* details: of the run's row, or of its trace: "finding", else "stack" and "place" of it; may be
 * NULL. */
void crash_finding(const char *exception, const json_t *details, char id[FINDING_ID]);
