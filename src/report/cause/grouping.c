/* The crashes of one campaign by their causes: the runs are read, clustered by their stacks, and
 * those of each cluster are mined against the runs that passed.
 *
 * The state of a run is its screen class or model state, as `tactus mine` takes it; with several
 * devices, that of the device on which most of the crashes were. A campaign with crashes but no
 * passing run has nothing to tell apart; its causes are known without patterns. */
#include "report/cause/grouping.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <string.h>

bool is_crash_run(const struct report_run *run)
{
    return tac_stored_end_of(run->row.verdict) == TAC_STORED_CRASH;
}

static size_t crashes_on(const struct report_campaign *campaign, const char *device)
{
    size_t count = 0;
    for (size_t i = 0; i < campaign->runs.count; i++)
        count += is_crash_run(&campaign->runs.at[i]) && !strcmp(campaign->runs.at[i].on, device);
    return count;
}

/* "DEVICE.state"; NULL when there is only one device. The caller's. */
static char *state_variable(const struct report_campaign *campaign)
{
    const char *device = "";
    size_t most = 0;
    for (size_t i = 0; i < campaign->runs.count; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        if (!is_crash_run(run) || !strcmp(run->on, device))
            continue;
        size_t count = crashes_on(campaign, run->on);
        device = count > most ? run->on : device;
        most = count > most ? count : most;
    }
    return *device ? tac_format("%s.state", device) : NULL;
}

tac_status cause_list_read(struct cause_list *list, bool all, tac_error *err)
{
    const struct report_campaign *campaign = list->campaign;
    tac_watch *watch = list->report->project.options->watch;
    char *state = state_variable(campaign);
    tac_status status = tac_runs_new(
        &(tac_runs_options){.state_of = state, .by = list->report->project.options->cluster_by},
        &list->runs, err);
    for (size_t i = 0; i < campaign->runs.count && status == TAC_OK; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        bool wanted =
            is_crash_run(run) || (all && tac_stored_end_of(run->row.verdict) == TAC_STORED_PASS);
        if (!run->row.trace[0] || !wanted)
            continue;
        char *path = report_path(campaign, run->row.trace);
        status = tac_runs_read(list->runs, path, watch, err);
        free(path);
        tac_vec_push(&list->added, i);
    }
    free(state);
    return status;
}

static struct crash_cause *cause_of(struct cause_list *list, const char *name)
{
    uint32_t id = tac_names_intern(&list->names, name);
    if (id == list->at.count)
        tac_vec_push(&list->at, (struct crash_cause){.name = tac_strdup(name)});
    assert(id < list->at.count);
    return &list->at.at[id];
}

static int by_size(const void *a, const void *b)
{
    const struct crash_cause *x = a, *y = b;
    if (x->runs.count != y->runs.count)
        return x->runs.count > y->runs.count ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Every crash has a cause: by its cluster, or by the stack in the index when its trace is gone. */
void cause_list_group(struct cause_list *list)
{
    const struct report_campaign *campaign = list->campaign;
    size_t added = 0;
    for (size_t i = 0; i < campaign->runs.count; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        bool read = added < list->added.count && list->added.at[added] == i;
        if (is_crash_run(run)) {
            uint32_t label = read && added < tac_runs_count(list->runs)
                                 ? tac_runs_label(list->runs, added)
                                 : TAC_RUN_UNLABELLED;
            char *name = label == TAC_RUN_UNLABELLED || label == TAC_RUN_PASSED
                             ? tac_stack_cluster(run->row.exception, run->stack, NULL, NULL)
                             : tac_strdup(tac_runs_cluster_name(list->runs, label));
            struct crash_cause *cause = cause_of(list, name);
            tac_vec_push(&cause->runs, i);
            list->crashes++;
            free(name);
        }
        added += read;
    }
    for (size_t i = 0; list->mined && i < list->mined->cluster_count; i++)
        for (size_t k = 0; k < list->at.count; k++)
            if (!strcmp(list->at.at[k].name, list->mined->clusters[i].name))
                list->at.at[k].mined = &list->mined->clusters[i];
    if (list->at.count)
        qsort(list->at.at, list->at.count, sizeof *list->at.at, by_size);
}

void cause_list_free(struct cause_list *list)
{
    for (size_t i = 0; i < list->at.count; i++) {
        free(list->at.at[i].name);
        tac_vec_free(&list->at.at[i].runs);
    }
    tac_vec_free(&list->at);
    tac_vec_free(&list->added);
    tac_names_free(&list->names);
    if (list->mined)
        tac_mine_result_free(list->mined);
    tac_runs_free(list->runs);
    script_file_free(list->reproduction);
}

char *cause_link(const struct cause_list *list, const char *name)
{
    uint64_t hash = tac_hash_bytes(name, strlen(name), 0);
    const char *label = list->campaign->label;
    hash = tac_hash_bytes(label, strlen(label), hash);
    return tac_format("#cause-%08llx", (unsigned long long)(hash & 0xffffffff));
}

tac_status cause_list_mine(struct cause_list *list, tac_error *err)
{
    tac_mine_options options = tac_mine_defaults();
    tac_status status =
        tac_mine(list->runs, &options, list->report->project.options->watch, &list->mined, err);
    if (status != TAC_OK)
        list->mined = NULL;
    /* the causes are known without patterns */
    return status == TAC_E_LIMIT || status == TAC_E_INPUT ? TAC_OK : status;
}
