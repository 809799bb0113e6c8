/* The operands of a template's expression: constants, lists, calls, states by their dotted names,
 * filters, variables, brackets. */
#include "automation/template/expression.h"
#include "base/data/text.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

struct arguments {
    struct term at[TEMPLATE_ARGUMENTS];
    size_t count;
};

static const struct term unknown = {.kind = TERM_UNKNOWN};

/* What was read elsewhere, or in brackets, is one operand: nothing joins its parts. */
static struct term closed(struct term term)
{
    term.last = NULL;
    if (term.cond)
        term.cond->grows = false;
    return term;
}

/* After an opening bracket: constants up to the closing one, or unknown. */
static struct term list_term(struct syntax *s, const char *closing)
{
    struct jinja *j = s->context;
    struct term list = {.kind = TERM_LIST}, one = unknown;
    size_t count = 0;
    bool more = true;
    while (!s->failed && more && !syntax_accept(s, closing)) {
        char digits[32];
        one = jinja_inner(s, false);
        count++;
        if (one.kind == TERM_TEXT)
            set_add(j->model, &list.texts, one.text);
        else if (one.kind == TERM_NUMBER)
            set_add(j->model, &list.texts, tac_double_text(one.number, digits, sizeof digits)),
                list.numbers = true;
        else
            list.kind = TERM_UNKNOWN;
        more = syntax_accept(s, ",");
        if (!more)
            syntax_need(s, closing, NULL);
    }
    return *closing == ')' && count == 1 && !more ? closed(one) : list;
}

/* The rest of a call after its '('; those beyond the eighth are not kept. */
static void take_arguments(struct syntax *s, struct arguments *out)
{
    bool more = true;
    out->count = 0;
    while (!s->failed && more && !syntax_accept(s, ")")) {
        if (s->token.kind == SYNTAX_WORD && syntax_token_is(&s->ahead, "=")) {
            syntax_advance(s); /* a keyword argument */
            syntax_advance(s);
        }
        struct term term = jinja_inner(s, false);
        if (out->count < TEMPLATE_ARGUMENTS)
            out->at[out->count++] = term;
        more = syntax_accept(s, ",");
        if (!more)
            syntax_need(s, ")", NULL);
    }
}

void jinja_skip_arguments(struct syntax *s)
{
    struct arguments skipped;
    take_arguments(s, &skipped);
}

static struct term state_term(struct jinja *j, const char *entity)
{
    return (struct term){.kind = TERM_STATE, .entity = model_entity(j->model, entity)};
}

static bool is_entity(const char *text)
{
    const char *dot = strchr(text, '.');
    return dot && dot > text && dot[1] && !strchr(dot + 1, '.') && !strchr(text, ' ');
}

static struct term boolean_term(struct cond *cond)
{
    return (struct term){.kind = cond ? TERM_BOOLEAN : TERM_UNKNOWN, .cond = cond};
}

static struct term attribute_call(struct jinja *j, const struct arguments *a, bool compares)
{
    struct term state = {.kind = TERM_STATE,
                         .entity = model_attribute(j->model, a->at[0].text, a->at[1].text)};
    if (!compares)
        return state;
    if (a->count != 3)
        return unknown;
    if (a->at[2].kind == TERM_NUMBER)
        state.kind = TERM_AMOUNT;
    return boolean_term(term_compare(j->model, j->place, &state, EQUAL, &a->at[2]));
}

