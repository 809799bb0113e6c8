/* Backtracking with three-valued evaluation. See solve.h. */
#include "automation/solve/solve.h"
#include "base/check.h"
#include <math.h>
#include <string.h>

enum { MOST_WORK = 20000 }; /* assignments of one question */

void solver_open(struct solver *solver, const tac_automation_model *model)
{
    memset(solver, 0, sizeof *solver);
    solver->model = model;
    struct situation *now = &solver->now;
    now->entity_count = model->entities.count;
    now->free_count = model->free_names.count;
    now->value = tac_calloc(now->entity_count + 1, sizeof *now->value);
    now->age = tac_calloc(now->entity_count + 1, sizeof *now->age);
    now->free = tac_calloc(now->free_count + 1, sizeof *now->free);
}

void solver_close(struct solver *solver)
{
    free(solver->now.value);
    free(solver->now.age);
    free(solver->now.free);
}

static enum truth truth_of(bool value)
{
    return value ? TRUE_NOW : FALSE_NOW;
}

static bool within(const struct cond *cond, double number)
{
    return (cond->above_closed ? number >= cond->above : number > cond->above) &&
           (cond->below_closed ? number <= cond->below : number < cond->below);
}

static enum truth test_value(const struct cond *cond, const struct value *value)
{
    if (cond->kind == COND_STATE)
        return truth_of(set_has(&cond->texts, value->text));
    return truth_of(value->is_number && within(cond, value->number));
}

/* Whether the trigger says one of these of itself. */
static enum truth of_trigger(const tac_automation_model *model, const struct demand *demand,
                             const struct cond *cond)
{
    const struct trigger *t = demand->trigger;
    const struct event *e = demand->event;
    if (!t || !trigger_tells(t, cond->aspect))
        return OPEN_NOW;
    const char *text = trigger_text(model, t, cond->aspect);
    if (!text && t->entity != TAC_NONE && e && e->entity == t->entity)
        text =
            model->entities.at[t->entity].values[cond->aspect == ASPECT_TO ? e->to : e->from].text;
    return truth_of(text && set_has(&cond->texts, text));
}

static enum truth evaluate(const struct solver *solver, const struct demand *demand,
                           const struct cond *cond);

static enum truth junction(const struct solver *solver, const struct demand *demand,
                           const struct cond *cond)
{
    enum truth deciding = cond->kind == COND_AND ? FALSE_NOW : TRUE_NOW,
               all = truth_of(cond->kind == COND_AND);
    for (size_t i = 0; i < cond->count; i++) {
        enum truth one = evaluate(solver, demand, cond->at[i]);
        if (one == deciding)
            return deciding;
        if (one == OPEN_NOW)
            all = OPEN_NOW;
    }
    return all;
}

static enum truth of_entity(const struct solver *solver, const struct demand *demand,
                            const struct cond *cond)
{
    const struct situation *now = &solver->now;
    const struct path_write *own =
        demand->path ? path_last(demand->path, demand->writes, cond->entity, "") : NULL;
    if (own && cond->kind == COND_HELD)
        return FALSE_NOW;
    if (own)
        return own->step->value.text && !own->step->uncertain ? test_value(cond, &own->step->value)
                                                              : OPEN_NOW;
    bool event = demand->event && !demand->later && demand->event->entity == cond->entity;
    if (event && cond->kind == COND_HELD && demand->event->from != demand->event->to)
        return truth_of(demand->event->hold >= cond->seconds);
    if (event && cond->kind != COND_HELD)
        return test_value(cond,
                          &solver->model->entities.at[cond->entity].values[demand->event->to]);
    if (cond->kind == COND_HELD)
        return now->age[cond->entity] < 0 ? OPEN_NOW
                                          : truth_of(now->age[cond->entity] >= cond->seconds);
    if (now->value[cond->entity] == VALUE_OPEN)
        return OPEN_NOW;
    return test_value(cond,
                      &solver->model->entities.at[cond->entity].values[now->value[cond->entity]]);
}

