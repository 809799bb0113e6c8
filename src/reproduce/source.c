/* Reading a campaign's folder. See source.h. */
#include "reproduce/source.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include "store/list.h"
#include <unistd.h>

static const size_t largest_ending = (size_t)64 << 20;

static const char *keep(struct source *source, const char *text)
{
    uint32_t id = tac_names_intern(&source->texts, text ? text : ""); /* may move the texts */
    return source->texts.text[id];
}

const char *source_step_message(const char *message)
{
    const char *quote = strstr(message, ", '");
    return !strncmp(message, "step ", 5) && quote ? quote + 2 : message;
}

/* --- rows --- */

static void add_run(struct source *source, const tac_store_run *row)
{
    struct source_run run = {.id = row->id,
                             .flow = row->flow >= 0 ? (size_t)row->flow : 0,
                             .scenario = keep(source, row->scenario),
                             .end = tac_stored_end_of(row->verdict),
                             .message = keep(source, row->message),
                             .steps = row->steps > 0 ? (size_t)row->steps : 0,
                             .cluster = "",
                             .mined = TAC_NONE};
    if (*row->trace)
        run.trace = tac_format("%s/%s", source->folder, row->trace);
    tac_vec_push(&source->runs, run);
}

static void add_verdict(struct source *source, const struct listed_verdict *verdict, size_t place)
{
    bool decided = !strcmp(verdict->answer, tac_answer_name(TAC_VIOLATED));
    bool violated = decided || !strcmp(verdict->answer, tac_answer_name(TAC_PRESUMABLY_VIOLATED));
    if (place == SIZE_MAX || !violated)
        return;
    struct source_run *run = &source->runs.at[place];
    tac_vec_push(&run->violated, keep(source, verdict->property));
    tac_vec_push(&run->violated_after,
                 decided && verdict->step >= 0 ? (size_t)verdict->step : SIZE_MAX);
}

static tac_status read_rows(struct source *source, tac_store *store, tac_error *err)
{
    struct store_list list = {0};
    tac_status status = store_list_runs(&list, store, err);
    if (status == TAC_OK)
        status = store_list_verdicts(&list, store, err);
    for (size_t i = 0; i < list.runs.count && status == TAC_OK; i++)
        add_run(source, &list.runs.at[i]);
    for (size_t i = 0; i < list.verdicts.count && status == TAC_OK; i++)
        add_verdict(source, &list.verdicts.at[i], store_list_find(&list, list.verdicts.at[i].run));
    store_list_free(&list);
    return status;
}

/* --- how a trace ends --- */

/* The last line of a file; NULL when it has none of a sensible length. The caller's. */
static char *last_line(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long end = ftell(file);
    for (size_t part = 1 << 14; end > 0; part *= 4) {
        size_t size = part < (size_t)end ? part : (size_t)end;
        text = tac_realloc(text, size + 1, 1);
        fseek(file, end - (long)size, SEEK_SET);
        size = fread(text, 1, size, file);
        text[size] = '\0';
        while (size && text[size - 1] == '\n')
            text[--size] = '\0';
        char *line = strrchr(text, '\n');
        if (line || part >= (size_t)end || part > largest_ending) {
            memmove(text, line ? line + 1 : text, strlen(line ? line + 1 : text) + 1);
            break;
        }
    }
    fclose(file);
    return text;
}

static void read_crash(struct source *source, struct source_run *run, const json_t *meta)
{
    tac_str stack = {0};
    const json_t *lines = json_object_get(meta, "stack");
    const char *exception = json_string_value(json_object_get(meta, "exception"));
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *line = json_string_value(json_array_get(lines, i));
        tac_str_addf(&stack, "%s\n", line ? line : "");
    }
    char *name = tac_stack_cluster(exception ? exception : "", tac_str_text(&stack), NULL, NULL);
    run->cluster = keep(source, name);
    free(name);
    tac_str_free(&stack);
}

