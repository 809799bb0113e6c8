/* Reading a Home Assistant configuration: one context, a file per part of the language. */
#pragma once

#include "automation/model/model.h"

struct home {
    tac_automation_model *model;
    struct tree_library *library;
    const char *base; /* folder of configuration.yaml in the library's, with its slash; or "" */
    tac_names script_names, scene_names, group_names;
    TAC_VEC(struct tree_node *) script_nodes; /* by number of script_names */
    TAC_VEC(struct tree_node *) scene_nodes;  /* by number of scene_names: its entities */
    TAC_VEC(struct tree_node *) group_nodes;  /* by number of group_names: its members */
    struct tree_node *configuration;          /* of a folder; NULL: none */
    tac_names called;                         /* by automation.trigger: "automation.night" */
    const char *scope;                        /* of templates: see template.h */
    unsigned scopes;                          /* of the automation being read, so far */
    unsigned script_depth;
    uint32_t script_stack[8];
    tac_automation_reading reading; /* of the automation being read */
    struct text_set reasons;
};

/* The automation being read is understood only so far, for this reason. */
void home_abstract(struct home *home, tac_automation_reading reading, const char *reason);
/* From here on variables may have other values: the same text has another truth. */
void home_new_scope(struct home *home);
struct place home_place(const struct tree_node *node);
/* Calls for each element of a list, or once for anything else; a text is split at commas. */
void home_each_text(struct home *home, const struct tree_node *node,
                    void (*each)(struct home *home, const struct tree_node *at, const char *text,
                                 void *context),
                    void *context);
/* Seconds of a duration in any of its spellings; -1 when it is not known. */
double home_duration(struct home *home, const struct tree_node *node);
bool home_clock(const char *text, double *second); /* "HH:MM[:SS]" */
bool home_number(const struct tree_node *node, double *number);
bool home_is_entity(const char *text);
/* Remembers a state that YAML reads as a boolean, though it must be a text. */
void home_note_bare(struct home *home, const struct tree_node *state, const char *key);
/* canonical.c: a node as one line of text, for comparing. */
const char *home_canonical(struct home *home, struct tree_node *node);
/* The same of a mapping of data, all of whose keys count. */
const char *home_data(struct home *home, struct tree_node *node);
/* Seconds of a duration with a sign; false when they are not known. */
bool home_offset(struct home *home, const struct tree_node *node, double *seconds);
bool home_disabled(struct home *home, const struct tree_node *node); /* enabled: false */
/* enabled: a template, or anything else that is not a boolean. */
bool home_perhaps_disabled(struct home *home, const struct tree_node *node);

/* trigger.c; other_trigger.c: those that are neither a state nor a range. */
typedef TAC_VEC(struct trigger) home_trigger_list;
void home_other_trigger(struct home *home, struct tree_node *node, struct trigger *like,
                        home_trigger_list *out);
void home_triggers(struct home *home, struct tree_node *node, struct trigger **out, size_t *count);
struct cond *home_condition(struct home *home, struct tree_node *node);
/* The days that `weekday` of a time names. */
struct cond *home_weekdays(struct home *home, struct tree_node *weekday, struct place place);
void home_steps(struct home *home, struct tree_node *node, struct branch *out);
/* One service call as steps. */
struct step *home_step(struct home *home, enum step_kind kind, const struct tree_node *at);
void home_service(struct home *home, struct tree_node *node, const char *service, step_list *out);
void home_scene(struct home *home, const struct tree_node *at, const char *name, step_list *out);
void home_script(struct home *home, const struct tree_node *at, const char *name, step_list *out);
void home_service_on(struct home *home, struct tree_node *node, const char *service,
                     const char *entity, step_list *out);
/* device.c: of a device trigger, condition or action. The entity, the state that its type says, the
 * service that it calls; NULL: there is none. */
const char *home_device_entity(struct home *home, struct tree_node *node);
const char *home_device_state(struct home *home, struct tree_node *node);
const char *home_device_service(struct home *home, struct tree_node *node);
/* What `above` and `below` are about: the state (*attribute is NULL), or an attribute. False: it is
 * not known. */
bool home_device_amount(struct home *home, struct tree_node *node, const char **attribute);
/* The state that `light.turned_on` as a trigger, or `light.is_on` as a condition, is about; NULL:
 * it is not about one. */
const char *home_purpose_state(const char *kind);
/* slug.c: "Good Night!" as "good_night". */
const char *home_slug(struct home *home, const char *name);
/* folder.c: the configuration.yaml among the files of a folder (NULL: none), and the base. */
tac_status home_locate(struct home *home, const char *const *paths, size_t count, const char **out,
                       tac_error *err);
bool home_is_included(const struct tree_library *library, const struct tree_node *root);
/* blueprint.c: the tree of an instance of a kind ("automation", "script"); NULL after a reason. */
struct tree_node *home_blueprint(struct home *home, const char *kind, struct tree_node *use);

/* number.c: the shortest text of a text's number, or the text itself; one spelling for all that is
 * compared with entities whose state is a number. */
const char *home_plain_number(tac_automation_model *model, const char *text);
void home_plain_numbers(tac_automation_model *model);

/* defined.c: what the files define without the registry. */
void home_defined(struct home *home, struct tree_node *configuration);

/* Reads all of a folder or file into the model. */
tac_status home_read(tac_automation_model *model, const char *path, tac_error *err);

/* A member of a mapping, resolved; its text. NULL: there is none. */
static inline struct tree_node *home_get(const struct home *home, const struct tree_node *map,
                                         const char *key)
{
    return tree_get(home->library, map, key);
}

static inline const char *home_text(const struct home *home, const struct tree_node *map,
                                    const char *key)
{
    return tree_text(home_get(home, map, key));
}
