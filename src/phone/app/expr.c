/* The small expression language of app files: conditions and values over the app's variables.
 *
 *   or   := and { "or" and }          and := not { "and" not }       not := "not" not | compare
 *   compare := sum [ (== != < <= > >=) sum ]      sum := product { (+ -) product }
 *   product := unary { (* / %) unary }            unary := "-" unary | primary
 *   primary := number | 'text' | true | false | item | media | random(N) | count(event) | name |
 * (or)
 *
 * Recursive descent, one pass, depth and size capped (operators in a row lean to the left, and
 * evaluating goes down there); every error names the column inside the expression. */
#include "base/data/text.h"
#include "phone/app/app.h"
#include <ctype.h>

struct parser {
    struct sim_place *place;
    const char *text, *at;
    unsigned depth;
    size_t first; /* node of this expression */
};

#define MOST_NODES 5000

static tac_status parse_or(struct parser *p, uint32_t *out);

static tac_status wrong(struct parser *p, const char *what)
{
    return sim_wrong(p->place, "in '%.200s%s', character %zu: %s", p->text,
                     strlen(p->text) > 200 ? "..." : "", (size_t)(p->at - p->text) + 1, what);
}

static void blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t')
        p->at++;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool word(struct parser *p, const char *expected)
{
    blanks(p);
    size_t n = strlen(expected);
    if (strncmp(p->at, expected, n) != 0 || is_name(p->at[n]))
        return false;
    p->at += n;
    return true;
}

static bool symbol(struct parser *p, const char *expected)
{
    blanks(p);
    size_t n = strlen(expected);
    if (strncmp(p->at, expected, n) != 0)
        return false;
    p->at += n;
    return true;
}

static uint32_t add(struct parser *p, enum sim_op op, uint32_t a, uint32_t b)
{
    struct sim_app *app = p->place->app;
    tac_vec_push(&app->exprs, (struct sim_expr){.op = op, .a = a, .b = b});
    return (uint32_t)app->exprs.count - 1;
}

static tac_status parse_quoted(struct parser *p, uint32_t *out)
{
    const char *end = strchr(++p->at, '\'');
    if (!end)
        return wrong(p, "the text has no closing quote (')");
    *out = add(p, SIM_OP_TEXT, 0, 0);
    struct sim_app *app = p->place->app;
    app->exprs.at[*out].value.text = tac_arena_strndup(&app->arena, p->at, (size_t)(end - p->at));
    p->at = end + 1;
    return TAC_OK;
}

static tac_status parse_number(struct parser *p, uint32_t *out)
{
    char digits[64];
    size_t n = 0;
    while ((isdigit((unsigned char)*p->at) || *p->at == '.') && n + 1 < sizeof digits)
        digits[n++] = *p->at++;
    digits[n] = '\0';
    double number;
    if (!tac_parse_double(digits, &number))
        return wrong(p, "this is not a number");
    *out = add(p, SIM_OP_NUMBER, 0, 0);
    p->place->app->exprs.at[*out].value.number = number;
    return TAC_OK;
}

/* name, or name(argument) for random and count. */
static tac_status parse_name(struct parser *p, uint32_t *out)
{
    const char *start = p->at;
    while (is_name(*p->at))
        p->at++;
    char name[128];
    size_t n = (size_t)(p->at - start);
    if (n >= sizeof name)
        return wrong(p, "the name is too long");
    memcpy(name, start, n);
    name[n] = '\0';
    if (!strcmp(name, "random") && symbol(p, "(")) {
        uint32_t most = 0;
        tac_status st = parse_or(p, &most);
        if (st)
            return st;
        *out = add(p, SIM_OP_RANDOM, most, 0);
        return symbol(p, ")") ? TAC_OK : wrong(p, "')' is missing after random(");
    }
    if (!strcmp(name, "count") && symbol(p, "(")) {
        blanks(p);
        const char *first = p->at;
        while (*p->at && *p->at != ')')
            p->at++;
        if (!*p->at || p->at == first)
            return wrong(p, "count(EVENT) needs the name of an event and ')'");
        char *event = tac_strndup(first, (size_t)(p->at++ - first));
        *out = add(p, SIM_OP_COUNT, sim_label(p->place->app, event), 0);
        free(event);
        return TAC_OK;
    }
    struct sim_ref ref;
    if (!sim_find_variable(p->place, name, &ref)) {
        p->at = start;
        char message[256];
        snprintf(message, sizeof message,
                 "there is no variable '%s'; declare it under 'variables', 'kept' or the "
                 "activity's 'locals' (a text goes in single quotes)",
                 name);
        return wrong(p, message);
    }
    *out = add(p, SIM_OP_VARIABLE, 0, 0);
    p->place->app->exprs.at[*out].ref = ref;
    return TAC_OK;
}

