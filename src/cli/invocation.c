/* What a command asks of its invocation, and how it ends. See command.h. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/data/visible.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "base/print/print.h"
#include "cli/frame.h"
#include "cli/options.h"
#include "cli/piped.h"
#include "cli/pipeline.h"
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

struct search {
    const char *name;
    bool found;
};

static void compare_name(const struct option *option, void *context)
{
    struct search *search = context;
    search->found = search->found || !strcmp(option->name, search->name);
}

bool has_option(const struct invocation *in, const char *name)
{
    struct search search = {name, false};
    for_every_option(in->command, compare_name, &search);
    return search.found;
}

size_t option_count(const struct invocation *in, const char *name)
{
    assert(has_option(in, name));
    size_t count = 0;
    for (size_t i = 0; i < in->parsed->values.count; i++)
        count += !strcmp(in->parsed->values.at[i].option->name, name);
    return count;
}

const char *option_value(const struct invocation *in, const char *name, size_t index)
{
    for (size_t i = 0; i < in->parsed->values.count; i++)
        if (!strcmp(in->parsed->values.at[i].option->name, name) && index-- == 0)
            return in->parsed->values.at[i].value;
    return NULL;
}

const char *const *option_values(const struct invocation *in, const char *names, size_t *count)
{
    const char **values = tac_arena_calloc(in->texts, in->parsed->values.count + 1, sizeof *values);
    *count = 0;
    for (const char *at = names; *at; at += strcspn(at, "|") + (at[strcspn(at, "|")] == '|')) {
        const char *name = tac_arena_strndup(in->texts, at, strcspn(at, "|"));
        for (size_t i = 0, given = option_count(in, name); i < given; i++)
            values[(*count)++] = option_value(in, name, i);
    }
    return values;
}

bool option_flag(const struct invocation *in, const char *name)
{
    return option_count(in, name) > 0;
}

const char *option_text(const struct invocation *in, const char *name)
{
    size_t count = option_count(in, name);
    return count ? option_value(in, name, count - 1) : NULL;
}

int64_t option_number(const struct invocation *in, const char *name, int64_t otherwise)
{
    const char *text = option_text(in, name);
    int64_t number = otherwise;
    if (text)
        tac_parse_i64(text, &number);
    return number;
}

int option_choice(const struct invocation *in, const char *name, int otherwise)
{
    const char *text = option_text(in, name);
    const struct option_choice *choice = NULL;
    for (size_t i = 0; i < in->parsed->values.count && text; i++)
        if (in->parsed->values.at[i].value == text)
            choice = in->parsed->values.at[i].option->choices;
    while (choice && choice->word && strcmp(choice->word, text) != 0)
        choice++;
    assert(!choice || choice->word); /* others were refused */
    return choice ? choice->value : otherwise;
}

double option_real(const struct invocation *in, const char *name, double otherwise)
{
    const char *text = option_text(in, name);
    double number = otherwise;
    if (text)
        tac_parse_double(text, &number);
    return number;
}

void complain(const char *format, ...)
{
    va_list args;
    tac_str text = {0};
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    tac_print(stderr, "tactus: %s\n", tac_str_text(&text));
    tac_str_free(&text);
}

int fail(const struct invocation *in, const tac_error *err)
{
    char text[2048];
    tac_error told = *err;
    snprintf(told.file, sizeof told.file, "%s", piped_name(in->piped, err->file));
    terminal_watch_end(); /* the message stands on a line of its own */
    complain("%s", tac_error_text(&told, text, sizeof text));
    int code = tac_exit_code(err->status, TAC_INCONCLUSIVE);
    if (code == tac_exit_code(TAC_E_INPUT, TAC_INCONCLUSIVE))
        pipeline_write_failure(in, text);
    return code;
}

int fail_usage(const struct invocation *in, const char *format, ...)
{
    char name[80];
    va_list args;
    tac_str text = {0};
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    complain("%s; see '%s --help'", tac_str_text(&text),
             command_name(in->command, name, sizeof name));
    tac_str_free(&text);
    return tac_exit_code(TAC_E_USAGE, TAC_INCONCLUSIVE);
}

/* The last moment at which a stop leaves no file. */
static tac_status check_interruption(const struct invocation *in, tac_error *err)
{
    bool cut = terminal_interrupted() && !in->stop_is_end;
    return cut ? tac_fail(err, TAC_E_INTERRUPTED, "interrupted") : TAC_OK;
}

int finish_json(const struct invocation *in, json_t *document, int exit_code)
{
    tac_output output;
    tac_error err;
    tac_status status = tac_output_open(&output, in->output, &err);
    if (status == TAC_OK) {
        status = tac_json_write(document, output.file, &err);
        if (status == TAC_OK)
            status = check_interruption(in, &err);
        status = tac_output_close(&output, status, &err);
    }
    json_decref(document);
    return status == TAC_OK ? exit_code : fail(in, &err);
}

int finish_stream(const struct invocation *in,
                  tac_status (*write)(FILE *out, void *context, tac_error *err), void *context,
                  int exit_code)
{
    tac_output output;
    tac_error err;
    tac_status status = tac_output_open(&output, in->output, &err);
    if (status == TAC_OK) {
        status = write(output.file, context, &err);
        if (status == TAC_OK)
            status = check_interruption(in, &err);
        status = tac_output_close(&output, status, &err);
    }
    return status == TAC_OK ? exit_code : fail(in, &err);
}

int finish_text(const struct invocation *in, void (*write)(FILE *out, void *context), void *context,
                int exit_code)
{
    tac_output output;
    tac_error err;
    tac_status status = tac_output_open(&output, in->output, &err);
    if (status == TAC_OK) {
        FILE *text = output.path ? tac_visible_stream(output.file, false, false) : output.file;
        write(text, context);
        if (text != output.file)
            fclose(text); /* a failure stays with the file below */
        status = tac_output_close(&output, check_interruption(in, &err), &err);
    }
    return status == TAC_OK ? exit_code : fail(in, &err);
}

void print_diagnostics(const tac_diagnostics *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const tac_diagnostic *one = &list->at[i];
        if (one->file[0])
            fprintf(stderr, "%s:", one->file);
        if (one->line)
            fprintf(stderr, "%zu:", one->line);
        if (one->column)
            fprintf(stderr, "%zu:", one->column);
        fprintf(stderr, "%s%s: %s\n", one->file[0] || one->line ? " " : "",
                one->severity == TAC_ERROR ? "error" : "warning", one->message);
    }
    size_t all = list->errors + list->warnings;
    if (all > list->count)
        fprintf(stderr, "... and %zu more\n", all - list->count);
}

void note_sandbox(struct invocation *in, const char *uri)
{
    bool browser = uri && (!strncmp(uri, "chromium:", 9) || !strncmp(uri, "http", 4) ||
                           !strncmp(uri, "file:", 5));
    if (in->sandbox_noted || !browser || geteuid() != 0)
        return;
    fputs("tactus: Chromium runs without its sandbox, because its sandbox does not start for root; "
          "use another account for pages that are not trusted\n",
          stderr);
    in->sandbox_noted = true;
}
