/* Evaluates guards and updates as JavaScript would, on the values of the variables. Cost: linear in
 * the nodes. Size of texts is capped; depth was, when they were parsed. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "model/script/nodes.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

#define MOST_TEXT 4096 /* bytes that putting texts together may make */

static const struct script_value undefined = {.kind = SCRIPT_UNDEFINED};

static struct script_value of_bool(bool truth)
{
    return (struct script_value){.kind = SCRIPT_BOOL, .text = truth};
}

static struct script_value of_number(double number)
{
    if (isnan(number))
        number = NAN; /* one pattern of bits */
    return (struct script_value){.kind = SCRIPT_NUMBER, .number = number == 0 ? 0 : number};
}

static bool truth_of(const struct scripts *scripts, struct script_value value)
{
    switch ((enum script_kind)value.kind) {
    case SCRIPT_BOOL:
        return value.text;
    case SCRIPT_NUMBER:
        return value.number != 0 && !isnan(value.number);
    case SCRIPT_TEXT:
        return scripts->texts.length[value.text] > 0;
    case SCRIPT_UNDEFINED:
    case SCRIPT_NULL:
        break;
    }
    return false;
}

/* Digits of a base, and nothing else. */
static double digits_of(const char *text, double base)
{
    double number = 0;
    for (const char *c = text; *c; c++) {
        int digit = isdigit((unsigned char)*c)    ? *c - '0'
                    : isxdigit((unsigned char)*c) ? tolower((unsigned char)*c) - 'a' + 10
                                                  : 99;
        if (digit >= base)
            return NAN;
        number = number * base + digit;
    }
    return *text ? number : NAN;
}

/* JavaScript's Number(text). */
static double number_in(const char *text)
{
    size_t blank = strspn(text, " \t\n\v\f\r"), length = strlen(text + blank);
    while (length && isspace((unsigned char)text[blank + length - 1]))
        length--;
    char *word = tac_strndup(text + blank, length), *value = word + (*word == '+' || *word == '-');
    double number = NAN;
    if (!*word)
        number = 0;
    else if (!strcmp(value, "Infinity"))
        number = *word == '-' ? -INFINITY : INFINITY;
    else if (*word == '0' && word[1] && strchr("xXoObB", word[1]))
        number = digits_of(word + 2, strchr("xX", word[1]) ? 16 : strchr("oO", word[1]) ? 8 : 2);
    else if (!tac_parse_double(word, &number))
        number = NAN;
    free(word);
    return number;
}

static double number_of(const struct scripts *scripts, struct script_value value)
{
    switch ((enum script_kind)value.kind) {
    case SCRIPT_BOOL:
        return value.text;
    case SCRIPT_NUMBER:
        return value.number;
    case SCRIPT_NULL:
        return 0;
    case SCRIPT_TEXT:
        return number_in(scripts->texts.text[value.text]);
    case SCRIPT_UNDEFINED:
        break;
    }
    return NAN;
}

static void add_text(const struct scripts *scripts, tac_str *out, struct script_value value)
{
    char number[40];
    switch ((enum script_kind)value.kind) {
    case SCRIPT_TEXT:
        tac_str_add(out, scripts->texts.text[value.text]);
        break;
    case SCRIPT_BOOL:
        tac_str_add(out, value.text ? "true" : "false");
        break;
    case SCRIPT_NUMBER:
        tac_str_add(out, isnan(value.number)   ? "NaN"
                         : isinf(value.number) ? (value.number > 0 ? "Infinity" : "-Infinity")
                                               : tac_double_text(value.number, number, 40));
        break;
    case SCRIPT_NULL:
        tac_str_add(out, "null");
        break;
    case SCRIPT_UNDEFINED:
        tac_str_add(out, "undefined");
        break;
    }
}

static bool are_same(struct script_value a, struct script_value b)
{
    if (a.kind != b.kind)
        return false;
    return a.kind == SCRIPT_NUMBER ? a.number == b.number : a.text == b.text;
}

static bool is_none(struct script_value value)
{
    return value.kind == SCRIPT_UNDEFINED || value.kind == SCRIPT_NULL;
}

static bool are_equal(const struct scripts *scripts, struct script_value a, struct script_value b)
{
    bool none_a = is_none(a), none_b = is_none(b);
    if (none_a || none_b)
        return none_a && none_b;
    if (a.kind == b.kind)
        return are_same(a, b);
    return number_of(scripts, a) == number_of(scripts, b);
}

