/* Profiles as automations.
 *
 * Contexts are entities ("state 160 ...", "app ..."), on or off, or times of day. A profile with
 * an event fires its entry task on the event; another one when the last of its contexts begins,
 * and its exit task, an automation of its own, when one of them ends. */
#include "automation/tasker/tasker.h"
#include "base/data/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATE_VARIABLE = 165 };

typedef TAC_VEC(xmlNodePtr) node_list;

struct place tasker_place(xmlNodePtr node)
{
    return (struct place){0, (uint32_t)xmlGetLineNo(node)};
}

bool tasker_named(xmlNodePtr node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && !strcmp((const char *)node->name, name);
}

static const char *keep(struct tasker *t, xmlChar *text)
{
    const char *kept = text ? tac_arena_strdup(&t->model->arena, (const char *)text) : NULL;
    xmlFree(text);
    return kept;
}

xmlNodePtr tasker_child(xmlNodePtr node, const char *name)
{
    for (xmlNodePtr at = node->children; at; at = at->next)
        if (tasker_named(at, name))
            return at;
    return NULL;
}

const char *tasker_text(struct tasker *t, xmlNodePtr node, const char *child)
{
    xmlNodePtr found = tasker_child(node, child);
    return found ? keep(t, xmlNodeGetContent(found)) : NULL;
}

const char *tasker_attribute(struct tasker *t, xmlNodePtr node, const char *name)
{
    return keep(t, xmlGetProp(node, (const xmlChar *)name));
}

long tasker_number(const char *text, long otherwise)
{
    int64_t value;
    bool fits = text && tac_parse_i64(text, &value) && value > -1000000000 && value < 1000000000;
    return fits ? (long)value : otherwise;
}

const char *tasker_argument(struct tasker *t, xmlNodePtr node, int index)
{
    char name[16];
    snprintf(name, sizeof name, "arg%d", index);
    for (xmlNodePtr at = node->children; at; at = at->next) {
        const char *sr = at->type == XML_ELEMENT_NODE ? tasker_attribute(t, at, "sr") : NULL;
        if (!sr || strcmp(sr, name) != 0)
            continue;
        if (tasker_named(at, "Int"))
            return tasker_child(at, "var") ? NULL : tasker_attribute(t, at, "val");
        return tasker_named(at, "Str") ? keep(t, xmlNodeGetContent(at)) : NULL;
    }
    return NULL;
}

void tasker_abstract(struct tasker *t, tac_automation_reading reading, const char *reason)
{
    t->reading = reading > t->reading ? reading : t->reading;
    set_add(t->model, &t->reasons, reason);
}

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
    const char *name = tac_arena_format(&t->model->arena, "%s%s%s", app ? "app" : "state",
                                        code ? " " : "", code ? code : "");
    for (int i = 0; i < 8; i++) {
        char key[8];
        snprintf(key, sizeof key, "pkg%d", i);
        const char *value = app ? tasker_text(t, context, key) : tasker_argument(t, context, i);
        if (value && *value)
            name = tac_arena_format(&t->model->arena, "%s %.60s", name, value);
    }
    return model_entity(t->model, name);
}

static double time_of(struct tasker *t, xmlNodePtr context, const char *hour, const char *minute)
{
    long h = tasker_number(tasker_text(t, context, hour), 0),
         m = tasker_number(tasker_text(t, context, minute), 0);
    return h < 0 || h > 23 || m < 0 || m > 59 ? 0 : (double)(h * 3600 + m * 60);
}

static struct cond *context_cond(struct tasker *t, xmlNodePtr context)
{
    struct place place = tasker_place(context);
    xmlNodePtr list = tasker_child(context, "ConditionList");
    if (tasker_named(context, "Time")) {
        double from = time_of(t, context, "fh", "fm"), to = time_of(t, context, "th", "tm");
        struct cond *halves[2] = {
            cond_clock(t->model, place, CLOCK_SECOND_OF_DAY, from, from > to ? INFINITY : to - 1),
            cond_clock(t->model, place, CLOCK_SECOND_OF_DAY, -INFINITY, to - 1)};
        return from > to ? cond_join(t->model, COND_OR, place, halves, 2) : halves[0];
    }
    if (tasker_named(context, "State") && list && !is_state(t, context))
        return tasker_conditions(t, list);
    if (is_state(t, context)) {
        struct cond *cond = cond_new(t->model, COND_STATE, place);
        cond->entity = context_entity(t, context);
        set_add(t->model, &cond->texts, "on");
        model_mention(t->model, cond->entity, "on");
        model_mention(t->model, cond->entity, "off");
        return inverted(t, context) ? cond_not(t->model, cond) : cond;
    }
    tasker_abstract(t, TAC_READ_ABSTRACTED, "day or place as context");
    return cond_free(t->model, place,
                     tac_arena_format(&t->model->arena, "%s of line %u",
                                      (const char *)context->name, place.line));
}

