/* Causes of failures: the runs of each campaign with crashes are mined against those without.
 *
 * The state of a run is its screen class or model state, as `tactus mine` takes it; with several
 * devices, that of the device on which most of the crashes were. A campaign with
 * crashes but no passing run (or the reverse) has nothing to tell apart; its crashes are still
 * listed. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "report/parts.h"
#include "tactus/mining.h"
#include <string.h>

enum { PATTERNS = 3, EXAMPLES = 5 };

static size_t count_verdict(const struct report_campaign *campaign, const char *verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < campaign->runs.count; i++)
        count += !strcmp(campaign->runs.at[i].verdict, verdict);
    return count;
}

static size_t crashes_on(const struct report_campaign *campaign, const char *device)
{
    size_t count = 0;
    for (size_t i = 0; i < campaign->runs.count; i++)
        count += !strcmp(campaign->runs.at[i].verdict, "crash") &&
                 !strcmp(campaign->runs.at[i].on, device);
    return count;
}

/* "DEVICE.state"; NULL when there is only one device. The caller's. */
static char *state_variable(const struct report_campaign *campaign)
{
    const char *device = "";
    size_t most = 0;
    for (size_t i = 0; i < campaign->runs.count; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        if (strcmp(run->verdict, "crash") || !strcmp(run->on, device))
            continue;
        size_t count = crashes_on(campaign, run->on);
        device = count > most ? run->on : device;
        most = count > most ? count : most;
    }
    return *device ? tac_format("%s.state", device) : NULL;
}

static tac_status read_runs(const struct report_campaign *campaign, tac_runs **out, tac_error *err)
{
    tac_runs *runs = NULL;
    char *state = state_variable(campaign);
    tac_status status = tac_runs_new(&(tac_runs_options){.state_of = state}, &runs, err);
    for (size_t i = 0; i < campaign->runs.count && status == TAC_OK; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        if (!run->trace[0] || (strcmp(run->verdict, "pass") && strcmp(run->verdict, "crash")))
            continue;
        char *path = report_path(campaign, run->trace);
        status = tac_runs_read(runs, path, NULL, err);
        free(path);
    }
    free(state);
    if (status == TAC_OK)
        *out = runs;
    else
        tac_runs_free(runs);
    return status;
}

/* The runs were added in order, so the n-th added is the n-th run that passed or crashed. */
static json_t *examples_of(const struct report_campaign *campaign, const tac_runs *runs,
                           uint32_t cluster, const char **exception)
{
    json_t *examples = json_array();
    size_t added = 0;
    *exception = "";
    for (size_t i = 0; i < campaign->runs.count; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        if (!run->trace[0] || (strcmp(run->verdict, "pass") && strcmp(run->verdict, "crash")))
            continue;
        if (added < tac_runs_count(runs) && tac_runs_label(runs, added) == cluster) {
            *exception = run->exception;
            if (json_array_size(examples) < EXAMPLES)
                json_array_append_new(examples,
                                      json_integer((json_int_t)campaign->first_run + run->id));
        }
        added++;
    }
    return examples;
}

static json_t *cause_json(const struct report_campaign *campaign, const tac_runs *runs,
                          const tac_cluster_result *cluster)
{
    json_t *cause = json_object(), *patterns = json_array();
    const char *exception;
    json_t *examples = examples_of(campaign, runs, cluster->cluster, &exception);
    for (size_t i = 0; i < cluster->pattern_count && i < PATTERNS; i++) {
        const tac_mined_pattern *pattern = &cluster->patterns[i];
        char *sentence = tac_pattern_sentence(runs, pattern, cluster->runs, cluster->passing);
        char *formula = tac_pattern_formula(runs, pattern);
        json_array_append_new(patterns,
                              json_pack("{s:o,s:o}", "sentence", tac_json_string(sentence),
                                        "formula", tac_json_string(formula)));
        free(sentence);
        free(formula);
    }
    json_object_set_new(cause, "cluster", tac_json_string(cluster->name));
    json_object_set_new(cause, "exception", tac_json_string(exception));
    json_object_set_new(cause, "frame", tac_json_string(cluster->name));
    json_object_set_new(cause, "runs", json_integer(cluster->runs));
    json_object_set_new(cause, "of", json_integer((json_int_t)campaign->runs.count));
    json_object_set_new(cause, "patterns", patterns);
    json_object_set_new(cause, "examples", examples);
    return cause;
}

static void add_finding(struct report_project *project, const struct report_campaign *campaign,
                        const tac_mine_result *result)
{
    char *detail = NULL;
    if (result->cluster_count)
        detail = tac_format("most often in %s (%u runs)", result->clusters[0].name,
                            result->clusters[0].runs);
    report_finding(project, "bad", "#causes", detail, "%zu crash %s found in %zu runs%s%s.",
                   result->cluster_count, result->cluster_count == 1 ? "cause" : "causes",
                   campaign->runs.count, campaign->label[0] ? " of " : "", campaign->label);
    free(detail);
}

static tac_status mine_campaign(struct report_project *project,
                                const struct report_campaign *campaign, json_t *causes,
                                tac_error *err)
{
    tac_runs *runs = NULL;
    tac_mine_result *result;
    tac_status status = read_runs(campaign, &runs, err);
    if (status != TAC_OK)
        return status;
    tac_mine_options options = tac_mine_defaults();
    status = tac_mine(runs, &options, project->options->watch, &result, err);
    if (status == TAC_OK) {
        for (size_t i = 0; i < result->cluster_count; i++)
            json_array_append_new(causes, cause_json(campaign, runs, &result->clusters[i]));
        add_finding(project, campaign, result);
        tac_mine_result_free(result);
    }
    tac_runs_free(runs);
    return status;
}

tac_status report_add_causes(struct report_project *project, json_t *document, tac_error *err)
{
    json_t *causes = json_array();
    tac_status status = TAC_OK;
    for (size_t i = 0; i < project->campaigns.count && status == TAC_OK; i++)
        if (count_verdict(&project->campaigns.at[i], "crash"))
            status = mine_campaign(project, &project->campaigns.at[i], causes, err);
    json_object_set_new(document, "causes", causes);
    return status;
}
