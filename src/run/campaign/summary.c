/* How the runs ended and what the properties said, per scenario: one pass over the store's runs and
 * one over its verdicts, so that a continued campaign counts the earlier runs too. Counters stand
 * beside the names that they are of, by index. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/arena.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "base/verdict.h"
#include "mining/runs/finding.h"
#include "run/actions/tally.h"
#include "run/campaign/campaign.h"
#include <math.h>
#include <string.h>

static const char *const end_names[] = {
    [RUN_PASS] = "pass", [RUN_FAIL] = "fail", [RUN_CRASH] = "crash", [RUN_ABORTED] = "aborted"};
TABLE_COVERS(end_names, RUN_ABORTED);
enum { ENDS = 4 };

/* What the caller holds is the first member; its texts and lists are the arena's. */
struct owned_summary {
    tac_run_summary shown;
    tac_arena arena;
};

struct summary_tally {
    const struct run_campaign *campaign;
    tac_arena *arena;
    int64_t ends[ENDS];
    uint64_t ignored;                                  /* rules that matched in some run */
    tac_names device_names, crash_ids, property_names; /* indices into the lists below */
    TAC_VEC(tac_run_share) devices;
    TAC_VEC(tac_run_coverage) coverage;
    TAC_VEC(tac_run_crash) crashes;
    TAC_VEC(tac_run_property) properties;
    TAC_VEC(tac_run_failure) failures; /* in the order of the store */
    TAC_VEC(tac_run_failure) notes;    /* likewise */
    TAC_VEC(tac_run_verdict) verdicts;
    struct action_tally actions; /* without a file: none */
    tac_u64map stopped;          /* runs that were stopped at a violation */
    tac_names scenario_names;
    tac_u64map scenarios; /* of runs; index into scenario_names */
};

static const char *keep_text(struct summary_tally *tally, const char *text)
{
    return tac_arena_strdup(tally->arena, text ? text : "");
}

