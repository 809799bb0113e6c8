/* See measure.h. Each trace is read once; every KPI with a formula is a property file of its own,
 * so that a variable that is missing for one KPI costs only that one. */
#include "kpi/measure.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/keep/scratch.h"
#include "property/check/judge.h"
#include "store/list.h"
#include <inttypes.h>
#include <math.h>

/* One KPI in the run that is read. */
struct kpi_watch {
    struct kpi_values *values;
    tac_properties *properties; /* NULL without a formula or a feature */
    size_t file;                /* then: of the judge */
    double sum;
    size_t count, unknown; /* intervals with a value; of which it is not known */
};

struct kpi_reader {
    const tac_kpi_catalogue *catalogue;
    struct kpi_campaign *out;
    struct kpi_watch *watches; /* per KPI */
    struct trace_judge judge;
    struct store_list rows;
    tac_store *store;
    char *scratch; /* where traces of a database are fetched to; NULL for folders */
};

/* Every trace is as it was written. What a database gives out it has compared itself. */
static tac_status check_traces(const struct kpi_reader *reader, tac_error *err)
{
    tac_status status = TAC_OK;
    tac_error flaw;
    for (size_t i = 0; i < reader->rows.runs.count && status == TAC_OK && !reader->scratch; i++) {
        const tac_store_run *run = &reader->rows.runs.at[i];
        status = tac_store_check_trace(reader->store, run, &flaw);
        if (status != TAC_OK)
            tac_fail_at(err, status, tac_store_folder(reader->store), 0, 0, "run %" PRId64 ": %s",
                        run->id, flaw.message);
    }
    return status;
}

static void add_value(struct kpi_values *values, double value)
{
    tac_vec_push(&values->at, value);
}

static void add_silence(struct kpi_values *values, const char *reason)
{
    values->silent++;
    if (!values->reason)
        values->reason = tac_strdup(reason);
}

static void add_interval(void *context, size_t index, const tac_witness *witness)
{
    struct kpi_watch *watch = context;
    (void)index;
    watch->unknown += witness->untested;
    if (!witness->comparison_count || !isfinite(witness->comparisons[0].value))
        return;
    const tac_comparison_value *first = &witness->comparisons[0];
    if (!watch->values->unit)
        watch->values->unit = tac_strdup(first->unit);
    watch->values->bound = first->bound;
    watch->sum += first->value;
    watch->count++;
}

/* What the run says about a KPI with a formula, its trace having ended. */
static void take_result(const struct kpi_reader *reader, const struct kpi *kpi,
                        const struct kpi_watch *watch)
{
    const char *failed = reader->judge.files.at[watch->file].failed;
    tac_property_result result;
    if (failed) {
        add_silence(watch->values, failed);
        return;
    }
    judge_result(&reader->judge, watch->file, 0, &result);
    if (result.unknown) {
        char *why = tac_format("not known: %s%sin state %" PRIu64 ": %s",
                               result.unknown->variable ? result.unknown->variable : "the end", " ",
                               result.unknown->state, result.unknown->reason);
        add_silence(watch->values, why);
        free(why);
        return;
    }
    if (kpi->kind == KPI_FIGURE) {
        if (watch->unknown)
            add_silence(watch->values, "a figure of an interval is not known");
        else if (watch->count)
            add_value(watch->values, watch->sum / (double)watch->count);
        else
            add_silence(watch->values, "the interval never happened");
        return;
    }
    if (result.vacuous)
        add_silence(watch->values, "nothing in the run tested it");
    else if (result.answer == TAC_INCONCLUSIVE)
        add_silence(watch->values, "the run does not decide it");
    else
        add_value(watch->values,
                  result.answer == TAC_HOLDS || result.answer == TAC_PRESUMABLY_HOLDS);
}

static void judge_outcome(const struct kpi *kpi, struct kpi_values *values, const char *verdict)
{
    switch (tac_stored_end_of(verdict)) {
    case TAC_STORED_PASS:
        add_value(values, true);
        break;
    case TAC_STORED_FAIL:
        add_value(values, kpi->kind != KPI_PASSES);
        break;
    case TAC_STORED_CRASH:
        add_value(values, false);
        break;
    case TAC_STORED_ABORTED:
    case TAC_STORED_ERROR:
        add_silence(values, "the run was ended before its end");
    }
}

static tac_status trace_path(struct kpi_reader *reader, const tac_store_run *run, char **out,
                             tac_error *err)
{
    if (!reader->scratch) {
        *out = tac_format("%s/%s", tac_store_folder(reader->store), run->trace);
        return TAC_OK;
    }
    *out = tac_format("%s/trace.jsonl", reader->scratch);
    return tac_store_get_file(reader->store, run->trace, *out, err);
}

