/* Many findings of one load: kept in order of arrival up to a cap, counted in full. */
#include "base/data/alloc.h"
#include "tactus/error.h"
#include <stdarg.h>
#include <stdio.h>

void tac_diagnostics_add(tac_diagnostics *list, tac_severity severity, const char *file,
                         size_t line, size_t column, const char *format, ...)
{
    if (severity == TAC_ERROR)
        list->errors++;
    else
        list->warnings++;
    if (list->count >= TAC_DIAGNOSTICS_MAX)
        return;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 16;
        list->at = tac_realloc(list->at, list->capacity, sizeof *list->at);
    }
    char *message = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&message, format, args) < 0)
        tac_out_of_memory(0);
    va_end(args);
    list->at[list->count++] = (tac_diagnostic){.severity = severity,
                                               .line = line,
                                               .column = column,
                                               .file = tac_strdup(file ? file : ""),
                                               .message = message};
}

void tac_diagnostics_free(tac_diagnostics *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->at[i].file);
        free(list->at[i].message);
    }
    free(list->at);
    *list = (tac_diagnostics){0};
}

tac_status tac_diagnostics_fail(const tac_diagnostics *list, tac_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const tac_diagnostic *first = &list->at[i];
        if (first->severity != TAC_ERROR)
            continue;
        if (list->errors == 1)
            return tac_fail_at(err, TAC_E_INPUT, first->file, first->line, first->column, "%s",
                               first->message);
        return tac_fail_at(err, TAC_E_INPUT, first->file, first->line, first->column,
                           "%s (and %zu more errors)", first->message, list->errors - 1);
    }
    if (list->errors)
        return tac_fail(err, TAC_E_INPUT, "%zu errors", list->errors);
    return TAC_OK;
}
