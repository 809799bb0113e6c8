/* SHA-256 of content, as 64 hexadecimal digits: what a plan was made from, what a trace held. */
#pragma once

#include "tactus/error.h"
#include <stdint.h>

#define TAC_DIGEST_TEXT 65 /* with the terminating NUL */

void tac_digest_bytes(const void *data, size_t size, char text[TAC_DIGEST_TEXT]);
/* Of content that comes in parts. Ending it frees it. */
typedef struct tac_digest tac_digest;
tac_digest *tac_digest_new(void);
void tac_digest_add(tac_digest *digest, const void *data, size_t size);
void tac_digest_end(tac_digest *digest, char text[TAC_DIGEST_TEXT]);
/* Of a file's bytes as they are stored, and their number. */
tac_status tac_digest_file(const char *path, char text[TAC_DIGEST_TEXT], uint64_t *size,
                           tac_error *err);
