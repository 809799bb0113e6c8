/* Events, instants and the passing of time. */
#include "automation/simulate/play.h"
#include "base/check.h"
#include <math.h>
#include <string.h>

enum { LOG_LIMIT = 200000 };

/* listeners[listener_from[e] .. listener_from[e + 1]) listen to entity e. */
static void index_listeners(struct play *sim)
{
    const tac_automation_model *model = sim->model;
    size_t entities = model->entities.count, total = 0;
    sim->listener_from = tac_calloc(entities + 2, sizeof *sim->listener_from);
    for (size_t a = 0; a < model->automations.count; a++)
        for (size_t t = 0; t < model->automations.at[a].trigger_count; t++)
            if (model->automations.at[a].triggers[t].entity != TAC_NONE)
                sim->listener_from[model->automations.at[a].triggers[t].entity + 2]++, total++;
    for (size_t e = 2; e < entities + 2; e++)
        sim->listener_from[e] += sim->listener_from[e - 1];
    sim->listeners = tac_calloc(total + 1, sizeof *sim->listeners);
    for (size_t a = 0; a < model->automations.count; a++)
        for (size_t t = 0; t < model->automations.at[a].trigger_count; t++) {
            uint32_t entity = model->automations.at[a].triggers[t].entity;
            if (entity != TAC_NONE)
                sim->listeners[sim->listener_from[entity + 1]++] = (uint32_t)a;
        }
    assert(sim->listener_from[entities] == total || entities == 0);
}

void play_open(struct play *sim, const tac_automation_model *model, double start)
{
    memset(sim, 0, sizeof *sim);
    sim->model = model;
    sim->now = start;
    sim->log_limit = LOG_LIMIT;
    sim->states = tac_calloc(model->entities.count + 1, sizeof *sim->states);
    sim->changed = tac_calloc(model->entities.count + 1, sizeof *sim->changed);
    sim->fires_now = tac_calloc(model->automations.count + 1, sizeof *sim->fires_now);
    index_listeners(sim);
}

void play_close(struct play *sim)
{
    free(sim->states);
    free(sim->changed);
    free(sim->fires_now);
    free(sim->listeners);
    free(sim->listener_from);
    tac_vec_free(&sim->log);
    tac_vec_free(&sim->pending);
    tac_vec_free(&sim->runs);
    tac_vec_free(&sim->changes);
    tac_arena_free(&sim->arena);
}

void play_assume(struct play *sim, uint32_t entity, const char *text, double since)
{
    sim->states[entity] = tac_arena_strdup(&sim->arena, text);
    sim->changed[entity] = since;
}

struct start {
    uint32_t automation;
    const struct trigger *trigger;
    const char *from, *to;
};
typedef TAC_VEC(struct start) start_list;

static void wish(struct play *sim, start_list *list, uint32_t automation,
                 const struct trigger *trigger, const char *from, const char *to)
{
    const struct automation *a = &sim->model->automations.at[automation];
    struct play_run seen = {.automation = automation, .trigger = trigger, .from = from, .to = to};
    int holds = a->disabled ? 0 : play_condition(sim, a->cond, &seen);
    if (holds > 0)
        tac_vec_push(list, (struct start){automation, trigger, from, to});
    else if (holds < 0)
        tac_vec_push(
            &sim->log,
            (struct record){.kind = RECORD_UNKNOWN, .time = sim->now, .automation = automation});
}

static void drop_holds(struct play *sim, uint32_t entity, const char *to)
{
    for (size_t i = 0; i < sim->pending.count; i++) {
        struct play_pending *p = &sim->pending.at[i];
        if (p->kind != PENDING_HOLD || p->cancelled)
            continue;
        const struct trigger *t = &sim->model->automations.at[p->automation].triggers[p->trigger];
        if (t->entity == entity && (t->kind != TRIGGER_NUMBER || !play_fires(t, NULL, to)))
            p->cancelled = true;
    }
}

static void match_state(struct play *sim, const struct play_change *change, start_list *list)
{
    drop_holds(sim, change->entity, change->to);
    uint32_t last = TAC_NONE;
    for (uint32_t i = sim->listener_from[change->entity];
         i < sim->listener_from[change->entity + 1]; i++) {
        uint32_t automation = sim->listeners[i];
        const struct automation *a = &sim->model->automations.at[automation];
        if (automation == last)
            continue;
        last = automation;
        for (size_t t = 0; t < a->trigger_count; t++) {
            const struct trigger *trigger = &a->triggers[t];
            if (trigger->entity != change->entity || trigger->hold < 0 ||
                !play_fires(trigger, change->from, change->to))
                continue;
            if (trigger->hold > 0)
                tac_vec_push(&sim->pending, (struct play_pending){.time = sim->now + trigger->hold,
                                                                  .kind = PENDING_HOLD,
                                                                  .automation = automation,
                                                                  .trigger = (uint32_t)t,
                                                                  .from = change->from});
            else
                wish(sim, list, automation, trigger, change->from, change->to);
        }
    }
}

