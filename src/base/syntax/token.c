/* Tokens: one pass, no allocation; the longest mark counts. Cost: linear in the text. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/data/visible.h"
#include "base/syntax/syntax.h"
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_one_of(char c, const char *set)
{
    return c && set && strchr(set, c);
}

static bool is_letter(const struct syntax_language *l, char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (l->foreign_letters && (unsigned char)c >= 0x80);
}

static bool starts_word(const struct syntax_language *l, char c)
{
    return is_letter(l, c) || is_one_of(c, l->word_start);
}

static bool goes_on(const struct syntax *s, const char *at)
{
    const struct syntax_language *l = s->language;
    return starts_word(l, *at) || is_digit(*at) || is_one_of(*at, l->word_part) ||
           (*at == '.' && l->inner_dots && at + 1 < s->end && is_letter(l, at[1]));
}

/* Moves on by bytes that may hold line ends. */
static void pass(struct syntax *s, const char *to)
{
    assert(to >= s->at && to <= s->end);
    for (; s->at < to; s->at++)
        if (*s->at == '\n') {
            s->line++;
            s->line_start = s->at + 1;
            s->first_column = 1;
        }
}

static const char *find(const char *from, const char *end, const char *text)
{
    const char *found = memmem(from, (size_t)(end - from), text, strlen(text));
    return found ? found : end;
}

static size_t prefix_length(const struct syntax *s, const char *mark, size_t length)
{
    return length <= (size_t)(s->end - s->at) && !memcmp(s->at, mark, length) ? length : 0;
}

/* The longest word of a list, with blanks between, here; 0: none. */
static size_t listed_length(const struct syntax *s, const char *list)
{
    size_t longest = 0;
    for (const char *word = *s->at ? list : NULL; word && (word = strchr(word, *s->at)); word++)
        if (word == list || word[-1] == ' ') {
            size_t here = prefix_length(s, word, strcspn(word, " "));
            longest = here > longest ? here : longest;
        }
    return longest;
}

/* The end of the blank or comment at s->at, or s->at; NULL for a comment without an end. */
static const char *blank_end(const struct syntax *s)
{
    const struct syntax_language *l = s->language;
    const char *at = s->at;
    size_t left = (size_t)(s->end - at);
    if (!is_one_of(*at, l->line_ends) && is_one_of(*at, l->blanks ? l->blanks : " \t\r\n"))
        return at + 1;
    if (listed_length(s, l->comment))
        return find(at, s->end, "\n");
    if (!l->block_comments || left < 2 || memcmp(at, "/*", 2) != 0)
        return at;
    const char *close = find(at + 2, s->end, "*/");
    return close < s->end ? close + 2 : NULL;
}

static const char *take_number(const struct syntax *s, struct syntax_token *token)
{
    const char *stop = s->at + 1;
    char copy[64];
    while (stop < s->end && (is_digit(*stop) || *stop == '.'))
        stop++;
    if ((s->language->numbers & SYNTAX_EXPONENT) && stop < s->end &&
        (*stop == 'e' || *stop == 'E')) {
        const char *power = stop + 1;
        power += power < s->end && (*power == '+' || *power == '-');
        for (; power < s->end && is_digit(*power); power++)
            stop = power + 1;
    }
    size_t length = (size_t)(stop - s->at);
    memcpy(copy, s->at, length < sizeof copy ? length : 0);
    copy[length < sizeof copy ? length : 0] = '\0';
    token->kind = SYNTAX_NUMBER;
    if (!tac_parse_double(copy, &token->number)) {
        token->kind = SYNTAX_BAD;
        token->flaw = "this is not a number";
    }
    return stop;
}

static const char *take_quoted(const struct syntax *s, struct syntax_token *token)
{
    const struct syntax_language *l = s->language;
    const char *start = s->at + 1, *stop = start;
    char quote = *s->at;
    while (stop < s->end && *stop != quote && (l->long_texts || *stop != '\n')) {
        if (*stop == '\\' && l->escapes && stop + 1 < s->end && (l->long_texts || stop[1] != '\n'))
            stop++;
        stop++;
    }
    token->quote = quote;
    token->text = start;
    token->length = (size_t)(stop - start);
    if (stop >= s->end || *stop != quote) {
        token->flaw =
            l->long_texts ? "this quote is not closed" : "this quote is not closed on its line";
        return stop;
    }
    if (!l->hidden_texts && !tac_text_is_plain(start, token->length))
        token->flaw = l->escapes && l->escapes->numbered
                          ? "a hidden character stands in these quotes: write it by its number, "
                            "such as \\u202e"
                          : "a hidden character, or a byte that is not UTF-8, is in these quotes";
    else
        token->kind = quote == l->name_quote ? SYNTAX_WORD : SYNTAX_TEXT;
    return stop + 1;
}

/* The longest mark of the language and of its operators here; 0: none. */
static size_t mark_length(const struct syntax *s)
{
    const struct syntax_language *l = s->language;
    size_t longest = listed_length(s, l->marks);
    for (const struct syntax_operator *op = l->operators; op && op->text; op++) {
        size_t here = *op->text == *s->at ? prefix_length(s, op->text, strlen(op->text)) : 0;
        longest = here > longest ? here : longest;
    }
    return longest;
}

