/* Statements of templates: {{ ... }} as the whole, {% if %} with its branches, {% set %}. */
#include "automation/template/template.h"
#include "automation/template/expression.h"
#include "base/data/str.h"
#include <ctype.h>
#include <string.h>

enum piece { PIECE_NONE, PIECE_TEXT, PIECE_PRINTED, PIECE_STATEMENT, PIECE_BROKEN };

/* A template is read piece by piece; blanks between them do not count. */
struct pieces {
    struct jinja j;
    enum piece kind;
    const char *from, *to; /* the piece, without its braces */
    struct syntax syntax;  /* inside braces: what of it was not read yet */
    const char *at, *end;  /* what follows it */
};

bool is_template(const char *text)
{
    return text && (strstr(text, "{{") || strstr(text, "{%"));
}

static const char *find(const char *from, const char *end, const char *what)
{
    return memmem(from, (size_t)(end - from), what, strlen(what));
}

static void next_piece(struct pieces *t)
{
    while (t->at < t->end && isspace((unsigned char)*t->at))
        t->at++;
    bool printed = t->end - t->at >= 2 && !memcmp(t->at, "{{", 2);
    bool statement = t->end - t->at >= 2 && !memcmp(t->at, "{%", 2);
    t->from = t->at;
    if (t->at == t->end) {
        t->kind = PIECE_NONE;
    } else if (!printed && !statement) {
        const char *next = find(t->at, t->end, "{%");
        t->at = t->to = next ? next : t->end;
        t->kind = find(t->from, t->to, "{{") ? PIECE_BROKEN : PIECE_TEXT;
    } else if (!(t->to = find(t->at + 2, t->end, printed ? "}}" : "%}"))) {
        t->kind = PIECE_BROKEN;
    } else {
        t->kind = printed ? PIECE_PRINTED : PIECE_STATEMENT;
        t->at = t->to + 2;
        t->from += t->from[2] == '-' && t->to > t->from + 2 ? 3 : 2;
        t->to -= t->to > t->from && t->to[-1] == '-';
        jinja_open(&t->syntax, &t->j, t->from, t->to);
    }
}

/* The rest of a piece as an expression; false where it is none. */
static bool whole(struct pieces *t, bool printed, struct term *out)
{
    t->syntax.depth = t->j.depth;
    *out = jinja_inner(&t->syntax, printed);
    return !t->syntax.failed && syntax_at_end(&t->syntax);
}

static bool is_statement(struct pieces *t, const char *word)
{
    return t->kind == PIECE_STATEMENT && syntax_accept(&t->syntax, word);
}

static struct cond *block(struct pieces *t);

/* if E ... [elif E ...] [else ...] endif; read up to the E's keyword. NULL: not understood. */
static struct cond *if_block(struct pieces *t)
{
    struct jinja *j = &t->j;
    struct term test;
    if (!whole(t, false, &test))
        return NULL;
    struct cond *when = jinja_truth(j, &test), *no = NULL;
    next_piece(t);
    struct cond *yes = block(t);
    bool chain = yes && is_statement(t, "elif");
    if (chain) {
        no = if_block(t);
    } else if (yes && is_statement(t, "else")) {
        next_piece(t);
        no = block(t);
    } else {
        no = cond_new(j->model, COND_FALSE, j->place);
    }
    if (!yes || !no || (!chain && !is_statement(t, "endif")))
        return NULL;
    if (!chain)
        next_piece(t);
    return cond_if(j->model, j->place, when, yes, no);
}

/* {% set name = expression %}; read up to "set". */
static bool set_statement(struct pieces *t)
{
    struct variable v = {.name = t->syntax.token, .to = t->to};
    if (v.name.kind != SYNTAX_WORD || t->j.variable_count == TEMPLATE_VARIABLES)
        return false;
    syntax_advance(&t->syntax);
    if (!syntax_accept(&t->syntax, "="))
        return false;
    v.from = t->syntax.last_end;
    t->j.variables[t->j.variable_count++] = v;
    next_piece(t);
    return true;
}

/* What stands up to the next statement that is not ours, or to the end: NULL: not understood. */
static struct cond *block(struct pieces *t)
{
    struct jinja *j = &t->j;
    struct term term;
    struct cond *cond = NULL;
    while (is_statement(t, "set"))
        if (!set_statement(t))
            return NULL;
    if (t->kind == PIECE_BROKEN || ++j->depth > TEMPLATE_DEPTH)
        return NULL;
    if (is_statement(t, "if")) {
        cond = if_block(t);
    } else if (t->kind == PIECE_PRINTED) {
        cond = whole(t, true, &term) ? term.cond : NULL;
        next_piece(t);
    } else if (t->kind == PIECE_TEXT) {
        cond = jinja_literal(j, t->from, t->to);
        next_piece(t);
    } else { /* elif, else, endif: the caller's; an empty body */
        cond = cond_new(j->model, COND_FALSE, j->place);
    }
    j->depth--;
    return cond;
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
    const char *plain = strstr(text, "{#") ? without_comments(model, text) : text;
    text = plain ? plain : text;
    bool local = strstr(text, "trigger") || strstr(text, "this.") || *scope == '!';
    struct pieces t = {.j = {.model = model, .place = place, .scope = local ? scope : ""},
                       .at = text,
                       .end = text + strlen(text)};
    next_piece(&t);
    struct cond *cond = plain ? block(&t) : NULL;
    return cond && t.kind == PIECE_NONE ? cond : jinja_free(&t.j, text, t.end);
}