static void context_trigger(struct tasker *t, xmlNodePtr context, bool enter, struct automation *a)
{
    struct trigger *trigger = &a->triggers[a->trigger_count];
    *trigger = (struct trigger){.place = tasker_place(context),
                                .id = tac_arena_format(&t->model->arena, "%zu", a->trigger_count),
                                .platform =
                                    tac_arena_strdup(&t->model->arena, (const char *)context->name),
                                .entity = TAC_NONE,
                                .kind = TRIGGER_EVENT,
                                .above = -INFINITY,
                                .below = INFINITY};
    a->trigger_count++;
    if (tasker_named(context, "Event")) {
        const char *code = tasker_text(t, context, "code"), *first = tasker_argument(t, context, 0);
        trigger->key = tac_arena_format(&t->model->arena, "event %s %s", code ? code : "?",
                                        first ? first : "");
    } else if (tasker_named(context, "Time")) {
        trigger->kind = TRIGGER_TIME;
        trigger->seconds = time_of(t, context, enter ? "fh" : "th", enter ? "fm" : "tm");
        tac_vec_push(&t->model->clock_cuts[CLOCK_SECOND_OF_DAY], trigger->seconds);
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

static bool list_contexts(struct tasker *t, xmlNodePtr profile, node_list *out)
{
    bool event = false;
    for (xmlNodePtr at = profile->children; at; at = at->next) {
        const char *sr = at->type == XML_ELEMENT_NODE ? tasker_attribute(t, at, "sr") : NULL;
        if (sr && !strncmp(sr, "con", 3)) {
            tac_vec_push(out, at);
            event |= tasker_named(at, "Event");
        }
    }
    return event;
}

static void read_profile(struct tasker *t, xmlNodePtr profile, bool enter)
{
    const char *name = tasker_text(t, profile, "nme"), *id = tasker_text(t, profile, "id");
    const char *task = tasker_text(t, profile, enter ? "mid0" : "mid1");
    const char *off = tasker_text(t, profile, "limit");
    struct automation a = {.place = tasker_place(profile), .mode = MODE_SINGLE};
    node_list contexts = {0};
    TAC_VEC(struct cond *) conds = {0};
    bool event = list_contexts(t, profile, &contexts);
    t->reading = TAC_READ_EXACT;
    t->reasons = (struct text_set){0};
    if (task && (enter || !event)) {
        a.alias = tac_arena_format(&t->model->arena, "%s%s", name ? name : "unnamed profile",
                                   enter ? "" : " (exit)");
        a.id = tac_arena_format(&t->model->arena, "%s%s", id ? id : "?", enter ? "" : " exit");
        a.disabled = off && !strcmp(off, "true");
        a.triggers = tac_arena_calloc(&t->model->arena, contexts.count + 1, sizeof *a.triggers);
        for (size_t i = 0; i < contexts.count; i++) {
            if (!event || tasker_named(contexts.at[i], "Event"))
                context_trigger(t, contexts.at[i], enter, &a);
            if (enter && !tasker_named(contexts.at[i], "Event"))
                tac_vec_push(&conds, context_cond(t, contexts.at[i]));
        }
        a.cond = cond_join(t->model, COND_AND, a.place, conds.at, conds.count);
        tasker_task(t, "id", task, &a.steps);
        a.reading = t->reading;
        a.reasons = t->reasons;
        tac_vec_push(&t->model->automations, a);
    }
    tac_vec_free(&contexts);
    tac_vec_free(&conds);
}

tac_status tasker_read(tac_automation_model *model, const char *path, tac_error *err)
{
    static const tac_xml_limits limits = {.max_size = 64 << 20, .max_depth = 64};
    struct tasker t = {.model = model};
    xmlDocPtr doc = NULL;
    tac_status status = tac_xml_load(path, &limits, &doc, err);
    if (status != TAC_OK)
        return status;
    t.root = xmlDocGetRootElement(doc);
    if (!t.root || !tasker_named(t.root, "TaskerData")) {
        xmlFreeDoc(doc);
        return tac_fail_at(err, TAC_E_INPUT, path, 1, 0,
                           "is not a Tasker export: expected the element TaskerData");
    }
    model->library.files = tac_calloc(1, sizeof *model->library.files);
    model->library.files[0].path = tac_arena_strdup(&model->arena, tac_base_name(path));
    model->library.file_count = model->library.file_capacity = 1;
    for (xmlNodePtr at = t.root->children; at; at = at->next)
        if (tasker_named(at, "Profile")) {
            read_profile(&t, at, true);
            read_profile(&t, at, false);
        }
    xmlFreeDoc(doc);
    return TAC_OK;
}
