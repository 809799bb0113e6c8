/* Causes of crashes, one finding each: the crashes of each campaign are clustered by their stacks,
 * and the runs of each cluster are mined against those that passed.
 *
 * The state of a run is its screen class or model state, as `tactus mine` takes it; with several
 * devices, that of the device on which most of the crashes were. A campaign with crashes but no
 * passing run has nothing to tell apart; its causes are listed without patterns. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "report/baseline.h"
#include "report/cause/reproduction.h"
#include "report/cause/stack.h"
#include "report/statistics.h"
#include "tactus/mining.h"
#include <math.h>
#include <string.h>

enum { PATTERNS = 5, EXAMPLES = 5 };

/* A cluster of one campaign. */
struct crash_cause {
    char *name;
    TAC_VEC(size_t) runs; /* indices of the campaign's runs */
    const tac_cluster_result *mined;
};

struct cause_list {
    struct tac_report *report;
    struct report_campaign *campaign;
    struct script_file *reproduction;
    tac_runs *runs;
    TAC_VEC(size_t) added; /* by run of the set: index of the campaign's run */
    tac_mine_result *mined;
    tac_names names;
    TAC_VEC(struct crash_cause) at;
    size_t crashes;
};

static bool is_crash(const struct report_run *run)
{
    return tac_stored_end_of(run->verdict) == TAC_STORED_CRASH;
}

static size_t crashes_on(const struct report_campaign *campaign, const char *device)
{
    size_t count = 0;
    for (size_t i = 0; i < campaign->runs.count; i++)
        count += is_crash(&campaign->runs.at[i]) && !strcmp(campaign->runs.at[i].on, device);
    return count;
}

/* "DEVICE.state"; NULL when there is only one device. The caller's. */
static char *state_variable(const struct report_campaign *campaign)
{
    const char *device = "";
    size_t most = 0;
    for (size_t i = 0; i < campaign->runs.count; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        if (!is_crash(run) || !strcmp(run->on, device))
            continue;
        size_t count = crashes_on(campaign, run->on);
        device = count > most ? run->on : device;
        most = count > most ? count : most;
    }
    return *device ? tac_format("%s.state", device) : NULL;
}

