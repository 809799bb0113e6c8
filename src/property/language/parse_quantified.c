/* Quantified intervals:
 *
 *   first forall exists [p, q] body      first forall exists [p, q] RELATION where condition
 *   share [p, q] (condition) >= 95 %     percentile(95) mean [p, q] expression */
#include "base/check.h"
#include "property/language/parse.h"

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
    struct unit none = unit_none();
    bool compared = prop_accept_comparison(parser, &node->compare);
    struct property_token at = parser->token;
    if (!compared || at.kind != TOKEN_NUMBER) {
        prop_expected(parser, "a bound on the share, such as >= 95 %");
        return;
    }
    node->b = prop_number(parser);
    if (!parser->failed && !unit_same_dimension(&node->b->unit, &none))
        prop_fail_at(parser, at.line, at.column, "a share is a percentage, such as 95 %%");
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

struct ast *prop_quantified(struct property_parser *parser, enum quantifier quantifier)
{
    assert(quantifier <= QUANT_MEAN);
    struct ast *node = prop_new_node(parser, AST_QUANTIFIED, &parser->token);
    node->quantifier = quantifier;
    prop_advance(parser);
    if (!prop_enter(parser))
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
        node->a = prop_comparison(parser);
    } else if (node->relation == RELATION_NONE) {
        node->a = prop_implies(parser);
    } else if (prop_accept(parser, "where")) {
        node->a = prop_unary(parser);
    }
    parser->depth--;
    return prop_finish(parser, node);
}
