/* Statements of the property language. After an error in one statement reading goes on at the next
 * one, so that a file's errors are reported together. */
#include "property/language/parse.h"
#include <string.h>

static const char *new_name(struct syntax *s, const char *what)
{
    if (s->failed || s->token.kind != SYNTAX_WORD || prop_is_reserved(&s->token)) {
        syntax_expected(s, what);
        return "";
    }
    const char *name = prop_text(s, &s->token);
    syntax_advance(s);
    return name;
}

/* Fails where a let or what is observed has this name; `observed`: or a name of the trace's own. */
static void refuse_known(struct syntax *s, const char *name, const struct syntax_token *at)
{
    const tac_properties *out = s->context;
    const struct observe_statement *seen = property_observe_of(out, name);
    for (size_t i = 0; i < out->lets.count; i++)
        if (!strcmp(out->lets.at[i]->name, name))
            syntax_fail(s, at, "'%s' is already defined in line %u", name, out->lets.at[i]->line);
    if (seen)
        syntax_fail(s, at, "'%s' is already observed in line %u", name, seen->line);
}

static void unit(struct syntax *s)
{
    tac_properties *out = s->context;
    struct syntax_token at = s->token;
    struct unit_statement statement = {.line = at.line, .column = at.column};
    statement.name = new_name(s, "the variable's name after 'unit'");
    const char *first = s->token.text;
    if (!prop_unit(s, &statement.unit)) {
        syntax_expected(s, "a unit such as kB, ms, mW or MB/s");
        return;
    }
    statement.text = tac_arena_strndup(&out->arena, first, (size_t)(s->last_end - first));
    const struct unit_statement *known = property_unit_of(out, statement.name);
    if (known)
        syntax_fail(s, &at, "the unit of '%s' is already given in line %u", statement.name,
                    known->line);
    else
        tac_vec_push(&out->units, statement);
}

static void flag(struct syntax *s, bool linear)
{
    tac_properties *out = s->context;
    struct flag_statement statement = {
        .linear = linear, .line = s->token.line, .column = s->token.column};
    do {
        statement.name = new_name(s, "a variable's name");
        if (!s->failed)
            tac_vec_push(&out->flags, statement);
    } while (syntax_accept(s, ","));
}

static void let(struct syntax *s)
{
    tac_properties *out = s->context;
    struct let_statement *let = tac_arena_calloc(&out->arena, 1, sizeof *let);
    struct syntax_token at = s->token;
    let->line = at.line;
    let->column = at.column;
    let->name = new_name(s, "a name after 'let'");
    syntax_need(s, "=", "'=' and an expression");
    let->value = prop_expression(s, POWER_ANY);
    refuse_known(s, let->name, &at);
    if (!s->failed)
        tac_vec_push(&out->lets, let);
}

/* observe NAME = FUNCTION(SELECTOR) */
static void observe(struct syntax *s)
{
    struct syntax_token at = s->token;
    tac_observable observable;
    const char *name = new_name(s, "a name after 'observe'");
    if (!syntax_need(s, "=", "'=' and what is read, such as text(css:\".title\")") ||
        !prop_observable(s, &observable))
        return;
    observable.name = name;
    if (!property_observe_of(s->context, name))
        refuse_known(s, name, &at);
    if (!strcmp(name, "event") || !strcmp(name, "t"))
        syntax_fail(s, &at, "'%s' is %s; give what is observed another name", name,
                    *name == 'e' ? "what happened" : "the time");
    if (!s->failed)
        prop_add_observable(s, &observable, at.line, at.column);
}

/* for each NAME, ... */
static void each(struct syntax *s, struct property_statement *statement)
{
    if (!syntax_is(s, "for") || !syntax_token_is(&s->ahead, "each"))
        return;
    syntax_advance(s);
    syntax_advance(s);
    do {
        struct ast *use = prop_new_node(s, AST_NAME, &s->token);
        use->source = NULL;
        use->text = new_name(s, "a variable's name after 'for each'");
        use->quoted = true;
        if (!strcmp(use->text, "event") || statement->each_count == PROPERTY_MAX_EACH)
            syntax_fail_at(s, use->line, use->column,
                           "'for each' takes at most %d variables, and not 'event'",
                           PROPERTY_MAX_EACH);
        else
            statement->each[statement->each_count++] = use;
    } while (syntax_accept(s, ","));
}

static void property(struct syntax *s)
{
    tac_properties *out = s->context;
    struct syntax_token at = s->token;
    struct property_statement statement = {.line = at.line, .column = at.column};
    statement.name = new_name(s, "a name after 'property'");
    each(s, &statement);
    syntax_need(s, ":", "':' after the property's name");
    struct ast written = {.source = s->token.text - (s->token.quote ? 1 : 0)};
    statement.body = prop_expression(s, POWER_ANY);
    size_t known = s->failed ? SIZE_MAX : tac_property_find(out, statement.name);
    if (known != SIZE_MAX)
        syntax_fail(s, &at, "property '%s' is already defined in line %u", statement.name,
                    out->properties.at[known].line);
    if (out->properties.count >= PROPERTY_MAX_COUNT)
        syntax_fail(s, &at, "more than %d properties in one file", PROPERTY_MAX_COUNT);
    if (s->failed)
        return;
    written.source_length = (size_t)(s->last_end - written.source);
    statement.source = ast_source(&out->arena, &written); /* brackets around the body included */
    tac_vec_push(&out->properties, statement);
}

static void monotone(struct syntax *s)
{
    flag(s, false);
}

static void linear(struct syntax *s)
{
    flag(s, true);
}

static void statement(struct syntax *s)
{
    static void (*const readers[PROP_STATEMENTS])(struct syntax * s) = {unit,     let,    property,
                                                                        monotone, linear, observe};
    size_t i = 0;
    while (i < PROP_STATEMENTS && !syntax_accept(s, prop_statements[i]))
        i++;
    if (i < PROP_STATEMENTS)
        readers[i](s);
    if (s->token.kind != SYNTAX_END && !syntax_at_statement(s))
        syntax_expected_one_of(
            s,
            i < PROP_STATEMENTS ? "an operator or the next statement"
                                : "a statement (observe, unit, let, property, monotone or linear)",
            prop_statements, PROP_STATEMENTS);
}

void property_parse_text(tac_properties *properties, tac_diagnostics *diagnostics)
{
    struct syntax s = {.context = properties, .file = properties->file, .diagnostics = diagnostics};
    syntax_open(&s, &property_language, properties->text, properties->size, 1, 1);
    while (s.token.kind != SYNTAX_END && diagnostics->errors < TAC_DIAGNOSTICS_MAX) {
        statement(&s);
        if (s.failed)
            syntax_recover(&s, true);
    }
}
