/* JSON strings on the hot path: unescaping while reading, escaping while writing. */
#pragma once

#include "base/data/str.h"

/* Decodes the string whose first character (behind the opening quote) is at `at` into `out`
 * (cleared first). Returns the closing quote, or NULL with *wrong at the offending byte. The line
 * must end with a '\n'. */
const char *json_text_decode(const char *at, tac_str *out, const char **wrong);
/* Appends text with quotes; bytes that are no UTF-8 become U+FFFD. */
void json_text_encode(tac_str *out, const char *text, size_t length);