/* a < b, or NAN-like "neither": -1 less, 0 equal, 1 greater, 2 not comparable. */
static int compare(const struct scripts *scripts, struct script_value a, struct script_value b)
{
    if (a.kind == SCRIPT_TEXT && b.kind == SCRIPT_TEXT) {
        int order = strcmp(scripts->texts.text[a.text], scripts->texts.text[b.text]);
        return order < 0 ? -1 : order > 0;
    }
    double x = number_of(scripts, a), y = number_of(scripts, b);
    return isnan(x) || isnan(y) ? 2 : x < y ? -1 : x > y;
}

static struct script_value plus(struct scripts *scripts, struct script_value a,
                                struct script_value b)
{
    if (a.kind != SCRIPT_TEXT && b.kind != SCRIPT_TEXT)
        return of_number(number_of(scripts, a) + number_of(scripts, b));
    tac_str both = {0};
    add_text(scripts, &both, a);
    add_text(scripts, &both, b);
    if (both.length > MOST_TEXT)
        both.text[both.length = MOST_TEXT] = '\0';
    struct script_value value = {.kind = SCRIPT_TEXT,
                                 .text = tac_names_intern(&scripts->texts, tac_str_text(&both))};
    tac_str_free(&both);
    return value;
}

static struct script_value evaluate(struct scripts *scripts, uint32_t node,
                                    struct script_value *values);

/* Both operands, and as numbers. */
struct operands {
    struct script_value a, b;
    double x, y;
    int order;
};

static struct operands both(struct scripts *scripts, const struct script_node *n,
                            struct script_value *values)
{
    struct operands o = {.a = evaluate(scripts, n->a, values)};
    o.b = evaluate(scripts, n->b, values);
    o.x = number_of(scripts, o.a);
    o.y = number_of(scripts, o.b);
    o.order = compare(scripts, o.a, o.b);
    return o;
}

static struct script_value evaluate(struct scripts *scripts, uint32_t node,
                                    struct script_value *values)
{
    assert(node < scripts->nodes.count);
    struct script_node n = scripts->nodes.at[node];
    struct script_value value;
    struct operands o;
    switch ((enum script_op)n.op) {
    case OP_VALUE:
        return n.value;
    case OP_VARIABLE:
        return values[n.a];
    case OP_OR:
        value = evaluate(scripts, n.a, values);
        return truth_of(scripts, value) ? value : evaluate(scripts, n.b, values);
    case OP_AND:
        value = evaluate(scripts, n.a, values);
        return truth_of(scripts, value) ? evaluate(scripts, n.b, values) : value;
    case OP_CHOICE:
        value = evaluate(scripts, n.a, values);
        return evaluate(scripts, truth_of(scripts, value) ? n.b : n.c, values);
    case OP_NOT:
        return of_bool(!truth_of(scripts, evaluate(scripts, n.a, values)));
    case OP_NEGATE:
        return of_number(-number_of(scripts, evaluate(scripts, n.a, values)));
    case OP_PLUS:
        return of_number(number_of(scripts, evaluate(scripts, n.a, values)));
    case OP_ASSIGN:
        value = evaluate(scripts, n.b, values);
        return values[n.a] = value;
    case OP_STEP:
        value = of_number(number_of(scripts, values[n.a]));
        values[n.a] = evaluate(scripts, n.b, values);
        return value;
    case OP_SEQUENCE:
        evaluate(scripts, n.a, values);
        return evaluate(scripts, n.b, values);
#define BOTH(op, result)                                                                           \
    case op:                                                                                       \
        o = both(scripts, &n, values);                                                             \
        return result;
        BOTH(OP_EQUAL, of_bool(are_equal(scripts, o.a, o.b)))
        BOTH(OP_UNEQUAL, of_bool(!are_equal(scripts, o.a, o.b)))
        BOTH(OP_SAME, of_bool(are_same(o.a, o.b)))
        BOTH(OP_NOT_SAME, of_bool(!are_same(o.a, o.b)))
        BOTH(OP_LESS, of_bool(o.order == -1))
        BOTH(OP_LESS_EQUAL, of_bool(o.order == -1 || o.order == 0))
        BOTH(OP_GREATER, of_bool(o.order == 1))
        BOTH(OP_GREATER_EQUAL, of_bool(o.order == 1 || o.order == 0))
        BOTH(OP_ADD, plus(scripts, o.a, o.b))
        BOTH(OP_SUBTRACT, of_number(o.x - o.y))
        BOTH(OP_MULTIPLY, of_number(o.x * o.y))
        BOTH(OP_DIVIDE, of_number(o.x / o.y))
        BOTH(OP_MODULO, of_number(fmod(o.x, o.y)))
#undef BOTH
    }
    return undefined;
}

bool script_holds(struct scripts *scripts, script guard, struct script_value *values)
{
    return truth_of(scripts, evaluate(scripts, guard, values));
}

void script_run(struct scripts *scripts, script update, struct script_value *values)
{
    evaluate(scripts, update, values);
}
