/* Plain rows of a table, whole rows at a time (wide.c). */
#pragma once

#include "trace/read/csv/table.h"

/* Whether this machine and this table can be read so. */
bool csv_wide_usable(const struct csv_table *table);
/* Reads rows from `at` on until the block is full, the limit is near, or a row is not of the plain
 * kind. Returns the start of the first row that was not read. */
const char *csv_wide_rows(const struct csv_table *table, tac_trace_source *source, const char *at,
                          const char *limit);