static int64_t count_in(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static void tally_coverage(struct summary_tally *tally, const tac_store_run *run,
                           const json_t *details)
{
    const json_t *at = json_object_get(details, "coverage");
    const char *goal = json_string_value(json_object_get(at, "goal"));
    if (json_is_object(at))
        tac_vec_push(&tally->coverage,
                     (tac_run_coverage){.run = run->id,
                                        .covered = count_in(at, "covered"),
                                        .total = count_in(at, "total"),
                                        .events = count_in(at, "events"),
                                        .starts = count_in(at, "starts"),
                                        .unmodelled = count_in(at, "unmodelled"),
                                        .goal = keep_text(tally, goal ? goal : "transitions"),
                                        .ended = keep_text(tally, json_string_value(json_object_get(
                                                                      at, "ended")))});
}

/* What the row's details say: the device, and what an adaptive run covered. */
static void tally_details(struct summary_tally *tally, const tac_store_run *run)
{
    json_t *details = run->details ? json_loads(run->details, 0, NULL) : NULL;
    size_t i;
    const json_t *rule;
    json_array_foreach(json_object_get(details, "ignored"), i, rule)
    {
        json_int_t number = json_integer_value(rule);
        tally->ignored |= number >= 0 && number < 64 ? UINT64_C(1) << number : 0;
    }
    tally_coverage(tally, run, details);
    if (tally->actions.file)
        action_tally_add(&tally->actions, json_object_get(details, "actions"));
    const char *device = json_string_value(json_object_get(details, "ran_on"));
    if (device) {
        uint32_t at = tac_names_intern(&tally->device_names, device);
        if (at == tally->devices.count)
            tac_vec_push(&tally->devices, (tac_run_share){.device = keep_text(tally, device)});
        assert(at < tally->devices.count);
        tally->devices.at[at].runs++;
    }
    json_decref(details);
}

static void tally_crash(struct summary_tally *tally, const tac_store_run *run)
{
    char id[FINDING_ID];
    json_t *details = run->details ? json_loads(run->details, 0, NULL) : NULL;
    crash_finding(run->exception, details, id);
    json_decref(details);
    uint32_t at = tac_names_intern(&tally->crash_ids, id);
    if (at == tally->crashes.count)
        tac_vec_push(&tally->crashes, (tac_run_crash){.exception = keep_text(tally, run->exception),
                                                      .finding = keep_text(tally, id),
                                                      .example = run->id});
    assert(at < tally->crashes.count);
    tally->crashes.at[at].runs++;
}

static bool tally_run(void *context, const tac_store_run *run)
{
    struct summary_tally *tally = context;
    for (size_t end = 0; end < ENDS; end++)
        tally->ends[end] += !strcmp(run->verdict, end_names[end]);
    tac_u64map_at(&tally->scenarios, (uint64_t)run->id,
                  tac_names_intern(&tally->scenario_names, run->scenario), NULL);
    tally_details(tally, run);
    if (!strcmp(run->verdict, end_names[RUN_CRASH]))
        tally_crash(tally, run);
    if (!strcmp(run->verdict, end_names[RUN_ABORTED]))
        tac_u64map_at(&tally->stopped, (uint64_t)run->id, 1, NULL);
    bool passed = !strcmp(run->verdict, end_names[RUN_PASS]);
    bool says = passed ? *run->message : strcmp(run->verdict, end_names[RUN_CRASH]) != 0;
    if (!says)
        return true;
    tac_run_failure row = {.run = run->id,
                           .verdict = keep_text(tally, run->verdict),
                           .scenario = keep_text(tally, run->scenario),
                           .message = keep_text(tally, run->message)};
    if (passed)
        tac_vec_push(&tally->notes, row);
    else
        tac_vec_push(&tally->failures, row);
    return true;
}

/* The counters of a property in a scenario. */
static tac_run_property *property_of(struct summary_tally *tally, const char *property,
                                     const char *scenario)
{
    char *key = tac_format("%s\n%s", property, scenario);
    uint32_t at = tac_names_intern(&tally->property_names, key);
    free(key);
    if (at == tally->properties.count)
        tac_vec_push(&tally->properties, (tac_run_property){.name = keep_text(tally, property),
                                                            .scenario = keep_text(tally, scenario),
                                                            .worst_margin = NAN});
    assert(at < tally->properties.count);
    return &tally->properties.at[at];
}

static const char *scenario_of(const struct summary_tally *tally, int64_t run)
{
    const uint64_t *at = tac_u64map_find(&tally->scenarios, (uint64_t)run);
    return at ? tally->scenario_names.text[*at] : "";
}

static int64_t step_of(const json_t *document)
{
    const json_t *step = json_object_get(document, "step");
    return step ? json_integer_value(step) : -1;
}

static bool tally_verdict(void *context, int64_t run, const char *property, const char *answer,
                          const json_t *document)
{
    struct summary_tally *tally = context;
    tac_run_property *row = property_of(tally, property, scenario_of(tally, run));
    const json_t *given = json_object_get(document, "margin");
    double margin = json_is_number(given) ? json_number_value(given) : NAN;
    if (json_is_object(json_object_get(document, "early_alarm")) &&
        tac_u64map_find(&tally->stopped, (uint64_t)run))
        answer = tac_answer_name(TAC_VIOLATED); /* the run was stopped because of it */
    row->runs++;
    row->untested += json_integer_value(json_object_get(document, "untested"));
    bool exercised = !json_is_false(json_object_get(document, "exercised"));
    row->exercised += exercised;
    row->violated += !strcmp(answer, tac_answer_name(TAC_VIOLATED)) ||
                     !strcmp(answer, tac_answer_name(TAC_PRESUMABLY_VIOLATED));
    row->inconclusive += !strcmp(answer, tac_answer_name(TAC_INCONCLUSIVE));
    assert(row->violated + row->inconclusive <= row->runs);
    if (isnan(row->worst_margin) || margin < row->worst_margin)
        row->worst_margin = margin;
    tac_vec_push(&tally->verdicts, (tac_run_verdict){.run = run,
                                                     .property = row->name,
                                                     .scenario = row->scenario,
                                                     .verdict = keep_text(tally, answer),
                                                     .margin = margin,
                                                     .exercised = exercised,
                                                     .untested = json_integer_value(
                                                         json_object_get(document, "untested")),
                                                     .step = step_of(document)});
    return true;
}

static struct summary_tally start_tally(const struct run_campaign *campaign, tac_arena *arena)
{
    struct summary_tally tally = {.campaign = campaign, .arena = arena};
    if (campaign->actions)
        action_tally_start(&tally.actions, campaign->actions);
    return tally;
}

static void free_tally(struct summary_tally *tally)
{
    action_tally_free(&tally->actions);
    tac_u64map_free(&tally->stopped);
    tac_u64map_free(&tally->scenarios);
    tac_names_free(&tally->scenario_names);
    tac_names_free(&tally->device_names);
    tac_names_free(&tally->crash_ids);
    tac_names_free(&tally->property_names);
    tac_vec_free(&tally->devices);
    tac_vec_free(&tally->coverage);
    tac_vec_free(&tally->crashes);
    tac_vec_free(&tally->properties);
    tac_vec_free(&tally->failures);
    tac_vec_free(&tally->notes);
    tac_vec_free(&tally->verdicts);
}

/* --- the summary --- */

static void *keep(tac_arena *arena, const void *list, size_t count, size_t size)
{
    void *copy = tac_arena_calloc(arena, count + 1, size);
    if (count)
        memcpy(copy, list, count * size);
    return copy;
}

/* The options' texts and the campaign's may go before the summary does. */
static void keep_campaign(struct summary_tally *tally, tac_run_summary *out)
{
    const struct run_campaign *campaign = tally->campaign;
    const tac_run_options *options = campaign->options;
    const char **scenarios =
        tac_arena_calloc(tally->arena, options->scenario_count + 1, sizeof *scenarios);
    tac_run_lost_device *lost =
        tac_arena_calloc(tally->arena, campaign->lost.count + 1, sizeof *lost);
    for (size_t i = 0; i < options->scenario_count; i++)
        scenarios[i] = keep_text(tally, options->scenarios[i]);
    for (size_t i = 0; i < campaign->lost.count; i++)
        lost[i] = (tac_run_lost_device){.device = keep_text(tally, campaign->lost.at[i].device),
                                        .message = keep_text(tally, campaign->lost.at[i].message),
                                        .after = campaign->lost.at[i].after};
    const char **unmatched =
        tac_arena_calloc(tally->arena, options->ignore_count + 1, sizeof *unmatched);
    for (size_t i = 0; i < options->ignore_count; i++)
        if (!(tally->ignored >> i & 1))
            unmatched[out->unmatched_count++] = keep_text(tally, options->ignore[i]);
    out->unmatched = unmatched;
    out->folder = keep_text(tally, tac_store_folder(campaign->store));
    out->scenarios = scenarios;
    out->scenario_count = options->scenario_count;
    out->lost = lost;
    out->lost_count = campaign->lost.count;
}

static void fill_summary(struct summary_tally *tally, tac_run_summary *out)
{
    keep_campaign(tally, out);
    out->pass = tally->ends[RUN_PASS];
    out->fail = tally->ends[RUN_FAIL];
    out->crash = tally->ends[RUN_CRASH];
    out->aborted = tally->ends[RUN_ABORTED];
    out->runs = out->pass + out->fail + out->crash + out->aborted;
    out->missing = (int64_t)tally->campaign->run_count - out->runs;
    assert(out->missing >= 0);
#define KEEP(list) keep(tally->arena, tally->list.at, tally->list.count, sizeof *tally->list.at)
    out->properties = KEEP(properties);
    out->crashes = KEEP(crashes);
    out->failures = KEEP(failures);
    out->notes = KEEP(notes);
    out->verdicts = KEEP(verdicts);
    out->devices = KEEP(devices);
    out->coverage = KEEP(coverage);
#undef KEEP
    if (tally->actions.file) {
        out->actions = action_tally_rows(&tally->actions, tally->arena);
        out->action_count = tally->actions.file->actions.count;
    }
    out->property_count = tally->properties.count;
    out->crash_count = tally->crashes.count;
    out->failure_count = tally->failures.count;
    out->note_count = tally->notes.count;
    out->verdict_count = tally->verdicts.count;
    out->device_count = tally->devices.count;
    out->coverage_count = tally->coverage.count;
}

static tac_status write_summary(const struct run_campaign *campaign, const tac_run_summary *summary,
                                tac_error *err)
{
    json_t *document = tac_run_summary_json(summary);
    char *text = tac_json_text(document, JSON_INDENT(1));
    char *path = tac_format("%s/verdicts.json", campaign->options->folder);
    tac_status status = tac_output_write_file(path, text, strlen(text), err);
    if (status == TAC_OK && campaign->remote)
        status = tac_store_put_file(campaign->store, "verdicts.json", path, err);
    if (status == TAC_OK && campaign->remote)
        status = tac_store_commit(campaign->store, err);
    free(path);
    free(text);
    json_decref(document);
    return status;
}

tac_status campaign_sum_up(const struct run_campaign *campaign, tac_run_summary **out,
                           tac_error *err)
{
    struct owned_summary *summary = tac_calloc(1, sizeof *summary);
    struct summary_tally tally = start_tally(campaign, &summary->arena);
    tac_status status = tac_store_each_run(campaign->store, tally_run, &tally, err);
    if (status == TAC_OK)
        status = tac_store_each_verdict(campaign->store, tally_verdict, &tally, err);
    if (status == TAC_OK) {
        fill_summary(&tally, &summary->shown);
        *out = &summary->shown;
    } else {
        tac_run_summary_free(&summary->shown);
    }
    free_tally(&tally);
    return status;
}

tac_status campaign_summarise(const struct run_campaign *campaign, tac_run_summary **out,
                              tac_error *err)
{
    tac_status status = campaign_sum_up(campaign, out, err);
    return status == TAC_OK ? write_summary(campaign, *out, err) : status;
}

tac_run_summary *campaign_planned(const struct run_campaign *campaign)
{
    struct owned_summary *summary = tac_calloc(1, sizeof *summary);
    struct summary_tally tally = start_tally(campaign, &summary->arena);
    fill_summary(&tally, &summary->shown);
    free_tally(&tally);
    return &summary->shown;
}

void tac_run_summary_free(tac_run_summary *summary)
{
    struct owned_summary *owned = (struct owned_summary *)summary;
    if (owned)
        tac_arena_free(&owned->arena);
    free(owned);
}

tac_answer tac_run_answer(const tac_run_summary *summary)
{
    tac_answer answer = summary->runs > summary->pass ? TAC_VIOLATED : TAC_HOLDS;
    for (size_t i = 0; i < summary->property_count; i++) {
        const tac_run_property *at = &summary->properties[i];
        answer = tac_answer_both(answer, at->violated       ? TAC_VIOLATED
                                         : at->inconclusive ? TAC_INCONCLUSIVE
                                                            : TAC_HOLDS);
    }
    for (size_t i = 0; i < summary->coverage_count; i++)
        answer = tac_answer_both(answer, summary->coverage[i].covered < summary->coverage[i].total
                                             ? TAC_INCONCLUSIVE
                                             : TAC_HOLDS);
    return answer;
}
