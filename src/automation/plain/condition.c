/* Conditions: or, and, not, parentheses; states, ranges, times. */
#include "automation/plain/plain.h"
#include <math.h>
#include <string.h>

enum { MOST_DEPTH = 64 };

static struct cond *disjunction(struct plain *p);

static struct cond *state_is(struct plain *p, uint32_t entity)
{
    bool negated = plain_take(p, "not");
    struct cond *cond = cond_new(p->model, COND_STATE, plain_place(p));
    cond->entity = entity;
    plain_values(p, &cond->texts);
    for (size_t i = 0; i < cond->texts.count; i++)
        model_mention(p->model, entity, cond->texts.at[i]);
    return negated ? cond_not(p->model, cond) : cond;
}

static struct cond *time_between(struct plain *p)
{
    plain_expect(p, "between");
    double from = plain_clock(p);
    plain_expect(p, "and");
    double to = plain_clock(p);
    struct cond *halves[2] = {
        cond_clock(p->model, plain_place(p), CLOCK_SECOND_OF_DAY, from,
                   from > to ? INFINITY : to - 1),
        cond_clock(p->model, plain_place(p), CLOCK_SECOND_OF_DAY, -INFINITY, to - 1)};
    return from > to ? cond_join(p->model, COND_OR, plain_place(p), halves, 2) : halves[0];
}

static struct cond *weekday_is(struct plain *p)
{
    static const char *const days[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
    struct text_set named = {0};
    struct cond *at[7];
    size_t count = 0, known = 0;
    plain_expect(p, "is");
    plain_values(p, &named);
    for (size_t i = 0; i < 7; i++)
        if (set_has(&named, days[i])) {
            at[count++] = cond_clock(p->model, plain_place(p), CLOCK_WEEKDAY, (double)i, (double)i);
            known++;
        }
    if (known != named.count)
        plain_fail(p, "expected days of the week (mon, tue, wed, thu, fri, sat, sun) before this");
    return cond_join(p->model, COND_OR, plain_place(p), at, count);
}

static struct cond *primary(struct plain *p)
{
    if (plain_take(p, "(")) {
        struct cond *inside = disjunction(p);
        plain_expect(p, ")");
        return inside;
    }
    bool negated = false;
    while (plain_take(p, "not"))
        negated = !negated;
    if (negated)
        return cond_not(p->model, primary(p));
    if (plain_take(p, "time"))
        return time_between(p);
    if (plain_take(p, "weekday"))
        return weekday_is(p);
    uint32_t entity = plain_entity(p);
    if (plain_take(p, "is"))
        return state_is(p, entity);
    struct cond *cond = cond_new(p->model, COND_NUMBER, plain_place(p));
    cond->entity = entity;
    if (plain_take(p, "unchanged")) {
        cond->kind = COND_HELD;
        plain_expect(p, "for");
        cond->seconds = plain_duration(p);
    } else {
        plain_range(p, &cond->above, &cond->below);
        model_cut(p->model, entity, cond->above);
        model_cut(p->model, entity, cond->below);
    }
    return cond;
}

static struct cond *chain(struct plain *p, const char *word, enum cond_kind kind,
                          struct cond *(*part)(struct plain *p))
{
    TAC_VEC(struct cond *) parts = {0};
    struct place place = plain_place(p);
    do
        tac_vec_push(&parts, part(p));
    while (plain_take(p, word));
    struct cond *made = cond_join(p->model, kind, place, parts.at, parts.count);
    tac_vec_free(&parts);
    return made;
}

static struct cond *conjunction(struct plain *p)
{
    return chain(p, "and", COND_AND, primary);
}

static struct cond *disjunction(struct plain *p)
{
    struct cond *made;
    if (++p->depth > MOST_DEPTH) {
        plain_fail(p, "parentheses are nested more than %d deep: expected a simpler condition",
                   (int)MOST_DEPTH);
        made = cond_new(p->model, COND_TRUE, plain_place(p));
    } else {
        made = chain(p, "or", COND_OR, conjunction);
    }
    p->depth--;
    return made;
}

struct cond *plain_condition(struct plain *p)
{
    return disjunction(p);
}
