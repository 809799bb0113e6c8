/* Tokens of the property language. Newlines mean nothing; '#' starts a comment. */
#ifndef TAC_PROPERTY_LEX_H
#define TAC_PROPERTY_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_NAME, /* letters, digits, '_', inner '.'; or `quoted by backquotes` */
    TOKEN_NUMBER,
    TOKEN_STRING, /* "..." with the escapes of escape.h */
    TOKEN_MARK,   /* ( ) [ ] , : = == != < <= > >= -> + - * / % ! && || ^ */
    TOKEN_BAD     /* a character that no token starts with, or an unclosed string */
};

struct property_token {
    enum token_kind kind;
    bool quoted;      /* a name in backquotes is never a keyword */
    bool spaced;      /* white space or a comment stands before it */
    const char *text; /* inside the file's text; without the quotes */
    size_t length;
    double number;
    uint32_t line, column;
};

struct property_lexer {
    const char *at, *end, *line_start;
    uint32_t line;
};

void prop_lexer_init(struct property_lexer *lexer, const char *text, size_t size);
struct property_token prop_lexer_next(struct property_lexer *lexer);
bool prop_token_is(const struct property_token *token,
                   const char *word); /* an unquoted name or a mark */

#endif
