/* The options of every command that reads traces. Use the macro inside the command's table and
 * read_trace_options to get what it means. */
#pragma once

#include "cli/command.h"
#include "tactus/trace.h"

/* The names of trace/read/formats.def. */
extern const struct option_choice trace_format_choices[];

#define TRACE_OPTIONS                                                                              \
    CHOICE("input-format", "FORMAT", trace_format_choices,                                         \
           "format of the traces (default: recognised by their content)",                          \
           .meaning = "the format of the input", .synonyms = "format"),                            \
        TEXT("time-column", "NAME",                                                                \
             "CSV: the column of the time (default: t, time or timestamp)"),                       \
        TEXT("discrete", "NAMES", "CSV: comma-separated columns whose numbers are names"),         \
        TEXT("pattern", "REGEX=NAMES",                                                             \
             "logcat: values that a matching line sets, one name per group; repeatable "           \
             "(default: event = tag)",                                                             \
             .meaning = "values from log lines by a regular expression"),                          \
        NUMBER("year", "YEAR", 1830, 2100,                                                         \
               "logcat: the year of lines without one (default: 1972)"),                           \
        TEXT("select", "NAMES",                                                                    \
             "recordings: only these slices, events and counters; comma-separated, * and "         \
             "? as in file names; repeatable (default: all)"),                                     \
        TEXT("host", "ADDRESS", "captures: the device's address (default: told by the capture)"),  \
        FLAG("lenient", "skip and count rows that are wrong instead of stopping at the first")

/* Of commands that write a trace. */
#define TRACE_OUTPUT                                                                               \
    PATH("output", "TRACE", "where the trace goes (default: standard output)", .letter = 'o',      \
         .meaning = "where the result goes")
#define TRACE_TO                                                                                   \
    CHOICE("to", "FORMAT", CHOICES({"jsonl", 0}, {"binary", 0}, {"csv", 0}),                       \
           "format to write (default: by the ending .jsonl, .tacb or .csv, else jsonl)",           \
           .meaning = "the format to convert to")

/* What --to says, else the ending of the path (NULL: standard output), else jsonl. */
const char *trace_format_to_write(const struct invocation *in, const char *path);

/* What the user asked for. */
tac_trace_options read_trace_options(const struct invocation *in);
/* The same as a command line says it, for commands that are suggested; the caller's. */
char *repeat_trace_options(const struct invocation *in);
/* On standard error: how many rows were skipped, and the first. Nothing when none was. */
void warn_skipped(const char *path, uint64_t skipped, const char *first);