static tac_status read_trace(struct kpi_reader *reader, const tac_store_run *run, tac_error *err)
{
    const tac_trace_block *block;
    char *path = NULL;
    tac_status status = trace_path(reader, run, &path, err);
    if (status == TAC_OK)
        status = judge_open(&reader->judge, path, NULL, err);
    while (status == TAC_OK && (status = judge_next(&reader->judge, &block, err)) == TAC_OK &&
           block)
        ;
    free(path);
    return status;
}

static tac_status read_run(struct kpi_reader *reader, const tac_store_run *run, tac_error *err)
{
    size_t count = reader->catalogue->kpis.count;
    for (size_t i = 0; i < count; i++) {
        reader->watches[i].sum = 0;
        reader->watches[i].count = 0;
    }
    tac_status status = *run->trace ? read_trace(reader, run, err) : TAC_OK;
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        const struct kpi *kpi = &reader->catalogue->kpis.at[i];
        struct kpi_watch *watch = &reader->watches[i];
        if (!watch->values->skipped && !kpi->formula)
            judge_outcome(kpi, watch->values, run->verdict);
        else if (watch->properties && *run->trace)
            take_result(reader, kpi, watch);
        else if (watch->properties)
            add_silence(watch->values, "the run has no trace");
    }
    judge_close(&reader->judge);
    return status;
}

static tac_status open_campaign(struct kpi_reader *reader, const char *campaign, tac_error *err)
{
    tac_status status = tac_store_open_mode(campaign, TAC_STORE_READ, &reader->store, err);
    if (status == TAC_OK && tac_store_is_address(campaign))
        status = tac_scratch_make("kpi", &reader->scratch, err);
    if (status == TAC_OK)
        status = store_list_runs(&reader->rows, reader->store, err);
    if (status == TAC_OK)
        status = check_traces(reader, err);
    if (status == TAC_OK && !reader->rows.runs.count)
        status = tac_fail_at(err, TAC_E_INPUT, campaign, 0, 0, "the campaign holds no runs yet");
    return status;
}

static tac_status prepare(struct kpi_reader *reader, const tac_kpi_app *app, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < reader->catalogue->kpis.count && status == TAC_OK; i++) {
        const struct kpi *kpi = &reader->catalogue->kpis.at[i];
        struct kpi_watch *watch = &reader->watches[i];
        watch->values = &reader->out->of[i];
        char *lacks = kpi_lacks(app, &kpi->features);
        if (*lacks) {
            watch->values->skipped = true;
            watch->values->reason = lacks;
            continue;
        }
        free(lacks);
        if (kpi->formula)
            status = kpi_property(app, kpi, &watch->properties, err);
        watch->file = reader->judge.files.count;
        if (watch->properties)
            judge_add(&reader->judge, watch->properties, add_interval, watch);
    }
    return status;
}

tac_status kpi_measure(const tac_kpi_catalogue *catalogue, const tac_kpi_subject *subject,
                       tac_watch *watch, struct kpi_campaign *out, tac_error *err)
{
    size_t count = catalogue->kpis.count;
    tac_trace_options trace = {.watch = watch};
    struct kpi_reader reader = {.catalogue = catalogue, .out = out};
    reader.judge = (struct trace_judge){.trace = &trace, .end = JUDGE_WHOLE, .apart = true};
    *out = (struct kpi_campaign){.count = count};
    out->of = tac_calloc(count + 1, sizeof *out->of);
    reader.watches = tac_calloc(count + 1, sizeof *reader.watches);
    tac_status status = prepare(&reader, subject->app, err);
    if (status == TAC_OK)
        status = open_campaign(&reader, subject->campaign, err);
    out->runs = reader.rows.runs.count;
    for (size_t i = 0; i < reader.rows.runs.count && status == TAC_OK; i++) {
        if (!tac_watch_tick(watch, "measuring runs", i, reader.rows.runs.count))
            status = tac_fail(err, TAC_E_INTERRUPTED, "measuring was stopped");
        else
            status = read_run(&reader, &reader.rows.runs.at[i], err);
    }
    for (size_t i = 0; i < count; i++) {
        assert(status != TAC_OK || out->of[i].skipped ||
               out->of[i].at.count + out->of[i].silent == out->runs);
        tac_property_free(reader.watches[i].properties);
    }
    judge_free(&reader.judge);
    store_list_free(&reader.rows);
    free(reader.watches);
    tac_scratch_remove(reader.scratch);
    tac_store_close(reader.store, NULL);
    return status;
}

void kpi_campaign_free(struct kpi_campaign *campaign)
{
    for (size_t i = 0; i < campaign->count; i++) {
        tac_vec_free(&campaign->of[i].at);
        free(campaign->of[i].reason);
        free(campaign->of[i].unit);
    }
    free(campaign->of);
    *campaign = (struct kpi_campaign){0};
}
