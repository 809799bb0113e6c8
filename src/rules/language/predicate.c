/* Predicates: not, and, or, -> (right associative), in this order of precedence; names of variables
 * and rules; tests of sensors ("speed > 5", "location == home").
 *
 * Nodes are written operands first, so that every later pass is a loop. "x == 5" on a number is
 * "x >= 5 and not x > 5". Recursion only follows parentheses, nots and arrows and is capped. */
#include "base/check.h"
#include "base/data/text.h"
#include "rules/language/build.h"
#include <string.h>

struct predicate_parser {
    struct rules_builder *b;
    struct lexer *lexer;
    uint32_t first; /* node of this predicate */
    int depth;
    bool failed;
};

static struct place here(const struct predicate_parser *p)
{
    return (struct place){p->lexer->token.line, p->lexer->token.column};
}

static uint32_t add(struct predicate_parser *p, struct draft_node node)
{
    if (p->b->nodes.count - p->first >= RULES_MAX_PREDICATE && !p->failed) {
        rules_build_error(p->b, here(p),
                          "a predicate has at most %u names and operators: split the rule",
                          RULES_MAX_PREDICATE);
        p->failed = true;
    }
    if (p->failed)
        return p->first;
    tac_vec_push(&p->b->nodes, node);
    return (uint32_t)p->b->nodes.count - 1;
}

static uint32_t add_operator(struct predicate_parser *p, tac_rules_operator op, uint32_t left,
                             uint32_t right)
{
    assert(op == TAC_RULES_FALSE || op == TAC_RULES_TRUE || p->failed ||
           (left >= p->first && left < p->b->nodes.count));
    return add(p,
               (struct draft_node){.kind = DRAFT_OPERATOR, .op = op, .left = left, .right = right});
}

static uint32_t fail_here(struct predicate_parser *p, const char *expected)
{
    const struct token *token = &p->lexer->token;
    if (!p->failed) {
        if (token->kind == TOKEN_END || token->kind == TOKEN_NEWLINE)
            rules_build_error(p->b, here(p), "expected %s, found the end of the line", expected);
        else
            rules_build_error(p->b, here(p), "expected %s, found '%.*s'", expected,
                              (int)(token->length > 40 ? 40 : token->length), token->text);
    }
    p->failed = true;
    return p->first;
}

static uint32_t parse_implication(struct predicate_parser *p);

/* name OP number */
static uint32_t number_test(struct predicate_parser *p, const char *name, struct place at,
                            const char *op, double number)
{
    assert(op[0] == '<' || op[0] == '>' || op[0] == '=' || op[0] == '!');
    bool above = strcmp(op, ">") == 0 || strcmp(op, "<=") == 0;
    struct draft_node leaf = {
        .kind = above ? DRAFT_ABOVE : DRAFT_AT_LEAST, .name = name, .number = number, .at = at};
    uint32_t node = add(p, leaf);
    if (op[0] == '<')
        return add_operator(p, TAC_RULES_NOT, node, 0);
    if (op[0] == '>')
        return node;
    leaf.kind = DRAFT_ABOVE;
    uint32_t over = add_operator(p, TAC_RULES_NOT, add(p, leaf), 0);
    node = add_operator(p, TAC_RULES_AND, node, over);
    return op[0] == '!' ? add_operator(p, TAC_RULES_NOT, node, 0) : node;
}

static uint32_t parse_test(struct predicate_parser *p, const char *name, struct place at)
{
    char op[3] = {0};
    memcpy(op, p->lexer->token.text, p->lexer->token.length);
    if (strcmp(op, "=") == 0)
        return fail_here(p, "'==' to compare ('=' is for actions)");
    rules_lexer_next(p->lexer);
    struct token *token = &p->lexer->token;
    if (token->kind == TOKEN_NUMBER) {
        char text[64] = {0};
        double number;
        if (token->length < sizeof text)
            memcpy(text, token->text, token->length);
        if (!tac_parse_double(text, &number))
            return fail_here(p, "a number");
        rules_lexer_next(p->lexer);
        return number_test(p, name, at, op, number);
    }
    if (token->kind != TOKEN_WORD || (strcmp(op, "==") != 0 && strcmp(op, "!=") != 0))
        return fail_here(p, token->kind == TOKEN_WORD ? "a number after this comparison"
                                                      : "a number or a value to compare with");
    struct draft_node leaf = {.kind = DRAFT_VALUE, .name = name, .at = at};
    leaf.value = rules_build_name(p->b, token->text, token->length, here(p));
    rules_lexer_next(p->lexer);
    uint32_t node = add(p, leaf);
    return op[0] == '!' ? add_operator(p, TAC_RULES_NOT, node, 0) : node;
}

