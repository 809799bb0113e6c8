/* The operands of a template's expression: constants, lists, calls, states by their dotted names,
 * filters, variables, parentheses. */
#include "automation/template/expression.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

static struct term text_term(struct jinja *j)
{
    char quote = *j->at++;
    tac_str text = {0};
    while (j->at < j->end && *j->at != quote) {
        if (*j->at == '\\' && j->at + 1 < j->end)
            j->at++;
        tac_str_add_char(&text, *j->at++);
    }
    j->broken |= j->at >= j->end;
    j->at += j->at < j->end;
    struct term term = {.kind = TERM_TEXT,
                        .text = tac_arena_strdup(&j->model->arena, tac_str_text(&text))};
    tac_str_free(&text);
    return term;
}

static struct term number_term(struct jinja *j)
{
    char digits[64];
    size_t n = 0;
    while (j->at < j->end && n + 1 < sizeof digits &&
           (isdigit((unsigned char)*j->at) || *j->at == '.'))
        digits[n++] = *j->at++;
    digits[n] = '\0';
    struct term term = {.kind = TERM_NUMBER};
    if (!tac_parse_double(digits, &term.number))
        term.kind = TERM_UNKNOWN, j->broken |= n == 0;
    return term;
}

/* After an opening bracket: constants up to the closing one, or unknown. */
static struct term list_term(struct jinja *j, const char *closing)
{
    struct term list = {.kind = TERM_LIST}, one = {0};
    size_t count = 0;
    bool commas = false;
    while (!j->broken && !jinja_symbol(j, closing)) {
        char digits[32];
        one = jinja_expression(j);
        count++;
        if (one.kind == TERM_TEXT)
            set_add(j->model, &list.texts, one.text);
        else if (one.kind == TERM_NUMBER)
            set_add(j->model, &list.texts, tac_double_text(one.number, digits, sizeof digits)),
                list.numbers = true;
        else
            list.kind = TERM_UNKNOWN;
        if (jinja_symbol(j, ","))
            commas = true;
        else if (!jinja_symbol(j, closing))
            j->broken = true;
        else
            break;
    }
    return *closing == ')' && count == 1 && !commas ? one : list;
}

