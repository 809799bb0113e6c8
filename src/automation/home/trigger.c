/* Triggers. A mapping that names several entities becomes one trigger per entity. */
#include "automation/home/home.h"
#include "automation/template/template.h"
#include "base/data/text.h"
#include <math.h>
#include <string.h>

struct reading {
    home_trigger_list *out;
    struct trigger like; /* what all of them share */
    const char *attribute;
    struct text_set *set;
};

static void add_text(struct home *home, const struct tree_node *at, const char *text, void *context)
{
    struct reading *r = context;
    (void)at;
    if (is_template(text))
        r->like.abstract = true;
    else
        set_add(home->model, r->set, text);
}

/* Texts of `to` and the like: commas are part of the text here. */
static bool read_texts(struct home *home, const struct tree_node *map, const char *key,
                       struct reading *r, struct text_set *set)
{
    struct tree_node *node = home_get(home, map, key);
    r->set = set;
    if (!node || node->kind == TREE_EMPTY)
        return false;
    if (node->kind == TREE_SCALAR)
        add_text(home, node, tree_text(node), r);
    if (!r->attribute)
        home_note_bare(home, node, key);
    for (size_t i = 0; node->kind == TREE_LIST && i < node->count; i++) {
        const struct tree_node *one = tree_resolve(home->library, node->at[i]);
        if (!r->attribute)
            home_note_bare(home, one, key);
        if (tree_text(one))
            add_text(home, one, tree_text(one), r);
    }
    return set->count || r->like.abstract;
}

static void add_entity(struct home *home, const struct tree_node *at, const char *text,
                       void *context)
{
    struct reading *r = context;
    struct trigger trigger = r->like;
    if (at->tag || !home_is_entity(text)) {
        home_abstract(home, TAC_READ_ABSTRACTED, "entity of a trigger not known");
        trigger.kind = TRIGGER_EVENT;
        trigger.key = tac_arena_format(&home->model->arena, "change of %s", text);
        trigger.abstract = true;
    } else {
        trigger.entity = r->attribute ? model_attribute(home->model, text, r->attribute)
                                      : model_entity(home->model, text);
        trigger.owner = r->attribute ? tac_arena_strdup(&home->model->arena, text) : NULL;
        const struct text_set *sets[] = {&trigger.to, &trigger.from, &trigger.not_to,
                                         &trigger.not_from};
        for (size_t s = 0; s < 4; s++)
            for (size_t i = 0; i < sets[s]->count; i++)
                model_mention(home->model, trigger.entity, sets[s]->at[i]);
        model_cut(home->model, trigger.entity, trigger.above);
        model_cut(home->model, trigger.entity, trigger.below);
    }
    tac_vec_push(r->out, trigger);
}

static void read_state(struct home *home, struct tree_node *node, struct reading *r)
{
    struct trigger *t = &r->like;
    t->kind = TRIGGER_STATE;
    t->has_to = read_texts(home, node, "to", r, &t->to);
    t->has_from = read_texts(home, node, "from", r, &t->from);
    t->has_not_to = read_texts(home, node, "not_to", r, &t->not_to);
    t->has_not_from = read_texts(home, node, "not_from", r, &t->not_from);
}

static double read_bound(struct home *home, struct tree_node *node, const char *key, double open,
                         struct trigger *t)
{
    double number;
    const struct tree_node *bound = home_get(home, node, key);
    if (!bound || bound->kind == TREE_EMPTY)
        return open;
    if (home_number(bound, &number))
        return number;
    t->abstract = true; /* another entity's value */
    home_abstract(home, TAC_READ_ABSTRACTED, "threshold is not a number");
    return open;
}

static void read_number(struct home *home, struct tree_node *node, struct reading *r)
{
    struct trigger *t = &r->like;
    t->kind = TRIGGER_NUMBER;
    t->above = read_bound(home, node, "above", -INFINITY, t);
    t->below = read_bound(home, node, "below", INFINITY, t);
    bool templated = home_get(home, node, "value_template") != NULL;
    if (templated)
        home_abstract(home, TAC_READ_ABSTRACTED, "template inside a trigger");
    if (templated || (t->abstract && t->hold >= 0)) { /* it may fire when one written alike does */
        t->kind = TRIGGER_EVENT;
        t->key = home_canonical(home, node);
        t->abstract = true;
    }
}

/* A state or a range of one entity, or else an event that is equal to one written alike. */
static void read_device(struct home *home, struct tree_node *node, struct reading *r)
{
    struct trigger *t = &r->like;
    const char *entity = home_device_entity(home, node), *state = home_device_state(home, node);
    bool range = home_get(home, node, "above") || home_get(home, node, "below");
    if (entity && range && home_device_amount(home, node, &r->attribute)) {
        read_number(home, node, r);
    } else if (entity && state && !range) {
        t->kind = TRIGGER_STATE;
        t->has_to = true;
        set_add(home->model, &t->to, state);
    } else {
        t->kind = TRIGGER_EVENT;
        t->key = home_canonical(home, node);
        t->abstract |= is_template(t->key);
    }
    if (t->key)
        tac_vec_push(r->out, *t);
    else
        add_entity(home, node, entity, r);
}

/* The first two words of an attribute's name; NULL: it is no attribute. */
static const char *attribute_owner(tac_automation_model *model, uint32_t entity)
{
    const char *name = model->entities.at[entity].name, *dot = strchr(name, '.');
    dot = dot ? strchr(dot + 1, '.') : NULL;
    return dot ? tac_arena_format(&model->arena, "%.*s", (int)(dot - name), name) : NULL;
}

