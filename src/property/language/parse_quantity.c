/* Numbers with units, and the bounds of temporal operators that are made of them: [<= 2 s],
 * [1, 5], (1 s, 2 s]. */
#include "base/check.h"
#include "property/language/parse.h"

#include <math.h>

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

struct ast *prop_number(struct property_parser *parser)
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

/* One end of a bound; *time tells whether it has a unit. Negative on an error. */
static int64_t parse_end(struct property_parser *parser, bool *time, bool *zero)
{
    struct property_token at = parser->token;
    if (at.kind != TOKEN_NUMBER) {
        prop_expected(parser, "a number of states or a time such as 2 s");
        return -1;
    }
    struct ast *number = prop_number(parser);
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
    prop_number(&probe);
    bool found = !probe.failed && prop_token_is(&probe.token, ",");
    tac_diagnostics_free(&none);
    return found;
}

void prop_bound(struct property_parser *parser, struct ast *node)
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
