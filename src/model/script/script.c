/* Parses and evaluates guards and updates: precedence climbing over one flat array of nodes. Cost:
 * linear in the text to parse, in the nodes to run. Depth of nesting and size of texts are capped.
 */
#include "model/script/script.h"
#include "base/check.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 100
#define MOST_TEXT 4096 /* bytes that putting texts together may make */

enum op {
    OP_VALUE,
    OP_VARIABLE,
    OP_OR,
    OP_AND,
    OP_CHOICE,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_SAME,
    OP_NOT_SAME,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_MODULO,
    OP_NOT,
    OP_NEGATE,
    OP_PLUS,
    OP_ASSIGN,  /* a: variable, b: expression */
    OP_STEP,    /* a: variable, b: expression; its value is the variable's before */
    OP_SEQUENCE /* a, then b */
};

struct parsing {
    struct scripts *scripts;
    const char *at;
    char *message; /* set at the first mistake */
    bool failed;
    unsigned depth;
};

static const struct script_value undefined = {.kind = SCRIPT_UNDEFINED};

static uint32_t refuse(struct parsing *p, const char *what, const char *at)
{
    if (!p->failed)
        snprintf(p->message, 200, "%s: '%.40s'", what, at);
    p->failed = true;
    return NO_SCRIPT;
}

static uint32_t add(struct parsing *p, enum op op, uint32_t a, uint32_t b, uint32_t c)
{
    if (p->failed)
        return NO_SCRIPT;
    tac_vec_push(&p->scripts->nodes, (struct script_node){.op = (uint8_t)op, a, b, c, undefined});
    return (uint32_t)(p->scripts->nodes.count - 1);
}

static uint32_t add_value(struct parsing *p, struct script_value value)
{
    uint32_t node = add(p, OP_VALUE, 0, 0, 0);
    if (node != NO_SCRIPT)
        p->scripts->nodes.at[node].value = value;
    return node;
}

static void skip(struct parsing *p)
{
    for (;;) {
        while (isspace((unsigned char)*p->at))
            p->at++;
        if (p->at[0] == '/' && p->at[1] == '/')
            p->at += strcspn(p->at, "\n");
        else if (p->at[0] == '/' && p->at[1] == '*' && strstr(p->at + 2, "*/"))
            p->at = strstr(p->at + 2, "*/") + 2;
        else
            return;
    }
}

/* Takes a sign unless it goes on to a longer one ("<" of "<="). */
static bool take(struct parsing *p, const char *sign, const char *but)
{
    size_t length = strlen(sign);
    skip(p);
    if (strncmp(p->at, sign, length) != 0 || (p->at[length] && strchr(but, p->at[length])))
        return false;
    p->at += length;
    return true;
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    if (!isalpha((unsigned char)*at) && *at != '_' && *at != '$')
        return 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '$' ||
           (at[length] == '.' && (isalpha((unsigned char)at[length + 1]) || at[length + 1] == '_')))
        length++;
    return length;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return length == strlen(word) && !strncmp(at, word, length);
}

static uint32_t variable_of(struct parsing *p, const char *at, size_t length)
{
    uint32_t variable = tac_names_intern_bytes(&p->scripts->variables, at, length);
    while (p->scripts->assigned.count <= variable)
        tac_vec_push(&p->scripts->assigned, false);
    return variable;
}

static uint32_t text_value(struct parsing *p)
{
    char quote = *p->at++;
    tac_str text = {0};
    while (*p->at && *p->at != quote) {
        if (*p->at == '\\' && p->at[1])
            p->at++;
        tac_str_add_char(&text, *p->at++);
    }
    struct script_value value = {.kind = SCRIPT_TEXT,
                                 .text = tac_names_intern(&p->scripts->texts, tac_str_text(&text))};
    tac_str_free(&text);
    if (*p->at != quote)
        return refuse(p, "a text has no end", p->at);
    p->at++;
    return add_value(p, value);
}

static uint32_t expression(struct parsing *p);

