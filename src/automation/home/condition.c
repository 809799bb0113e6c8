/* Conditions in all their spellings. A disabled one is as if it were not written. */
#include "automation/home/home.h"
#include "automation/template/template.h"
#include "base/data/vec.h"
#include <math.h>
#include <string.h>

typedef TAC_VEC(struct cond *) cond_list;

static struct cond *join(struct home *home, enum cond_kind kind, struct place place,
                         cond_list *list)
{
    struct cond *cond = cond_join(home->model, kind, place, list->at, list->count);
    tac_vec_free(list);
    return cond;
}

static struct cond *join_nodes(struct home *home, enum cond_kind kind, struct tree_node *node,
                               struct place place)
{
    cond_list parts = {0};
    for (size_t i = 0; node && node->kind == TREE_LIST && i < node->count; i++)
        if (!home_disabled(home, tree_resolve(home->library, node->at[i])))
            tac_vec_push(&parts, home_condition(home, node->at[i]));
    if (node && node->kind != TREE_LIST && !home_disabled(home, node))
        tac_vec_push(&parts, home_condition(home, node));
    return join(home, kind, place, &parts);
}

static struct cond *unknown(struct home *home, struct tree_node *node, const char *reason)
{
    home_abstract(home, TAC_READ_ABSTRACTED, reason);
    return cond_free(home->model, home_place(node), home_canonical(home, node));
}

struct states {
    cond_list parts;
    struct tree_node *node;
    const char *attribute;
    struct text_set texts;
    double hold;
    double above, below;
    bool number, doubtful;
};

static void add_state(struct home *home, const struct tree_node *at, const char *text,
                      void *context)
{
    struct states *s = context;
    struct place place = home_place(s->node);
    if (at->tag || !home_is_entity(text)) {
        tac_vec_push(&s->parts, unknown(home, s->node, "entity of a condition not known"));
        return;
    }
    uint32_t entity = s->attribute ? model_attribute(home->model, text, s->attribute)
                                   : model_entity(home->model, text);
    struct cond *cond = cond_new(home->model, s->number ? COND_NUMBER : COND_STATE, place);
    cond->entity = entity;
    cond->texts = s->texts;
    cond->above = s->above;
    cond->below = s->below;
    for (size_t i = 0; i < s->texts.count; i++)
        model_mention(home->model, entity, s->texts.at[i]);
    if (s->number) {
        model_cut(home->model, entity, s->above);
        model_cut(home->model, entity, s->below);
    }
    if (s->hold > 0) {
        struct cond *both[2] = {cond, cond_new(home->model, COND_HELD, place)};
        both[1]->entity = entity;
        both[1]->seconds = s->hold;
        cond = cond_join(home->model, COND_AND, place, both, 2);
    }
    tac_vec_push(&s->parts, cond);
}

static void add_text(struct home *home, const struct tree_node *node, struct states *s)
{
    const char *text = tree_text(node);
    if (!text)
        return;
    if (!s->attribute)
        home_note_bare(home, node, "state");
    /* the state of a helper may be named instead of a text */
    if (is_template(text) || node->tag || (!strncmp(text, "input_", 6) && home_is_entity(text)))
        s->doubtful = true;
    else
        set_add(home->model, &s->texts, text);
}

static struct cond *state(struct home *home, struct tree_node *node)
{
    struct states s = {.node = node, .above = -INFINITY, .below = INFINITY};
    const struct tree_node *texts = tree_get(home->library, node, "state");
    const char *match = tree_text(tree_get(home->library, node, "match"));
    s.attribute = tree_text(tree_get(home->library, node, "attribute"));
    s.hold = home_duration(home, tree_get(home->library, node, "for"));
    if (texts && texts->kind == TREE_LIST)
        for (size_t i = 0; i < texts->count; i++)
            add_text(home, tree_resolve(home->library, texts->at[i]), &s);
    else
        add_text(home, texts, &s);
    if (s.doubtful || s.hold < 0 || !s.texts.count)
        return unknown(home, node, "condition with a state that is not written out");
    home_each_text(home, tree_get(home->library, node, "entity_id"), add_state, &s);
    if (!s.parts.count)
        return unknown(home, node, "condition without an entity");
    return join(home, match && !strcmp(match, "any") ? COND_OR : COND_AND, home_place(node),
                &s.parts);
}

