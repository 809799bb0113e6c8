/* Files that a person reads: hidden characters are visible there as on a terminal. */
#pragma once

#include "tactus/error.h"

/* Writes the text whole or not at all; newline and tab stay, what else acts instead of showing is
 * escaped (base/data/visible.h). */
tac_status tac_text_file_write(const char *path, const char *text, tac_error *err);
