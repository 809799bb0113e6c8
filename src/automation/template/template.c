/* Statements of templates: {{ ... }} as the whole, {% if %} with its branches, {% set %}. */
#include "automation/template/template.h"
#include "automation/template/expression.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

bool is_template(const char *text)
{
    return text && (strstr(text, "{{") || strstr(text, "{%"));
}

/* What a template that renders to this text means as a condition. */
static struct cond *literal(struct jinja *j, const char *from, const char *to)
{
    static const char *const truths[] = {"true", "yes", "on", "enable", "1"};
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    size_t length = (size_t)(to - from);
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        if (length == strlen(truths[i]) && !strncasecmp(from, truths[i], length))
            return cond_new(j->model, COND_TRUE, j->place);
    return cond_new(j->model, COND_FALSE, j->place);
}

static struct cond *block(struct jinja *j);

/* {{ expression }} as the whole of what is rendered. */
static struct cond *printed(struct jinja *j, const char *end)
{
    static const char *const truths[] = {"on", "true", "True", "yes", "enable", "1"};
    const char *outer = j->end;
    j->end = end;
    struct term term = jinja_expression(j);
    jinja_blanks(j);
    bool whole = !j->broken && j->at == j->end;
    j->end = outer;
    if (!whole)
        return NULL;
    if (term.kind != TERM_STATE)
        return jinja_truth(j, &term);
    struct cond *cond = cond_new(j->model, COND_STATE, j->place);
    cond->entity = term.entity;
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        set_add(j->model, &cond->texts, truths[i]);
    return cond;
}

static const char *find(const char *from, const char *end, const char *what)
{
    size_t length = strlen(what);
    for (; from + length <= end; from++)
        if (!strncmp(from, what, length))
            return from;
    return NULL;
}

/* After "{%": the end of the statement's text; at stands behind "%}" afterwards. */
static const char *statement_end(struct jinja *j, const char **after)
{
    const char *close = find(j->at, j->end, "%}");
    if (!close)
        return NULL;
    *after = close + 2;
    return close > j->at && close[-1] == '-' ? close - 1 : close;
}

/* if E ... [elif E ...] [else ...] endif; at stands behind the E's keyword. */
static struct cond *if_block(struct jinja *j)
{
    const char *after, *end = statement_end(j, &after), *outer = j->end;
    if (!end)
        return NULL;
    j->end = end;
    struct term test = jinja_expression(j);
    jinja_blanks(j);
    bool whole = !j->broken && j->at == end;
    j->end = outer;
    if (!whole)
        return NULL;
    struct cond *when = jinja_truth(j, &test), *no = NULL;
    j->at = after;
    struct cond *yes = block(j);
    if (!yes || !(jinja_symbol(j, "{%-") || jinja_symbol(j, "{%")))
        return NULL;
    if (jinja_keyword(j, "elif")) {
        no = if_block(j);
    } else {
        bool otherwise = jinja_keyword(j, "else");
        if (otherwise && statement_end(j, &after)) {
            j->at = after;
            no = block(j);
            if (!no || !(jinja_symbol(j, "{%-") || jinja_symbol(j, "{%")))
                return NULL;
        }
        if (!no)
            no = cond_new(j->model, COND_FALSE, j->place);
        if (!jinja_keyword(j, "endif") || !statement_end(j, &after))
            return NULL;
        j->at = after;
    }
    if (!no)
        return NULL;
    struct cond *first[2] = {when, yes}, *second[2] = {cond_not(j->model, when), no};
    struct cond *both[2] = {cond_join(j->model, COND_AND, j->place, first, 2),
                            cond_join(j->model, COND_AND, j->place, second, 2)};
    return cond_join(j->model, COND_OR, j->place, both, 2);
}

/* {% set name = expression %}; at stands behind "set". */
static bool set_statement(struct jinja *j)
{
    const char *after, *end = statement_end(j, &after);
    jinja_blanks(j);
    struct variable v = {.name = j->at, .length = jinja_word(j), .to = end};
    j->at += v.length;
    if (!end || !v.length || !jinja_symbol(j, "=") || j->variable_count == TEMPLATE_VARIABLES)
        return false;
    v.from = j->at;
    j->variables[j->variable_count++] = v;
    j->at = after;
    return true;
}

/* What stands up to the next statement that is not ours, or to the end: NULL: not understood. */
static struct cond *block(struct jinja *j)
{
    for (;;) {
        jinja_blanks(j);
        const char *start = j->at, *inner;
        if (++j->depth > TEMPLATE_DEPTH)
            return NULL;
        struct cond *cond = NULL;
        if (jinja_symbol(j, "{{")) {
            const char *close = find(j->at, j->end, "}}");
            (void)jinja_symbol(j, "-");
            if (!close)
                return NULL;
            cond = printed(j, close > j->at && close[-1] == '-' ? close - 1 : close);
            j->at = close + 2;
        } else if (jinja_symbol(j, "{%")) {
            (void)jinja_symbol(j, "-");
            if (jinja_keyword(j, "set")) {
                if (!set_statement(j))
                    return NULL;
                j->depth--;
                continue;
            }
            if (jinja_keyword(j, "if")) {
                cond = if_block(j);
            } else {
                j->at = start; /* elif, else, endif: the caller's; an empty body */
                return cond_new(j->model, COND_FALSE, j->place);
            }
        } else {
            inner = find(j->at, j->end, "{%");
            if (find(j->at, inner ? inner : j->end, "{{"))
                return NULL;
            cond = literal(j, j->at, inner ? inner : j->end);
            j->at = inner ? inner : j->end;
        }
        j->depth--;
        return cond;
    }
}

struct cond *template_condition(tac_automation_model *model, struct place place, const char *scope,
                                const char *text)
{
    struct jinja j = {.model = model, .place = place, .at = text, .end = text + strlen(text)};
    bool local = strstr(text, "trigger") || strstr(text, "this.") || *scope == '!';
    j.scope = local ? scope : "";
    struct cond *cond = block(&j);
    jinja_blanks(&j);
    if (cond && j.at == j.end)
        return cond;
    return jinja_free(&j, text, text + strlen(text));
}
