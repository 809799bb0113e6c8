/* The text border: what comes from outside and is shown.
 *
 * Names, log lines, device errors, screen texts and file names may hold characters that act on what
 * shows them: controls and escape sequences (C0, DEL, C1), bidirectional controls, line separators,
 * and bytes that are not UTF-8 at all. They are shown as what they are, never obeyed: ESC as
 * \u001b, U+202E as \u202e (in a JSON text that means the same), a stray byte as \x9b. Everything
 * else passes unchanged.
 *
 * What is written in another language goes through base/data/quote.h instead. */
#pragma once

#include "base/data/str.h"
#include "tactus/error.h"
#include <stdint.h>
#include <stdio.h>

typedef enum tac_glyph_kind {
    TAC_GLYPH_PLAIN,  /* may be shown as it is */
    TAC_GLYPH_HIDDEN, /* a character that acts instead of showing; newline and tab are among them */
    TAC_GLYPH_BROKEN, /* a byte that no UTF-8 character begins with or goes on with */
    TAC_GLYPH_CUT     /* the text ends within a character that is right so far */
} tac_glyph_kind;

typedef struct tac_glyph {
    tac_glyph_kind kind;
    unsigned length; /* bytes: 1 to 4; all that are left when cut */
    uint32_t code;   /* the code point, or the byte when broken */
} tac_glyph;

/* The character at text; left is at least 1. */
tac_glyph tac_glyph_at(const char *text, size_t left);
/* How many of the first bytes are plain ASCII, or newline or tab: the fast path. */
size_t tac_visible_run(const char *text, size_t length);

/* Whether every character may be shown as it is: no newline, no tab either. */
bool tac_text_is_plain(const char *text, size_t length);

/* Appends text with hidden characters visible; newline and tab too (as \n and \t). */
void tac_visible_add(tac_str *out, const char *text);
/* The same as a new text, the caller's; for one argument of a message. */
char *tac_visible(const char *text);

/* NULL for a good name, else what is wrong with it ("holds the bidirectional control U+202E"), in
 * buffer, which has TAC_NAME_FLAW bytes or more. */
#define TAC_NAME_FLAW 96
const char *tac_name_flaw(const char *name, char *buffer);

/* A stream for text that passes everything on to `to` with hidden characters visible, but newline
 * and tab; when `guards` also with what a build server would obey at the beginning of a line
 * ("::error", "##vso["). Closing it flushes and closes `to` when `owns`. Never NULL. */
FILE *tac_visible_stream(FILE *to, bool owns, bool guards);
