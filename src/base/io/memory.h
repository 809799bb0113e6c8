/* Text that a function writes to a file, kept in memory instead. Exhausted memory is told where
 * every allocation tells it, so neither call fails from the caller's view. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* *text and *size are the caller's after tac_memory_close; released with free(). */
FILE *tac_memory_open(char **text, size_t *size);
void tac_memory_close(FILE *memory);
