/* Logs that Android Studio exports (.logcat): JSON with what was recorded. */
#ifndef TAC_FACTS_STUDIO_H
#define TAC_FACTS_STUDIO_H

#include "tactus/error.h"
#include <stddef.h>

/* Puts the lines that Android Studio shows of it in place of the text; on failure the text is
 * freed. */
tac_status studio_plain_text(const char *path, char **text, size_t *size, tac_error *err);

#endif