static struct term call(struct syntax *s, const struct syntax_token *name)
{
    struct jinja *j = s->context;
    struct arguments a;
    take_arguments(s, &a);
    bool entity = a.count && a.at[0].kind == TERM_TEXT && is_entity(a.at[0].text);
    bool compares = syntax_token_is(name, "is_state_attr");
    if (syntax_token_is(name, "states") && a.count == 1 && entity)
        return state_term(j, a.at[0].text);
    if (syntax_token_is(name, "is_state") && a.count == 2 && entity) {
        struct term state = state_term(j, a.at[0].text);
        unsigned op = a.at[1].kind == TERM_LIST ? MEMBER | EQUAL : EQUAL;
        return boolean_term(term_compare(j->model, j->place, &state, op, &a.at[1]));
    }
    if ((syntax_token_is(name, "state_attr") || compares) && a.count >= 2 && entity &&
        a.at[1].kind == TERM_TEXT)
        return attribute_call(j, &a, compares);
    if (syntax_token_is(name, "now") && !a.count)
        return (struct term){.kind = TERM_NOW};
    if (syntax_token_is(name, "as_timestamp") && a.count == 1 &&
        (a.at[0].kind == TERM_NOW || a.at[0].kind == TERM_CHANGED))
        return a.at[0];
    return unknown;
}

/* states.light.hall.state, trigger.to_state.state: the dotted name from its first word on. */
static struct term dotted(struct jinja *j, const char *from, const char *to)
{
    char name[160];
    size_t n = 0;
    for (; from < to && n + 1 < sizeof name; from++)
        if (!isspace((unsigned char)*from))
            name[n++] = *from;
    name[n] = '\0';
    static const struct {
        const char *name;
        enum trigger_aspect aspect;
    } aspects[] = {{"trigger.id", ASPECT_ID},
                   {"trigger.entity_id", ASPECT_ENTITY},
                   {"trigger.platform", ASPECT_PLATFORM},
                   {"trigger.to_state.entity_id", ASPECT_ENTITY},
                   {"trigger.to_state.state", ASPECT_TO},
                   {"trigger.from_state.state", ASPECT_FROM}};
    for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++)
        if (!strcmp(name, aspects[i].name))
            return (struct term){.kind = TERM_TRIGGER, .aspect = aspects[i].aspect};
    char *entity = name + strlen("states."), *attribute = NULL;
    if (!strncmp(name, "states.", strlen("states.")) && n > 13)
        attribute = strchr(entity, '.') ? strchr(strchr(entity, '.') + 1, '.') : NULL;
    if (!attribute)
        return unknown;
    *attribute++ = '\0';
    if (!strcmp(attribute, "last_changed") && is_entity(entity))
        return (struct term){.kind = TERM_CHANGED, .entity = model_entity(j->model, entity)};
    if (!strcmp(attribute, "state") && is_entity(entity))
        return state_term(j, entity);
    if (!strncmp(attribute, "attributes.", 11) && !strchr(attribute + 11, '.'))
        return (struct term){.kind = TERM_STATE,
                             .entity = model_attribute(j->model, entity, attribute + 11)};
    return unknown;
}

