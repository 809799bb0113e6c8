/* From a situation that the solver found to a play that the simulator confirms. */
#include "automation/faults/check.h"
#include "base/data/str.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { FIRST_DAY = 20454, DAYS = 28 * 366 }; /* 2026-01-01 */

/* A day with the month, day and weekday that the situation wants; -1: there is none. */
static double fitting_day(const struct situation *now)
{
    for (int day = FIRST_DAY; day < FIRST_DAY + DAYS; day++) {
        time_t seconds = (time_t)day * 86400;
        struct tm tm;
        gmtime_r(&seconds, &tm);
        if ((isnan(now->clock[CLOCK_MONTH]) || tm.tm_mon + 1 == now->clock[CLOCK_MONTH]) &&
            (isnan(now->clock[CLOCK_DAY]) || tm.tm_mday == now->clock[CLOCK_DAY]) &&
            (isnan(now->clock[CLOCK_WEEKDAY]) || (tm.tm_wday + 6) % 7 == now->clock[CLOCK_WEEKDAY]))
            return day * 86400.0;
    }
    return -1;
}

/* "Thu 2026-01-01 12:00:00: light.hall is off, ..." */
static void tell_start(const struct checker *checker, struct play *sim, double at)
{
    tac_str text = {0};
    char date[40];
    time_t seconds = (time_t)at;
    struct tm tm;
    gmtime_r(&seconds, &tm);
    strftime(date, sizeof date, "%a %Y-%m-%d %H:%M:%S", &tm);
    tac_str_add(&text, date);
    for (size_t i = 0, told = 0; i < checker->model->entities.count; i++)
        if (sim->states[i])
            tac_str_addf(&text, "%s%s is %s", told++ ? ", " : ": ",
                         checker->model->entities.at[i].name, sim->states[i]);
    tac_vec_push(&sim->log,
                 (struct record){.kind = RECORD_EVENT,
                                 .time = at,
                                 .entity = TAC_NONE,
                                 .text = tac_arena_strdup(&sim->arena, tac_str_text(&text))});
    tac_str_free(&text);
}

void story_event(struct play *sim, const struct event *event)
{
    const struct trigger *t = event->trigger;
    if (event->entity != TAC_NONE) {
        const struct value *values = sim->model->entities.at[event->entity].values;
        const char *old = sim->states[event->entity];
        if (event->from != event->to && (!old || strcmp(old, values[event->from].text) != 0))
            play_set(sim, event->entity, values[event->from].text);
        play_set(sim, event->entity, values[event->to].text);
        if (event->hold > 0)
            play_advance(sim, sim->now + event->hold);
    } else if (t->kind == TRIGGER_TIME) {
        play_advance(sim, sim->now + 1);
    } else {
        play_event(sim, t->kind == TRIGGER_START ? NULL : t->key);
    }
}

bool story_begin(struct checker *checker, const struct event *event, struct play *sim,
                 double *origin)
{
    const struct situation *now = &checker->solver.now;
    double day = fitting_day(now), second = isnan(now->clock[CLOCK_SECOND_OF_DAY])
                                                ? 43200
                                                : now->clock[CLOCK_SECOND_OF_DAY];
    double at = day + second, start = at - event->hold;
    if (day < 0)
        return false;
    if (event->trigger->kind == TRIGGER_TIME)
        start = at - 1;
    play_open(sim, checker->model, start);
    for (uint32_t i = 0; i < now->entity_count; i++)
        if (now->value[i] != VALUE_OPEN || i == event->entity || now->age[i] >= 0) {
            uint16_t value = i == event->entity            ? event->from
                             : now->value[i] == VALUE_OPEN ? 0
                                                           : now->value[i];
            double age = now->age[i] < 0 || i == event->entity ? AGE_LONG : now->age[i];
            play_assume(sim, i, checker->model->entities.at[i].values[value].text, at - age);
        }
    *origin = start;
    tell_start(checker, sim, start);
    story_event(sim, event);
    return true;
}

void story_keep(struct checker *checker, tac_automation_finding *finding, const struct play *sim,
                double origin)
{
    (void)checker;
    play_moments(sim, origin, 60, &finding->story, &finding->moment_count);
}

const char *event_text(struct checker *checker, const struct event *event, char *buffer,
                       size_t size)
{
    const struct trigger *t = event->trigger;
    char clock[16];
    if (event->entity != TAC_NONE) {
        const struct entity *e = &checker->model->entities.at[event->entity];
        if (event->hold > 0)
            snprintf(buffer, size, "%s being %s for %g s", e->name, e->values[event->to].text,
                     event->hold);
        else
            snprintf(buffer, size, "%s changing from %s to %s", e->name,
                     e->values[event->from].text, e->values[event->to].text);
    } else if (t->kind == TRIGGER_TIME) {
        snprintf(buffer, size, "%s", clock_text(t->seconds, clock, sizeof clock));
    } else if (t->kind == TRIGGER_START) {
        snprintf(buffer, size, "the start of the system");
    } else {
        snprintf(buffer, size, "%s", t->key);
    }
    return buffer;
}
