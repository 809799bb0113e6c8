/* What went wrong, and where.
 *
 * Every function that can fail returns a tac_status and takes a tac_error as its last parameter
 * (NULL is allowed). On success the error object is untouched; on failure it holds the status, the
 * place and a message that says what was expected and, where possible, what to do. Outputs of a
 * function are written only on success.
 *
 * Memory exhaustion is the one failure that is not reported this way: see tac_set_oom_handler. */
#ifndef TACTUS_ERROR_H
#define TACTUS_ERROR_H

#include "tactus/api.h"
#include <stddef.h>

TAC_BEGIN_DECLARATIONS

typedef enum tac_status {
    TAC_OK = 0,
    TAC_E_USAGE,       /* the call or command line makes no sense */
    TAC_E_INPUT,       /* a file or a value in it is wrong */
    TAC_E_LIMIT,       /* a cap on size, depth, count, memory or time was passed */
    TAC_E_IO,          /* reading or writing failed */
    TAC_E_DEVICE,      /* a device, browser, instrument or child process failed */
    TAC_E_MISSING,     /* a program wanted at run time (dot, adb, chromium) is not installed */
    TAC_E_INTERRUPTED, /* the watch asked to stop; what was finished is kept */
    TAC_E_INTERNAL     /* a self-check failed: a defect of Tactus */
} tac_status;

/* Plain storage: copy freely, nothing to release. line and column count from 1; 0 = unknown. */
typedef struct tac_error {
    tac_status status;
    size_t line;
    size_t column;
    char file[512]; /* "" when no file is concerned */
    char message[1024];
} tac_error;

#if defined(__GNUC__)
#define TAC_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TAC_PRINTF(text, first)
#endif

/* Fills err (which may be NULL) and returns status, so that "return tac_fail(...)" reads well. */
tac_status tac_fail(tac_error *err, tac_status status, const char *format, ...) TAC_PRINTF(3, 4);
tac_status tac_fail_at(tac_error *err, tac_status status, const char *file, size_t line,
                       size_t column, const char *format, ...) TAC_PRINTF(6, 7);
/* For a failed system call: message is the text followed by strerror(error_number). */
tac_status tac_fail_errno(tac_error *err, int error_number, const char *file, const char *format,
                          ...) TAC_PRINTF(4, 5);

/* "FILE:LINE:COLUMN: MESSAGE" with the unknown parts left out. Writes at most size bytes, always
 * terminated; returns buffer. */
const char *tac_error_text(const tac_error *err, char *buffer, size_t size);

/* Many findings at once: loaders report every error of a file, not only the first. */
typedef enum tac_severity { TAC_WARNING, TAC_ERROR } tac_severity;

typedef struct tac_diagnostic {
    tac_severity severity;
    size_t line, column; /* 0 = unknown */
    char *file;          /* "" when none; owned by the list */
    char *message;       /* owned by the list */
} tac_diagnostic;

typedef struct tac_diagnostics {
    tac_diagnostic *at;
    size_t count, capacity;
    size_t errors, warnings; /* counted in full even past the cap of kept entries */
} tac_diagnostics;

/* At most this many entries are kept; the counters go on. */
#define TAC_DIAGNOSTICS_MAX 1000

/* A zeroed struct is an empty list. */
void tac_diagnostics_add(tac_diagnostics *list, tac_severity severity, const char *file,
                         size_t line, size_t column, const char *format, ...) TAC_PRINTF(6, 7);
void tac_diagnostics_free(tac_diagnostics *list);
/* Turns the first error of the list into err: "... (and N more errors)". TAC_OK when there is none.
 */
tac_status tac_diagnostics_fail(const tac_diagnostics *list, tac_error *err);

/* Called with the wanted size when memory is exhausted; must not return. The default calls abort().
 * Set it once at program start. */
void tac_set_oom_handler(void (*handler)(size_t wanted));

TAC_END_DECLARATIONS

#endif
