/* What other modules use of this one beside tactus/error.h. */
#pragma once

#include "tactus/error.h"
#include <stdarg.h>

tac_status tac_fail_va(tac_error *err, tac_status status, const char *file, size_t line,
                       size_t column, const char *format, va_list args);

/* tac_exit_code of tactus/verdict.h for a status alone: 0 for TAC_OK, 2 for TAC_E_USAGE, 4 for the
 * rest. */
int tac_status_exit_code(tac_status status);
