/* What flows expect of a screen, in the words of each tool: the <expect> of states and transitions
 * (conditions of the property language, docs/functional.md), one assertion for each operand of its
 * outermost `and`s. On pages any condition on one screen becomes a script; other tools have
 * assertions for a text, a count and whether something is shown. What looks back (previous, once)
 * cannot be expressed. An element that is missing breaks the assertion. */
#include "flow/export/expect.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include <string.h>

void expect_simple(const tac_properties *of, const struct ast *ast, struct expectation_simple *out)
{
    *out = (struct expectation_simple){.holds = true};
    for (; ast->kind == AST_NOT; ast = ast->a)
        out->holds = !out->holds;
    if (ast->kind == AST_NE)
        out->holds = !out->holds;
    const struct ast *left = ast->a, *right = ast->b;
    if (ast->kind == AST_NAME) {
        left = ast;
        right = NULL;
    } else if (ast->kind != AST_EQ && ast->kind != AST_NE && ast->kind != AST_CONTAINS) {
        return;
    }
    if (right && left->kind != AST_NAME) {
        left = ast->b;
        right = ast->a;
    }
    if (left->kind != AST_NAME || (ast->kind == AST_CONTAINS && left != ast->a))
        return;
    const struct observe_statement *known = property_observe_of(of, left->text);
    bool truth = right && (right->kind == AST_TRUE || right->kind == AST_FALSE);
    if (right && right->kind == AST_FALSE)
        out->holds = !out->holds;
    out->contains = ast->kind == AST_CONTAINS;
    out->text = right && right->kind == AST_STRING ? right->text : NULL;
    out->number = right && right->kind == AST_NUMBER && !right->has_unit ? right->number : NAN;
    if (!right || truth || out->text || !isnan(out->number))
        out->what = known ? &known->observable : NULL;
}

/* --- Scripts of pages --- */

static void add_text(tac_str *out, const char *text)
{
    tac_str_add_char(out, '"');
    tac_quote_js(out, text);
    tac_str_add_char(out, '"');
}

bool expect_add_selector(tac_str *out, const tac_observable *what)
{
    if (what->css) {
        add_text(out, what->css);
        return true;
    }
    struct target target;
    target_of(&(tac_model_action){.xpath = what->xpath}, &target);
    json_t *query = target_query(&target);
    char *text = query ? tac_json_text(query, 0) : NULL;
    tac_str_add(out, text ? text : "");
    free(text);
    json_decref(query);
    target_free(&target);
    return query != NULL;
}

static bool add_reading(tac_str *out, const tac_properties *of, const char *name)
{
    const struct observe_statement *known = property_observe_of(of, name);
    if (!known)
        return false;
    const tac_observable *what = &known->observable;
    tac_str_addf(out, "on.%s(",
                 what->kind == TAC_OBSERVE_VISIBLE ? "shows" : tac_observe_word(what->kind));
    bool said = expect_add_selector(out, what);
    if (what->attribute) {
        tac_str_add(out, ", ");
        add_text(out, what->attribute);
    }
    tac_str_add_char(out, ')');
    return said;
}

/* before A between B after */
static const char *const *words_of(enum ast_kind kind)
{
    static const struct {
        enum ast_kind kind;
        const char *words[3];
    } rows[] = {
        {AST_AND, {"(", " && ", ")"}},     {AST_OR, {"(", " || ", ")"}},
        {AST_NOT, {"!", NULL, ""}},        {AST_IMPLIES, {"(!", " || ", ")"}},
        {AST_EQ, {"on.eq(", ", ", ")"}},   {AST_NE, {"!on.eq(", ", ", ")"}},
        {AST_LT, {"(", " < ", ")"}},       {AST_LE, {"(", " <= ", ")"}},
        {AST_GT, {"(", " > ", ")"}},       {AST_GE, {"(", " >= ", ")"}},
        {AST_ADD, {"(", " + ", ")"}},      {AST_SUBTRACT, {"(", " - ", ")"}},
        {AST_MULTIPLY, {"(", " * ", ")"}}, {AST_DIVIDE, {"(", " / ", ")"}},
        {AST_NEGATE, {"(-", NULL, ")"}},   {AST_ABS, {"Math.abs(", NULL, ")"}},
        {AST_SIZE, {"", NULL, ".length"}}, {AST_CONTAINS, {"", ".includes(", ")"}},
        {AST_TRIM, {"", NULL, ".trim()"}}, {AST_PREFIX, {"on.prefix(", ", ", ")"}},
        {AST_ITEM, {"", ".at(", ")"}},     {AST_LIST, {"[", ", ", "]"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].kind == kind)
            return rows[i].words;
    return NULL;
}

bool expect_add_script(tac_str *out, const tac_properties *of, const struct ast *ast)
{
    const char *const *words = words_of(ast->kind);
    if (ast->kind == AST_NAME)
        return add_reading(out, of, ast->text);
    if (ast->kind == AST_STRING)
        add_text(out, ast->text);
    else if (ast->kind == AST_NUMBER)
        tac_str_addf(out, "%.15g", ast->number);
    else if (ast->kind == AST_TRUE || ast->kind == AST_FALSE)
        tac_str_add(out, ast->kind == AST_TRUE ? "true" : "false");
    if (!words || (ast->kind == AST_LIST && ast->b))
        return (ast->kind == AST_NUMBER && !ast->has_unit) || ast->kind == AST_STRING ||
               ast->kind == AST_TRUE || ast->kind == AST_FALSE;
    tac_str_add(out, words[0]);
    bool said = !ast->a || expect_add_script(out, of, ast->a);
    if (ast->b) {
        tac_str_add(out, words[1]);
        said = expect_add_script(out, of, ast->b) && said;
    }
    tac_str_add(out, words[2]);
    return said;
}

/* --- Going through them --- */

static void go_through(tac_exporter *exporter, const tac_properties *of, const struct ast *ast,
                       expect_write *write, void *context)
{
    if (ast->kind == AST_AND) {
        go_through(exporter, of, ast->a, write, context);
        go_through(exporter, of, ast->b, write, context);
        return;
    }
    char *text = tac_strndup(ast->source, ast->source_length);
    if (!write(context, of, ast, text))
        exporter_skip(exporter, text);
    free(text);
}

void expect_each(tac_exporter *exporter, const char *const *conditions, size_t count,
                 expect_write *write, void *context)
{
    for (size_t i = 0; i < count; i++) {
        tac_condition *condition = NULL;
        tac_error err;
        tac_status status = tac_condition_parse(exporter->name, conditions[i],
                                                strlen(conditions[i]), 1, 1, &condition, &err);
        if (status == TAC_OK)
            go_through(exporter, condition_properties(condition), condition_body(condition), write,
                       context);
        else
            exporter_skip(exporter, conditions[i]);
        tac_condition_free(condition);
    }
}
