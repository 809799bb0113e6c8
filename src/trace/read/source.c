/* Opening, pulling blocks, closing; see source.h for the block's invariants. */
#include "base/data/text.h"
#include "base/io/json.h"
#include "trace/read/format.h"
#include <stdarg.h>
#include <sys/stat.h>

enum { PROBE_SIZE = 4096 };

/* The first bytes of the input stay in the window for the format's own reader. */
static tac_status read_probe(tac_trace_source *source, struct trace_probe *probe, tac_error *err)
{
    struct trace_window *window = &source->window;
    tac_status status = window_open(window, source->path, &source->options, err);
    if (status)
        return status;
    source->name = tac_input_name(window->input);
    do {
        if ((status = window_need(window, window->end + 1, err)))
            return status;
    } while (!window->ended && window->end < PROBE_SIZE &&
             !memchr(window->data, '\n', window->end));
    window_mark_lines(window);
    probe->head = window->data;
    probe->size = window->end;
    return TAC_OK;
}

static tac_status choose_format(tac_trace_source *source, const struct trace_probe *probe,
                                tac_error *err)
{
    const char *wanted = source->options.format;
    source->format = wanted ? trace_format_find(wanted) : trace_format_guess(probe);
    if (wanted && !source->format)
        return tac_fail(err, TAC_E_USAGE, "unknown trace format '%s'; there are %s", wanted,
                        trace_format_list());
    if (!probe->is_folder && !probe->size)
        return source_fail(source, err, TAC_E_INPUT, 0, 0, "the file is empty");
    if (!source->format && !strncmp(probe->head, "BZh", 3))
        return source_fail(source, err, TAC_E_INPUT, 0, 0,
                           "files packed by bzip2 are not read; unpack it, or pack it with gzip, "
                           "xz or zstd");
    if (!source->format && probe->is_folder)
        return source_fail(source, err, TAC_E_INPUT, 0, 0,
                           "is a folder, and not one that a tool for traces wrote; give a file");
    if (!source->format)
        return source_fail(source, err, TAC_E_INPUT, 0, 0,
                           "the content is not of a trace format that is known (%s)",
                           trace_format_list());
    if (source->format->is_folder != probe->is_folder)
        return source_fail(source, err, TAC_E_INPUT, 0, 0, "the format '%s' is read from a %s",
                           trace_format_name(source->format),
                           source->format->is_folder ? "folder" : "file");
    return TAC_OK;
}

static tac_trace_source *new_source(const char *path)
{
    tac_trace_source *source = tac_calloc(1, sizeof *source);
    source->path = tac_strdup(path);
    source->name = source->path;
    source->meta = json_object();
    source->last_time = INT64_MIN;
    source->time = tac_alloc(TAC_TRACE_BLOCK_STATES * sizeof *source->time);
    return source;
}

tac_status source_open_made(const struct trace_format *format, void *reader, const char *name,
                            tac_trace_source **out, tac_error *err)
{
    tac_trace_source *source = new_source(name);
    source->format = format;
    source->reader = reader;
    tac_status status = format->open(source, err);
    if (status)
        tac_trace_close(source);
    else
        *out = source;
    return status;
}

tac_status tac_trace_open(const char *path, const tac_trace_options *options,
                          tac_trace_source **out, tac_error *err)
{
    tac_trace_source *source = new_source(path);
    tac_error ignored;
    if (!err)
        err = &ignored;
    if (options)
        source->options = *options;
    struct stat about;
    struct trace_probe probe = {.path = path, .head = ""};
    probe.is_folder = strcmp(path, "-") && !stat(path, &about) && S_ISDIR(about.st_mode);
    tac_status status = probe.is_folder ? TAC_OK : read_probe(source, &probe, err);
    if (!status)
        status = choose_format(source, &probe, err);
    if (!status)
        status = source->format->open(source, err);
    if (!status && source->clock)
        json_object_set_new(source->meta, "clock", json_string(source->clock));
    if (status)
        tac_trace_close(source);
    else
        *out = source;
    return status;
}

