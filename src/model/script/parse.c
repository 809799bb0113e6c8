/* Parses guards and updates: precedence climbing over one flat array of nodes. Cost: linear in the
 * text. Depth of nesting is capped, and so is the number of nodes: operators in a row lean to the
 * left, and evaluating goes down there. */
#include "base/data/str.h"
#include "model/script/nodes.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 100
#define MOST_NODES 5000

struct parsing {
    struct scripts *scripts;
    const char *at;
    char *message; /* set at the first mistake */
    bool failed;
    unsigned depth;
    size_t first; /* node of this script */
};

static const struct script_value undefined = {.kind = SCRIPT_UNDEFINED};

static uint32_t refuse(struct parsing *p, const char *what, const char *at)
{
    if (!p->failed)
        snprintf(p->message, 200, "%s: '%.40s'", what, at);
    p->failed = true;
    return NO_SCRIPT;
}

static uint32_t add(struct parsing *p, enum script_op op, uint32_t a, uint32_t b, uint32_t c)
{
    if (p->failed)
        return NO_SCRIPT;
    if (p->scripts->nodes.count - p->first >= MOST_NODES)
        return refuse(p, "more than 5000 names, values and operators, at", p->at);
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

static uint32_t variable_of(struct parsing *p, const char *at, size_t length)
{
    uint32_t variable = tac_names_intern_bytes(&p->scripts->variables, at, length);
    while (p->scripts->assigned.count <= variable)
        tac_vec_push(&p->scripts->assigned, false);
    return variable;
}

/* What stands behind a backslash; '\0': it is one that is not understood (a number). */
static char escaped(char letter)
{
    static const char letters[] = "nrtbfv", meant[] = "\n\r\t\b\f\v";
    const char *found = letter ? strchr(letters, letter) : NULL;
    if (found)
        return meant[found - letters];
    return letter && strchr("xu0123456789", letter) ? '\0' : letter;
}

static uint32_t text_value(struct parsing *p)
{
    char quote = *p->at++;
    tac_str text = {0};
    while (*p->at && *p->at != quote) {
        bool escape = *p->at == '\\' && p->at[1];
        char letter = escape ? escaped(p->at[1]) : *p->at;
        if (!letter) {
            tac_str_free(&text);
            return refuse(p, "a character by its number is not understood", p->at);
        }
        tac_str_add_char(&text, letter);
        p->at += escape ? 2 : 1;
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
    size_t length = script_name_length(start);
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (script_is_word(start, length, constants[i].word)) {
            p->at += length;
            return add_value(p, constants[i].value);
        }
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (script_is_word(start, length, foreign[i]))
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
    uint32_t old = add(p, OP_PLUS, add(p, OP_VARIABLE, variable, 0, 0), 0, 0); /* of a text, too */
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
    } else if (script_name_length(p->at)) {
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
        size_t length = script_name_length(p->at);
        if (!length)
            return refuse(p, "a variable is missing", p->at);
        uint32_t variable = variable_of(p, p->at, length);
        p->at += length;
        p->scripts->assigned.at[variable] = true;
        uint32_t one = add_value(p, (struct script_value){.kind = SCRIPT_NUMBER, .number = 1});
        uint32_t old = add(p, OP_PLUS, add(p, OP_VARIABLE, variable, 0, 0), 0, 0);
        return add(p, OP_ASSIGN, variable, add(p, up ? OP_ADD : OP_SUBTRACT, old, one, 0), 0);
    }
    enum script_op op = take(p, "!", "=")   ? OP_NOT
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
    enum script_op op;
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
        enum script_op op;
    } assignments[] = {{"=", "=", OP_VALUE},    {"+=", "", OP_ADD},    {"-=", "", OP_SUBTRACT},
                       {"*=", "", OP_MULTIPLY}, {"/=", "", OP_DIVIDE}, {"%=", "", OP_MODULO}};
    skip(p);
    size_t length = script_name_length(p->at);
    if (script_is_word(p->at, length, "var") || script_is_word(p->at, length, "let") ||
        script_is_word(p->at, length, "const")) {
        p->at += length;
        skip(p);
        length = script_name_length(p->at);
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
    struct parsing p = {
        .scripts = scripts, .at = text, .message = message, .first = scripts->nodes.count};
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
