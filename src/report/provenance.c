/* How it was obtained: commands, versions, seeds, durations, limits, what was not covered. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "report/sections.h"
#include "tactus/version.h"
#include <string.h>

static void add_fact(json_t *facts, const struct report_campaign *campaign, const char *name,
                     const char *value)
{
    const char *label = campaign ? campaign->label : "";
    char *title = tac_format("%s%s%s", label, label[0] ? ": " : "", name);
    json_array_append_new(facts,
                          json_pack("[o,o]", tac_json_string(title), tac_json_string(value)));
    free(title);
}

static bool add_command(void *context, const char *kind, const char *name, const json_t *document)
{
    (void)name;
    if (!strcmp(kind, "command") && json_is_string(document))
        json_array_append_new(context, tac_json_string(json_string_value(document)));
    return true;
}

struct totals {
    size_t runs;
    double seconds, longest;
};

static bool add_run(void *context, const tac_store_run *run)
{
    struct totals *totals = context;
    totals->runs++;
    totals->seconds += run->seconds;
    if (run->seconds > totals->longest)
        totals->longest = run->seconds;
    return true;
}

static void list_words(const json_t *array, tac_str *out)
{
    size_t i;
    const json_t *word;
    json_array_foreach(array, i, word) if (json_is_string(word))
        tac_str_addf(out, "%s%s", out->length ? ", " : "", json_string_value(word));
}

/* The seed as text; a number in plans of version 1. */
static void add_seed(json_t *facts, const struct report_campaign *campaign, const json_t *seed)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)json_integer_value(seed));
    add_fact(facts, campaign, "seed", json_is_string(seed) ? json_string_value(seed) : text);
}

static void add_plan(json_t *facts, const struct report_campaign *campaign, const json_t *plan,
                     const char *devices, const struct totals *totals)
{
    char text[160], digits[2][32];
    json_int_t planned = json_integer_value(json_object_get(plan, "runs"));
    json_int_t monkey = json_integer_value(json_object_get(plan, "monkey"));
    tac_str scenarios = {0}, probes = {0};
    list_words(json_object_get(plan, "scenarios"), &scenarios);
    list_words(json_object_get(plan, "probes"), &probes);
    const char *old_devices = json_string_value(json_object_get(plan, "device")); /* version 1 */
    if (!devices)
        devices = old_devices;
    if (devices)
        add_fact(facts, campaign, "device", devices);
    snprintf(text, sizeof text, "%s of %s planned%s",
             tac_thousands(totals->runs, digits[0], sizeof digits[0]),
             tac_thousands((uint64_t)planned, digits[1], sizeof digits[1]),
             totals->runs < (size_t)planned ? "; the same command does the rest" : "");
    add_fact(facts, campaign, "runs", text);
    if (monkey > 0) {
        snprintf(text, sizeof text, "up to %lld random events each",
                 (long long)json_integer_value(json_object_get(plan, "steps")));
        add_fact(facts, campaign, "kind", text);
    } else {
        snprintf(text, sizeof text, "flows, %lld execution%s each",
                 (long long)json_integer_value(json_object_get(plan, "repeat")),
                 json_integer_value(json_object_get(plan, "repeat")) == 1 ? "" : "s");
        add_fact(facts, campaign, "kind", text);
    }
    add_seed(facts, campaign, json_object_get(plan, "seed"));
    if (scenarios.length)
        add_fact(facts, campaign, "network scenarios", tac_str_text(&scenarios));
    if (probes.length)
        add_fact(facts, campaign, "probes", tac_str_text(&probes));
    snprintf(text, sizeof text, "%.1f %s on the device in all, the longest run %.1f s",
             totals->seconds < 7200 ? totals->seconds : totals->seconds / 3600,
             totals->seconds < 7200 ? "s" : "hours", totals->longest);
    add_fact(facts, campaign, "durations", text);
    tac_str_free(&scenarios);
    tac_str_free(&probes);
}

static tac_status add_campaign(json_t *commands, json_t *facts,
                               const struct report_campaign *campaign, tac_error *err)
{
    char *plan = NULL, *version = NULL, *devices = NULL;
    struct totals totals = {0};
    tac_status status = tac_store_each_document(campaign->store, add_command, commands, err);
    if (status == TAC_OK)
        status = tac_store_each_run(campaign->store, add_run, &totals, err);
    if (status == TAC_OK)
        status = tac_store_get(campaign->store, "plan", &plan, err);
    if (status == TAC_OK)
        status = tac_store_get(campaign->store, "version", &version, err);
    if (status == TAC_OK)
        status = tac_store_get(campaign->store, "devices", &devices, err);
    json_t *parsed = plan ? json_loads(plan, 0, NULL) : NULL;
    if (status == TAC_OK && version)
        add_fact(facts, campaign, "run by", version);
    if (status == TAC_OK && json_is_object(parsed))
        add_plan(facts, campaign, parsed, devices, &totals);
    json_decref(parsed);
    free(devices);
    free(version);
    free(plan);
    return status;
}

/* What the page leaves out so that it stays small. */
static void add_limits(json_t *facts, const struct tac_report *report)
{
    char text[240], digits[32];
    snprintf(text, sizeof text,
             "the traces of the runs that are named here are inside, then those that did not pass, "
             "then the others while the file stays under 20 MB (%s run%s in all)",
             tac_thousands(report->runs, digits, sizeof digits), report->runs == 1 ? "" : "s");
    add_fact(facts, NULL, "limits of this page", text);
    if (report->cut_curves) {
        snprintf(
            text, sizeof text,
            "of %zu %s the curves of some runs are drawn, the worst among them; all are counted",
            report->cut_curves, report->cut_curves == 1 ? "property" : "properties");
        add_fact(facts, NULL, "limits of this page", text);
    }
    if (report->cut_intervals) {
        snprintf(text, sizeof text, "of %zu %s the worst intervals are listed; all are counted",
                 report->cut_intervals, report->cut_intervals == 1 ? "property" : "properties");
        add_fact(facts, NULL, "limits of this page", text);
    }
}

static void add_not_covered(json_t *facts, const struct tac_report *report)
{
    for (size_t i = 0; i < report->models.count; i++) {
        const struct model_figures *model = &report->models.at[i];
        char text[200];
        if (model->states == model->visited && model->transitions == model->taken)
            continue;
        snprintf(text, sizeof text,
                 "%.60s: %zu of %zu states were never visited, %zu of %zu transitions never taken",
                 model->name, model->states - model->visited, model->states,
                 model->transitions - model->taken, model->transitions);
        add_fact(facts, NULL, "not covered", text);
    }
}

tac_status report_add_provenance(struct tac_report *report, tac_error *err)
{
    struct report_project *project = &report->project;
    json_t *commands = json_array(), *facts = json_array(), *provenance = json_object();
    tac_status status = TAC_OK;
    add_fact(facts, NULL, "written by", "tactus " TACTUS_VERSION);
    for (size_t i = 0; i < project->campaigns.count && status == TAC_OK; i++)
        status = add_campaign(commands, facts, &project->campaigns.at[i], err);
    for (size_t i = 0; i < project->options->baseline_count; i++)
        add_fact(facts, NULL, "baseline", project->options->baselines[i]);
    add_limits(facts, report);
    add_not_covered(facts, report);
    json_object_set_new(provenance, "commands", commands);
    json_object_set_new(provenance, "facts", facts);
    json_object_set_new(report->document, "provenance", provenance);
    return status;
}
