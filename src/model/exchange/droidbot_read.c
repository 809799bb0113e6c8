/* DroidBot's UI transition graph (utg.js: "var utg =" and a JSON object) and what lies beside it.
 *
 * Every screen of the app becomes a state; every event of an edge a transition, weighted by how
 * often it was recorded. The graph is flat (any screen may follow any other), so each activity
 * becomes a state machine and a step from one to another a jump (model.h). Screens of other
 * packages are not the app's: a step to one leaves the app, through a final state named after the
 * package. Where launching led to several screens, a state before the launch decides among them.
 *
 * State names are the screen's activity and the first digits of DroidBot's own hash, so that two
 * runs on the same app agree. One control and gesture has one event name in every state; different
 * controls never share one, also where DroidBot gives them one hash. */
#include "base/data/visible.h"
#include "model/exchange/droidbot_reader.h"
#include "model/exchange/import.h"
#include "model/exchange/walker_graph.h"

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

static char *name_state(struct droidbot_reader *reader, const char *activity, const char *hash)
{
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

/* The package that the model is about: what the file says, else the one with the most screens. */
static const char *find_package(struct droidbot_reader *reader, const json_t *nodes)
{
    const char *said = tac_json_get_text(reader->json->root, "app_package");
    tac_names packages = {0};
    TAC_VEC(size_t) uses = {0};
    size_t i;
    json_t *node;
    if (*said)
        return said;
    json_array_foreach(nodes, i, node)
    {
        const char *package = tac_json_get_text(node, "package");
        uint32_t id = *package ? tac_names_intern(&packages, package) : TAC_NONE;
        if (id != TAC_NONE && id == uses.count)
            tac_vec_push(&uses, (size_t)0);
        if (id != TAC_NONE)
            uses.at[id]++;
    }
    size_t most = 0;
    for (i = 0; i < uses.count; i++)
        most = uses.at[i] > uses.at[most] ? i : most;
    const char *found = packages.count ? tac_arena_strdup(&reader->arena, packages.text[most]) : "";
    tac_names_free(&packages);
    tac_vec_free(&uses);
    return found;
}

/* A machine for each activity, in the order of their screens. */
static uint32_t machine_for(struct droidbot_reader *reader, const char *activity)
{
    uint32_t id = tac_names_intern(&reader->activities, activity);
    if (id < reader->machines.count)
        return id;
    char *name = tac_import_clean_name(&reader->arena, activity, "MainActivity");
    uint32_t view = tac_build_activity(reader->builder, reader->application, name, true, 0);
    struct droidbot_machine machine = {
        .path = tac_arena_format(&reader->arena, "%s/%s/%s", reader->application_name, name, name),
        .index = tac_build_machine(reader->builder, view, name, false, 0)};
    tac_vec_push(&reader->machines, machine);
    return id;
}

/* DroidBot's name of the picture of a screen, relative to its folder, with slashes where a run
 * under Windows wrote backslashes; NULL when it has none or one that no file should have. */
static const char *image_of(struct droidbot_reader *reader, const json_t *node)
{
    const char *image = tac_json_get_text(node, "image");
    if (!*image || !tac_text_is_plain(image, strlen(image)))
        return NULL;
    char *path = tac_arena_strdup(&reader->arena, image);
    for (char *c = path; !strchr(image, '/') && *c; c++)
        *c = *c == '\\' ? '/' : *c;
    return path;
}

static void add_screen(struct droidbot_reader *reader, const json_t *node)
{
    const char *package = tac_json_get_text(node, "package"),
               *activity = short_name(tac_json_get_text(node, "activity"));
    const char *state = tac_json_get_text(node, "state_str");
    struct droidbot_node screen = {.state = *state ? state : tac_json_get_text(node, "id"),
                                   .package = package,
                                   .own = !*package || !*reader->package ||
                                          !strcmp(package, reader->package)};
    if (screen.own) {
        screen.machine = machine_for(reader, *activity ? activity : "MainActivity");
        screen.name = name_state(reader, activity, screen.state);
        uint32_t built = tac_build_node(reader->builder, reader->machines.at[screen.machine].index,
                                        TAC_NODE_STATE, screen.name, 0);
        tac_build_image(reader->builder, built, image_of(reader, node));
    } else {
        tac_names_intern(&reader->foreign, package);
        reader->foreign_screens++;
    }
    tac_vec_push(&reader->nodes, screen);
}

static tac_status read_nodes(struct droidbot_reader *reader, const json_t *nodes, tac_error *err)
{
    size_t i;
    json_t *node;
    json_array_foreach(nodes, i, node)
    {
        char pointer[64];
        const char *id = tac_json_get_text(node, "id");
        snprintf(pointer, sizeof pointer, "/nodes/%zu", i);
        if (!*id)
            return tac_json_fail(reader->json, pointer, err, "a node has no \"id\"");
        if (!take(&reader->ids, id))
            return tac_json_fail(reader->json, pointer, err, "two nodes have the id '%s'", id);
        if (reader->first == TAC_NONE && strstr(tac_json_get_text(node, "label"), "<FIRST>"))
            reader->first = (uint32_t)i;
        add_screen(reader, node);
    }
    if (!reader->machines.count)
        return tac_json_fail(reader->json, "/nodes", err,
                             "no screen belongs to the app's package '%s'", reader->package);
    return TAC_OK;
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
        uint32_t from = tac_names_find(&reader->ids, tac_json_get_text(edge, "from"));
        uint32_t to = tac_names_find(&reader->ids, tac_json_get_text(edge, "to"));
        const json_t *events = json_object_get(edge, "events");
        if (from == TAC_NONE || to == TAC_NONE)
            reader->edges_to_nowhere++;
        else if (!json_array_size(events))
            reader->edges_without_events++;
        else
            droidbot_read_events(reader, events, from, to);
    }
    return TAC_OK;
}

