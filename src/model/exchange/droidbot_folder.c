/* Reads the folder of a DroidBot run; see droidbot_folder.h. Every file is parsed once and only
 * what the model needs is kept. Caps: files of a folder, bytes of a file, views of a screen. */
#include "model/exchange/droidbot_folder.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/order.h"
#include "base/io/json.h"
#include <dirent.h>
#include <errno.h>
#include <string.h>

#define MOST_FILES 200000
#define MOST_BYTES ((size_t)64 << 20)
#define MOST_VIEWS 100000

typedef TAC_VEC(char *) path_list;

/* Texts that XML cannot hold are as good as absent: no file of ours could name them. */
static bool is_xml_text(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' && *text != '\t' && *text != '\n' && *text != '\r')
            return false;
    return true;
}

static const char *keep_text(struct droidbot_folder *folder, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    if (!text || !*text || strlen(text) != json_string_length(value) || !is_xml_text(text))
        return NULL;
    return tac_arena_strdup(&folder->arena, text);
}

/* [[left, top], [right, bottom]] */
static void read_bounds(const json_t *view, int *out)
{
    const json_t *bounds = json_object_get(view, "bounds");
    for (size_t i = 0; i < 4; i++) {
        json_int_t value = json_integer_value(json_array_get(json_array_get(bounds, i / 2), i % 2));
        out[i] = value > -1000000 && value < 1000000 ? (int)value : 0;
    }
}

static struct droidbot_view read_view(struct droidbot_folder *folder, const json_t *view)
{
    struct droidbot_view out = {.hash = keep_text(folder, view, "view_str"),
                                .class_name = keep_text(folder, view, "class"),
                                .resource_id = keep_text(folder, view, "resource_id"),
                                .text = keep_text(folder, view, "text"),
                                .description = keep_text(folder, view, "content_description"),
                                .editable = json_is_true(json_object_get(view, "editable"))};
    read_bounds(view, out.bounds);
    for (int axis = 0; axis < 2; axis++)
        if (out.bounds[2 + axis] > folder->extent[axis])
            folder->extent[axis] = out.bounds[2 + axis];
    return out;
}

static bool read_screen(struct droidbot_folder *folder, const json_t *root)
{
    const char *state = json_string_value(json_object_get(root, "state_str"));
    const json_t *views = json_object_get(root, "views");
    size_t count = json_array_size(views);
    if (!state || !*state || !json_is_array(views) || count > MOST_VIEWS)
        return false;
    size_t known = folder->states.count;
    uint32_t id = tac_names_intern(&folder->states, state);
    if (id == known)
        tac_vec_push(&folder->screens, (struct droidbot_screen){0});
    if (folder->screens.at[id].view_count)
        return true; /* the first recording of a state is the one that DroidBot names */
    folder->screens.at[id] = (struct droidbot_screen){
        (uint32_t)folder->views.count, (uint32_t)count,
        keep_text(folder, root, "foreground_activity"), keep_text(folder, root, "tag")};
    for (size_t i = 0; i < count; i++)
        tac_vec_push(&folder->views, read_view(folder, json_array_get(views, i)));
    return true;
}

static uint32_t state_id(struct droidbot_folder *folder, const json_t *root, const char *key)
{
    const char *state = json_string_value(json_object_get(root, key));
    if (!state || !*state)
        return TAC_NONE;
    size_t known = folder->states.count;
    uint32_t id = tac_names_intern(&folder->states, state);
    if (id == known)
        tac_vec_push(&folder->screens, (struct droidbot_screen){0});
    return id;
}

static void add_record(struct droidbot_folder *folder, const char *event_str,
                       const struct droidbot_record *record)
{
    uint32_t index = (uint32_t)folder->records.count;
    uint32_t id = tac_names_intern(&folder->events, event_str);
    tac_vec_push(&folder->records, *record);
    if (id == folder->first_record.count) {
        tac_vec_push(&folder->first_record, index);
        tac_vec_push(&folder->last_record, index);
        return;
    }
    folder->records.at[folder->last_record.at[id]].next = index;
    folder->last_record.at[id] = index;
}

