/* Conditions and triggers on concrete states. */
#include "automation/simulate/play.h"
#include "base/data/text.h"
#include <math.h>
#include <string.h>
#include <time.h>

static double clock_now(const struct play *sim, enum clock_part part)
{
    time_t seconds = (time_t)floor(sim->now);
    struct tm tm;
    gmtime_r(&seconds, &tm);
    switch (part) {
    case CLOCK_WEEKDAY:
        return (tm.tm_wday + 6) % 7;
    case CLOCK_MONTH:
        return tm.tm_mon + 1;
    case CLOCK_DAY:
        return tm.tm_mday;
    case CLOCK_SECOND_OF_DAY:
    case CLOCK_PARTS:
        break;
    }
    return tm.tm_hour * 3600.0 + tm.tm_min * 60.0 + tm.tm_sec;
}

static bool in_bounds(const struct cond *cond, double x)
{
    if (cond->above_closed ? x < cond->above : x <= cond->above)
        return false;
    return cond->below_closed ? x <= cond->below : x < cond->below;
}

static bool has(const struct text_set *set, const char *text)
{
    size_t i = 0;
    while (i < set->count && strcmp(set->at[i], text) != 0)
        i++;
    return i < set->count;
}

/* 1, 0, or -1: not known. */
static int said_by_trigger(const struct play *sim, const struct cond *cond,
                           const struct play_run *run)
{
    const struct trigger *t = run ? run->trigger : NULL;
    if (!t)
        return 0;
    if (!trigger_tells(t, cond->aspect))
        return -1;
    const char *said = trigger_text(sim->model, t, cond->aspect);
    if (!said && t->entity != TAC_NONE)
        said = cond->aspect == ASPECT_TO ? run->to : run->from;
    return said && has(&cond->texts, said);
}

static int several(const struct play *sim, const struct cond *cond, const struct play_run *run)
{
    int all = cond->kind == COND_AND;
    bool unknown = false;
    for (size_t i = 0; i < cond->count; i++) {
        int one = play_condition(sim, cond->at[i], run);
        if (one == !all)
            return !all;
        unknown |= one < 0;
    }
    return unknown ? -1 : all;
}

int play_condition(const struct play *sim, const struct cond *cond, const struct play_run *run)
{
    const char *state = cond->entity == TAC_NONE ? NULL : sim->states[cond->entity];
    double number;
    int inner;
    switch (cond->kind) {
    case COND_TRUE:
        return 1;
    case COND_FALSE:
        return 0;
    case COND_AND:
    case COND_OR:
        return several(sim, cond, run);
    case COND_NOT:
        inner = play_condition(sim, cond->at[0], run);
        return inner < 0 ? -1 : !inner;
    case COND_STATE:
        return state ? has(&cond->texts, state) : -1;
    case COND_NUMBER:
        return !state ? -1 : tac_parse_double(state, &number) && in_bounds(cond, number);
    case COND_HELD:
        return state ? sim->now - sim->changed[cond->entity] >= cond->seconds : -1;
    case COND_CLOCK:
        return in_bounds(cond, clock_now(sim, cond->part));
    case COND_TRIGGER:
        return said_by_trigger(sim, cond, run);
    case COND_FREE:
        break;
    }
    return -1;
}

bool play_fires(const struct trigger *t, const char *from, const char *to)
{
    double old = 0, new = 0;
    if (t->kind == TRIGGER_NUMBER) {
        bool was = from && tac_parse_double(from, &old) && old > t->above && old < t->below;
        return !was && tac_parse_double(to, &new) && new > t->above &&new < t->below;
    }
    if (t->kind != TRIGGER_STATE)
        return false;
    if (from && !strcmp(from, to))
        return !(t->has_to || t->has_from || t->has_not_to || t->has_not_from);
    if (t->has_to && !has(&t->to, to))
        return false;
    if (t->has_not_to && has(&t->not_to, to))
        return false;
    if (t->has_from && (!from || !has(&t->from, from)))
        return false;
    return !(t->has_not_from && from && has(&t->not_from, from));
}