static void warn(struct droidbot_reader *reader, size_t count, const char *one, const char *many)
{
    if (count)
        tac_diagnostics_add(reader->diagnostics, TAC_WARNING, reader->json->name, 0, 0, "%zu %s",
                            count, count == 1 ? one : many);
}

static void warn_about_all(struct droidbot_reader *reader)
{
    warn(reader, reader->edges_without_events,
         "edge without an event is left out: the screen changed, but DroidBot recorded no cause",
         "edges without an event are left out: the screen changed, but DroidBot recorded no cause");
    warn(reader, reader->edges_to_nowhere,
         "edge is left out: it is from or to a node that the file lacks",
         "edges are left out: they are from or to nodes that the file lacks");
    warn(reader, reader->foreign_screens,
         "screen belongs to another package: a step to it leaves the app",
         "screens belong to other packages: a step to one leaves the app");
    warn(reader, reader->foreign_events, "event inside other packages is left out",
         "events inside other packages are left out");
    warn(reader, reader->separated,
         "event was recorded on a control that shares DroidBot's hash with another; each has its "
         "own transition",
         "events were recorded on controls that share DroidBot's hash with others; each has its "
         "own transition");
    warn(reader, reader->ambiguous,
         "event has no record, and several controls have its hash: the first is taken",
         "events have no record, and several controls have their hash: the first is taken");
    warn(reader, reader->without_tree, "control is not in the recorded tree of its screen",
         "controls are not in the recorded trees of their screens");
    warn(reader, reader->positional, "locator says which of several alike is meant, by its place",
         "locators say which of several alike is meant, by their place");
    warn(reader, reader->without_locator,
         "event has no locator: neither a record nor a text says which control it was on",
         "events have no locator: neither a record nor a text says which control they were on");
    if (!reader->events)
        tac_diagnostics_add(reader->diagnostics, TAC_WARNING, reader->json->name, 0, 0,
                            "no edge has an event: the model has screens but nothing to do");
}

static void open_model(struct droidbot_reader *reader, const char *path, const json_t *nodes)
{
    const json_t *root = reader->json->root;
    char *stem = tac_import_file_stem(&reader->arena, path);
    reader->package = find_package(reader, nodes);
    char *application = tac_import_clean_name(&reader->arena, reader->package, stem);
    reader->builder = tac_model_builder_new(application, reader->json->name);
    uint32_t device =
        tac_build_device(reader->builder, "device", tac_json_get_text(root, "device_serial"), 0);
    reader->application_name = application;
    reader->application = tac_build_application(reader->builder, device, application, application,
                                                reader->package, true, 0);
}

static void close_reader(struct droidbot_reader *reader)
{
    droidbot_folder_free(&reader->folder);
    tac_names_free(&reader->ids);
    tac_names_free(&reader->taken_states);
    tac_names_free(&reader->event_keys);
    tac_names_free(&reader->taken_events);
    tac_names_free(&reader->activities);
    tac_names_free(&reader->foreign);
    tac_names_free(&reader->connections);
    tac_vec_free(&reader->nodes);
    tac_vec_free(&reader->machines);
    tac_vec_free(&reader->event_names);
    tac_vec_free(&reader->steps);
    tac_arena_free(&reader->arena);
}

tac_status tac_import_droidbot(const char *path, const tac_json *json, tac_diagnostics *diagnostics,
                               tac_model **out, tac_error *err)
{
    struct droidbot_reader reader = {.json = json, .diagnostics = diagnostics, .first = TAC_NONE};
    const json_t *nodes = json_object_get(json->root, "nodes");
    if (!json_is_array(nodes) || !json_array_size(nodes))
        return tac_json_fail(json, "/nodes", err,
                             "not a DroidBot graph: expected a non-empty array \"nodes\"");
    tac_status status = droidbot_folder_read(path, diagnostics, &reader.folder, err);
    if (status != TAC_OK)
        return status;
    open_model(&reader, path, nodes);
    status = read_nodes(&reader, nodes, err);
    if (status == TAC_OK)
        status = read_edges(&reader, err);
    if (status == TAC_OK) {
        droidbot_build_steps(&reader);
        warn_about_all(&reader);
        status = tac_model_builder_finish(reader.builder, diagnostics, out, err);
    } else {
        tac_model_builder_free(reader.builder);
    }
    close_reader(&reader);
    return status;
}
