/* Words of the rule language: see lexer.h. Comments run from '#' to the end of the line. */
#include "rules/language/lexer.h"
#include "base/check.h"
#include "base/data/visible.h"
#include <string.h>

void rules_lexer_open(struct lexer *lexer, const char *text, size_t size, uint32_t line,
                      uint32_t column)
{
    assert(column >= 1); /* line 0: the place is not known */
    memset(lexer, 0, sizeof *lexer);
    lexer->at = lexer->line_start = text;
    lexer->end = text + size;
    lexer->line = line;
    lexer->column_offset = column - 1;
    rules_lexer_next(lexer);
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_part(char c)
{
    return is_name_start(c) || is_digit(c) || c == '.';
}

static void skip_blanks(struct lexer *lexer)
{
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        if (c == '#')
            while (lexer->at < lexer->end && *lexer->at != '\n')
                lexer->at++;
        else if (c == ' ' || c == '\t' || c == '\r')
            lexer->at++;
        else
            return;
    }
}

static size_t scan_while(const struct lexer *lexer, size_t from, bool (*belongs)(char))
{
    size_t left = (size_t)(lexer->end - lexer->at);
    while (from < left && belongs(lexer->at[from]))
        from++;
    return from;
}

/* Digits, a point, an exponent with its sign: "1.5e-3". Whether it is a number is asked later. */
static size_t scan_number(const struct lexer *lexer)
{
    size_t left = (size_t)(lexer->end - lexer->at), i = 1;
    for (; i < left; i++) {
        char c = lexer->at[i], before = lexer->at[i - 1];
        bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'E');
        if (!is_digit(c) && c != '.' && c != 'e' && c != 'E' && !sign)
            break;
    }
    return i;
}

static bool in_string(char c)
{
    return c != '"' && c != '\n';
}

static void read_sign(struct lexer *lexer, struct token *token)
{
    static const char *const signs[] = {"==", "!=", "<=", ">=", "&&", "||", ":", ",", "(",
                                        ")",  "{",  "}",  "=",  "<",  ">",  "!", "&", "|"};
    size_t left = (size_t)(lexer->end - lexer->at);
    token->kind = TOKEN_BAD;
    token->length = 1;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i]);
        if (length <= left && memcmp(lexer->at, signs[i], length) == 0) {
            token->kind = TOKEN_SIGN;
            token->length = length;
            return;
        }
    }
}

void rules_lexer_next(struct lexer *lexer)
{
    skip_blanks(lexer);
    struct token *token = &lexer->token;
    token->text = lexer->at;
    token->line = lexer->line;
    token->column = (uint32_t)(lexer->at - lexer->line_start) + 1 + lexer->column_offset;
    token->length = 0;
    token->kind = TOKEN_END;
    if (lexer->at >= lexer->end)
        return;
    char c = *lexer->at;
    bool digit_next = lexer->at + 1 < lexer->end && is_digit(lexer->at[1]);
    if (c == '\n' || c == ';') {
        token->kind = TOKEN_NEWLINE;
        token->length = 1;
        if (c == '\n') {
            lexer->line++;
            lexer->line_start = lexer->at + 1;
            lexer->column_offset = 0;
        }
    } else if (is_name_start(c)) {
        token->kind = TOKEN_WORD;
        token->length = scan_while(lexer, 1, is_name_part);
        if (!tac_text_is_plain(token->text, token->length))
            token->kind = TOKEN_BAD; /* a name that acts on what shows it */
    } else if (is_digit(c) || (c == '-' && digit_next)) {
        token->kind = TOKEN_NUMBER;
        token->length = scan_number(lexer);
    } else if (c == '-' && lexer->at + 1 < lexer->end && lexer->at[1] == '>') {
        token->kind = TOKEN_ARROW;
        token->length = 2;
    } else if (c == '"') {
        size_t close = scan_while(lexer, 1, in_string);
        bool closed = lexer->at + close < lexer->end && lexer->at[close] == '"';
        closed = closed && tac_text_is_plain(lexer->at + 1, close - 1);
        token->kind = closed ? TOKEN_STRING : TOKEN_BAD;
        token->text++;
        token->length = close - 1;
        lexer->at += close + closed;
        return;
    } else {
        read_sign(lexer, token);
    }
    lexer->at += token->length;
}

bool rules_token_is(const struct token *token, const char *text)
{
    return (token->kind == TOKEN_WORD || token->kind == TOKEN_SIGN) &&
           token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

bool rules_lexer_accept(struct lexer *lexer, const char *text)
{
    if (!rules_token_is(&lexer->token, text))
        return false;
    rules_lexer_next(lexer);
    return true;
}

bool rules_word_is_reserved(const char *text, size_t length)
{
    static const char *const reserved[] = {"not",  "and",      "or", "true",    "false",
                                           "when", "priority", "do", "initial", "monotone"};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strlen(reserved[i]) == length && memcmp(reserved[i], text, length) == 0)
            return true;
    return false;
}
