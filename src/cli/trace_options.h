/* The options of every command that reads traces. Use the macro inside the command's table and
 * read_trace_options to get what it means. */
#ifndef TAC_CLI_TRACE_OPTIONS_H
#define TAC_CLI_TRACE_OPTIONS_H

#include "cli/command.h"
#include "tactus/trace.h"

#define TRACE_OPTIONS                                                                              \
    {.name = "input-format",                                                                       \
     .meaning = "the format of the input",                                                         \
     .synonyms = "format",                                                                         \
     .kind = OPTION_CHOICE,                                                                        \
     .argument = "FORMAT",                                                                         \
     .choices = "jsonl|binary|csv|logcat|droidbot|scpi|perfetto|systrace|chrome|pcap|har|"         \
                "batterystats|bugreport",                                                          \
     .help = "format of the traces (default: recognised by their content)"},                       \
        {.name = "time-column",                                                                    \
         .kind = OPTION_TEXT,                                                                      \
         .argument = "NAME",                                                                       \
         .help = "CSV: the column of the time (default: t, time or timestamp)"},                   \
        {.name = "discrete",                                                                       \
         .kind = OPTION_TEXT,                                                                      \
         .argument = "NAMES",                                                                      \
         .help = "CSV: comma-separated columns whose numbers are names"},                          \
        {.name = "pattern",                                                                        \
         .meaning = "values from log lines by a regular expression",                               \
         .kind = OPTION_TEXT,                                                                      \
         .argument = "REGEX=NAMES",                                                                \
         .help = "logcat: values that a matching line sets, one name per group; repeatable "       \
                 "(default: event = tag)"},                                                        \
        {.name = "year",                                                                           \
         .kind = OPTION_NUMBER,                                                                    \
         .argument = "YEAR",                                                                       \
         .help = "logcat: the year of lines without one (default: 1972)",                          \
         .least = 1830,                                                                            \
         .most = 2100},                                                                            \
        {.name = "select",                                                                         \
         .kind = OPTION_TEXT,                                                                      \
         .argument = "NAMES",                                                                      \
         .help = "recordings: only these slices, events and counters; comma-separated, * and ? "   \
                 "as in file names; repeatable (default: all)"},                                   \
        {.name = "host",                                                                           \
         .kind = OPTION_TEXT,                                                                      \
         .argument = "ADDRESS",                                                                    \
         .help = "captures: the device's address (default: told by the capture)"},                 \
    {                                                                                              \
        .name = "lenient", .kind = OPTION_FLAG,                                                    \
        .help = "skip and count rows that are wrong instead of stopping at the first"              \
    }

/* Of commands that write a trace. */
#define TRACE_OUTPUT                                                                               \
    {                                                                                              \
        .name = "output", .meaning = "where the result goes", .letter = 'o', .kind = OPTION_FILE,  \
        .argument = "TRACE", .help = "where the trace goes (default: standard output)"             \
    }
#define TRACE_TO                                                                                   \
    {                                                                                              \
        .name = "to", .meaning = "the format to convert to", .kind = OPTION_CHOICE,                \
        .argument = "FORMAT", .choices = "jsonl|binary|csv",                                       \
        .help = "format to write (default: by the ending .jsonl, .tacb or .csv, else jsonl)"       \
    }

/* What --to says, else the ending of the path (NULL: standard output), else jsonl. */
const char *trace_format_to_write(const struct invocation *in, const char *path);

/* What the user asked for; free_trace_options when done. */
tac_trace_options read_trace_options(const struct invocation *in);
/* The same as a command line says it, for commands that are suggested; the caller's. */
char *repeat_trace_options(const struct invocation *in);
void free_trace_options(tac_trace_options *options);
/* On standard error: how many rows were skipped, and the first. Nothing when none was. */
void warn_skipped(const char *path, uint64_t skipped, const char *first);

#endif