static struct term now_part(const struct syntax_token *name, bool called)
{
    static const struct {
        const char *name;
        bool called;
        enum clock_part part;
        double unit, shift;
    } parts[] = {{"hour", false, CLOCK_SECOND_OF_DAY, 3600, 0},
                 {"month", false, CLOCK_MONTH, 1, 0},
                 {"day", false, CLOCK_DAY, 1, 0},
                 {"weekday", true, CLOCK_WEEKDAY, 1, 0},
                 {"isoweekday", true, CLOCK_WEEKDAY, 1, 1}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (syntax_token_is(name, parts[i].name) && called == parts[i].called)
            return (struct term){.kind = TERM_CLOCK,
                                 .part = parts[i].part,
                                 .unit = parts[i].unit,
                                 .shift = parts[i].shift};
    return unknown;
}

/* .name or .name(...) */
static struct term member(struct syntax *s, const struct term *of, const struct syntax_token *name)
{
    const char *end = s->last_end;
    bool called = syntax_accept(s, "(");
    if (called)
        jinja_skip_arguments(s);
    if (of->kind == TERM_AGE) /* (now() - x.last_changed).seconds, .total_seconds() */
        return syntax_token_is(name, "seconds") || syntax_token_is(name, "total_seconds") ? *of
                                                                                          : unknown;
    if (of->kind == TERM_NOW)
        return now_part(name, called);
    return called ? unknown : dotted(s->context, of->from, end);
}

/* |name or |name(...) */
static struct term filtered(struct syntax *s, struct term term, const struct syntax_token *name)
{
    struct arguments a = {.count = 0};
    bool whole = syntax_token_is(name, "int"), number = whole || syntax_token_is(name, "float");
    if (syntax_accept(s, "("))
        take_arguments(s, &a);
    if (number && term.kind == TERM_STATE) {
        if (a.count > 1 || (a.count && a.at[0].kind != TERM_NUMBER))
            return unknown; /* another base, or a default that is not a number */
        term.kind = TERM_AMOUNT;
        term.whole = whole;
        term.defaulted = a.count == 1;
        term.number = a.count ? a.at[0].number : 0;
        return term;
    }
    if (number && term.kind == TERM_AMOUNT) {
        if (whole && term.defaulted)
            term.number = trunc(term.number);
        term.whole |= whole;
        return term;
    }
    if (whole && term.kind == TERM_NUMBER)
        term.number = trunc(term.number);
    bool kept =
        (number && term.kind == TERM_NUMBER) ||
        (syntax_token_is(name, "string") && (term.kind == TERM_STATE || term.kind == TERM_TEXT));
    return kept ? term : unknown;
}

struct term jinja_followed(struct syntax *s, const struct term *left, char by)
{
    struct syntax_token name = s->token;
    if (by == '[')
        list_term(s, "]");
    if (by == '(')
        jinja_skip_arguments(s);
    if (by != '.' && by != '|')
        return unknown;
    if (name.kind != SYNTAX_WORD)
        syntax_expected(s, "a name");
    syntax_advance(s);
    return by == '.' ? member(s, left, &name) : filtered(s, *left, &name);
}

/* Its expression is read again where it is used: it sees the variables that were set before it. */
static struct term variable_term(struct syntax *s, const struct syntax_token *name)
{
    struct jinja *j = s->context;
    size_t i = s->depth < TEMPLATE_DEPTH ? j->variable_count : 0;
    while (i > 0 && (j->variables[i - 1].name.length != name->length ||
                     memcmp(j->variables[i - 1].name.text, name->text, name->length) != 0))
        i--;
    if (i == 0)
        return unknown;
    size_t count = j->variable_count;
    struct syntax inner;
    j->variable_count = i - 1;
    jinja_open(&inner, j, j->variables[i - 1].from, j->variables[i - 1].to);
    inner.depth = s->depth + 1;
    struct term term = jinja_inner(&inner, false);
    j->variable_count = count;
    if (inner.failed)
        syntax_expected(s, "an expression");
    return inner.failed || !syntax_at_end(&inner) ? unknown : closed(term);
}

static struct term word_term(struct syntax *s, const struct syntax_token *word)
{
    static const char *const truths[] = {"true", "True", "false", "False"};
    struct jinja *j = s->context;
    for (size_t i = 0; i < 4; i++)
        if (syntax_token_is(word, truths[i]))
            return boolean_term(cond_new(j->model, i < 2 ? COND_TRUE : COND_FALSE, j->place));
    if (syntax_accept(s, "("))
        return call(s, word);
    return variable_term(s, word);
}

struct term jinja_operand(struct syntax *s)
{
    struct jinja *j = s->context;
    struct syntax_token token = s->token;
    if (token.kind == SYNTAX_TEXT) {
        const char *text = syntax_text(s, &token, &j->model->arena);
        syntax_advance(s);
        return (struct term){.kind = TERM_TEXT, .text = text};
    }
    if (token.kind == SYNTAX_NUMBER) {
        syntax_advance(s);
        return (struct term){.kind = TERM_NUMBER, .number = token.number};
    }
    if (token.kind == SYNTAX_BAD && !token.quote && isdigit((unsigned char)*token.text)) {
        syntax_advance(s); /* 1.2.3 */
        return unknown;
    }
    if (syntax_accept(s, "("))
        return list_term(s, ")");
    if (syntax_accept(s, "["))
        return list_term(s, "]");
    if (token.kind != SYNTAX_WORD)
        syntax_expected(s, "an operand");
    syntax_advance(s);
    return s->failed ? unknown : word_term(s, &token);
}