static bool read_record(struct droidbot_folder *folder, const json_t *root)
{
    const char *event_str = json_string_value(json_object_get(root, "event_str"));
    const json_t *event = json_object_get(root, "event");
    if (!event_str || !*event_str || !json_is_object(event))
        return false;
    const json_t *view = json_object_get(event, "view");
    struct droidbot_record record = {.start = state_id(folder, root, "start_state"),
                                     .stop = state_id(folder, root, "stop_state"),
                                     .next = TAC_NONE,
                                     .event_str = tac_arena_strdup(&folder->arena, event_str),
                                     .type = keep_text(folder, event, "event_type"),
                                     .tag = keep_text(folder, root, "tag"),
                                     .on_view = json_is_object(view),
                                     .direction = keep_text(folder, event, "direction"),
                                     .value = keep_text(folder, event, "text"),
                                     .key = keep_text(folder, event, "name"),
                                     .intent = keep_text(folder, event, "intent")};
    if (record.on_view) {
        json_int_t number = json_integer_value(json_object_get(view, "temp_id"));
        record.view = read_view(folder, view);
        record.number = number >= 0 && number < MOST_VIEWS ? (uint32_t)number : TAC_NONE;
    }
    add_record(folder, event_str, &record);
    return true;
}

/* The .json files of a folder by name, which is by time. */
static tac_status list_files(const char *path, path_list *out, tac_error *err)
{
    DIR *folder = opendir(path);
    if (!folder)
        return errno == ENOENT || errno == ENOTDIR
                   ? TAC_OK
                   : tac_fail_errno(err, errno, path, "cannot read the folder");
    for (const struct dirent *entry; (entry = readdir(folder)) && out->count < MOST_FILES;) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && entry->d_name[0] != '.' && !strcmp(entry->d_name + length - 5, ".json"))
            tac_vec_push(out, tac_format("%s/%s", path, entry->d_name));
    }
    closedir(folder);
    if (out->count)
        qsort(out->at, out->count, sizeof *out->at, tac_order_text);
    return TAC_OK;
}

static void complain(struct droidbot_folder *folder, tac_diagnostics *diagnostics, const char *path,
                     const char *what)
{
    if (folder->unreadable++ < 5)
        tac_diagnostics_add(diagnostics, TAC_WARNING, path, 0, 0, "left out: %s", what);
}

static tac_status read_files(const char *base, const char *sub, tac_diagnostics *diagnostics,
                             bool (*read)(struct droidbot_folder *folder, const json_t *root),
                             struct droidbot_folder *folder, tac_error *err)
{
    path_list files = {0};
    char *path = tac_format("%s%s", base, sub);
    tac_status status = list_files(path, &files, err);
    for (size_t i = 0; i < files.count && status == TAC_OK; i++) {
        tac_json json;
        tac_error found = {0};
        tac_status loaded = tac_json_load(files.at[i], MOST_BYTES, &json, &found);
        if (loaded != TAC_OK) {
            complain(folder, diagnostics, files.at[i], found.message);
            continue;
        }
        if (!read(folder, json.root))
            complain(folder, diagnostics, files.at[i], "not what DroidBot writes there");
        folder->present = true;
        tac_json_free(&json);
    }
    for (size_t i = 0; i < files.count; i++)
        free(files.at[i]);
    tac_vec_free(&files);
    free(path);
    return status;
}

tac_status droidbot_folder_read(const char *utg_path, tac_diagnostics *diagnostics,
                                struct droidbot_folder *out, tac_error *err)
{
    *out = (struct droidbot_folder){0};
    if (!strcmp(utg_path, "-"))
        return TAC_OK;
    const char *slash = strrchr(utg_path, '/');
    char *base = tac_strndup(utg_path, slash ? (size_t)(slash - utg_path) + 1 : 0);
    tac_status status = read_files(base, "states", diagnostics, read_screen, out, err);
    if (status == TAC_OK)
        status = read_files(base, "events", diagnostics, read_record, out, err);
    if (status == TAC_OK && out->unreadable > 5)
        tac_diagnostics_add(diagnostics, TAC_WARNING, base, 0, 0,
                            "%zu files are left out because they cannot be read", out->unreadable);
    free(base);
    assert(out->screens.count == out->states.count);
    if (status != TAC_OK)
        droidbot_folder_free(out);
    return status;
}

