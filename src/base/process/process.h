/* Running other programs without a shell: dot, adb, chromedriver, spin in tests. */
#pragma once

#include "tactus/error.h"
#include <stdbool.h>
#include <stddef.h>

/* Runs argv[0] (found on PATH) with `input` on its standard input, collects its standard output
 * (the caller's, terminated) and exit code. Standard error is kept for the message when the program
 * is missing (TAC_E_MISSING, naming the Debian package) or killed (TAC_E_DEVICE). The deadline is
 * in seconds, 0 = none; past it the program is killed and TAC_E_LIMIT returned. */
tac_status tac_process_run(const char *const argv[], const char *package, const char *input,
                           size_t input_size, double deadline, char **output, size_t *output_size,
                           int *exit_code, tac_error *err);
bool tac_process_on_path(const char *program);
