/* Guards of triggers as one condition.
 *
 * A time trigger may name weekdays, and a profile ends by one of its contexts only while the others
 * hold: conditions of one trigger among several. They become part of the automation's condition,
 * as alternatives that ask which trigger it was, so that whoever reasons about an automation
 * looks at one condition. */
#include "automation/model/model.h"

typedef TAC_VEC(struct cond *) cond_list;

struct cond *trigger_guards(tac_automation_model *model, const struct automation *automation)
{
    cond_list ways = {0};
    bool guarded = false;
    for (size_t i = 0; i < automation->trigger_count; i++) {
        struct trigger *t = &automation->triggers[i];
        t->number = tac_arena_format(&model->arena, "%zu", i + 1);
        struct cond *own = cond_new(model, COND_TRIGGER, t->place);
        own->aspect = ASPECT_NUMBER;
        set_add(model, &own->texts, t->number);
        tac_vec_push(&ways, t->guard ? cond_pair(model, COND_AND, t->place, own, t->guard) : own);
        guarded |= t->guard != NULL;
    }
    struct cond *all = automation->cond;
    if (guarded)
        all = cond_pair(model, COND_AND, automation->place, all,
                        cond_join(model, COND_OR, automation->place, ways.at, ways.count));
    tac_vec_free(&ways);
    return all;
}
