/* One line of the log of an SCPI session (IEEE 488.2 instruments such as power analyzers):
 *
 *     STAMP [>|->|TX] QUERY? [(@CHANNELS)]           the question, answered by a later line
 *     STAMP [<|<-|RX] NUMBER[,NUMBER...]             the answer
 *     STAMP QUERY? [(@CHANNELS)] [->] NUMBER[,...]   both in one line
 *     STAMP COMMAND [ARGUMENTS]                      no measurement
 *
 * STAMP is seconds or an ISO date; blanks, tabs, commas and semicolons separate the parts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scpi_line {
    int64_t time;
    const char *query; /* NULL when the line asks nothing */
    size_t query_length;
    const char *channels; /* "1,2" within (@1,2); NULL when none */
    size_t channels_length;
    const char *answer;  /* the first number; NULL when the line answers nothing */
    const char *command; /* the text when it is neither */
};

/* False when the line has no stamp; the line must be followed by a '\n' or '\r'. */
bool scpi_parse(const char *line, size_t length, struct scpi_line *out);

/* The next number of a comma-separated answer; returns the place behind it and its separators, or
 * NULL when there is no number. SCPI's "not a number" (9.9E37 and above) gives NaN. A byte that is
 * no part of a number must follow the text. */
const char *scpi_number(const char *text, double *value);
