/* The small expression language of app files: conditions and values over the app's variables.
 *
 *   or, and, not; == != < <= > >= between two values; + -; * / %; a minus; from the loosest on
 *   value := number | 'text' | true | false | item | media | random(N) | count(EVENT) | name | (or)
 *
 * Depth and size are capped (operators in a row lean to the left, and evaluating goes down there);
 * every mistake names its character inside the expression. */
#include "base/syntax/syntax.h"
#include "phone/app/load.h"

static const struct syntax_operator operators[] = {
    {"or", SIM_OP_OR, 1, SYNTAX_LEFT, NULL},     {"and", SIM_OP_AND, 2, SYNTAX_LEFT, NULL},
    {"not", SIM_OP_NOT, 3, SYNTAX_PREFIX, NULL}, {"==", SIM_OP_EQ, 4, SYNTAX_SINGLE, NULL},
    {"!=", SIM_OP_NE, 4, SYNTAX_SINGLE, NULL},   {"<", SIM_OP_LT, 4, SYNTAX_SINGLE, NULL},
    {"<=", SIM_OP_LE, 4, SYNTAX_SINGLE, NULL},   {">", SIM_OP_GT, 4, SYNTAX_SINGLE, NULL},
    {">=", SIM_OP_GE, 4, SYNTAX_SINGLE, NULL},   {"+", SIM_OP_ADD, 5, SYNTAX_LEFT, NULL},
    {"-", SIM_OP_SUB, 5, SYNTAX_LEFT, NULL},     {"*", SIM_OP_MUL, 6, SYNTAX_LEFT, NULL},
    {"/", SIM_OP_DIV, 6, SYNTAX_LEFT, NULL},     {"%", SIM_OP_MOD, 6, SYNTAX_LEFT, NULL},
    {"-", SIM_OP_MINUS, 7, SYNTAX_PREFIX, NULL}, {NULL, 0, 0, SYNTAX_LEFT, NULL}};

bool sim_is_reserved(const char *name)
{
    static const char *const values[] = {"item", "media", "random", "count", "true", "false"};
    bool found = false;
    for (const struct syntax_operator *op = operators; op->text && !found; op++)
        found = !strcmp(op->text, name);
    for (size_t i = 0; i < sizeof values / sizeof *values && !found; i++)
        found = !strcmp(values[i], name);
    return found;
}

static syntax_node add(struct syntax *s, struct sim_expr expr)
{
    struct sim_place *place = s->context;
    if (syntax_count_node(s))
        tac_vec_push(&place->app->exprs, expr);
    return (syntax_node){.index = place->app->exprs.count - 1};
}

static syntax_node combine(struct syntax *s, const struct syntax_taken *op, syntax_node left,
                           syntax_node right)
{
    return add(s, (struct sim_expr){.op = (enum sim_op)op->op->kind,
                                    .a = (uint32_t)left.index,
                                    .b = (uint32_t)right.index});
}

/* count(EVENT): all up to the bracket is the event's name. */
static syntax_node count_call(struct syntax *s)
{
    struct sim_place *place = s->context;
    const char *from = s->last_end + strspn(s->last_end, " \t"), *close = strchr(from, ')');
    if (s->failed || !close || close == from) {
        syntax_expected(s, "the name of an event and ')'");
        return (syntax_node){0};
    }
    char *event = tac_strndup(from, (size_t)(close - from));
    uint32_t label = sim_label(place->app, event);
    free(event);
    syntax_go_on(s, &s->token, close + 1);
    return add(s, (struct sim_expr){.op = SIM_OP_COUNT, .a = label});
}

static syntax_node variable(struct syntax *s)
{
    struct sim_place *place = s->context;
    struct sim_expr expr = {.op = SIM_OP_VARIABLE};
    char message[400], *name = tac_strndup(s->token.text, s->token.length);
    if (sim_is_reserved(name))
        syntax_expected(s, "a value");
    else if (!sim_find_variable(place, name, &expr.ref))
        syntax_fail(s, &s->token, "%s (a text goes in single quotes)",
                    sim_unknown_variable(place, name, message, sizeof message));
    free(name);
    syntax_advance(s);
    return add(s, expr);
}

