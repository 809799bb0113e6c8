/* Expressions of the property language: one grammar for state formulas, temporal formulas, interval
 * expressions and combinations; what may stand where is checked later. From loose to tight:
 *
 *   quantifier [p, q] body      ->      or      and      until since
 *   not always eventually next previously once historically
 *   < <= > >= == !=      + -      * /      unary -      literals, names, calls, ( ) */
#include "base/check.h"
#include "property/language/escape.h"
#include "property/language/parse.h"

#include "base/data/text.h"
#include <string.h>

static const struct {
    const char *word;
    enum ast_kind kind;
} prefix_words[] = {{"not", AST_NOT},       {"!", AST_NOT},
                    {"always", AST_ALWAYS}, {"eventually", AST_EVENTUALLY},
                    {"next", AST_NEXT},     {"previously", AST_PREVIOUSLY},
                    {"once", AST_ONCE},     {"historically", AST_HISTORICALLY}},
  call_words[] = {{"diff", AST_DIFF},         {"min", AST_MIN},
                  {"max", AST_MAX},           {"avg", AST_AVG},
                  {"integral", AST_INTEGRAL}, {"rate", AST_RATE},
                  {"first", AST_FIRST},       {"last", AST_LAST},
                  {"count", AST_COUNT},       {"rise", AST_RISE},
                  {"fall", AST_FALL},         {"abs", AST_ABS},
                  {"previous", AST_PREVIOUS}, {"size", AST_SIZE},
                  {"contains", AST_CONTAINS}, {"prefix", AST_PREFIX},
                  {"item", AST_ITEM},         {"trim", AST_TRIM}},
  comparison_words[] = {{"<", AST_LT},  {"<=", AST_LE}, {">", AST_GT},
                        {">=", AST_GE}, {"==", AST_EQ}, {"!=", AST_NE}};

struct ast *prop_new_node(struct property_parser *parser, enum ast_kind kind,
                          const struct property_token *at)
{
    struct ast *node = tac_arena_calloc(&parser->out->arena, 1, sizeof *node);
    node->kind = kind;
    node->line = at->line;
    node->column = at->column;
    node->source = at->text - (at->quoted ? 1 : 0);
    node->source_length = 0;
    node->property = SIZE_MAX;
    return node;
}

struct ast *prop_finish(struct property_parser *parser, struct ast *node)
{
    assert(node->source >= parser->out->text);
    if (!parser->failed && parser->last_end > node->source)
        node->source_length = (size_t)(parser->last_end - node->source);
    return node;
}

static struct ast *binary(struct property_parser *parser, enum ast_kind kind, struct ast *a)
{
    assert(a != NULL);
    struct ast *node = tac_arena_calloc(&parser->out->arena, 1, sizeof *node);
    node->kind = kind;
    node->line = a->line;
    node->column = a->column;
    node->source = a->source;
    node->property = SIZE_MAX;
    node->a = a;
    return node;
}

bool prop_enter(struct property_parser *parser)
{
    if (++parser->depth > PROPERTY_MAX_DEPTH)
        prop_fail_at(parser, parser->token.line, parser->token.column,
                     "expressions nested more than %d deep; name parts with 'let'",
                     PROPERTY_MAX_DEPTH);
    return !parser->failed;
}