static uint32_t named(struct parsing *p)
{
    static const struct {
        const char *word;
        struct script_value value;
    } constants[] = {{"true", {SCRIPT_BOOL, 1, 0}},
                     {"false", {SCRIPT_BOOL, 0, 0}},
                     {"null", {SCRIPT_NULL, 0, 0}},
                     {"undefined", {SCRIPT_UNDEFINED, 0, 0}}};
    static const char *const foreign[] = {"function", "new",    "if",   "for",    "while", "return",
                                          "typeof",   "delete", "void", "switch", "this",  "throw"};
    const char *start = p->at;
    size_t length = name_length(start);
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (is_word(start, length, constants[i].word)) {
            p->at += length;
            return add_value(p, constants[i].value);
        }
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (is_word(start, length, foreign[i]))
            return refuse(p, "not understood", start);
    p->at += length;
    skip(p);
    if (*p->at == '(')
        return refuse(p, "functions are not understood", start);
    if (*p->at == '[')
        return refuse(p, "arrays are not understood", start);
    uint32_t variable = variable_of(p, start, length);
    bool up = !strncmp(p->at, "++", 2), down = !strncmp(p->at, "--", 2);
    if (!up && !down)
        return add(p, OP_VARIABLE, variable, 0, 0);
    p->at += 2;
    p->scripts->assigned.at[variable] = true;
    uint32_t one = add_value(p, (struct script_value){.kind = SCRIPT_NUMBER, .number = 1});
    uint32_t old = add(p, OP_VARIABLE, variable, 0, 0);
    return add(p, OP_STEP, variable, add(p, up ? OP_ADD : OP_SUBTRACT, old, one, 0), 0);
}

static uint32_t primary(struct parsing *p)
{
    skip(p);
    if (++p->depth > MOST_DEPTH)
        return refuse(p, "nested too deeply", p->at);
    uint32_t node;
    if (take(p, "(", "")) {
        node = expression(p);
        if (!take(p, ")", ""))
            node = refuse(p, "')' is missing", p->at);
    } else if (*p->at == '\'' || *p->at == '"') {
        node = text_value(p);
    } else if (isdigit((unsigned char)*p->at) ||
               (*p->at == '.' && isdigit((unsigned char)p->at[1]))) {
        char *end;
        double number = strtod(p->at, &end);
        p->at = end;
        node = add_value(p, (struct script_value){.kind = SCRIPT_NUMBER, .number = number});
    } else if (name_length(p->at)) {
        node = named(p);
    } else {
        node = refuse(p, *p->at ? "not understood" : "something is missing at the end", p->at);
    }
    p->depth--;
    return node;
}

static uint32_t unary(struct parsing *p)
{
    skip(p);
    if (!strncmp(p->at, "++", 2) || !strncmp(p->at, "--", 2)) { /* as a statement: x++ */
        bool up = *p->at == '+';
        p->at += 2;
        skip(p);
        size_t length = name_length(p->at);
        if (!length)
            return refuse(p, "a variable is missing", p->at);
        uint32_t variable = variable_of(p, p->at, length);
        p->at += length;
        p->scripts->assigned.at[variable] = true;
        uint32_t one = add_value(p, (struct script_value){.kind = SCRIPT_NUMBER, .number = 1});
        uint32_t old = add(p, OP_VARIABLE, variable, 0, 0);
        return add(p, OP_ASSIGN, variable, add(p, up ? OP_ADD : OP_SUBTRACT, old, one, 0), 0);
    }
    enum op op = take(p, "!", "=")   ? OP_NOT
                 : take(p, "-", "-") ? OP_NEGATE
                 : take(p, "+", "+") ? OP_PLUS
                                     : OP_VALUE;
    if (op == OP_VALUE)
        return primary(p);
    if (++p->depth > MOST_DEPTH)
        return refuse(p, "nested too deeply", p->at);
    uint32_t operand = unary(p);
    p->depth--;
    return add(p, op, operand, 0, 0);
}

static const struct binary {
    const char *sign, *but;
    enum op op;
    int level;
} binaries[] = {
    {"||", "", OP_OR, 1},         {"&&", "", OP_AND, 2},           {"===", "", OP_SAME, 3},
    {"!==", "", OP_NOT_SAME, 3},  {"==", "=", OP_EQUAL, 3},        {"!=", "=", OP_UNEQUAL, 3},
    {"<=", "", OP_LESS_EQUAL, 4}, {">=", "", OP_GREATER_EQUAL, 4}, {"<", "<=", OP_LESS, 4},
    {">", ">=", OP_GREATER, 4},   {"+", "+=", OP_ADD, 5},          {"-", "-=", OP_SUBTRACT, 5},
    {"*", "*=", OP_MULTIPLY, 6},  {"/", "=", OP_DIVIDE, 6},        {"%", "=", OP_MODULO, 6},
};