size_t syntax_word_length(const struct syntax *s, const char *at, const char *extra)
{
    const char *stop = at;
    if (at >= s->end || !starts_word(s->language, *at))
        return 0;
    while (stop < s->end && (goes_on(s, stop) || is_one_of(*stop, extra)))
        stop++;
    return (size_t)(stop - at);
}

static const char *take_word(const struct syntax *s, size_t length, struct syntax_token *token)
{
    token->kind = SYNTAX_WORD;
    if (!s->language->hidden_names && !tac_text_is_plain(s->at, length)) {
        token->kind = SYNTAX_BAD;
        token->flaw = "a hidden character, or a byte that is not UTF-8, is in this name";
    }
    return s->at + length;
}

/* Reads the token at s->at and returns its end. */
static const char *take(const struct syntax *s, struct syntax_token *token)
{
    const struct syntax_language *l = s->language;
    const char *at = s->at, *next = at + 1 < s->end ? at + 1 : "";
    size_t length;
    token->kind = SYNTAX_OWN;
    if (l->odd && (length = l->odd(s, token, at, s->end)))
        return token->kind == SYNTAX_WORD ? take_word(s, length, token) : at + length;
    token->kind = SYNTAX_BAD;
    if (starts_word(l, *at))
        return take_word(s, syntax_word_length(s, at, NULL), token);
    if (is_digit(*at) || (*at == '.' && (l->numbers & SYNTAX_POINT) && is_digit(*next)) ||
        (*at == '-' && (l->numbers & SYNTAX_SIGNED) && is_digit(*next)))
        return take_number(s, token);
    if (is_one_of(*at, l->quotes) || (*at && *at == l->name_quote))
        return take_quoted(s, token);
    token->kind = is_one_of(*at, l->line_ends) ? SYNTAX_LINE : SYNTAX_MARK;
    length = token->kind == SYNTAX_LINE ? 1 : mark_length(s);
    if (!length)
        token->kind = SYNTAX_BAD;
    return at + (length ? length : tac_glyph_at(at, (size_t)(s->end - at)).length);
}

static struct syntax_token next(struct syntax *s)
{
    struct syntax_token token = {.kind = SYNTAX_END};
    const char *start = s->at, *stop = s->at;
    while (s->at < s->end && (stop = blank_end(s)) && stop > s->at)
        pass(s, stop);
    token.spaced = s->at > start;
    token.line = s->line;
    token.column = (uint32_t)(s->at - s->line_start) + s->first_column;
    token.text = s->at;
    if (s->at >= s->end)
        return token;
    if (!stop) {
        token.kind = SYNTAX_BAD;
        token.flaw = "this comment is not closed";
        pass(s, s->end);
        return token;
    }
    stop = take(s, &token);
    if (!token.quote && !token.length)
        token.length = (size_t)(stop - s->at);
    pass(s, stop);
    return token;
}

void syntax_open(struct syntax *s, const struct syntax_language *language, const char *text,
                 size_t size, uint32_t line, uint32_t column)
{
    assert(text != NULL && column >= 1);
    size_t skipped = language->byte_order_mark ? tac_byte_order_mark(text, size) : 0;
    s->language = language;
    s->at = s->line_start = s->last_end = text + skipped;
    s->end = text + size;
    s->line = line;
    s->first_column = column;
    s->failed = false;
    s->depth = 0;
    s->nodes = 0;
    s->operand_end = NULL;
    s->token = next(s);
    s->ahead = next(s);
}

static const char *end_of(const struct syntax_token *token)
{
    return token->text + token->length + (token->quote && token->kind != SYNTAX_BAD);
}

void syntax_advance(struct syntax *s)
{
    s->last_end = end_of(&s->token);
    s->token = s->ahead;
    s->ahead = next(s);
}

void syntax_go_on(struct syntax *s, const struct syntax_token *from, const char *to)
{
    assert(to >= from->text && to <= s->end);
    const char *text = from->text - (from->quote != 0);
    s->at = text;
    s->line = from->line;
    s->line_start = text;
    s->first_column = from->column;
    pass(s, to);
    s->last_end = to;
    s->token = next(s);
    s->ahead = next(s);
}

bool syntax_token_is(const struct syntax_token *token, const char *word)
{
    bool spelt = token->length && *token->text == *word && token->length == strlen(word) &&
                 !memcmp(token->text, word, token->length);
    return spelt && (token->kind == SYNTAX_MARK || token->kind == SYNTAX_LINE ||
                     token->kind == SYNTAX_OWN || (token->kind == SYNTAX_WORD && !token->quote));
}

bool syntax_is(const struct syntax *s, const char *word)
{
    return !s->failed && syntax_token_is(&s->token, word);
}

bool syntax_accept(struct syntax *s, const char *word)
{
    bool is = syntax_is(s, word);
    if (is)
        syntax_advance(s);
    return is;
}

bool syntax_at_end(const struct syntax *s)
{
    return s->token.kind == SYNTAX_END || s->token.kind == SYNTAX_LINE;
}
