/* The plan: everything that decides what run number N is.
 *
 * A folder continues only the campaign whose plan it holds, so a plan names every option that
 * matters and every file by the SHA-256 of its content: model, flows, properties, the apps of
 * built-in phones, scenario files, WebDriver capabilities. What does not matter is not in it: how
 * many workers there are, which of several phones is used, where the files lie. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/text.h"
#include "base/data/visible.h"
#include "base/io/json.h"
#include "run/campaign/campaign.h"
#include "run/campaign/scenario_files.h"
#include <string.h>

enum { PLAN_VERSION = 2 };

/* --- files --- */

static tac_status add_file(json_t *plan, const char *key, const char *path, tac_error *err)
{
    char digest[TAC_DIGEST_TEXT];
    tac_status status = path ? campaign_digest(path, digest, err) : TAC_OK;
    if (path && status == TAC_OK)
        json_object_set_new(plan, key, json_string(digest));
    return status;
}

static const char *kind_of(const char *uri)
{
    static const struct {
        const char *scheme, *kind;
    } kinds[] = {{"sim:", "built-in phone"}, {"adb:", "adb"}, {"webdriver+", "webdriver"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strncmp(uri, kinds[i].scheme, strlen(kinds[i].scheme)))
            return kinds[i].kind;
    return uri;
}

/* What the devices are, as far as it decides what a run is: the app of a built-in phone, but not
 * which of many phones or endpoints. So a campaign can go on with other phones. */
static tac_status add_devices(const struct run_campaign *campaign, json_t *plan, tac_error *err)
{
    json_t *devices = json_array();
    tac_names seen = {0};
    size_t members = campaign->device_names.count;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < campaign->uris.count && status == TAC_OK; i++) {
        const char *uri = campaign->uris.at[i], *activity = strrchr(uri, '#');
        bool built_in = !strncmp(uri, "sim:", 4);
        json_t *device = json_object();
        if (members > 1)
            json_object_set_new(device, "name", tac_json_string(campaign->device_names.text[i]));
        json_object_set_new(device, "device", tac_json_string(kind_of(uri)));
        if (built_in) {
            char *app = tac_strndup(uri + 4, activity ? (size_t)(activity - uri - 4) : strlen(uri));
            status = add_file(device, "app", app, err);
            if (activity)
                json_object_set_new(device, "activity", tac_json_string(activity + 1));
            free(app);
        }
        char *text = tac_json_text(device, JSON_COMPACT);
        if (tac_names_find(&seen, text) == TAC_NONE)
            json_array_append(devices, device);
        tac_names_intern(&seen, text);
        free(text);
        json_decref(device);
    }
    tac_names_free(&seen);
    json_object_set_new(plan, "devices", devices);
    return status;
}

static tac_status add_scenario_files(const struct run_campaign *campaign, json_t *plan,
                                     tac_error *err)
{
    struct scenario_files files = {0};
    tac_status status = scenario_files_find(campaign, &files, err);
    if (status == TAC_OK && files.list.count) {
        json_t *digests = json_object();
        for (size_t i = 0; i < files.list.count; i++)
            json_object_set_new(digests, files.list.at[i].name,
                                json_string(files.list.at[i].digest));
        json_object_set_new(plan, "scenario_files", digests);
    }
    scenario_files_free(&files);
    return status;
}

/* --- options --- */

static json_t *texts(const char *const *list, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, tac_json_string(list[i]));
    return array;
}

const char *campaign_choice_name(tac_run_choice choice)
{
    static const char *const ways[] = {[TAC_CHOOSE_WEIGHTED] = "weighted",
                                       [TAC_CHOOSE_UNIFORM] = "uniform",
                                       [TAC_CHOOSE_NOVELTY] = "novelty"};
    TABLE_COVERS(ways, TAC_CHOOSE_NOVELTY);
    assert(choice <= TAC_CHOOSE_NOVELTY);
    return ways[choice];
}

