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
#include "mining/runs/finding.h"
#include "store/list.h"

#include "property/property.h"
#include <string.h>
#include <unistd.h>

struct run_case_list {
    struct pipeline *to;
    const tac_run_options *options;
    const char *folder; /* as the reader knows it; "" when the traces are in a database */
    const char *local;  /* where the traces are now */
    tac_properties *properties;
    struct store_list rows;
    TAC_VEC(const char *) findings; /* by run: the identity of its crash, or NULL */
    TAC_VEC(bool) tested;           /* by property: some run exercised it */
    tac_checked_trace *checked;     /* by run: once it was asked for, if it could be read */
};

/* The way back to the failure, to be pasted. */
static void add_search(const struct run_case_list *list, const tac_store_run *run,
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

/* The trace as the reader knows it; NULL where there is none. */
static const char *shown_trace(const struct run_case_list *list, const tac_store_run *run)
{
    return *list->folder && *run->trace ? pipeline_text(list->to, "%s/%s", list->folder, run->trace)
                                        : NULL;
}

static void add_show(tac_str *out, const char *trace)
{
    tac_str_add(out, "see it: tactus trace show ");
    tac_quote_shell(out, trace);
}

static void place_trace(const struct run_case_list *list, const tac_store_run *run)
{
    const char *trace = shown_trace(list, run);
    if (trace)
        pipeline_place(list->to, trace, 0);
}

/* The trace, and what was kept beside it of a run that failed. */
static void attach_kept(const struct run_case_list *list, const tac_store_run *run)
{
    static const char *const kinds[] = {"png", "xml", "log"};
    const char *trace = shown_trace(list, run);
    if (!trace)
        return;
    pipeline_attach(list->to, trace);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *path = pipeline_text(list->to, "%s/failures/%06lld.%s", list->folder,
                                         (long long)run->id, kinds[i]);
        if (access(path, R_OK) == 0)
            pipeline_attach(list->to, path);
    }
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
    for (size_t i = 0; i < list->rows.verdicts.count && count; i++) {
        size_t index = tac_property_find(list->properties, list->rows.verdicts.at[i].property);
        if (index < count && list->rows.verdicts.at[i].exercised)
            list->tested.at[index] = true;
    }
}

static enum finding_level level_of(const struct run_case_list *list,
                                   const struct listed_verdict *verdict)
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
static bool has_violation(const struct run_case_list *list, const tac_store_run *run)
{
    bool found = false;
    bool aborted = tac_stored_end_of(run->verdict) == TAC_STORED_ABORTED;
    for (size_t i = 0; i < list->rows.verdicts.count && aborted; i++)
        found |= list->rows.verdicts.at[i].run == run->id &&
                 level_of(list, &list->rows.verdicts.at[i]) == FINDING_ERROR;
    return found;
}

static void add_run(const struct run_case_list *list, const tac_store_run *run)
{
    tac_stored_end end = tac_stored_end_of(run->verdict);
    bool crash = end == TAC_STORED_CRASH, fail = end == TAC_STORED_FAIL;
    const char *rule = crash ? "crash" : "run", *trace = shown_trace(list, run);
    struct pipeline *to = list->to;
    if (end == TAC_STORED_PASS || has_violation(list, run)) {
        pipeline_add(to, FINDING_PASS, rule, run->name, "done", "", run->name);
        pipeline_time(to, run->seconds);
        return;
    }
    tac_str detail = {0};
    const char *same = crash            ? run->exception
                       : run->flow >= 0 ? pipeline_text(to, "flow %lld%s%s", (long long)run->flow,
                                                        *run->scenario ? ", " : "", run->scenario)
                                        : run->name;
    const char *how = crash                       ? "crashes with"
                      : fail                      ? "could not be carried out:"
                      : end == TAC_STORED_ABORTED ? "was stopped:"
                                                  : "ended in an error:";
    if (crash && *run->message && strcmp(run->message, run->exception) != 0)
        tac_str_add(&detail, run->message);
    if (crash)
        add_search(list, run, NULL, &detail);
    else if (trace)
        add_show(&detail, trace);
    pipeline_add(
        to, FINDING_ERROR, rule, run->name,
        pipeline_text(to, "%s %s %s", run->name, how, crash ? run->exception : run->message),
        tac_str_text(&detail), same);
    size_t row = store_list_find(&list->rows, run->id);
    if (crash && row < list->findings.count)
        pipeline_identify(to, list->findings.at[row]);
    else {
        char id[FINDING_ID]; /* the step that could not be done, wherever it was met */
        finding_identity_of_text("run", run->message, id);
        pipeline_identify(to, id);
    }
    pipeline_time(to, run->seconds);
    attach_kept(list, run);
    if (run->flow >= 0 && list->options->flows)
        pipeline_place(to, list->options->flows, (size_t)run->flow + 1);
    place_trace(list, run);
    tac_str_free(&detail);
}

