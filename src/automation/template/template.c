/* Statements of templates: {{ ... }} as the whole, {% if %} with its branches, {% set %}. */
#include "automation/template/template.h"
#include "automation/template/expression.h"
#include "base/data/str.h"
#include <string.h>

bool is_template(const char *text)
{
    return text && (strstr(text, "{{") || strstr(text, "{%"));
}

static struct cond *block(struct jinja *j);

/* {{ expression }} as the whole of what is rendered. */
static struct cond *printed(struct jinja *j, const char *end)
{
    const char *outer = j->end;
    j->end = end;
    struct cond *cond = jinja_printed(j);
    jinja_blanks(j);
    bool whole = !j->broken && j->at == j->end;
    j->end = outer;
    return whole ? cond : NULL;
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
            cond = jinja_literal(j, j->at, inner ? inner : j->end);
            j->at = inner ? inner : j->end;
        }
        j->depth--;
        return cond;
    }
}

/* The text without its {# comments #}, which Jinja knows outside of expressions and statements
 * only; NULL: one has no end. */
static const char *without_comments(tac_automation_model *model, const char *text)
{
    static const char kinds[] = "{%#", *const ends[] = {"}}", "%}", "#}"};
    tac_str kept = {0};
    const char *end = text + strlen(text), *at = text;
    while (at && at < end) {
        const char *kind = at[0] == '{' && at[1] ? strchr(kinds, at[1]) : NULL;
        if (!kind) {
            tac_str_add_char(&kept, *at++);
            continue;
        }
        const char *close = find(at + 2, end, ends[kind - kinds]);
        const char *next = close ? close + 2 : *kind == '#' ? NULL : end;
        if (next && *kind != '#')
            tac_str_add_bytes(&kept, at, (size_t)(next - at));
        at = next;
    }
    const char *out = at ? tac_arena_strdup(&model->arena, tac_str_text(&kept)) : NULL;
    tac_str_free(&kept);
    return out;
}

struct cond *template_condition(tac_automation_model *model, struct place place, const char *scope,
                                const char *text)
{
    struct jinja j = {.model = model, .place = place};
    const char *plain = strstr(text, "{#") ? without_comments(model, text) : text;
    text = plain ? plain : text;
    j.at = text;
    j.end = text + strlen(text);
    bool local = strstr(text, "trigger") || strstr(text, "this.") || *scope == '!';
    j.scope = local ? scope : "";
    struct cond *cond = plain ? block(&j) : NULL;
    jinja_blanks(&j);
    if (cond && j.at == j.end)
        return cond;
    return jinja_free(&j, text, text + strlen(text));
}
