/* Whether a campaign that was just done is worse than an earlier one. */
#pragma once

#include "cli/command.h"

/* Prints on standard error what is worse, new, better or unlike; returns the exit code: 1 for worse
 * or new, 3 when the two have nothing in common. */
int run_gate(const struct invocation *in, const char *folder, const char *baseline);
