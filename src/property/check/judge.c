/* See judge.h. */
#include "property/check/judge.h"

#include "base/check.h"
#include "base/data/alloc.h"
#include "property/monitor/monitor.h"
#include <string.h>

void judge_add(struct trace_judge *judge, const tac_properties *properties,
               void (*on_interval)(void *context, size_t property, const tac_witness *witness),
               void *context)
{
    assert(!judge->source);
    tac_vec_push(&judge->files, (struct judge_file){.properties = properties,
                                                    .on_interval = on_interval,
                                                    .context = context});
}

static tac_monitor_schema schema_of(const tac_trace_source *source)
{
    tac_monitor_schema schema;
    schema.variables = tac_trace_variables(source, &schema.variable_count);
    schema.symbols = tac_trace_symbols(source, &schema.symbol_count);
    return schema;
}

/* The variables as text: equal texts are one schema for a monitor. */
static char *schema_text(const tac_trace_source *source)
{
    tac_monitor_schema schema = schema_of(source);
    tac_str text = {0};
    for (size_t i = 0; i < schema.variable_count; i++) {
        const tac_trace_variable *variable = &schema.variables[i];
        tac_str_addf(&text, "%s\t%s\t%d%d%d\n", variable->name, variable->unit, (int)variable->kind,
                     variable->linear, (int)variable->type);
    }
    return tac_str_take(&text);
}

static tac_monitor *new_monitor(const struct trace_judge *judge, const struct judge_file *file,
                                const char *name)
{
    tac_monitor_options options = {.semantics = judge->semantics,
                                   .trace_name = name,
                                   .on_interval = file->on_interval,
                                   .context = file->context,
                                   .allow_missing = judge->allow_missing,
                                   .values = judge->values,
                                   .value_count = judge->value_count,
                                   .known = judge->known};
    tac_monitor *monitor = NULL;
    tac_monitor_new(file->properties, &options, &monitor, NULL);
    return monitor;
}

void judge_begin(struct trace_judge *judge, tac_trace_source *source, const char *name)
{
    char *schema = source ? schema_text(source) : NULL;
    bool same = schema && judge->schema && !strcmp(schema, judge->schema);
    free(judge->schema);
    judge->schema = schema;
    judge->source = source;
    judge->variables = source ? schema_of(source).variable_count : 0;
    judge->block = NULL;
    judge->states = 0;
    judge->over = judge->ended = false;
    for (size_t i = 0; i < judge->files.count; i++) {
        struct judge_file *file = &judge->files.at[i];
        bool fresh = !same || file->failed; /* a failed one may be bound to half of its names */
        if (fresh)
            tac_monitor_free(file->monitor);
        else
            monitor_restart(file->monitor, name);
        if (fresh)
            file->monitor = new_monitor(judge, file, name);
        free(file->failed);
        file->failed = NULL;
    }
}

void judge_restart(struct trace_judge *judge)
{
    assert(!judge->source);
    for (size_t i = 0; i < judge->files.count; i++)
        tac_monitor_reset(judge->files.at[i].monitor);
    judge->states = 0;
    judge->over = judge->ended = false;
}

tac_status judge_open(struct trace_judge *judge, const char *path, const char *name, tac_error *err)
{
    tac_trace_source *source = NULL;
    tac_status status = tac_trace_open(path, judge->trace, &source, err);
    if (status == TAC_OK)
        judge_begin(judge, source, name);
    return status;
}

/* What a file's failure is to the trace. */
static tac_status note_failure(const struct trace_judge *judge, struct judge_file *file,
                               tac_status status, tac_error *why, tac_error *err)
{
    if (status != TAC_OK && judge->apart) {
        file->failed = tac_strdup(why->message);
        return TAC_OK;
    }
    if (status != TAC_OK && err)
        *err = *why;
    return status;
}

tac_status judge_feed(struct trace_judge *judge, const tac_monitor_schema *schema,
                      const tac_trace_block *block, tac_error *err)
{
    tac_status status = TAC_OK;
    tac_error why = {0};
    for (size_t i = 0; i < judge->files.count && status == TAC_OK; i++) {
        struct judge_file *file = &judge->files.at[i];
        if (!file->failed)
            status = note_failure(judge, file, tac_monitor_feed(file->monitor, schema, block, &why),
                                  &why, err);
    }
    judge->states += block->count;
    return status;
}

tac_status judge_finish(struct trace_judge *judge, const tac_monitor_schema *schema, tac_error *err)
{
    bool cut = judge->end == JUDGE_CUT ||
               (judge->end == JUDGE_AS_READ && judge->source && tac_trace_is_cut(judge->source));
    const tac_monitor_schema *complete = judge->allow_missing ? NULL : schema;
    tac_status status = TAC_OK;
    tac_error why = {0};
    judge->over = true;
    judge->ended = !cut;
    for (size_t i = 0; i < judge->files.count && status == TAC_OK && !cut; i++) {
        struct judge_file *file = &judge->files.at[i];
        if (!file->failed)
            status = note_failure(judge, file, tac_monitor_finish(file->monitor, complete, &why),
                                  &why, err);
    }
    return status;
}

static bool is_violated(const struct trace_judge *judge)
{
    bool violated = false;
    for (size_t i = 0; i < judge->files.count && judge->stop_on_violation; i++)
        violated = violated || tac_monitor_violated(judge->files.at[i].monitor);
    return violated;
}

tac_status judge_next(struct trace_judge *judge, const tac_trace_block **block, tac_error *err)
{
    tac_status status = TAC_OK;
    *block = NULL;
    if (judge->block) {
        tac_monitor_schema schema = schema_of(judge->source);
        status = judge_feed(judge, &schema, judge->block, err);
        judge->block = NULL;
        if (status == TAC_OK && judge->watch &&
            !tac_watch_tick(judge->watch, judge->what, judge->states, 0))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
        if (status != TAC_OK || is_violated(judge))
            return status;
    }
    status = tac_trace_next(judge->source, &judge->block, err);
    if (status == TAC_OK && !judge->block) {
        tac_monitor_schema schema = schema_of(judge->source);
        status = judge_finish(judge, &schema, err);
    }
    *block = judge->block;
    return status;
}

void judge_result(const struct trace_judge *judge, size_t file, size_t property,
                  tac_property_result *out)
{
    assert(file < judge->files.count && !judge->files.at[file].failed);
    tac_monitor *monitor = judge->files.at[file].monitor;
    if (judge->ended)
        tac_monitor_result(monitor, property, true, out);
    else
        tac_monitor_result_of_cut(monitor, property, out);
}

bool judge_lost(const struct trace_judge *judge)
{
    bool lost = false;
    for (size_t i = 0; i < judge->files.count; i++)
        lost = lost || tac_monitor_lost(judge->files.at[i].monitor);
    return lost;
}

void judge_close(struct trace_judge *judge)
{
    if (judge->source && schema_of(judge->source).variable_count != judge->variables) {
        free(judge->schema); /* the monitors are bound to variables that the next may not have */
        judge->schema = NULL;
    }
    tac_trace_close(judge->source);
    judge->source = NULL;
    judge->block = NULL;
}

void judge_free(struct trace_judge *judge)
{
    judge_close(judge);
    for (size_t i = 0; i < judge->files.count; i++) {
        tac_monitor_free(judge->files.at[i].monitor);
        free(judge->files.at[i].failed);
    }
    tac_vec_free(&judge->files);
    free(judge->schema);
    judge->schema = NULL;
}