/* The crashes, and with `all` the runs that passed. */
static tac_status read_runs(struct cause_list *list, bool all, tac_error *err)
{
    const struct report_campaign *campaign = list->campaign;
    tac_watch *watch = list->report->project.options->watch;
    char *state = state_variable(campaign);
    tac_status status = tac_runs_new(&(tac_runs_options){.state_of = state}, &list->runs, err);
    for (size_t i = 0; i < campaign->runs.count && status == TAC_OK; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        bool wanted = is_crash(run) || (all && tac_stored_end_of(run->verdict) == TAC_STORED_PASS);
        if (!run->trace[0] || !wanted)
            continue;
        char *path = report_path(campaign, run->trace);
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
static void group(struct cause_list *list)
{
    const struct report_campaign *campaign = list->campaign;
    size_t added = 0;
    for (size_t i = 0; i < campaign->runs.count; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        bool read = added < list->added.count && list->added.at[added] == i;
        if (is_crash(run)) {
            uint32_t label = read && added < tac_runs_count(list->runs)
                                 ? tac_runs_label(list->runs, added)
                                 : TAC_RUN_UNLABELLED;
            char *name = label == TAC_RUN_UNLABELLED || label == TAC_RUN_PASSED
                             ? tac_stack_cluster(run->exception, run->stack, NULL, NULL)
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

static void free_list(struct cause_list *list)
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

/* --- one cause --- */

static json_int_t number_of(const struct cause_list *list, size_t run)
{
    return (json_int_t)list->campaign->first_run + list->campaign->runs.at[run].id;
}

/* The stack that most of the runs have. */
static const struct report_run *typical_run(const struct cause_list *list,
                                            const struct crash_cause *cause)
{
    tac_names stacks = {0};
    TAC_VEC(size_t) count = {0};
    size_t best = 0, most = 0;
    for (size_t i = 0; i < cause->runs.count; i++) {
        uint32_t id = tac_names_intern(&stacks, list->campaign->runs.at[cause->runs.at[i]].stack);
        if (id == count.count)
            tac_vec_push(&count, (size_t)0);
        if (++count.at[id] > most) {
            most = count.at[id];
            best = cause->runs.at[i];
        }
    }
    tac_names_free(&stacks);
    tac_vec_free(&count);
    return &list->campaign->runs.at[best];
}

static json_t *runs_json(const struct cause_list *list, const struct crash_cause *cause,
                         size_t most)
{
    json_t *numbers = json_array();
    for (size_t i = 0; i < cause->runs.count && i < most; i++)
        json_array_append_new(numbers, json_integer(number_of(list, cause->runs.at[i])));
    return numbers;
}

static void cite(struct cause_list *list, size_t run)
{
    list->campaign->runs.at[run].cited = true;
}

/* Runs that this pattern explains; all that are named can be opened. */
static json_t *evidence_of(struct cause_list *list, const tac_cluster_result *mined,
                           uint32_t pattern)
{
    json_t *examples = json_array();
    for (uint32_t r = 0; r < mined->runs && json_array_size(examples) < EXAMPLES; r++) {
        if (!mined->attribution || mined->attribution[r] != pattern ||
            mined->run_ids[r] >= list->added.count)
            continue;
        size_t run = list->added.at[mined->run_ids[r]];
        cite(list, run);
        json_array_append_new(examples, json_integer(number_of(list, run)));
    }
    return examples;
}

static json_t *patterns_json(struct cause_list *list, const tac_cluster_result *mined)
{
    json_t *patterns = json_array();
    for (uint32_t i = 0; mined && i < mined->pattern_count && i < PATTERNS; i++) {
        const tac_mined_pattern *pattern = &mined->patterns[i];
        char *sentence = tac_pattern_sentence(list->runs, pattern, mined->runs, mined->passing);
        char *formula = tac_pattern_formula(list->runs, pattern);
        json_t *object = json_object();
        json_object_set_new(object, "sentence", tac_json_string(sentence));
        json_object_set_new(object, "formula", tac_json_string(formula));
        json_object_set_new(object, "p", tac_json_number(pattern->p));
        json_object_set_new(object, "cause", json_boolean(pattern->cause));
        json_object_set_new(object, "failing", json_integer(pattern->fail.runs));
        json_object_set_new(object, "failing_of", json_integer(mined->runs));
        json_object_set_new(object, "passing", json_integer(pattern->pass.runs));
        json_object_set_new(object, "passing_of", json_integer(mined->passing));
        json_object_set_new(object, "examples", evidence_of(list, mined, i));
        json_array_append_new(patterns, object);
        free(sentence);
        free(formula);
    }
    return patterns;
}

static json_t *ending_json(const struct cause_list *list, const tac_cluster_result *mined)
{
    json_t *events = json_array();
    for (size_t i = 0; mined && i < mined->ending_count; i++)
        json_array_append_new(events,
                              tac_json_string(tac_token_text(list->runs, mined->ending[i])));
    return json_pack("{s:o,s:I,s:I}", "events", events, "runs",
                     (json_int_t)(mined ? mined->ending_runs : 0), "passing",
                     (json_int_t)(mined ? mined->ending_pass : 0));
}

static char *link_of(const struct cause_list *list, const char *name)
{
    uint64_t hash = tac_hash_bytes(name, strlen(name), 0);
    const char *label = list->campaign->label;
    hash = tac_hash_bytes(label, strlen(label), hash);
    return tac_format("#cause-%08llx", (unsigned long long)(hash & 0xffffffff));
}

static json_t *cause_json(struct cause_list *list, const struct crash_cause *cause,
                          struct shown_stack *stack, const struct report_run *typical)
{
    json_t *object = json_object();
    char *link = link_of(list, cause->name);
    size_t exception = strcspn(cause->name, " ");
    json_object_set_new(object, "id", tac_json_string(link + 1));
    json_object_set_new(object, "cluster", tac_json_string(cause->name));
    json_object_set_new(object, "campaign", tac_json_string(list->campaign->label));
    json_object_set_new(object, "exception", tac_json_string_n(cause->name, exception));
    json_object_set_new(object, "message", tac_json_string(typical->message));
    json_object_set_new(object, "frame", tac_json_string(stack->frame));
    json_object_set_new(object, "runs", json_integer((json_int_t)cause->runs.count));
    json_object_set_new(object, "of", json_integer((json_int_t)list->campaign->runs.count));
    json_object_set(object, "stack", stack->lines);
    json_object_set(object, "chain", stack->chain);
    json_object_set_new(object, "why", tac_json_string(cause->mined ? cause->mined->why : ""));
    json_object_set_new(object, "ending", ending_json(list, cause->mined));
    json_object_set_new(object, "patterns", patterns_json(list, cause->mined));
    json_object_set_new(object, "unexplained",
                        json_integer(cause->mined ? cause->mined->unexplained : 0));
    json_object_set_new(object, "examples", runs_json(list, cause, EXAMPLES));
    json_object_set_new(object, "all_runs", runs_json(list, cause, SIZE_MAX));
    for (size_t i = 0; i < cause->runs.count && i < EXAMPLES; i++)
        cite(list, cause->runs.at[i]);
    script_file_describe(list->reproduction, list->report->project.options, list->campaign, "crash",
                         cause->name, object);
    free(link);
    return object;
}

static void add_finding(struct cause_list *list, const struct crash_cause *cause,
                        const struct shown_stack *stack, bool is_new)
{
    const char *label = list->campaign->label;
    char digits[2][32];
    char *link = link_of(list, cause->name);
    tac_str detail = {0};
    if (*stack->file)
        tac_str_addf(&detail, "%s:%zu", stack->file, stack->line);
    if (cause->mined && cause->mined->pattern_count) {
        char *sentence = tac_pattern_sentence(list->runs, &cause->mined->patterns[0],
                                              cause->mined->runs, cause->mined->passing);
        tac_str_addf(&detail, "%s%s", detail.length ? " — " : "", sentence);
        free(sentence);
    }
    char *command =
        reproduction_advice(list->report->project.options, list->campaign, "crash", cause->name);
    struct finding_parts parts = {.rank = RANK_CRASH,
                                  .command = command,
                                  .campaign = label,
                                  .weight = (double)cause->runs.count,
                                  .detail = tac_str_text(&detail),
                                  .link = link,
                                  .subject = cause->name,
                                  .file = stack->file,
                                  .line = stack->line,
                                  .is_new = is_new};
    finding_add(&list->report->project.findings, &parts, "%s crashes %s of %s run%s%s%s.",
                cause->name, tac_thousands(cause->runs.count, digits[0], sizeof digits[0]),
                tac_thousands(list->campaign->runs.count, digits[1], sizeof digits[1]),
                list->campaign->runs.count == 1 ? "" : "s", *label ? " of " : "", label);
    tac_str_free(&detail);
    free(command);
    free(link);
}

/* --- earlier campaigns --- */

/* How many runs of an earlier campaign crashed so. */
struct crash_history {
    TAC_VEC(struct cause_list) at; /* by baseline; without a campaign where it has none */
};

static size_t runs_of(const struct cause_list *list, const char *name)
{
    for (size_t i = 0; i < list->at.count; i++)
        if (!strcmp(list->at.at[i].name, name))
            return list->at.at[i].runs.count;
    return 0;
}

static tac_status read_history(struct tac_report *report, size_t index,
                               struct crash_history *history, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t b = 0; b < report->baselines.count && status == TAC_OK; b++) {
        struct cause_list list = {
            .report = report,
            .campaign = report_counterpart(&report->project, index, &report->baselines.at[b])};
        if (list.campaign) {
            status = read_runs(&list, false, err);
            if (status == TAC_OK)
                group(&list);
        }
        tac_vec_push(&history->at, list);
    }
    return status;
}

static void free_history(struct crash_history *history)
{
    for (size_t b = 0; b < history->at.count; b++)
        free_list(&history->at.at[b]);
    tac_vec_free(&history->at);
}

static void add_trend(const struct cause_list *now, const struct crash_history *history,
                      const char *name, size_t crashed, json_t *trends)
{
    char *link = link_of(now, name);
    struct trend trend = trend_new("cause", name, "", link);
    size_t runs = now->campaign->runs.count;
    for (size_t b = 0; b < history->at.count; b++) {
        const struct cause_list *before = &history->at.at[b];
        if (!before->campaign)
            continue;
        size_t old_runs = before->campaign->runs.count, old = runs_of(before, name);
        trend_add(&trend, now->report->project.options->baselines[b], old_runs, old, NAN,
                  fisher_exact(crashed, runs, old, old_runs));
    }
    trend_add(&trend, "now", runs, crashed, NAN, NAN);
    trend_finish(&trend, trends);
    free(link);
}

/* Causes that the last baseline has and this campaign has not. */
static void name_gone(const struct cause_list *now, const struct crash_history *history,
                      json_t *trends)
{
    const struct cause_list *before = &tac_vec_last(&history->at);
    for (size_t i = 0; i < before->at.count; i++) {
        const struct crash_cause *cause = &before->at.at[i];
        size_t runs = now->campaign->runs.count, old_runs = before->campaign->runs.count;
        if (runs_of(now, cause->name))
            continue;
        add_trend(now, history, cause->name, 0, trends);
        double p = fisher_exact(0, runs, cause->runs.count, old_runs);
        struct finding_parts parts = {.rank = p < 0.05 ? RANK_BETTER : RANK_UNCLEAR,
                                      .subject = cause->name,
                                      .link = "#trends",
                                      .detail = p < 0.05 ? "Fisher's exact test says that this is "
                                                           "hardly chance."
                                                         : "So few runs may miss it by chance."};
        finding_add(&now->report->project.findings, &parts,
                    "%s no longer crashes: 0 of %zu runs, in the baseline %zu of %zu (p = %.2g).",
                    cause->name, runs, cause->runs.count, old_runs, p);
    }
}

/* --- all --- */

static tac_status mine(struct cause_list *list, tac_error *err)
{
    tac_mine_options options = tac_mine_defaults();
    tac_status status =
        tac_mine(list->runs, &options, list->report->project.options->watch, &list->mined, err);
    if (status != TAC_OK)
        list->mined = NULL;
    /* the causes are known without patterns */
    return status == TAC_E_LIMIT || status == TAC_E_INPUT ? TAC_OK : status;
}

static void add_causes(struct cause_list *list, const struct crash_history *history, json_t *causes,
                       json_t *trends)
{
    for (size_t i = 0; i < list->at.count; i++) {
        const struct crash_cause *cause = &list->at.at[i];
        const struct report_run *typical = typical_run(list, cause);
        const struct cause_list *before = history->at.count ? &tac_vec_last(&history->at) : NULL;
        struct shown_stack stack;
        stack_show(typical->stack, typical->message, cause->name, &stack);
        json_array_append_new(causes, cause_json(list, cause, &stack, typical));
        add_finding(list, cause, &stack,
                    before && !(before->campaign && runs_of(before, cause->name)));
        add_trend(list, history, cause->name, cause->runs.count, trends);
        stack_free(&stack);
    }
    if (history->at.count && tac_vec_last(&history->at).campaign)
        name_gone(list, history, trends);
}

static tac_status add_campaign(struct tac_report *report, size_t index, json_t *causes,
                               tac_error *err)
{
    struct report_campaign *campaign = &report->project.campaigns.at[index];
    struct cause_list list = {.report = report, .campaign = campaign};
    struct crash_history history = {0};
    bool crashed = false;
    for (size_t i = 0; i < campaign->runs.count; i++)
        crashed = crashed || is_crash(&campaign->runs.at[i]);
    if (!crashed && !report->baselines.count)
        return TAC_OK;
    list.reproduction = script_file_load(campaign);
    tac_status status = read_runs(&list, crashed, err);
    if (status == TAC_OK && crashed)
        status = mine(&list, err);
    if (status == TAC_OK)
        status = read_history(report, index, &history, err);
    if (status == TAC_OK) {
        group(&list);
        add_causes(&list, &history, causes, report->trends);
    }
    free_history(&history);
    free_list(&list);
    return status;
}

tac_status report_add_causes(struct tac_report *report, tac_error *err)
{
    json_t *causes = json_array();
    tac_status status = TAC_OK;
    for (size_t i = 0; i < report->project.campaigns.count && status == TAC_OK; i++)
        status = add_campaign(report, i, causes, err);
    json_object_set_new(report->document, "causes", causes);
    return status;
}
