/* Recursive descent over a template's expression. A subexpression that is not understood is skipped
 * by the grammar all the same, so that its text, and with it its free condition, is exact. */
#include "automation/template/expression.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

void jinja_blanks(struct jinja *j)
{
    while (j->at < j->end && isspace((unsigned char)*j->at))
        j->at++;
}

bool jinja_symbol(struct jinja *j, const char *text)
{
    size_t length = strlen(text);
    jinja_blanks(j);
    if ((size_t)(j->end - j->at) < length || strncmp(j->at, text, length) != 0)
        return false;
    j->at += length;
    return true;
}

size_t jinja_word(const struct jinja *j)
{
    size_t length = 0;
    while (j->at + length < j->end &&
           (isalnum((unsigned char)j->at[length]) || j->at[length] == '_'))
        length++;
    return length && !isdigit((unsigned char)*j->at) ? length : 0;
}

bool jinja_keyword(struct jinja *j, const char *text)
{
    jinja_blanks(j);
    size_t length = jinja_word(j);
    if (length != strlen(text) || strncmp(j->at, text, length) != 0)
        return false;
    j->at += length;
    return true;
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

static struct term computed(const struct term *left, char op, const struct term *right)
{
    struct term out = {0};
    if (left->kind == TERM_NUMBER && right->kind == TERM_NUMBER && strchr("+-*/", op)) {
        out.kind = TERM_NUMBER;
        out.number = op == '+'   ? left->number + right->number
                     : op == '-' ? left->number - right->number
                     : op == '*' ? left->number * right->number
                                 : left->number / right->number;
        if (!isfinite(out.number))
            out.kind = TERM_UNKNOWN;
    } else if (op == '-' && left->kind == TERM_NOW && right->kind == TERM_CHANGED) {
        out.kind = TERM_AGE;
        out.entity = right->entity;
    }
    return out;
}

/* Sums of products; the rest of Jinja's operators make an unknown term. */
static struct term arithmetic(struct jinja *j, bool products)
{
    static const char *const operators[] = {"+-~", "*/%"};
    jinja_blanks(j);
    const char *from = j->at;
    struct term term = products ? jinja_primary(j) : arithmetic(j, true);
    for (;;) {
        jinja_blanks(j);
        if (j->at >= j->end || j->broken || !strchr(operators[products], *j->at) ||
            (*j->at == '%' && j->at + 1 < j->end && j->at[1] == '}'))
            break;
        char op = *j->at++;
        if (j->at < j->end && *j->at == op && products)
            j->at++, op = '?'; /* ** and // */
        struct term right = products ? jinja_primary(j) : arithmetic(j, true);
        term = computed(&term, op, &right);
    }
    term.from = from;
    term.to = j->at;
    return term;
}

static struct term sum(struct jinja *j)
{
    return arithmetic(j, false);
}

static bool operator_of(struct jinja *j, enum compare_op *op)
{
    static const struct {
        const char *text;
        enum compare_op op;
    } symbols[] = {{"==", OP_EQ}, {"!=", OP_NE}, {"<=", OP_LE},
                   {">=", OP_GE}, {"<", OP_LT},  {">", OP_GT}};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (jinja_symbol(j, symbols[i].text))
            return *op = symbols[i].op, true;
    if (jinja_keyword(j, "in"))
        return *op = OP_IN, true;
    const char *start = j->at;
    if (jinja_keyword(j, "not")) {
        if (jinja_keyword(j, "in"))
            return *op = OP_NOT_IN, true;
        j->at = start;
    }
    return false;
}

static struct term comparison(struct jinja *j)
{
    struct term left = sum(j);
    struct cond *parts[16];
    size_t count = 0;
    const char *from = left.from;
    enum compare_op op;
    for (;;) {
        if (jinja_keyword(j, "is")) { /* tests: defined, none, ... */
            (void)jinja_keyword(j, "not");
            jinja_blanks(j);
            size_t length = jinja_word(j);
            j->broken |= !length;
            j->at += length;
            if (jinja_symbol(j, "(")) {
                struct jinja_arguments a;
                jinja_arguments(j, &a);
            }
            return (struct term){.kind = TERM_BOOLEAN,
                                 .cond = jinja_free(j, from, j->at),
                                 .from = from,
                                 .to = j->at};
        }
        if (j->broken || !operator_of(j, &op))
            break;
        struct term right = sum(j);
        struct cond *one = term_compare(j->model, j->place, &left, op, &right);
        if (!one)
            one = jinja_free(j, left.from, right.to);
        if (count < 16)
            parts[count++] = one;
        left = right;
    }
    if (!count)
        return left;
    return (struct term){.kind = TERM_BOOLEAN,
                         .cond = cond_join(j->model, COND_AND, j->place, parts, count),
                         .from = from,
                         .to = j->at};
}

static struct term negation(struct jinja *j)
{
    jinja_blanks(j);
    const char *from = j->at;
    if (!jinja_keyword(j, "not"))
        return comparison(j);
    if (++j->depth > TEMPLATE_DEPTH)
        j->broken = true;
    struct term inner = j->broken ? (struct term){0} : negation(j);
    j->depth--;
    if (j->broken)
        return inner;
    return (struct term){.kind = TERM_BOOLEAN,
                         .cond = cond_not(j->model, jinja_truth(j, &inner)),
                         .from = from,
                         .to = j->at};
}

static struct term joined(struct jinja *j, enum cond_kind kind)
{
    struct term first = kind == COND_OR ? joined(j, COND_AND) : negation(j);
    struct cond *parts[64];
    size_t count = 0;
    while (!j->broken && jinja_keyword(j, kind == COND_OR ? "or" : "and")) {
        if (!count)
            parts[count++] = jinja_truth(j, &first);
        struct term next = kind == COND_OR ? joined(j, COND_AND) : negation(j);
        if (j->broken || count == 64) {
            j->broken = true;
            break;
        }
        parts[count++] = jinja_truth(j, &next);
    }
    if (!count)
        return first;
    return (struct term){.kind = TERM_BOOLEAN,
                         .cond = cond_join(j->model, kind, j->place, parts, count),
                         .from = first.from,
                         .to = j->at};
}

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

static struct term expression(struct jinja *j, bool printed)
{
    struct term value = joined(j, COND_OR);
    if (j->broken || !jinja_keyword(j, "if"))
        return printed && !j->broken ? (struct term){.kind = TERM_BOOLEAN,
                                                     .cond = rendered(j, &value),
                                                     .from = value.from,
                                                     .to = value.to}
                                     : value;
    struct term test = joined(j, COND_OR), other = {0};
    if (!jinja_keyword(j, "else"))
        return j->broken = true, other;
    other = expression(j, printed);
    if (j->broken)
        return other;
    if (!printed && (is_text(&value) || is_text(&other)))
        return (struct term){.from = value.from, .to = j->at};
    struct cond *when = jinja_truth(j, &test);
    struct cond *yes[2] = {when, printed ? rendered(j, &value) : jinja_truth(j, &value)};
    struct cond *no[2] = {cond_not(j->model, when), jinja_truth(j, &other)};
    struct cond *both[2] = {cond_join(j->model, COND_AND, j->place, yes, 2),
                            cond_join(j->model, COND_AND, j->place, no, 2)};
    return (struct term){.kind = TERM_BOOLEAN,
                         .cond = cond_join(j->model, COND_OR, j->place, both, 2),
                         .from = value.from,
                         .to = j->at};
}

struct term jinja_expression(struct jinja *j)
{
    return expression(j, false);
}

struct cond *jinja_printed(struct jinja *j)
{
    struct term term = expression(j, true);
    return j->broken ? NULL : term.cond;
}
