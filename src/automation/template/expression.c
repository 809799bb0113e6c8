/* The operators of a template's expressions. A subexpression that is not understood is skipped by
 * the grammar all the same, so that its text, and with it its free condition, is exact. */
#include "automation/template/expression.h"
#include "base/data/str.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* Levels of operators, the loosest first. */
enum { OR = 1, AND, NOT, COMPARE, SUM, PRODUCT, MINUS, FOLLOWED };

/* where the present token begins */
static const char *jinja_here(const struct syntax *s)
{
    return s->token.text - (s->token.quote != 0);
}

/* The text of a part with runs of blanks folded, and the scope where it depends on it. */
struct cond *jinja_free(struct jinja *j, const char *from, const char *to)
{
    tac_str text = {0};
    for (const char *c = from; c < to; c++)
        if (!isspace((unsigned char)*c))
            tac_str_add_char(&text, *c);
        else if (c > from && !isspace((unsigned char)c[-1]))
            tac_str_add_char(&text, ' ');
    tac_str_addf(&text, " @%s", j->scope);
    struct cond *cond = cond_free(j->model, j->place, tac_str_text(&text));
    tac_str_free(&text);
    return cond;
}

struct cond *jinja_truth(struct jinja *j, const struct term *term)
{
    struct cond *cond = term_truth(j->model, j->place, term);
    return cond ? cond : jinja_free(j, term->from, term->to);
}

/* The truth of an operand of `and` or `or`: a chain of comparisons is one operand. */
static struct cond *operand_truth(struct jinja *j, const struct term *term)
{
    struct cond *cond = jinja_truth(j, term);
    cond->grows = cond->grows && !term->last;
    return cond;
}

static struct term computed(const struct term *left, char op, const struct term *right)
{
    struct term out = {.kind = TERM_UNKNOWN};
    if (left->kind == TERM_NUMBER && right->kind == TERM_NUMBER && strchr("+-*/", op)) {
        out.number = op == '+'   ? left->number + right->number
                     : op == '-' ? left->number - right->number
                     : op == '*' ? left->number * right->number
                                 : left->number / right->number;
        out.kind = isfinite(out.number) ? TERM_NUMBER : TERM_UNKNOWN;
    } else if (op == '-' && left->kind == TERM_NOW && right->kind == TERM_CHANGED) {
        out = (struct term){.kind = TERM_AGE, .entity = right->entity};
    }
    return out;
}

/* a < b, and a < b < c: a < b and b < c. */
static struct term compared(struct jinja *j, const struct term *left, unsigned op,
                            const struct term *right)
{
    const struct term *with = left->last ? left->last : left;
    struct cond *cond = term_compare(j->model, j->place, with, op, right);
    if (!cond)
        cond = jinja_free(j, with->from, right->to);
    if (left->last)
        cond = cond_grow(j->model, COND_AND, j->place, left->cond, cond);
    return (struct term){.kind = TERM_BOOLEAN, .cond = cond, .last = right};
}

static syntax_node keep(struct syntax *s, struct term term, const char *from)
{
    struct jinja *j = s->context;
    term.from = from;
    term.to = jinja_here(s);
    return (syntax_node){.at = tac_arena_keep(&j->model->arena, &term, 1, sizeof term)};
}

static syntax_node primary(struct syntax *s)
{
    const char *from = jinja_here(s);
    return keep(s, jinja_operand(s), from);
}

/* Tests: x is defined, x is not divisibleby(3). No comparison may follow. */
static struct term tested(struct syntax *s, const struct term *left)
{
    struct jinja *j = s->context;
    syntax_accept(s, "not");
    if (s->token.kind != SYNTAX_WORD)
        syntax_expected(s, "a test");
    syntax_advance(s);
    bool called = syntax_accept(s, "(");
    if (called)
        jinja_skip_arguments(s);
    j->tested = jinja_here(s);
    const char *end = called ? s->last_end : j->tested;
    return (struct term){.kind = TERM_BOOLEAN, .cond = jinja_free(j, left->from, end)};
}

static bool follows_no_test(const struct syntax *s)
{
    return ((const struct jinja *)s->context)->tested != jinja_here(s);
}

/* What is read or decided between an operator and its right operand. */
static syntax_node taken(struct syntax *s, const struct syntax_taken *op)
{
    const struct term *left = op->left.at;
    switch (op->op->power) {
    case OR:
    case AND:
        return (syntax_node){.at = operand_truth(s->context, left)};
    case COMPARE:
        return op->op->place == SYNTAX_POSTFIX ? keep(s, tested(s, left), left->from)
                                               : (syntax_node){0};
    case FOLLOWED:
        return keep(s, jinja_followed(s, left, (char)op->op->kind), left->from);
    default:
        return (syntax_node){0};
    }
}

static syntax_node combine(struct syntax *s, const struct syntax_taken *op, syntax_node a,
                           syntax_node b)
{
    struct jinja *j = s->context;
    const struct term *left = a.at, *right = b.at;
    struct term out = {.kind = TERM_BOOLEAN};
    if (op->op->place == SYNTAX_POSTFIX)
        return op->more;
    switch (op->op->power) {
    case OR:
    case AND:
        out.cond = cond_grow(j->model, (enum cond_kind)op->op->kind, j->place, op->more.at,
                             operand_truth(j, right));
        break;
    case NOT:
        out.cond = cond_not(j->model, jinja_truth(j, left));
        break;
    case COMPARE:
        out = compared(j, left, (unsigned)op->op->kind, right);
        break;
    case MINUS:
        out.kind = left->kind == TERM_NUMBER ? TERM_NUMBER : TERM_UNKNOWN;
        out.number = -left->number;
        break;
    default:
        out = computed(left, (char)op->op->kind, right);
        break;
    }
    return keep(s, out, op->op->place == SYNTAX_PREFIX ? op->at.text : left->from);
}

