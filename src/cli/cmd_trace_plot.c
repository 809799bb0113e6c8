/* tactus trace plot TRACE... --variable NAME */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/output.h"
#include "cli/trace_options.h"
#include "report/plot.h"
#include "report/plot/data.h"
#include <glob.h>
#include <string.h>

static const struct option plot_options[] = {
    TEXT("variable", "NAME",
         "the continuous variable to draw, or a number that the property file defines with 'let'",
         .meaning = "which variable", .required = true),
    TEXT("property", "NAME", "draw the intervals and the bound of this property",
         .meaning = "which property"),
    PATH("properties", "FILE",
         "file that defines the property (default: *.props beside the first trace, then in this "
         "folder)",
         .letter = 'p', .meaning = "the property file"),
    TEXT("title", "TEXT", "title of the picture", .meaning = "a title over the result"),
    NUMBER("width", "PIXELS", 480, 8000, "width of the picture (default: 960)"),
    NUMBER("height", "PIXELS", 240, 8000, "height of the picture (default: 480)"),
    TRACE_OPTIONS,
    {.name = NULL}};

struct property_choice {
    tac_properties *properties;
    size_t index;
};

static tac_status load_file(const char *path, struct property_choice *choice, tac_error *err)
{
    tac_diagnostics findings = {0};
    tac_status status = tac_property_load(path, &findings, &choice->properties, err);
    if (status && findings.errors)
        print_diagnostics(&findings);
    tac_diagnostics_free(&findings);
    return status;
}

/* Loads the file; found when it has the property. */
static tac_status try_file(const char *path, const char *name, struct property_choice *choice,
                           tac_error *err)
{
    tac_status status = load_file(path, choice, err);
    if (status)
        return status;
    choice->index = tac_property_find(choice->properties, name);
    if (choice->index == SIZE_MAX) {
        tac_property_free(choice->properties);
        choice->properties = NULL;
    }
    return TAC_OK;
}

/* *.props in a folder, the first one in alphabetical order that has the property. */
static tac_status try_folder(const char *folder, const char *name, struct property_choice *choice,
                             tac_error *err)
{
    char *pattern = tac_format("%s/*.props", folder);
    glob_t found = {0};
    tac_status status = TAC_OK;
    if (!glob(pattern, 0, NULL, &found))
        for (size_t i = 0; i < found.gl_pathc && !status && !choice->properties; i++)
            status = try_file(found.gl_pathv[i], name, choice, err);
    globfree(&found);
    free(pattern);
    return status;
}

static tac_status find_property(const struct invocation *in, struct property_choice *choice,
                                tac_error *err)
{
    const char *name = option_text(in, "property"), *file = option_text(in, "properties");
    if (!name)
        return file ? load_file(file, choice, err) : TAC_OK;
    if (file) {
        tac_status status = try_file(file, name, choice, err);
        if (!status && !choice->properties)
            status =
                tac_fail_at(err, TAC_E_INPUT, file, 0, 0, "no property '%s' in this file", name);
        return status;
    }
    const char *base = tac_base_name(in->args[0]);
    char *folder = base == in->args[0] ? tac_strdup(".")
                                       : tac_strndup(in->args[0], (size_t)(base - in->args[0]));
    tac_status status = try_folder(folder, name, choice, err);
    if (!status && !choice->properties)
        status = try_folder(".", name, choice, err);
    if (!status && !choice->properties)
        status = tac_fail(
            err, TAC_E_INPUT, "no property '%s' in %s%s*.props; name its file with -p", name,
            strcmp(folder, ".") ? folder : "", strcmp(folder, ".") ? "*.props or ./" : "./");
    free(folder);
    return status;
}

static int finish_plot(struct invocation *in, const tac_plot *plot)
{
    if (in->json)
        return finish_json(in, tac_plot_json(plot), 0);
    tac_output output;
    tac_error err;
    tac_status status = tac_output_open(&output, in->output, &err);
    if (!status) {
        status = tac_plot_svg(plot, output.file, &err);
        status = tac_output_close(&output, status, &err);
    }
    return status ? fail(in, &err) : 0;
}

static int trace_plot_run(struct invocation *in)
{
    struct property_choice choice = {0};
    tac_error err;
    tac_status status = find_property(in, &choice, &err);
    if (status)
        return fail(in, &err);
    tac_trace_options trace = read_trace_options(in);
    tac_plot_options options = {.variable = option_text(in, "variable"),
                                .definitions = choice.properties,
                                .properties =
                                    option_text(in, "property") ? choice.properties : NULL,
                                .property = choice.index,
                                .title = option_text(in, "title"),
                                .width = (unsigned)option_number(in, "width", 0),
                                .height = (unsigned)option_number(in, "height", 0)};
    tac_plot *plot = tac_plot_new(&options);
    for (size_t i = 0; i < in->arg_count && !status; i++)
        status = tac_plot_add(plot, in->args[i], &trace, in->watch, &err);
    int code = status ? fail(in, &err) : finish_plot(in, plot);
    tac_plot_free(plot);
    tac_property_free(choice.properties);
    return code;
}

const struct command cmd_trace_plot = {
    .noun = "trace",
    .verb = "plot",
    .group = GROUP_ANALYSE,
    .args = "TRACE...",
    .summary = "draw a variable over time, with the intervals and bound of a property",
    .description =
        "Writes an SVG picture: one curve per trace, told apart by colour, marker, dashes and the "
        "name at its end. With --property the intervals are shaded, the bound is a dashed line at "
        "the value at the interval's start plus the bound, and what is left of it, or over it, "
        "stands at the end of each curve (of several intervals: the worst); intervals that are "
        "violated are shaded in red. A temporal property is shaded from where it goes wrong to "
        "where that is known. Without a property, the events of a single trace are marked.\n\n"
        "Traces of one scenario (by the run's meta data, else by the name before a trailing "
        "number: cafe-1, cafe-2) share colour and marker. Long traces are drawn by the least and "
        "greatest value of each stretch of time, so no peak is lost. The picture carries a text "
        "equivalent; --json gives the same figures as data.",
    .example = "tactus trace plot examples/traces/*.csv --variable rxData --property "
               "cheap_playback -o playback.svg",
    .options = plot_options,
    .common = HAS_JSON | HAS_OUTPUT,
    .documents = DOCUMENTS(&plot_described),
    .reads_traces = true,
    .run = trace_plot_run,
};
