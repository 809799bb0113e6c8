/* Files that a person reads: hidden characters are visible there as on a terminal. */
#ifndef TAC_BASE_TEXT_FILE_H
#define TAC_BASE_TEXT_FILE_H

#include "tactus/error.h"

/* Writes the text whole or not at all; newline and tab stay, what else acts instead of showing is
 * escaped (base/data/visible.h). */
tac_status tac_text_file_write(const char *path, const char *text, tac_error *err);

#endif