static tac_status parse_primary(struct parser *p, uint32_t *out)
{
    blanks(p);
    if (symbol(p, "(")) {
        tac_status st = parse_or(p, out);
        if (st)
            return st;
        return symbol(p, ")") ? TAC_OK : wrong(p, "')' is missing");
    }
    if (*p->at == '\'')
        return parse_quoted(p, out);
    if (isdigit((unsigned char)*p->at))
        return parse_number(p, out);
    if (word(p, "true") || word(p, "false")) {
        *out = add(p, SIM_OP_NUMBER, 0, 0);
        p->place->app->exprs.at[*out].value.number = p->at[-1] == 'e' && p->at[-2] == 'u';
        return TAC_OK;
    }
    if (word(p, "item")) {
        *out = add(p, SIM_OP_ITEM, 0, 0);
        return TAC_OK;
    }
    if (word(p, "media")) {
        *out = add(p, SIM_OP_MEDIA, 0, 0);
        return TAC_OK;
    }
    if (is_name(*p->at))
        return parse_name(p, out);
    return wrong(p, "a value is expected here");
}

static tac_status parse_unary(struct parser *p, uint32_t *out)
{
    if (++p->depth > SIM_MAX_DEPTH * 8)
        return wrong(p, "the expression is nested too deeply");
    if (p->place->app->exprs.count - p->first >= MOST_NODES)
        return wrong(p, "the expression has more than 5000 values and operators");
    tac_status st;
    if (symbol(p, "-")) {
        uint32_t a = 0;
        st = parse_unary(p, &a);
        *out = st ? 0 : add(p, SIM_OP_MINUS, a, 0);
    } else {
        st = parse_primary(p, out);
    }
    p->depth--;
    return st;
}

struct level {
    const char *symbols[3];
    enum sim_op ops[3];
};

static tac_status parse_binary(struct parser *p, const struct level *levels, size_t depth,
                               uint32_t *out)
{
    tac_status st = depth ? parse_binary(p, levels + 1, depth - 1, out) : parse_unary(p, out);
    while (!st) {
        size_t i = 0;
        while (i < 3 && levels->symbols[i] && !symbol(p, levels->symbols[i]))
            i++;
        if (i == 3 || !levels->symbols[i])
            return TAC_OK;
        uint32_t right = 0;
        st = depth ? parse_binary(p, levels + 1, depth - 1, &right) : parse_unary(p, &right);
        if (!st)
            *out = add(p, levels->ops[i], *out, right);
    }
    return st;
}

static tac_status parse_compare(struct parser *p, uint32_t *out)
{
    static const struct level levels[] = {{{"+", "-", NULL}, {SIM_OP_ADD, SIM_OP_SUB, SIM_OP_SUB}},
                                          {{"*", "/", "%"}, {SIM_OP_MUL, SIM_OP_DIV, SIM_OP_MOD}}};
    static const char *const symbols[] = {"==", "!=", "<=", ">=", "<", ">"};
    static const enum sim_op ops[] = {SIM_OP_EQ, SIM_OP_NE, SIM_OP_LE,
                                      SIM_OP_GE, SIM_OP_LT, SIM_OP_GT};
    tac_status st = parse_binary(p, levels, 1, out);
    if (st)
        return st;
    for (size_t i = 0; i < 6; i++) {
        if (!symbol(p, symbols[i]))
            continue;
        uint32_t right = 0;
        st = parse_binary(p, levels, 1, &right);
        if (!st)
            *out = add(p, ops[i], *out, right);
        return st;
    }
    return TAC_OK;
}

static tac_status parse_not(struct parser *p, uint32_t *out)
{
    if (++p->depth > SIM_MAX_DEPTH * 8)
        return wrong(p, "the expression is nested too deeply");
    tac_status st;
    if (word(p, "not")) {
        uint32_t a = 0;
        st = parse_not(p, &a);
        *out = st ? 0 : add(p, SIM_OP_NOT, a, 0);
    } else {
        st = parse_compare(p, out);
    }
    p->depth--;
    return st;
}

static tac_status parse_and(struct parser *p, uint32_t *out)
{
    tac_status st = parse_not(p, out);
    while (!st && word(p, "and")) {
        uint32_t right = 0;
        st = parse_not(p, &right);
        if (!st)
            *out = add(p, SIM_OP_AND, *out, right);
    }
    return st;
}

static tac_status parse_or(struct parser *p, uint32_t *out)
{
    tac_status st = parse_and(p, out);
    while (!st && word(p, "or")) {
        uint32_t right = 0;
        st = parse_and(p, &right);
        if (!st)
            *out = add(p, SIM_OP_OR, *out, right);
    }
    return st;
}

tac_status sim_parse_expr(struct sim_place *place, const char *text, uint32_t *out)
{
    struct parser p = {place, text, text, 0, place->app->exprs.count};
    uint32_t root = 0;
    tac_status st = parse_or(&p, &root);
    if (st)
        return st;
    blanks(&p);
    if (*p.at)
        return wrong(&p, "the expression should end here");
    *out = root;
    return TAC_OK;
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
