/* Numbers that helpers hold, in one spelling.
 *
 * An input_number says '1.0' where an action wrote 1: texts that are compared with such an entity,
 * or written to it, become the shortest text of their number, so that equal numbers are equal
 * texts. Runs once, when everything is read. */
#include "automation/home/home.h"
#include "base/data/text.h"
#include <string.h>

static bool home_holds_number(const char *entity)
{
    static const char *const domains[] = {"input_number.", "number.", "counter."};
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++) {
        size_t length = strlen(domains[i]);
        if (!strncmp(entity, domains[i], length) && !strchr(entity + length, '.'))
            return true;
    }
    return false;
}

const char *home_plain_number(tac_automation_model *model, const char *text)
{
    char plain[32];
    double number;
    if (!text || !tac_parse_double(text, &number))
        return text;
    return tac_arena_strdup(&model->arena, tac_double_text(number, plain, sizeof plain));
}

static bool concerns(const tac_automation_model *model, uint32_t entity)
{
    return entity != TAC_NONE && home_holds_number(model->entities.at[entity].name);
}

/* A new set: several entities may share the old one. */
static void plain_set(tac_automation_model *model, struct text_set *set)
{
    struct text_set made = {0};
    for (size_t i = 0; i < set->count; i++)
        set_add(model, &made, home_plain_number(model, set->at[i]));
    *set = made;
}

static void in_condition(tac_automation_model *model, struct cond *cond)
{
    for (size_t i = 0; i < cond->count; i++)
        in_condition(model, cond->at[i]);
    if (cond->kind == COND_STATE && concerns(model, cond->entity))
        plain_set(model, &cond->texts);
}

static void in_triggers(tac_automation_model *model, struct trigger *triggers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct trigger *t = &triggers[i];
        struct text_set *sets[] = {&t->to, &t->from, &t->not_to, &t->not_from};
        for (size_t s = 0; s < 4 && concerns(model, t->entity); s++)
            plain_set(model, sets[s]);
    }
}

static void in_steps(tac_automation_model *model, struct branch *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        struct step *step = steps->at[i];
        if (step->cond)
            in_condition(model, step->cond);
        in_triggers(model, step->waits, step->wait_count);
        if (step->kind == STEP_WRITE && !*step->slot && concerns(model, step->entity))
            step->value = value_of(home_plain_number(model, step->value.text));
        for (size_t b = 0; b < step->branch_count; b++) {
            if (step->branches[b].cond)
                in_condition(model, step->branches[b].cond);
            in_steps(model, &step->branches[b]);
        }
    }
}

void home_plain_numbers(tac_automation_model *model)
{
    for (size_t i = 0; i < model->entities.count; i++) {
        struct entity *e = &model->entities.at[i];
        for (size_t m = 0; home_holds_number(e->name) && m < e->mentioned.count; m++)
            e->mentioned.at[m] = home_plain_number(model, e->mentioned.at[m]);
    }
    for (size_t i = 0; i < model->automations.count; i++) {
        struct automation *a = &model->automations.at[i];
        in_condition(model, a->cond);
        in_triggers(model, a->triggers, a->trigger_count);
        in_steps(model, &a->steps);
    }
}
