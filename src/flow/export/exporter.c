/* Exports flow files: the registry of formats, one file for all flows or one per flow (and device),
 * and what all formats need. */
#include "flow/export/exporter.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/only_name.h"
#include "base/data/text.h"
#include "base/io/output.h"
#include "locator_names_js.h"
#include "model/model.h"
#include "page_template.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const struct export_format *const formats[] = {
    [TAC_EXPORT_MAESTRO] = &export_maestro, [TAC_EXPORT_WEBDRIVER] = &export_webdriver,
    [TAC_EXPORT_WDIO] = &export_wdio,       [TAC_EXPORT_UIAUTOMATOR] = &export_uiautomator,
    [TAC_EXPORT_PROMELA] = &export_promela, [TAC_EXPORT_PLAYWRIGHT] = &export_playwright,
};
TABLE_COVERS(formats, TAC_EXPORT_PLAYWRIGHT);

static void write_out(tac_exporter *exporter)
{
    if (exporter->text.length)
        fwrite(exporter->text.text, 1, exporter->text.length, exporter->out);
    tac_str_clear(&exporter->text);
}

static const char *kind_and_value(const tac_model_action *action, const char *name, tac_str *out)
{
    tac_str_addf(out, "%s%s%s%s%s", tac_action_kind_name(action->kind), *name ? " on " : "", name,
                 action->value ? " " : "", action->value ? action->value : "");
    return tac_str_text(out);
}

/* "flow 2, step 3 'zoom': pinch on //node[...] cannot be expressed in Maestro" */
static void tell(tac_exporter *exporter, const char *what)
{
    tac_str line = {0};
    exporter->unsaid++;
    tac_str_addf(&line, "flow %llu, ", (unsigned long long)exporter->flows);
    if (exporter->step)
        tac_str_addf(&line, "step %zu '%.200s'", exporter->number, exporter->step->event);
    else
        tac_str_add(&line, "start");
    tac_str_add(&line, ": ");
    tac_quote_comment(&line, what);
    tac_str_addf(&line, " cannot be expressed in %s", exporter->format->tool);
    if (exporter->options.tell)
        exporter->options.tell(exporter->options.context, tac_str_text(&line));
    tac_str_free(&line);
}

char *exporter_refuse(tac_exporter *exporter, const tac_model_action *action)
{
    tac_str what = {0};
    const char *name = action->xpath         ? action->xpath
                       : action->resource_id ? action->resource_id
                       : action->text        ? action->text
                                             : "";
    tell(exporter, kind_and_value(action, name, &what));
    char *why =
        tac_format("not expressible in %s: %s", exporter->format->tool, tac_str_text(&what));
    tac_str_free(&what);
    return why;
}

void exporter_skip(tac_exporter *exporter, const char *expectation)
{
    char *what = tac_format("the expectation '%s'", expectation);
    char *text =
        tac_format("not checked, as %s cannot express it: %s", exporter->format->tool, expectation);
    tell(exporter, what);
    if (exporter->format->note)
        exporter->format->note(exporter, text);
    free(text);
    free(what);
}

/* A file of the format, whose name the suite must have. */
static bool is_file_of(const struct export_format *format, const char *path)
{
    return format->suite_is_a_name && tac_ends_with(path, format->suffix);
}

static tac_status check_name(const struct export_format *format, const char *path, tac_error *err)
{
    const char *base = tac_base_name(path);
    bool fits = isalpha((unsigned char)*base) || *base == '_';
    for (const char *c = base; is_file_of(format, path) && *c != '.'; c++)
        fits = fits && (isalnum((unsigned char)*c) || *c == '_');
    if (fits || !is_file_of(format, path))
        return TAC_OK;
    return tac_fail_at(err, TAC_E_USAGE, path, 0, 0,
                       "a Java class has the name of its file, and this is not one; use letters, "
                       "digits and '_', as in Flows.java");
}

/* The suite's name from a file's: an identifier where the format wants one. */
static char *suite_name(const struct export_format *format, const char *path)
{
    const char *base = strcmp(path, "-") ? tac_base_name(path) : "flows";
    char *stem = tac_strndup(base, strcspn(base, "."));
    if (!format->suite_is_a_name || is_file_of(format, path))
        return stem;
    tac_str name = {0};
    add_identifier(&name, stem);
    name.text[0] = (char)toupper((unsigned char)name.text[0]);
    free(stem);
    return tac_str_take(&name);
}

/* An exporter writes the flows it is given to out, which stays the caller's. name is the flow
 * file's (for titles; a Java class is named as its file must be). */
static tac_exporter *tac_exporter_open(const tac_export_options *options, const char *name,
                                       FILE *out)
{
    tac_exporter *exporter = tac_calloc(1, sizeof *exporter);
    assert((size_t)options->format < sizeof formats / sizeof *formats);
    exporter->format = formats[options->format];
    exporter->options = *options;
    exporter->out = out;
    exporter->device = options->device;
    exporter->name = suite_name(exporter->format, name);
    exporter->format->begin(exporter);
    write_out(exporter);
    return exporter;
}

