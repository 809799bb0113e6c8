/* Building blocks of the model: entities, conditions, sets of texts. */
#include "automation/model/model.h"
#include "base/check.h"
#include "base/data/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

struct value value_of(const char *text)
{
    struct value value = {.text = text};
    value.is_number = text && tac_parse_double(text, &value.number);
    return value;
}

uint32_t model_entity(tac_automation_model *model, const char *name)
{
    uint32_t entity = tac_names_intern(&model->entity_names, name);
    if (entity == model->entities.count)
        tac_vec_push(&model->entities,
                     (struct entity){.name = tac_arena_strdup(&model->arena, name)});
    assert(entity < model->entities.count);
    return entity;
}

uint32_t model_attribute(tac_automation_model *model, const char *entity, const char *attribute)
{
    return model_entity(model, tac_arena_format(&model->arena, "%s.%s", entity, attribute));
}

void model_mention(tac_automation_model *model, uint32_t entity, const char *text)
{
    struct entity *e = &model->entities.at[entity];
    for (size_t i = 0; i < e->mentioned.count; i++)
        if (!strcmp(e->mentioned.at[i], text))
            return;
    tac_vec_push(&e->mentioned, tac_arena_strdup(&model->arena, text));
}

void model_cut(tac_automation_model *model, uint32_t entity, double at)
{
    struct entity *e = &model->entities.at[entity];
    for (size_t i = 0; i < e->cuts.count; i++)
        if (e->cuts.at[i] == at)
            return;
    if (isfinite(at))
        tac_vec_push(&e->cuts, at);
}

bool set_has(const struct text_set *set, const char *text)
{
    for (size_t i = 0; i < set->count; i++)
        if (!strcmp(set->at[i], text))
            return true;
    return false;
}

void set_add(tac_automation_model *model, struct text_set *set, const char *text)
{
    if (set_has(set, text))
        return;
    const char **grown = tac_arena_keep(&model->arena, set->at, set->count, sizeof *grown);
    grown[set->count++] = tac_arena_strdup(&model->arena, text);
    set->at = grown;
}

struct cond *cond_new(tac_automation_model *model, enum cond_kind kind, struct place place)
{
    struct cond *cond = tac_arena_calloc(&model->arena, 1, sizeof *cond);
    cond->kind = kind;
    cond->place = place;
    cond->entity = TAC_NONE;
    cond->above = -INFINITY;
    cond->below = INFINITY;
    return cond;
}

struct cond *cond_join(tac_automation_model *model, enum cond_kind kind, struct place place,
                       struct cond **at, size_t count)
{
    enum cond_kind neutral = kind == COND_AND ? COND_TRUE : COND_FALSE;
    enum cond_kind deciding = kind == COND_AND ? COND_FALSE : COND_TRUE;
    struct cond **kept = tac_arena_calloc(&model->arena, count + 1, sizeof *kept);
    size_t n = 0;
    assert(kind == COND_AND || kind == COND_OR);
    for (size_t i = 0; i < count; i++) {
        if (at[i]->kind == deciding)
            return at[i];
        if (at[i]->kind != neutral)
            kept[n++] = at[i];
    }
    if (n == 1)
        return kept[0];
    struct cond *cond = cond_new(model, n ? kind : neutral, place);
    cond->at = kept;
    cond->count = n;
    return cond;
}

struct cond *cond_pair(tac_automation_model *model, enum cond_kind kind, struct place place,
                       struct cond *left, struct cond *right)
{
    struct cond *both[2] = {left, right};
    return cond_join(model, kind, place, both, 2);
}

struct cond *cond_if(tac_automation_model *model, struct place place, struct cond *when,
                     struct cond *yes, struct cond *no)
{
    struct cond *first = cond_pair(model, COND_AND, place, when, yes);
    struct cond *second = cond_pair(model, COND_AND, place, cond_not(model, when), no);
    return cond_pair(model, COND_OR, place, first, second);
}

struct cond *cond_grow(tac_automation_model *model, enum cond_kind kind, struct place place,
                       struct cond *left, struct cond *right)
{
    if (left->kind != kind || !left->grows || right->kind == COND_TRUE ||
        right->kind == COND_FALSE) {
        struct cond *joined = cond_pair(model, kind, place, left, right);
        joined->grows = joined->grows || (joined != left && joined != right);
        return joined;
    }
    if ((left->count & (left->count - 1)) == 0) { /* full at every power of two */
        struct cond **room = tac_arena_calloc(&model->arena, left->count * 2, sizeof *room);
        memcpy(room, left->at, left->count * sizeof *room);
        left->at = room;
    }
    left->at[left->count++] = right;
    return left;
}

struct cond *cond_not(tac_automation_model *model, struct cond *inner)
{
    if (inner->kind == COND_NOT)
        return inner->at[0];
    enum cond_kind kind = inner->kind == COND_TRUE    ? COND_FALSE
                          : inner->kind == COND_FALSE ? COND_TRUE
                                                      : COND_NOT;
    struct cond *cond = cond_new(model, kind, inner->place);
    if (kind == COND_NOT) {
        cond->at = tac_arena_calloc(&model->arena, 1, sizeof *cond->at);
        cond->at[0] = inner;
        cond->count = 1;
    }
    return cond;
}

struct cond *cond_free(tac_automation_model *model, struct place place, const char *text)
{
    struct cond *cond = cond_new(model, COND_FREE, place);
    cond->free = tac_names_intern(&model->free_names, text);
    return cond;
}

