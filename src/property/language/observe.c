/* Observables in property files: FUNCTION(SELECTOR), declared by `observe` or written in place, and
 * lists of texts.
 *
 * A selector is css:"...", an XPath in quotes (xpath:"..." or plain), or a bare XPath, which starts
 * with '/' or '(/' and goes on to the ',' or ')' that its own brackets and quotes leave open. */
#include "property/language/parse.h"

#include "base/io/xpath.h"
#include "trace/text/list.h"
#include <string.h>

static bool kind_of(const struct syntax_token *token, tac_observe_kind *kind)
{
    for (int i = 0; i < TAC_OBSERVE_KINDS; i++)
        if (syntax_token_is(token, tac_observe_word((tac_observe_kind)i))) {
            *kind = (tac_observe_kind)i;
            return true;
        }
    return false;
}

static bool starts_bare(struct syntax probe)
{
    while (syntax_accept(&probe, "("))
        continue;
    return syntax_is(&probe, "/");
}

static bool is_prefixed(const struct syntax *s)
{
    return (syntax_is(s, "css") || syntax_is(s, "xpath")) && syntax_token_is(&s->ahead, ":");
}

bool prop_is_observable(const struct syntax *s)
{
    tac_observe_kind kind;
    struct syntax probe = *s;
    if (s->failed || !kind_of(&s->token, &kind) || !syntax_token_is(&s->ahead, "("))
        return false;
    syntax_advance(&probe);
    syntax_advance(&probe);
    return probe.token.quote == '"' || is_prefixed(&probe) || starts_bare(probe);
}

static void bare_xpath(struct syntax *s, tac_observable *out)
{
    struct syntax_token at = s->token;
    const char *end = tac_xpath_end(at.text, s->end, ",)");
    if (!end || end == s->end || *end == '\n') {
        syntax_fail(s, &at,
                    "this XPath does not end on its line; close its brackets and quotes, and the "
                    "')' after it");
        return;
    }
    size_t length = (size_t)(end - at.text);
    while (length && (at.text[length - 1] == ' ' || at.text[length - 1] == '\t'))
        length--;
    out->xpath = tac_arena_strndup(prop_arena(s), at.text, length);
    syntax_go_on(s, &at, end);
}

static void check_xpath(struct syntax *s, const struct syntax_token *at, const char *xpath)
{
    if (!s->failed && xpath && !tac_xpath_selects(xpath))
        syntax_fail(s, at,
                    "'%.200s' is not an XPath that selects elements, such as "
                    "//node[@resource-id='com.example:id/play']",
                    xpath);
}

static void selector(struct syntax *s, tac_observable *out)
{
    struct syntax_token at = s->token;
    bool css = syntax_is(s, "css");
    if (is_prefixed(s)) {
        syntax_advance(s);
        syntax_advance(s);
    } else if (starts_bare(*s)) {
        bare_xpath(s, out);
        check_xpath(s, &at, out->xpath);
        return;
    }
    if (s->failed || s->token.kind != SYNTAX_TEXT || s->token.length == 0) {
        syntax_expected(s, "a selector: css:\"...\" or an XPath over the hierarchy");
        return;
    }
    *(css ? &out->css : &out->xpath) = prop_text(s, &s->token);
    syntax_advance(s);
    check_xpath(s, &at, out->xpath);
}

bool prop_observable(struct syntax *s, tac_observable *out)
{
    *out = (tac_observable){.name = ""};
    if (s->failed || !kind_of(&s->token, &out->kind)) {
        syntax_expected(s, "text, texts, number, value, count, visible, enabled, checked or "
                           "attribute, and a selector in brackets");
        return false;
    }
    syntax_advance(s);
    syntax_need(s, "(", "'(' and a selector");
    if (!s->failed)
        selector(s, out);
    if (!s->failed && out->kind == TAC_OBSERVE_ATTRIBUTE) {
        syntax_need(s, ",", "',' and the name of the attribute");
        if (!s->failed && (s->token.kind != SYNTAX_TEXT || s->token.length == 0))
            syntax_expected(s, "the name of the attribute in quotes");
        if (!s->failed) {
            out->attribute = prop_text(s, &s->token);
            syntax_advance(s);
        }
    }
    syntax_need(s, ")", "')' after the selector");
    return !s->failed;
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

void prop_add_observable(struct syntax *s, const tac_observable *observable, uint32_t line,
                         uint32_t column)
{
    const struct observe_statement *known =
        property_observe_of(((tac_properties *)s->context), observable->name);
    if (known && same_observable(&known->observable, observable))
        return;
    if (known) {
        syntax_fail_at(s, line, column, "'%s' is already observed in line %u, in another way",
                       observable->name, known->line);
        return;
    }
    if (((tac_properties *)s->context)->observes.count >= PROPERTY_MAX_OBSERVED) {
        syntax_fail_at(s, line, column, "more than %d observables", PROPERTY_MAX_OBSERVED);
        return;
    }
    struct observe_statement statement = {*observable, line, column};
    tac_vec_push(&((tac_properties *)s->context)->observes, statement);
}

/* The declared observable that reads the same lends its name; else the text is the name. */
struct ast *prop_observed_in_place(struct syntax *s)
{
    struct syntax_token at = s->token;
    struct ast *node = prop_new_node(s, AST_NAME, &at);
    tac_observable observable;
    node->quoted = true;
    node->text = "";
    if (!prop_observable(s, &observable))
        return node;
    prop_finish(s, node);
    for (size_t i = 0; i < ((tac_properties *)s->context)->observes.count; i++)
        if (same_observable(&((tac_properties *)s->context)->observes.at[i].observable,
                            &observable))
            node->text = ((tac_properties *)s->context)->observes.at[i].observable.name;
    if (*node->text)
        return node;
    node->text = ast_source(prop_arena(s), node);
    observable.name = node->text;
    prop_add_observable(s, &observable, at.line, at.column);
    return node;
}

struct ast *prop_list(struct syntax *s)
{
    struct ast *node = prop_new_node(s, AST_LIST, &s->token);
    tac_str list = {0};
    syntax_need(s, "[", "'['");
    while (!s->failed && !syntax_token_is(&s->token, "]")) {
        if (list.length)
            syntax_need(s, ",", "',' or ']'");
        if (!s->failed && s->token.kind != SYNTAX_TEXT)
            syntax_expected(s, "a text in quotes");
        if (s->failed)
            break;
        const char *text = prop_text(s, &s->token);
        list_add(&list, text, strlen(text));
        syntax_advance(s);
    }
    syntax_need(s, "]", "']'");
    list_close(&list);
    node->text = tac_arena_strdup(prop_arena(s), tac_str_text(&list));
    tac_str_free(&list);
    return prop_finish(s, node);
}
