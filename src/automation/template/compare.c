/* The meaning of a comparison between two terms. Jinja compares a state, which is a text, with a
 * number as unequal; such comparisons are left free, since people mean something else by them. */
#include "automation/template/terms.h"
#include <math.h>

enum { ANY = LESS | EQUAL | MORE };

static struct cond *negated(tac_automation_model *model, struct cond *cond, bool negate)
{
    return negate && cond ? cond_not(model, cond) : cond;
}

static struct cond *in_texts(tac_automation_model *model, struct place place,
                             const struct term *term, const struct text_set *texts)
{
    struct cond *cond =
        cond_new(model, term->kind == TERM_STATE ? COND_STATE : COND_TRIGGER, place);
    cond->texts = *texts;
    if (term->kind == TERM_STATE) {
        cond->entity = term->entity;
        for (size_t i = 0; i < texts->count; i++)
            model_mention(model, term->entity, texts->at[i]);
    } else {
        cond->aspect = term->aspect;
    }
    return cond;
}

/* The state is a number and stands so to `at`; not LESS | MORE. ANY: it is a number. */
static struct cond *number_range(tac_automation_model *model, struct place place, uint32_t entity,
                                 double at, unsigned op)
{
    struct cond *cond = cond_new(model, COND_NUMBER, place);
    cond->entity = entity;
    if (!(op & LESS))
        cond->above = at, cond->above_closed = op & EQUAL;
    if (!(op & MORE))
        cond->below = at, cond->below_closed = op & EQUAL;
    return cond;
}

static struct cond *cut_range(tac_automation_model *model, struct place place, uint32_t entity,
                              double at, unsigned op)
{
    struct cond *cond = number_range(model, place, entity, at, op);
    model_cut(model, entity, at);
    return cond;
}

/* The whole part of x, which `int` takes towards zero, is at most `most`: x < most + 1, or where
 * that is negative x <= most. Or else the contrary. */
static struct cond *whole_range(tac_automation_model *model, struct place place, uint32_t entity,
                                double most, bool contrary)
{
    bool open = most >= 0;
    unsigned op = open ? LESS : LESS | EQUAL;
    return cut_range(model, place, entity, open ? most + 1 : most, contrary ? op ^ ANY : op);
}

static struct cond *whole_amount(tac_automation_model *model, struct place place, uint32_t entity,
                                 unsigned op, double at)
{
    if (op == (LESS | EQUAL) || op == MORE)
        return whole_range(model, place, entity, floor(at), op == MORE);
    if (op == LESS || op == (EQUAL | MORE))
        return whole_range(model, place, entity, ceil(at) - 1, op != LESS);
    bool equal = op == EQUAL; /* neither below nor above it, or one of both */
    if (equal && at != floor(at))
        return cond_new(model, COND_FALSE, place);
    struct cond *below = whole_range(model, place, entity, ceil(at) - 1, equal);
    return cond_pair(model, equal ? COND_AND : COND_OR, place, below,
                     whole_range(model, place, entity, floor(at), !equal));
}

/* A state that is not a number makes the template fail, and with it the condition, unless there is
 * a default. */
static struct cond *amount(tac_automation_model *model, struct place place, const struct term *term,
                           unsigned op, double at)
{
    struct cond *within;
    if (term->whole) {
        within = whole_amount(model, place, term->entity, op, at);
    } else if (op == (LESS | MORE)) {
        struct cond *below = cut_range(model, place, term->entity, at, LESS);
        within = cond_pair(model, COND_OR, place, below,
                           cut_range(model, place, term->entity, at, MORE));
    } else {
        within = cut_range(model, place, term->entity, at, op);
    }
    unsigned outcome = term->number < at ? LESS : term->number > at ? MORE : EQUAL;
    if (!term->defaulted || !(op & outcome))
        return within;
    struct cond *any = number_range(model, place, term->entity, 0, ANY);
    model_mention(model, term->entity, "unavailable");
    return cond_pair(model, COND_OR, place, within, cond_not(model, any));
}

