/* DroidBot's output folder: events/event_TAG.json, one file per input that it sent.
 *
 * Each file holds {"tag","event":{"event_type",...},"start_state","stop_state","event_str"}; the
 * tag is the local time to the second. A trace state per file: `event` is the input in short form
 * ("touch:play_pause", "key:BACK"), `state` the screen it was sent to; a last state has the screen
 * it ended on. The folder's listing is kept in memory, its files are read one by one. */
#include "base/data/order.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "trace/read/format.h"
#include "trace/text/clock.h"
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

enum { FILES_MAX = 1000000, FILE_SIZE_MAX = 16 * 1024 * 1024 };

struct droidbot {
    char *folder;
    TAC_VEC(char *) files; /* names, sorted */
    size_t next;
    size_t event, state;
    char *last_state; /* stop_state of the last event, or NULL */
};

static bool is_event_file(const char *name)
{
    return !strncmp(name, "event_", 6) && tac_ends_with(name, ".json");
}

/* PATH/events where it exists, else PATH itself. */
static char *events_folder(const char *path)
{
    struct stat about;
    char *inner = tac_format("%s/events", path);
    if (!stat(inner, &about) && S_ISDIR(about.st_mode))
        return inner;
    free(inner);
    return tac_strdup(path);
}

static int sniff(const struct trace_probe *probe)
{
    char *folder = events_folder(probe->path);
    DIR *directory = opendir(folder);
    int score = 0;
    struct dirent *entry;
    while (directory && !score && (entry = readdir(directory)))
        score = is_event_file(entry->d_name) ? 2 : 0;
    if (directory)
        closedir(directory);
    free(folder);
    return score;
}

static tac_status list_files(struct droidbot *droidbot, tac_trace_source *source, tac_error *err)
{
    DIR *directory = opendir(droidbot->folder);
    if (!directory)
        return tac_fail_errno(err, errno, droidbot->folder, "cannot open the folder");
    struct dirent *entry;
    while ((entry = readdir(directory)) && droidbot->files.count < FILES_MAX)
        if (is_event_file(entry->d_name))
            tac_vec_push(&droidbot->files, tac_strdup(entry->d_name));
    closedir(directory);
    if (!droidbot->files.count)
        return source_fail(source, err, TAC_E_INPUT, 0, 0,
                           "no event_*.json in this folder or in its events/: is this the output "
                           "folder of DroidBot?");
    qsort(droidbot->files.at, droidbot->files.count, sizeof *droidbot->files.at, tac_order_text);
    return TAC_OK;
}

/* 2016-08-21_142310 */
static bool tag_time(const char *tag, int64_t *time)
{
    char date[32];
    if (strlen(tag) != 17 || tag[10] != '_')
        return false;
    snprintf(date, sizeof date, "%.10s %.2s:%.2s:%.2s", tag, tag + 11, tag + 13, tag + 15);
    const char *end = clock_scan_date(date, time);
    return end && !*end;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text && *text ? text : NULL;
}

/* What the input was aimed at: the view's id, text or class. */
static const char *target_of(const json_t *event)
{
    static const char *const keys[] = {"text", "content_description", "class"};
    const json_t *view = json_object_get(event, "view");
    const char *target = text_of(event, "name");
    if (!target && (target = text_of(view, "resource_id"))) {
        const char *slash = strrchr(target, '/');
        return slash ? slash + 1 : target;
    }
    for (size_t i = 0; !target && i < 3; i++)
        target = text_of(view, keys[i]);
    if (!target)
        target = text_of(event, "direction");
    return target;
}

static char *short_event(const json_t *event)
{
    const char *type = text_of(event, "event_type"), *target = target_of(event);
    if (!type)
        return NULL;
    return target ? tac_format("%s:%s", type, target) : tac_strdup(type);
}

