/* Observables in property files: FUNCTION(SELECTOR), declared by `observe` or written in place, and
 * lists of texts.
 *
 * A selector is css:"...", an XPath in quotes (xpath:"..." or plain), or a bare XPath, which starts
 * with '/' or '(/' and goes on to the ',' or ')' that its own brackets and quotes leave open. */
#include "property/language/parse.h"

#include "base/check.h"
#include "base/io/xpath.h"
#include "trace/text/list.h"
#include <string.h>

static bool kind_of(const struct property_token *token, tac_observe_kind *kind)
{
    for (int i = 0; i < TAC_OBSERVE_KINDS; i++)
        if (prop_token_is(token, tac_observe_word((tac_observe_kind)i))) {
            *kind = (tac_observe_kind)i;
            return true;
        }
    return false;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    return at;
}

static bool word_and_colon(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(end - at) <= length || memcmp(at, word, length) != 0)
        return false;
    at = skip_blanks(at + length, end);
    return at < end && *at == ':';
}

static bool starts_bare(const char *at, const char *end)
{
    while (at < end && *at == '(')
        at = skip_blanks(at + 1, end);
    return at < end && *at == '/';
}

bool prop_is_observable(const struct property_parser *parser)
{
    tac_observe_kind kind;
    if (parser->failed || !kind_of(&parser->token, &kind) || !prop_token_is(&parser->ahead, "("))
        return false;
    const char *end = parser->lexer.end, *at = skip_blanks(parser->ahead.text + 1, end);
    return at < end && (*at == '"' || starts_bare(at, end) || word_and_colon(at, end, "css") ||
                        word_and_colon(at, end, "xpath"));
}

/* From `token` on the text is read anew, behind `to`. */
static void go_on_at(struct property_parser *parser, const struct property_token *token,
                     const char *to)
{
    assert(to >= token->text && to <= parser->lexer.end);
    parser->lexer.at = to;
    parser->lexer.line = token->line;
    parser->lexer.line_start = token->text - (token->column - 1);
    parser->last_end = to;
    parser->token = prop_lexer_next(&parser->lexer);
    parser->ahead = prop_lexer_next(&parser->lexer);
}

/* The end of a bare XPath at `at`: the first ',' or ')' outside its brackets and quotes. NULL: the
 * line ends before. */
static const char *bare_end(const char *at, const char *end)
{
    int depth = 0;
    for (; at < end && *at != '\n'; at++) {
        if (*at == '"' || *at == '\'') {
            const char *close = memchr(at + 1, *at, (size_t)(end - at - 1));
            const char *line = memchr(at + 1, '\n', (size_t)(end - at - 1));
            if (!close || (line && line < close))
                return NULL;
            at = close;
        } else if (*at == '(' || *at == '[') {
            depth++;
        } else if (depth && (*at == ')' || *at == ']')) {
            depth--;
        } else if (!depth && (*at == ')' || *at == ',')) {
            return at;
        }
    }
    return NULL;
}

static void bare_xpath(struct property_parser *parser, tac_observable *out)
{
    struct property_token at = parser->token;
    const char *end = bare_end(at.text, parser->lexer.end);
    if (!end) {
        prop_fail_at(parser, at.line, at.column,
                     "this XPath does not end on its line; close its brackets and quotes, and the "
                     "')' behind it");
        return;
    }
    size_t length = (size_t)(end - at.text);
    while (length && (at.text[length - 1] == ' ' || at.text[length - 1] == '\t'))
        length--;
    out->xpath = tac_arena_strndup(&parser->out->arena, at.text, length);
    go_on_at(parser, &at, end);
}

static void check_xpath(struct property_parser *parser, const struct property_token *at,
                        const char *xpath)
{
    if (!parser->failed && xpath && !tac_xpath_selects(xpath))
        prop_fail_at(parser, at->line, at->column,
                     "'%.200s' is not an XPath that selects elements, such as "
                     "//node[@resource-id='com.example:id/play']",
                     xpath);
}

