/* The text of a bug report: the file itself, or the main entry of a zip archive. */
#pragma once

#include "tactus/error.h"
#include <stdbool.h>
#include <stddef.h>

struct archive;

/* Opens the archive and its main entry (named by main_entry.txt, else bugreport*.txt, else the
 * largest .txt). */
tac_status archive_open(const char *path, struct archive **out, tac_error *err);
/* The next line of the entry, without its end; *line NULL at the end. A line over 4 MiB is cut. */
tac_status archive_line(struct archive *archive, const char **line, size_t *length, tac_error *err);
const char *archive_entry(const struct archive *archive); /* its name; borrowed */
void archive_close(struct archive *archive);              /* NULL is fine */