static void add_options(const struct run_campaign *campaign, json_t *plan)
{
    const tac_run_options *options = campaign->options;
    json_object_set_new(plan, "version", json_integer(PLAN_VERSION));
    json_object_set_new(plan, "runs", json_integer((json_int_t)campaign->run_count));
    if (!options->monkey)
        json_object_set_new(plan, "flows", json_integer((json_int_t)campaign->flows.flows.count));
    json_object_set_new(plan, "repeat", json_integer(options->repeat ? options->repeat : 1));
    json_object_set_new(plan, "monkey", json_integer(options->monkey));
    if (options->monkey)
        json_object_set_new(plan, "steps", json_integer(options->monkey_steps));
    if (options->conform)
        json_object_set_new(plan, "conform", json_true());
    if (options->actions) {
        json_object_set_new(plan, "choose", json_string(campaign_choice_name(options->choose)));
        json_object_set_new(plan, "monkey_share", tac_json_number(options->monkey_share));
    }
    if (options->adaptive)
        json_object_set_new(plan, "goal", json_string(tac_adaptive_goal_name(options->goal)));
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)options->seed);
    json_object_set_new(plan, "seed", json_string(seed));
    json_object_set_new(plan, "sample", tac_json_number(options->sample > 0 ? options->sample : 1));
    json_object_set_new(plan, "think", tac_json_number(options->think > 0 ? options->think : 1));
    json_object_set_new(plan, "deadline", tac_json_number(campaign_deadline(options)));
    json_object_set_new(plan, "scenarios", texts(options->scenarios, options->scenario_count));
    json_object_set_new(plan, "patterns", texts(options->patterns, options->pattern_count));
    json_object_set_new(plan, "probes", texts(options->probes, options->probe_count));
    json_object_set_new(plan, "stop_on_violation", json_boolean(options->stop_on_violation));
    json_object_set_new(plan, "realtime", json_boolean(options->device_options.realtime));
    json_object_set_new(plan, "fast", json_boolean(options->device_options.fast));
    if (options->ignore_count)
        json_object_set_new(plan, "ignore", texts(options->ignore, options->ignore_count));
    if (options->device_options.stay_count)
        json_object_set_new(
            plan, "stay", texts(options->device_options.stay, options->device_options.stay_count));
    if (options->device_options.tolerate_errors)
        json_object_set_new(plan, "tolerate_errors", json_true());
    if (options->device_options.app)
        json_object_set_new(plan, "app", tac_json_string(options->device_options.app));
}

tac_status campaign_plan(const struct run_campaign *campaign, json_t **out, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    json_t *plan = json_object();
    add_options(campaign, plan);
    tac_status status = add_devices(campaign, plan, err);
    if (status == TAC_OK)
        status = add_scenario_files(campaign, plan, err);
    if (status == TAC_OK)
        status = add_file(plan, "model_file", options->model, err);
    if (status == TAC_OK)
        status = add_file(plan, "requirement_file", options->requirement, err);
    if (status == TAC_OK)
        status = add_file(plan, "flow_file", options->flows, err);
    if (status == TAC_OK)
        status = add_file(plan, "property_file", options->properties, err);
    if (status == TAC_OK)
        status = add_file(plan, "action_file", options->actions, err);
    if (status == TAC_OK)
        status = add_file(plan, "capabilities_file", options->device_options.capabilities, err);
    if (status == TAC_OK)
        *out = plan;
    else
        json_decref(plan);
    return status;
}

/* --- differences --- */

static bool is_digest(const json_t *value)
{
    const char *text = json_string_value(value);
    return text && strlen(text) == TAC_DIGEST_TEXT - 1;
}

static void add_value(tac_str *out, const json_t *value)
{
    char *text = !value             ? tac_strdup("not given")
                 : is_digest(value) ? tac_strdup("given")
                                    : tac_json_text(value, JSON_COMPACT);
    char *shown = tac_visible(text);
    tac_str_addf(out, "%.100s", shown);
    free(shown);
    free(text);
}

/* "what" is the path of keys so far: "devices 1 app". */
static void compare(tac_str *out, const char *what, const json_t *old, const json_t *new)
{
    const char *key;
    json_t *value;
    size_t i;
    if (old && new &&json_equal(old, new))
        return;
    if (json_is_object(old) && json_is_object(new)) {
        json_object_foreach((json_t *)(uintptr_t)old, key, value)
        {
            char *path = tac_format("%s%s%s", what, *what ? " " : "", key);
            compare(out, path, value, json_object_get(new, key));
            free(path);
        }
        json_object_foreach((json_t *)(uintptr_t) new, key, value) if (!json_object_get(old, key))
        {
            char *path = tac_format("%s%s%s", what, *what ? " " : "", key);
            compare(out, path, NULL, value);
            free(path);
        }
        return;
    }
    if (json_is_array(old) && json_is_array(new) && json_array_size(old) == json_array_size(new)) {
        json_array_foreach(old, i, value)
        {
            char *path = tac_format("%s %zu", what, i + 1);
            compare(out, path, value, json_array_get(new, i));
            free(path);
        }
        return;
    }
    char *name = tac_visible(what);
    for (char *c = name; *c; c++)
        if (*c == '_')
            *c = ' ';
    tac_str_addf(out, "%s%s", out->length ? "; " : "", name);
    free(name);
    if (is_digest(old) && is_digest(new)) {
        tac_str_add(out, " has changed");
        return;
    }
    tac_str_add(out, " was ");
    add_value(out, old);
    tac_str_add(out, " and is ");
    add_value(out, new);
}

char *campaign_plan_difference(const json_t *old, const json_t *new)
{
    tac_str out = {0};
    compare(&out, "", old ? old : json_null(), new);
    return tac_str_take(&out);
}
