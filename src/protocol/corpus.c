/* Many recordings: each problem (a trace under a model) in a process of its own, with limits; then
 * the paper's tables. A problem that fails or passes a limit keeps its place in the list. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/keep/settled.h"
#include "base/process/pool.h"
#include "protocol/show/corpus_table.h"

/* The columns of the paper's tables, in its order. */
static const tac_protocol_model model_order[] = {TAC_MODEL_TOP, TAC_MODEL_LIFECYCLE,
                                                 TAC_MODEL_LIFECYCLE_PLUS, TAC_MODEL_LIFESTATE};

struct corpus_run {
    const tac_protocol_rules *rules;
    const tac_protocol_corpus *corpus;
    tac_settled *traces; /* each is read by every problem of it */
    size_t models;
    corpus_entries *entries;
};

static tac_protocol_model model_of(const struct corpus_run *run, size_t item)
{
    assert(run->models == (run->corpus->all_models ? 4 : 1));
    return run->corpus->all_models ? model_order[item % run->models] : run->corpus->options->model;
}

/* In the child: one problem. */
static void work(void *context, size_t item, tac_str *out)
{
    const struct corpus_run *run = context;
    tac_protocol_options options = *run->corpus->options;
    options.model = model_of(run, item);
    options.trust_rules = options.trust_rules || run->corpus->all_models;
    options.watch = NULL;
    tac_recording *recording = NULL;
    tac_protocol_result result = {0};
    tac_error err;
    bool validate = run->corpus->validate;
    const tac_settled *trace = &run->traces[item / run->models];
    tac_status status =
        tac_settled_tell(trace, tac_recording_read(trace->path, &recording, &err), &err);
    if (status == TAC_OK)
        status = validate ? tac_protocol_validate(run->rules, recording, &options, &result, &err)
                          : tac_protocol_verify(run->rules, recording, &options, &result, &err);
    if (status == TAC_OK)
        corpus_result_write(&result, out);
    else
        corpus_error_write(&err, out);
    tac_protocol_result_free(&result);
    tac_recording_free(recording);
}

/* In the parent. */
static bool take_result(void *context, const tac_pool_result *result)
{
    static const enum corpus_end ends[] = {
        [TAC_POOL_DONE] = CORPUS_DONE,
        [TAC_POOL_DIED] = CORPUS_DIED,
        [TAC_POOL_TIMEOUT] = CORPUS_TIME_LIMIT,
        [TAC_POOL_MEMORY] = CORPUS_MEMORY_LIMIT,
    };
    TABLE_COVERS(ends, TAC_POOL_MEMORY);
    struct corpus_run *run = context;
    assert(result->item / run->models < run->corpus->count);
    struct corpus_entry entry = {.trace = run->corpus->traces[result->item / run->models],
                                 .model = model_of(run, result->item),
                                 .end = ends[result->end],
                                 .seconds = result->seconds,
                                 .peak_bytes = result->peak_bytes};
    if (entry.end == CORPUS_DONE)
        corpus_entry_read(&entry, result->data, result->size);
    tac_vec_push(run->entries, entry);
    return true;
}

/* With every recording in a place where all the processes find it. */
static tac_status run_settled(struct corpus_run *run, const tac_pool_job *job, tac_error *err)
{
    size_t count = run->corpus->count, settled = 0;
    run->traces = tac_calloc(count ? count : 1, sizeof *run->traces);
    tac_status status = TAC_OK;
    while (!status && settled < count) {
        status = tac_settle(run->corpus->traces[settled], job->watch, &run->traces[settled], err);
        settled += status == TAC_OK;
    }
    if (status == TAC_OK)
        status = tac_pool_run(job, err);
    while (settled > 0)
        tac_settled_close(&run->traces[--settled], status, err);
    free(run->traces);
    return status;
}

tac_status tac_protocol_corpus_run(const tac_protocol_rules *rules,
                                   const tac_protocol_corpus *corpus, tac_protocol_table **out,
                                   tac_error *err)
{
    tac_protocol_table *table = tac_calloc(1, sizeof *table);
    table->validate = corpus->validate;
    struct corpus_run run = {.rules = rules,
                             .corpus = corpus,
                             .models = corpus->all_models ? 4 : 1,
                             .entries = &table->entries};
    tac_pool_job job = {
        .items = corpus->count * run.models,
        .jobs = corpus->jobs,
        .time_limit = corpus->time_limit,
        .memory_limit = corpus->memory_limit,
        .work = work,
        .result = take_result,
        .context = &run,
        .watch = corpus->options->watch,
        .what = corpus->validate ? "recordings validated" : "problems verified",
    };
    tac_status status = corpus->triage ? triage_read(corpus->triage, &table->triage, err) : TAC_OK;
    if (status == TAC_OK)
        status = run_settled(&run, &job, err);
    if (status != TAC_OK) {
        tac_protocol_table_free(table);
        return status;
    }
    assert(table->entries.count == job.items);
    table_count(table);
    *out = table;
    return TAC_OK;
}
