/* The short names of `dumpsys batterystats --checkin`, as Android 5 to 16 print them, and the words
 * that the same history has in the long form. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The long name of a code; NULL when it is not known. */
const char *history_code_name(const char *code, size_t length);
/* The word that a code's short value stands for; NULL when it stands for itself. */
const char *history_code_value(const char *code, size_t length, const char *value,
                               size_t value_length);
/* Is the code's value a place in the pool of strings? */
bool history_code_is_pooled(const char *code, size_t length);
/* A user id as the long form writes it: 1000, u0a21, u10i3, u0s1001. */
void history_uid_text(unsigned long uid, char *buffer, size_t size);