static enum truth evaluate(const struct solver *solver, const struct demand *demand,
                           const struct cond *cond)
{
    const struct situation *now = &solver->now;
    enum truth inner;
    switch (cond->kind) {
    case COND_TRUE:
        return TRUE_NOW;
    case COND_FALSE:
        return FALSE_NOW;
    case COND_AND:
    case COND_OR:
        return junction(solver, demand, cond);
    case COND_NOT:
        inner = evaluate(solver, demand, cond->at[0]);
        return inner == OPEN_NOW ? OPEN_NOW : truth_of(inner == FALSE_NOW);
    case COND_CLOCK:
        return isnan(now->clock[cond->part]) ? OPEN_NOW
                                             : truth_of(within(cond, now->clock[cond->part]));
    case COND_TRIGGER:
        return of_trigger(solver->model, demand, cond);
    case COND_FREE:
        return now->free[cond->free] < 0 ? OPEN_NOW : truth_of(now->free[cond->free]);
    case COND_STATE:
    case COND_NUMBER:
    case COND_HELD:
        break;
    }
    return of_entity(solver, demand, cond);
}

enum variable_kind { VAR_NONE, VAR_VALUE, VAR_AGE, VAR_CLOCK, VAR_FREE };
struct variable {
    enum variable_kind kind;
    uint32_t index;
};

/* The first variable that decides something still open. */
static struct variable open_variable(const struct solver *solver, const struct demand *demand,
                                     const struct cond *cond, enum solve_mode mode)
{
    struct variable none = {VAR_NONE, 0};
    if (evaluate(solver, demand, cond) != OPEN_NOW)
        return none;
    for (size_t i = 0; i < cond->count; i++) {
        struct variable found = open_variable(solver, demand, cond->at[i], mode);
        if (found.kind != VAR_NONE)
            return found;
    }
    if (cond->kind == COND_CLOCK)
        return (struct variable){VAR_CLOCK, cond->part};
    if (cond->kind == COND_FREE && mode == SOLVE_POSSIBLE)
        return (struct variable){VAR_FREE, cond->free};
    bool entity = cond->kind == COND_STATE || cond->kind == COND_NUMBER || cond->kind == COND_HELD;
    if (!entity || (demand->path && path_last(demand->path, demand->writes, cond->entity, "")))
        return none;
    return (struct variable){cond->kind == COND_HELD ? VAR_AGE : VAR_VALUE, cond->entity};
}

struct search {
    struct solver *solver;
    const struct demand *demands;
    size_t count;
    enum solve_mode mode;
    uint64_t work;
    bool gave_up;
};

static bool step(struct search *s);

static bool try_values(struct search *s, uint32_t entity)
{
    struct situation *now = &s->solver->now;
    const struct entity *e = &s->solver->model->entities.at[entity];
    size_t count = s->mode == SOLVE_POSSIBLE ? e->proof_count : e->value_count;
    for (size_t v = 0; v < count && !s->gave_up; v++) {
        now->value[entity] = (uint16_t)v;
        if (step(s))
            return true;
    }
    s->gave_up |= e->more_values;
    now->value[entity] = VALUE_OPEN;
    return false;
}

static bool try_age(struct search *s, uint32_t entity, double age)
{
    if (s->gave_up)
        return false;
    s->solver->now.age[entity] = age;
    return step(s);
}

/* Just as old as some condition asks for: between that and what another one asks for. */
static bool try_asked(struct search *s, uint32_t entity, const struct cond *cond)
{
    for (size_t i = 0; i < cond->count; i++)
        if (try_asked(s, entity, cond->at[i]))
            return true;
    return cond->kind == COND_HELD && cond->entity == entity && try_age(s, entity, cond->seconds);
}

static bool try_ages(struct search *s, uint32_t entity)
{
    if (try_age(s, entity, AGE_LONG * 30) || try_age(s, entity, 1))
        return true;
    for (size_t i = 0; i < s->count; i++)
        if (try_asked(s, entity, s->demands[i].cond))
            return true;
    if (try_age(s, entity, 0))
        return true;
    s->solver->now.age[entity] = -1;
    return false;
}

