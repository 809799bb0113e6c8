/* The whole search: the campaign, the devices, the journal, then cause by cause. */
#include "base/data/alloc.h"
#include "base/data/digest.h"
#include "base/io/json.h"
#include "reproduce/cause.h"
#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>

enum { MOST_CONFIGURATIONS = 20000 };

/* --- getting ready --- */

/* What the executions are like: as those of the campaign, on the devices that were given. */
static void set_up_run(struct hunt *hunt)
{
    const tac_reproduce_options *options = hunt->options;
    const tac_device_options *recorded = &hunt->source.run.device_options;
    hunt->run = hunt->source.run;
    hunt->run.devices = options->devices;
    hunt->run.device_count = options->device_count;
    hunt->run.device_options = options->device_options;
    if (!options->device_options.app)
        hunt->run.device_options.app = recorded->app;
    hunt->run.device_options.fast |= recorded->fast;
    hunt->run.device_options.realtime |= recorded->realtime;
    hunt->run.model = options->model ? options->model : hunt->source.model;
    hunt->run.folder = options->folder;
    hunt->run.parallel = options->parallel;
    hunt->run.watch = options->watch;
}

/* A search belongs to a campaign and to what its devices run. */
static tac_status plan_of(const struct hunt *hunt, json_t **out, tac_error *err)
{
    char digest[TAC_DIGEST_TEXT];
    char *text = tac_json_text(hunt->source.plan, JSON_COMPACT | JSON_SORT_KEYS);
    json_t *plan;
    tac_digest_bytes(text, strlen(text), digest);
    free(text);
    tac_status status = attempts_plan(hunt->attempts, &plan, err);
    if (status == TAC_OK) {
        json_object_del(plan, "model_file"); /* it shortens the search and decides nothing */
        json_object_set_new(plan, "campaign", json_string(digest));
        *out = plan;
    }
    return status;
}

static tac_status open_journal(struct hunt *hunt, tac_error *err)
{
    json_t *plan = NULL;
    tac_status status = TAC_OK;
    if (mkdir(hunt->options->folder, 0777) && errno != EEXIST)
        return tac_fail_errno(err, errno, hunt->options->folder, "cannot create the folder");
    status = plan_of(hunt, &plan, err);
    if (status == TAC_OK)
        status = journal_open(&hunt->journal, hunt->options->folder, plan, &hunt->known, err);
    json_decref(plan);
    return status;
}

/* A model that cannot be used is an error only when it was asked for. */
static tac_status load_model(struct hunt *hunt, tac_error *err)
{
    const char *path = hunt->run.model;
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    if (!path)
        return TAC_OK;
    tac_status status = tac_model_load(path, &findings, &model, err);
    if (status == TAC_OK)
        status = places_of_model(model, &hunt->known.steps, MOST_CONFIGURATIONS,
                                 hunt->options->watch, &hunt->model, err);
    tac_model_free(model);
    tac_diagnostics_free(&findings);
    return status == TAC_E_INTERRUPTED || hunt->options->model ? status : TAC_OK;
}

/* Patterns help where there are some; that there are none is no failure. */
static tac_status mine(struct hunt *hunt, tac_error *err)
{
    tac_mine_options options = tac_mine_defaults();
    tac_status status = TAC_OK;
    if (hunt->source.mined && hunt->source.random)
        status = tac_mine(hunt->source.mined, &options, hunt->options->watch, &hunt->mined, err);
    return status == TAC_E_INTERRUPTED ? status : TAC_OK;
}

static tac_status get_ready(struct hunt *hunt, tac_error *err)
{
    tac_status status = attempts_open(&hunt->run, hunt->source.flows.flows.at,
                                      hunt->source.flows.flows.count, &hunt->attempts, err);
    if (status == TAC_OK)
        status = open_journal(hunt, err);
    if (status == TAC_OK)
        status = source_trails(&hunt->source, &hunt->known.steps, &hunt->seen, err);
    if (status == TAC_OK)
        status = load_model(hunt, err);
    if (status == TAC_OK)
        status = mine(hunt, err);
    return status;
}

/* --- the result --- */

/* Its number among the campaign's causes of the kind. */
static size_t number_of(const cause_list *all, const struct cause *cause)
{
    size_t number = 1;
    for (size_t i = 0; i < all->count && strcmp(all->at[i].key, cause->key) != 0; i++)
        number += all->at[i].kind == cause->kind;
    return number;
}