static void selector(struct property_parser *parser, tac_observable *out)
{
    struct property_token at = parser->token;
    bool css = prop_token_is(&parser->token, "css"), xpath = prop_token_is(&parser->token, "xpath");
    if ((css || xpath) && prop_token_is(&parser->ahead, ":")) {
        prop_advance(parser);
        prop_advance(parser);
    } else if (starts_bare(parser->token.text, parser->lexer.end) && !parser->token.quoted) {
        bare_xpath(parser, out);
        check_xpath(parser, &at, out->xpath);
        return;
    }
    if (parser->failed || parser->token.kind != TOKEN_STRING || parser->token.length == 0) {
        prop_expected(parser, "a selector: css:\"...\" or an XPath over the hierarchy");
        return;
    }
    *(css ? &out->css : &out->xpath) = prop_text(parser, &parser->token);
    prop_advance(parser);
    check_xpath(parser, &at, out->xpath);
}

bool prop_observable(struct property_parser *parser, tac_observable *out)
{
    *out = (tac_observable){.name = ""};
    if (parser->failed || !kind_of(&parser->token, &out->kind)) {
        prop_expected(parser, "text, texts, number, value, count, visible, enabled, checked or "
                              "attribute, and a selector in brackets");
        return false;
    }
    prop_advance(parser);
    prop_expect(parser, "(", "'(' and a selector");
    if (!parser->failed)
        selector(parser, out);
    if (!parser->failed && out->kind == TAC_OBSERVE_ATTRIBUTE) {
        prop_expect(parser, ",", "',' and the name of the attribute");
        if (!parser->failed && (parser->token.kind != TOKEN_STRING || parser->token.length == 0))
            prop_expected(parser, "the name of the attribute in quotes");
        if (!parser->failed) {
            out->attribute = prop_text(parser, &parser->token);
            prop_advance(parser);
        }
    }
    prop_expect(parser, ")", "')' behind the selector");
    return !parser->failed;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool same_observable(const tac_observable *a, const tac_observable *b)
{
    return a->kind == b->kind && same_text(a->xpath, b->xpath) && same_text(a->css, b->css) &&
           same_text(a->attribute, b->attribute);
}

void prop_add_observable(struct property_parser *parser, const tac_observable *observable,
                         uint32_t line, uint32_t column)
{
    const struct observe_statement *known = property_observe_of(parser->out, observable->name);
    if (known && same_observable(&known->observable, observable))
        return;
    if (known) {
        prop_fail_at(parser, line, column, "'%s' is already observed in line %u, in another way",
                     observable->name, known->line);
        return;
    }
    if (parser->out->observes.count >= PROPERTY_MAX_OBSERVED) {
        prop_fail_at(parser, line, column, "more than %d observables", PROPERTY_MAX_OBSERVED);
        return;
    }
    struct observe_statement statement = {*observable, line, column};
    tac_vec_push(&parser->out->observes, statement);
}

/* The declared observable that reads the same lends its name; else the text is the name. */
struct ast *prop_observed_in_place(struct property_parser *parser)
{
    struct property_token at = parser->token;
    struct ast *node = prop_new_node(parser, AST_NAME, &at);
    tac_observable observable;
    node->quoted = true;
    node->text = "";
    if (!prop_observable(parser, &observable))
        return node;
    prop_finish(parser, node);
    for (size_t i = 0; i < parser->out->observes.count; i++)
        if (same_observable(&parser->out->observes.at[i].observable, &observable))
            node->text = parser->out->observes.at[i].observable.name;
    if (*node->text)
        return node;
    node->text = ast_source(&parser->out->arena, node);
    observable.name = node->text;
    prop_add_observable(parser, &observable, at.line, at.column);
    return node;
}

struct ast *prop_list(struct property_parser *parser)
{
    struct ast *node = prop_new_node(parser, AST_LIST, &parser->token);
    tac_str list = {0};
    prop_expect(parser, "[", "'['");
    while (!parser->failed && !prop_token_is(&parser->token, "]")) {
        if (list.length)
            prop_expect(parser, ",", "',' or ']'");
        if (!parser->failed && parser->token.kind != TOKEN_STRING)
            prop_expected(parser, "a text in quotes");
        if (parser->failed)
            break;
        const char *text = prop_text(parser, &parser->token);
        list_add(&list, text, strlen(text));
        prop_advance(parser);
    }
    prop_expect(parser, "]", "']'");
    list_close(&list);
    node->text = tac_arena_strdup(&parser->out->arena, tac_str_text(&list));
    tac_str_free(&list);
    return prop_finish(parser, node);
}
