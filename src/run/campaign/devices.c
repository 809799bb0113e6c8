/* Who runs what: the devices that were given against those that the flows name.
 *
 * Named devices are one team that plays the flows together. Devices without names are a pool of
 * teams of one, which share the runs. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "run/campaign/remote.h"
#include "tactus/model.h"
#include <string.h>

static void add_name(struct run_campaign *campaign, const char *name)
{
    if (*name)
        tac_names_intern(&campaign->device_names, name);
}

/* The devices of all flows, in the order in which the model has them. */
static void collect_names(struct run_campaign *campaign)
{
    for (size_t i = 0; i < campaign->flows.flows.count; i++) {
        const tac_flow *flow = &campaign->flows.flows.at[i];
        for (size_t k = 0; k < flow->start_count; k++)
            add_name(campaign, flow->starts[k].device);
        for (size_t k = 0; k < flow->step_count; k++)
            add_name(campaign, flow->steps[k].device);
    }
    if (!campaign->device_names.count)
        tac_names_intern(&campaign->device_names, "");
}

/* What each of them runs, as the first flow that says it has it. */
static void collect_packages(struct run_campaign *campaign)
{
    for (size_t member = 0; member < campaign->device_names.count; member++) {
        const char *package = "";
        for (size_t i = 0; i < campaign->flows.flows.count && !*package; i++) {
            const tac_flow *flow = &campaign->flows.flows.at[i];
            for (size_t k = 0; k < flow->start_count && !*package; k++)
                if (!strcmp(flow->starts[k].device, campaign->device_names.text[member]))
                    package = flow->starts[k].package;
        }
        tac_vec_push(&campaign->packages, package);
    }
}

static tac_status refuse(const struct run_campaign *campaign, const char *what, tac_error *err)
{
    tac_str known = {.cap = 600};
    for (size_t i = 0; i < campaign->device_names.count; i++)
        tac_str_addf(&known, "%s%s", i ? ", " : "", campaign->device_names.text[i]);
    tac_status status = tac_fail(
        err, TAC_E_USAGE, "%s; the devices of the flows are %s: each needs a URI under its name",
        what, tac_str_text(&known));
    tac_str_free(&known);
    return status;
}

/* A device that nobody bound, by the serial number that the model gives it. */
static tac_status bind_by_serial(struct run_campaign *campaign, const char **uris, tac_error *err)
{
    tac_model *model = NULL;
    tac_diagnostics findings = {0};
    tac_status status = TAC_OK;
    if (campaign->options->model)
        status = tac_model_load(campaign->options->model, &findings, &model, err);
    tac_diagnostics_free(&findings);
    for (size_t i = 0; i < campaign->device_names.count && status == TAC_OK; i++) {
        for (uint32_t d = 0; model && !uris[i] && d < model->device_count; d++)
            if (!strcmp(model->devices[d].name, campaign->device_names.text[i]) &&
                *model->devices[d].serial)
                uris[i] =
                    tac_arena_format(&campaign->flows.arena, "adb:%s", model->devices[d].serial);
        if (!uris[i]) {
            char what[200];
            snprintf(what, sizeof what, "no device is given for '%.100s'",
                     campaign->device_names.text[i]);
            status = refuse(campaign, what, err);
        }
    }
    tac_model_free(model);
    return status;
}

/* One team: each name bound exactly once. */
static tac_status bind_names(struct run_campaign *campaign, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    size_t count = campaign->device_names.count;
    const char **uris = tac_calloc(count, sizeof *uris);
    tac_status status = TAC_OK;
    bool missing = false;
    for (size_t i = 0; i < options->device_count && status == TAC_OK; i++) {
        const tac_run_device *device = &options->devices[i];
        uint32_t member = tac_names_find(&campaign->device_names, device->name);
        char what[200];
        if (member == TAC_NONE)
            snprintf(what, sizeof what, "'%.100s' is not a device of the flows", device->name);
        else if (uris[member])
            snprintf(what, sizeof what, "'%.100s' is given twice", device->name);
        else
            uris[member] = device->uri;
        if (member == TAC_NONE || uris[member] != device->uri)
            status = refuse(campaign, what, err);
    }
    for (size_t i = 0; i < count; i++)
        missing |= !uris[i];
    if (status == TAC_OK && missing)
        status = bind_by_serial(campaign, uris, err);
    if (status == TAC_OK)
        tac_vec_append(&campaign->uris, uris, count);
    free(uris);
    return status;
}

/* One team per device, "adb:all" being as many as are connected. */
static tac_status list_pool(struct run_campaign *campaign, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < options->device_count && status == TAC_OK; i++) {
        char **found = NULL;
        size_t count = 0;
        if (options->plan_only) { /* the devices are elsewhere */
            tac_vec_push(&campaign->uris, options->devices[i].uri);
            continue;
        }
        status =
            tac_device_list(options->devices[i].uri, &options->device_options, &found, &count, err);
        for (size_t k = 0; k < count && status == TAC_OK; k++)
            tac_vec_push(&campaign->uris,
                         tac_arena_strndup(&campaign->flows.arena, found[k], strlen(found[k])));
        for (size_t k = 0; k < count; k++)
            free(found[k]);
        free(found);
    }
    return status;
}

