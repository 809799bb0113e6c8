/* Restores a model from the properties that tac_model_write_graphwalker left in a GraphWalker file.
 * Vertices and edges that a person added in GraphWalker's editor have no properties of ours: they
 * become states and plain transitions. */
#include "base/data/map.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "model/exchange/import.h"
#include "model/model.h"

struct own_reader {
    const tac_json *json;
    tac_model_builder *builder;
    tac_diagnostics *diagnostics;
    tac_names devices, applications, activities; /* keys are the names on the way down */
    tac_str key;
    size_t problems;
};

static const json_t *own_of(const json_t *object)
{
    return json_object_get(json_object_get(object, "properties"), "tactus");
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static bool truth_of(const json_t *object, const char *key, bool otherwise)
{
    const json_t *value = json_object_get(object, key);
    return value ? json_is_true(value) : otherwise;
}

static double number_of(const json_t *object, const char *key, double otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

static void report(struct own_reader *reader, const char *pointer, const char *what)
{
    size_t line = 0, column = 0;
    tac_json_locate(reader->json, pointer, &line, &column);
    reader->problems++;
    tac_diagnostics_add(reader->diagnostics, TAC_ERROR, reader->json->name, line, column, "%s",
                        what);
}

/* The activity of a model, with its application and device; each is added when first met. */
static uint32_t place_of(struct own_reader *reader, const json_t *own)
{
    const char *device_name = text_of(own, "device"),
               *application_name = text_of(own, "application");
    const char *activity_name = text_of(own, "activity");
    if (!device_name || !application_name || !activity_name)
        return TAC_NONE;
    size_t known = reader->devices.count;
    uint32_t device = tac_names_intern(&reader->devices, device_name);
    if (reader->devices.count > known)
        tac_build_device(reader->builder, device_name, text_of(own, "serialNumber"), 0);
    tac_str_clear(&reader->key);
    tac_str_addf(&reader->key, "%u/%s", device, application_name);
    known = reader->applications.count;
    uint32_t application = tac_names_intern(&reader->applications, tac_str_text(&reader->key));
    if (reader->applications.count > known)
        tac_build_application(reader->builder, device, application_name, text_of(own, "codeName"),
                              text_of(own, "package"), truth_of(own, "applicationExternal", false),
                              0);
    tac_str_clear(&reader->key);
    tac_str_addf(&reader->key, "%u/%s", application, activity_name);
    known = reader->activities.count;
    uint32_t activity = tac_names_intern(&reader->activities, tac_str_text(&reader->key));
    if (reader->activities.count > known)
        tac_build_activity(reader->builder, application, activity_name,
                           truth_of(own, "activityExternal", false), 0);
    return activity;
}

/* Vertex names by id go to `ids` and `names`, in step. */
typedef TAC_VEC(const char *) text_list;

static void read_vertex(struct own_reader *reader, uint32_t machine, const json_t *vertex,
                        tac_names *ids, text_list *names, const char *pointer)
{
    const char *id = text_of(vertex, "id"), *name = text_of(vertex, "name");
    const json_t *own = own_of(vertex);
    const char *kind_name = text_of(own, "kind");
    if (!id || tac_names_find(ids, id) != TAC_NONE) {
        report(reader, pointer, "a vertex needs an \"id\" of its own");
        return;
    }
    tac_names_intern(ids, id);
    tac_vec_push(names, name ? name : id);
    tac_node_kind kind = TAC_NODE_STATE;
    if (kind_name && strcmp(kind_name, "return") == 0)
        return;
    if (kind_name && strcmp(kind_name, "connection") == 0)
        kind = TAC_NODE_CONNECTION;
    else if (kind_name && strcmp(kind_name, "final") == 0)
        kind = TAC_NODE_FINAL;
    uint32_t node = tac_build_node(reader->builder, machine, kind, name ? name : id, 0);
    tac_build_node_labels(reader->builder, node, text_of(own, "labels"));
    tac_build_image(reader->builder, node, text_of(own, "image"));
    tac_build_node_expect(reader->builder, node, text_of(own, "expect"));
    tac_build_untried(reader->builder, node, text_of(own, "untried"));
    if (kind == TAC_NODE_FINAL && truth_of(own, "leaves", false))
        tac_build_leaves(reader->builder, node);
    if (kind == TAC_NODE_CONNECTION && text_of(own, "enters"))
        tac_build_jump(reader->builder, node, text_of(own, "calls"), text_of(own, "enters"));
    else if (kind == TAC_NODE_CONNECTION)
        tac_build_call(reader->builder, node, text_of(own, "calls"), text_of(own, "returns"),
                       truth_of(own, "reuse", false), truth_of(own, "autoReturn", true));
}

static void read_actions(struct own_reader *reader, uint32_t transition, const json_t *own,
                         const char *pointer)
{
    size_t i;
    json_t *action;
    json_array_foreach(json_object_get(own, "actions"), i, action)
    {
        tac_action_kind kind;
        const char *name = text_of(action, "kind");
        if (!name || !tac_action_kind_parse(name, &kind)) {
            report(reader, pointer, "an action has an unknown \"kind\"");
            continue;
        }
        tac_build_action(reader->builder, transition, kind, text_of(action, "xpath"),
                         text_of(action, "resourceId"), text_of(action, "text"),
                         text_of(action, "value"));
        tac_build_area(reader->builder, text_of(action, "area"));
        if (json_is_true(json_object_get(action, "fragile")))
            tac_build_fragile(reader->builder);
    }
}

static void read_edge(struct own_reader *reader, uint32_t machine, const json_t *edge,
                      const tac_names *ids, const text_list *names, const char *pointer)
{
    const json_t *own = own_of(edge);
    const char *kind_name = text_of(own, "kind");
    if (kind_name && strcmp(kind_name, "return") == 0)
        return;
    const char *from = text_of(edge, "sourceVertexId"), *to = text_of(edge, "targetVertexId");
    uint32_t source = from ? tac_names_find(ids, from) : TAC_NONE;
    uint32_t target = to ? tac_names_find(ids, to) : TAC_NONE;
    const char *event = text_of(edge, "name");
    if (source == TAC_NONE || target == TAC_NONE || !event) {
        report(reader, pointer, "an edge needs a \"name\" and two vertices of its model");
        return;
    }
    int kind = -1;
    if (kind_name && strcmp(kind_name, "system") == 0)
        kind = TAC_EVENT_SYSTEM;
    else if (kind_name && strcmp(kind_name, "user") == 0)
        kind = TAC_EVENT_USER;
    uint32_t transition =
        tac_build_transition(reader->builder, machine, names->at[source], event, names->at[target],
                             kind, number_of(own, "time", -1), number_of(own, "weight", 1),
                             text_of(own, "sends"), text_of(own, "receives"), 0);
    if (text_of(own, "note"))
        tac_build_note(reader->builder, transition, text_of(own, "note"));
    tac_build_guard(reader->builder, transition, text_of(edge, "guard"));
    tac_build_update(reader->builder, transition,
                     json_string_value(json_array_get(json_object_get(edge, "actions"), 0)));
    tac_build_transition_labels(
        reader->builder, transition,
        json_string_value(json_array_get(json_object_get(edge, "requirements"), 0)));
    tac_build_dependency(reader->builder, transition, number_of(edge, "dependency", -1));
    tac_build_transition_expect(reader->builder, transition, text_of(own, "expect"));
    read_actions(reader, transition, own, pointer);
}

static void read_model(struct own_reader *reader, const json_t *model, size_t m)
{
    char pointer[80];
    const json_t *own = own_of(model);
    const char *name = text_of(model, "name"), *initial = text_of(own, "initial");
    uint32_t activity = place_of(reader, own);
    snprintf(pointer, sizeof pointer, "/models/%zu", m);
    if (activity == TAC_NONE || !name) {
        report(reader, pointer,
               "the model has no name, or its properties say no device, application and activity");
        return;
    }
    uint32_t machine =
        tac_build_machine(reader->builder, activity, name, truth_of(own, "external", false), 0);
    if (initial)
        tac_build_initial(reader->builder, machine, initial, 0);
    tac_names ids = {0};
    text_list names = {0};
    size_t i;
    json_t *element;
    json_array_foreach(json_object_get(model, "vertices"), i, element)
    {
        snprintf(pointer, sizeof pointer, "/models/%zu/vertices/%zu", m, i);
        read_vertex(reader, machine, element, &ids, &names, pointer);
    }
    json_array_foreach(json_object_get(model, "edges"), i, element)
    {
        snprintf(pointer, sizeof pointer, "/models/%zu/edges/%zu", m, i);
        read_edge(reader, machine, element, &ids, &names, pointer);
    }
    tac_names_free(&ids);
    tac_vec_free(&names);
}

tac_status tac_import_own_graphwalker(const tac_json *json, tac_diagnostics *diagnostics,
                                      tac_model **out, tac_error *err)
{
    struct own_reader reader = {.json = json,
                                .diagnostics = diagnostics,
                                .builder =
                                    tac_model_builder_new(text_of(json->root, "name"), json->name)};
    size_t i;
    json_t *model;
    tac_build_setup(reader.builder, text_of(json->root, "setup"));
    json_array_foreach(json_object_get(json->root, "models"), i, model)
    {
        read_model(&reader, model, i);
    }
    tac_names_free(&reader.devices);
    tac_names_free(&reader.applications);
    tac_names_free(&reader.activities);
    tac_str_free(&reader.key);
    if (!reader.problems)
        return tac_model_builder_finish(reader.builder, diagnostics, out, err);
    tac_model_builder_free(reader.builder);
    return tac_diagnostics_fail(diagnostics, err);
}
