/* Expressions of the property language: one grammar for state formulas, temporal formulas, interval
 * expressions and combinations; what may stand where is checked later. From loose to tight:
 *
 *   quantifier [p, q] body      ->      or      and      until since
 *   not always eventually next previously once historically
 *   < <= > >= == !=      + -      * /      unary -      literals, names, calls, ( ) */
#include "base/check.h"
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

static struct ast *parse_implies(struct property_parser *parser);
static struct ast *parse_quantified(struct property_parser *parser, enum quantifier quantifier);

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

static bool enter(struct property_parser *parser)
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
    char *to = copy;
    for (const char *from = copy; *from; from++) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    *to = 0;
    return copy;
}

static bool starts_unit(const struct property_token *token)
{
    static const char *const not_units[] = {
        "during",   "overlaps", "before",      "within", "where",         "forall", "exists",
        "first",    "after",    "meets",       "met_by", "overlapped_by", "starts", "started_by",
        "contains", "finishes", "finished_by", "equals", "allen"};
    if (prop_token_is(token, "%"))
        return true;
    for (size_t i = 0; i < sizeof not_units / sizeof not_units[0]; i++)
        if (prop_token_is(token, not_units[i]))
            return false;
    return token->kind == TOKEN_NAME && !token->quoted && !prop_is_reserved(token);
}

