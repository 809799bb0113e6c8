/* Conditions: or, and, not, brackets; states, ranges, times. And the tokens of the whole form. */
#include "automation/plain/plain.h"
#include <string.h>

static struct cond *state_is(struct syntax *s, uint32_t entity)
{
    struct plain *p = s->context;
    bool negated = syntax_accept(s, "not");
    struct cond *cond = cond_new(p->model, COND_STATE, plain_place(s));
    cond->entity = entity;
    plain_states(s, entity, &cond->texts);
    return negated ? cond_not(p->model, cond) : cond;
}

static struct cond *time_between(struct syntax *s)
{
    struct plain *p = s->context;
    syntax_need(s, "between", NULL);
    double from = plain_clock(s);
    syntax_need(s, "and", NULL);
    double to = plain_clock(s);
    return cond_hours(p->model, plain_place(s), from, to, from > to);
}

static struct cond *weekday_is(struct syntax *s)
{
    struct plain *p = s->context;
    struct text_set named = {0};
    struct cond *days[7];
    size_t count = 0;
    syntax_need(s, "is", NULL);
    struct syntax_token first = s->token;
    plain_values(s, &named);
    for (size_t i = 0; i < named.count; i++)
        if (weekday_of(named.at[i]) == 7)
            syntax_fail(s, &first,
                        "expected days of the week (mon, tue, wed, thu, fri, sat, sun), found "
                        "'%.60s'",
                        named.at[i]);
    for (int day = 0; day < 7; day++)
        for (size_t i = 0; i < named.count; i++)
            if (weekday_of(named.at[i]) == day)
                days[count++] = cond_clock(p->model, plain_place(s), CLOCK_WEEKDAY, day, day);
    return cond_join(p->model, COND_OR, plain_place(s), days, count);
}

static struct cond *entity_is(struct syntax *s)
{
    struct plain *p = s->context;
    uint32_t entity = plain_entity(s);
    if (syntax_accept(s, "is"))
        return state_is(s, entity);
    struct cond *cond = cond_new(p->model, COND_NUMBER, plain_place(s));
    cond->entity = entity;
    if (syntax_accept(s, "unchanged")) {
        cond->kind = COND_HELD;
        syntax_need(s, "for", NULL);
        cond->seconds = plain_duration(s);
    } else {
        plain_range(s, entity, &cond->above, &cond->below);
    }
    return cond;
}

static syntax_node primary(struct syntax *s)
{
    struct plain *p = s->context;
    struct cond *cond;
    bool negated = false;
    while (syntax_accept(s, "not"))
        negated = !negated;
    if (syntax_accept(s, "(")) {
        cond = syntax_expression(s, 0).at;
        syntax_need(s, ")", NULL);
        if (s->failed)
            return (syntax_node){0};
        cond->grows = false;
    } else if (syntax_accept(s, "time")) {
        cond = time_between(s);
    } else if (syntax_accept(s, "weekday")) {
        cond = weekday_is(s);
    } else {
        cond = entity_is(s);
    }
    return (syntax_node){.at = negated ? cond_not(p->model, cond) : cond};
}

static syntax_node combine(struct syntax *s, const struct syntax_taken *op, syntax_node left,
                           syntax_node right)
{
    struct plain *p = s->context;
    return (syntax_node){
        .at = cond_grow(p->model, (enum cond_kind)op->op->kind, plain_place(s), left.at, right.at)};
}

/* Words are all but blanks, commas, brackets, quotes and a colon at the end. A quote that does not
 * end takes the rest of the line. */
static size_t word_or_text(const struct syntax *s, struct syntax_token *token, const char *at,
                           const char *end)
{
    (void)s;
    size_t left = (size_t)(end - at), length = 0;
    if (*at == '"' || *at == '\'') {
        const char *close = memchr(at + 1, *at, left - 1), *line = memchr(at, '\n', left);
        bool closed = close && (!line || close < line);
        token->kind = SYNTAX_TEXT;
        token->quote = *at;
        token->text = at + 1;
        token->length = (size_t)((closed ? close : line ? line : end) - at) - 1;
        return token->length + 1 + closed;
    }
    while (length < left && !strchr(" \t\r\n,()'\"#", at[length]))
        length++;
    token->kind = SYNTAX_WORD;
    return length > 1 && at[length - 1] == ':' ? length - 1 : length;
}

static const struct syntax_operator operators[] = {{"or", COND_OR, 1, SYNTAX_LEFT, NULL},
                                                   {"and", COND_AND, 2, SYNTAX_LEFT, NULL},
                                                   {NULL, 0, 0, SYNTAX_LEFT, NULL}};

const struct syntax_language plain_language = {.line_ends = "\n",
                                               .comment = "#",
                                               .marks = ", ( )",
                                               .hidden_names = true,
                                               .odd = word_or_text,
                                               .byte_order_mark = true,
                                               .operators = operators,
                                               .primary = primary,
                                               .combine = combine,
                                               .most_depth = 64,
                                               .advice = "write a simpler condition",
                                               .end = "the end of the file"};

struct cond *plain_condition(struct syntax *s)
{
    struct plain *p = s->context;
    struct cond *cond = syntax_expression(s, 0).at;
    return s->failed || !cond ? cond_new(p->model, COND_TRUE, plain_place(s)) : cond;
}
