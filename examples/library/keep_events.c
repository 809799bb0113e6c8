/* Reads a trace of any format and writes its events alone, as a trace in JSON Lines.
 *
 *     cc keep_events.c $(pkg-config --cflags --libs tactus) -o keep_events
 *     ./keep_events examples/traces/cafe-1.csv */
#include <stdio.h>
#include <string.h>
#include <tactus/trace.h>
#include <tactus/verdict.h>

/* The number of the variable "event"; -1 while the trace has none. */
static long event_variable(const tac_trace_source *source)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(variables[i].name, "event"))
            return (long)i;
    return -1;
}

static tac_status keep_block(const tac_trace_source *source, const tac_trace_block *block,
                             tac_trace_writer *writer, size_t written, tac_error *err)
{
    tac_status status = TAC_OK;
    const long event = event_variable(source);
    size_t count;
    const char *const *names = tac_trace_symbols(source, &count);
    for (size_t i = 0; event >= 0 && i < block->count && status == TAC_OK; i++) {
        const uint32_t name = block->symbols[event][i];
        if (name == TAC_TRACE_NO_SYMBOL)
            continue;
        tac_trace_writer_begin(writer, block->time[i]);
        tac_trace_writer_symbol(writer, written, names[name]);
        status = tac_trace_writer_end(writer, err);
    }
    return status;
}

static tac_status keep_events(tac_trace_source *source, tac_error *err)
{
    const tac_trace_variable event = {.name = "event", .unit = "", .kind = TAC_DISCRETE};
    tac_trace_writer *writer = NULL;
    const tac_trace_block *block = NULL;
    tac_status status = tac_trace_writer_new(stdout, "jsonl", tac_trace_meta(source), &writer, err);
    if (status != TAC_OK)
        return status;
    const size_t written = tac_trace_writer_variable(writer, &event);
    while ((status = tac_trace_next(source, &block, err)) == TAC_OK && block && status == TAC_OK)
        status = keep_block(source, block, writer, written, err);
    if (status == TAC_OK)
        return tac_trace_writer_finish(writer, NULL, err);
    tac_trace_writer_abandon(writer);
    return status;
}

int main(int argc, char **argv)
{
    const tac_trace_options options = {.lenient = true};
    tac_trace_source *source = NULL;
    tac_error err;
    char text[2048];
    if (argc != 2) {
        fprintf(stderr, "usage: keep_events TRACE\n");
        return 2;
    }
    tac_status status = tac_trace_open(argv[1], &options, &source, &err);
    if (status == TAC_OK)
        status = keep_events(source, &err);
    if (status != TAC_OK)
        fprintf(stderr, "%s\n", tac_error_text(&err, text, sizeof text));
    else if (tac_trace_skipped(source))
        fprintf(stderr, "skipped %llu rows of %s, the first: %s\n",
                (unsigned long long)tac_trace_skipped(source), tac_trace_format(source),
                tac_error_text(tac_trace_first_skipped(source), text, sizeof text));
    else if (tac_trace_is_cut(source))
        fprintf(stderr, "%s ends before its end\n", argv[1]);
    tac_trace_close(source);
    return tac_exit_code(status, TAC_HOLDS);
}
