/* The lexer of the property language: one pass, no allocation, tokens point into the text. */
#include "property/language/lex.h"
#include "base/check.h"
#include "base/data/visible.h"

#include "base/data/text.h"
#include <string.h>

void prop_lexer_init(struct property_lexer *lexer, const char *text, size_t size)
{
    assert(text != NULL);
    lexer->at = lexer->line_start = text;
    lexer->end = text + size;
    lexer->line = 1;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        lexer->at += 3;
}

static bool name_start(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

static bool digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static void skip_blanks(struct property_lexer *lexer, struct property_token *token)
{
    assert(lexer->line_start <= lexer->at && lexer->at <= lexer->end);
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        if (c == '\n') {
            lexer->line++;
            lexer->line_start = lexer->at + 1;
        } else if (c == '#') {
            const char *stop = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
            lexer->at = (stop ? stop : lexer->end) - 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
        token->spaced = true;
        lexer->at++;
    }
}

static void take(struct property_lexer *lexer, struct property_token *token, enum token_kind kind,
                 size_t length)
{
    assert(length <= (size_t)(lexer->end - lexer->at));
    token->kind = kind;
    token->text = lexer->at;
    token->length = length;
    lexer->at += length;
}

static const char *name_end(const char *at, const char *end, bool method)
{
    while (at < end &&
           (name_start((unsigned char)*at) || digit((unsigned char)*at) || (method && *at == '$') ||
            (*at == '.' && at + 1 < end && name_start((unsigned char)at[1]))))
        at++;
    return at;
}

/* `enter:Player.play` and `exit:Player.play`, the events of methods, are names as they stand. */
static bool names_a_method(const char *start, const char *stop, const char *end)
{
    size_t length = (size_t)(stop - start);
    bool word =
        (length == 5 && !memcmp(start, "enter", 5)) || (length == 4 && !memcmp(start, "exit", 4));
    return word && end - stop > 1 && *stop == ':' && name_start((unsigned char)stop[1]);
}

static void take_name(struct property_lexer *lexer, struct property_token *token)
{
    const char *stop = name_end(lexer->at, lexer->end, false);
    if (names_a_method(lexer->at, stop, lexer->end))
        stop = name_end(stop + 1, lexer->end, true);
    bool plain = tac_text_is_plain(lexer->at, (size_t)(stop - lexer->at));
    take(lexer, token, plain ? TOKEN_NAME : TOKEN_BAD, (size_t)(stop - lexer->at));
}

static void take_number(struct property_lexer *lexer, struct property_token *token)
{
    const char *stop = lexer->at;
    while (stop < lexer->end && (digit((unsigned char)*stop) || *stop == '.'))
        stop++;
    if (stop < lexer->end && (*stop == 'e' || *stop == 'E')) {
        const char *power = stop + 1;
        if (power < lexer->end && (*power == '+' || *power == '-'))
            power++;
        if (power < lexer->end && digit((unsigned char)*power)) {
            while (power < lexer->end && digit((unsigned char)*power))
                power++;
            stop = power;
        }
    }
    take(lexer, token, TOKEN_NUMBER, (size_t)(stop - lexer->at));
    char copy[64];
    if (token->length >= sizeof copy)
        token->kind = TOKEN_BAD;
    else {
        memcpy(copy, token->text, token->length);
        copy[token->length] = 0;
        if (!tac_parse_double(copy, &token->number))
            token->kind = TOKEN_BAD;
    }
}

static void take_quoted(struct property_lexer *lexer, struct property_token *token, char quote)
{
    const char *start = lexer->at + 1, *stop = start;
    while (stop < lexer->end && *stop != quote && *stop != '\n') {
        if (*stop == '\\' && stop + 1 < lexer->end && stop[1] != '\n')
            stop++;
        stop++;
    }
    if (stop >= lexer->end || *stop != quote || !tac_text_is_plain(start, (size_t)(stop - start))) {
        take(lexer, token, TOKEN_BAD, (size_t)(stop - lexer->at));
        return;
    }
    lexer->at = start;
    take(lexer, token, quote == '`' ? TOKEN_NAME : TOKEN_STRING, (size_t)(stop - start));
    token->quoted = true;
    lexer->at++;
}

struct property_token prop_lexer_next(struct property_lexer *lexer)
{
    static const char *const marks[] = {"==", "!=", "<=", ">=", "->", "&&", "||"};
    struct property_token token = {0};
    skip_blanks(lexer, &token);
    token.line = lexer->line;
    token.column = (uint32_t)(lexer->at - lexer->line_start + 1);
    token.text = lexer->at;
    if (lexer->at >= lexer->end)
        return token;
    unsigned char c = (unsigned char)*lexer->at;
    if (name_start(c)) {
        take_name(lexer, &token);
    } else if (digit(c) ||
               (c == '.' && lexer->at + 1 < lexer->end && digit((unsigned char)lexer->at[1]))) {
        take_number(lexer, &token);
    } else if (c == '"' || c == '`') {
        take_quoted(lexer, &token, (char)c);
    } else {
        for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
            if (lexer->end - lexer->at >= 2 && memcmp(lexer->at, marks[i], 2) == 0) {
                take(lexer, &token, TOKEN_MARK, 2);
                return token;
            }
        take(lexer, &token, c && strchr("()[],:=<>+-*/%!^", c) ? TOKEN_MARK : TOKEN_BAD, 1);
    }
    return token;
}

bool prop_token_is(const struct property_token *token, const char *word)
{
    return (token->kind == TOKEN_MARK || (token->kind == TOKEN_NAME && !token->quoted)) &&
           token->length == strlen(word) && memcmp(token->text, word, token->length) == 0;
}
