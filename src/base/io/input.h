/* Reading files that may be plain, .gz, .xz, .zst or alone in a .zip (told by their first bytes,
 * not by name), and standard input ("-"; not of a zip archive). Streaming; memory does not depend
 * on the size of the file. */
#pragma once

#include "tactus/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tac_input tac_input;

tac_status tac_input_open(const char *path, tac_input **out, tac_error *err);
/* Reads up to size bytes (decompressed); *got 0 at the end. */
tac_status tac_input_read(tac_input *input, void *buffer, size_t size, size_t *got, tac_error *err);
/* The next line without its line end (\n or \r\n), terminated, valid until the next call; *line is
 * NULL at the end. A line over max_length is TAC_E_LIMIT with its line number. */
tac_status tac_input_line(tac_input *input, size_t max_length, char **line, size_t *length,
                          tac_error *err);
size_t tac_input_line_number(const tac_input *input); /* of the line last returned, from 1 */
const char *tac_input_name(const tac_input *input);   /* the path, "<stdin>" for "-" */
/* True while the source could still grow (a pipe or a terminal). */
bool tac_input_is_stream(const tac_input *input);
/* Waits until a read would not block, at most so long; false when the time has passed. Lets a
 * reader of a pipe ask its watch now and then. */
bool tac_input_wait(tac_input *input, int milliseconds);
/* Whether so many bytes are more than `times` what was read of a compressed file, and over `least`:
 * a file made to expand. Never true of a plain one. */
bool tac_input_expands(const tac_input *input, uint64_t bytes, uint64_t least, unsigned times);
/* True when the path names another file by now, or the file is shorter than what was read of it: a
 * log that was rotated. */
bool tac_input_was_replaced(const tac_input *input);
void tac_input_close(tac_input *input); /* NULL is fine */

/* The whole (decompressed) content, terminated by a NUL that is not counted; the caller's.
 * Over max_size bytes is TAC_E_LIMIT, and so is a compressed file of over 64 MiB that is more than
 * 100 times as large as it was compressed. */
tac_status tac_input_slurp(const char *path, size_t max_size, char **data, size_t *size,
                           tac_error *err);
