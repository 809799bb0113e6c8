/* What is said about a text: "expected X or Y, found Z; did you mean W?", built here alone; and
 * going on after it. */
#include "base/data/text.h"
#include "base/data/vec.h"
#include "base/data/visible.h"
#include "base/syntax/syntax.h"
#include <ctype.h>
#include <stdlib.h>

static void say(struct syntax *s, uint32_t line, uint32_t column, const char *format, va_list args)
{
    char message[800];
    if (s->failed)
        return;
    vsnprintf(message, sizeof message, format, args);
    s->failed = true;
    s->failed_line = line;
    if (s->language->report)
        s->language->report(s, line, column, message);
    else if (s->diagnostics)
        tac_diagnostics_add(s->diagnostics, TAC_ERROR, s->file, line, column, "%s", message);
    else if (s->status == TAC_OK)
        s->status = tac_fail_at(s->err, TAC_E_INPUT, s->file, line, column, "%s", message);
}

void syntax_fail_at(struct syntax *s, uint32_t line, uint32_t column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(s, line, column, format, args);
    va_end(args);
}

void syntax_fail(struct syntax *s, const struct syntax_token *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(s, at->line, at->column, format, args);
    va_end(args);
}

/* The token as a message shows it, in at most 60 bytes of its own. */
static void add_found(const struct syntax *s, tac_str *out)
{
    const struct syntax_token *token = &s->token;
    const char *end = s->language->end;
    size_t shown = token->length > 60 ? 60 : token->length;
    char quote = token->kind == SYNTAX_TEXT ? token->quote : '\'';
    if (token->kind == SYNTAX_END && !(end == NULL && s->language->line_ends)) {
        tac_str_add(out, end ? end : "the end of the file");
    } else if (syntax_at_end(s)) {
        tac_str_add(out, token->length && *token->text == ';' ? "';'" : "the end of the line");
    } else if (!*token->text && !token->quote) {
        tac_str_add(out, "a NUL byte");
    } else {
        while (shown && shown < token->length && ((unsigned char)token->text[shown] & 0xc0) == 0x80)
            shown--; /* no part of a character */
        char *raw = tac_strndup(token->text, shown);
        tac_str_add_char(out, quote);
        tac_visible_add(out, raw);
        tac_str_add(out, shown < token->length ? "..." : "");
        tac_str_add_char(out, quote);
        free(raw);
    }
}

/* The word of the list, or of the operators after an operand, that was meant by the token. */
static const char *meant(const struct syntax *s, const char *const *words, size_t count)
{
    TAC_VEC(const char *) known = {0};
    const char *closest = NULL;
    const struct syntax_operator *op = s->language->operators;
    if (s->token.kind != SYNTAX_WORD || s->token.quote)
        return NULL;
    for (; op && op->text; op++)
        if (syntax_token_is(&s->token, op->text))
            return NULL; /* an operator in the wrong place */
    for (size_t i = 0; i < count; i++)
        if (isalpha((unsigned char)*words[i]))
            tac_vec_push(&known, words[i]);
    for (op = s->language->operators; s->operand_end == s->token.text && op && op->text; op++)
        if (op->place != SYNTAX_PREFIX && op->place != SYNTAX_WHOLE &&
            isalpha((unsigned char)*op->text) && op->text[1]) /* one letter is near to any */
            tac_vec_push(&known, op->text);
    char *word = tac_strndup(s->token.text, s->token.length);
    closest = known.count ? tac_closest(word, known.at, known.count) : NULL;
    size_t length = strlen(word), shared = 0;
    for (size_t i = 0; closest && i < length; i++)
        shared += strchr(closest, word[i]) != NULL;
    if (closest && (!strcmp(closest, word) || (length < 4 && shared + 1 < length)))
        closest = NULL; /* spelt right, in the wrong place; or too short to tell */
    free(word);
    tac_vec_free(&known);
    return closest;
}

static void add_words(tac_str *out, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tac_str_addf(out, "%s'%s'", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i]);
}

void syntax_expected_one_of(struct syntax *s, const char *what, const char *const *words,
                            size_t count)
{
    tac_str text = {0};
    if (s->failed)
        return;
    if (s->token.kind == SYNTAX_BAD && s->token.flaw) {
        syntax_fail(s, &s->token, "%s", s->token.flaw);
        return;
    }
    tac_str_add(&text, "expected ");
    if (what)
        tac_str_add(&text, what);
    else
        add_words(&text, words, count);
    tac_str_add(&text, ", found ");
    add_found(s, &text);
    const char *close = meant(s, words, count);
    if (close)
        tac_str_addf(&text, "; did you mean '%s'?", close);
    syntax_fail(s, &s->token, "%s", tac_str_text(&text));
    tac_str_free(&text);
}

void syntax_expected(struct syntax *s, const char *what)
{
    syntax_expected_one_of(s, what, NULL, 0);
}

bool syntax_need(struct syntax *s, const char *word, const char *what)
{
    bool accepted = syntax_accept(s, word);
    if (!accepted)
        syntax_expected_one_of(s, what, &word, 1);
    return accepted;
}

bool syntax_at_statement(const struct syntax *s)
{
    const char *const *word = s->language->statements;
    while (word && *word && !syntax_token_is(&s->token, *word))
        word++;
    return word && *word;
}

void syntax_recover(struct syntax *s, bool fresh_line)
{
    bool lines = !s->language->statements;
    s->depth = 0;
    s->nodes = 0;
    while (s->token.kind != SYNTAX_END &&
           (lines ? s->token.kind != SYNTAX_LINE
                  : (fresh_line && s->failed && s->token.line <= s->failed_line) ||
                        !syntax_at_statement(s)))
        syntax_advance(s);
    s->failed = false;
    s->operand_end = NULL;
}

size_t syntax_character(const char *text, uint32_t line, uint32_t column)
{
    const char *start = text;
    for (; line > 1; line--)
        start = strchr(start, '\n') + 1;
    return (size_t)(start - text) + column;
}
