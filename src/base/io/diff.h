/* The difference of two texts, line by line, as `diff -u` writes it. */
#pragma once

#include <stddef.h>

/* "" when they are equal; the caller's. Shortest for texts with at most some thousand lines between
 * their first and last difference; of others those are replaced as one. */
char *tac_unified_diff(const char *name, const char *old_text, size_t old_size,
                       const char *new_text, size_t new_size);