static void read_ending(struct source *source, struct source_run *run)
{
    char *line = run->trace ? last_line(run->trace) : NULL;
    json_t *document = line ? json_loads(line, 0, NULL) : NULL;
    const json_t *meta = json_object_get(json_object_get(document, "end"), "meta");
    json_t *performed = json_object_get(meta, "performed");
    if (run->end == TAC_STORED_CRASH)
        read_crash(source, run, meta);
    if (source->random && json_is_object(performed))
        run->performed = json_incref(performed);
    else if (source->random && meta && !run->steps) /* it failed before anything was done */
        run->performed = json_pack("{s:[],s:[],s:[],s:i}", "places", "acts", "steps", "end", -1);
    json_decref(document);
    free(line);
}

/* What a trace's first line says about the app. */
static void read_app(struct source *source, const char *trace)
{
    tac_input *input = NULL;
    char *line = NULL;
    size_t length;
    tac_error ignored;
    if (tac_input_open(trace, &input, &ignored) != TAC_OK ||
        tac_input_line(input, largest_ending, &line, &length, &ignored) != TAC_OK)
        line = NULL;
    json_t *document = line ? json_loads(line, 0, NULL) : NULL;
    const json_t *meta = json_object_get(document, "meta");
    tac_flow_start *start = tac_arena_calloc(&source->arena, 1, sizeof *start);
    start->device = "";
    start->application = keep(source, json_string_value(json_object_get(meta, "app")));
    start->package = keep(source, json_string_value(json_object_get(meta, "package")));
    source->start.starts = start;
    source->start.start_count = 1;
    json_decref(document);
    tac_input_close(input);
}

/* --- mining --- */

/* Clusters as `tactus mine` has them, and the runs for patterns. What cannot be read is no reason
 * to stop: the stacks alone name the clusters then. */
static tac_status read_for_mining(struct source *source, tac_watch *watch, tac_error *err)
{
    tac_runs *runs = NULL;
    tac_status status = tac_runs_new(NULL, &runs, err);
    uint32_t count = 0;
    for (size_t i = 0; i < source->runs.count && status == TAC_OK; i++) {
        struct source_run *run = &source->runs.at[i];
        bool crash = run->end == TAC_STORED_CRASH;
        if (!run->trace || (!crash && run->end != TAC_STORED_PASS))
            continue;
        status = tac_runs_read(runs, run->trace, watch, err);
        run->mined = count++;
    }
    for (size_t i = 0; i < source->runs.count && status == TAC_OK; i++) {
        struct source_run *run = &source->runs.at[i];
        if (run->mined == TAC_NONE || run->end != TAC_STORED_CRASH)
            continue;
        uint32_t cluster = tac_runs_label(runs, run->mined);
        if (cluster != TAC_RUN_PASSED && cluster != TAC_RUN_UNLABELLED)
            run->cluster = keep(source, tac_runs_cluster_name(runs, cluster));
    }
    if (status == TAC_OK)
        source->mined = runs;
    else
        tac_runs_free(runs);
    return status == TAC_E_INTERRUPTED ? status : TAC_OK;
}

const char *source_cluster(struct source *source, const char *exception, const char *stack,
                           const char *place)
{
    char *name = source->mined ? tac_runs_crash_cluster(source->mined, exception, stack, place)
                               : tac_stack_cluster(exception, stack, NULL, NULL);
    const char *cluster = keep(source, name);
    free(name);
    return cluster;
}

/* --- options --- */

static size_t read_texts(struct source *source, const char *key, const char *const **out)
{
    const json_t *list = json_object_get(source->plan, key);
    size_t count = json_array_size(list);
    const char **texts = tac_arena_calloc(&source->arena, count, sizeof *texts);
    for (size_t i = 0; i < count; i++)
        texts[i] = keep(source, json_string_value(json_array_get(list, i)));
    *out = texts;
    return count;
}