static const struct syntax_operator operators[] = {
    {"or", COND_OR, OR, SYNTAX_LEFT, NULL},
    {"and", COND_AND, AND, SYNTAX_LEFT, NULL},
    {"not", COND_NOT, NOT, SYNTAX_PREFIX, NULL},
    {"==", EQUAL, COMPARE, SYNTAX_LEFT, follows_no_test},
    {"!=", LESS | MORE, COMPARE, SYNTAX_LEFT, follows_no_test},
    {"<=", LESS | EQUAL, COMPARE, SYNTAX_LEFT, follows_no_test},
    {">=", EQUAL | MORE, COMPARE, SYNTAX_LEFT, follows_no_test},
    {"<", LESS, COMPARE, SYNTAX_LEFT, follows_no_test},
    {">", MORE, COMPARE, SYNTAX_LEFT, follows_no_test},
    {"in", MEMBER | EQUAL, COMPARE, SYNTAX_LEFT, follows_no_test},
    {"not in", MEMBER | LESS | MORE, COMPARE, SYNTAX_LEFT, follows_no_test},
    {"is", 0, COMPARE, SYNTAX_POSTFIX, follows_no_test},
    {"+", '+', SUM, SYNTAX_LEFT, NULL},
    {"-", '-', SUM, SYNTAX_LEFT, NULL},
    {"~", '~', SUM, SYNTAX_LEFT, NULL},
    {"*", '*', PRODUCT, SYNTAX_LEFT, NULL},
    {"/", '/', PRODUCT, SYNTAX_LEFT, NULL},
    {"%", '%', PRODUCT, SYNTAX_LEFT, NULL},
    {"**", '?', PRODUCT, SYNTAX_LEFT, NULL},
    {"//", '?', PRODUCT, SYNTAX_LEFT, NULL},
    {"-", '-', MINUS, SYNTAX_PREFIX, NULL},
    {".", '.', FOLLOWED, SYNTAX_POSTFIX, NULL},
    {"[", '[', FOLLOWED, SYNTAX_POSTFIX, NULL},
    {"|", '|', FOLLOWED, SYNTAX_POSTFIX, NULL},
    {"(", '(', FOLLOWED, SYNTAX_POSTFIX, NULL},
    {NULL, 0, 0, SYNTAX_LEFT, NULL}};

static void report(struct syntax *s, uint32_t line, uint32_t column, const char *message)
{
    (void)s, (void)line, (void)column, (void)message;
}

static const struct syntax_escapes escapes = {.numbered = false};

static const struct syntax_language language = {.blanks = TEMPLATE_BLANKS,
                                                .quotes = "'\"",
                                                .long_texts = true,
                                                .hidden_texts = true,
                                                .escapes = &escapes,
                                                .marks = ") ] , =",
                                                .operators = operators,
                                                .primary = primary,
                                                .combine = combine,
                                                .taken = taken,
                                                .most_depth = TEMPLATE_DEPTH,
                                                .report = report};

/* What a template that renders to this text means as a condition. */
struct cond *jinja_literal(struct jinja *j, const char *from, const char *to)
{
    static const char *const truths[] = {"true", "yes", "on", "enable", "1"};
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    size_t length = (size_t)(to - from);
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        if (length == strlen(truths[i]) && !strncasecmp(from, truths[i], length))
            return cond_new(j->model, COND_TRUE, j->place);
    return cond_new(j->model, COND_FALSE, j->place);
}

/* What the template means that renders a term: 'off' is a text, but not a true one. */
static struct cond *rendered(struct jinja *j, const struct term *term)
{
    static const char *const truths[] = {"on", "true", "True", "yes", "enable", "1"};
    if (term->kind == TERM_TEXT)
        return jinja_literal(j, term->text, term->text + strlen(term->text));
    if (term->kind != TERM_STATE)
        return jinja_truth(j, term);
    struct cond *cond = cond_new(j->model, COND_STATE, j->place);
    cond->entity = term->entity;
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        set_add(j->model, &cond->texts, truths[i]);
    return cond;
}

/* One text or another: whether it is true depends on where it goes. */
static bool is_text(const struct term *term)
{
    return term->kind == TERM_TEXT || term->kind == TERM_STATE;
}

struct term jinja_inner(struct syntax *s, bool printed)
{
    struct jinja *j = s->context;
    struct term unknown = {.kind = TERM_UNKNOWN}, *value = syntax_expression(s, OR).at;
    if (s->failed)
        return unknown;
    if (!syntax_accept(s, "if")) {
        if (printed)
            value->cond = rendered(j, value), value->kind = TERM_BOOLEAN;
        return *value;
    }
    const struct term *test = syntax_expression(s, OR).at;
    syntax_need(s, "else", NULL);
    if (s->failed)
        return unknown;
    struct term other = jinja_inner(s, printed);
    if (s->failed)
        return unknown;
    struct term out = {.kind = TERM_UNKNOWN, .from = value->from, .to = jinja_here(s)};
    if (!printed && (is_text(value) || is_text(&other)))
        return out;
    struct cond *when = jinja_truth(j, test);
    out.kind = TERM_BOOLEAN;
    struct cond *yes = printed ? rendered(j, value) : jinja_truth(j, value);
    out.cond = cond_if(j->model, j->place, when, yes, jinja_truth(j, &other));
    return out;
}

void jinja_open(struct syntax *s, struct jinja *j, const char *from, const char *to)
{
    *s = (struct syntax){.context = j};
    syntax_open(s, &language, from, (size_t)(to - from), 1, 1);
    s->depth = j->depth;
}