/* What the property says about the trace, in words; NULL when the trace cannot be read again. A
 * trace is checked once, for all its properties. */
static const char *explain(const struct run_case_list *list, size_t row, size_t property,
                           tac_str *detail)
{
    const tac_store_run *run = &list->rows.runs.at[row];
    tac_checked_trace *checked = &list->checked[row];
    const char *shown = shown_trace(list, run);
    if (!checked->trace && *run->trace) {
        tac_check_options options = {.watch = list->options->watch};
        tac_error ignored; /* the verdict is known without */
        char *path = tac_format("%s/%s", list->local, run->trace);
        tac_check_trace(list->properties, path, &options, checked, &ignored);
        free(path);
    }
    if (!checked->trace)
        return NULL;
    const tac_check_finding *found = &checked->findings[property];
    if (found->has_place && shown) {
        add_show(detail, shown);
        tac_str_addf(detail, " --states %llu..%llu", (unsigned long long)found->from,
                     (unsigned long long)found->to);
    }
    return found->explanation;
}

static const char *plain_words(const struct listed_verdict *verdict, enum finding_level level)
{
    return !verdict->exercised     ? "nothing in the run tested it"
           : level == FINDING_PASS ? "holds"
                                   : verdict->answer;
}

static void add_verdict(const struct run_case_list *list, const struct listed_verdict *verdict)
{
    size_t row = store_list_find(&list->rows, verdict->run);
    size_t index =
        list->properties ? tac_property_find(list->properties, verdict->property) : SIZE_MAX;
    enum finding_level level = level_of(list, verdict);
    struct pipeline *to = list->to;
    if (row == SIZE_MAX)
        return;
    const tac_store_run *run = &list->rows.runs.at[row];
    tac_str detail = {0};
    const char *why = level == FINDING_ERROR && index != SIZE_MAX
                          ? explain(list, row, index, &detail)
                      : level == FINDING_ERROR ? NULL
                                               : plain_words(verdict, level);
    if (level == FINDING_ERROR)
        add_search(list, run, verdict->property, &detail);
    pipeline_add(
        to, level, pipeline_text(to, "property.%s", verdict->property), run->name,
        pipeline_text(to, "%s in %s: %s", verdict->property, run->name, why ? why : "violated"),
        tac_str_text(&detail),
        pipeline_text(to, "%s%s%s", verdict->property, *run->scenario ? ", " : "", run->scenario));
    pipeline_identify_property(to, verdict->property);
    if (index != SIZE_MAX)
        pipeline_place(to, list->options->properties, tac_property_line(list->properties, index));
    place_trace(list, run);
    tac_str_free(&detail);
}

static void declare(struct pipeline *to, const tac_properties *properties, const char *file)
{
    pipeline_rule(to, "run", "a run could not be carried out");
    pipeline_rule(to, "crash", "the app crashes");
    for (size_t i = 0; properties && i < tac_property_count(properties); i++) {
        const char *name = tac_property_name(properties, i);
        pipeline_rule(to, pipeline_text(to, "property.%s", name),
                      pipeline_text(to, "property %s of %s", name, piped_name(to->piped, file)));
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
        const char *text = pipeline_text(list->to, "%lld of %lld %s covered",
                                         (long long)at->covered, (long long)at->total, at->goal);
        pipeline_rule(list->to, "coverage", "what an adaptive run covers of its model");
        pipeline_add(list->to, at->covered < at->total ? FINDING_UNCLEAR : FINDING_PASS, "coverage",
                     "coverage", text, "", "coverage");
    }
    if (summary->missing <= 0)
        return;
    const char *text =
        pipeline_text(list->to, "%lld %s missing; the same command continues",
                      (long long)summary->missing, summary->missing == 1 ? "run is" : "runs are");
    pipeline_add(list->to, FINDING_UNCLEAR, "run", "missing runs", text, "", "missing");
}

