/* Predicates: the operators of operator.c; names of variables and rules; tests of sensors
 * ("speed > 5", "location == home").
 *
 * Nodes are written operands first, so that every later pass is a loop. "x == 5" on a number is
 * "x >= 5 and not x > 5". */
#include "rules/language/build.h"
#include "rules/language/operator.h"
#include <string.h>

static syntax_node add(struct syntax *s, struct draft_node node)
{
    struct rules_builder *b = s->context;
    if (!syntax_count_node(s))
        return (syntax_node){0};
    tac_vec_push(&b->nodes, node);
    return (syntax_node){.index = b->nodes.count - 1};
}

static syntax_node add_operator(struct syntax *s, tac_rules_operator op, syntax_node left,
                                syntax_node right)
{
    return add(s, (struct draft_node){.kind = DRAFT_OPERATOR,
                                      .op = op,
                                      .left = (uint32_t)left.index,
                                      .right = (uint32_t)right.index});
}

static syntax_node combine(struct syntax *s, const struct syntax_taken *taken, syntax_node left,
                           syntax_node right)
{
    return add_operator(s, (tac_rules_operator)taken->op->kind, left, right);
}

/* "true" and "false" are operators without operands. */
static syntax_node taken(struct syntax *s, const struct syntax_taken *taken)
{
    syntax_node none = {0};
    bool whole = taken->op->place == SYNTAX_WHOLE;
    return whole ? add_operator(s, (tac_rules_operator)taken->op->kind, none, none) : none;
}

static const struct comparison {
    const char *sign;
    enum draft_kind test;
    bool equal, negated; /* equal: but not above */
} comparisons[] = {
    {">", DRAFT_ABOVE, false, false},     {"<=", DRAFT_ABOVE, false, true},
    {">=", DRAFT_AT_LEAST, false, false}, {"<", DRAFT_AT_LEAST, false, true},
    {"==", DRAFT_AT_LEAST, true, false},  {"!=", DRAFT_AT_LEAST, true, true},
};

/* Behind the sign of NAME SIGN NUMBER and NAME SIGN VALUE. */
static syntax_node read_test(struct syntax *s, struct draft_node leaf, const struct comparison *c)
{
    struct syntax_token token = s->token;
    syntax_node none = {0};
    bool value = token.kind == SYNTAX_WORD && c->equal;
    if (token.kind != SYNTAX_NUMBER && !value) {
        syntax_expected(s, token.kind == SYNTAX_WORD ? "a number after this comparison"
                                                     : "a number or a value to compare with");
        return none;
    }
    leaf.kind = value ? DRAFT_VALUE : c->test;
    leaf.number = token.number;
    if (value)
        leaf.value = rules_build_name(s->context, token.text, token.length, rules_here(s));
    syntax_advance(s);
    syntax_node node = add(s, leaf);
    if (c->equal && !value) {
        leaf.kind = DRAFT_ABOVE;
        node = add_operator(s, TAC_RULES_AND, node,
                            add_operator(s, TAC_RULES_NOT, add(s, leaf), none));
    }
    return c->negated ? add_operator(s, TAC_RULES_NOT, node, none) : node;
}

static syntax_node primary(struct syntax *s)
{
    syntax_node inner = {0};
    if (syntax_accept(s, "(")) {
        inner = syntax_expression(s, 0);
        syntax_need(s, ")", NULL);
        return inner;
    }
    struct syntax_token token = s->token;
    if (token.kind != SYNTAX_WORD || rules_word_is_reserved(token.text, token.length)) {
        syntax_expected(s, "a variable, a rule name, 'not' or '('");
        return inner;
    }
    struct draft_node name = {.kind = DRAFT_NAME, .at = rules_here(s)};
    name.name = rules_build_name(s->context, token.text, token.length, name.at);
    syntax_advance(s);
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (syntax_accept(s, comparisons[i].sign))
            return read_test(s, name, &comparisons[i]);
    if (syntax_is(s, "="))
        syntax_expected(s, "'==' to compare ('=' is for actions)");
    return s->failed ? inner : add(s, name);
}

const struct syntax_language rules_syntax = {
    .blanks = " \t\r",
    .line_ends = "\n;",
    .comment = "#",
    .word_part = ".",
    .foreign_letters = true,
    .numbers = SYNTAX_SIGNED | SYNTAX_EXPONENT,
    .quotes = "\"",
    .marks = ": , ( ) { } = == != < <= > >=",
    .byte_order_mark = true,
    .operators = rules_spellings,
    .primary = primary,
    .combine = combine,
    .taken = taken,
    .most_depth = RULES_MAX_DEPTH,
    .most_nodes = RULES_MAX_PREDICATE,
    .advice = "split the rule, or name a part by a rule of its own",
};

void rules_syntax_open(struct syntax *s, struct rules_builder *b, const char *text, size_t size,
                       struct place at)
{
    *s = (struct syntax){.context = b, .file = b->file, .diagnostics = b->diagnostics};
    syntax_open(s, &rules_syntax, text, size, at.line, at.column);
}

bool rules_read_predicate(struct syntax *s, tac_rules_predicate *out)
{
    struct rules_builder *b = s->context;
    uint32_t first = (uint32_t)b->nodes.count;
    s->nodes = 0;
    *out = (tac_rules_predicate){first, (uint32_t)syntax_expression(s, 0).index};
    return !s->failed;
}

bool rules_word_is_reserved(const char *text, size_t length)
{
    static const char *const others[] = {"when", "priority", "do", "initial", "monotone"};
    bool is = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is = is || (strlen(others[i]) == length && !memcmp(others[i], text, length));
    for (const struct syntax_operator *op = rules_spellings; op->text; op++)
        is = is || (strlen(op->text) == length && !memcmp(op->text, text, length));
    return is;
}
