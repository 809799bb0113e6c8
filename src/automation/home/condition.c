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
        struct cond *held = cond_new(home->model, COND_HELD, place);
        held->entity = entity;
        held->seconds = s->hold;
        cond = cond_pair(home->model, COND_AND, place, cond, held);
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
    const struct tree_node *texts = home_get(home, node, "state");
    const char *match = home_text(home, node, "match");
    s.attribute = home_text(home, node, "attribute");
    s.hold = home_duration(home, home_get(home, node, "for"));
    if (texts && texts->kind == TREE_LIST)
        for (size_t i = 0; i < texts->count; i++)
            add_text(home, tree_resolve(home->library, texts->at[i]), &s);
    else
        add_text(home, texts, &s);
    if (s.doubtful || s.hold < 0 || !s.texts.count)
        return unknown(home, node, "condition with a state that is not written out");
    home_each_text(home, home_get(home, node, "entity_id"), add_state, &s);
    if (!s.parts.count)
        return unknown(home, node, "condition without an entity");
    return join(home, match && !strcmp(match, "any") ? COND_OR : COND_AND, home_place(node),
                &s.parts);
}

static bool bound(struct home *home, const struct tree_node *node, const char *key, double *out)
{
    const struct tree_node *value = home_get(home, node, key);
    return !value || value->kind == TREE_EMPTY || home_number(value, out);
}

static struct cond *number(struct home *home, struct tree_node *node)
{
    struct states s = {.node = node, .above = -INFINITY, .below = INFINITY, .number = true};
    s.attribute = home_text(home, node, "attribute");
    if (!bound(home, node, "above", &s.above) || !bound(home, node, "below", &s.below) ||
        home_get(home, node, "value_template"))
        return unknown(home, node, "threshold is not a number");
    home_each_text(home, home_get(home, node, "entity_id"), add_state, &s);
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
    struct days *days = context;
    int day = weekday_of(text);
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
    const struct tree_node *after = home_get(home, node, "after");
    const struct tree_node *before = home_get(home, node, "before");
    struct tree_node *weekday = home_get(home, node, "weekday");
    double from = 0, to = 86400;
    cond_list parts = {0};
    if ((after && !home_clock(tree_text(after), &from)) ||
        (before && !home_clock(tree_text(before), &to)))
        tac_vec_push(&parts, unknown(home, node, "time of day from an entity"));
    else if (before && from >= to) /* over midnight; before it alone: always */
        tac_vec_push(&parts, cond_hours(home->model, place, from, to, true));
    else if (after || before)
        tac_vec_push(&parts, cond_clock(home->model, place, CLOCK_SECOND_OF_DAY,
                                        after ? from : -INFINITY, before ? to - 1 : INFINITY));
    if (weekday)
        tac_vec_push(&parts, home_weekdays(home, weekday, place));
    return join(home, COND_AND, place, &parts);
}

static struct cond *zone(struct home *home, struct tree_node *node)
{
    const char *where = home_text(home, node, "zone");
    struct states s = {.node = node, .above = -INFINITY, .below = INFINITY};
    if (!where || strcmp(where, "zone.home") != 0)
        return unknown(home, node, "zone");
    set_add(home->model, &s.texts, "home");
    home_each_text(home, home_get(home, node, "entity_id"), add_state, &s);
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
    home_each_text(home, home_get(home, node, "id"), add_id, &cond->texts);
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
    s.number = home_get(home, node, "above") || home_get(home, node, "below");
    if (s.number && !home_device_amount(home, node, &s.attribute))
        return unknown(home, node, "device condition");
    s.hold = home_duration(home, home_get(home, node, "for"));
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
    struct tree_node *target = home_get(home, node, "target");
    struct tree_node *entities = home_get(home, target, "entity_id");
    struct tree_node *options = home_get(home, node, "options");
    const char *behavior = home_text(home, options, "behavior");
    struct states s = {.node = node, .above = -INFINITY, .below = INFINITY};
    if (!text || !entities || target->count != 1 || (options && options->count > !!behavior))
        return unknown(home, node, "sun or other condition");
    set_add(home->model, &s.texts, text);
    home_each_text(home, entities, add_state, &s);
    return join(home, behavior && !strcmp(behavior, "all") ? COND_AND : COND_OR, home_place(node),
                &s.parts);
}

/* {and: [...]}, or {condition: and, conditions: [...]}; NULL: none of them. */
static struct cond *connected(struct home *home, struct tree_node *node, const char *kind)
{
    static const struct {
        const char *word;
        enum cond_kind kind;
    } words[] = {{"and", COND_AND}, {"or", COND_OR}, {"not", COND_NOT}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct tree_node *inner = home_get(home, node, kind ? "conditions" : words[i].word);
        if (kind ? strcmp(kind, words[i].word) != 0 : !inner)
            continue;
        bool negated = words[i].kind == COND_NOT;
        struct cond *cond =
            join_nodes(home, negated ? COND_OR : words[i].kind, inner, home_place(node));
        return negated ? cond_not(home->model, cond) : cond;
    }
    return NULL;
}

struct cond *home_condition(struct home *home, struct tree_node *node)
{
    static const struct {
        const char *kind;
        struct cond *(*read)(struct home *home, struct tree_node *node);
    } kinds[] = {{"state", state}, {"numeric_state", number}, {"time", time_of_day},
                 {"zone", zone},   {"trigger", by_trigger},   {"device", of_device}};
    node = tree_resolve(home->library, node);
    struct place place = home_place(node);
    const char *kind = home_text(home, node, "condition"), *text = tree_text(node);
    if (!tree_step(home->library, node) || node->kind == TREE_EMPTY || home_disabled(home, node))
        return cond_new(home->model, COND_TRUE, place);
    if (home_perhaps_disabled(home, node))
        return unknown(home, node, "template in 'enabled'");
    if (node->kind == TREE_LIST)
        return join_nodes(home, COND_AND, node, place);
    if (is_template(text ? text : kind))
        return templated(home, node, text ? text : kind);
    struct cond *cond = text ? NULL : connected(home, node, kind);
    if (cond || text || !kind)
        return cond ? cond : unknown(home, node, "condition of an unknown kind");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kind, kinds[i].kind))
            return kinds[i].read(home, node);
    const struct tree_node *value = home_get(home, node, "value_template");
    if (!strcmp(kind, "template") && tree_text(value))
        return templated(home, value, tree_text(value));
    return of_purpose(home, node, kind);
}
