/* The folder of a campaign: its plan, its inputs, what is left to do.
 *
 * The plan says everything that decides what run number N is. A folder continues only the campaign
 * whose plan it holds; input files are compared by content, so that an edited model is noticed.
 * Only while nothing was measured in it yet, as after a mistake that the first run found, it takes
 * another plan. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "run/campaign/remote.h"
#include "run/kept/kept.h"
#include "store/list.h"
#include "tactus/version.h"
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

/* Copies an input into the folder. Its content is that of the plan, so a copy that belongs to runs
 * is left alone; before there are any, a copy may be of another attempt. */
static tac_status adopt(const struct run_campaign *campaign, const char *path, const char *name,
                        bool planned, tac_error *err)
{
    char *copy = tac_format("%s/%s", campaign->options->folder, name), *data = NULL;
    size_t size;
    struct stat about;
    tac_status status = TAC_OK;
    if (path && (!planned || stat(copy, &about))) {
        status = tac_input_slurp(path, largest_input, &data, &size, err);
        if (status == TAC_OK)
            status = tac_output_write_file(copy, data, size, err);
    }
    free(data);
    free(copy);
    return status;
}

/* Pictures that the model's states name. A model that cannot be read is told elsewhere. */
static void adopt_pictures(const struct run_campaign *campaign)
{
    const tac_run_options *options = campaign->options;
    tac_model *model = NULL;
    tac_diagnostics findings = {0};
    tac_error ignored;
    if (!campaign->model)
        tac_model_load(options->model, &findings, &model, &ignored);
    const tac_model *known = campaign->model ? campaign->model : model;
    if (known)
        keep_model_pictures(options->folder, options->model, known);
    tac_diagnostics_free(&findings);
    tac_model_free(model);
}

static tac_status adopt_inputs(const struct run_campaign *campaign, bool planned, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    tac_status status = adopt(campaign, options->model, "model.xml", planned, err);
    if (status == TAC_OK)
        status = adopt(campaign, options->flows, "flows.jsonl", planned, err);
    if (status == TAC_OK)
        status = adopt(campaign, options->properties, "properties.txt", planned, err);
    if (status == TAC_OK && options->actions && !campaign->remote)
        status = make_subfolder(campaign, "inputs", err);
    if (status == TAC_OK && !campaign->remote)
        status = adopt(campaign, options->actions, CAMPAIGN_ACTIONS, planned, err);
    if (status == TAC_OK && options->model && !planned && !campaign->remote)
        adopt_pictures(campaign);
    return status;
}

static tac_status refuse_other(const struct run_campaign *campaign, const char *known,
                               const json_t *plan, tac_error *err)
{
    json_t *old = json_loads(known, 0, NULL);
    char *difference = campaign_plan_difference(old, plan);
    tac_status status = TAC_OK;
    if (*difference)
        status = tac_fail_at(err, TAC_E_INPUT, tac_store_folder(campaign->store), 0, 0,
                             "holds another campaign: %.700s; choose another %s or remove this one",
                             difference, campaign->remote ? "name" : "folder");
    free(difference);
    json_decref(old);
    return status;
}

/* Whether the folder has files of its own making there. */
static bool has_files(const struct run_campaign *campaign, const char *name)
{
    char *folder = tac_format("%s/%s", campaign->options->folder, name);
    DIR *entries = opendir(folder);
    bool found = false;
    for (struct dirent *entry; entries && !found && (entry = readdir(entries));)
        found = entry->d_name[0] != '.';
    if (entries)
        closedir(entries);
    free(folder);
    return found;
}

/* *measured: there is a run, or something that one left before its row was written. Workers of a
 * database may have begun with its plan, so that it counts as measured at once. */
static tac_status look_for_runs(const struct run_campaign *campaign, bool *measured, tac_error *err)
{
    static const char *const left[] = {"traces", "failures", "screens"};
    *measured = campaign->remote != NULL;
    if (campaign->remote)
        return TAC_OK;
    int64_t runs = 0;
    tac_status status = tac_store_count_runs(campaign->store, NULL, &runs, err);
    *measured = runs > 0;
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        *measured = *measured || has_files(campaign, left[i]);
    return status;
}

/* Nothing of the old plan may stay: what it copied into the folder, the new one copies too. */
static bool replaces(const char *known, const json_t *plan)
{
    static const char *const copied[] = {"model_file", "flow_file", "property_file", "action_file"};
    json_t *old = json_loads(known, 0, NULL);
    bool all = json_is_object(old);
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        all = all && (!json_object_get(old, copied[i]) || json_object_get(plan, copied[i]));
    json_decref(old);
    return all;
}

/* Runs whose plan is gone (set aside, or a copy that was cut) may be anybody's. */
static tac_status refuse_runs_without_plan(const struct run_campaign *campaign, tac_error *err)
{
    int64_t runs = 0;
    tac_status status = tac_store_count_runs(campaign->store, NULL, &runs, err);
    if (status == TAC_OK && runs)
        status = tac_fail_at(err, TAC_E_INPUT, tac_store_folder(campaign->store), 0, 0,
                             "holds runs, but no plan that says what they are of; choose another "
                             "place for this campaign");
    return status;
}