void jinja_arguments(struct jinja *j, struct jinja_arguments *args)
{
    args->count = 0;
    while (!j->broken && !jinja_symbol(j, ")")) {
        const char *start = (jinja_blanks(j), j->at);
        size_t length = jinja_word(j);
        j->at += length;
        if (!(length && jinja_symbol(j, "=") && j->at < j->end && *j->at != '='))
            j->at = start; /* not a keyword argument */
        struct term term = jinja_expression(j);
        if (args->count < 8)
            args->at[args->count++] = term;
        if (!jinja_symbol(j, ",")) {
            j->broken |= !jinja_symbol(j, ")");
            break;
        }
    }
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

static struct term call(struct jinja *j, const char *name, size_t length)
{
    struct jinja_arguments a;
    jinja_arguments(j, &a);
    bool entity = a.count && a.at[0].kind == TERM_TEXT && is_entity(a.at[0].text);
#define NAMED(text) (length == sizeof text - 1 && !strncmp(name, text, length))
    if (NAMED("states") && a.count == 1 && entity)
        return state_term(j, a.at[0].text);
    if (NAMED("is_state") && a.count == 2 && entity) {
        struct term state = state_term(j, a.at[0].text);
        return boolean_term(term_compare(j->model, j->place, &state,
                                         a.at[1].kind == TERM_LIST ? OP_IN : OP_EQ, &a.at[1]));
    }
    if ((NAMED("state_attr") || NAMED("is_state_attr")) && a.count >= 2 && entity &&
        a.at[1].kind == TERM_TEXT) {
        struct term state = {.kind = TERM_STATE,
                             .entity = model_attribute(j->model, a.at[0].text, a.at[1].text)};
        if (NAMED("state_attr"))
            return state;
        if (a.count == 3 && a.at[2].kind == TERM_NUMBER)
            state.kind = TERM_AMOUNT;
        return a.count == 3
                   ? boolean_term(term_compare(j->model, j->place, &state, OP_EQ, &a.at[2]))
                   : (struct term){0};
    }
    if (NAMED("now") && !a.count)
        return (struct term){.kind = TERM_NOW};
    if (NAMED("as_timestamp") && a.count == 1 &&
        (a.at[0].kind == TERM_NOW || a.at[0].kind == TERM_CHANGED))
        return a.at[0];
    return (struct term){0};
#undef NAMED
}

/* states.light.hall.state, trigger.to_state.state: the dotted name from its first word on. */
static struct term dotted(struct jinja *j, const char *from)
{
    char name[160];
    size_t n = 0;
    for (const char *c = from; c < j->at && n + 1 < sizeof name; c++)
        if (!isspace((unsigned char)*c))
            name[n++] = *c;
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
    if (!strncmp(name, "states.", 7) && n > 13) {
        char *attribute = strchr(name + 7, '.');
        attribute = attribute ? strchr(attribute + 1, '.') : NULL;
        if (!attribute)
            return (struct term){0};
        *attribute++ = '\0';
        if (!strcmp(attribute, "last_changed") && is_entity(name + 7))
            return (struct term){.kind = TERM_CHANGED, .entity = model_entity(j->model, name + 7)};
        if (!strcmp(attribute, "state") && is_entity(name + 7))
            return state_term(j, name + 7);
        if (!strncmp(attribute, "attributes.", 11) && !strchr(attribute + 11, '.'))
            return (struct term){.kind = TERM_STATE,
                                 .entity = model_attribute(j->model, name + 7, attribute + 11)};
    }
    return (struct term){0};
}

static struct term now_part(const char *name, size_t length, bool called)
{
    struct term term = {.kind = TERM_CLOCK, .unit = 1};
#define NAMED(text) (length == sizeof text - 1 && !strncmp(name, text, length))
    if (NAMED("hour") && !called)
        term.part = CLOCK_SECOND_OF_DAY, term.unit = 3600;
    else if (NAMED("month") && !called)
        term.part = CLOCK_MONTH;
    else if (NAMED("day") && !called)
        term.part = CLOCK_DAY;
    else if (NAMED("weekday") && called)
        term.part = CLOCK_WEEKDAY;
    else if (NAMED("isoweekday") && called)
        term.part = CLOCK_WEEKDAY, term.shift = 1;
    else
        term.kind = TERM_UNKNOWN;
    return term;
#undef NAMED
}

/* (now() - x.last_changed).seconds and .total_seconds() */
static struct term age_part(const struct term *age, const char *name, size_t length)
{
    bool seconds = (length == 7 && !strncmp(name, "seconds", 7)) ||
                   (length == 13 && !strncmp(name, "total_seconds", 13));
    return seconds ? *age : (struct term){0};
}

static struct term filtered(struct jinja *j, struct term term)
{
    jinja_blanks(j);
    const char *name = j->at;
    size_t length = jinja_word(j);
    struct jinja_arguments a = {.count = 0};
    j->broken |= !length;
    j->at += length;
    if (jinja_symbol(j, "("))
        jinja_arguments(j, &a);
    bool whole = length == 3 && !strncmp(name, "int", 3);
    bool number = whole || (length == 5 && !strncmp(name, "float", 5));
    if (number && term.kind == TERM_STATE) {
        if (a.count > 1 || (a.count && a.at[0].kind != TERM_NUMBER))
            return (struct term){0}; /* another base, or a default that is not a number */
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
    if (number && whole && term.kind == TERM_NUMBER)
        term.number = trunc(term.number);
    if ((length == 6 && !strncmp(name, "string", 6)) &&
        (term.kind == TERM_STATE || term.kind == TERM_TEXT))
        return term;
    return number && term.kind == TERM_NUMBER ? term : (struct term){0};
}

static struct term variable_term(struct jinja *j, const char *name, size_t length)
{
    for (size_t i = j->variable_count; i-- > 0;) {
        const struct variable *v = &j->variables[i];
        if (v->length == length && !strncmp(v->name, name, length) && j->depth < TEMPLATE_DEPTH) {
            const char *at = j->at, *end = j->end;
            size_t count = j->variable_count;
            j->at = v->from, j->end = v->to, j->variable_count = i;
            j->depth++;
            struct term term = jinja_expression(j);
            j->depth--;
            if (jinja_blanks(j), j->at < j->end)
                term = (struct term){0};
            j->at = at, j->end = end, j->variable_count = count;
            return term;
        }
    }
    return (struct term){0};
}

static struct term word_term(struct jinja *j)
{
    static const char *const truths[] = {"true", "True", "false", "False"};
    const char *from = j->at;
    size_t length = jinja_word(j);
    j->at += length;
    for (size_t i = 0; i < 4; i++)
        if (length == strlen(truths[i]) && !strncmp(from, truths[i], length))
            return boolean_term(cond_new(j->model, i < 2 ? COND_TRUE : COND_FALSE, j->place));
    if (jinja_symbol(j, "("))
        return call(j, from, length);
    return variable_term(j, from, length);
}

static struct term postfix(struct jinja *j, struct term term, const char *from)
{
    for (;;) {
        jinja_blanks(j);
        if (j->at < j->end && *j->at == '.' && j->at + 1 < j->end &&
            !isdigit((unsigned char)j->at[1])) {
            bool now = term.kind == TERM_NOW, age = term.kind == TERM_AGE;
            struct term whole = term;
            j->at++;
            jinja_blanks(j);
            const char *name = j->at;
            size_t length = jinja_word(j);
            struct jinja_arguments a = {.count = 0};
            j->broken |= !length;
            j->at += length;
            bool called = jinja_symbol(j, "(");
            if (called)
                jinja_arguments(j, &a);
            term = age      ? age_part(&whole, name, length)
                   : now    ? now_part(name, length, called)
                   : called ? (struct term){0}
                            : dotted(j, from);
        } else if (jinja_symbol(j, "[")) {
            list_term(j, "]");
            term = (struct term){0};
        } else if (j->at < j->end && *j->at == '|') {
            j->at++;
            term = filtered(j, term);
        } else if (jinja_symbol(j, "(")) {
            struct jinja_arguments a;
            jinja_arguments(j, &a);
            term = (struct term){0};
        } else {
            return term;
        }
        if (j->broken)
            return (struct term){0};
    }
}

struct term jinja_primary(struct jinja *j)
{
    struct term term = {0};
    jinja_blanks(j);
    const char *from = j->at;
    if (j->at >= j->end || ++j->depth > TEMPLATE_DEPTH) {
        j->broken = true;
        return term;
    }
    if (*j->at == '\'' || *j->at == '"')
        term = text_term(j);
    else if (isdigit((unsigned char)*j->at))
        term = number_term(j);
    else if (jinja_symbol(j, "-")) {
        term = jinja_primary(j);
        term.kind = term.kind == TERM_NUMBER ? TERM_NUMBER : TERM_UNKNOWN;
        term.number = -term.number;
    } else if (jinja_symbol(j, "("))
        term = list_term(j, ")");
    else if (jinja_symbol(j, "["))
        term = list_term(j, "]");
    else if (jinja_word(j))
        term = word_term(j);
    else
        j->broken = true;
    term = postfix(j, term, from);
    j->depth--;
    term.from = from;
    term.to = j->at;
    return term;
}
