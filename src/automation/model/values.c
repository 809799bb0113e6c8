/* The values that stand for all values of an entity.
 *
 * Texts it is compared with, two texts that are none of them (where its domain leaves them), and
 * for numbers each cut, a number between neighbouring cuts and one beyond each end: two states that
 * no condition, trigger or write tells apart have one representative. Behind them, for whoever
 * proves that something never happens, the state of what is switched off or not there. */
#include "automation/model/model.h"
#include "base/data/order.h"
#include "base/data/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 400 }; /* events are pairs of them */

typedef TAC_VEC(struct value) value_list;

/* False: it is in the list already, or the list is full. */
static bool add(tac_automation_model *model, value_list *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->at[i].text, text))
            return false;
    if (list->count > MOST_VALUES)
        return false;
    tac_vec_push(list, value_of(tac_arena_strdup(&model->arena, text)));
    return true;
}

static void add_number(tac_automation_model *model, value_list *list, double number)
{
    char text[32];
    add(model, list, tac_double_text(number, text, sizeof text));
}

static void add_numbers(tac_automation_model *model, struct entity *e, value_list *list)
{
    size_t n = e->cuts.count;
    if (!n)
        return;
    qsort(e->cuts.at, n, sizeof *e->cuts.at, tac_order_double);
    add_number(model, list, floor(e->cuts.at[0]) - 1);
    for (size_t i = 0; i < n; i++) {
        add_number(model, list, e->cuts.at[i]);
        if (i + 1 < n)
            add_number(model, list, (e->cuts.at[i] + e->cuts.at[i + 1]) / 2);
    }
    add_number(model, list, ceil(e->cuts.at[n - 1]) + 1);
}

static void represent(tac_automation_model *model, struct entity *e)
{
    value_list list = {0};
    for (size_t i = 0; i < e->mentioned.count; i++) {
        double number;
        if ((e->cuts.count || e->domain == DOMAIN_NUMBER) &&
            tac_parse_double(e->mentioned.at[i], &number))
            model_cut(model, (uint32_t)(e - model->entities.at), number);
    }
    add_numbers(model, e, &list);
    for (size_t i = 0; i < e->mentioned.count; i++)
        if (!set_has(&e->impossible, e->mentioned.at[i]))
            add(model, &list, e->mentioned.at[i]);
    if (e->domain == DOMAIN_CLOSED) {
        size_t extra = 0; /* states that nobody mentions are alike, but one can follow another */
        for (size_t i = 0; i < e->state_count && extra < 2; i++)
            extra += add(model, &list, e->states[i]);
    } else if (e->domain == DOMAIN_OPEN && (!e->cuts.count || e->mentioned.count)) {
        add(model, &list, "something else");
        add(model, &list, "another value");
    } else if (!e->cuts.count) {
        add_number(model, &list, 0);
        add_number(model, &list, 1);
    }
    e->more_values = list.count > MOST_VALUES;
    e->value_count = list.count;
    if (e->may_vanish && !add(model, &list, "unavailable"))
        add(model, &list, "unknown");
    e->proof_count = list.count;
    e->values = tac_arena_keep(&model->arena, list.at, list.count, sizeof *e->values);
    tac_vec_free(&list);
}

/* What an automation compares its trigger's states with are values of its triggers' entities. */
static void mention_aspects(tac_automation_model *model, const struct automation *a,
                            const struct cond *cond)
{
    for (size_t i = 0; i < cond->count; i++)
        mention_aspects(model, a, cond->at[i]);
    if (cond->kind != COND_TRIGGER || (cond->aspect != ASPECT_TO && cond->aspect != ASPECT_FROM))
        return;
    for (size_t t = 0; t < a->trigger_count; t++)
        for (size_t i = 0; i < cond->texts.count && a->triggers[t].entity != TAC_NONE; i++)
            model_mention(model, a->triggers[t].entity, cond->texts.at[i]);
}

static void mention_steps(tac_automation_model *model, const struct automation *a,
                          const struct branch *steps, unsigned depth)
{
    for (size_t s = 0; s < steps->count && depth < 40; s++) {
        const struct step *step = steps->at[s];
        if (step->cond)
            mention_aspects(model, a, step->cond);
        for (size_t b = 0; b < step->branch_count; b++) {
            if (step->branches[b].cond)
                mention_aspects(model, a, step->branches[b].cond);
            mention_steps(model, a, &step->branches[b], depth + 1);
        }
    }
}

void model_mention_aspects(tac_automation_model *model)
{
    for (size_t i = 0; i < model->automations.count; i++) {
        mention_aspects(model, &model->automations.at[i], model->automations.at[i].cond);
        mention_steps(model, &model->automations.at[i], &model->automations.at[i].steps, 0);
    }
}

void model_finish(tac_automation_model *model)
{
    for (size_t i = 0; i < model->automations.count; i++) {
        const struct automation *a = &model->automations.at[i];
        for (size_t t = 0; t < a->trigger_count; t++)
            if (a->triggers[t].entity != TAC_NONE)
                model->entities.at[a->triggers[t].entity].watched = true;
    }
    for (size_t i = 0; i < model->entities.count; i++)
        represent(model, &model->entities.at[i]);
}