static void match_event(struct play *sim, const struct play_change *change, start_list *list)
{
    for (size_t a = 0; a < sim->model->automations.count; a++)
        for (size_t t = 0; t < sim->model->automations.at[a].trigger_count; t++) {
            const struct trigger *trigger = &sim->model->automations.at[a].triggers[t];
            bool fits = change->start ? trigger->kind == TRIGGER_START
                                      : trigger->kind == TRIGGER_EVENT && trigger->key &&
                                            change->key && !strcmp(trigger->key, change->key);
            if (fits)
                wish(sim, list, (uint32_t)a, trigger, NULL, NULL);
        }
}

static void start_all(struct play *sim, start_list *list)
{
    for (size_t i = 0; i < list->count && !sim->endless; i++)
        play_start(sim, list->at[i].automation, list->at[i].trigger, list->at[i].from,
                   list->at[i].to);
    list->count = 0;
}

/* Handles what is to be handled at this instant. */
static void settle(struct play *sim)
{
    start_list list = {0};
    while (sim->next_change < sim->changes.count && !sim->endless) {
        struct play_change change = sim->changes.at[sim->next_change++];
        if (change.entity == TAC_NONE)
            match_event(sim, &change, &list);
        else
            match_state(sim, &change, &list);
        start_all(sim, &list);
        play_wake(sim, &change);
    }
    if (sim->endless)
        tac_vec_push(&sim->log, (struct record){.kind = RECORD_ENDLESS, .time = sim->now});
    sim->changes.count = sim->next_change = 0;
    tac_vec_free(&list);
}

/* Runs that have ended are forgotten between instants, where nobody walks over them. */
static void new_instant(struct play *sim)
{
    size_t kept = 0;
    for (size_t i = 0; i < sim->runs.count; i++)
        if (!sim->runs.at[i]->done)
            sim->runs.at[kept++] = sim->runs.at[i];
    sim->runs.count = kept;
    memset(sim->fires_now, 0, sim->model->automations.count * sizeof *sim->fires_now);
}

void play_set(struct play *sim, uint32_t entity, const char *text)
{
    const char *kept = tac_arena_strdup(&sim->arena, text), *old = sim->states[entity];
    tac_vec_push(&sim->log, (struct record){.kind = RECORD_EVENT,
                                            .time = sim->now,
                                            .entity = entity,
                                            .text = tac_arena_format(
                                                &sim->arena, "%s becomes %s",
                                                sim->model->entities.at[entity].name, text)});
    tac_vec_push(&sim->changes, (struct play_change){.entity = entity, .from = old, .to = kept});
    if (!old || strcmp(old, text) != 0)
        sim->changed[entity] = sim->now;
    sim->states[entity] = kept;
    new_instant(sim);
    settle(sim);
}

void play_event(struct play *sim, const char *key)
{
    tac_vec_push(&sim->log, (struct record){.kind = RECORD_EVENT,
                                            .time = sim->now,
                                            .entity = TAC_NONE,
                                            .text = key ? tac_arena_strdup(&sim->arena, key)
                                                        : "the system starts"});
    tac_vec_push(&sim->changes,
                 (struct play_change){.entity = TAC_NONE, .key = key, .start = !key});
    new_instant(sim);
    settle(sim);
}

static bool fits(const struct clock_pattern *pattern, int part, int value)
{
    return pattern->step[part] > 0 ? value % pattern->step[part] == 0
                                   : pattern->at[part] < 0 || value == pattern->at[part];
}

static bool fits_second(const struct clock_pattern *pattern, int second)
{
    return fits(pattern, 0, second / 3600) && fits(pattern, 1, second / 60 % 60) &&
           fits(pattern, 2, second % 60);
}

/* The first second of a day, after `after`, that fits; INFINITY: none. */
static double next_fitting(const struct clock_pattern *pattern, double after)
{
    for (int hour = after < 0 ? 0 : (int)(after / 3600); hour < 24; hour++)
        for (int minute = 0; minute < 60 && fits(pattern, 0, hour); minute++)
            for (int second = 0; second < 60 && fits(pattern, 1, minute); second++)
                if (fits(pattern, 2, second) && hour * 3600 + minute * 60 + second > after)
                    return hour * 3600 + minute * 60 + second;
    return INFINITY;
}

