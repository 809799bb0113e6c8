/* Tokens of lifestate rule files. Names may hold dots, '$' and '<init>'; "//" starts a comment.
 * One pass, no allocation: tokens point into the text. */
#include "protocol/spec/spec.h"
#include <string.h>

void spec_lexer_start(struct spec_lexer *l, const char *text, size_t size)
{
    *l = (struct spec_lexer){.at = text, .end = text + size, .line_start = text, .line = 1};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '<' ||
           (unsigned char)c >= 0x80;
}

static bool in_name(char c)
{
    return starts_name(c) || is_digit(c) || c == '.' || c == '>';
}

static void skip_blanks(struct spec_lexer *l)
{
    while (l->at < l->end) {
        if (*l->at == '\n') {
            l->at++;
            l->line++;
            l->line_start = l->at;
        } else if (is_blank(*l->at)) {
            l->at++;
        } else if (*l->at == '/' && l->at + 1 < l->end && l->at[1] == '/') {
            const char *newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
            l->at = newline ? newline : l->end;
        } else {
            return;
        }
    }
}

/* The end of "[*]" with blanks inside allowed, or NULL. */
static const char *star_end(const char *at, const char *end)
{
    const char *p = at + 1;
    while (p < end && is_blank(*p))
        p++;
    if (p == end || *p != '*')
        return NULL;
    p++;
    while (p < end && is_blank(*p))
        p++;
    return p < end && *p == ']' ? p + 1 : NULL;
}

static const char *string_end(const char *at, const char *end)
{
    for (const char *p = at + 1; p < end && *p != '\n'; p++) {
        if (*p == '\\' && p + 1 < end)
            p++;
        else if (*p == '"')
            return p + 1;
    }
    return NULL;
}

struct token spec_lexer_next(struct spec_lexer *l)
{
    skip_blanks(l);
    struct token t = {.kind = TOKEN_END,
                      .text = l->at,
                      .line = l->line,
                      .column = (uint32_t)(l->at - l->line_start) + 1};
    if (l->at == l->end)
        return t;
    char c = *l->at;
    const char *p = l->at + 1;
    if (starts_name(c)) {
        t.kind = TOKEN_ID;
        while (p < l->end && in_name(*p))
            p++;
    } else if (is_digit(c) || (c == '-' && p < l->end && is_digit(*p))) {
        t.kind = TOKEN_NUMBER;
        while (p < l->end && (in_name(*p)))
            p++;
    } else if (c == '"') {
        const char *e = string_end(l->at, l->end);
        t.kind = e ? TOKEN_STRING : TOKEN_WRONG;
        p = e ? e : p;
    } else if (c == '[' && star_end(l->at, l->end)) {
        t.kind = TOKEN_STAR;
        p = star_end(l->at, l->end);
    } else if (c == '|' && p < l->end && (*p == '+' || *p == '-')) {
        t.kind = *p == '+' ? TOKEN_ENABLE : TOKEN_DISABLE;
        p++;
    } else {
        t.kind = strchr("[](),:;=&|!#", c) && c ? TOKEN_SIGN : TOKEN_WRONG;
    }
    t.length = (size_t)(p - l->at);
    l->at = p;
    return t;
}