static bool bound(struct home *home, const struct tree_node *node, const char *key, double *out)
{
    const struct tree_node *value = tree_get(home->library, node, key);
    return !value || value->kind == TREE_EMPTY || home_number(value, out);
}

static struct cond *number(struct home *home, struct tree_node *node)
{
    struct states s = {.node = node, .above = -INFINITY, .below = INFINITY, .number = true};
    s.attribute = tree_text(tree_get(home->library, node, "attribute"));
    if (!bound(home, node, "above", &s.above) || !bound(home, node, "below", &s.below) ||
        tree_get(home->library, node, "value_template"))
        return unknown(home, node, "threshold is not a number");
    home_each_text(home, tree_get(home->library, node, "entity_id"), add_state, &s);
    if (!s.parts.count)
        return unknown(home, node, "condition without an entity");
    return join(home, COND_AND, home_place(node), &s.parts);
}

struct days {
    cond_list list;
    bool doubtful;
};

static void add_day(struct home *home, const struct tree_node *at, const char *text, void *context)
{
    static const char *const names[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
    struct days *days = context;
    int day = 0;
    while (day < 7 && strcmp(text, names[day]) != 0)
        day++;
    if (day < 7)
        tac_vec_push(&days->list, cond_clock(home->model, home_place(at), CLOCK_WEEKDAY, day, day));
    days->doubtful |= day == 7;
}

struct cond *home_weekdays(struct home *home, struct tree_node *weekday, struct place place)
{
    struct days days = {0};
    home_each_text(home, weekday, add_day, &days);
    struct cond *known = join(home, COND_OR, place, &days.list);
    return days.doubtful ? unknown(home, weekday, "weekday that is not written out") : known;
}

static struct cond *time_of_day(struct home *home, struct tree_node *node)
{
    struct place place = home_place(node);
    const struct tree_node *after = tree_get(home->library, node, "after");
    const struct tree_node *before = tree_get(home->library, node, "before");
    struct tree_node *weekday = tree_get(home->library, node, "weekday");
    double from = 0, to = 86400;
    cond_list parts = {0};
    if ((after && !home_clock(tree_text(after), &from)) ||
        (before && !home_clock(tree_text(before), &to)))
        tac_vec_push(&parts, unknown(home, node, "time of day from an entity"));
    else if (before && from >= to) { /* over midnight; before it alone: always */
        struct cond *halves[2] = {
            cond_clock(home->model, place, CLOCK_SECOND_OF_DAY, from, INFINITY),
            cond_clock(home->model, place, CLOCK_SECOND_OF_DAY, -INFINITY, to - 1)};
        tac_vec_push(&parts, cond_join(home->model, COND_OR, place, halves, 2));
    } else if (after || before) {
        tac_vec_push(&parts, cond_clock(home->model, place, CLOCK_SECOND_OF_DAY,
                                        after ? from : -INFINITY, before ? to - 1 : INFINITY));
    }
    if (weekday)
        tac_vec_push(&parts, home_weekdays(home, weekday, place));
    return join(home, COND_AND, place, &parts);
}

static struct cond *zone(struct home *home, struct tree_node *node)
{
    const char *where = tree_text(tree_get(home->library, node, "zone"));
    struct states s = {.node = node, .above = -INFINITY, .below = INFINITY};
    if (!where || strcmp(where, "zone.home") != 0)
        return unknown(home, node, "zone");
    set_add(home->model, &s.texts, "home");
    home_each_text(home, tree_get(home->library, node, "entity_id"), add_state, &s);
    return join(home, COND_AND, home_place(node), &s.parts);
}

static void add_id(struct home *home, const struct tree_node *at, const char *text, void *context)
{
    (void)at;
    set_add(home->model, context, text);
}

static struct cond *by_trigger(struct home *home, struct tree_node *node)
{
    struct cond *cond = cond_new(home->model, COND_TRIGGER, home_place(node));
    cond->aspect = ASPECT_ID;
    home_each_text(home, tree_get(home->library, node, "id"), add_id, &cond->texts);
    return cond;
}

static struct cond *templated(struct home *home, const struct tree_node *at, const char *text)
{
    struct cond *cond = template_condition(home->model, home_place(at), home->scope, text);
    if (cond_is_abstract(cond))
        home_abstract(home, TAC_READ_ABSTRACTED, "template condition");
    return cond;
}

static struct cond *of_device(struct home *home, struct tree_node *node)
{
    const char *entity = home_device_entity(home, node), *text = home_device_state(home, node);
    struct states s = {.node = node, .above = -INFINITY, .below = INFINITY};
    s.number = tree_get(home->library, node, "above") || tree_get(home->library, node, "below");
    if (s.number && !home_device_amount(home, node, &s.attribute))
        return unknown(home, node, "device condition");
    s.hold = home_duration(home, tree_get(home->library, node, "for"));
    if (!entity || s.hold < 0 || (!s.number && !text) || !bound(home, node, "above", &s.above) ||
        !bound(home, node, "below", &s.below))
        return unknown(home, node, "device condition");
    if (!s.number)
        set_add(home->model, &s.texts, text);
    add_state(home, node, entity, &s);
    return join(home, COND_AND, home_place(node), &s.parts);
}

/* `light.is_on` with a target of entities. */
static struct cond *of_purpose(struct home *home, struct tree_node *node, const char *kind)
{
    const char *text = home_purpose_state(kind);
    struct tree_node *target = tree_get(home->library, node, "target");
    struct tree_node *entities = tree_get(home->library, target, "entity_id");
    struct tree_node *options = tree_get(home->library, node, "options");
    const char *behavior = tree_text(tree_get(home->library, options, "behavior"));
    struct states s = {.node = node, .above = -INFINITY, .below = INFINITY};
    if (!text || !entities || target->count != 1 || (options && options->count > !!behavior))
        return unknown(home, node, "sun or other condition");
    set_add(home->model, &s.texts, text);
    home_each_text(home, entities, add_state, &s);
    return join(home, behavior && !strcmp(behavior, "all") ? COND_AND : COND_OR, home_place(node),
                &s.parts);
}

static struct cond *shorthand(struct home *home, struct tree_node *node)
{
    struct place place = home_place(node);
    struct tree_node *inner;
    if ((inner = tree_get(home->library, node, "and")))
        return join_nodes(home, COND_AND, inner, place);
    if ((inner = tree_get(home->library, node, "or")))
        return join_nodes(home, COND_OR, inner, place);
    if ((inner = tree_get(home->library, node, "not")))
        return cond_not(home->model, join_nodes(home, COND_OR, inner, place));
    return unknown(home, node, "condition of an unknown kind");
}

struct cond *home_condition(struct home *home, struct tree_node *node)
{
    node = tree_resolve(home->library, node);
    struct place place = home_place(node);
    const char *kind = tree_text(tree_get(home->library, node, "condition"));
    const char *text = tree_text(node);
    if (!tree_step(home->library, node) || node->kind == TREE_EMPTY || home_disabled(home, node))
        return cond_new(home->model, COND_TRUE, place);
    if (home_perhaps_disabled(home, node))
        return unknown(home, node, "template in 'enabled'");
    if (node->kind == TREE_LIST)
        return join_nodes(home, COND_AND, node, place);
    if (text)
        return is_template(text) ? templated(home, node, text)
                                 : unknown(home, node, "condition of an unknown kind");
    struct tree_node *inner = tree_get(home->library, node, "conditions");
    if (!kind)
        return shorthand(home, node);
    if (is_template(kind))
        return templated(home, node, kind);
    if (!strcmp(kind, "and"))
        return join_nodes(home, COND_AND, inner, place);
    if (!strcmp(kind, "or"))
        return join_nodes(home, COND_OR, inner, place);
    if (!strcmp(kind, "not"))
        return cond_not(home->model, join_nodes(home, COND_OR, inner, place));
    if (!strcmp(kind, "state"))
        return state(home, node);
    if (!strcmp(kind, "numeric_state"))
        return number(home, node);
    if (!strcmp(kind, "time"))
        return time_of_day(home, node);
    if (!strcmp(kind, "zone"))
        return zone(home, node);
    if (!strcmp(kind, "trigger"))
        return by_trigger(home, node);
    if (!strcmp(kind, "device"))
        return of_device(home, node);
    const struct tree_node *value = tree_get(home->library, node, "value_template");
    if (!strcmp(kind, "template") && tree_text(value))
        return templated(home, value, tree_text(value));
    return of_purpose(home, node, kind);
}