tac_status campaign_check_plan(struct run_campaign *campaign, tac_error *err)
{
    char *known = NULL;
    json_t *plan;
    bool measured = false;
    tac_status status = tac_store_get(campaign->store, "plan", &known, err);
    if (status == TAC_OK)
        status = known ? look_for_runs(campaign, &measured, err)
                       : refuse_runs_without_plan(campaign, err);
    if (status == TAC_OK)
        status = campaign_plan(campaign, &plan, err);
    if (status == TAC_OK) {
        char *text = tac_json_text(plan, JSON_COMPACT | JSON_SORT_KEYS);
        bool other = known && strcmp(known, text);
        if (other && (measured || !replaces(known, plan)))
            status = refuse_other(campaign, known, plan, err);
        if (status == TAC_OK)
            status = adopt_inputs(campaign, measured, err);
        if (status == TAC_OK && campaign->remote && !known)
            status = remote_put_inputs(campaign, err);
        if (status == TAC_OK && (!known || (other && !measured)))
            status = tac_store_set(campaign->store, "plan", text, err);
        free(text);
        json_decref(plan);
    }
    free(known);
    return status;
}

/* The devices for a person: each once, phones of a pool as they were given; the caller's. */
static char *devices_text(const struct run_campaign *campaign)
{
    tac_str text = {0};
    tac_names seen = {0};
    size_t members = campaign->device_names.count;
    for (size_t i = 0; i < campaign->uris.count; i++) {
        char *device = tac_format("%s%s%s", members > 1 ? campaign->device_names.text[i] : "",
                                  members > 1 ? "=" : "", campaign->uris.at[i]);
        if (tac_names_find(&seen, device) == TAC_NONE)
            tac_str_addf(&text, "%s%s", text.length ? ", " : "", device);
        tac_names_intern(&seen, device);
        free(device);
    }
    tac_names_free(&seen);
    return tac_str_take(&text);
}

/* What the report tells about how the runs were obtained. */
tac_status campaign_note_origin(struct run_campaign *campaign, tac_error *err)
{
    static const char *const inputs[] = {"model.xml", "flows.jsonl", "properties.txt"};
    static const char *const kinds[] = {"model", "flows", "properties"};
    const char *given[] = {campaign->options->model, campaign->options->flows,
                           campaign->options->properties};
    tac_run_options told = *campaign->options;
    told.folder = tac_store_folder(campaign->store);
    char *command = told.describe ? told.describe(&told) : NULL;
    tac_status status = TAC_OK;
    if (command) {
        json_t *text = tac_json_string(command);
        status = tac_store_put_document(campaign->store, "command", "run", text, err);
        json_decref(text);
    }
    free(command);
    for (size_t i = 0; i < 3 && status == TAC_OK; i++) {
        if (!given[i])
            continue;
        json_t *origin = json_pack("{s:o}", "from", tac_json_string(given[i]));
        status = tac_store_put_document(campaign->store, kinds[i], inputs[i], origin, err);
        json_decref(origin);
    }
    char *devices = devices_text(campaign);
    if (status == TAC_OK)
        status = tac_store_set(campaign->store, "devices", devices, err);
    if (status == TAC_OK)
        status = tac_store_set(campaign->store, "version", "tactus " TACTUS_VERSION, err);
    free(devices);
    return status;
}

/* The runs without a row, which are those between the rows. */
static tac_status find_work(struct run_campaign *campaign, tac_error *err)
{
    struct store_list rows = {0};
    tac_status status = store_list_runs(&rows, campaign->store, err);
    size_t next = 0;
    for (int64_t id = 0; id < (int64_t)campaign->run_count && status == TAC_OK; id++)
        if (next < rows.runs.count && rows.runs.at[next].id == id)
            next++;
        else
            tac_vec_push(&campaign->to_do, id);
    assert(status != TAC_OK || next == rows.runs.count); /* the store checked their numbers */
    store_list_free(&rows);
    return status;
}

tac_status campaign_make_subfolders(const struct run_campaign *campaign, tac_error *err)
{
    tac_status status = make_subfolder(campaign, "traces", err);
    return status == TAC_OK ? make_subfolder(campaign, "failures", err) : status;
}

/* A kill in the middle of writing may leave files behind that have not their name yet. */
static void sweep(const struct run_campaign *campaign, const char *name)
{
    char *folder = tac_format("%s/%s", campaign->options->folder, name);
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (strncmp(entry->d_name, ".tactus-", 8))
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
    tac_status status = tac_store_open_mode(
        campaign->options->folder,
        campaign->options->durable ? TAC_STORE_DURABLE : TAC_STORE_CREATE, &campaign->store, err);
    if (status == TAC_OK)
        status = campaign_make_subfolders(campaign, err);
    if (status == TAC_OK)
        status = campaign_check_plan(campaign, err);
    if (status == TAC_OK)
        status = campaign_note_origin(campaign, err);
    if (status == TAC_OK) {
        sweep(campaign, "traces");
        sweep(campaign, "failures");
        sweep(campaign, "screens");
        status = find_work(campaign, err);
    }
    return status;
}