static bool is_comparison(const struct token *token)
{
    return rules_token_is(token, "==") || rules_token_is(token, "!=") ||
           rules_token_is(token, "<") || rules_token_is(token, "<=") ||
           rules_token_is(token, ">") || rules_token_is(token, ">=") || rules_token_is(token, "=");
}

static uint32_t parse_term(struct predicate_parser *p)
{
    struct token token = p->lexer->token;
    if (p->depth >= RULES_MAX_DEPTH && !p->failed) {
        rules_build_error(
            p->b, here(p),
            "parentheses, 'not' and '->' are nested more than %d deep here: split the "
            "rule, or name a part by a rule of its own",
            RULES_MAX_DEPTH);
        p->failed = true;
    }
    if (p->failed)
        return p->first;
    if (rules_lexer_accept(p->lexer, "not") || rules_lexer_accept(p->lexer, "!")) {
        p->depth++;
        uint32_t operand = parse_term(p);
        p->depth--;
        return add_operator(p, TAC_RULES_NOT, operand, 0);
    }
    if (rules_lexer_accept(p->lexer, "(")) {
        p->depth++;
        uint32_t inner = parse_implication(p);
        p->depth--;
        if (!p->failed && !rules_lexer_accept(p->lexer, ")"))
            return fail_here(p, "')'");
        return inner;
    }
    if (rules_lexer_accept(p->lexer, "true"))
        return add_operator(p, TAC_RULES_TRUE, 0, 0);
    if (rules_lexer_accept(p->lexer, "false"))
        return add_operator(p, TAC_RULES_FALSE, 0, 0);
    if (token.kind != TOKEN_WORD || rules_word_is_reserved(token.text, token.length))
        return fail_here(p, "a variable, a rule name, 'not' or '('");
    struct place at = here(p);
    const char *name = rules_build_name(p->b, token.text, token.length, at);
    rules_lexer_next(p->lexer);
    if (is_comparison(&p->lexer->token))
        return parse_test(p, name, at);
    return add(p, (struct draft_node){.kind = DRAFT_NAME, .name = name, .at = at});
}

static bool accept_either(struct lexer *lexer, const char *word, const char *two, const char *one)
{
    return rules_lexer_accept(lexer, word) || rules_lexer_accept(lexer, two) ||
           rules_lexer_accept(lexer, one);
}

static uint32_t parse_conjunction(struct predicate_parser *p)
{
    uint32_t left = parse_term(p);
    while (!p->failed && accept_either(p->lexer, "and", "&&", "&")) {
        uint32_t right = parse_term(p);
        left = add_operator(p, TAC_RULES_AND, left, right);
    }
    return left;
}

static uint32_t parse_disjunction(struct predicate_parser *p)
{
    uint32_t left = parse_conjunction(p);
    while (!p->failed && accept_either(p->lexer, "or", "||", "|")) {
        uint32_t right = parse_conjunction(p);
        left = add_operator(p, TAC_RULES_OR, left, right);
    }
    return left;
}

static uint32_t parse_implication(struct predicate_parser *p)
{
    uint32_t left = parse_disjunction(p);
    if (p->failed || p->lexer->token.kind != TOKEN_ARROW)
        return left;
    rules_lexer_next(p->lexer);
    p->depth++;
    uint32_t right = parse_implication(p);
    p->depth--;
    return add_operator(p, TAC_RULES_IMPLIES, left, right);
}

bool rules_parse_predicate(struct rules_builder *b, struct lexer *lexer, tac_rules_predicate *out)
{
    struct predicate_parser p = {.b = b, .lexer = lexer, .first = (uint32_t)b->nodes.count};
    uint32_t root = parse_implication(&p);
    if (p.failed)
        return false;
    *out = (tac_rules_predicate){p.first, root};
    return true;
}
