/* Many recordings: each problem (a trace under a model) in a process of its own, with limits; then
 * the paper's tables. A problem that fails or passes a limit keeps its place in the list. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "base/process/pool.h"
#include "protocol/show/corpus_table.h"
#include "tactus/protocol.h"
#include <string.h>

static const char *const model_names[] = {"lifestate", "top", "lifecycle", "lifecycle++"};
/* The columns of the paper's tables, in its order. */
static const tac_protocol_model model_order[] = {TAC_MODEL_TOP, TAC_MODEL_LIFECYCLE,
                                                 TAC_MODEL_LIFECYCLE_PLUS, TAC_MODEL_LIFESTATE};

struct corpus_run {
    const tac_protocol_rules *rules;
    const tac_protocol_corpus *corpus;
    size_t models;
    json_t *entries;
};

static tac_protocol_model model_of(const struct corpus_run *run, size_t item)
{
    assert(run->models == (run->corpus->all_models ? 4 : 1));
    return run->corpus->all_models ? model_order[item % run->models] : run->corpus->options->model;
}

/* In the child: one problem, its document as text. */
static void work(void *context, size_t item, tac_str *out)
{
    const struct corpus_run *run = context;
    tac_protocol_options options = *run->corpus->options;
    options.model = model_of(run, item);
    options.trust_rules = options.trust_rules || run->corpus->all_models;
    options.watch = NULL;
    tac_recording *recording = NULL;
    json_t *document = NULL;
    tac_error err;
    tac_status status =
        tac_recording_read(run->corpus->traces[item / run->models], &recording, &err);
    if (status == TAC_OK)
        status = run->corpus->validate
                     ? tac_protocol_validate(run->rules, recording, &options, &document, NULL, &err)
                     : tac_protocol_verify(run->rules, recording, &options, &document, NULL, &err);
    if (status != TAC_OK) {
        char text[2048];
        document = json_object();
        json_object_set_new(document, "error",
                            tac_json_string(tac_error_text(&err, text, sizeof text)));
    }
    char *text = tac_json_text(document, JSON_COMPACT);
    tac_str_add(out, text);
    free(text);
    json_decref(document);
    tac_recording_free(recording);
}

static const char *end_name(tac_pool_end end)
{
    switch (end) {
    case TAC_POOL_DONE:
        return "done";
    case TAC_POOL_TIMEOUT:
        return "time limit";
    case TAC_POOL_MEMORY:
        return "memory limit";
    case TAC_POOL_DIED:
        break;
    }
    return "died";
}

/* In the parent: the child's document with the trace, the model and what it cost. */
static bool take_result(void *context, const tac_pool_result *result)
{
    struct corpus_run *run = context;
    json_t *document =
        result->end == TAC_POOL_DONE ? json_loadb(result->data, result->size, 0, NULL) : NULL;
    assert(result->item / run->models < run->corpus->count);
    json_t *entry = json_object();
    json_object_set_new(entry, "trace",
                        tac_json_string(run->corpus->traces[result->item / run->models]));
    json_object_set_new(entry, "model", json_string(model_names[model_of(run, result->item)]));
    const char *end = result->end == TAC_POOL_DONE && !document ? "died" : end_name(result->end);
    if (document && json_object_get(document, "error"))
        end = "error";
    json_object_set_new(entry, "end", json_string(end));
    if (document)
        json_object_update(entry, document);
    if (!document || json_object_get(document, "error")) {
        const char *key = run->corpus->validate ? "result" : "verdict";
        json_object_set_new(entry, key, json_string("UNKNOWN"));
    }
    json_object_set_new(entry, "seconds", tac_json_number(result->seconds));
    json_object_set_new(entry, "peak_bytes", json_integer((json_int_t)result->peak_bytes));
    json_array_append_new(run->entries, entry);
    json_decref(document);
    return true;
}

static tac_answer overall(const json_t *entries, bool validate)
{
    bool violated = false, unknown = false;
    size_t i;
    json_t *entry;
    json_array_foreach((json_t *)entries, i, entry)
    {
        const char *word =
            json_string_value(json_object_get(entry, validate ? "result" : "verdict"));
        if (!strcmp(word, "UNKNOWN") || !strcmp(word, "INADMISSIBLE"))
            unknown = true;
        else if (strcmp(word, "SAFE") && strcmp(word, "OK"))
            violated = true;
    }
    return violated ? TAC_VIOLATED : unknown ? TAC_INCONCLUSIVE : TAC_HOLDS;
}

/* Lines of the triage that no problem met: a misspelled recording or call. */
static void add_unused(json_t *document, const struct triage *triage)
{
    json_t *list = json_array();
    for (size_t i = 0; i < triage->lines.count; i++)
        if (!triage->lines.at[i].used) {
            json_t *line = json_object();
            json_object_set_new(line, "line", json_integer((json_int_t)triage->lines.at[i].line));
            json_object_set_new(line, "recording", tac_json_string(triage->lines.at[i].recording));
            json_object_set_new(line, "call", tac_json_string(triage->lines.at[i].call));
            json_array_append_new(list, line);
        }
    json_object_set_new(document, "triage_unused", list);
}

tac_status tac_protocol_corpus_run(const tac_protocol_rules *rules,
                                   const tac_protocol_corpus *corpus, json_t **document,
                                   tac_answer *answer, tac_error *err)
{
    struct corpus_run run = {.rules = rules,
                             .corpus = corpus,
                             .models = corpus->all_models ? 4 : 1,
                             .entries = json_array()};
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
    struct triage triage = {0};
    tac_status status = corpus->triage ? triage_read(corpus->triage, &triage, err) : TAC_OK;
    if (status == TAC_OK)
        status = tac_pool_run(&job, err);
    if (status != TAC_OK) {
        json_decref(run.entries);
        triage_free(&triage);
        return status;
    }
    assert(json_array_size(run.entries) == job.items);
    *answer = overall(run.entries, corpus->validate);
    *document = json_object();
    json_object_set_new(*document, "traces", run.entries);
    json_object_set_new(*document, "table",
                        corpus->validate ? corpus_table_validate(run.entries)
                                         : corpus_table_verify(run.entries, &triage));
    add_unused(*document, &triage);
    triage_free(&triage);
    return TAC_OK;
}
