/* See run_cases.h.
 *
 * What a run ended with and what its properties said comes from the campaign's index; the sentence
 * about a violation comes from checking the run's trace once more. A violation of the same property
 * under the same scenario is the same finding in whichever run it shows, and a crash is named by
 * its exception, so that fingerprints outlive other seeds and other folders. */
#include "cli/run_cases.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "cli/piped.h"
#include "cli/store_io.h"
#include "tactus/property.h"
#include "tactus/store.h"
#include <string.h>

struct case_run {
    int64_t id, flow;
    const char *name, *scenario, *verdict, *message, *exception, *trace;
};

struct case_verdict {
    int64_t run;
    const char *property, *answer;
    bool exercised;
};

struct run_case_list {
    struct pipeline *to;
    const tac_run_options *options;
    const char *folder; /* as the reader knows it; "" when the traces are in a database */
    const char *local;  /* where the traces are now */
    tac_properties *properties;
    tac_arena arena;
    TAC_VEC(struct case_run) runs; /* by id */
    TAC_VEC(struct case_verdict) verdicts;
    TAC_VEC(bool) tested; /* by property: some run exercised it */
};

static const char *keep(struct run_case_list *list, const char *text)
{
    return tac_arena_strdup(&list->arena, text ? text : "");
}

static bool keep_run(void *context, const tac_store_run *run)
{
    struct run_case_list *list = context;
    tac_vec_push(&list->runs, (struct case_run){.id = run->id,
                                                .flow = run->flow,
                                                .name = keep(list, run->name),
                                                .scenario = keep(list, run->scenario),
                                                .verdict = keep(list, run->verdict),
                                                .message = keep(list, run->message),
                                                .exception = keep(list, run->exception),
                                                .trace = keep(list, run->trace)});
    return true;
}

static bool keep_verdict(void *context, int64_t run, const char *property, const char *answer,
                         const json_t *document)
{
    struct run_case_list *list = context;
    const json_t *exercised = json_object_get(document, "exercised");
    tac_vec_push(&list->verdicts, (struct case_verdict){.run = run,
                                                        .property = keep(list, property),
                                                        .answer = keep(list, answer),
                                                        .exercised = !json_is_false(exercised)});
    return true;
}

