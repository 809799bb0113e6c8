/* The folder of a campaign: its plan, its inputs, what is left to do.
 *
 * The plan says everything that decides what run number N is. A folder continues only the campaign
 * whose plan it holds; input files are compared by content, so that an edited model is noticed. */
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "run/campaign.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t largest_input = (size_t)1 << 30;

char *campaign_path(const struct run_campaign *campaign, const char *kind, int64_t id,
                    const char *extension)
{
    return tac_format("%s/%s/%06" PRId64 ".%s", campaign->options->folder, kind, id, extension);
}

/* Copies an input into the folder and adds the hash of its content to the plan. */
static tac_status adopt(const struct run_campaign *campaign, const char *path, const char *name,
                        json_t *plan, tac_error *err)
{
    if (!path)
        return TAC_OK;
    char *data;
    size_t size;
    tac_status status = tac_input_slurp(path, largest_input, &data, &size, err);
    if (status != TAC_OK)
        return status;
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, tac_hash_bytes(data, size, 0));
    json_object_set_new(plan, name, json_string(hash));
    char *copy = tac_format("%s/%s", campaign->options->folder, name);
    struct stat about;
    if (stat(copy, &about))
        status = tac_output_write_file(copy, data, size, err);
    free(copy);
    free(data);
    return status;
}

/* What the devices are, as far as it decides what a run is: the app of a built-in phone, but not
 * which of many phones. So a campaign can go on with other phones. */
static char *kinds_of_devices(const struct run_campaign *campaign)
{
    tac_str text = {0};
    tac_names seen = {0};
    size_t parties = campaign->party_names.count;
    for (size_t i = 0; i < campaign->uris.count; i++) {
        const char *uri = campaign->uris.at[i];
        char *kind = tac_format("%s%s%s", parties > 1 ? campaign->party_names.text[i] : "",
                                parties > 1 ? "=" : "", strncmp(uri, "adb:", 4) ? uri : "adb");
        if (tac_names_find(&seen, kind) == TAC_NONE)
            tac_str_addf(&text, "%s%s", text.length ? ", " : "", kind);
        tac_names_intern(&seen, kind);
        free(kind);
    }
    tac_names_free(&seen);
    return tac_str_take(&text);
}

static tac_status make_plan(const struct run_campaign *campaign, json_t **out, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    json_t *plan = json_object(), *scenarios = json_array();
    char *devices = kinds_of_devices(campaign);
    json_object_set_new(plan, "device", tac_json_string(devices));
    free(devices);
    json_object_set_new(plan, "runs", json_integer((json_int_t)campaign->run_count));
    json_object_set_new(plan, "repeat", json_integer(options->repeat ? options->repeat : 1));
    json_object_set_new(plan, "monkey", json_integer(options->monkey));
    json_object_set_new(plan, "steps", json_integer(options->monkey_steps));
    json_object_set_new(plan, "seed", json_integer((json_int_t)options->seed));
    for (size_t i = 0; i < options->scenario_count; i++)
        json_array_append_new(scenarios, json_string(options->scenarios[i]));
    json_object_set_new(plan, "scenarios", scenarios);
    if (options->probe_count) {
        json_t *probes = json_array();
        for (size_t i = 0; i < options->probe_count; i++)
            json_array_append_new(probes, json_string(options->probes[i]));
        json_object_set_new(plan, "probes", probes);
    }
    tac_status status = adopt(campaign, options->model, "model.xml", plan, err);
    if (status == TAC_OK)
        status = adopt(campaign, options->flows, "flows.jsonl", plan, err);
    if (status == TAC_OK)
        status = adopt(campaign, options->properties, "properties.txt", plan, err);
    if (status == TAC_OK)
        *out = plan;
    else
        json_decref(plan);
    return status;
}

