/* What programs write for JSON although it is none: bytes that are not UTF-8, half a surrogate
 * pair, raw control characters in texts, NaN and infinities. */
#pragma once

#include "base/data/str.h"

/* Appends the text to *out with those replaced: by U+FFFD, by escapes, by null. Whether anything
 * was; what else is wrong with the text stays. */
bool json_mend(const char *text, size_t length, tac_str *out);