/* The next time of day at which some automation starts, after now; INFINITY: none. */
static double next_time(const struct play *sim)
{
    double day = floor(sim->now / 86400) * 86400, best = INFINITY;
    for (size_t a = 0; a < sim->model->automations.count; a++)
        for (size_t t = 0; t < sim->model->automations.at[a].trigger_count; t++) {
            const struct trigger *trigger = &sim->model->automations.at[a].triggers[t];
            bool patterned = sim->patterns && trigger->pattern;
            if (trigger->kind != TRIGGER_TIME && !patterned)
                continue;
            double at = day + trigger->seconds;
            if (patterned)
                at = day + next_fitting(trigger->pattern, sim->now - day);
            if (patterned && at == INFINITY)
                at = day + next_fitting(trigger->pattern, -1);
            at = at > sim->now ? at : at + 86400;
            best = at < best ? at : best;
        }
    return best;
}

static void at_time(struct play *sim)
{
    double second = sim->now - floor(sim->now / 86400) * 86400;
    start_list list = {0};
    char text[16];
    tac_vec_push(&sim->log,
                 (struct record){.kind = RECORD_EVENT,
                                 .time = sim->now,
                                 .entity = TAC_NONE,
                                 .text = tac_arena_format(&sim->arena, "it is %s",
                                                          clock_text(second, text, sizeof text))});
    for (size_t a = 0; a < sim->model->automations.count; a++)
        for (size_t t = 0; t < sim->model->automations.at[a].trigger_count; t++) {
            const struct trigger *trigger = &sim->model->automations.at[a].triggers[t];
            if ((trigger->kind == TRIGGER_TIME && trigger->seconds == second) ||
                (sim->patterns && trigger->pattern && fits_second(trigger->pattern, (int)second)))
                wish(sim, &list, (uint32_t)a, trigger, NULL, NULL);
        }
    start_all(sim, &list);
    tac_vec_free(&list);
    settle(sim);
}

/* All that is due at this moment; conditions of holds are tested before any of them acts. */
static void at_pending(struct play *sim)
{
    start_list list = {0};
    TAC_VEC(struct play_run *) resumed = {0};
    bool said = false;
    for (size_t i = 0; i < sim->pending.count; i++) {
        struct play_pending *p = &sim->pending.at[i];
        if (p->cancelled || p->time > sim->now)
            continue;
        p->cancelled = true;
        if (p->kind != PENDING_HOLD) {
            bool late = p->kind == PENDING_TIMEOUT && p->run->waiting && p->run->waiting->ends_late;
            if (p->serial == p->run->serial && late)
                p->run->done = true;
            else if (p->serial == p->run->serial)
                tac_vec_push(&resumed, p->run);
            continue;
        }
        const struct trigger *t = &sim->model->automations.at[p->automation].triggers[p->trigger];
        if (!said)
            tac_vec_push(&sim->log, (struct record){.kind = RECORD_EVENT,
                                                    .time = sim->now,
                                                    .entity = t->entity,
                                                    .text = tac_arena_format(
                                                        &sim->arena, "%s has been %s for %g s",
                                                        sim->model->entities.at[t->entity].name,
                                                        sim->states[t->entity], t->hold)});
        said = true;
        wish(sim, &list, p->automation, t, p->from, sim->states[t->entity]);
    }
    start_all(sim, &list);
    for (size_t i = 0; i < resumed.count; i++)
        if (!resumed.at[i]->done)
            play_resume(sim, resumed.at[i]);
    tac_vec_free(&list);
    tac_vec_free(&resumed);
    settle(sim);
}

static double next_pending(struct play *sim)
{
    double best = INFINITY;
    size_t kept = 0;
    for (size_t i = 0; i < sim->pending.count; i++)
        if (!sim->pending.at[i].cancelled) {
            best = sim->pending.at[i].time < best ? sim->pending.at[i].time : best;
            sim->pending.at[kept++] = sim->pending.at[i];
        }
    sim->pending.count = kept;
    return best;
}

void play_advance(struct play *sim, double until)
{
    while (!sim->endless && sim->log.count < sim->log_limit) {
        double pending = next_pending(sim), time = next_time(sim);
        double next = pending < time ? pending : time;
        if (next > until)
            break;
        sim->now = next > sim->now ? next : sim->now;
        new_instant(sim);
        if (time <= pending)
            at_time(sim);
        else
            at_pending(sim);
    }
    sim->now = until > sim->now ? until : sim->now;
}
