/* A string builder with a cap: past the cap nothing is added and `overflow` stays set, so that a
 * hostile input cannot make it grow without bound. Always terminated. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct tac_str {
    char *text; /* NULL while empty; use tac_str_text for a C string */
    size_t length, capacity;
    size_t cap; /* 0 = TAC_STR_DEFAULT_CAP */
    bool overflow;
} tac_str;

#define TAC_STR_DEFAULT_CAP ((size_t)1 << 30)

/* A zeroed struct is empty. */
void tac_str_add(tac_str *str, const char *text);
void tac_str_add_bytes(tac_str *str, const char *bytes, size_t length);
void tac_str_add_char(tac_str *str, char c);
void tac_str_addf(tac_str *str, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tac_str_addv(tac_str *str, const char *format, va_list args);
const char *tac_str_text(const tac_str *str); /* "" while empty; borrowed */
char *tac_str_take(tac_str *str);             /* the caller's; str is empty afterwards */
void tac_str_clear(tac_str *str);             /* keeps the memory */
void tac_str_free(tac_str *str);
