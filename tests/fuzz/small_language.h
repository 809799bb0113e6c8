/* A small language that uses every part of the kernel of expressions; its nodes are texts in
 * brackets: "a + b * c" is (+ a (* b c)). */
#ifndef SMALL_LANGUAGE_H
#define SMALL_LANGUAGE_H

#include "base/data/arena.h"
#include "base/syntax/syntax.h"
#include <string.h>

enum small_kind { OR, AND, NOT, LESS, IN, NOT_IN, PLUS, TIMES, MINUS, POWER, CHOOSE, CALL, ALL };

static syntax_node small_text(struct syntax *s, const char *format, const char *a, const char *b,
                              const char *c)
{
    syntax_count_node(s);
    return (syntax_node){.at = tac_arena_format(s->context, format, a, b, c)};
}

static syntax_node small_primary(struct syntax *s)
{
    struct syntax_token token = s->token;
    if (syntax_accept(s, "(")) {
        syntax_node inner = syntax_expression(s, 0);
        syntax_need(s, ")", NULL);
        return inner;
    }
    if (token.kind != SYNTAX_WORD && token.kind != SYNTAX_NUMBER && token.kind != SYNTAX_TEXT) {
        syntax_expected(s, "a value or '('");
        return (syntax_node){0};
    }
    syntax_advance(s);
    const char *text = syntax_text(s, &token, s->context);
    return small_text(s, token.kind == SYNTAX_TEXT ? "\"%s\"%s%s" : "%s%s%s", text, "", "");
}

static bool small_opens(const struct syntax *s)
{
    return syntax_token_is(&s->ahead, "[");
}

static syntax_node small_taken(struct syntax *s, const struct syntax_taken *op)
{
    syntax_node more = {0};
    if (op->op->kind == CHOOSE) {
        more = syntax_expression(s, 0);
        syntax_need(s, ":", NULL);
    } else if (op->op->kind == ALL) {
        syntax_need(s, "[", NULL);
        more = syntax_expression(s, 0);
        syntax_need(s, "]", NULL);
        if (!s->failed)
            more = small_text(s, "(all %s%s%s)", more.at, "", "");
    } else if (op->op->kind == CALL) {
        more = syntax_expression(s, 0);
        syntax_need(s, ")", "',' or ')'");
    }
    return more;
}

static syntax_node small_combine(struct syntax *s, const struct syntax_taken *op, syntax_node left,
                                 syntax_node right)
{
    if (op->op->kind == CHOOSE)
        return small_text(s, "(? %s %s %s)", left.at, op->more.at, right.at);
    if (op->op->kind == CALL)
        return small_text(s, "(call %s %s%s)", left.at, op->more.at, "");
    if (op->op->place == SYNTAX_PREFIX)
        return small_text(s, "(%s %s%s)", op->op->text, left.at, "");
    return small_text(s, "(%s %s %s)", op->op->text, left.at, right.at);
}

/* <NAME> is one word. */
static size_t small_odd(const struct syntax *s, struct syntax_token *token, const char *at,
                        const char *end)
{
    const char *close = *at == '<' ? memchr(at, '>', (size_t)(end - at)) : NULL;
    size_t length = close && s->line ? (size_t)(close - at) + 1 : 0;
    if (length < 3 || memchr(at, ' ', length) || memchr(at, '\n', length))
        return 0;
    token->kind = SYNTAX_WORD;
    return length;
}

static const struct syntax_operator small_operators[] = {{"?", CHOOSE, 1, SYNTAX_RIGHT, NULL},
                                                         {"or", OR, 2, SYNTAX_LEFT, NULL},
                                                         {"||", OR, 2, SYNTAX_LEFT, NULL},
                                                         {"and", AND, 3, SYNTAX_LEFT, NULL},
                                                         {"not", NOT, 4, SYNTAX_PREFIX, NULL},
                                                         {"all", ALL, 4, SYNTAX_WHOLE, small_opens},
                                                         {"<", LESS, 5, SYNTAX_SINGLE, NULL},
                                                         {"in", IN, 5, SYNTAX_SINGLE, NULL},
                                                         {"not in", NOT_IN, 5, SYNTAX_SINGLE, NULL},
                                                         {"+", PLUS, 6, SYNTAX_LEFT, NULL},
                                                         {"*", TIMES, 7, SYNTAX_LEFT, NULL},
                                                         {"-", MINUS, 8, SYNTAX_PREFIX, NULL},
                                                         {"**", POWER, 9, SYNTAX_RIGHT, NULL},
                                                         {"(", CALL, 10, SYNTAX_POSTFIX, NULL},
                                                         {NULL, 0, 0, SYNTAX_LEFT, NULL}};

static const struct syntax_escapes small_escapes = {"nt", "\n\t", "0123456789", true, false};
static const char *const small_statements[] = {"let", "show", NULL};

static const struct syntax_language small_language = {
    .comment = "#",
    .block_comments = true,
    .word_start = "$",
    .inner_dots = true,
    .foreign_letters = true,
    .numbers = SYNTAX_EXPONENT | SYNTAX_POINT,
    .quotes = "\"",
    .name_quote = '`',
    .escapes = &small_escapes,
    .marks = ") [ ] : = ,",
    .byte_order_mark = true,
    .odd = small_odd,
    .operators = small_operators,
    .primary = small_primary,
    .combine = small_combine,
    .taken = small_taken,
    .most_depth = 20,
    .most_nodes = 100,
    .advice = "name parts with 'let'",
    .statements = small_statements,
};

#endif