static uint32_t operators(struct parsing *p, int level)
{
    uint32_t left = unary(p);
    while (!p->failed) {
        const struct binary *found = NULL;
        for (size_t i = 0; i < sizeof binaries / sizeof *binaries && !found; i++)
            if (binaries[i].level >= level && take(p, binaries[i].sign, binaries[i].but))
                found = &binaries[i];
        if (!found)
            return left;
        left = add(p, found->op, left, operators(p, found->level + 1), 0);
    }
    return NO_SCRIPT;
}

static uint32_t expression(struct parsing *p)
{
    if (++p->depth > MOST_DEPTH)
        return refuse(p, "nested too deeply", p->at);
    uint32_t node = operators(p, 1);
    if (take(p, "?", "")) {
        uint32_t then = expression(p);
        if (!take(p, ":", ""))
            node = refuse(p, "':' is missing", p->at);
        node = add(p, OP_CHOICE, node, then, expression(p));
    }
    p->depth--;
    return node;
}

/* NAME = e, NAME += e, or an expression (n++). */
static uint32_t statement(struct parsing *p)
{
    static const struct {
        const char *sign, *but;
        enum op op;
    } assignments[] = {{"=", "=", OP_VALUE},    {"+=", "", OP_ADD},    {"-=", "", OP_SUBTRACT},
                       {"*=", "", OP_MULTIPLY}, {"/=", "", OP_DIVIDE}, {"%=", "", OP_MODULO}};
    skip(p);
    size_t length = name_length(p->at);
    if (is_word(p->at, length, "var") || is_word(p->at, length, "let") ||
        is_word(p->at, length, "const")) {
        p->at += length;
        skip(p);
        length = name_length(p->at);
    }
    const char *start = p->at;
    p->at += length;
    for (size_t i = 0; length && i < sizeof assignments / sizeof *assignments; i++)
        if (take(p, assignments[i].sign, assignments[i].but)) {
            uint32_t variable = variable_of(p, start, length);
            p->scripts->assigned.at[variable] = true;
            uint32_t value = expression(p);
            if (assignments[i].op != OP_VALUE)
                value = add(p, assignments[i].op, add(p, OP_VARIABLE, variable, 0, 0), value, 0);
            return add(p, OP_ASSIGN, variable, value, 0);
        }
    p->at = start;
    return expression(p);
}

static uint32_t statements(struct parsing *p)
{
    uint32_t all = NO_SCRIPT;
    for (skip(p); *p->at && !p->failed; skip(p)) {
        if (take(p, ";", ""))
            continue;
        uint32_t one = statement(p);
        all = all == NO_SCRIPT ? one : add(p, OP_SEQUENCE, all, one, 0);
        skip(p);
        if (*p->at && *p->at != ';' && !p->failed && p->at[-1] != '\n')
            return refuse(p, "';' is missing", p->at);
    }
    return all == NO_SCRIPT && !p->failed ? add_value(p, undefined) : all;
}

bool script_parse(struct scripts *scripts, const char *text, bool guard, script *out, char *message)
{
    struct parsing p = {.scripts = scripts, .at = text, .message = message};
    uint32_t node = guard ? expression(&p) : statements(&p);
    skip(&p);
    if (guard && take(&p, ";", ""))
        skip(&p);
    if (!p.failed && *p.at)
        refuse(&p, "not understood", p.at);
    *out = p.failed ? NO_SCRIPT : node;
    return !p.failed;
}

void scripts_free(struct scripts *scripts)
{
    tac_names_free(&scripts->variables);
    tac_names_free(&scripts->texts);
    tac_vec_free(&scripts->nodes);
    tac_vec_free(&scripts->assigned);
}

/* --- Running --- */

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
    switch (value.kind) {
    case SCRIPT_BOOL:
        return value.text;
    case SCRIPT_NUMBER:
        return value.number != 0 && !isnan(value.number);
    case SCRIPT_TEXT:
        return scripts->texts.length[value.text] > 0;
    default:
        return false;
    }
}