static bool try_free(struct search *s, uint32_t index)
{
    struct situation *now = &s->solver->now;
    for (int8_t value = 0; value < 2 && !s->gave_up; value++) {
        now->free[index] = value;
        if (step(s))
            return true;
    }
    now->free[index] = -1;
    return false;
}

static bool try_clock(struct search *s, enum clock_part part)
{
    static const double first[] =
        {[CLOCK_SECOND_OF_DAY] = 0, [CLOCK_WEEKDAY] = 0, [CLOCK_MONTH] = 1, [CLOCK_DAY] = 1},
                        last[] = {86399, 6, 12, 31};
    TABLE_COVERS(first, CLOCK_DAY);
    struct situation *now = &s->solver->now;
    const double *cuts = s->solver->model->clock_cuts[part].at;
    size_t count = s->solver->model->clock_cuts[part].count;
    if (part != CLOCK_SECOND_OF_DAY) {
        for (double at = first[part]; at <= last[part] && !s->gave_up; at++) {
            now->clock[part] = at;
            if (step(s))
                return true;
        }
    } else {
        for (size_t i = 0; i < 3 * count + 1 && !s->gave_up; i++) {
            double at = i == 3 * count ? 43200 : cuts[i / 3] + (double)(i % 3) - 1;
            now->clock[part] = at < 0 ? at + 86400 : at > 86399 ? at - 86400 : at;
            if (step(s))
                return true;
        }
    }
    now->clock[part] = NAN;
    return false;
}

static bool step(struct search *s)
{
    struct variable variable = {VAR_NONE, 0};
    bool open = false;
    if (++s->work > MOST_WORK)
        s->gave_up = true;
    if (s->gave_up)
        return false;
    for (size_t i = 0; i < s->count; i++) {
        const struct demand *demand = &s->demands[i];
        enum truth now = evaluate(s->solver, demand, demand->cond);
        if (now != OPEN_NOW && now != truth_of(demand->want))
            return false;
        if (now == OPEN_NOW && variable.kind == VAR_NONE)
            variable = open_variable(s->solver, demand, demand->cond, s->mode);
        open |= now == OPEN_NOW;
    }
    switch (variable.kind) {
    case VAR_VALUE:
        return try_values(s, variable.index);
    case VAR_AGE:
        return try_ages(s, variable.index);
    case VAR_CLOCK:
        return try_clock(s, (enum clock_part)variable.index);
    case VAR_FREE:
        return try_free(s, variable.index);
    case VAR_NONE:
        break;
    }
    return !open || s->mode == SOLVE_POSSIBLE;
}

static void set_event(struct solver *solver, const struct event *event)
{
    struct situation *now = &solver->now;
    memset(now->value, 0xff, now->entity_count * sizeof *now->value);
    memset(now->free, -1, now->free_count);
    for (size_t i = 0; i < now->entity_count; i++)
        now->age[i] = -1;
    for (size_t part = 0; part < CLOCK_PARTS; part++)
        now->clock[part] = NAN;
    if (!event)
        return;
    if (event->entity != TAC_NONE) {
        now->value[event->entity] = event->to;
        if (event->from != event->to)
            now->age[event->entity] = event->hold;
    }
    if (event->trigger && event->trigger->kind == TRIGGER_TIME)
        now->clock[CLOCK_SECOND_OF_DAY] = event->trigger->seconds;
}

enum solve_answer solve(struct solver *solver, const struct event *event, enum solve_mode mode,
                        const struct demand *demands, size_t count)
{
    struct search search = {.solver = solver, .demands = demands, .count = count, .mode = mode};
    set_event(solver, event);
    bool found = step(&search);
    solver->work += search.work;
    solver->gave_up += search.gave_up;
    return search.gave_up ? SOLVE_GAVE_UP : found ? SOLVE_FOUND : SOLVE_NONE;
}