static char *path_in(const struct source *source, const char *name)
{
    char *path = tac_format("%s/%s", source->folder, name);
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static void read_options(struct source *source)
{
    const json_t *plan = source->plan, *app = json_object_get(plan, "app");
    tac_run_options *run = &source->run;
    source->random = json_integer_value(json_object_get(plan, "monkey")) > 0;
    source->properties = path_in(source, "properties.txt");
    source->model = path_in(source, "model.xml");
    run->properties = source->properties;
    run->sample = json_number_value(json_object_get(plan, "sample"));
    run->think = json_number_value(json_object_get(plan, "think"));
    run->deadline = json_number_value(json_object_get(plan, "deadline"));
    run->pattern_count = read_texts(source, "patterns", &run->patterns);
    run->probe_count = read_texts(source, "probes", &run->probes);
    run->device_options.app = json_is_string(app) ? keep(source, json_string_value(app)) : NULL;
    run->device_options.fast = json_is_true(json_object_get(plan, "fast"));
    run->device_options.realtime = json_is_true(json_object_get(plan, "realtime"));
}

static tac_status read_plan(struct source *source, tac_store *store, tac_error *err)
{
    char *text = NULL;
    tac_status status = tac_store_get(store, "plan", &text, err);
    source->plan = text ? json_loads(text, 0, NULL) : NULL;
    if (status == TAC_OK && !json_is_object(source->plan))
        status = tac_fail_at(err, TAC_E_INPUT, source->folder, 0, 0,
                             "the folder has no plan: it is not one that 'tactus run' made");
    if (status == TAC_OK)
        read_options(source);
    free(text);
    return status;
}

static tac_status check_rows(const struct source *source, tac_error *err)
{
    for (size_t i = 0; i < source->runs.count; i++)
        if (!source->random && source->runs.at[i].flow >= source->flows.flows.count)
            return tac_fail_at(err, TAC_E_INPUT, source->folder, 0, 0,
                               "run %lld executes flow %zu, but flows.jsonl has %zu",
                               (long long)source->runs.at[i].id, source->runs.at[i].flow,
                               source->flows.flows.count);
    return TAC_OK;
}

tac_status source_open(const char *folder, tac_watch *watch, struct source *out, tac_error *err)
{
    *out = (struct source){.folder = folder, .start = {.model = ""}};
    tac_store *store = NULL;
    tac_status status = tac_store_open_mode(folder, TAC_STORE_READ, &store, err);
    if (status == TAC_OK)
        status = read_plan(out, store, err);
    if (status == TAC_OK)
        status = read_rows(out, store, err);
    tac_store_close(store, NULL);
    if (status == TAC_OK && !out->random) {
        char *flows = tac_format("%s/flows.jsonl", folder);
        status = flow_set_load(flows, &out->flows, err);
        free(flows);
    }
    if (status == TAC_OK)
        status = check_rows(out, err);
    for (size_t i = 0; i < out->runs.count && status == TAC_OK; i++) {
        read_ending(out, &out->runs.at[i]);
        if (!tac_watch_tick(watch, "runs read", i, out->runs.count))
            status = tac_fail(err, TAC_E_INTERRUPTED, "stopped while reading the runs");
    }
    for (size_t i = 0; i < out->runs.count && status == TAC_OK && out->random; i++)
        if (out->runs.at[i].trace && !out->start.start_count)
            read_app(out, out->runs.at[i].trace);
    if (status == TAC_OK)
        status = read_for_mining(out, watch, err);
    if (status != TAC_OK)
        source_close(out);
    return status;
}

void source_close(struct source *source)
{
    for (size_t i = 0; i < source->runs.count; i++) {
        struct source_run *run = &source->runs.at[i];
        free(run->trace);
        json_decref(run->performed);
        tac_vec_free(&run->violated);
        tac_vec_free(&run->violated_after);
        trail_free(&run->trail);
    }
    tac_vec_free(&source->runs);
    tac_runs_free(source->mined);
    free(source->properties);
    free(source->model);
    json_decref(source->plan);
    tac_names_free(&source->texts);
    tac_arena_free(&source->arena);
    flow_set_free(&source->flows);
    *source = (struct source){0};
}
