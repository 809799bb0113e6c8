/* Expressions of the property language: one grammar for state formulas, temporal formulas, interval
 * expressions and combinations; what may stand where is checked later. From loose to tight:
 *
 *   quantifier [p, q] body      ->      or      and      until since
 *   not always eventually next previously once historically
 *   < <= > >= == !=      + -      * /      unary -      literals, names, calls, ( ) */
#include "property/language/parse.h"

#include "base/data/text.h"
#include <math.h>
#include <string.h>

static const struct {
    const char *word;
    enum ast_kind kind;
} prefix_words[] = {{"not", AST_NOT},       {"!", AST_NOT},
                    {"always", AST_ALWAYS}, {"eventually", AST_EVENTUALLY},
                    {"next", AST_NEXT},     {"previously", AST_PREVIOUSLY},
                    {"once", AST_ONCE},     {"historically", AST_HISTORICALLY}},
  call_words[] = {{"diff", AST_DIFF},   {"min", AST_MIN},           {"max", AST_MAX},
                  {"avg", AST_AVG},     {"integral", AST_INTEGRAL}, {"rate", AST_RATE},
                  {"first", AST_FIRST}, {"last", AST_LAST},         {"count", AST_COUNT},
                  {"rise", AST_RISE},   {"fall", AST_FALL},         {"abs", AST_ABS}},
  comparison_words[] = {{"<", AST_LT},  {"<=", AST_LE}, {">", AST_GT},
                        {">=", AST_GE}, {"==", AST_EQ}, {"!=", AST_NE}};

static struct ast *parse_implies(struct parser *parser);
static struct ast *parse_quantified(struct parser *parser, enum quantifier quantifier);

static struct ast *new_node(struct parser *parser, enum ast_kind kind, const struct token *at)
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

static struct ast *finish(struct parser *parser, struct ast *node)
{
    if (!parser->failed && parser->last_end > node->source)
        node->source_length = (size_t)(parser->last_end - node->source);
    return node;
}

static struct ast *binary(struct parser *parser, enum ast_kind kind, struct ast *a)
{
    struct ast *node = tac_arena_calloc(&parser->out->arena, 1, sizeof *node);
    node->kind = kind;
    node->line = a->line;
    node->column = a->column;
    node->source = a->source;
    node->property = SIZE_MAX;
    node->a = a;
    return node;
}

static bool enter(struct parser *parser)
{
    if (++parser->depth > PROPERTY_MAX_DEPTH)
        prop_fail_at(parser, parser->token.line, parser->token.column,
                     "expressions nested more than %d deep; name parts with 'let'",
                     PROPERTY_MAX_DEPTH);
    return !parser->failed;
}