static tac_status set_text(tac_trace_source *source, size_t variable, const char *text,
                           tac_error *err)
{
    uint32_t symbol;
    if (!text)
        return TAC_OK;
    tac_status status = source_symbol_slow(source, text, strlen(text), &symbol, err);
    if (!status)
        source_set_symbol(source, variable, symbol);
    return status;
}

static tac_status commit(tac_trace_source *source, const char *file, int64_t time, tac_error *err)
{
    if (source_commit(source, time))
        return TAC_OK;
    tac_status status = source_commit_error(source, time, 0, 0, err);
    snprintf(err->file, sizeof err->file, "%s", file);
    return status;
}

static tac_status read_event(struct droidbot *droidbot, tac_trace_source *source,
                             const tac_json *json, tac_error *err)
{
    const char *tag = text_of(json->root, "tag");
    const json_t *event = json_object_get(json->root, "event");
    int64_t time;
    if (!tag || !tag_time(tag, &time))
        return tac_json_fail(json, "/tag", err, "the tag is not a time such as 2016-08-21_142310");
    char *name = short_event(event);
    if (!name)
        return tac_json_fail(json, "/event", err, "the event has no event_type");
    source_begin(source);
    tac_status status = set_text(source, droidbot->event, name, err);
    free(name);
    if (!status)
        status = set_text(source, droidbot->state, text_of(json->root, "start_state"), err);
    if (!status)
        status = commit(source, json->name, time, err);
    if (!status) {
        const char *after = text_of(json->root, "stop_state");
        free(droidbot->last_state);
        droidbot->last_state = after ? tac_strdup(after) : NULL;
    }
    return status;
}

static tac_status read_file(struct droidbot *droidbot, tac_trace_source *source, const char *name,
                            tac_error *err)
{
    char *path = tac_format("%s/%s", droidbot->folder, name);
    tac_json json;
    tac_status status = tac_json_load(path, FILE_SIZE_MAX, &json, err);
    if (!status) {
        status = read_event(droidbot, source, &json, err);
        tac_json_free(&json);
    }
    free(path);
    return status;
}

static tac_status fill(tac_trace_source *source, tac_error *err)
{
    struct droidbot *droidbot = source->reader;
    while (source->count < TAC_TRACE_BLOCK_STATES && droidbot->next < droidbot->files.count) {
        tac_error problem = {0};
        tac_status status =
            read_file(droidbot, source, droidbot->files.at[droidbot->next++], &problem);
        if (status && (status = source_skip_or_fail(source, &problem, err)))
            return status;
    }
    if (source->count == TAC_TRACE_BLOCK_STATES)
        return TAC_OK;
    source->ended = true;
    if (!droidbot->last_state)
        return TAC_OK;
    source_begin(source);
    tac_status status = set_text(source, droidbot->state, droidbot->last_state, err);
    return status ? status : commit(source, source->name, source->last_time, err);
}

static tac_status open_droidbot(tac_trace_source *source, tac_error *err)
{
    struct droidbot *droidbot = source->reader = tac_calloc(1, sizeof *droidbot);
    droidbot->folder = events_folder(source->path);
    tac_status status = list_files(droidbot, source, err);
    if (!status)
        status = source_want_variable(source, "event", TAC_DISCRETE, "", &droidbot->event, err);
    if (!status)
        status = source_want_variable(source, "state", TAC_DISCRETE, "", &droidbot->state, err);
    return status;
}

static void close_droidbot(tac_trace_source *source)
{
    struct droidbot *droidbot = source->reader;
    if (!droidbot)
        return;
    for (size_t i = 0; i < droidbot->files.count; i++)
        free(droidbot->files.at[i]);
    tac_vec_free(&droidbot->files);
    free(droidbot->folder);
    free(droidbot->last_state);
    free(droidbot);
}

const struct trace_format trace_format_droidbot = {
    .id = TRACE_DROIDBOT,
    .endings = "",
    .is_folder = true,
    .sniff = sniff,
    .open = open_droidbot,
    .fill = fill,
    .close = close_droidbot,
};
