/* Statements of the property language, by recursive descent. After an error in one statement the
 * parser goes on at the next one, so that a file's errors are reported together. */
#include "property/language/parse.h"
#include "base/check.h"

#include "base/data/text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void prop_advance(struct property_parser *parser)
{
    assert(parser->lexer.at <= parser->lexer.end);
    parser->last_end = parser->token.text + parser->token.length;
    if (parser->token.quoted)
        parser->last_end++;
    parser->token = parser->ahead;
    parser->ahead = prop_lexer_next(&parser->lexer);
}

void prop_fail_at(struct property_parser *parser, uint32_t line, uint32_t column,
                  const char *format, ...)
{
    assert(parser->out->file != NULL);
    char message[600];
    va_list args;
    if (parser->failed)
        return;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    tac_diagnostics_add(parser->diagnostics, TAC_ERROR, parser->out->file, line, column, "%s",
                        message);
    parser->failed = true;
    parser->failed_line = line;
}

void prop_expected(struct property_parser *parser, const char *what)
{
    const struct property_token *token = &parser->token;
    int length = token->length > 40 ? 40 : (int)token->length;
    if (token->kind == TOKEN_END)
        prop_fail_at(parser, token->line, token->column, "expected %s, found the end of the file",
                     what);
    else if (token->kind == TOKEN_BAD && length && (token->text[0] == '"' || token->text[0] == '`'))
        prop_fail_at(parser, token->line, token->column,
                     token->text + token->length < parser->lexer.end &&
                             token->text[token->length] == token->text[0]
                         ? "a hidden character stands in these quotes: write it by its number, "
                           "such as \\u202e"
                         : "this quote is not closed on its line");
    else
        prop_fail_at(parser, token->line, token->column, "expected %s, found '%.*s'", what, length,
                     token->text);
}

bool prop_accept(struct property_parser *parser, const char *word)
{
    if (parser->failed || !prop_token_is(&parser->token, word))
        return false;
    prop_advance(parser);
    return true;
}

void prop_expect(struct property_parser *parser, const char *word, const char *what)
{
    if (!prop_accept(parser, word))
        prop_expected(parser, what);
}

static bool is_statement(const struct property_token *token)
{
    return prop_token_is(token, "unit") || prop_token_is(token, "let") ||
           prop_token_is(token, "property") || prop_token_is(token, "monotone") ||
           prop_token_is(token, "linear") || prop_token_is(token, "observe");
}

static const char *parse_new_name(struct property_parser *parser, const char *what)
{
    if (parser->failed || parser->token.kind != TOKEN_NAME || is_statement(&parser->token) ||
        prop_is_reserved(&parser->token)) {
        prop_expected(parser, what);
        return "";
    }
    const char *name = prop_text(parser, &parser->token);
    prop_advance(parser);
    return name;
}

static void parse_unit(struct property_parser *parser)
{
    struct unit_statement statement = {.line = parser->token.line, .column = parser->token.column};
    statement.name = parse_new_name(parser, "the variable's name after 'unit'");
    if (parser->failed)
        return;
    struct property_token first = parser->token;
    if (!prop_unit(parser, &statement.unit)) {
        if (!parser->failed)
            prop_expected(parser, "a unit such as kB, ms, mW or MB/s");
        return;
    }
    statement.text =
        tac_arena_strndup(&parser->out->arena, first.text, (size_t)(parser->last_end - first.text));
    for (size_t i = 0; i < parser->out->units.count; i++)
        if (strcmp(parser->out->units.at[i].name, statement.name) == 0) {
            prop_fail_at(parser, statement.line, statement.column,
                         "the unit of '%s' is already given in line %u", statement.name,
                         parser->out->units.at[i].line);
            return;
        }
    tac_vec_push(&parser->out->units, statement);
}

static void parse_flag(struct property_parser *parser, bool linear)
{
    struct flag_statement statement = {
        .linear = linear, .line = parser->token.line, .column = parser->token.column};
    do {
        statement.name = parse_new_name(parser, "a variable's name");
        if (!parser->failed)
            tac_vec_push(&parser->out->flags, statement);
    } while (prop_accept(parser, ","));
}

static void parse_let(struct property_parser *parser)
{
    struct let_statement *let = tac_arena_calloc(&parser->out->arena, 1, sizeof *let);
    let->line = parser->token.line;
    let->column = parser->token.column;
    let->name = parse_new_name(parser, "a name after 'let'");
    prop_expect(parser, "=", "'=' and an expression");
    let->value = prop_expression(parser);
    for (size_t i = 0; !parser->failed && i < parser->out->lets.count; i++)
        if (strcmp(parser->out->lets.at[i]->name, let->name) == 0)
            prop_fail_at(parser, let->line, let->column, "'%s' is already defined in line %u",
                         let->name, parser->out->lets.at[i]->line);
    const struct observe_statement *seen =
        parser->failed ? NULL : property_observe_of(parser->out, let->name);
    if (seen)
        prop_fail_at(parser, let->line, let->column, "'%s' is already observed in line %u",
                     let->name, seen->line);
    if (!parser->failed)
        tac_vec_push(&parser->out->lets, let);
}

