/* Quantified intervals:
 *
 *   first forall exists [p, q] body      first forall exists [p, q] RELATION where condition
 *   share [p, q] (condition) >= 95 %     percentile(95) mean [p, q] expression */
#include "property/language/parse.h"

#define ROW_WORD(kind, word, special) [kind] = {word, special},
const struct ast_word ast_quantifiers[QUANTIFIERS] = {QUANTIFIER_ROWS(ROW_WORD)};
const struct ast_word ast_relations[RELATIONS] = {RELATION_ROWS(ROW_WORD)};

/* The relation of this word; ours go before Allen's. */
static enum relation relation_at(const struct syntax_token *token, bool strictly)
{
    for (size_t i = RELATION_NONE + 1; i < RELATIONS; i++)
        if ((ast_relations[i].special || !strictly) &&
            syntax_token_is(token, ast_relations[i].word))
            return (enum relation)i;
    return RELATION_NONE;
}

bool prop_is_relation(const struct syntax_token *token)
{
    return relation_at(token, false) != RELATION_NONE;
}

static enum relation accept_relation(struct syntax *s)
{
    const char *words[RELATIONS];
    bool strictly = syntax_is(s, "allen") && s->ahead.kind == SYNTAX_WORD;
    if (strictly)
        syntax_advance(s);
    enum relation found = relation_at(&s->token, strictly);
    for (size_t i = 0; i < RELATIONS; i++)
        words[i] = ast_relations[i].special ? ast_relations[i].word : "";
    if (found != RELATION_NONE && !s->failed)
        syntax_advance(s);
    else if (strictly)
        syntax_expected_one_of(s, "one of Allen's relations (before, meets, overlaps, ...)", words,
                               RELATIONS);
    return found;
}

/* percentile(95) */
static void rank(struct syntax *s, struct ast *node)
{
    syntax_need(s, "(", NULL);
    node->number = s->token.number;
    if (s->token.kind != SYNTAX_NUMBER || !(node->number > 0 && node->number <= 100)) {
        syntax_expected(s, "a percentage above 0 and at most 100");
        return;
    }
    syntax_advance(s);
    syntax_need(s, ")", NULL);
}

/* share [p, q] (condition) >= 95 % */
static void share_bound(struct syntax *s, struct ast *node)
{
    struct unit none = unit_none();
    bool compared = false;
    for (size_t kind = 0; kind < AST_KINDS && !compared; kind++) {
        node->compare = (enum ast_kind)kind;
        compared = ast_operators[kind].class == CLASS_COMPARISON &&
                   syntax_accept(s, ast_operators[kind].word);
    }
    struct syntax_token at = s->token;
    if (!compared || at.kind != SYNTAX_NUMBER) {
        syntax_expected(s, "a bound on the share, such as >= 95 %");
        return;
    }
    node->b = prop_number(s);
    if (!unit_same_dimension(&node->b->unit, &none))
        syntax_fail(s, &at, "a share is a percentage, such as 95 %%");
}

/* p, q; p; or slice NAME, from its begin to its end */
static void ends(struct syntax *s, struct ast *node)
{
    if (prop_is_slice(s)) {
        struct syntax before = *s;
        syntax_advance(s);
        prop_slice(s, &before.token, &node->p, &node->q);
        node->slice = syntax_is(s, "]");
        if (node->slice || s->failed)
            return;
        *s = before; /* a condition that starts with it */
        node->q = NULL;
    }
    node->p = prop_expression(s, POWER_ANY);
    if (syntax_accept(s, ","))
        node->q = prop_expression(s, POWER_ANY);
}

bool prop_opens_interval(const struct syntax *s)
{
    return syntax_token_is(&s->ahead, "[") ||
           (syntax_token_is(&s->token, "percentile") && syntax_token_is(&s->ahead, "("));
}

static void body(struct syntax *s, struct ast *node)
{
    switch (node->quantifier) {
    case QUANT_FIRST:
    case QUANT_FORALL:
    case QUANT_EXISTS:
        node->relation = accept_relation(s);
        if (node->relation == RELATION_NONE)
            node->a = prop_expression(s, POWER_ANY);
        else if (syntax_accept(s, "where"))
            node->a = prop_expression(s, POWER_UNARY);
        break;
    case QUANT_SHARE:
        syntax_need(s, "(", "'(' and the condition that is counted");
        node->a = prop_expression(s, POWER_ANY);
        syntax_need(s, ")", NULL);
        share_bound(s, node);
        break;
    case QUANT_PERCENTILE:
    case QUANT_MEAN:
        node->a = prop_expression(s, POWER_COMPARISON);
        break;
    }
}

struct ast *prop_quantified(struct syntax *s, const struct syntax_token *at)
{
    struct ast *node = prop_new_node(s, AST_QUANTIFIED, at);
    while (!syntax_token_is(at, ast_quantifiers[node->quantifier].word))
        node->quantifier++;
    if (node->quantifier == QUANT_PERCENTILE)
        rank(s, node);
    syntax_need(s, "[", NULL);
    ends(s, node);
    syntax_need(s, "]", "',' or ']' in the interval");
    if (!s->failed)
        body(s, node);
    return prop_finish(s, node);
}