bool prop_is_reserved(const struct property_token *token)
{
    static const char *const words[] = {
        "and",        "or",       "not",          "always", "eventually", "next",  "true",
        "previously", "once",     "historically", "until",  "since",      "false", "unit",
        "let",        "property", "monotone",     "linear", "observe"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (prop_token_is(token, words[i]))
            return true;
    return false;
}

const char *prop_text(struct property_parser *parser, const struct property_token *token)
{
    char *copy = tac_arena_strndup(&parser->out->arena, token->text, token->length);
    if (!token->quoted)
        return copy;
    const char *flaw = prop_unescape(copy);
    if (flaw)
        prop_fail_at(parser, token->line, token->column, "in these quotes %s", flaw);
    return copy;
}

/* NAME( that is none of the calls. */
static void no_such_call(struct property_parser *parser, const char *name)
{
    enum { CALLS = sizeof call_words / sizeof call_words[0] };
    const char *known[CALLS + TAC_OBSERVE_KINDS];
    for (size_t i = 0; i < CALLS; i++)
        known[i] = call_words[i].word;
    for (size_t i = 0; i < TAC_OBSERVE_KINDS; i++) {
        known[CALLS + i] = tac_observe_word((tac_observe_kind)i);
        if (!strcmp(name, known[CALLS + i]))
            prop_fail_at(parser, parser->token.line, parser->token.column,
                         "'%s' reads the screen by a selector: %s(css:\"...\"%s) or an XPath over "
                         "the hierarchy",
                         name, name, i == TAC_OBSERVE_ATTRIBUTE ? ", \"name\"" : "");
    }
    if (parser->failed)
        return;
    const char *close = tac_closest(name, known, CALLS + TAC_OBSERVE_KINDS);
    prop_fail_at(parser, parser->token.line, parser->token.column,
                 close ? "there is no function '%.60s'; did you mean '%s'?"
                       : "there is no function '%.60s'; of lists and texts there are size, "
                         "contains, prefix, item, trim and previous%s",
                 name, close ? close : "");
}

static struct ast *parse_primary(struct property_parser *parser)
{
    struct property_token token = parser->token;
    if (token.kind == TOKEN_NUMBER)
        return prop_number(parser);
    if (token.kind == TOKEN_STRING || (token.kind == TOKEN_NAME && token.quoted)) {
        struct ast *node =
            prop_new_node(parser, token.kind == TOKEN_STRING ? AST_STRING : AST_NAME, &token);
        node->text = prop_text(parser, &token);
        node->quoted = true;
        prop_advance(parser);
        return prop_finish(parser, node);
    }
    if (prop_token_is(&token, "(")) {
        prop_advance(parser);
        struct ast *inner = prop_expression(parser);
        prop_expect(parser, ")", "')'");
        return inner;
    }
    if (prop_is_observable(parser))
        return prop_observed_in_place(parser);
    if (prop_token_is(&token, "["))
        return prop_list(parser);
    for (size_t i = 0; i < sizeof call_words / sizeof call_words[0]; i++)
        if (prop_token_is(&token, call_words[i].word) && prop_token_is(&parser->ahead, "(")) {
            struct ast *node = prop_new_node(parser, call_words[i].kind, &token);
            prop_advance(parser);
            prop_advance(parser);
            node->a = prop_expression(parser);
            if (node->kind == AST_CONTAINS || node->kind == AST_PREFIX || node->kind == AST_ITEM) {
                prop_expect(parser, ",", "',' and the second argument");
                node->b = prop_expression(parser);
            }
            prop_expect(parser, ")", "')'");
            return prop_finish(parser, node);
        }
    enum ast_kind kind = prop_token_is(&token, "true")       ? AST_TRUE
                         : prop_token_is(&token, "false")    ? AST_FALSE
                         : prop_token_is(&token, "duration") ? AST_DURATION
                                                             : AST_NAME;
    struct ast *node = prop_new_node(parser, kind, &token);
    if (token.kind != TOKEN_NAME || (kind == AST_NAME && prop_is_reserved(&token))) {
        prop_expected(parser, "a value, a name or '('");
        node->text = "";
        return node;
    }
    node->text = prop_text(parser, &token);
    if (prop_token_is(&parser->ahead, "("))
        no_such_call(parser, node->text);
    prop_advance(parser);
    return prop_finish(parser, node);
}

static struct ast *parse_factor(struct property_parser *parser)
{
    if (!parser->failed && prop_token_is(&parser->token, "-")) {
        struct ast *node = prop_new_node(parser, AST_NEGATE, &parser->token);
        prop_advance(parser);
        if (prop_enter(parser))
            node->a = parse_factor(parser);
        parser->depth--;
        return prop_finish(parser, node);
    }
    return parse_primary(parser);
}

static struct ast *parse_term(struct property_parser *parser)
{
    struct ast *left = parse_factor(parser);
    while (!parser->failed &&
           (prop_token_is(&parser->token, "*") || prop_token_is(&parser->token, "/"))) {
        struct ast *node =
            binary(parser, prop_token_is(&parser->token, "*") ? AST_MULTIPLY : AST_DIVIDE, left);
        prop_advance(parser);
        node->b = parse_factor(parser);
        left = prop_finish(parser, node);
    }
    return left;
}

static struct ast *parse_sum(struct property_parser *parser)
{
    struct ast *left = parse_term(parser);
    while (!parser->failed &&
           (prop_token_is(&parser->token, "+") || prop_token_is(&parser->token, "-"))) {
        struct ast *node =
            binary(parser, prop_token_is(&parser->token, "+") ? AST_ADD : AST_SUBTRACT, left);
        prop_advance(parser);
        node->b = parse_term(parser);
        left = prop_finish(parser, node);
    }
    return left;
}

bool prop_accept_comparison(struct property_parser *parser, enum ast_kind *kind)
{
    for (size_t i = 0; i < sizeof comparison_words / sizeof comparison_words[0]; i++)
        if (prop_accept(parser, comparison_words[i].word)) {
            *kind = comparison_words[i].kind;
            return true;
        }
    return false;
}

struct ast *prop_comparison(struct property_parser *parser)
{
    struct ast *left = parse_sum(parser);
    if (!parser->failed && prop_token_is(&parser->token, "="))
        prop_fail_at(parser, parser->token.line, parser->token.column,
                     "a comparison is written '=='");
    enum ast_kind kind;
    if (!prop_accept_comparison(parser, &kind))
        return left;
    struct ast *node = binary(parser, kind, left);
    node->b = parse_sum(parser);
    return prop_finish(parser, node);
}

/* Whether what follows an operator cannot be its operand: then the operator's word was meant as a
 * name, such as that of an action 'next'. */
static bool lacks_operand(const struct property_token *token)
{
    static const char *const words[] = {")", "]", ",",  "->", "and", "or", "until", "since",
                                        "<", ">", "<=", ">=", "==",  "!=", "&&",    "||"};
    bool found = false;
    for (size_t i = 0; !found && i < sizeof words / sizeof *words; i++)
        found = prop_token_is(token, words[i]);
    return found;
}

struct ast *prop_unary(struct property_parser *parser)
{
    if (prop_is_slice(parser))
        return prop_inside_slice(parser);
    for (size_t i = 0; !parser->failed && i < sizeof prefix_words / sizeof prefix_words[0]; i++)
        if (prop_token_is(&parser->token, prefix_words[i].word)) {
            struct ast *node = prop_new_node(parser, prefix_words[i].kind, &parser->token);
            if (*prefix_words[i].word != '!' && lacks_operand(&parser->ahead))
                prop_fail_at(parser, node->line, node->column,
                             "'%s' is an operator, and nothing follows that it could apply to; a "
                             "name that is spelt so stands in backquotes: `%s`",
                             prefix_words[i].word, prefix_words[i].word);
            prop_advance(parser);
            if (node->kind >= AST_ALWAYS || node->kind == AST_ONCE ||
                node->kind == AST_HISTORICALLY)
                prop_bound(parser, node);
            if (prop_enter(parser))
                node->a = prop_unary(parser);
            parser->depth--;
            return prop_finish(parser, node);
        }
    static const char *const quantifiers[] = {"first", "forall",     "exists",
                                              "share", "percentile", "mean"};
    for (int i = 0; !parser->failed && i < 6; i++)
        if (prop_token_is(&parser->token, quantifiers[i]) &&
            (prop_token_is(&parser->ahead, "[") ||
             (i == QUANT_PERCENTILE && prop_token_is(&parser->ahead, "("))))
            return prop_quantified(parser, (enum quantifier)i);
    return prop_comparison(parser);
}

static struct ast *parse_until(struct property_parser *parser)
{
    struct ast *left = prop_unary(parser);
    bool until = prop_token_is(&parser->token, "until");
    if (parser->failed || (!until && !prop_token_is(&parser->token, "since")))
        return left;
    struct ast *node = binary(parser, until ? AST_UNTIL : AST_SINCE, left);
    prop_advance(parser);
    prop_bound(parser, node);
    if (prop_enter(parser))
        node->b = parse_until(parser);
    parser->depth--;
    return prop_finish(parser, node);
}

static struct ast *parse_and(struct property_parser *parser)
{
    struct ast *left = parse_until(parser);
    while (!parser->failed &&
           (prop_token_is(&parser->token, "and") || prop_token_is(&parser->token, "&&"))) {
        struct ast *node = binary(parser, AST_AND, left);
        prop_advance(parser);
        node->b = parse_until(parser);
        left = prop_finish(parser, node);
    }
    return left;
}

static struct ast *parse_or(struct property_parser *parser)
{
    struct ast *left = parse_and(parser);
    while (!parser->failed &&
           (prop_token_is(&parser->token, "or") || prop_token_is(&parser->token, "||"))) {
        struct ast *node = binary(parser, AST_OR, left);
        prop_advance(parser);
        node->b = parse_and(parser);
        left = prop_finish(parser, node);
    }
    return left;
}

struct ast *prop_implies(struct property_parser *parser)
{
    struct ast *left = parse_or(parser);
    if (parser->failed || !prop_token_is(&parser->token, "->"))
        return left;
    struct ast *node = binary(parser, AST_IMPLIES, left);
    prop_advance(parser);
    if (prop_enter(parser))
        node->b = prop_implies(parser);
    parser->depth--;
    return prop_finish(parser, node);
}

struct ast *prop_expression(struct property_parser *parser)
{
    struct ast *node =
        prop_enter(parser) ? prop_implies(parser) : prop_new_node(parser, AST_TRUE, &parser->token);
    parser->depth--;
    return node;
}
