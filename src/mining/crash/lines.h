/* What a single line of a pasted crash is. */
#pragma once

#include "mining/crash/crash.h"

/* The message of a log's record with its header, or the whole line where it has none. Borrowed from
 * the text, as all spans here. */
struct log_line crash_line(const struct record_reader *reader, const char *line, size_t size);
struct log_line crash_line_trimmed(const struct log_line *line);
bool crash_line_begins(const struct log_line *line, const char *word);
bool crash_line_holds(const struct log_line *line, const char *word);
/* The class of the exception that a line tells; false when it tells none. */
bool crash_header_class(const struct log_line *line, const char **name, size_t *length);
/* Whether a class stands for an error of another language that its message names. */
bool crash_is_pack(const char *name, size_t length);
/* An exception that nobody caught, said so: it counts without frames too. */
bool crash_is_announced(const struct log_line *line);
/* Nothing but the class of an exception: reporters print it below the frames as the reason. */
bool crash_is_lone_class(const struct log_line *line);
/* "Caused by: x", and "Caused by x" as crash services print it. */
bool crash_is_cause(const struct log_line *line);
bool crash_is_name_char(char c); /* of names of classes, dots aside */
bool crash_ends_like_exception(const char *name, size_t length);
/* Belongs to a stack without being a frame: "... 12 more", "- locked <0x...>". */
bool crash_is_more(const struct log_line *line);
