/* Which changes fire a trigger, and whether one change fires two. */
#include "automation/solve/solve.h"
#include <string.h>

static bool in_range(const struct trigger *t, const struct value *value)
{
    return value->is_number && value->number > t->above && value->number < t->below;
}

static bool unfiltered(const struct trigger *t)
{
    return !t->has_to && !t->has_from && !t->has_not_to && !t->has_not_from;
}

bool trigger_fires(const struct trigger *t, const struct value *from, const struct value *to)
{
    if (t->kind == TRIGGER_NUMBER)
        return in_range(t, to) && !in_range(t, from);
    if (!strcmp(from->text, to->text))
        return unfiltered(t); /* an attribute has changed */
    return (!t->has_to || set_has(&t->to, to->text)) &&
           (!t->has_from || set_has(&t->from, from->text)) &&
           (!t->has_not_to || !set_has(&t->not_to, to->text)) &&
           (!t->has_not_from || !set_has(&t->not_from, from->text));
}

bool events_are_known(const tac_automation_model *model, const struct trigger *t)
{
    return !t->abstract && (t->entity == TAC_NONE || !model->entities.at[t->entity].more_values);
}

bool each_event(const tac_automation_model *model, const struct trigger *t, enum solve_mode mode,
                bool (*each)(const struct event *event, void *context), void *context)
{
    struct event event = {.trigger = t, .entity = TAC_NONE, .hold = t->hold > 0 ? t->hold : 0};
    if (t->entity == TAC_NONE)
        return each(&event, context);
    const struct entity *e = &model->entities.at[t->entity];
    size_t count = mode == SOLVE_POSSIBLE ? e->proof_count : e->value_count;
    event.entity = t->entity;
    for (size_t from = 0; from < count; from++)
        for (size_t to = 0; to < count; to++) {
            event.from = (uint16_t)from;
            event.to = (uint16_t)to;
            if (trigger_fires(t, &e->values[from], &e->values[to]) && each(&event, context))
                return true;
        }
    return false;
}

bool same_event(const struct trigger *a, const struct trigger *b, const tac_automation_model *model,
                const struct event *event)
{
    if (a->entity != b->entity || a->hold != b->hold || a->hold < 0)
        return false;
    if (a->entity != TAC_NONE) {
        const struct value *values = model->entities.at[a->entity].values;
        return trigger_fires(a, &values[event->from], &values[event->to]) &&
               trigger_fires(b, &values[event->from], &values[event->to]);
    }
    if (a->kind != b->kind)
        return false;
    if (a->kind == TRIGGER_TIME)
        return a->seconds == b->seconds;
    return a->kind == TRIGGER_START || (a->key && b->key && !strcmp(a->key, b->key));
}
