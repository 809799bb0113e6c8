/* Texts in the encodings that Windows and Android tools write, as UTF-8. */
#pragma once

#include <stddef.h>

/* Told by a byte-order mark, else by zero bytes at every other place; "utf-8" otherwise. */
const char *text_encoding(const char *bytes, size_t size);
/* The text as UTF-8 without a byte-order mark, terminated; the caller's. Unpaired surrogates become
 * U+FFFD; a last odd byte is dropped. */
char *text_decode(const char *bytes, size_t size, const char *encoding, size_t *length);
