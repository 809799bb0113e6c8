/* Recursive descent over a template's expression. A subexpression that is not understood is skipped
 * by the grammar all the same, so that its text, and with it its free condition, is exact. */
#include "automation/template/expression.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

void jinja_blanks(struct jinja *j)
{
    while (j->at < j->end && isspace((unsigned char)*j->at))
        j->at++;
}

bool jinja_symbol(struct jinja *j, const char *text)
{
    size_t length = strlen(text);
    jinja_blanks(j);
    if ((size_t)(j->end - j->at) < length || strncmp(j->at, text, length) != 0)
        return false;
    j->at += length;
    return true;
}

size_t jinja_word(const struct jinja *j)
{
    size_t length = 0;
    while (j->at + length < j->end &&
           (isalnum((unsigned char)j->at[length]) || j->at[length] == '_'))
        length++;
    return length && !isdigit((unsigned char)*j->at) ? length : 0;
}

bool jinja_keyword(struct jinja *j, const char *text)
{
    jinja_blanks(j);
    size_t length = jinja_word(j);
    if (length != strlen(text) || strncmp(j->at, text, length) != 0)
        return false;
    j->at += length;
    return true;
}

/* The text of a part with runs of blanks folded, and the scope where it depends on it. */
struct cond *jinja_free(struct jinja *j, const char *from, const char *to)
{
    tac_str text = {0};
    for (const char *c = from; c < to; c++)
        if (!isspace((unsigned char)*c))
            tac_str_add_char(&text, *c);
        else if (c > from && !isspace((unsigned char)c[-1]))
            tac_str_add_char(&text, ' ');
    tac_str_addf(&text, " @%s", j->scope);
    struct cond *cond = cond_free(j->model, j->place, tac_str_text(&text));
    tac_str_free(&text);
    return cond;
}

struct cond *jinja_truth(struct jinja *j, const struct term *term)
{
    struct cond *cond = term_truth(j->model, j->place, term);
    return cond ? cond : jinja_free(j, term->from, term->to);
}

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

struct arguments {
    struct term at[8];
    size_t count;
};

static void read_arguments(struct jinja *j, struct arguments *args)
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
    struct arguments a;
    read_arguments(j, &a);
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
    struct arguments a = {.count = 0};
    j->broken |= !length;
    j->at += length;
    if (jinja_symbol(j, "("))
        read_arguments(j, &a);
    bool number =
        (length == 5 && !strncmp(name, "float", 5)) || (length == 3 && !strncmp(name, "int", 3));
    if (number && term.kind == TERM_STATE) {
        term.kind = TERM_AMOUNT;
        return term;
    }
    if ((length == 6 && !strncmp(name, "string", 6)) &&
        (term.kind == TERM_STATE || term.kind == TERM_TEXT))
        return term;
    return number && (term.kind == TERM_NUMBER || term.kind == TERM_AMOUNT) ? term
                                                                            : (struct term){0};
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
            struct arguments a = {.count = 0};
            j->broken |= !length;
            j->at += length;
            bool called = jinja_symbol(j, "(");
            if (called)
                read_arguments(j, &a);
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
            struct arguments a;
            read_arguments(j, &a);
            term = (struct term){0};
        } else {
            return term;
        }
        if (j->broken)
            return (struct term){0};
    }
}

static struct term primary(struct jinja *j)
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
        term = primary(j);
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

static struct term computed(const struct term *left, char op, const struct term *right)
{
    struct term out = {0};
    if (left->kind == TERM_NUMBER && right->kind == TERM_NUMBER && strchr("+-*/", op)) {
        out.kind = TERM_NUMBER;
        out.number = op == '+'   ? left->number + right->number
                     : op == '-' ? left->number - right->number
                     : op == '*' ? left->number * right->number
                                 : left->number / right->number;
        if (!isfinite(out.number))
            out.kind = TERM_UNKNOWN;
    } else if (op == '-' && left->kind == TERM_NOW && right->kind == TERM_CHANGED) {
        out.kind = TERM_AGE;
        out.entity = right->entity;
    }
    return out;
}

/* Sums of products; the rest of Jinja's operators make an unknown term. */
static struct term arithmetic(struct jinja *j, bool products)
{
    static const char *const operators[] = {"+-~", "*/%"};
    jinja_blanks(j);
    const char *from = j->at;
    struct term term = products ? primary(j) : arithmetic(j, true);
    for (;;) {
        jinja_blanks(j);
        if (j->at >= j->end || j->broken || !strchr(operators[products], *j->at) ||
            (*j->at == '%' && j->at + 1 < j->end && j->at[1] == '}'))
            break;
        char op = *j->at++;
        if (j->at < j->end && *j->at == op && products)
            j->at++, op = '?'; /* ** and // */
        struct term right = products ? primary(j) : arithmetic(j, true);
        term = computed(&term, op, &right);
    }
    term.from = from;
    term.to = j->at;
    return term;
}

