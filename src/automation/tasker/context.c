/* Contexts of a profile: what must hold, and what begins or ends it.
 *
 * States and apps are entities, on or off. A time lasts from one minute to another, over midnight
 * where it ends before it begins; where both are one minute it lasts that minute; a repeated time
 * is an instant that comes again, and lasts no time. */
#include "automation/tasker/tasker.h"
#include "base/data/str.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATE_VARIABLE = 165, DAY = 86400, MINUTE = 60 };

static bool is_state(struct tasker *t, xmlNodePtr context)
{
    return tasker_named(context, "App") ||
           (tasker_named(context, "State") &&
            tasker_number(tasker_text(t, context, "code"), 0) != STATE_VARIABLE);
}

static bool inverted(struct tasker *t, xmlNodePtr context)
{
    const char *pin = tasker_text(t, context, "pin");
    return pin && !strcmp(pin, "true");
}

/* The entity whose state, on or off, is the truth of a context. */
static uint32_t context_entity(struct tasker *t, xmlNodePtr context)
{
    bool app = tasker_named(context, "App");
    const char *code = tasker_text(t, context, "code");
    const char *name =
        tac_arena_format(&t->model->arena, "%s%s%s%s", app ? "app" : "state", code ? " " : "",
                         code ? code : "", app ? "" : tasker_arguments(t, context));
    tac_str apps = {0};
    for (xmlNodePtr at = app ? context->children : NULL; at; at = at->next) {
        const char *key = (const char *)at->name;
        const char *value = strncmp(key, "pkg", 3) ? NULL : tasker_text(t, context, key);
        if (value && *value)
            tac_str_addf(&apps, " %s", value);
    }
    uint32_t entity = model_entity(
        t->model, tac_arena_format(&t->model->arena, "%s%s", name, tac_str_text(&apps)));
    tac_str_free(&apps);
    return entity;
}

/* The second of the day; -1: none is given. */
static double minute_of(struct tasker *t, xmlNodePtr context, const char *hour, const char *minute)
{
    long h = tasker_number(tasker_text(t, context, hour), -1),
         m = tasker_number(tasker_text(t, context, minute), 0);
    return h < 0 || h > 23 || m < 0 || m > 59 ? -1 : (double)(h * 3600 + m * MINUTE);
}

struct span {
    double from, to;    /* seconds of the day, to is the first that is outside */
    const char *repeat; /* NULL: it is not repeated */
    const char *named;  /* "%From to %To": from variables, so not known; NULL: it is */
    bool open;          /* neither end is given */
};

static struct span span_of(struct tasker *t, xmlNodePtr context)
{
    const char *from = tasker_text(t, context, "fromvar"), *to = tasker_text(t, context, "tovar");
    const char *unit = tasker_text(t, context, "rep"), *step = tasker_text(t, context, "repval");
    struct span span = {.from = minute_of(t, context, "fh", "fm"),
                        .to = minute_of(t, context, "th", "tm")};
    span.open = span.from < 0 && span.to < 0;
    if (from || to)
        span.named =
            tac_arena_format(&t->model->arena, "%s to %s", from ? from : "?", to ? to : "?");
    if (unit && step)
        span.repeat = tac_arena_format(&t->model->arena, "every %s %s", step,
                                       !strcmp(unit, "1") ? "hours" : "minutes");
    if (span.to == span.from)
        span.to += MINUTE;
    span.from = span.from < 0 ? 0 : span.from;
    span.to = span.to <= 0 || span.open ? DAY : span.to;
    return span;
}

static struct cond *time_cond(struct tasker *t, xmlNodePtr context)
{
    struct place place = tasker_place(context);
    struct span span = span_of(t, context);
    if (span.named) {
        tasker_abstract(t, TAC_READ_ABSTRACTED, "time from a variable");
        return cond_free(t->model, place, span.named);
    }
    if (span.open)
        return cond_new(t->model, COND_TRUE, place);
    return cond_hours(t->model, place, span.from, span.to, span.from > span.to);
}