static const struct case_run *find_run(const struct run_case_list *list, int64_t id)
{
    size_t low = 0, high = list->runs.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->runs.at[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->runs.count && list->runs.at[low].id == id ? &list->runs.at[low] : NULL;
}

/* The way back to the failure, to be pasted. */
static void add_search(const struct run_case_list *list, const struct case_run *run,
                       const char *property, tac_str *out)
{
    if (list->options->device_count != 1)
        return;
    tac_str_addf(out, "%sthe shortest way there: tactus reproduce ", out->length ? "\n" : "");
    tac_quote_shell(out, list->options->folder);
    tac_str_addf(out, " --run %lld", (long long)run->id);
    if (property) {
        tac_str_add(out, " --property ");
        tac_quote_shell(out, property);
    }
    tac_str_add(out, " --device ");
    tac_quote_shell(out, list->options->devices[0].uri);
    tac_str_add(out, " -o shortest");
}

static void place_trace(const struct run_case_list *list, const struct case_run *run)
{
    if (!*list->folder || !*run->trace)
        return;
    char *path = tac_format("%s/%s", list->folder, run->trace);
    pipeline_place(list->to, path, 0);
    free(path);
}

/* Did any run test the property? */
static bool is_tested(const struct run_case_list *list, const char *property)
{
    size_t index = list->properties ? tac_property_find(list->properties, property) : SIZE_MAX;
    return index < list->tested.count && list->tested.at[index];
}

static void note_tested(struct run_case_list *list)
{
    size_t count = list->properties ? tac_property_count(list->properties) : 0;
    for (size_t i = 0; i < count; i++)
        tac_vec_push(&list->tested, false);
    for (size_t i = 0; i < list->verdicts.count && count; i++) {
        size_t index = tac_property_find(list->properties, list->verdicts.at[i].property);
        if (index < count && list->verdicts.at[i].exercised)
            list->tested.at[index] = true;
    }
}

static enum finding_level level_of(const struct run_case_list *list,
                                   const struct case_verdict *verdict)
{
    if (!strcmp(verdict->answer, tac_answer_name(TAC_VIOLATED)))
        return FINDING_ERROR;
    bool good = !strcmp(verdict->answer, tac_answer_name(TAC_HOLDS)) ||
                !strcmp(verdict->answer, tac_answer_name(TAC_PRESUMABLY_HOLDS));
    if (good && !verdict->exercised && is_tested(list, verdict->property))
        return FINDING_ELSEWHERE;
    return good && verdict->exercised ? FINDING_PASS : FINDING_UNCLEAR;
}

/* Was it stopped by a violation, which is a case of its own? */
static bool has_violation(const struct run_case_list *list, const struct case_run *run)
{
    bool found = false;
    bool aborted = tac_stored_end_of(run->verdict) == TAC_STORED_ABORTED;
    for (size_t i = 0; i < list->verdicts.count && aborted; i++)
        found |= list->verdicts.at[i].run == run->id &&
                 level_of(list, &list->verdicts.at[i]) == FINDING_ERROR;
    return found;
}

static void add_run(const struct run_case_list *list, const struct case_run *run)
{
    tac_stored_end end = tac_stored_end_of(run->verdict);
    bool crash = end == TAC_STORED_CRASH, fail = end == TAC_STORED_FAIL;
    const char *rule = crash ? "crash" : "run";
    if (end == TAC_STORED_PASS || has_violation(list, run)) {
        pipeline_add(list->to, FINDING_PASS, rule, run->name, "done", "", run->name);
        return;
    }
    tac_str detail = {0};
    char *same = crash            ? tac_strdup(run->exception)
                 : run->flow >= 0 ? tac_format("flow %lld%s%s", (long long)run->flow,
                                               *run->scenario ? ", " : "", run->scenario)
                                  : tac_strdup(run->name);
    char *text = crash  ? tac_format("%s crashes with %s", run->name, run->exception)
                 : fail ? tac_format("%s could not be carried out: %s", run->name, run->message)
                 : end == TAC_STORED_ABORTED
                     ? tac_format("%s was stopped: %s", run->name, run->message)
                     : tac_format("%s ended in an error: %s", run->name, run->message);
    if (crash && *run->message && strcmp(run->message, run->exception) != 0)
        tac_str_add(&detail, run->message);
    if (crash)
        add_search(list, run, NULL, &detail);
    else if (*list->folder && *run->trace) {
        char *trace = tac_format("%s/%s", list->folder, run->trace);
        tac_str_addf(&detail, "see it: tactus trace show ");
        tac_quote_shell(&detail, trace);
        free(trace);
    }
    pipeline_add(list->to, FINDING_ERROR, rule, run->name, text, tac_str_text(&detail), same);
    if (run->flow >= 0 && list->options->flows)
        pipeline_place(list->to, list->options->flows, (size_t)run->flow + 1);
    place_trace(list, run);
    tac_str_free(&detail);
    free(text);
    free(same);
}

/* What the property says about the trace, in words; NULL when the trace cannot be read again. */
static char *explain(const struct run_case_list *list, const struct case_run *run, size_t property,
                     tac_str *detail)
{
    tac_check_options options = {.watch = list->options->watch};
    tac_checked_trace checked;
    tac_error ignored; /* the verdict is known without */
    char *path = tac_format("%s/%s", list->local, run->trace);
    char *text = NULL;
    if (*run->trace &&
        tac_check_trace(list->properties, path, &options, &checked, &ignored) == TAC_OK) {
        const tac_check_finding *found = &checked.findings[property];
        text = tac_strdup(found->explanation);
        if (found->has_place && *list->folder) {
            char *shown = tac_format("%s/%s", list->folder, run->trace);
            tac_str_add(detail, "see it: tactus trace show ");
            tac_quote_shell(detail, shown);
            tac_str_addf(detail, " --states %llu..%llu", (unsigned long long)found->from,
                         (unsigned long long)found->to);
            free(shown);
        }
        tac_checked_trace_free(&checked);
    }
    free(path);
    return text;
}

static const char *plain_words(const struct case_verdict *verdict, enum finding_level level)
{
    return !verdict->exercised     ? "nothing in the run tested it"
           : level == FINDING_PASS ? "holds"
                                   : verdict->answer;
}

static void add_verdict(const struct run_case_list *list, const struct case_verdict *verdict)
{
    const struct case_run *run = find_run(list, verdict->run);
    size_t index =
        list->properties ? tac_property_find(list->properties, verdict->property) : SIZE_MAX;
    enum finding_level level = level_of(list, verdict);
    if (!run)
        return;
    tac_str detail = {0};
    char *why =
        level == FINDING_ERROR && index != SIZE_MAX ? explain(list, run, index, &detail) : NULL;
    char *rule = tac_format("property.%s", verdict->property);
    char *text = tac_format("%s in %s: %s", verdict->property, run->name,
                            why                      ? why
                            : level == FINDING_ERROR ? "violated"
                                                     : plain_words(verdict, level));
    char *same = tac_format("%s%s%s", verdict->property, *run->scenario ? ", " : "", run->scenario);
    if (level == FINDING_ERROR)
        add_search(list, run, verdict->property, &detail);
    pipeline_add(list->to, level, rule, run->name, text, tac_str_text(&detail), same);
    if (index != SIZE_MAX)
        pipeline_place(list->to, list->options->properties,
                       tac_property_line(list->properties, index));
    place_trace(list, run);
    tac_str_free(&detail);
    free(why);
    free(rule);
    free(text);
    free(same);
}

static void declare(struct pipeline *to, const tac_properties *properties, const char *file)
{
    pipeline_rule(to, "run", "a run could not be carried out");
    pipeline_rule(to, "crash", "the app crashes");
    for (size_t i = 0; properties && i < tac_property_count(properties); i++) {
        char *rule = tac_format("property.%s", tac_property_name(properties, i));
        char *what = tac_format("property %s of %s", tac_property_name(properties, i),
                                piped_name(to->piped, file));
        pipeline_rule(to, rule, what);
        free(rule);
        free(what);
    }
}

static tac_status load(const char *file, tac_properties **out, tac_error *err)
{
    tac_diagnostics found = {0};
    *out = NULL;
    tac_status status = file ? tac_property_load(file, &found, out, err) : TAC_OK;
    tac_diagnostics_free(&found);
    return status;
}

static void add_missing(const struct run_case_list *list, const tac_run_summary *summary)
{
    for (size_t i = 0; i < summary->coverage_count; i++) {
        const tac_run_coverage *at = &summary->coverage[i];
        char *text = tac_format("%lld of %lld transitions covered", (long long)at->covered,
                                (long long)at->total);
        pipeline_rule(list->to, "coverage", "what an adaptive run covers of its model");
        pipeline_add(list->to, at->covered < at->total ? FINDING_UNCLEAR : FINDING_PASS, "coverage",
                     "coverage", text, "", "coverage");
        free(text);
    }
    if (summary->missing <= 0)
        return;
    char *text =
        tac_format("%lld %s missing; the same command continues", (long long)summary->missing,
                   summary->missing == 1 ? "run is" : "runs are");
    pipeline_add(list->to, FINDING_UNCLEAR, "run", "missing runs", text, "", "missing");
    free(text);
}

static tac_status read_index(struct run_case_list *list, tac_error *err)
{
    tac_store *store = NULL;
    tac_status status = tac_store_open_mode(list->local, TAC_STORE_READ, &store, err);
    if (status == TAC_OK)
        status = tac_store_each_run(store, keep_run, list, err);
    if (status == TAC_OK)
        status = tac_store_each_verdict(store, keep_verdict, list, err);
    if (store)
        tac_store_close(store, NULL);
    return status;
}

tac_status run_cases(const struct invocation *in, struct pipeline *to,
                     const tac_run_options *options, const tac_run_summary *summary, tac_error *err)
{
    struct local_campaign campaign = {0};
    struct run_case_list list = {.to = to, .options = options};
    tac_status status = load(options->properties, &list.properties, err);
    if (status == TAC_OK)
        status = local_campaign_open(in, options->folder, &campaign, err);
    list.local = campaign.folder;
    list.folder = tac_store_is_address(options->folder) ? "" : options->folder;
    if (status == TAC_OK)
        status = read_index(&list, err);
    if (status == TAC_OK) {
        declare(to, list.properties, options->properties);
        note_tested(&list);
        for (size_t i = 0; i < list.runs.count; i++)
            add_run(&list, &list.runs.at[i]);
        for (size_t i = 0; i < list.verdicts.count; i++)
            add_verdict(&list, &list.verdicts.at[i]);
        add_missing(&list, summary);
    }
    local_campaign_close(&campaign);
    tac_property_free(list.properties);
    tac_vec_free(&list.runs);
    tac_vec_free(&list.verdicts);
    tac_vec_free(&list.tested);
    tac_arena_free(&list.arena);
    return status;
}

/* --- subjects --- */

static void add_cell(struct pipeline *to, const tac_run_options *options,
                     const tac_properties *properties, const tac_run_subject_row *row,
                     const tac_run_subject_property *cell)
{
    size_t index = properties ? tac_property_find(properties, cell->property) : SIZE_MAX;
    char *rule = tac_format("property.%s", cell->property);
    char *same = tac_format("%s on %s", cell->property, row->subject);
    bool never = !cell->runs;
    char *text =
        cell->violated
            ? tac_format(
                  "%s is violated on %s in %lld of %lld runs, first in run %lld at step %lld",
                  cell->property, row->subject, (long long)cell->violated, (long long)cell->runs,
                  (long long)cell->first_run, (long long)cell->first_step)
            : tac_format("%s on %s: %s", cell->property, row->subject,
                         never ? "never tested" : "holds");
    tac_str detail = {0};
    if (cell->violated) {
        tac_str_add(&detail, "see it: tactus trace show ");
        char *trace = tac_format("%s/%s/traces/%06lld.jsonl", options->folder, row->subject,
                                 (long long)cell->first_run);
        tac_quote_shell(&detail, trace);
        free(trace);
    }
    pipeline_add(to,
                 cell->violated ? FINDING_ERROR
                 : never        ? FINDING_UNCLEAR
                                : FINDING_PASS,
                 rule, row->subject, text, tac_str_text(&detail), same);
    if (index != SIZE_MAX)
        pipeline_place(to, options->properties, tac_property_line(properties, index));
    tac_str_free(&detail);
    free(rule);
    free(same);
    free(text);
}

static void add_subject(struct pipeline *to, const char *folder, const tac_run_subject_row *row)
{
    tac_str detail = {0};
    char *campaign = tac_format("%s/%s", folder, row->subject);
    tac_str_add(&detail, "tactus report ");
    tac_quote_shell(&detail, campaign);
    free(campaign);
    int64_t bad = row->fail + row->crash;
    char *text =
        !row->started || *row->reason
            ? tac_format("%s did not %s: %s", row->subject, row->started ? "finish" : "start",
                         row->reason)
            : tac_format("%s: %lld runs, %lld could not be carried out, %lld crashed", row->subject,
                         (long long)row->runs, (long long)row->fail, (long long)row->crash);
    pipeline_add(to,
                 bad                             ? FINDING_ERROR
                 : !row->started || *row->reason ? FINDING_UNCLEAR
                                                 : FINDING_PASS,
                 row->crash ? "crash" : "run", row->subject, text, tac_str_text(&detail),
                 row->subject);
    char *file = tac_format("%s/%s/verdicts.json", folder, row->subject);
    if (row->started)
        pipeline_place(to, file, 0);
    tac_str_free(&detail);
    free(file);
    free(text);
}

tac_status run_subject_cases(struct pipeline *to, const tac_run_options *options,
                             const tac_run_matrix *matrix, tac_error *err)
{
    tac_properties *properties;
    tac_status status = load(options->properties, &properties, err);
    if (status == TAC_OK)
        declare(to, properties, options->properties);
    for (size_t i = 0; i < matrix->count && status == TAC_OK; i++) {
        add_subject(to, options->folder, &matrix->rows[i]);
        for (size_t k = 0; k < matrix->rows[i].property_count; k++)
            add_cell(to, options, properties, &matrix->rows[i], &matrix->rows[i].properties[k]);
    }
    tac_property_free(properties);
    return status;
}