/* observe NAME = FUNCTION(SELECTOR) */
static void parse_observe(struct property_parser *parser)
{
    uint32_t line = parser->token.line, column = parser->token.column;
    const char *name = parse_new_name(parser, "a name after 'observe'");
    prop_expect(parser, "=", "'=' and what is read, such as text(css:\".title\")");
    tac_observable observable;
    if (parser->failed || !prop_observable(parser, &observable))
        return;
    observable.name = name;
    for (size_t i = 0; i < parser->out->lets.count; i++)
        if (!strcmp(parser->out->lets.at[i]->name, name))
            prop_fail_at(parser, line, column, "'%s' is already defined in line %u", name,
                         parser->out->lets.at[i]->line);
    if (!strcmp(name, "event") || !strcmp(name, "t"))
        prop_fail_at(parser, line, column, "'%s' is %s; give what is observed another name", name,
                     *name == 'e' ? "what happened" : "the time");
    if (!parser->failed)
        prop_add_observable(parser, &observable, line, column);
}

/* for each NAME, ... */
static void parse_each(struct property_parser *parser, struct property_statement *statement)
{
    assert(statement->each_count == 0);
    if (!prop_token_is(&parser->token, "for") || !prop_token_is(&parser->ahead, "each"))
        return;
    prop_advance(parser);
    prop_advance(parser);
    do {
        struct property_token at = parser->token;
        const char *name = parse_new_name(parser, "a variable's name after 'for each'");
        if (parser->failed)
            return;
        if (strcmp(name, "event") == 0 || statement->each_count == PROPERTY_MAX_EACH) {
            prop_fail_at(parser, at.line, at.column,
                         "'for each' takes at most %d variables, and not 'event'",
                         PROPERTY_MAX_EACH);
            return;
        }
        struct ast *use = tac_arena_calloc(&parser->out->arena, 1, sizeof *use);
        *use = (struct ast){.kind = AST_NAME,
                            .line = at.line,
                            .column = at.column,
                            .text = name,
                            .quoted = true,
                            .property = SIZE_MAX};
        statement->each[statement->each_count++] = use;
    } while (prop_accept(parser, ","));
}

static void parse_property(struct property_parser *parser)
{
    assert(parser->out != NULL);
    tac_properties *out = parser->out;
    struct property_statement statement = {.line = parser->token.line,
                                           .column = parser->token.column};
    statement.name = parse_new_name(parser, "a name after 'property'");
    parse_each(parser, &statement);
    prop_expect(parser, ":", "':' after the property's name");
    struct ast written = {.source = parser->token.text};
    statement.body = prop_expression(parser);
    for (size_t i = 0; !parser->failed && i < out->properties.count; i++)
        if (strcmp(out->properties.at[i].name, statement.name) == 0)
            prop_fail_at(parser, statement.line, statement.column,
                         "property '%s' is already defined in line %u", statement.name,
                         out->properties.at[i].line);
    if (!parser->failed && out->properties.count >= PROPERTY_MAX_COUNT)
        prop_fail_at(parser, statement.line, statement.column,
                     "more than %d properties in one file", PROPERTY_MAX_COUNT);
    if (parser->failed)
        return;
    written.source_length = (size_t)(parser->last_end - written.source);
    statement.source = ast_source(&out->arena, &written); /* brackets around the body included */
    tac_vec_push(&out->properties, statement);
}

static void parse_statement(struct property_parser *parser)
{
    static const char *const words[] = {"unit", "let", "property", "monotone", "linear", "observe"};
    if (prop_accept(parser, "unit"))
        parse_unit(parser);
    else if (prop_accept(parser, "monotone"))
        parse_flag(parser, false);
    else if (prop_accept(parser, "linear"))
        parse_flag(parser, true);
    else if (prop_accept(parser, "let"))
        parse_let(parser);
    else if (prop_accept(parser, "property"))
        parse_property(parser);
    else if (prop_accept(parser, "observe"))
        parse_observe(parser);
    else {
        const char *close = NULL;
        if (parser->token.kind == TOKEN_NAME)
            close = tac_closest(prop_text(parser, &parser->token), words, 6);
        if (close)
            prop_fail_at(parser, parser->token.line, parser->token.column,
                         "no statement starts with '%.*s'; did you mean '%s'?",
                         (int)parser->token.length, parser->token.text, close);
        else
            prop_expected(parser, "a statement (observe, unit, let, property, monotone or linear)");
    }
}

void property_parse_text(tac_properties *properties, tac_diagnostics *diagnostics)
{
    assert(properties->text != NULL);
    struct property_parser parser = {.out = properties, .diagnostics = diagnostics};
    prop_lexer_init(&parser.lexer, properties->text, properties->size);
    parser.token = prop_lexer_next(&parser.lexer);
    parser.ahead = prop_lexer_next(&parser.lexer);
    while (parser.token.kind != TOKEN_END) {
        parse_statement(&parser);
        if (!parser.failed && parser.token.kind != TOKEN_END && !is_statement(&parser.token))
            prop_expected(&parser, "an operator or the next statement");
        if (!parser.failed)
            continue;
        if (diagnostics->errors >= TAC_DIAGNOSTICS_MAX)
            return;
        while (parser.token.kind != TOKEN_END &&
               (parser.token.line <= parser.failed_line || !is_statement(&parser.token)))
            prop_advance(&parser);
        parser.failed = false;
    }
}
