/* Profiles as automations.
 *
 * A profile with an event fires its entry task on the event; another one when the last of its
 * contexts begins, and its exit task, an automation of its own, when one of them ends while the
 * others hold. */
#include "automation/tasker/tasker.h"
#include "base/data/text.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

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

bool tasker_is_local(const char *variable)
{
    if (*variable != '%')
        return false;
    for (const char *c = variable; *c && *c != '('; c++)
        if (isupper((unsigned char)*c))
            return false;
    return true;
}

static xmlNodePtr argument(struct tasker *t, xmlNodePtr node, int index)
{
    char name[16];
    snprintf(name, sizeof name, "arg%d", index);
    for (xmlNodePtr at = node->children; at; at = at->next) {
        const char *sr = at->type == XML_ELEMENT_NODE ? tasker_attribute(t, at, "sr") : NULL;
        if (sr && !strcmp(sr, name))
            return at;
    }
    return NULL;
}

bool tasker_is_variable(struct tasker *t, xmlNodePtr node, int index)
{
    xmlNodePtr at = argument(t, node, index);
    return at && tasker_named(at, "Int") && tasker_child(at, "var");
}

const char *tasker_argument(struct tasker *t, xmlNodePtr node, int index)
{
    xmlNodePtr at = argument(t, node, index);
    if (!at || tasker_is_variable(t, node, index))
        return NULL;
    if (tasker_named(at, "Int"))
        return tasker_attribute(t, at, "val");
    return tasker_named(at, "Str") ? keep(t, xmlNodeGetContent(at)) : NULL;
}

/* A plug-in's own data is told from another's by a number made of all of it. */
static const char *digest(struct tasker *t, xmlNodePtr node)
{
    xmlChar *text = xmlNodeGetContent(node);
    uint64_t hash = text ? tac_hash_bytes(text, strlen((const char *)text), 0) : 0;
    xmlFree(text);
    return tac_arena_format(&t->model->arena, "#%04x", (unsigned)(hash & 0xffff));
}

const char *tasker_arguments(struct tasker *t, xmlNodePtr node)
{
    const char *all = "";
    for (xmlNodePtr at = node->children; at; at = at->next) {
        const char *sr = at->type == XML_ELEMENT_NODE ? tasker_attribute(t, at, "sr") : NULL;
        if (!sr || strncmp(sr, "arg", 3) != 0)
            continue;
        const char *text = tasker_named(at, "Str")   ? keep(t, xmlNodeGetContent(at))
                           : tasker_named(at, "Int") ? tasker_attribute(t, at, "val")
                                                     : digest(t, at);
        if (text && *text)
            all = tac_arena_format(&t->model->arena, "%s %.60s", all, text);
    }
    return all;
}

void tasker_abstract(struct tasker *t, tac_automation_reading reading, const char *reason)
{
    t->reading = reading > t->reading ? reading : t->reading;
    set_add(t->model, &t->reasons, reason);
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

typedef TAC_VEC(struct cond *) cond_list;

static struct cond *all_but(struct tasker *t, const cond_list *conds, size_t but,
                            struct place place)
{
    cond_list others = {0};
    for (size_t i = 0; i < conds->count; i++)
        if (i != but)
            tac_vec_push(&others, conds->at[i]);
    struct cond *all = cond_join(t->model, COND_AND, place, others.at, others.count);
    tac_vec_free(&others);
    return all;
}

/* Triggers and condition: what begins the profile, or what ends it. */
static void read_contexts(struct tasker *t, const node_list *contexts, bool event, bool enter,
                          struct automation *a)
{
    cond_list conds = {0};
    a->triggers = tac_arena_calloc(&t->model->arena, contexts->count + 1, sizeof *a->triggers);
    for (size_t i = 0; i < contexts->count; i++)
        if (!tasker_named(contexts->at[i], "Event"))
            tac_vec_push(&conds, tasker_context(t, contexts->at[i]));
    for (size_t i = 0; i < contexts->count; i++) {
        struct trigger *trigger = &a->triggers[a->trigger_count];
        if (event && !tasker_named(contexts->at[i], "Event"))
            continue;
        tasker_context_trigger(t, contexts->at[i], enter, trigger);
        trigger->id = tac_arena_format(&t->model->arena, "%zu", a->trigger_count++);
        if (!enter && conds.count > 1)
            trigger->guard = all_but(t, &conds, i, trigger->place);
    }
    a->cond = all_but(t, &conds, SIZE_MAX, a->place);
    if (!enter)
        a->cond = cond_new(t->model, COND_TRUE, a->place);
    a->cond = trigger_guards(t->model, a);
    tac_vec_free(&conds);
}

static void read_profile(struct tasker *t, xmlNodePtr profile, bool enter)
{
    const char *name = tasker_text(t, profile, "nme"), *id = tasker_text(t, profile, "id");
    const char *task = tasker_text(t, profile, enter ? "mid0" : "mid1");
    const char *off = tasker_text(t, profile, "limit");
    struct automation a = {.place = tasker_place(profile)};
    node_list contexts = {0};
    bool event = list_contexts(t, profile, &contexts);
    t->reading = TAC_READ_EXACT;
    t->reasons = (struct text_set){0};
    if (task && (enter || !event)) {
        a.alias = tac_arena_format(&t->model->arena, "%s%s", name ? name : "unnamed profile",
                                   enter ? "" : " (exit)");
        a.id = tac_arena_format(&t->model->arena, "%s%s", id ? id : "?", enter ? "" : " exit");
        a.disabled = off && !strcmp(off, "true");
        read_contexts(t, &contexts, event, enter, &a);
        a.mode = tasker_task(t, "id", task, &a.steps);
        a.reading = t->reading;
        a.reasons = t->reasons;
        tac_vec_push(&t->model->automations, a);
    }
    tac_vec_free(&contexts);
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