static tac_status check_plan(struct run_campaign *campaign, tac_error *err)
{
    char *known;
    json_t *plan;
    tac_status status = tac_store_get(campaign->store, "plan", &known, err);
    if (status != TAC_OK)
        return status;
    status = make_plan(campaign, &plan, err);
    if (status == TAC_OK) {
        char *text = json_dumps(plan, JSON_COMPACT | JSON_SORT_KEYS);
        if (known && strcmp(known, text))
            status = tac_fail_at(err, TAC_E_INPUT, campaign->options->folder, 0, 0,
                                 "holds another campaign (other flows, scenarios, seed, ...); "
                                 "choose another folder or remove this one");
        else if (!known)
            status = tac_store_set(campaign->store, "plan", text, err);
        free(text);
        json_decref(plan);
    }
    free(known);
    return status;
}

/* What the report tells about how the runs were obtained. */
static tac_status note_origin(struct run_campaign *campaign, tac_error *err)
{
    static const char *const inputs[] = {"model.xml", "flows.jsonl", "properties.txt"};
    static const char *const kinds[] = {"model", "flows", "properties"};
    const char *given[] = {campaign->options->model, campaign->options->flows,
                           campaign->options->properties};
    char *command = campaign_command(campaign->options);
    json_t *text = tac_json_string(command);
    tac_status status = tac_store_put_document(campaign->store, "command", "run", text, err);
    json_decref(text);
    free(command);
    for (size_t i = 0; i < 3 && status == TAC_OK; i++) {
        if (!given[i])
            continue;
        json_t *origin = json_pack("{s:o}", "from", tac_json_string(given[i]));
        status = tac_store_put_document(campaign->store, kinds[i], inputs[i], origin, err);
        json_decref(origin);
    }
    return status == TAC_OK
               ? tac_store_set(campaign->store, "version", "tactus " TACTUS_VERSION, err)
               : status;
}

static bool mark_done(void *context, const tac_store_run *run)
{
    bool *done = context;
    done[run->id] = true;
    return true;
}

static tac_status find_work(struct run_campaign *campaign, tac_error *err)
{
    bool *done = tac_calloc(campaign->run_count, sizeof *done);
    tac_status status = tac_store_each_run(campaign->store, mark_done, done, err);
    for (size_t id = 0; id < campaign->run_count && status == TAC_OK; id++)
        if (!done[id])
            tac_vec_push(&campaign->to_do, (int64_t)id);
    free(done);
    return status;
}

static tac_status make_subfolder(const struct run_campaign *campaign, const char *name,
                                 tac_error *err)
{
    char *path = tac_format("%s/%s", campaign->options->folder, name);
    tac_status status = TAC_OK;
    if (mkdir(path, 0777) && errno != EEXIST)
        status = tac_fail_errno(err, errno, path, "cannot create the folder");
    free(path);
    return status;
}

/* A kill in the middle of writing leaves temporary files (NAME.XXXXXX) behind. */
static void sweep(const struct run_campaign *campaign, const char *name)
{
    char *folder = tac_format("%s/%s", campaign->options->folder, name);
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (entry->d_name[0] == '.' || tac_ends_with(entry->d_name, ".jsonl") ||
            tac_ends_with(entry->d_name, ".xml") || tac_ends_with(entry->d_name, ".png"))
            continue;
        char *path = tac_format("%s/%s", folder, entry->d_name);
        unlink(path);
        free(path);
    }
    if (entries)
        closedir(entries);
    free(folder);
}

tac_status campaign_open_folder(struct run_campaign *campaign, tac_error *err)
{
    tac_status status = tac_store_open(campaign->options->folder, true, &campaign->store, err);
    if (status == TAC_OK)
        status = make_subfolder(campaign, "traces", err);
    if (status == TAC_OK)
        status = make_subfolder(campaign, "failures", err);
    if (status == TAC_OK)
        status = check_plan(campaign, err);
    if (status == TAC_OK)
        status = note_origin(campaign, err);
    if (status == TAC_OK) {
        sweep(campaign, "traces");
        sweep(campaign, "failures");
        status = find_work(campaign, err);
    }
    return status;
}