/* Where an earlier call put the cause, if it did; else where no other cause is. */
static char *folder_of(struct hunt *hunt, const struct cause *cause)
{
    if (cause->kind != TAC_FAILURE_PROPERTY) {
        size_t number = number_of(&hunt->all, cause);
        char *folder = earlier_folder(&hunt->earlier, cause);
        while (!folder) {
            folder = tac_format("%s-%zu", tac_failure_kind_name(cause->kind), number++);
            if (earlier_has_folder(&hunt->earlier, &hunt->all, folder) ||
                tac_names_find(&hunt->folders, folder) != TAC_NONE) {
                free(folder);
                folder = NULL;
            }
        }
        tac_names_intern(&hunt->folders, folder);
        return folder;
    }
    char *name = tac_format("property-%s", cause->name);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            *c = '_';
    return name;
}

static void note_lost(const struct hunt *hunt, tac_reproduce_result *result)
{
    const struct lost_device *lost;
    result->lost_count = attempts_lost(hunt->attempts, &lost);
    result->lost = tac_calloc(result->lost_count, sizeof *result->lost);
    for (size_t i = 0; i < result->lost_count; i++)
        result->lost[i] = (tac_run_lost_device){.device = tac_strdup(lost[i].device),
                                                .message = tac_strdup(lost[i].message),
                                                .after = lost[i].after};
}

static tac_status hunt_causes(struct hunt *hunt, const cause_list *causes,
                              tac_reproduce_result *result, tac_error *err)
{
    tac_status status = TAC_OK;
    result->causes = tac_calloc(causes->count, sizeof *result->causes);
    for (size_t i = 0; i < causes->count && status == TAC_OK; i++) {
        char *folder = folder_of(hunt, &causes->at[i]);
        tac_reproduction *cause = &result->causes[result->cause_count];
        status = hunt_cause(hunt, &causes->at[i], folder, cause, err);
        result->cause_count++;
        cause->complete = status == TAC_OK;
        if (status != TAC_OK && !cause->reproduced) { /* it has no result yet */
            free(cause->message);
            cause->message = tac_strdup("the search was stopped; the same command continues it");
        }
        free(folder);
    }
    result->complete = status == TAC_OK;
    result->executions = hunt->known.total;
    note_lost(hunt, result);
    return status;
}

static tac_status write_result(const struct hunt *hunt, const tac_reproduce_result *result,
                               const char *folder, tac_error *err)
{
    struct earlier earlier;
    earlier_load(&earlier, folder);
    char *path = tac_format("%s/reproduce.json", folder);
    json_t *document = tac_reproduce_json(result);
    earlier_merge(&earlier, &hunt->all, hunt->options->run >= 0, document);
    tac_status status = tac_json_save(document, path, err);
    json_decref(document);
    earlier_free(&earlier);
    free(path);
    return status;
}

static void hunt_free(struct hunt *hunt)
{
    tac_mine_result_free(hunt->mined);
    attempts_close(hunt->attempts);
    journal_close(&hunt->journal);
    places_free(&hunt->seen);
    places_free(&hunt->model);
    knowledge_free(&hunt->known);
    earlier_free(&hunt->earlier);
    causes_free(&hunt->all);
    tac_names_free(&hunt->folders);
    source_close(&hunt->source);
}

tac_status tac_reproduce(const tac_reproduce_options *options, tac_reproduce_result **out,
                         tac_error *err)
{
    struct hunt hunt = {.options = options, .journal = {.fd = -1}};
    cause_list causes = {0};
    *out = NULL;
    tac_status status = source_open(options->campaign, options->watch, &hunt.source, err);
    if (status != TAC_OK)
        return status;
    set_up_run(&hunt);
    status = causes_of(&hunt.source, options, &causes, err);
    causes_all(&hunt.source, &hunt.all);
    earlier_load(&hunt.earlier, options->folder);
    if (status == TAC_OK && causes.count)
        status = get_ready(&hunt, err);
    if (status == TAC_OK) {
        tac_error other;
        tac_reproduce_result *result = tac_calloc(1, sizeof *result);
        result->campaign =
            tac_strdup(options->campaign_name ? options->campaign_name : options->campaign);
        result->folder = tac_strdup(options->folder);
        result->command = tac_strdup(options->command ? options->command : "");
        result->complete = true;
        if (causes.count)
            status = hunt_causes(&hunt, &causes, result, err);
        tac_status written =
            causes.count ? write_result(&hunt, result, options->folder, &other) : TAC_OK;
        if (written == TAC_OK && causes.count)
            written = write_result(&hunt, result, options->campaign, &other);
        if (status == TAC_OK && written != TAC_OK) {
            *err = other;
            status = written;
        }
        *out = result;
    }
    causes_free(&causes);
    hunt_free(&hunt);
    return status;
}