static syntax_node primary(struct syntax *s)
{
    struct sim_place *place = s->context;
    struct syntax_token token = s->token;
    bool called = syntax_token_is(&s->ahead, "(");
    syntax_node inside;
    if (syntax_accept(s, "(")) {
        inside = syntax_expression(s, 0);
        syntax_need(s, ")", NULL);
        return inside;
    }
    if (called && syntax_accept(s, "random")) {
        inside = primary(s); /* the brackets */
        return add(s, (struct sim_expr){.op = SIM_OP_RANDOM, .a = (uint32_t)inside.index});
    }
    if (called && syntax_accept(s, "count")) {
        syntax_advance(s);
        return count_call(s);
    }
    if (syntax_accept(s, "true") || syntax_accept(s, "false"))
        return add(s, (struct sim_expr){.op = SIM_OP_NUMBER,
                                        .value = {.number = token.length == strlen("true")}});
    if (syntax_accept(s, "item"))
        return add(s, (struct sim_expr){.op = SIM_OP_ITEM});
    if (syntax_accept(s, "media"))
        return add(s, (struct sim_expr){.op = SIM_OP_MEDIA});
    if (token.kind == SYNTAX_WORD)
        return variable(s);
    struct sim_expr value = {.op = SIM_OP_NUMBER, .value = {.number = token.number}};
    if (token.kind == SYNTAX_TEXT)
        value = (struct sim_expr){.op = SIM_OP_TEXT,
                                  .value.text = syntax_text(s, &token, &place->app->arena)};
    else if (token.kind != SYNTAX_NUMBER)
        syntax_expected(s, "a value");
    syntax_advance(s);
    return add(s, value);
}

static void report(struct syntax *s, uint32_t line, uint32_t column, const char *message)
{
    struct sim_place *place = s->context;
    const char *text = place->expression;
    s->status =
        sim_wrong(place, "in '%.200s%s', character %zu: %s", text, strlen(text) > 200 ? "..." : "",
                  syntax_character(text, line, column), message);
}

static const struct syntax_language language = {.blanks = " \t",
                                                .quotes = "'",
                                                .long_texts = true,
                                                .hidden_texts = true,
                                                .marks = "( )",
                                                .operators = operators,
                                                .primary = primary,
                                                .combine = combine,
                                                .most_depth = SIM_MAX_DEPTH * 8,
                                                .most_nodes = 5000,
                                                .end = "the end of the expression",
                                                .report = report};

static tac_status sim_parse_expr(struct sim_place *place, const char *text, uint32_t *out)
{
    struct syntax s = {.context = place};
    place->expression = text;
    syntax_open(&s, &language, text, strlen(text), 1, 1);
    syntax_node root = syntax_expression(&s, 0);
    if (s.token.kind != SYNTAX_END)
        syntax_expected(&s, "an operator");
    if (s.status == TAC_OK)
        *out = (uint32_t)root.index;
    return s.status;
}

tac_status sim_parse_value(struct sim_place *place, const json_t *value, uint32_t *out)
{
    if (json_is_string(value))
        return sim_parse_expr(place, json_string_value(value), out);
    if (!json_is_number(value) && !json_is_boolean(value))
        return sim_wrong(place, "expected a number, true, false or an expression in quotes");
    double number = json_is_true(value) ? 1 : json_is_number(value) ? json_number_value(value) : 0;
    tac_vec_push(&place->app->exprs,
                 (struct sim_expr){.op = SIM_OP_NUMBER, .value = {.number = number}});
    *out = (uint32_t)place->app->exprs.count - 1;
    return TAC_OK;
}

static void add_literal(struct sim_app *app, struct sim_text *text, const char *from, size_t length)
{
    if (!length)
        return;
    tac_vec_push(&app->parts, (struct sim_part){tac_arena_strndup(&app->arena, from, length), 0});
    text->count++;
}

/* "Song {track + 1} of 9": literals and expressions; "{{" is a brace. */
tac_status sim_parse_text(struct sim_place *place, const char *source, uint32_t *out)
{
    struct sim_app *app = place->app;
    struct sim_text text = {(uint32_t)app->parts.count, 0};
    const char *at = source;
    while (*at) {
        size_t plain = strcspn(at, "{");
        add_literal(app, &text, at, plain);
        at += plain;
        if (!*at)
            break;
        if (at[1] == '{') {
            add_literal(app, &text, "{", 1);
            at += 2;
            continue;
        }
        const char *end = strchr(at, '}');
        if (!end)
            return sim_wrong(place, "the \"{\" has no \"}\"; write {{ for a brace");
        char *inner = tac_strndup(at + 1, (size_t)(end - at - 1));
        uint32_t expr = 0;
        tac_status st = sim_parse_expr(place, inner, &expr);
        free(inner);
        if (st)
            return st;
        tac_vec_push(&app->parts, (struct sim_part){NULL, expr});
        text.count++;
        at = end + 1;
    }
    tac_vec_push(&app->texts, text);
    *out = (uint32_t)app->texts.count - 1;
    return TAC_OK;
}