/* Weekdays count from Sunday, 1; months from January, 0. NULL: a number that is none of them. */
static struct cond *days_of(struct tasker *t, xmlNodePtr context, const char *key,
                            enum clock_part part)
{
    struct place place = tasker_place(context);
    struct cond *days[32];
    size_t count = 0;
    for (int i = 0; i < 31; i++) {
        char name[12];
        snprintf(name, sizeof name, "%s%d", key, i);
        const char *text = tasker_text(t, context, name);
        if (!text)
            break;
        long n = tasker_number(text, -1);
        long least = part == CLOCK_MONTH ? 0 : 1;
        long most = part == CLOCK_MONTH ? 11 : part == CLOCK_DAY ? 31 : 7;
        if (n < least || n > most)
            return NULL;
        double day = part == CLOCK_WEEKDAY ? (double)((n + 5) % 7)
                     : part == CLOCK_MONTH ? (double)(n + 1)
                                           : (double)n;
        days[count++] = cond_clock(t->model, place, part, day, day);
    }
    return count ? cond_join(t->model, COND_OR, place, days, count)
                 : cond_new(t->model, COND_TRUE, place);
}

static struct cond *day_cond(struct tasker *t, xmlNodePtr context)
{
    struct cond *parts[3] = {days_of(t, context, "wday", CLOCK_WEEKDAY),
                             days_of(t, context, "mday", CLOCK_DAY),
                             days_of(t, context, "mnth", CLOCK_MONTH)};
    return parts[0] && parts[1] && parts[2]
               ? cond_join(t->model, COND_AND, tasker_place(context), parts, 3)
               : NULL;
}

struct cond *tasker_context(struct tasker *t, xmlNodePtr context)
{
    struct place place = tasker_place(context);
    xmlNodePtr list = tasker_child(context, "ConditionList");
    if (tasker_named(context, "Time"))
        return time_cond(t, context);
    if (tasker_named(context, "State") && list && !is_state(t, context)) {
        struct cond *cond = tasker_conditions(t, list);
        return inverted(t, context) ? cond_not(t->model, cond) : cond;
    }
    if (is_state(t, context)) {
        struct cond *cond = cond_new(t->model, COND_STATE, place);
        cond->entity = context_entity(t, context);
        set_add(t->model, &cond->texts, "on");
        model_mention(t->model, cond->entity, "on");
        model_mention(t->model, cond->entity, "off");
        return inverted(t, context) ? cond_not(t->model, cond) : cond;
    }
    struct cond *day = tasker_named(context, "Day") ? day_cond(t, context) : NULL;
    if (day)
        return day;
    tasker_abstract(t, TAC_READ_ABSTRACTED, "day or place as context");
    return cond_free(t->model, place,
                     tac_arena_format(&t->model->arena, "%s of line %u",
                                      (const char *)context->name, place.line));
}

static void time_trigger(struct tasker *t, xmlNodePtr context, bool enter, struct trigger *trigger)
{
    struct span span = span_of(t, context);
    if (span.named) {
        trigger->key =
            tac_arena_format(&t->model->arena, "%s of %s", enter ? "begin" : "end", span.named);
    } else if (span.repeat) {
        char from[16], to[16];
        trigger->key = span.open
                           ? span.repeat
                           : tac_arena_format(&t->model->arena, "%s from %s to %s", span.repeat,
                                              clock_text(span.from, from, sizeof from),
                                              clock_text(span.to, to, sizeof to));
    } else {
        trigger->kind = TRIGGER_TIME;
        trigger->seconds = enter ? span.from : fmod(span.to, DAY);
        tac_vec_push(&t->model->clock_cuts[CLOCK_SECOND_OF_DAY], trigger->seconds);
    }
}

void tasker_context_trigger(struct tasker *t, xmlNodePtr context, bool enter,
                            struct trigger *trigger)
{
    trigger->place = tasker_place(context);
    trigger->platform = tac_arena_strdup(&t->model->arena, (const char *)context->name);
    trigger->entity = TAC_NONE;
    trigger->kind = TRIGGER_EVENT;
    trigger->above = -INFINITY;
    trigger->below = INFINITY;
    if (tasker_named(context, "Event")) {
        const char *code = tasker_text(t, context, "code");
        trigger->key = tac_arena_format(&t->model->arena, "event %s%s", code ? code : "?",
                                        tasker_arguments(t, context));
    } else if (tasker_named(context, "Time")) {
        time_trigger(t, context, enter, trigger);
    } else if (is_state(t, context)) {
        trigger->kind = TRIGGER_STATE;
        trigger->entity = context_entity(t, context);
        trigger->has_to = true;
        set_add(t->model, &trigger->to, enter != inverted(t, context) ? "on" : "off");
    } else {
        trigger->key = tac_arena_format(&t->model->arena, "%s of line %u",
                                        (const char *)context->name, trigger->place.line);
        trigger->abstract = true;
    }
}
