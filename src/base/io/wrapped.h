/* A zip archive around one file, as browsers, mail and trackers of issues hand traces on: the file
 * in it is read as if it lay there itself. */
#pragma once

#include "tactus/error.h"
#include <stddef.h>
#include <stdint.h>

struct wrapped;

/* *out NULL and TAC_OK: an archive of several files, of none, or of one text (.txt), which is left
 * to the reader of bug reports; or what only begins like an archive. */
tac_status wrapped_open(const char *path, struct wrapped **out, tac_error *err);
/* Unpacks the next bytes; *got 0 at the end. */
tac_status wrapped_read(struct wrapped *wrapped, void *buffer, size_t size, size_t *got,
                        tac_error *err);
uint64_t wrapped_packed_size(const struct wrapped *wrapped);
void wrapped_close(struct wrapped *wrapped); /* NULL is fine */
