/* Words of the rule language. One token at a time, with its place; no copies. */
#ifndef TAC_RULES_LEXER_H
#define TAC_RULES_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END,     /* of the text */
    TOKEN_NEWLINE, /* end of a line, or ';' */
    TOKEN_WORD,
    TOKEN_NUMBER,
    TOKEN_STRING, /* text without its quotes; nothing is escaped */
    TOKEN_ARROW,  /* -> */
    TOKEN_SIGN,   /* one or two characters of : , ( ) { } = == != < <= > >= ! & && | || */
    TOKEN_BAD     /* a character the language does not have, or an open string */
};

struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
    uint32_t line, column; /* of the first character, from 1 */
};

struct lexer {
    const char *at, *end, *line_start;
    uint32_t line;
    uint32_t column_offset; /* added to columns of the first line: for text inside JSON */
    struct token token;     /* the present one */
};

/* Reads the first token. line and column are those of the first character. */
void rules_lexer_open(struct lexer *lexer, const char *text, size_t size, uint32_t line,
                      uint32_t column);
void rules_lexer_next(struct lexer *lexer);
bool rules_token_is(const struct token *token, const char *text); /* a word or a sign */
bool rules_lexer_accept(struct lexer *lexer, const char *text);   /* and moves on */
/* Words that cannot be names because predicates and rules use them. */
bool rules_word_is_reserved(const char *text, size_t length);

#endif