static bool note_finding(void *context, const tac_store_run *run)
{
    struct run_case_list *list = context;
    char id[FINDING_ID];
    const char *kept = NULL;
    if (tac_stored_end_of(run->verdict) == TAC_STORED_CRASH) {
        json_t *details = run->details ? json_loads(run->details, 0, NULL) : NULL;
        crash_finding(run->exception, details, id);
        kept = pipeline_text(list->to, "%s", id);
        json_decref(details);
    }
    tac_vec_push(&list->findings, kept);
    return true;
}

static tac_status read_index(struct run_case_list *list, tac_error *err)
{
    tac_store *store = NULL;
    tac_status status = tac_store_open_mode(list->local, TAC_STORE_READ, &store, err);
    if (status == TAC_OK)
        status = store_list_runs(&list->rows, store, err);
    if (status == TAC_OK)
        status = store_list_verdicts(&list->rows, store, err);
    if (status == TAC_OK)
        status = tac_store_each_run(store, note_finding, list, err);
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
        list.checked = tac_calloc(list.rows.runs.count + 1, sizeof *list.checked);
        for (size_t i = 0; i < list.rows.runs.count; i++)
            add_run(&list, &list.rows.runs.at[i]);
        for (size_t i = 0; i < list.rows.verdicts.count; i++)
            add_verdict(&list, &list.rows.verdicts.at[i]);
        add_missing(&list, summary);
    }
    local_campaign_close(&campaign);
    tac_property_free(list.properties);
    for (size_t i = 0; list.checked && i < list.rows.runs.count; i++)
        tac_checked_trace_free(&list.checked[i]);
    free(list.checked);
    store_list_free(&list.rows);
    tac_vec_free(&list.tested);
    tac_vec_free(&list.findings);
    return status;
}

/* --- subjects --- */

static void add_cell(struct pipeline *to, const tac_run_options *options,
                     const tac_properties *properties, const tac_run_subject_row *row,
                     const tac_run_subject_property *cell)
{
    size_t index = properties ? tac_property_find(properties, cell->property) : SIZE_MAX;
    bool never = !cell->runs;
    const char *text =
        cell->violated
            ? pipeline_text(
                  to, "%s is violated on %s in %lld of %lld runs, first in run %lld at step %lld",
                  cell->property, row->subject, (long long)cell->violated, (long long)cell->runs,
                  (long long)cell->first_run, (long long)cell->first_step)
            : pipeline_text(to, "%s on %s: %s", cell->property, row->subject,
                            never ? "never tested" : "holds");
    tac_str detail = {0};
    if (cell->violated)
        add_show(&detail, pipeline_text(to, "%s/%s/traces/%06lld.jsonl", options->folder,
                                        row->subject, (long long)cell->first_run));
    pipeline_add(to,
                 cell->violated ? FINDING_ERROR
                 : never        ? FINDING_UNCLEAR
                                : FINDING_PASS,
                 pipeline_text(to, "property.%s", cell->property), row->subject, text,
                 tac_str_text(&detail),
                 pipeline_text(to, "%s on %s", cell->property, row->subject));
    pipeline_identify_property(to, cell->property);
    if (index != SIZE_MAX)
        pipeline_place(to, options->properties, tac_property_line(properties, index));
    tac_str_free(&detail);
}

static void add_subject(struct pipeline *to, const char *folder, const tac_run_subject_row *row)
{
    tac_str detail = {0};
    tac_str_add(&detail, "tactus report ");
    tac_quote_shell(&detail, pipeline_text(to, "%s/%s", folder, row->subject));
    int64_t bad = row->fail + row->crash;
    bool unclear = !row->started || *row->reason;
    const char *text =
        unclear ? pipeline_text(to, "%s did not %s: %s", row->subject,
                                row->started ? "finish" : "start", row->reason)
                : pipeline_text(to, "%s: %lld runs, %lld could not be carried out, %lld crashed",
                                row->subject, (long long)row->runs, (long long)row->fail,
                                (long long)row->crash);
    pipeline_add(to,
                 bad       ? FINDING_ERROR
                 : unclear ? FINDING_UNCLEAR
                           : FINDING_PASS,
                 row->crash ? "crash" : "run", row->subject, text, tac_str_text(&detail),
                 row->subject);
    if (row->started)
        pipeline_place(to, pipeline_text(to, "%s/%s/verdicts.json", folder, row->subject), 0);
    tac_str_free(&detail);
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