/* A template that tests one entity is a trigger on that entity; nothing else is understood. */
static bool read_template(struct home *home, struct tree_node *node, struct reading *r)
{
    struct trigger *t = &r->like;
    const char *text = home_text(home, node, "value_template");
    const struct cond *cond =
        text ? template_condition(home->model, home_place(node), home->scope, text) : NULL;
    if (!cond || cond_is_abstract(cond) || t->abstract ||
        (cond->kind != COND_STATE && cond->kind != COND_NUMBER) || cond->above_closed ||
        cond->below_closed)
        return false;
    t->entity = cond->entity;
    t->owner = attribute_owner(home->model, cond->entity);
    t->kind = cond->kind == COND_STATE ? TRIGGER_STATE : TRIGGER_NUMBER;
    t->above = cond->above;
    t->below = cond->below;
    if (cond->kind == COND_STATE) { /* it becomes true: it was not before */
        t->has_to = t->has_not_from = true;
        t->to = t->not_from = cond->texts;
    }
    tac_vec_push(r->out, *t);
    return true;
}

/* `light.turned_on` with a target of entities, each of which fires it. */
static bool read_purpose(struct home *home, struct tree_node *node, struct reading *r)
{
    const char *state = home_purpose_state(r->like.platform);
    struct tree_node *target = home_get(home, node, "target");
    struct tree_node *entities = home_get(home, target, "entity_id");
    struct tree_node *options = home_get(home, node, "options");
    const char *behavior = home_text(home, options, "behavior");
    bool each = !options || (options->count == 1 && behavior &&
                             (!strcmp(behavior, "any") || !strcmp(behavior, "each")));
    bool one = entities && (tree_text(entities) || entities->count == 1);
    if (!state || !entities || target->count != 1 || !(each || (one && behavior)))
        return false;
    r->like.kind = TRIGGER_STATE;
    r->like.has_to = r->like.has_from = true;
    set_add(home->model, &r->like.to, state);
    set_add(home->model, &r->like.from, !strcmp(state, "on") ? "off" : "on");
    home_each_text(home, entities, add_entity, r);
    return true;
}

/* Whether triggers of this kind say `trigger.entity_id`, or may. */
static bool names_entities(const char *platform)
{
    return !TAC_IS_ONE_OF(platform, "event", "homeassistant", "mqtt", "sun", "tag", "time_pattern",
                          "webhook", "calendar", "conversation", "persistent_notification");
}

static void read_one(struct home *home, struct tree_node *node, home_trigger_list *out,
                     size_t index)
{
    struct reading r = {.out = out};
    struct trigger *t = &r.like;
    const struct tree_node *entities = home_get(home, node, "entity_id");
    const char *id = home_text(home, node, "id");
    const char *platform = tree_text(tree_get2(home->library, node, "platform", "trigger"));
    struct tree_node *hold = home_get(home, node, "for");
    *t = (struct trigger){.place = home_place(node),
                          .entity = TAC_NONE,
                          .first = (uint32_t)out->count,
                          .above = -INFINITY,
                          .below = INFINITY,
                          .platform = platform ? platform : "?",
                          .of_some_entity = !platform || names_entities(platform),
                          .disabled = home_disabled(home, node)};
    t->id = id ? id : tac_arena_format(&home->model->arena, "%zu", index);
    t->hold = home_duration(home, hold);
    t->abstract = t->hold < 0;
    if (t->abstract)
        home_abstract(home, TAC_READ_ABSTRACTED, "template in a duration");
    if (home_perhaps_disabled(home, node)) {
        t->abstract = true;
        home_abstract(home, TAC_READ_ABSTRACTED, "template in 'enabled'");
    }
    r.attribute = home_text(home, node, "attribute");
    if (home_get(home, node, "variables"))
        home_new_scope(home);
    if (!strcmp(t->platform, "state"))
        read_state(home, node, &r);
    else if (!strcmp(t->platform, "numeric_state"))
        read_number(home, node, &r);
    if (t->kind == TRIGGER_NUMBER || !strcmp(t->platform, "state"))
        home_each_text(home, entities, add_entity, &r);
    else if (!strcmp(t->platform, "device"))
        read_device(home, node, &r);
    else if (read_purpose(home, node, &r))
        return;
    else if (t->key)
        tac_vec_push(out, *t);
    else if (strcmp(t->platform, "template") != 0 || !read_template(home, node, &r))
        home_other_trigger(home, node, t, out);
}

static void read_list(struct home *home, struct tree_node *node, home_trigger_list *out,
                      size_t *index)
{
    node = tree_resolve(home->library, node);
    if (!tree_step(home->library, node))
        return;
    if (node->kind == TREE_MAP && home_get(home, node, "triggers"))
        read_list(home, home_get(home, node, "triggers"), out, index);
    else if (node->kind == TREE_MAP)
        read_one(home, node, out, (*index)++);
    for (size_t i = 0; node->kind == TREE_LIST && i < node->count; i++)
        read_list(home, node->at[i], out, index);
}

void home_triggers(struct home *home, struct tree_node *node, struct trigger **out, size_t *count)
{
    home_trigger_list list = {0};
    size_t index = 0;
    if (node)
        read_list(home, node, &list, &index);
    *out = tac_arena_calloc(&home->model->arena, list.count + 1, sizeof **out);
    for (size_t i = 0; i < list.count; i++)
        if (!list.at[i].disabled)
            (*out)[(*count)++] = list.at[i];
    tac_vec_free(&list);
}
