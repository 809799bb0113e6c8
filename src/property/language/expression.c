/* Expressions of the property language: one grammar for state formulas, temporal formulas, interval
 * expressions and combinations; what may stand where is checked later. The operators are the rows
 * of ast.h; here are their other spellings, values, calls and names. */
#include "base/data/text.h"
#include "property/language/parse.h"
#include <ctype.h>
#include <string.h>

enum how { CALL, PLAIN, PREFIX, LEFT, RIGHT, SINGLE };
#define DESCRIBE(kind, word, class, how, power, truth)                                             \
    [kind] = {word, CLASS_##class, how == CALL ? power : 0, truth},
const struct ast_operator ast_operators[AST_KINDS] = {AST_KIND_ROWS(DESCRIBE)};

#define SPELL_CALL(kind, word, power)
#define SPELL_PLAIN(kind, word, power)
#define SPELL_PREFIX(kind, word, power) {word, kind, power, SYNTAX_PREFIX, NULL},
#define SPELL_LEFT(kind, word, power) {word, kind, power, SYNTAX_LEFT, NULL},
#define SPELL_RIGHT(kind, word, power) {word, kind, power, SYNTAX_RIGHT, NULL},
#define SPELL_SINGLE(kind, word, power) {word, kind, power, SYNTAX_SINGLE, NULL},
#define SPELL(kind, word, class, how, power, truth) SPELL_##how(kind, word, power)
#define SPELL_QUANTIFIER(kind, word, special)                                                      \
    {word, AST_QUANTIFIED, 5, SYNTAX_WHOLE, prop_opens_interval},
/* What is left over ends the table. */
static const struct syntax_operator operators[AST_KINDS + QUANTIFIERS] = {
    {"!", AST_NOT, 5, SYNTAX_PREFIX, NULL},
    {"&&", AST_AND, 3, SYNTAX_LEFT, NULL},
    {"||", AST_OR, 2, SYNTAX_LEFT, NULL},
    {"=", AST_EQ, 6, SYNTAX_SINGLE, NULL}, /* a mistake */
    {"slice", AST_SINCE, 5, SYNTAX_WHOLE, prop_is_slice},
    AST_KIND_ROWS(SPELL) QUANTIFIER_ROWS(SPELL_QUANTIFIER)};

const char *const prop_statements[PROP_STATEMENTS + 1] = {"unit",     "let",    "property",
                                                          "monotone", "linear", "observe"};

struct ast *prop_new_node(struct syntax *s, enum ast_kind kind, const struct syntax_token *at)
{
    struct ast *node = tac_arena_calloc(prop_arena(s), 1, sizeof *node);
    node->kind = kind;
    node->line = at->line;
    node->column = at->column;
    node->source = at->text - (at->quote ? 1 : 0);
    node->property = SIZE_MAX;
    return node;
}

struct ast *prop_finish(struct syntax *s, struct ast *node)
{
    if (!s->failed && s->last_end > node->source)
        node->source_length = (size_t)(s->last_end - node->source);
    return node;
}

const char *prop_text(struct syntax *s, const struct syntax_token *token)
{
    return syntax_text(s, token, prop_arena(s));
}

static bool is_word(const struct syntax_operator *op)
{
    return op->place != SYNTAX_WHOLE && isalpha((unsigned char)*op->text);
}

bool prop_is_reserved(const struct syntax_token *token)
{
    bool found = syntax_token_is(token, "true") || syntax_token_is(token, "false");
    for (const struct syntax_operator *op = operators; op->text && !found; op++)
        found = is_word(op) && syntax_token_is(token, op->text);
    for (size_t i = 0; prop_statements[i] && !found; i++)
        found = syntax_token_is(token, prop_statements[i]);
    return found;
}

/* NAME( that is none of the calls. */
static void no_such_call(struct syntax *s, const char *name)
{
    const char *known[AST_KINDS + TAC_OBSERVE_KINDS];
    size_t count = 0;
    for (size_t kind = 0; kind < AST_KINDS; kind++)
        if (ast_operators[kind].arguments)
            known[count++] = ast_operators[kind].word;
    for (size_t i = 0; i < TAC_OBSERVE_KINDS; i++) {
        known[count] = tac_observe_word((tac_observe_kind)i);
        if (!strcmp(name, known[count++]))
            syntax_fail(s, &s->token,
                        "'%s' reads the screen by a selector: %s(css:\"...\"%s) or an XPath over "
                        "the hierarchy",
                        name, name, i == TAC_OBSERVE_ATTRIBUTE ? ", \"name\"" : "");
    }
    tac_meaning meant = tac_meant(name, known, count);
    syntax_fail(s, &s->token, "there is no function '%.60s'%s", name,
                *meant.text ? meant.text
                            : "; of lists and texts there are size, contains, prefix, item, trim "
                              "and previous");
}

static struct ast *call(struct syntax *s, enum ast_kind kind)
{
    struct ast *node = prop_new_node(s, kind, &s->token);
    syntax_advance(s);
    syntax_advance(s);
    node->a = prop_expression(s, POWER_ANY);
    if (ast_operators[kind].arguments == 2 && syntax_need(s, ",", "',' and the second argument"))
        node->b = prop_expression(s, POWER_ANY);
    syntax_need(s, ")", NULL);
    return prop_finish(s, node);
}

static struct ast *name_or_text(struct syntax *s)
{
    struct syntax_token token = s->token;
    enum ast_kind kind = token.kind == SYNTAX_TEXT  ? AST_STRING
                         : syntax_is(s, "true")     ? AST_TRUE
                         : syntax_is(s, "false")    ? AST_FALSE
                         : syntax_is(s, "duration") ? AST_DURATION
                                                    : AST_NAME;
    struct ast *node = prop_new_node(s, kind, &token);
    node->text = "";
    node->quoted = token.quote;
    if ((token.kind != SYNTAX_WORD && token.kind != SYNTAX_TEXT) ||
        (kind == AST_NAME && prop_is_reserved(&token))) {
        syntax_expected(s, "a value, a name or '('");
        return node;
    }
    node->text = prop_text(s, &token);
    if (!token.quote && syntax_token_is(&s->ahead, "("))
        no_such_call(s, node->text);
    syntax_advance(s);
    return prop_finish(s, node);
}

static syntax_node primary(struct syntax *s)
{
    struct ast *node = NULL;
    const char *at = s->token.text;
    if (s->token.kind == SYNTAX_NUMBER) {
        node = prop_number(s);
    } else if (syntax_accept(s, "(")) {
        node = prop_expression(s, POWER_ANY);
        node->opened = at;
        syntax_need(s, ")", NULL);
    } else if (prop_is_observable(s)) {
        node = prop_observed_in_place(s);
    } else if (syntax_is(s, "[")) {
        node = prop_list(s);
    }
    for (size_t kind = 0; !node && kind < AST_KINDS; kind++)
        if (ast_operators[kind].arguments && syntax_is(s, ast_operators[kind].word) &&
            syntax_token_is(&s->ahead, "("))
            node = call(s, (enum ast_kind)kind);
    return (syntax_node){.at = node ? node : name_or_text(s)};
}

/* Whether what follows an operator cannot be its operand: then the operator's word was meant as a
 * name, such as that of an action 'next'. */
static bool lacks_operand(const struct syntax_token *token)
{
    bool found =
        syntax_token_is(token, ")") || syntax_token_is(token, "]") || syntax_token_is(token, ",");
    for (const struct syntax_operator *op = operators; op->text && !found; op++)
        found = op->place != SYNTAX_PREFIX && op->place != SYNTAX_WHOLE &&
                op->power <= POWER_COMPARISON && syntax_token_is(token, op->text);
    return found;
}

/* The node of an operator, with its bound; of quantifiers and slices, all of it. */
static syntax_node taken(struct syntax *s, const struct syntax_taken *op)
{
    enum ast_kind kind = (enum ast_kind)op->op->kind;
    if (op->op->place == SYNTAX_WHOLE)
        return (syntax_node){.at = kind == AST_QUANTIFIED ? prop_quantified(s, &op->at)
                                                          : prop_inside_slice(s, &op->at)};
    struct ast *node = prop_new_node(s, kind, &op->at);
    if (syntax_token_is(&op->at, "="))
        syntax_fail(s, &op->at, "a comparison is written '=='");
    if (op->op->place == SYNTAX_PREFIX && is_word(op->op) && lacks_operand(&s->token))
        syntax_fail(s, &op->at,
                    "'%s' is an operator, and nothing follows that it could apply to; a name that "
                    "is spelt so stands in backquotes: `%s`",
                    op->op->text, op->op->text);
    if (ast_class(kind) == CLASS_FUTURE ||
        (ast_class(kind) == CLASS_PAST && kind != AST_PREVIOUSLY))
        prop_bound(s, node);
    return (syntax_node){.at = node};
}

static syntax_node combine(struct syntax *s, const struct syntax_taken *op, syntax_node left,
                           syntax_node right)
{
    struct ast *node = op->more.at;
    node->a = left.at;
    node->b = right.at;
    if (op->op->place != SYNTAX_PREFIX) {
        node->line = node->a->line;
        node->column = node->a->column;
        node->source = node->a->opened ? node->a->opened : node->a->source;
    }
    return (syntax_node){.at = prop_finish(s, node)};
}

struct ast *prop_expression(struct syntax *s, unsigned power)
{
    struct ast *node = syntax_expression(s, power).at;
    return node ? node : prop_new_node(s, AST_TRUE, &s->token);
}

/* `enter:Player.play` and `exit:Player.play`, the events of methods, are names as they stand. */
static size_t method_event(const struct syntax *s, struct syntax_token *token, const char *at,
                           const char *end)
{
    size_t left = (size_t)(end - at), word = left > 6 && !memcmp(at, "enter:", 6)  ? 6
                                             : left > 5 && !memcmp(at, "exit:", 5) ? 5
                                                                                   : 0;
    size_t length = word ? syntax_word_length(s, at + word, "$") : 0;
    token->kind = SYNTAX_WORD;
    return length ? word + length : 0;
}

const struct syntax_language property_language = {
    .comment = "#",
    .inner_dots = true,
    .foreign_letters = true,
    .numbers = SYNTAX_EXPONENT | SYNTAX_POINT,
    .quotes = "\"",
    .name_quote = '`',
    .escapes = &syntax_numbered_escapes,
    .marks = "( ) [ ] , : % ^",
    .byte_order_mark = true,
    .odd = method_event,
    .operators = operators,
    .primary = primary,
    .combine = combine,
    .taken = taken,
    .most_depth = PROPERTY_MAX_DEPTH,
    .advice = "name parts with 'let'",
    .statements = prop_statements,
};