/* {"id","state_str","package","activity","image","label"} */
static json_t *node_of(const struct droidbot_folder *folder, uint32_t state, bool first)
{
    const struct droidbot_screen *screen = &folder->screens.at[state];
    const char *activity = screen->activity ? screen->activity : "";
    char *image = screen->tag ? tac_format("states/screen_%s.png", screen->tag) : tac_strdup("");
    json_t *node =
        json_pack("{s:s,s:s,s:s%,s:s,s:s,s:s}", "id", folder->states.text[state], "state_str",
                  folder->states.text[state], "package", activity, strcspn(activity, "/"),
                  "activity", activity, "image", image, "label", first ? "<FIRST>" : "");
    free(image);
    return node;
}

char *droidbot_folder_graph(const struct droidbot_folder *folder)
{
    json_t *graph = json_object(), *nodes = json_array(), *edges = json_array();
    for (uint32_t s = 0; s < folder->states.count; s++)
        if (folder->screens.at[s].activity)
            json_array_append_new(
                nodes,
                node_of(folder, s, folder->records.count && folder->records.at[0].start == s));
    for (size_t r = 0; r < folder->records.count; r++) {
        const struct droidbot_record *record = &folder->records.at[r];
        if (record->start == TAC_NONE || record->stop == TAC_NONE || record->start == record->stop)
            continue; /* what changed nothing is not in a utg.js either */
        json_t *event = json_pack("{s:s,s:i,s:s}", "event_str", record->event_str, "event_id",
                                  (int)(r + 1), "event_type", record->type ? record->type : "");
        json_array_append_new(edges, json_pack("{s:s,s:s,s:[o]}", "from",
                                               folder->states.text[record->start], "to",
                                               folder->states.text[record->stop], "events", event));
    }
    json_object_set_new(graph, "nodes", nodes);
    json_object_set_new(graph, "edges", edges);
    char *text = json_array_size(nodes) ? tac_json_text(graph, JSON_COMPACT) : NULL;
    json_decref(graph);
    return text;
}

void droidbot_folder_free(struct droidbot_folder *folder)
{
    tac_names_free(&folder->states);
    tac_names_free(&folder->events);
    tac_vec_free(&folder->screens);
    tac_vec_free(&folder->views);
    tac_vec_free(&folder->first_record);
    tac_vec_free(&folder->last_record);
    tac_vec_free(&folder->records);
    tac_arena_free(&folder->arena);
}

const struct droidbot_view *droidbot_tree(const struct droidbot_folder *folder, const char *state,
                                          uint32_t *count)
{
    uint32_t id = tac_names_find(&folder->states, state);
    *count = id == TAC_NONE ? 0 : folder->screens.at[id].view_count;
    return *count ? &folder->views.at[folder->screens.at[id].first_view] : NULL;
}

uint32_t droidbot_find(const struct droidbot_folder *folder, const char *event_str,
                       const char *start, const char *stop, uint32_t record)
{
    uint32_t from = tac_names_find(&folder->states, start);
    uint32_t to = stop ? tac_names_find(&folder->states, stop) : TAC_NONE;
    uint32_t event = tac_names_find(&folder->events, event_str);
    if (event == TAC_NONE || from == TAC_NONE || (stop && to == TAC_NONE))
        return TAC_NONE;
    record = record == TAC_NONE ? folder->first_record.at[event] : folder->records.at[record].next;
    while (record != TAC_NONE && (folder->records.at[record].start != from ||
                                  (stop && folder->records.at[record].stop != to)))
        record = folder->records.at[record].next;
    return record;
}