/* hour >= 22 as a range of seconds; month == 12, weekday() < 5 as ranges of whole numbers. */
static struct cond *clock_range(tac_automation_model *model, struct place place,
                                const struct term *term, double at, unsigned op)
{
    double first = (at - term->shift) * term->unit, last = first + term->unit - 1;
    if (at != floor(at))
        return NULL;
    if (op == (LESS | MORE))
        return cond_not(model, cond_clock(model, place, term->part, first, last));
    return cond_clock(model, place, term->part,
                      op & LESS    ? -INFINITY
                      : op & EQUAL ? first
                                   : last + 1,
                      op & MORE    ? INFINITY
                      : op & EQUAL ? last
                                   : first - 1);
}

static struct cond *clock_in(tac_automation_model *model, struct place place,
                             const struct term *term, const struct text_set *texts)
{
    struct cond *parts[64];
    size_t count = 0;
    for (size_t i = 0; i < texts->count && count < 64; i++) {
        struct value value = value_of(texts->at[i]);
        struct cond *one =
            value.is_number ? clock_range(model, place, term, value.number, EQUAL) : NULL;
        if (!one)
            return NULL;
        parts[count++] = one;
    }
    return cond_join(model, COND_OR, place, parts, count);
}

static bool is_constant(const struct term *term)
{
    return term->kind == TERM_TEXT || term->kind == TERM_NUMBER;
}

static struct cond *member_of(tac_automation_model *model, struct place place,
                              const struct term *left, const struct term *list)
{
    if (list->kind != TERM_LIST)
        return NULL;
    if (left->kind == TERM_CLOCK)
        return clock_in(model, place, left, &list->texts);
    if ((left->kind == TERM_STATE || left->kind == TERM_TRIGGER) && !list->numbers)
        return in_texts(model, place, left, &list->texts);
    return NULL;
}

struct cond *term_compare(tac_automation_model *model, struct place place, const struct term *left,
                          unsigned op, const struct term *right)
{
    bool negate = op & LESS, equality = op == EQUAL || op == (LESS | MORE);
    if (op & MEMBER)
        return negated(model, member_of(model, place, left, right), negate);
    if (is_constant(left) && !is_constant(right)) {
        const struct term *swap = left;
        left = right, right = swap;
        op = (op & EQUAL) | (op & LESS ? MORE : 0) | (op & MORE ? LESS : 0);
    }
    bool of_number = right->kind == TERM_NUMBER;
    if (left->kind == TERM_AMOUNT && of_number)
        return amount(model, place, left, op, right->number);
    if (left->kind == TERM_CLOCK && of_number)
        return clock_range(model, place, left, right->number, op);
    if (left->kind == TERM_AGE && of_number && !equality) {
        struct cond *held = cond_new(model, COND_HELD, place);
        held->entity = left->entity;
        held->seconds = right->number;
        return negated(model, held, op & LESS);
    }
    if ((left->kind == TERM_STATE || left->kind == TERM_TRIGGER) && right->kind == TERM_TEXT &&
        equality) {
        struct text_set one = {0};
        set_add(model, &one, right->text);
        return negated(model, in_texts(model, place, left, &one), negate);
    }
    if (left->kind == TERM_BOOLEAN && right->kind == TERM_BOOLEAN && equality &&
        (right->cond->kind == COND_TRUE || right->cond->kind == COND_FALSE))
        return negated(model, left->cond, (right->cond->kind == COND_FALSE) != negate);
    return NULL;
}

struct cond *term_truth(tac_automation_model *model, struct place place, const struct term *term)
{
    if (term->kind == TERM_BOOLEAN)
        return term->cond;
    if (term->kind == TERM_TEXT)
        return cond_new(model, *term->text ? COND_TRUE : COND_FALSE, place);
    if (term->kind == TERM_NUMBER)
        return cond_new(model, term->number != 0 ? COND_TRUE : COND_FALSE, place);
    if (term->kind == TERM_AMOUNT)
        return amount(model, place, term, LESS | MORE, 0);
    return NULL;
}