static void tac_exporter_add(tac_exporter *exporter, const tac_flow *flow)
{
    exporter->flows++;
    exporter->format->flow(exporter, flow);
    write_out(exporter);
}

/* Ends the file and frees the exporter. *unsaid (may be NULL) is how many actions and expectations
 * the format cannot express: each such action is a step that fails, with the reason, and each such
 * expectation a comment. */
static tac_status tac_exporter_finish(tac_exporter *exporter, uint64_t *unsaid, tac_error *err)
{
    exporter->format->end(exporter);
    bool overflow = exporter->text.overflow;
    write_out(exporter);
    if (unsaid)
        *unsaid = exporter->unsaid;
    tac_str_free(&exporter->text);
    free(exporter->name);
    bool failed = ferror(exporter->out);
    free(exporter);
    if (overflow)
        return tac_fail(err, TAC_E_LIMIT, "a flow is too large to be exported");
    return failed ? tac_fail_errno(err, errno, "", "cannot write the export") : TAC_OK;
}

static tac_status no_flows(const char *path, tac_error *err)
{
    return tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                       "there are no flows in this file, so nothing was exported");
}

tac_status tac_flow_export_to(const char *path, const tac_export_options *options, const char *name,
                              FILE *out, uint64_t *unsaid, tac_error *err)
{
    tac_flow_file *file;
    tac_status status = check_name(formats[options->format], name, err);
    if (status == TAC_OK)
        status = tac_flow_file_open(path, &file, err);
    if (status != TAC_OK)
        return status;
    tac_exporter *exporter = tac_exporter_open(options, name, out);
    const tac_flow *flow = NULL;
    while ((status = tac_flow_file_next(file, &flow, err)) == TAC_OK && flow)
        tac_exporter_add(exporter, flow);
    tac_flow_file_close(file);
    if (status == TAC_OK && !exporter->flows)
        status = no_flows(path, err);
    tac_status finished = tac_exporter_finish(exporter, unsaid, status == TAC_OK ? err : NULL);
    return status == TAC_OK ? finished : status;
}

/* One flow, or one device's part of it, to one file of the folder. */
static tac_status export_one(const tac_flow *flow, const tac_export_options *options,
                             const char *folder, uint64_t number, tac_names *used, uint64_t *unsaid,
                             tac_error *err)
{
    const struct export_format *format = formats[options->format];
    tac_str device = {0};
    if (options->device) {
        tac_str_add_char(&device, '_');
        add_identifier(&device, options->device);
        char *only = tac_only_name(used, tac_str_text(&device), "_");
        tac_str_clear(&device);
        tac_str_add(&device, only);
        free(only);
    }
    char *base = tac_format("%s%04llu%s%s", format->suite_is_a_name ? "Flow" : "flow",
                            (unsigned long long)number, tac_str_text(&device), format->suffix);
    char *path = tac_format("%s/%s", folder, base);
    tac_output output;
    uint64_t here = 0;
    tac_status status = tac_output_open(&output, path, err);
    if (status == TAC_OK) {
        tac_exporter *exporter = tac_exporter_open(options, base, output.file);
        tac_exporter_add(exporter, flow);
        status = tac_exporter_finish(exporter, &here, err);
        status = tac_output_close(&output, status, err);
    }
    *unsaid += here;
    tac_str_free(&device);
    free(base);
    free(path);
    return status;
}

static tac_status export_flow(const tac_flow *flow, const tac_export_options *options,
                              const char *folder, uint64_t number, uint64_t *files,
                              uint64_t *unsaid, tac_error *err)
{
    const char *devices[64];
    size_t count = flow_devices(flow, devices, 64);
    bool apart = formats[options->format]->one_device && count > 1;
    tac_names used = {0}; /* what the devices are called in the names of files */
    tac_status status = TAC_OK;
    for (size_t d = 0; d < (apart ? count : 1) && status == TAC_OK; d++) {
        tac_export_options one = *options;
        assert(d < count);
        one.device = apart ? devices[d] : NULL;
        status = export_one(flow, &one, folder, number, &used, unsaid, err);
        ++*files;
    }
    tac_names_free(&used);
    return status;
}

