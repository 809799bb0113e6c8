/* Guards and updates as a language of base/syntax: their primaries and statements; nodes are of one
 * flat array. Cost: linear in the text. Depth of nesting is capped, and so is the number of nodes:
 * operators in a row lean to the left, and evaluating goes down there. */
#include "model/script/nodes.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parsing {
    struct scripts *scripts;
    char *message; /* set at the first mistake */
    tac_arena texts;
};

static const struct script_value undefined = {.kind = SCRIPT_UNDEFINED};

static uint32_t add(struct syntax *s, enum script_op op, uint32_t a, uint32_t b, uint32_t c)
{
    struct scripts *scripts = ((struct parsing *)s->context)->scripts;
    if (s->failed || !syntax_count_node(s))
        return NO_SCRIPT;
    tac_vec_push(&scripts->nodes, (struct script_node){.op = (uint8_t)op, a, b, c, undefined});
    return (uint32_t)(scripts->nodes.count - 1);
}

static uint32_t add_value(struct syntax *s, struct script_value value)
{
    uint32_t node = add(s, OP_VALUE, 0, 0, 0);
    if (node != NO_SCRIPT)
        ((struct parsing *)s->context)->scripts->nodes.at[node].value = value;
    return node;
}

static uint32_t variable_of(struct syntax *s, const struct syntax_token *name, bool assigned)
{
    struct scripts *scripts = ((struct parsing *)s->context)->scripts;
    uint32_t variable = tac_names_intern_bytes(&scripts->variables, name->text, name->length);
    while (scripts->assigned.count <= variable)
        tac_vec_push(&scripts->assigned, false);
    scripts->assigned.at[variable] |= assigned;
    return variable;
}

/* The value of a variable and one more or less; a text becomes a number. */
static uint32_t stepped(struct syntax *s, uint32_t variable, enum script_op op)
{
    uint32_t one = add_value(s, (struct script_value){.kind = SCRIPT_NUMBER, .number = 1});
    uint32_t old = add(s, OP_PLUS, add(s, OP_VARIABLE, variable, 0, 0), 0, 0);
    return add(s, op, old, one, 0);
}

static uint32_t text_value(struct syntax *s)
{
    struct parsing *p = s->context;
    const char *text = syntax_text(s, &s->token, &p->texts);
    syntax_advance(s);
    struct script_value value = {.kind = SCRIPT_TEXT};
    value.text = s->failed ? 0 : tac_names_intern(&p->scripts->texts, text);
    return add_value(s, value);
}

static uint32_t named(struct syntax *s)
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
    struct syntax_token name = s->token;
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (syntax_accept(s, constants[i].word))
            return add_value(s, constants[i].value);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (syntax_is(s, foreign[i]))
            syntax_fail(s, &name, "'%s' is not understood", foreign[i]);
    syntax_advance(s);
    if (syntax_is(s, "(") || syntax_is(s, "["))
        syntax_fail(
            s, &name, "%s are not understood: '%.*s%s'", syntax_is(s, "(") ? "functions" : "arrays",
            (int)(name.length > 40 ? 40 : name.length), name.text, syntax_is(s, "(") ? "(" : "[");
    bool up = syntax_accept(s, "++"), down = !up && syntax_accept(s, "--");
    uint32_t variable = variable_of(s, &name, up || down);
    if (!up && !down)
        return add(s, OP_VARIABLE, variable, 0, 0);
    return add(s, OP_STEP, variable, stepped(s, variable, up ? OP_ADD : OP_SUBTRACT), 0);
}

static syntax_node primary(struct syntax *s)
{
    syntax_node node = {.index = NO_SCRIPT};
    if (syntax_accept(s, "(")) {
        node = syntax_expression(s, 0);
        syntax_need(s, ")", NULL);
    } else if (s->token.kind == SYNTAX_TEXT) {
        node.index = text_value(s);
    } else if (s->token.kind == SYNTAX_NUMBER) {
        double number = s->token.number;
        syntax_advance(s);
        node.index = add_value(s, (struct script_value){.kind = SCRIPT_NUMBER, .number = number});
    } else if (s->token.kind == SYNTAX_WORD) {
        node.index = named(s);
    } else {
        syntax_expected(s, "a value, a variable or '('");
    }
    return node;
}

/* What follows "a ?", "++" and "--". */
static syntax_node taken(struct syntax *s, const struct syntax_taken *op)
{
    syntax_node node = {.index = NO_SCRIPT};
    struct syntax_token name = s->token;
    if (op->op->kind == OP_CHOICE) {
        node = syntax_expression(s, 0);
        syntax_need(s, ":", NULL);
    } else if (op->op->place == SYNTAX_WHOLE) {
        if (name.kind != SYNTAX_WORD)
            syntax_expected(s, "a variable");
        if (s->failed)
            return node;
        syntax_advance(s);
        uint32_t variable = variable_of(s, &name, true);
        node.index =
            add(s, OP_ASSIGN, variable, stepped(s, variable, (enum script_op)op->op->kind), 0);
    }
    return node;
}

static syntax_node combine(struct syntax *s, const struct syntax_taken *op, syntax_node left,
                           syntax_node right)
{
    enum script_op kind = (enum script_op)op->op->kind;
    uint32_t a = (uint32_t)left.index, b = (uint32_t)right.index, c = 0;
    if (kind == OP_CHOICE) {
        c = b;
        b = (uint32_t)op->more.index;
    }
    return (syntax_node){.index = add(s, kind, a, b, c)};
}

