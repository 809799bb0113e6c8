/* See scenario_files.h. */
#include "run/campaign/scenario_files.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/input.h"
#include "run/campaign/campaign.h"
#include <unistd.h>

static const size_t largest_input = (size_t)1 << 30;

tac_status campaign_digest(const char *path, char digest[TAC_DIGEST_TEXT], tac_error *err)
{
    char *data;
    size_t size;
    tac_status status = tac_input_slurp(path, largest_input, &data, &size, err);
    if (status != TAC_OK)
        return status;
    tac_digest_bytes(data, size, digest);
    free(data);
    return TAC_OK;
}

void scenario_files_add(struct scenario_files *files, const char *name, const char *path,
                        const char *digest)
{
    struct scenario_file file = {.name = tac_strdup(name), .path = tac_strdup(path)};
    assert(strlen(digest) < sizeof file.digest);
    assert(!scenario_files_named(files, name));
    strcpy(file.digest, digest);
    tac_vec_push(&files->list, file);
}

const struct scenario_file *scenario_files_named(const struct scenario_files *files,
                                                 const char *name)
{
    for (size_t i = 0; i < files->list.count; i++)
        if (!strcmp(files->list.at[i].name, name))
            return &files->list.at[i];
    return NULL;
}

static tac_status find_one(const struct run_campaign *campaign, const char *scenario, size_t member,
                           struct scenario_files *files, tac_error *err)
{
    char *name = campaign_scenario_name(campaign, scenario, member), digest[TAC_DIGEST_TEXT];
    char *path = campaign_scenario_for(campaign, scenario, member);
    tac_status status = TAC_OK;
    if (name && *name && !scenario_files_named(files, name) && access(path, R_OK) == 0) {
        status = campaign_digest(path, digest, err);
        if (status == TAC_OK)
            scenario_files_add(files, name, path, digest);
    }
    free(name);
    free(path);
    return status;
}

tac_status scenario_files_find(const struct run_campaign *campaign, struct scenario_files *files,
                               tac_error *err)
{
    const tac_run_options *options = campaign->options;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < options->scenario_count; i++)
        for (size_t k = 0; k < campaign->device_names.count && status == TAC_OK; k++)
            status = find_one(campaign, options->scenarios[i], k, files, err);
    return status;
}

void scenario_files_free(struct scenario_files *files)
{
    for (size_t i = 0; i < files->list.count; i++) {
        free(files->list.at[i].name);
        free(files->list.at[i].path);
    }
    tac_vec_free(&files->list);
}