struct cond *cond_clock(tac_automation_model *model, struct place place, enum clock_part part,
                        double from, double to)
{
    struct cond *cond = cond_new(model, COND_CLOCK, place);
    cond->part = part;
    cond->above = from;
    cond->below = to;
    cond->above_closed = cond->below_closed = true;
    if (isfinite(from))
        tac_vec_push(&model->clock_cuts[part], from);
    if (isfinite(to))
        tac_vec_push(&model->clock_cuts[part], to);
    return cond;
}

struct cond *cond_hours(tac_automation_model *model, struct place place, double from, double to,
                        bool night)
{
    struct cond *rest =
        cond_clock(model, place, CLOCK_SECOND_OF_DAY, from, night ? INFINITY : to - 1);
    return night ? cond_pair(model, COND_OR, place, rest,
                             cond_clock(model, place, CLOCK_SECOND_OF_DAY, -INFINITY, to - 1))
                 : rest;
}

int weekday_of(const char *name)
{
    static const char *const days[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
    int day = 0;
    while (day < 7 && strcmp(days[day], name) != 0)
        day++;
    return day;
}

struct step *step_new(tac_automation_model *model, enum step_kind kind, struct place place)
{
    struct step *step = tac_arena_calloc(&model->arena, 1, sizeof *step);
    *step = (struct step){.kind = kind, .place = place, .entity = TAC_NONE, .slot = ""};
    return step;
}

void branch_take(tac_automation_model *model, struct branch *branch, step_list *steps)
{
    branch->at = tac_arena_keep(&model->arena, steps->at, steps->count, sizeof *branch->at);
    branch->count = steps->count;
    tac_vec_free(steps);
}

void step_take(tac_automation_model *model, struct step *step, branch_list *branches)
{
    step->branches =
        tac_arena_keep(&model->arena, branches->at, branches->count, sizeof *step->branches);
    step->branch_count = branches->count;
    tac_vec_free(branches);
}

bool cond_is_abstract(const struct cond *cond)
{
    for (size_t i = 0; i < cond->count; i++)
        if (cond_is_abstract(cond->at[i]))
            return true;
    return cond->kind == COND_FREE;
}

bool trigger_tells(const struct trigger *t, enum trigger_aspect aspect)
{
    bool of_entity = aspect == ASPECT_ENTITY || aspect == ASPECT_TO || aspect == ASPECT_FROM;
    if (t->owner)
        return !of_entity || aspect == ASPECT_ENTITY;
    return !of_entity || t->entity != TAC_NONE || t->kind != TRIGGER_EVENT || !t->of_some_entity;
}

const char *trigger_text(const tac_automation_model *model, const struct trigger *t,
                         enum trigger_aspect aspect)
{
    switch (aspect) {
    case ASPECT_ID:
        return t->id;
    case ASPECT_PLATFORM:
        return t->platform;
    case ASPECT_NUMBER:
        return t->number;
    case ASPECT_ENTITY:
        return t->owner                ? t->owner
               : t->entity == TAC_NONE ? NULL
                                       : model->entities.at[t->entity].name;
    case ASPECT_TO:
    case ASPECT_FROM:
        break;
    }
    return NULL;
}

const char *clock_text(double second, char *buffer, size_t size)
{
    int whole = (int)second;
    snprintf(buffer, size, "%02d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    return buffer;
}

void tac_automation_free(tac_automation_model *model)
{
    if (!model)
        return;
    for (size_t i = 0; i < model->entities.count; i++) {
        tac_vec_free(&model->entities.at[i].mentioned);
        tac_vec_free(&model->entities.at[i].cuts);
    }
    for (size_t part = 0; part < CLOCK_PARTS; part++)
        tac_vec_free(&model->clock_cuts[part]);
    tac_vec_free(&model->entities);
    tac_vec_free(&model->automations);
    tac_vec_free(&model->scripts);
    tac_names_free(&model->entity_names);
    tac_names_free(&model->free_names);
    tac_vec_free(&model->bare_words);
    tac_names_free(&model->known_entities);
    tac_names_free(&model->defined);
    tree_library_close(&model->library);
    tac_arena_free(&model->arena);
    free(model->path);
    free(model);
}

static const struct {
    const char *name, *text;
} classes[TAC_AUTOMATION_CLASSES] = {
    {"impossible-value", "a state that the entity can never have"},
    {"never-fires", "an automation that no trigger can start"},
    {"dead-trigger", "a trigger that can never start its automation"},
    {"dead-branch", "a branch that can never be taken"},
    {"duplicate-id", "two automations with one id: the second is ignored"},
    {"opposite-writes", "one event makes two automations write different values"},
    {"retrigger-ignored", "a trigger during the run's delay is dropped"},
    {"no-hysteresis", "on and off at one threshold"},
    {"loop", "automations that start each other for ever"},
    {"redundant", "an automation whose effect another one has already"},
    {"unknown-entity", "an entity that the system does not have"}};

const char *tac_automation_class_name(tac_automation_class which)
{
    assert(which < TAC_AUTOMATION_CLASSES);
    return classes[which].name;
}

const char *tac_automation_class_text(tac_automation_class which)
{
    assert(which < TAC_AUTOMATION_CLASSES);
    return classes[which].text;
}

tac_automation_class tac_automation_class_of(const char *name)
{
    for (unsigned which = 0; which < TAC_AUTOMATION_CLASSES; which++)
        if (!strcmp(classes[which].name, name))
            return (tac_automation_class)which;
    return TAC_AUTOMATION_CLASSES;
}
