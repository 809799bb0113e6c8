/* The files of a cause: the flow, its exports, a property that catches it, a text. */
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/data/visible.h"
#include "base/io/input.h"
#include "base/io/output.h"
#include "base/io/text_file.h"
#include "flow/export.h"
#include "mining/runs/runs.h"
#include "reproduce/cause.h"
#include <errno.h>
#include <sys/stat.h>

static const size_t largest_properties = (size_t)64 << 20;

static tac_status write_flow(const char *path, const tac_flow *flow, tac_error *err)
{
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    if (status != TAC_OK)
        return status;
    status = tac_flow_write(flow, output.file, err);
    return tac_output_close(&output, status, err);
}

/* The page that the flows are about, borrowed; NULL where the device is none, or several are. */
static const char *page_of(const struct hunt *hunt)
{
    static const char *const schemes[] = {"http://", "https://", "file://"};
    const char *uri = hunt->options->device_count == 1 ? hunt->options->devices[0].uri : "";
    const char *address = strncmp(uri, "chromium:", 9) ? uri : uri + 9;
    if (!strncmp(uri, "webdriver", 9)) /* the page, or an app behind Appium */
        address = hunt->run.device_options.app ? hunt->run.device_options.app : "";
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (!strncmp(address, schemes[i], strlen(schemes[i])))
            return address;
    return NULL;
}

static tac_status write_export(const struct hunt *hunt, const char *flow, const char *path,
                               tac_export_format format, tac_error *err)
{
    tac_output output;
    const char *page = page_of(hunt);
    tac_export_options options = {
        .format = format, .platform = page ? TAC_EXPORT_WEB : TAC_EXPORT_ANY, .url = page};
    if (!*path)
        return TAC_OK;
    tac_status status = tac_output_open(&output, path, err);
    if (status != TAC_OK)
        return status;
    status = tac_flow_export_to(flow, &options, path, output.file, NULL, err);
    return tac_output_close(&output, status, err);
}

/* --- a property that catches it --- */

static void add_quoted(tac_str *out, const char *text)
{
    tac_str_add_char(out, '"');
    tac_quote_property(out, text);
    tac_str_add_char(out, '"');
}

/* As traces name it: with several devices "DEVICE:EVENT". */
static void add_event(const struct hunt *hunt, const char *device, const char *event, tac_str *out)
{
    bool several = hunt->options->device_count > 1 && hunt->options->devices[0].name;
    char *name = tac_format("%s%s%s", several ? device : "", several ? ":" : "", event);
    tac_str_add(out, "event == ");
    add_quoted(out, name);
    free(name);
}

static void add_step(const struct hunt *hunt, uint32_t number, tac_str *out)
{
    const tac_flow_step *step = &hunt->known.steps.at.at[number];
    add_event(hunt, step->device, step->event, out);
}

/* A state is the value of the variable that the patterns were mined from. */
static void add_missing(const struct hunt *hunt, const tac_counterfactual *missing, tac_str *out)
{
    if (!missing->is_state) {
        add_event(hunt, missing->device, missing->inserted, out);
        return;
    }
    tac_str_addf(out, "%s == ", runs_state_variable(hunt->source.mined));
    add_quoted(out, missing->inserted);
}

static const tac_counterfactual *confirmed(const tac_reproduction *cause)
{
    for (size_t i = 0; i < cause->counterfactual_count; i++)
        if (cause->counterfactuals[i].verdict == TAC_EXPERIMENT_CONFIRMED)
            return &cause->counterfactuals[i];
    return NULL;
}

/* What has to come first is known by experiment, or the events are avoided in their order. */
static char *property_text(const struct hunt *hunt, const struct script *script,
                           const tac_reproduction *cause)
{
    const tac_counterfactual *missing = confirmed(cause);
    tac_str out = {0};
    tac_str_add(&out, "# "); /* one line each, whatever the app says */
    tac_visible_add(&out, cause->failure);
    tac_str_add(&out, "\n# ");
    tac_visible_add(&out, cause->text);
    tac_str_add(&out, "\nproperty avoids_failure: not ");
    if (missing) {
        tac_str_add(&out, "((not (");
        add_missing(hunt, missing, &out);
        tac_str_add(&out, ")) until (");
        add_step(hunt, script->at[script->count - 1], &out);
        tac_str_add(&out, "))");
    } else {
        for (size_t i = 0; i < script->count; i++) {
            tac_str_add(&out, i ? " and next eventually (" : "eventually (");
            add_step(hunt, script->at[i], &out);
        }
        for (size_t i = 0; i < script->count; i++)
            tac_str_add_char(&out, ')');
        if (!script->count)
            tac_str_add(&out, "eventually (event == event)");
    }
    tac_str_add_char(&out, '\n');
    return tac_str_take(&out);
}