static struct term sum(struct jinja *j)
{
    return arithmetic(j, false);
}

static bool operator_of(struct jinja *j, enum compare_op *op)
{
    static const struct {
        const char *text;
        enum compare_op op;
    } symbols[] = {{"==", OP_EQ}, {"!=", OP_NE}, {"<=", OP_LE},
                   {">=", OP_GE}, {"<", OP_LT},  {">", OP_GT}};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (jinja_symbol(j, symbols[i].text))
            return *op = symbols[i].op, true;
    if (jinja_keyword(j, "in"))
        return *op = OP_IN, true;
    const char *start = j->at;
    if (jinja_keyword(j, "not")) {
        if (jinja_keyword(j, "in"))
            return *op = OP_NOT_IN, true;
        j->at = start;
    }
    return false;
}

static struct term comparison(struct jinja *j)
{
    struct term left = sum(j);
    struct cond *parts[16];
    size_t count = 0;
    const char *from = left.from;
    enum compare_op op;
    for (;;) {
        if (jinja_keyword(j, "is")) { /* tests: defined, none, ... */
            (void)jinja_keyword(j, "not");
            jinja_blanks(j);
            size_t length = jinja_word(j);
            j->broken |= !length;
            j->at += length;
            if (jinja_symbol(j, "(")) {
                struct arguments a;
                read_arguments(j, &a);
            }
            return (struct term){.kind = TERM_BOOLEAN,
                                 .cond = jinja_free(j, from, j->at),
                                 .from = from,
                                 .to = j->at};
        }
        if (j->broken || !operator_of(j, &op))
            break;
        struct term right = sum(j);
        struct cond *one = term_compare(j->model, j->place, &left, op, &right);
        if (!one)
            one = jinja_free(j, left.from, right.to);
        if (count < 16)
            parts[count++] = one;
        left = right;
    }
    if (!count)
        return left;
    return (struct term){.kind = TERM_BOOLEAN,
                         .cond = cond_join(j->model, COND_AND, j->place, parts, count),
                         .from = from,
                         .to = j->at};
}

static struct term negation(struct jinja *j)
{
    jinja_blanks(j);
    const char *from = j->at;
    if (!jinja_keyword(j, "not"))
        return comparison(j);
    if (++j->depth > TEMPLATE_DEPTH)
        j->broken = true;
    struct term inner = j->broken ? (struct term){0} : negation(j);
    j->depth--;
    if (j->broken)
        return inner;
    return (struct term){.kind = TERM_BOOLEAN,
                         .cond = cond_not(j->model, jinja_truth(j, &inner)),
                         .from = from,
                         .to = j->at};
}

static struct term joined(struct jinja *j, enum cond_kind kind)
{
    struct term first = kind == COND_OR ? joined(j, COND_AND) : negation(j);
    struct cond *parts[64];
    size_t count = 0;
    while (!j->broken && jinja_keyword(j, kind == COND_OR ? "or" : "and")) {
        if (!count)
            parts[count++] = jinja_truth(j, &first);
        struct term next = kind == COND_OR ? joined(j, COND_AND) : negation(j);
        if (j->broken || count == 64) {
            j->broken = true;
            break;
        }
        parts[count++] = jinja_truth(j, &next);
    }
    if (!count)
        return first;
    return (struct term){.kind = TERM_BOOLEAN,
                         .cond = cond_join(j->model, kind, j->place, parts, count),
                         .from = first.from,
                         .to = j->at};
}

struct term jinja_expression(struct jinja *j)
{
    struct term value = joined(j, COND_OR);
    if (j->broken || !jinja_keyword(j, "if"))
        return value;
    struct term test = joined(j, COND_OR), other = {0};
    if (!jinja_keyword(j, "else"))
        return j->broken = true, other;
    other = jinja_expression(j);
    if (j->broken)
        return other;
    struct cond *when = jinja_truth(j, &test);
    struct cond *yes[2] = {when, jinja_truth(j, &value)};
    struct cond *no[2] = {cond_not(j->model, when), jinja_truth(j, &other)};
    struct cond *both[2] = {cond_join(j->model, COND_AND, j->place, yes, 2),
                            cond_join(j->model, COND_AND, j->place, no, 2)};
    return (struct term){.kind = TERM_BOOLEAN,
                         .cond = cond_join(j->model, COND_OR, j->place, both, 2),
                         .from = value.from,
                         .to = j->at};
}