void tac_trace_close(tac_trace_source *source)
{
    if (!source)
        return;
    if (source->format && source->format->close)
        source->format->close(source);
    for (size_t i = 0; i < source->columns.count; i++) {
        struct trace_column *column = &source->columns.at[i];
        free(column->numbers ? column->numbers - 1 : NULL);
        free(column->symbols ? column->symbols - 1 : NULL);
        free((char *)(uintptr_t)source->variables.at[i].unit);
    }
    window_close(&source->window);
    tac_vec_free(&source->variables);
    tac_vec_free(&source->columns);
    tac_vec_free(&source->settings);
    tac_names_free(&source->variable_names);
    tac_names_free(&source->symbols);
    json_decref(source->meta);
    free(source->number_pointers);
    free(source->symbol_pointers);
    free(source->time);
    free(source->path);
    free(source);
}

/* Keeps each column's last value in its slot before the first. */
static void start_block(tac_trace_source *source)
{
    for (size_t i = 0; source->count && i < source->columns.count; i++) {
        struct trace_column *column = &source->columns.at[i];
        const double *numbers = column->borrowed ? column->borrowed : column->numbers;
        if (column->numbers)
            column->numbers[-1] = numbers[source->count - 1];
        else if (!column->is_event)
            column->symbols[-1] = column->symbols[source->count - 1];
        column->filled = 0;
        column->borrowed = NULL;
    }
    source->first += source->count;
    source->count = 0;
}

static void finish_block(tac_trace_source *source)
{
    size_t variables = source->columns.count;
    source->number_pointers =
        tac_realloc(source->number_pointers, variables + 1, sizeof *source->number_pointers);
    source->symbol_pointers =
        tac_realloc(source->symbol_pointers, variables + 1, sizeof *source->symbol_pointers);
    for (size_t i = 0; i < variables; i++) {
        struct trace_column *column = &source->columns.at[i];
        source_fill(column, source->count);
        source->number_pointers[i] = column->borrowed ? column->borrowed : column->numbers;
        source->symbol_pointers[i] = column->symbols;
    }
    source->block = (tac_trace_block){.count = source->count,
                                      .first = source->first,
                                      .time = source->time,
                                      .numbers = source->number_pointers,
                                      .symbols = source->symbol_pointers};
}

tac_status tac_trace_next(tac_trace_source *source, const tac_trace_block **block, tac_error *err)
{
    if (source->pending.status) {
        if (err)
            *err = source->pending;
        return source->pending.status;
    }
    start_block(source);
    *block = NULL;
    while (!source->ended && !source->count) {
        tac_error problem = {0};
        tac_status status = source->format->fill(source, &problem);
        if (!status)
            continue;
        if (status != TAC_E_INTERRUPTED) /* a wait that was given up may be taken up again */
            source->pending = problem;
        else if (source->count)
            break;
        if (!source->count) {
            if (err)
                *err = problem;
            return status;
        }
    }
    if (source->count) {
        finish_block(source);
        *block = &source->block;
    }
    return TAC_OK;
}

const tac_trace_variable *tac_trace_variables(const tac_trace_source *source, size_t *count)
{
    *count = source->variables.count;
    return source->variables.at;
}

const char *const *tac_trace_symbols(const tac_trace_source *source, size_t *count)
{
    *count = source->symbols.count;
    return source->symbols.text;
}

const json_t *tac_trace_meta(const tac_trace_source *source)
{
    return source->meta;
}

void source_note(const tac_trace_source *source, const char *format, ...)
{
    tac_str text = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    json_t *notes = json_object_get(source->meta, "notes");
    if (!notes)
        json_object_set_new(source->meta, "notes", notes = json_array());
    json_array_append_new(notes, tac_json_string(tac_str_text(&text)));
    tac_str_free(&text);
}

void source_note_sentence(void *source, const char *sentence)
{
    source_note(source, "%s", sentence);
}

void source_note_count(const tac_trace_source *source, uint64_t count, const char *one,
                       const char *many)
{
    if (count)
        source_note(source, "%llu %s", (unsigned long long)count, count == 1 ? one : many);
}

void source_note_epoch(const tac_trace_source *source, const char *unit)
{
    source_note(source, "the times are taken to be %s since 1970", unit);
}

bool tac_trace_is_cut(const tac_trace_source *source)
{
    return source->cut || json_is_true(json_object_get(source->meta, "cut"));
}

uint64_t tac_trace_skipped(const tac_trace_source *source)
{
    return source->skipped;
}

const tac_error *tac_trace_first_skipped(const tac_trace_source *source)
{
    return source->skipped ? &source->first_skipped : NULL;
}

const char *tac_trace_format(const tac_trace_source *source)
{
    return trace_format_name(source->format);
}