/* A phone runs one app at a time; built-in phones and browsers are made as often as wanted. */
static tac_status check_parallel(const struct run_campaign *campaign, tac_error *err)
{
    for (size_t i = 0; i < campaign->uris.count && campaign->options->parallel > 1; i++)
        if (!strncmp(campaign->uris.at[i], "adb:", 4))
            return tac_fail(err, TAC_E_USAGE,
                            "%s does one run at a time, so it cannot have several workers; give "
                            "several phones, or adb:all for every connected one",
                            campaign->uris.at[i]);
    return TAC_OK;
}

static tac_status check_twice(const struct run_campaign *campaign, tac_error *err)
{
    for (size_t i = 0; i < campaign->uris.count; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(campaign->uris.at[i], campaign->uris.at[k]) &&
                !strncmp(campaign->uris.at[i], "adb:", 4))
                return tac_fail(err, TAC_E_USAGE, "the device %s is given twice",
                                campaign->uris.at[i]);
    return TAC_OK;
}

tac_status campaign_assign_devices(struct run_campaign *campaign, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    collect_names(campaign);
    collect_packages(campaign);
    size_t named = 0;
    for (size_t i = 0; i < options->device_count; i++)
        named += options->devices[i].name != NULL;
    tac_status status = TAC_OK;
    if (named && named < options->device_count)
        status = refuse(campaign, "some devices have a name and some have none", err);
    else if (named && !*campaign->device_names.text[0])
        status = tac_fail(err, TAC_E_USAGE,
                          "what is run does not name its devices: give the URI without a name");
    else if (named || !options->device_count)
        status = bind_names(campaign, err);
    else if (campaign->device_names.count > 1)
        status = refuse(campaign, "the flows need several devices", err);
    else
        status = list_pool(campaign, err);
    if (status == TAC_OK)
        status = check_parallel(campaign, err);
    if (status == TAC_OK)
        status = check_twice(campaign, err);
    return status;
}

size_t campaign_team_count(const struct run_campaign *campaign)
{
    return campaign->uris.count / campaign->device_names.count;
}

size_t campaign_worker_count(const struct run_campaign *campaign)
{
    return campaign_team_count(campaign) *
           (campaign->options->parallel ? campaign->options->parallel : 1);
}

/* borrowed */
static struct team_devices campaign_team_of(const struct run_campaign *campaign, size_t worker)
{
    size_t team = worker % campaign_team_count(campaign), count = campaign->device_names.count;
    return (struct team_devices){.count = count,
                                 .names = campaign->device_names.text,
                                 .uris = campaign->uris.at + team * count,
                                 .packages = campaign->packages.at};
}

char *campaign_team_text(const struct run_campaign *campaign, size_t worker)
{
    struct team_devices devices = campaign_team_of(campaign, worker);
    bool several = devices.count > 1;
    tac_str text = {0};
    for (size_t i = 0; i < devices.count; i++)
        tac_str_addf(&text, "%s%s%s%s", i ? ", " : "", several ? devices.names[i] : "",
                     several ? "=" : "", devices.uris[i]);
    return tac_str_take(&text);
}

/* --- scenarios: one for all devices, or "ALICE=NAME,BOB=NAME" --- */

static bool names_devices(const struct run_campaign *campaign, const char *scenario)
{
    char name[200];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(scenario, "="), scenario);
    return strchr(scenario, '=') && campaign->device_names.count > 1 &&
           tac_names_find(&campaign->device_names, name) != TAC_NONE;
}

char *campaign_scenario_name(const struct run_campaign *campaign, const char *scenario,
                             size_t member)
{
    if (!names_devices(campaign, scenario))
        return tac_strdup(scenario);
    const char *name = campaign->device_names.text[member];
    for (const char *at = scenario; *at;) {
        size_t length = strcspn(at, ","), n = strlen(name);
        if (length > n && !strncmp(at, name, n) && at[n] == '=')
            return tac_strndup(at + n + 1, length - n - 1);
        at += length + (at[length] == ',');
    }
    return NULL;
}

char *campaign_scenario_for(const struct run_campaign *campaign, const char *scenario,
                            size_t member)
{
    char *name = campaign_scenario_name(campaign, scenario, member);
    const char *fetched = name ? remote_scenario_file(campaign, name) : NULL;
    if (!fetched)
        return name;
    free(name);
    return tac_strdup(fetched);
}

tac_status campaign_set_scenario(const struct run_campaign *campaign, const struct run_team *team,
                                 const char *scenario, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < team->count && status == TAC_OK; i++) {
        char *own = campaign_scenario_for(campaign, scenario ? scenario : "", i);
        if (own && *own)
            status = tac_device_scenario(team->members[i].device, own, err);
        free(own);
    }
    return status;
}

tac_status campaign_open_team(const struct run_campaign *campaign, size_t worker,
                              enum team_opening how, struct run_team *team, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    struct team_devices devices = campaign_team_of(campaign, worker);
    tac_device_options own = options->device_options;
    own.once |= how == TEAM_MISSED;
    own.check_only |= how == TEAM_TRIED;
    char *first = devices.count == 1 && options->scenario_count
                      ? campaign_scenario_for(campaign, options->scenarios[0], 0)
                      : NULL;
    own.scenario = first && *first ? first : own.scenario;
    tac_status status = run_team_open(team, &devices, &own, err);
    free(first);
    return status;
}
