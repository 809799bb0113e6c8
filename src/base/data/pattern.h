/* Regular expressions: one engine (PCRE2, Perl's syntax) for every pattern a user writes, so that
 * \d, \w and (?i) mean the same in every command.
 *
 * A subject that is valid UTF-8 is matched as characters, any other as bytes. Work per match is
 * bounded: a hostile pattern over a hostile subject ends with TAC_E_LIMIT, not never. Of several
 * alternatives the first that matches is taken, as in Perl. A pattern is used by one thread at a
 * time. */
#pragma once

#include "tactus/error.h"
#include <stdbool.h>

typedef struct tac_pattern tac_pattern;

/* A group's place in the subject; from == TAC_NO_SPAN when the group took no part. */
#define TAC_NO_SPAN ((size_t)-1)
typedef struct tac_span {
    size_t from, to;
} tac_span;

/* Compiles length bytes of text. A wrong expression is TAC_E_USAGE and names the place. */
tac_status tac_pattern_new(const char *text, size_t length, tac_pattern **out, tac_error *err);
void tac_pattern_free(tac_pattern *pattern); /* NULL is allowed */
size_t tac_pattern_groups(const tac_pattern *pattern);

/* Looks for the first match at or behind `start`. spans[0] is the whole match, spans[k] group k;
 * span_count of them are written, only when something was found. */
tac_status tac_pattern_find(const tac_pattern *pattern, const char *subject, size_t length,
                            size_t start, bool *found, tac_span *spans, size_t span_count,
                            tac_error *err);

/* The version of PCRE2 in use; buffer of 64 bytes or more. */
const char *tac_pattern_engine_version(char *buffer);