/* A violated property is its own catcher: the campaign's file. */
static tac_status write_properties(const struct hunt *hunt, const char *path,
                                   const struct script *script, const tac_reproduction *cause,
                                   tac_error *err)
{
    char *text = NULL;
    size_t size = 0;
    tac_status status = TAC_OK;
    if (cause->kind == TAC_FAILURE_PROPERTY && hunt->source.properties) {
        status = tac_input_slurp(hunt->source.properties, largest_properties, &text, &size, err);
    } else {
        text = property_text(hunt, script, cause);
        size = strlen(text);
    }
    if (status == TAC_OK)
        status = tac_output_write_file(path, text, size, err);
    free(text);
    return status;
}

/* --- all --- */

static char *replay_command(const struct hunt *hunt, const tac_reproduction *cause)
{
    const char *scenario = cause->scenario;
    bool property = cause->kind == TAC_FAILURE_PROPERTY;
    tac_run_options run = {.devices = hunt->options->devices,
                           .device_count = hunt->options->device_count,
                           .device_options = hunt->run.device_options,
                           .folder = "replayed",
                           .flows = cause->flow,
                           .properties = property ? cause->properties : NULL,
                           .scenarios = &scenario,
                           .scenario_count = *scenario ? 1 : 0,
                           .sample = hunt->run.sample,
                           .think = hunt->run.think,
                           .deadline = hunt->run.deadline,
                           .seed = 1};
    return hunt->options->describe ? hunt->options->describe(&run) : tac_strdup("");
}

static char *path_in(const char *folder, const char *name)
{
    return tac_format("%s/%s", folder, name);
}

static tac_status write_text(const char *folder, const struct hunt *hunt,
                             const struct script *script, const tac_reproduction *cause,
                             tac_error *err)
{
    char *path = path_in(folder, "steps.txt"),
         *lines = say_script(&hunt->known.steps, script, "\n"),
         *failure = tac_visible(cause->failure);
    char *text = tac_format("%s\n%s\n", lines, failure);
    tac_status status = tac_text_file_write(path, text, err);
    free(text);
    free(failure);
    free(lines);
    free(path);
    return status;
}

tac_status write_cause(struct hunt *hunt, const char *name, const struct script *script,
                       const tac_flow *start, tac_reproduction *out, tac_error *err)
{
    char *folder = path_in(hunt->options->folder, name);
    tac_flow flow = steps_flow(&hunt->known.steps, script, start);
    tac_status status = TAC_OK;
    if (mkdir(folder, 0777) && errno != EEXIST)
        status = tac_fail_errno(err, errno, folder, "cannot create the folder");
    out->flow = path_in(folder, "flow.jsonl");
    bool page = page_of(hunt) != NULL;
    out->webdriver = path_in(folder, "flow.webdriver.json");
    out->wdio = page ? path_in(folder, "flow.spec.js") : tac_strdup("");
    out->maestro = page ? tac_strdup("") : path_in(folder, "flow.yaml");
    out->uiautomator = page ? tac_strdup("") : path_in(folder, "FlowTest.java");
    out->properties = path_in(folder, "catch.props");
    out->replay = replay_command(hunt, out);
    if (status == TAC_OK)
        status = write_flow(out->flow, &flow, err);
    if (status == TAC_OK)
        status = write_export(hunt, out->flow, out->maestro, TAC_EXPORT_MAESTRO, err);
    if (status == TAC_OK)
        status = write_export(hunt, out->flow, out->webdriver, TAC_EXPORT_WEBDRIVER, err);
    if (status == TAC_OK)
        status = write_export(hunt, out->flow, out->wdio, TAC_EXPORT_WDIO, err);
    if (status == TAC_OK)
        status = write_export(hunt, out->flow, out->uiautomator, TAC_EXPORT_UIAUTOMATOR, err);
    if (status == TAC_OK)
        status = write_properties(hunt, out->properties, script, out, err);
    if (status == TAC_OK)
        status = write_text(folder, hunt, script, out, err);
    free((void *)(uintptr_t)flow.steps);
    free(folder);
    return status;
}
