/* What went wrong, and where. See tactus/error.h. */
#include "base/error.h"
#include <stdio.h>
#include <string.h>

tac_status tac_fail_va(tac_error *err, tac_status status, const char *file, size_t line,
                       size_t column, const char *format, va_list args)
{
    if (!err)
        return status;
    /* The message may quote the old one, so it is built aside. */
    char message[sizeof err->message];
    vsnprintf(message, sizeof message, format, args);
    memcpy(err->message, message, sizeof message);
    err->status = status;
    err->line = line;
    err->column = column;
    snprintf(err->file, sizeof err->file, "%s", file ? file : "");
    return status;
}

tac_status tac_fail(tac_error *err, tac_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tac_fail_va(err, status, NULL, 0, 0, format, args);
    va_end(args);
    return status;
}

tac_status tac_fail_at(tac_error *err, tac_status status, const char *file, size_t line,
                       size_t column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tac_fail_va(err, status, file, line, column, format, args);
    va_end(args);
    return status;
}

tac_status tac_fail_errno(tac_error *err, int error_number, const char *file, const char *format,
                          ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return tac_fail_at(err, TAC_E_IO, file, 0, 0, "%s: %s", text, strerror(error_number));
}

const char *tac_error_text(const tac_error *err, char *buffer, size_t size)
{
    char place[600] = "";
    if (err->file[0] && err->line && err->column)
        snprintf(place, sizeof place, "%s:%zu:%zu: ", err->file, err->line, err->column);
    else if (err->file[0] && err->line)
        snprintf(place, sizeof place, "%s:%zu: ", err->file, err->line);
    else if (err->file[0])
        snprintf(place, sizeof place, "%s: ", err->file);
    snprintf(buffer, size, "%s%s", place, err->message);
    return buffer;
}
