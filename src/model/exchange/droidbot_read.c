/* DroidBot's UI transition graph (utg.js: "var utg =" and a JSON object).
 *
 * Every node is a screen and becomes a state; every event of an edge becomes a transition, and the
 * number of times it was recorded its weight. The graph is flat (any screen may follow any other,
 * also those of other apps, such as the launcher it starts from), so it becomes one state machine
 * in the app's main activity. State names are the screen's activity and the first digits of
 * DroidBot's own hash, so that two runs on the same app agree. One control and gesture has one
 * event name in every state; different controls never share one. */
#include "base/data/map.h"
#include "base/data/vec.h"
#include "model/exchange/droidbot_event.h"
#include "model/exchange/import.h"
#include "model/exchange/walker_graph.h"

struct droidbot_reader {
    const tac_json *json;
    tac_diagnostics *diagnostics;
    tac_model_builder *builder;
    tac_arena arena;
    uint32_t machine;
    tac_names ids; /* node ids; in step with state_names */
    TAC_VEC(char *) state_names;
    tac_names taken_states;
    tac_names event_keys; /* in step with event_names */
    TAC_VEC(char *) event_names;
    tac_names taken_events;
    size_t edges_without_events, edges_to_nowhere, events;
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool take(tac_names *taken, const char *name)
{
    size_t before = taken->count;
    tac_names_intern(taken, name);
    return taken->count > before;
}

/* After the last '.' or '/': "com.example/.ui.MainActivity" is MainActivity. */
static const char *short_name(const char *text)
{
    const char *dot = strrchr(text, '.'), *slash = strrchr(text, '/');
    const char *cut = dot > slash ? dot : slash;
    return cut && cut[1] ? cut + 1 : text;
}

static char *name_state(struct droidbot_reader *reader, const json_t *node)
{
    const char *activity = short_name(text_of(node, "activity"));
    const char *hash = text_of(node, "state_str");
    if (!*hash)
        hash = text_of(node, "id");
    char *base = tac_import_clean_name(&reader->arena, activity, "screen");
    for (size_t digits = 6; digits < strlen(hash) + 6; digits += 6) {
        char *name = tac_arena_format(&reader->arena, "%s_%.*s", base, (int)digits, hash);
        name = tac_import_clean_name(&reader->arena, name, "screen");
        if (take(&reader->taken_states, name))
            return name;
    }
    for (unsigned n = 2;; n++) {
        char *name = tac_arena_format(&reader->arena, "%s_no%u", base, n);
        if (take(&reader->taken_states, name))
            return name;
    }
}

/* The start is the screen that DroidBot labelled <FIRST>, else the first one. */
static tac_status read_nodes(struct droidbot_reader *reader, tac_error *err)
{
    const json_t *nodes = json_object_get(reader->json->root, "nodes");
    if (!json_is_array(nodes) || !json_array_size(nodes))
        return tac_json_fail(reader->json, "/nodes", err,
                             "not a DroidBot graph: expected a non-empty array \"nodes\"");
    const char *initial = NULL;
    bool found_first = false;
    size_t i;
    json_t *node;
    json_array_foreach(nodes, i, node)
    {
        char pointer[64];
        const char *id = text_of(node, "id");
        snprintf(pointer, sizeof pointer, "/nodes/%zu", i);
        if (!*id)
            return tac_json_fail(reader->json, pointer, err, "a node has no \"id\"");
        if (!take(&reader->ids, id))
            return tac_json_fail(reader->json, pointer, err, "two nodes have the id \"%s\"", id);
        char *name = name_state(reader, node);
        tac_vec_push(&reader->state_names, name);
        tac_build_node(reader->builder, reader->machine, TAC_NODE_STATE, name, 0);
        bool first = strstr(text_of(node, "label"), "<FIRST>") != NULL;
        if (!initial || (first && !found_first))
            initial = name;
        found_first = found_first || first;
    }
    tac_build_initial(reader->builder, reader->machine, initial, 0);
    return TAC_OK;
}

/* The name of an event by its key; new controls get a name of their own. */
static const char *name_event(struct droidbot_reader *reader, const struct droidbot_event *event)
{
    uint32_t id = tac_names_intern(&reader->event_keys, event->key);
    if (id < reader->event_names.count)
        return reader->event_names.at[id];
    char *base = tac_import_clean_name(&reader->arena, event->name, "event"), *name = base;
    for (unsigned n = 2; !take(&reader->taken_events, name); n++)
        name = tac_arena_format(&reader->arena, "%s_%u", base, n);
    tac_vec_push(&reader->event_names, name);
    return name;
}

static void add_transition(struct droidbot_reader *reader, const struct droidbot_event *event,
                           const char *from, const char *to, double times)
{
    uint32_t transition =
        tac_build_transition(reader->builder, reader->machine, from, name_event(reader, event), to,
                             TAC_EVENT_USER, -1, times, NULL, NULL, 0);
    tac_build_action(reader->builder, transition, event->action, event->xpath, NULL, NULL,
                     event->value);
}

/* Equal events of one edge are one transition that was seen several times. */
static void read_events(struct droidbot_reader *reader, const json_t *events, const char *from,
                        const char *to)
{
    tac_names keys = {0};
    TAC_VEC(struct droidbot_event) read = {0};
    TAC_VEC(double) times = {0};
    size_t i;
    json_t *event;
    json_array_foreach(events, i, event)
    {
        struct droidbot_event one;
        tac_droidbot_event_parse(&reader->arena, text_of(event, "event_type"),
                                 text_of(event, "event_str"), &one);
        uint32_t id = tac_names_intern(&keys, one.key);
        if (id == read.count) {
            tac_vec_push(&read, one);
            tac_vec_push(&times, 0.0);
        }
        times.at[id]++;
        reader->events++;
    }
    for (size_t k = 0; k < read.count; k++)
        add_transition(reader, &read.at[k], from, to, times.at[k]);
    tac_names_free(&keys);
    tac_vec_free(&read);
    tac_vec_free(&times);
}

static tac_status read_edges(struct droidbot_reader *reader, tac_error *err)
{
    const json_t *edges = json_object_get(reader->json->root, "edges");
    if (!json_is_array(edges))
        return tac_json_fail(reader->json, "", err,
                             "not a DroidBot graph: expected an array \"edges\"");
    size_t i;
    json_t *edge;
    json_array_foreach(edges, i, edge)
    {
        uint32_t from = tac_names_find(&reader->ids, text_of(edge, "from"));
        uint32_t to = tac_names_find(&reader->ids, text_of(edge, "to"));
        const json_t *events = json_object_get(edge, "events");
        if (from == TAC_NONE || to == TAC_NONE)
            reader->edges_to_nowhere++;
        else if (!json_array_size(events))
            reader->edges_without_events++;
        else
            read_events(reader, events, reader->state_names.at[from], reader->state_names.at[to]);
    }
    return TAC_OK;
}

static void warn(struct droidbot_reader *reader, size_t count, const char *what)
{
    if (count)
        tac_diagnostics_add(reader->diagnostics, TAC_WARNING, reader->json->name, 0, 0,
                            "%zu edge%s %s", count, count == 1 ? "" : "s", what);
}

static void warn_about_edges(struct droidbot_reader *reader)
{
    warn(reader, reader->edges_without_events,
         "without an event left out: the screen changed, but DroidBot recorded no cause");
    warn(reader, reader->edges_to_nowhere, "left out: from or to a node that the file lacks");
    if (!reader->events)
        tac_diagnostics_add(reader->diagnostics, TAC_WARNING, reader->json->name, 0, 0,
                            "no edge has an event: the model has screens but nothing to do");
}

static void open_machine(struct droidbot_reader *reader, const char *path)
{
    const json_t *root = reader->json->root;
    char *stem = tac_import_file_stem(&reader->arena, path);
    const char *package = text_of(root, "app_package");
    char *application = tac_import_clean_name(&reader->arena, package, stem);
    char *activity = tac_import_clean_name(
        &reader->arena, short_name(text_of(root, "app_main_activity")), "MainActivity");
    reader->builder = tac_model_builder_new(stem, reader->json->name);
    uint32_t device =
        tac_build_device(reader->builder, "device", text_of(root, "device_serial"), 0);
    uint32_t app =
        tac_build_application(reader->builder, device, application, stem, package, true, 0);
    uint32_t view = tac_build_activity(reader->builder, app, activity, true, 0);
    reader->machine = tac_build_machine(reader->builder, view, activity, true, 0);
}

tac_status tac_import_droidbot(const char *path, const tac_json *json, tac_diagnostics *diagnostics,
                               tac_model **out, tac_error *err)
{
    struct droidbot_reader reader = {.json = json, .diagnostics = diagnostics};
    open_machine(&reader, path);
    tac_status status = read_nodes(&reader, err);
    if (status == TAC_OK)
        status = read_edges(&reader, err);
    if (status == TAC_OK) {
        warn_about_edges(&reader);
        status = tac_model_builder_finish(reader.builder, diagnostics, out, err);
    } else {
        tac_model_builder_free(reader.builder);
    }
    tac_names_free(&reader.ids);
    tac_names_free(&reader.taken_states);
    tac_names_free(&reader.event_keys);
    tac_names_free(&reader.taken_events);
    tac_vec_free(&reader.state_names);
    tac_vec_free(&reader.event_names);
    tac_arena_free(&reader.arena);
    return status;
}