tac_status tac_flow_export_folder_to(const char *path, const tac_export_options *options,
                                     const char *folder, uint64_t *files, uint64_t *unsaid,
                                     tac_error *err)
{
    tac_flow_file *file;
    tac_status status = tac_flow_file_open(path, &file, err);
    if (status != TAC_OK)
        return status;
    *files = *unsaid = 0;
    if (mkdir(folder, 0777) && errno != EEXIST)
        status = tac_fail_errno(err, errno, folder, "cannot create the folder");
    for (uint64_t number = 1; status == TAC_OK; number++) {
        const tac_flow *flow;
        status = tac_flow_file_next(file, &flow, err);
        if (status != TAC_OK || !flow)
            break;
        status = export_flow(flow, options, folder, number, files, unsaid, err);
    }
    tac_flow_file_close(file);
    return status == TAC_OK && !*files ? no_flows(path, err) : status;
}

/* --- Shared by the formats --- */

const tac_model_action *step_actions(const tac_flow_step *step, tac_model_action *stand_in,
                                     size_t *count)
{
    if (step->action_count) {
        *count = step->action_count;
        return step->actions;
    }
    *count = 1;
    *stand_in = (tac_model_action){.kind = TAC_ACTION_CLICK, .text = step->event};
    if (step->kind == TAC_EVENT_SYSTEM)
        *stand_in = (tac_model_action){.kind = TAC_ACTION_WAIT};
    else if (!strcmp(step->event, "back"))
        *stand_in = (tac_model_action){.kind = TAC_ACTION_BACK};
    else if (!strcmp(step->event, "home"))
        *stand_in = (tac_model_action){.kind = TAC_ACTION_HOME};
    return stand_in;
}

static size_t add_device(const char *device, const char **devices, size_t count, size_t most)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(devices[i], device))
            return count;
    if (count < most)
        devices[count++] = device;
    return count;
}

size_t flow_devices(const tac_flow *flow, const char **devices, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < flow->start_count; i++)
        count = add_device(flow->starts[i].device, devices, count, most);
    for (size_t i = 0; i < flow->step_count; i++)
        count = add_device(flow->steps[i].device, devices, count, most);
    if (!count && most)
        devices[count++] = "";
    return count;
}

const char *flow_package(const tac_flow *flow, const char *device)
{
    for (size_t i = 0; i < flow->start_count; i++)
        if (!strcmp(flow->starts[i].device, device))
            return flow->starts[i].package;
    return flow->start_count == 1 ? flow->starts[0].package : "";
}

/* A host with a port or an address is a web page's, anything else an app's package. */
tac_export_platform platform_of(const tac_exporter *exporter, const char *package)
{
    if (exporter->options.platform != TAC_EXPORT_ANY)
        return exporter->options.platform;
    bool page = exporter->options.url || strchr(package, ':') || strchr(package, '/') ||
                !strcmp(package, "localhost");
    return page ? TAC_EXPORT_WEB : TAC_EXPORT_ANDROID;
}

char *start_page(const tac_exporter *exporter, const char *package)
{
    if (exporter->options.url)
        return tac_strdup(exporter->options.url);
    return strstr(package, "://") ? tac_strdup(package) : tac_format("http://%s/", package);
}

struct export_move finger_move(const tac_model_action *action)
{
    const char *way = action->value ? action->value : "";
    int sign = action->kind == TAC_ACTION_SCROLL ? -1 : 1;
    struct export_move move = {0, 0};
    if (!strcmp(way, "left"))
        move.dx = -200 * sign;
    else if (!strcmp(way, "right"))
        move.dx = 200 * sign;
    else if (!strcmp(way, "up"))
        move.dy = -300 * sign;
    else if (!strcmp(way, "down"))
        move.dy = 300 * sign;
    else
        move.dy = -300;
    return move;
}

double wait_seconds(const tac_model_action *action)
{
    double seconds;
    return action->value && tac_parse_double(action->value, &seconds) && seconds >= 0 ? seconds : 1;
}

void add_template(tac_str *out, const char *template, int part, const char *name)
{
    static const char line[] = "\n@@\n";
    const char *split = strstr(template, line);
    assert(split != NULL);
    const char *at = part ? split + sizeof line - 1 : template;
    const char *end = part ? at + strlen(at) : split + 1;
    while (at < end) {
        const char *mark = strstr(at, "@NAME@");
        if (!mark || mark >= end)
            mark = end;
        tac_str_add_bytes(out, at, (size_t)(mark - at));
        if (mark < end)
            tac_str_add(out, name);
        at = mark < end ? mark + strlen("@NAME@") : end;
    }
}

void add_page_script(tac_str *out)
{
    const char *mark = strstr(page_template, "@NAMES@");
    assert(mark != NULL);
    tac_str_add_bytes(out, page_template, (size_t)(mark - page_template));
    tac_str_add(out, locator_names_js);
    tac_str_add(out, mark + strlen("@NAMES@\n"));
}

void add_identifier(tac_str *out, const char *text)
{
    if (isdigit((unsigned char)*text) || !*text)
        tac_str_add_char(out, '_');
    for (; *text; text++)
        tac_str_add_char(out, isalnum((unsigned char)*text) ? *text : '_');
}