static double number_of(const struct scripts *scripts, struct script_value value)
{
    switch (value.kind) {
    case SCRIPT_BOOL:
        return value.text;
    case SCRIPT_NUMBER:
        return value.number;
    case SCRIPT_NULL:
        return 0;
    case SCRIPT_TEXT: {
        const char *text = scripts->texts.text[value.text];
        double number;
        while (isspace((unsigned char)*text))
            text++;
        return !*text ? 0 : tac_parse_double(text, &number) ? number : NAN;
    }
    default:
        return NAN;
    }
}

static void add_text(const struct scripts *scripts, tac_str *out, struct script_value value)
{
    char number[40];
    switch (value.kind) {
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
    default:
        tac_str_add(out, value.kind == SCRIPT_NULL ? "null" : "undefined");
    }
}

static bool are_same(struct script_value a, struct script_value b)
{
    if (a.kind != b.kind)
        return false;
    return a.kind == SCRIPT_NUMBER ? a.number == b.number : a.text == b.text;
}

static bool are_equal(const struct scripts *scripts, struct script_value a, struct script_value b)
{
    bool none_a = a.kind <= SCRIPT_NULL, none_b = b.kind <= SCRIPT_NULL;
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

static struct script_value evaluate_binary(struct scripts *scripts, const struct script_node *n,
                                           struct script_value *values)
{
    struct script_value a = evaluate(scripts, n->a, values), b = evaluate(scripts, n->b, values);
    double x = number_of(scripts, a), y = number_of(scripts, b);
    int order = compare(scripts, a, b);
    switch ((enum op)n->op) {
    case OP_EQUAL:
    case OP_UNEQUAL:
        return of_bool(are_equal(scripts, a, b) == (n->op == OP_EQUAL));
    case OP_SAME:
    case OP_NOT_SAME:
        return of_bool(are_same(a, b) == (n->op == OP_SAME));
    case OP_LESS:
        return of_bool(order == -1);
    case OP_LESS_EQUAL:
        return of_bool(order == -1 || order == 0);
    case OP_GREATER:
        return of_bool(order == 1);
    case OP_GREATER_EQUAL:
        return of_bool(order == 1 || order == 0);
    case OP_ADD:
        return plus(scripts, a, b);
    case OP_SUBTRACT:
        return of_number(x - y);
    case OP_MULTIPLY:
        return of_number(x * y);
    case OP_DIVIDE:
        return of_number(x / y);
    default:
        return of_number(fmod(x, y));
    }
}

static struct script_value evaluate(struct scripts *scripts, uint32_t node,
                                    struct script_value *values)
{
    assert(node < scripts->nodes.count);
    struct script_node n = scripts->nodes.at[node];
    struct script_value value;
    switch ((enum op)n.op) {
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
    default:
        return evaluate_binary(scripts, &n, values);
    }
}

bool script_holds(struct scripts *scripts, script guard, struct script_value *values)
{
    return truth_of(scripts, evaluate(scripts, guard, values));
}

void script_run(struct scripts *scripts, script update, struct script_value *values)
{
    evaluate(scripts, update, values);
}

/* --- Renaming --- */

char *script_rename(tac_arena *arena, const char *text, const char *prefix)
{
    static const char *const words[] = {"true", "false", "null", "undefined",
                                        "var",  "let",   "const"};
    tac_str out = {0};
    while (*text) {
        size_t length = name_length(text);
        if (*text == '\'' || *text == '"') {
            const char *end = strchr(text + 1, *text);
            length = end ? (size_t)(end - text) + 1 : strlen(text);
        } else if (isdigit((unsigned char)*text)) {
            length = strspn(text, "0123456789.eExXabcdefABCDEF");
        } else if (length) {
            bool kept = !strncmp(text, "global.", 7);
            for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                kept = kept || is_word(text, length, words[i]);
            if (!kept)
                tac_str_addf(&out, "%s.", prefix);
        }
        length = length ? length : 1;
        tac_str_add_bytes(&out, text, length);
        text += length;
    }
    char *renamed = tac_arena_strdup(arena, tac_str_text(&out));
    tac_str_free(&out);
    return renamed;
}