/* NAME = e, NAME += e, or an expression (n++). */
static uint32_t statement(struct syntax *s)
{
    static const struct {
        const char *sign;
        enum script_op op;
    } assignments[] = {{"=", OP_VALUE},     {"+=", OP_ADD},    {"-=", OP_SUBTRACT},
                       {"*=", OP_MULTIPLY}, {"/=", OP_DIVIDE}, {"%=", OP_MODULO}};
    if (!syntax_accept(s, "var") && !syntax_accept(s, "let"))
        syntax_accept(s, "const");
    struct syntax_token name = s->token;
    for (size_t i = 0; i < sizeof assignments / sizeof *assignments; i++)
        if (name.kind == SYNTAX_WORD && syntax_token_is(&s->ahead, assignments[i].sign)) {
            syntax_advance(s);
            syntax_advance(s);
            uint32_t variable = variable_of(s, &name, true);
            uint32_t value = (uint32_t)syntax_expression(s, 0).index;
            if (assignments[i].op != OP_VALUE)
                value = add(s, assignments[i].op, add(s, OP_VARIABLE, variable, 0, 0), value, 0);
            return add(s, OP_ASSIGN, variable, value, 0);
        }
    return (uint32_t)syntax_expression(s, 0).index;
}

static uint32_t statements(struct syntax *s)
{
    uint32_t all = NO_SCRIPT;
    while (s->token.kind != SYNTAX_END && !s->failed) {
        if (syntax_accept(s, ";"))
            continue;
        uint32_t one = statement(s);
        all = all == NO_SCRIPT ? one : add(s, OP_SEQUENCE, all, one, 0);
        if (!s->failed && s->token.kind != SYNTAX_END && !syntax_is(s, ";") &&
            s->token.text[s->token.quote ? -2 : -1] != '\n')
            syntax_expected(s, "an operator or ';'");
    }
    return all == NO_SCRIPT && !s->failed ? add_value(s, undefined) : all;
}

/* Numbers are C's, which JavaScript's are for what stands in models: 10, .5, 1e3, 0x1F. */
static size_t odd(const struct syntax *s, struct syntax_token *token, const char *at,
                  const char *end)
{
    char *stop;
    if (!isdigit((unsigned char)*at) &&
        (*at != '.' || s->end - at < 2 || !isdigit((unsigned char)at[1])))
        return 0;
    token->kind = SYNTAX_NUMBER;
    token->number = strtod(at, &stop);
    return (size_t)((stop < end ? stop : end) - at);
}

static void report(struct syntax *s, uint32_t line, uint32_t column, const char *message)
{
    char *out = ((struct parsing *)s->context)->message;
    if (line > 1)
        snprintf(out, SCRIPT_MESSAGE, "line %u, column %u: %s", line, column, message);
    else
        snprintf(out, SCRIPT_MESSAGE, "column %u: %s", column, message);
}

#define SCRIPT_ROW(kind, text, power, place) {text, kind, power, place, NULL},
static const struct syntax_operator operators[] = {
    SCRIPT_OPERATORS(SCRIPT_ROW) /* x++ is a name's */
    {"++", OP_ADD, 8, SYNTAX_WHOLE, NULL},
    {"--", OP_SUBTRACT, 8, SYNTAX_WHOLE, NULL},
    {NULL, 0, 0, SYNTAX_LEFT, NULL}};

static const struct syntax_escapes escapes = {
    .letters = "nrtbfv", .meant = "\n\r\t\b\f\v", .refused = "xu0123456789"};

const struct syntax_language script_language = {.blanks = " \t\n\v\f\r",
                                                .comment = "//",
                                                .block_comments = true,
                                                .word_start = "$",
                                                .inner_dots = true,
                                                .quotes = "'\"",
                                                .long_texts = true,
                                                .hidden_texts = true,
                                                .escapes = &escapes,
                                                .marks = "( ) [ : ; = += -= *= /= %=",
                                                .odd = odd,
                                                .operators = operators,
                                                .primary = primary,
                                                .combine = combine,
                                                .taken = taken,
                                                .most_depth = 100,
                                                .most_nodes = 5000,
                                                .end = "the end",
                                                .report = report};

bool script_parse(struct scripts *scripts, const char *text, bool guard, script *out, char *message)
{
    struct parsing p = {.scripts = scripts, .message = message};
    struct syntax s = {.context = &p};
    syntax_open(&s, &script_language, text, strlen(text), 1, 1);
    uint32_t node = guard ? (uint32_t)syntax_expression(&s, 0).index : statements(&s);
    if (guard)
        syntax_accept(&s, ";");
    if (syntax_is(&s, "="))
        syntax_fail(&s, &s.token, "a comparison is written '==' or '==='");
    if (s.token.kind != SYNTAX_END)
        syntax_expected(&s, "an operator or the end");
    *out = s.failed ? NO_SCRIPT : node;
    tac_arena_free(&p.texts);
    return !s.failed;
}

void scripts_free(struct scripts *scripts)
{
    tac_names_free(&scripts->variables);
    tac_names_free(&scripts->texts);
    tac_vec_free(&scripts->nodes);
    tac_vec_free(&scripts->assigned);
}
