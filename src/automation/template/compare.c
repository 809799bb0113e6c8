/* The meaning of a comparison between two terms. Jinja compares a state, which is a text, with a
 * number as unequal; such comparisons are left free, since people mean something else by them. */
#include "automation/template/terms.h"
#include <math.h>
#include <string.h>

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

static bool compares(double left, enum compare_op op, double right)
{
    return op == OP_EQ   ? left == right
           : op == OP_NE ? left != right
           : op == OP_LT ? left < right
           : op == OP_GT ? left > right
           : op == OP_LE ? left <= right
                         : left >= right;
}

/* The state is a number and stands so to `at`; never OP_NE. */
static struct cond *number_range(tac_automation_model *model, struct place place, uint32_t entity,
                                 double at, enum compare_op op)
{
    struct cond *cond = cond_new(model, COND_NUMBER, place);
    cond->entity = entity;
    if (op != OP_LT && op != OP_LE)
        cond->above = at, cond->above_closed = op != OP_GT;
    if (op != OP_GT && op != OP_GE)
        cond->below = at, cond->below_closed = op != OP_LT;
    model_cut(model, entity, at);
    return cond;
}

/* The whole part of x, which `int` takes towards zero, is at most `most`: x < most + 1, or where
 * that is negative x <= most. Or else the contrary. */
static struct cond *whole_range(tac_automation_model *model, struct place place, uint32_t entity,
                                double most, bool contrary)
{
    bool open = most >= 0;
    enum compare_op op = open ? OP_LT : OP_LE;
    if (contrary)
        op = open ? OP_GE : OP_GT;
    return number_range(model, place, entity, open ? most + 1 : most, op);
}

static struct cond *whole_amount(tac_automation_model *model, struct place place, uint32_t entity,
                                 enum compare_op op, double at)
{
    struct cond *ends[2];
    if (op == OP_LE || op == OP_GT)
        return whole_range(model, place, entity, floor(at), op == OP_GT);
    if (op == OP_LT || op == OP_GE)
        return whole_range(model, place, entity, ceil(at) - 1, op == OP_GE);
    bool equal = op == OP_EQ; /* neither below nor above it, or one of both */
    if (equal && at != floor(at))
        return cond_new(model, COND_FALSE, place);
    ends[0] = whole_range(model, place, entity, ceil(at) - 1, equal);
    ends[1] = whole_range(model, place, entity, floor(at), !equal);
    return cond_join(model, equal ? COND_AND : COND_OR, place, ends, 2);
}

/* A state that is not a number makes the template fail, and with it the condition, unless there is
 * a default. */
static struct cond *amount(tac_automation_model *model, struct place place, const struct term *term,
                           enum compare_op op, double at)
{
    struct cond *ends[2], *within;
    if (term->whole) {
        within = whole_amount(model, place, term->entity, op, at);
    } else if (op == OP_NE) {
        ends[0] = number_range(model, place, term->entity, at, OP_LT);
        ends[1] = number_range(model, place, term->entity, at, OP_GT);
        within = cond_join(model, COND_OR, place, ends, 2);
    } else {
        within = number_range(model, place, term->entity, at, op);
    }
    if (!term->defaulted || !compares(term->number, op, at))
        return within;
    struct cond *any = cond_new(model, COND_NUMBER, place);
    any->entity = term->entity;
    any->above = -INFINITY;
    any->below = INFINITY;
    model_mention(model, term->entity, "unavailable");
    ends[0] = within;
    ends[1] = cond_not(model, any);
    return cond_join(model, COND_OR, place, ends, 2);
}

/* hour >= 22 as a range of seconds; month == 12, weekday() < 5 as ranges of whole numbers. */
static struct cond *clock_range(tac_automation_model *model, struct place place,
                                const struct term *term, double at, enum compare_op op)
{
    double unit = term->unit, first = (at - term->shift) * unit, last = first + unit - 1;
    double from = -INFINITY, to = INFINITY;
    if (at != floor(at))
        return NULL;
    switch (op) {
    case OP_LT:
        to = first - 1;
        break;
    case OP_LE:
        to = last;
        break;
    case OP_GT:
        from = last + 1;
        break;
    case OP_GE:
        from = first;
        break;
    default:
        from = first, to = last;
        break;
    }
    struct cond *cond = cond_clock(model, place, term->part, from, to);
    return negated(model, cond, op == OP_NE);
}

static enum compare_op mirrored(enum compare_op op)
{
    return op == OP_LT   ? OP_GT
           : op == OP_GT ? OP_LT
           : op == OP_LE ? OP_GE
           : op == OP_GE ? OP_LE
                         : op;
}

static struct cond *clock_in(tac_automation_model *model, struct place place,
                             const struct term *term, const struct text_set *texts)
{
    struct cond *parts[64];
    size_t count = 0;
    for (size_t i = 0; i < texts->count && count < 64; i++) {
        struct value value = value_of(texts->at[i]);
        struct cond *one =
            value.is_number ? clock_range(model, place, term, value.number, OP_EQ) : NULL;
        if (!one)
            return NULL;
        parts[count++] = one;
    }
    return cond_join(model, COND_OR, place, parts, count);
}

struct cond *term_compare(tac_automation_model *model, struct place place, const struct term *left,
                          enum compare_op op, const struct term *right)
{
    bool member = op == OP_IN || op == OP_NOT_IN, negate = op == OP_NE || op == OP_NOT_IN;
    if (!member && (left->kind == TERM_TEXT || left->kind == TERM_NUMBER) &&
        right->kind != TERM_TEXT && right->kind != TERM_NUMBER) {
        const struct term *swap = left;
        left = right, right = swap;
        op = mirrored(op);
    }
    if (left->kind == TERM_STATE || left->kind == TERM_TRIGGER) {
        struct text_set one = {.at = (const char **)&right->text, .count = 1};
        if (member && right->kind == TERM_LIST && !right->numbers)
            return negated(model, in_texts(model, place, left, &right->texts), negate);
        if ((op == OP_EQ || op == OP_NE) && right->kind == TERM_TEXT) {
            struct text_set kept = {0};
            set_add(model, &kept, one.at[0]);
            return negated(model, in_texts(model, place, left, &kept), negate);
        }
        return NULL;
    }
    if (left->kind == TERM_AMOUNT && right->kind == TERM_NUMBER && !member)
        return amount(model, place, left, op, right->number);
    if (left->kind == TERM_AGE && right->kind == TERM_NUMBER && !member && op != OP_EQ &&
        op != OP_NE) {
        struct cond *held = cond_new(model, COND_HELD, place);
        held->entity = left->entity;
        held->seconds = right->number;
        return negated(model, held, op == OP_LT || op == OP_LE);
    }
    if (left->kind == TERM_CLOCK && right->kind == TERM_NUMBER && !member)
        return clock_range(model, place, left, right->number, op);
    if (left->kind == TERM_CLOCK && right->kind == TERM_LIST && member)
        return negated(model, clock_in(model, place, left, &right->texts), negate);
    if (left->kind == TERM_BOOLEAN && right->kind == TERM_BOOLEAN && (op == OP_EQ || op == OP_NE) &&
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
        return amount(model, place, term, OP_NE, 0);
    return NULL;
}