bool prop_unit(struct property_parser *parser, struct unit *out)
{
    assert(out != NULL);
    if (parser->failed || !starts_unit(&parser->token))
        return false;
    struct property_token first = parser->token;
    prop_advance(parser);
    for (;;) {
        const struct property_token *joint = &parser->token, *part = &parser->ahead;
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

static struct ast *parse_number(struct property_parser *parser)
{
    struct ast *node = prop_new_node(parser, AST_NUMBER, &parser->token);
    node->number = parser->token.number;
    node->unit = unit_none();
    prop_advance(parser);
    const char *unit = parser->token.text;
    node->has_unit = prop_unit(parser, &node->unit);
    node->text = node->has_unit ? tac_arena_strndup(&parser->out->arena, unit,
                                                    (size_t)(parser->last_end - unit))
                                : "";
    return prop_finish(parser, node);
}

static struct ast *parse_primary(struct property_parser *parser)
{
    struct property_token token = parser->token;
    if (token.kind == TOKEN_NUMBER)
        return parse_number(parser);
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
    prop_advance(parser);
    return prop_finish(parser, node);
}

static struct ast *parse_factor(struct property_parser *parser)
{
    if (!parser->failed && prop_token_is(&parser->token, "-")) {
        struct ast *node = prop_new_node(parser, AST_NEGATE, &parser->token);
        prop_advance(parser);
        if (enter(parser))
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

static struct ast *parse_comparison(struct property_parser *parser)
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
            return prop_finish(parser, node);
        }
    return left;
}

/* One end of a bound; *time tells whether it has a unit. Negative on an error. */
static int64_t parse_end(struct property_parser *parser, bool *time, bool *zero)
{
    struct property_token at = parser->token;
    if (at.kind != TOKEN_NUMBER) {
        prop_expected(parser, "a number of states or a time such as 2 s");
        return -1;
    }
    struct ast *number = parse_number(parser);
    struct unit nanosecond = {{1}, 1, 1e9};
    double value = number->number;
    if (parser->failed)
        return -1;
    if (number->has_unit) {
        if (!unit_same_dimension(&number->unit, &nanosecond)) {
            prop_fail_at(parser, at.line, at.column,
                         "a bound is a time (2 s) or a number of states (5)");
            return -1;
        }
        value = unit_convert(value, &number->unit, &nanosecond);
    }
    if (!(value <= 4e18) || (!number->has_unit && value > floor(value))) {
        prop_fail_at(parser, at.line, at.column,
                     "this bound is not a whole number of %s below 4e18",
                     number->has_unit ? "nanoseconds" : "states");
        return -1;
    }
    *time = number->has_unit;
    *zero = !number->has_unit && !(value > 0);
    return (int64_t)value;
}

/* [<= t], [< t], [>= t], [> t] */
static void parse_one_sided(struct property_parser *parser, struct ast *node)
{
    assert(node->bound_kind == BOUND_NONE);
    bool strict = prop_token_is(&parser->ahead, "<") || prop_token_is(&parser->ahead, ">");
    bool lower = prop_token_is(&parser->ahead, ">") || prop_token_is(&parser->ahead, ">=");
    bool time = false, zero = false;
    prop_advance(parser);
    prop_advance(parser);
    int64_t value = parse_end(parser, &time, &zero);
    if (parser->failed)
        return;
    node->bound_kind = time ? BOUND_TIME : BOUND_STEPS;
    if (lower) {
        node->unbounded = true;
        node->low = value;
        node->low_strict = strict;
        node->bound = INT64_MAX;
    } else {
        node->bound = value;
        node->bound_strict = strict;
    }
    prop_expect(parser, "]", "']' after the bound");
}

/* [a, b] with round brackets for ends that do not belong to it */
static void parse_two_sided(struct property_parser *parser, struct ast *node)
{
    bool low_time = false, low_zero = false, time = false, zero = false;
    struct property_token at = parser->token;
    node->low_strict = prop_token_is(&at, "(");
    prop_advance(parser);
    node->low = parse_end(parser, &low_time, &low_zero);
    prop_expect(parser, ",", "',' and the upper end of the bound");
    node->bound = parse_end(parser, &time, &zero);
    if (parser->failed)
        return;
    if (low_time != time && !low_zero && !zero) {
        prop_fail_at(parser, at.line, at.column,
                     "both ends of a bound are times (1 s, 2 s) or numbers of states (1, 2)");
        return;
    }
    node->bound_kind = time || low_time ? BOUND_TIME : BOUND_STEPS;
    node->bound_strict = prop_token_is(&parser->token, ")");
    if (!prop_accept(parser, ")"))
        prop_expect(parser, "]", "']' or ')' after the bound");
    if (node->low > node->bound ||
        (node->low == node->bound && (node->low_strict || node->bound_strict)))
        prop_fail_at(parser, at.line, at.column, "nothing lies within this bound");
}

/* Is the '(' here the start of a bound? Only there a number is followed by ','. */
static bool round_bound(const struct property_parser *parser)
{
    struct property_parser probe = *parser;
    tac_diagnostics none = {0};
    probe.diagnostics = &none;
    if (!prop_token_is(&probe.token, "(") || probe.ahead.kind != TOKEN_NUMBER)
        return false;
    prop_advance(&probe);
    parse_number(&probe);
    bool found = !probe.failed && prop_token_is(&probe.token, ",");
    tac_diagnostics_free(&none);
    return found;
}

static void parse_bound(struct property_parser *parser, struct ast *node)
{
    static const char *const ends[] = {"<", "<=", ">", ">="};
    if (parser->failed)
        return;
    for (size_t i = 0; prop_token_is(&parser->token, "[") && i < 4; i++)
        if (prop_token_is(&parser->ahead, ends[i])) {
            parse_one_sided(parser, node);
            return;
        }
    if (prop_token_is(&parser->token, "[") || round_bound(parser))
        parse_two_sided(parser, node);
}

static struct ast *parse_unary(struct property_parser *parser)
{
    if (prop_is_slice(parser))
        return prop_inside_slice(parser);
    for (size_t i = 0; !parser->failed && i < sizeof prefix_words / sizeof prefix_words[0]; i++)
        if (prop_token_is(&parser->token, prefix_words[i].word)) {
            struct ast *node = prop_new_node(parser, prefix_words[i].kind, &parser->token);
            prop_advance(parser);
            if (node->kind >= AST_ALWAYS || node->kind == AST_ONCE ||
                node->kind == AST_HISTORICALLY)
                parse_bound(parser, node);
            if (enter(parser))
                node->a = parse_unary(parser);
            parser->depth--;
            return prop_finish(parser, node);
        }
    static const char *const quantifiers[] = {"first", "forall",     "exists",
                                              "share", "percentile", "mean"};
    for (int i = 0; !parser->failed && i < 6; i++)
        if (prop_token_is(&parser->token, quantifiers[i]) &&
            (prop_token_is(&parser->ahead, "[") ||
             (i == QUANT_PERCENTILE && prop_token_is(&parser->ahead, "("))))
            return parse_quantified(parser, (enum quantifier)i);
    return parse_comparison(parser);
}

static struct ast *parse_until(struct property_parser *parser)
{
    struct ast *left = parse_unary(parser);
    bool until = prop_token_is(&parser->token, "until");
    if (parser->failed || (!until && !prop_token_is(&parser->token, "since")))
        return left;
    struct ast *node = binary(parser, until ? AST_UNTIL : AST_SINCE, left);
    prop_advance(parser);
    parse_bound(parser, node);
    if (enter(parser))
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

static struct ast *parse_implies(struct property_parser *parser)
{
    struct ast *left = parse_or(parser);
    if (parser->failed || !prop_token_is(&parser->token, "->"))
        return left;
    struct ast *node = binary(parser, AST_IMPLIES, left);
    prop_advance(parser);
    if (enter(parser))
        node->b = parse_implies(parser);
    parser->depth--;
    return prop_finish(parser, node);
}

static enum relation accept_relation(struct property_parser *parser)
{
    static const char *const own[] = {"during", "overlaps", "before", "within"};
    static const char *const allen[] = {
        "before",     "after",  "meets",    "met_by",   "overlaps",    "overlapped_by", "starts",
        "started_by", "during", "contains", "finishes", "finished_by", "equals"};
    if (parser->failed)
        return RELATION_NONE;
    bool strictly = prop_token_is(&parser->token, "allen") && parser->ahead.kind == TOKEN_NAME;
    if (strictly)
        prop_advance(parser);
    for (int i = 0; !strictly && i < 4; i++)
        if (prop_accept(parser, own[i]))
            return (enum relation)(RELATION_DURING + i);
    for (int i = 0; i < 13; i++)
        if (prop_accept(parser, allen[i]))
            return (enum relation)(ALLEN_BEFORE + i);
    if (strictly)
        prop_expected(parser, "one of Allen's relations (before, meets, overlaps, ...)");
    return RELATION_NONE;
}

/* percentile(95) */
static void parse_rank(struct property_parser *parser, struct ast *node)
{
    struct property_token at;
    prop_expect(parser, "(", "'('");
    at = parser->token;
    node->number = at.number;
    if (at.kind != TOKEN_NUMBER || !(at.number > 0 && at.number <= 100)) {
        prop_expected(parser, "a percentage above 0 and at most 100");
        return;
    }
    prop_advance(parser);
    prop_expect(parser, ")", "')'");
}

/* share [p, q] (condition) >= 95 % */
static void parse_share_bound(struct property_parser *parser, struct ast *node)
{
    for (size_t i = 0; !parser->failed && i < sizeof comparison_words / sizeof comparison_words[0];
         i++)
        if (prop_accept(parser, comparison_words[i].word)) {
            struct property_token at = parser->token;
            struct unit none = unit_none();
            node->compare = comparison_words[i].kind;
            if (at.kind != TOKEN_NUMBER)
                break;
            node->b = parse_number(parser);
            if (!parser->failed && !unit_same_dimension(&node->b->unit, &none))
                prop_fail_at(parser, at.line, at.column, "a share is a percentage, such as 95 %%");
            return;
        }
    prop_expected(parser, "a bound on the share, such as >= 95 %");
}

/* p, q; p; or slice NAME, from its begin to its end */
static void parse_ends(struct property_parser *parser, struct ast *node)
{
    if (prop_is_slice(parser)) {
        struct property_parser before = *parser;
        prop_slice(parser, &node->p, &node->q);
        node->slice = prop_token_is(&parser->token, "]");
        if (node->slice)
            return;
        *parser = before; /* a condition that starts with it */
        node->q = NULL;
    }
    node->p = prop_expression(parser);
    if (prop_accept(parser, ","))
        node->q = prop_expression(parser);
}

static struct ast *parse_quantified(struct property_parser *parser, enum quantifier quantifier)
{
    assert(quantifier <= QUANT_MEAN);
    struct ast *node = prop_new_node(parser, AST_QUANTIFIED, &parser->token);
    node->quantifier = quantifier;
    prop_advance(parser);
    if (!enter(parser))
        return node;
    if (quantifier == QUANT_PERCENTILE)
        parse_rank(parser, node);
    prop_expect(parser, "[", "'['");
    parse_ends(parser, node);
    prop_expect(parser, "]", "',' or ']' in the interval");
    if (quantifier <= QUANT_EXISTS)
        node->relation = accept_relation(parser);
    if (quantifier == QUANT_SHARE) {
        prop_expect(parser, "(", "'(' and the condition that is counted");
        node->a = prop_expression(parser);
        prop_expect(parser, ")", "')'");
        parse_share_bound(parser, node);
    } else if (quantifier > QUANT_EXISTS) {
        node->a = parse_comparison(parser);
    } else if (node->relation == RELATION_NONE) {
        node->a = parse_implies(parser);
    } else if (prop_accept(parser, "where")) {
        node->a = parse_unary(parser);
    }
    parser->depth--;
    return prop_finish(parser, node);
}

struct ast *prop_expression(struct property_parser *parser)
{
    struct ast *node =
        enter(parser) ? parse_implies(parser) : prop_new_node(parser, AST_TRUE, &parser->token);
    parser->depth--;
    return node;
}
