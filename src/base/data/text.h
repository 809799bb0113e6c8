/* Small helpers on text that several modules need. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tac_str;

/* The candidate closest to `word` in edit distance (at most a third of its length, and at most 3),
 * or NULL. */
const char *tac_closest(const char *word, const char *const *candidates, size_t count);
/* How an error message ends: "; did you mean 'X'?" of the closest candidate, "" where there is none
 * or it is the word itself. For printf: tac_meant(word, known, count).text. */
enum { TAC_CLOSEST_LENGTH = 63 }; /* no candidate is close that is longer */
typedef struct tac_meaning {
    char text[TAC_CLOSEST_LENGTH + sizeof "; did you mean ''?"];
} tac_meaning;
tac_meaning tac_meant(const char *word, const char *const *candidates, size_t count);
/* Strict decimal numbers: the whole text, no blanks, in range; false otherwise. */
bool tac_parse_i64(const char *text, int64_t *out);
bool tac_parse_u64(const char *text, uint64_t *out);
bool tac_parse_double(const char *text, double *out); /* finite; independent of the locale */
bool tac_utf8_valid(const char *text, size_t length);
/* The bytes of a mark of the byte order that a text of UTF-8 begins with: 3 or 0. */
size_t tac_byte_order_mark(const char *text, size_t length);
/* Adds the text with U+FFFD in place of every byte that is not UTF-8. */
void tac_utf8_clean(const char *text, size_t length, struct tac_str *out);
/* The bytes of a character, at most four; how many. */
size_t tac_utf8_put(char *out, uint32_t code);
/* The shortest decimal text that reads back as the same double. buffer of 32 bytes or more. */
const char *tac_double_text(double value, char *buffer, size_t size);
/* 1234567 as "1,234,567"; buffer of 32 bytes or more. */
const char *tac_thousands(uint64_t value, char *buffer, size_t size);
bool tac_ends_with(const char *text, const char *suffix);
char *tac_trim(char *text); /* without blanks and line ends around it; in place */
/* TAC_IS_ONE_OF(word, "a", "b"), and whether the text begins with one of them. */
#define TAC_IS_ONE_OF(word, ...) tac_is_listed(word, (const char *const[]){__VA_ARGS__, NULL})
#define TAC_BEGINS_WITH_ONE_OF(text, ...)                                                          \
    tac_begins_with_listed(text, (const char *const[]){__VA_ARGS__, NULL})
bool tac_is_listed(const char *word, const char *const *list);
bool tac_begins_with_listed(const char *text, const char *const *list);
const char *tac_base_name(const char *path); /* after the last '/' */
double tac_now(void);                        /* seconds, monotonic clock */
int64_t tac_clock(int clock);                /* nanoseconds of CLOCK_REALTIME, ... */
/* Whether a list of words with commas between them has the word. */
bool tac_list_has(const char *list, const char *word);