bool prop_is_reserved(const struct token *token)
{
    static const char *const words[] = {
        "and",   "or",         "not",  "always",       "eventually", "next",
        "true",  "previously", "once", "historically", "until",      "since",
        "false", "unit",       "let",  "property",     "monotone",   "linear"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (prop_token_is(token, words[i]))
            return true;
    return false;
}

const char *prop_text(struct parser *parser, const struct token *token)
{
    char *copy = tac_arena_strndup(&parser->out->arena, token->text, token->length);
    if (!token->quoted)
        return copy;
    char *to = copy;
    for (const char *from = copy; *from; from++) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    *to = 0;
    return copy;
}

static bool starts_unit(const struct token *token)
{
    static const char *const not_units[] = {"during", "overlaps", "before", "within",
                                            "where",  "forall",   "exists", "first"};
    if (prop_token_is(token, "%"))
        return true;
    for (size_t i = 0; i < sizeof not_units / sizeof not_units[0]; i++)
        if (prop_token_is(token, not_units[i]))
            return false;
    return token->kind == TOKEN_NAME && !token->quoted && !prop_is_reserved(token);
}

bool prop_unit(struct parser *parser, struct unit *out)
{
    if (parser->failed || !starts_unit(&parser->token))
        return false;
    struct token first = parser->token;
    prop_advance(parser);
    for (;;) {
        const struct token *joint = &parser->token, *part = &parser->ahead;
        bool power = prop_token_is(joint, "^") && part->kind == TOKEN_NUMBER;
        bool more =
            (prop_token_is(joint, "*") || prop_token_is(joint, "/")) && part->kind == TOKEN_NAME;
        if (joint->spaced || part->spaced || (!power && !more))
            break;
        prop_advance(parser);
        prop_advance(parser);
    }
    const char *bad;
    size_t bad_length;
    if (unit_parse(first.text, (size_t)(parser->last_end - first.text), out, &bad, &bad_length))
        return true;
    const char *word = tac_arena_strndup(&parser->out->arena, bad, bad_length);
    const char *close = unit_closest(word);
    uint32_t column = first.column + (uint32_t)(bad - first.text);
    if (close)
        prop_fail_at(parser, first.line, column, "unknown unit '%s'; did you mean '%s'?", word,
                     close);
    else
        prop_fail_at(parser, first.line, column,
                     "unknown unit '%s'; units are s, B, bit, J, W, V, A, Ah, Hz, %%, degC, dBm, "
                     "px with prefixes (kB, ms, mAh) and their products and quotients (MB/s)",
                     word);
    return false;
}

static struct ast *parse_number(struct parser *parser)
{
    struct ast *node = new_node(parser, AST_NUMBER, &parser->token);
    node->number = parser->token.number;
    node->unit = unit_none();
    prop_advance(parser);
    node->has_unit = prop_unit(parser, &node->unit);
    return finish(parser, node);
}

static struct ast *parse_primary(struct parser *parser)
{
    struct token token = parser->token;
    if (token.kind == TOKEN_NUMBER)
        return parse_number(parser);
    if (token.kind == TOKEN_STRING || (token.kind == TOKEN_NAME && token.quoted)) {
        struct ast *node =
            new_node(parser, token.kind == TOKEN_STRING ? AST_STRING : AST_NAME, &token);
        node->text = prop_text(parser, &token);
        node->quoted = true;
        prop_advance(parser);
        return finish(parser, node);
    }
    if (prop_token_is(&token, "(")) {
        prop_advance(parser);
        struct ast *inner = prop_expression(parser);
        prop_expect(parser, ")", "')'");
        return inner;
    }
    for (size_t i = 0; i < sizeof call_words / sizeof call_words[0]; i++)
        if (prop_token_is(&token, call_words[i].word) && prop_token_is(&parser->ahead, "(")) {
            struct ast *node = new_node(parser, call_words[i].kind, &token);
            prop_advance(parser);
            prop_advance(parser);
            node->a = prop_expression(parser);
            prop_expect(parser, ")", "')'");
            return finish(parser, node);
        }
    enum ast_kind kind = prop_token_is(&token, "true")       ? AST_TRUE
                         : prop_token_is(&token, "false")    ? AST_FALSE
                         : prop_token_is(&token, "duration") ? AST_DURATION
                                                             : AST_NAME;
    struct ast *node = new_node(parser, kind, &token);
    if (token.kind != TOKEN_NAME || (kind == AST_NAME && prop_is_reserved(&token))) {
        prop_expected(parser, "a value, a name or '('");
        node->text = "";
        return node;
    }
    node->text = prop_text(parser, &token);
    prop_advance(parser);
    return finish(parser, node);
}

static struct ast *parse_factor(struct parser *parser)
{
    if (!parser->failed && prop_token_is(&parser->token, "-")) {
        struct ast *node = new_node(parser, AST_NEGATE, &parser->token);
        prop_advance(parser);
        if (enter(parser))
            node->a = parse_factor(parser);
        parser->depth--;
        return finish(parser, node);
    }
    return parse_primary(parser);
}

static struct ast *parse_term(struct parser *parser)
{
    struct ast *left = parse_factor(parser);
    while (!parser->failed &&
           (prop_token_is(&parser->token, "*") || prop_token_is(&parser->token, "/"))) {
        struct ast *node =
            binary(parser, prop_token_is(&parser->token, "*") ? AST_MULTIPLY : AST_DIVIDE, left);
        prop_advance(parser);
        node->b = parse_factor(parser);
        left = finish(parser, node);
    }
    return left;
}

static struct ast *parse_sum(struct parser *parser)
{
    struct ast *left = parse_term(parser);
    while (!parser->failed &&
           (prop_token_is(&parser->token, "+") || prop_token_is(&parser->token, "-"))) {
        struct ast *node =
            binary(parser, prop_token_is(&parser->token, "+") ? AST_ADD : AST_SUBTRACT, left);
        prop_advance(parser);
        node->b = parse_term(parser);
        left = finish(parser, node);
    }
    return left;
}

static struct ast *parse_comparison(struct parser *parser)
{
    struct ast *left = parse_sum(parser);
    if (!parser->failed && prop_token_is(&parser->token, "="))
        prop_fail_at(parser, parser->token.line, parser->token.column,
                     "a comparison is written '=='");
    for (size_t i = 0; !parser->failed && i < sizeof comparison_words / sizeof comparison_words[0];
         i++)
        if (prop_token_is(&parser->token, comparison_words[i].word)) {
            struct ast *node = binary(parser, comparison_words[i].kind, left);
            prop_advance(parser);
            node->b = parse_sum(parser);
            return finish(parser, node);
        }
    return left;
}

static void parse_bound(struct parser *parser, struct ast *node)
{
    bool strict = prop_token_is(&parser->ahead, "<");
    if (parser->failed || !prop_token_is(&parser->token, "[") ||
        (!strict && !prop_token_is(&parser->ahead, "<=")))
        return;
    prop_advance(parser);
    prop_advance(parser);
    struct token at = parser->token;
    if (at.kind != TOKEN_NUMBER) {
        prop_expected(parser, "a number of states or a time such as 2 s");
        return;
    }
    struct ast *number = parse_number(parser);
    struct unit nanosecond = {{1}, 1, 1e9};
    double value = number->number;
    if (number->has_unit) {
        if (!unit_same_dimension(&number->unit, &nanosecond)) {
            prop_fail_at(parser, at.line, at.column,
                         "a bound is a time (2 s) or a number of states (5)");
            return;
        }
        value = unit_convert(value, &number->unit, &nanosecond);
    }
    if (!(value <= 4e18) || (!number->has_unit && value > floor(value))) {
        prop_fail_at(parser, at.line, at.column,
                     "this bound is not a whole number of %s below 4e18",
                     number->has_unit ? "nanoseconds" : "states");
        return;
    }
    node->bound_kind = number->has_unit ? BOUND_TIME : BOUND_STEPS;
    node->bound = (int64_t)value;
    node->bound_strict = strict;
    prop_expect(parser, "]", "']' after the bound");
}

static struct ast *parse_unary(struct parser *parser)
{
    for (size_t i = 0; !parser->failed && i < sizeof prefix_words / sizeof prefix_words[0]; i++)
        if (prop_token_is(&parser->token, prefix_words[i].word)) {
            struct ast *node = new_node(parser, prefix_words[i].kind, &parser->token);
            prop_advance(parser);
            if (node->kind >= AST_ALWAYS)
                parse_bound(parser, node);
            if (enter(parser))
                node->a = parse_unary(parser);
            parser->depth--;
            return finish(parser, node);
        }
    static const char *const quantifiers[] = {"first", "forall", "exists"};
    for (int i = 0; !parser->failed && i < 3; i++)
        if (prop_token_is(&parser->token, quantifiers[i]) && prop_token_is(&parser->ahead, "["))
            return parse_quantified(parser, (enum quantifier)i);
    return parse_comparison(parser);
}

static struct ast *parse_until(struct parser *parser)
{
    struct ast *left = parse_unary(parser);
    bool until = prop_token_is(&parser->token, "until");
    if (parser->failed || (!until && !prop_token_is(&parser->token, "since")))
        return left;
    struct ast *node = binary(parser, until ? AST_UNTIL : AST_SINCE, left);
    prop_advance(parser);
    if (until)
        parse_bound(parser, node);
    if (enter(parser))
        node->b = parse_until(parser);
    parser->depth--;
    return finish(parser, node);
}

static struct ast *parse_and(struct parser *parser)
{
    struct ast *left = parse_until(parser);
    while (!parser->failed &&
           (prop_token_is(&parser->token, "and") || prop_token_is(&parser->token, "&&"))) {
        struct ast *node = binary(parser, AST_AND, left);
        prop_advance(parser);
        node->b = parse_until(parser);
        left = finish(parser, node);
    }
    return left;
}

static struct ast *parse_or(struct parser *parser)
{
    struct ast *left = parse_and(parser);
    while (!parser->failed &&
           (prop_token_is(&parser->token, "or") || prop_token_is(&parser->token, "||"))) {
        struct ast *node = binary(parser, AST_OR, left);
        prop_advance(parser);
        node->b = parse_and(parser);
        left = finish(parser, node);
    }
    return left;
}

static struct ast *parse_implies(struct parser *parser)
{
    struct ast *left = parse_or(parser);
    if (parser->failed || !prop_token_is(&parser->token, "->"))
        return left;
    struct ast *node = binary(parser, AST_IMPLIES, left);
    prop_advance(parser);
    if (enter(parser))
        node->b = parse_implies(parser);
    parser->depth--;
    return finish(parser, node);
}

static enum relation accept_relation(struct parser *parser)
{
    return prop_accept(parser, "during")     ? RELATION_DURING
           : prop_accept(parser, "overlaps") ? RELATION_OVERLAPS
           : prop_accept(parser, "before")   ? RELATION_BEFORE
           : prop_accept(parser, "within")   ? RELATION_WITHIN
                                             : RELATION_NONE;
}

static struct ast *parse_quantified(struct parser *parser, enum quantifier quantifier)
{
    struct ast *node = new_node(parser, AST_QUANTIFIED, &parser->token);
    node->quantifier = quantifier;
    prop_advance(parser);
    if (!enter(parser))
        return node;
    prop_expect(parser, "[", "'['");
    node->p = prop_expression(parser);
    if (prop_accept(parser, ","))
        node->q = prop_expression(parser);
    prop_expect(parser, "]", "',' or ']' in the interval");
    node->relation = accept_relation(parser);
    if (node->relation == RELATION_NONE)
        node->a = parse_implies(parser);
    else if (prop_accept(parser, "where"))
        node->a = parse_unary(parser);
    parser->depth--;
    return finish(parser, node);
}

struct ast *prop_expression(struct parser *parser)
{
    struct ast *node =
        enter(parser) ? parse_implies(parser) : new_node(parser, AST_TRUE, &parser->token);
    parser->depth--;
    return node;
}
