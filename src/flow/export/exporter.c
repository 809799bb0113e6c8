/* Exports flow files: the registry of formats, and what all formats need. */
#include "flow/export/exporter.h"
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/text.h"
#include "base/io/output.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const struct export_format *const formats[] = {
    [TAC_EXPORT_MAESTRO] = &export_maestro, [TAC_EXPORT_WEBDRIVER] = &export_webdriver,
    [TAC_EXPORT_WDIO] = &export_wdio,       [TAC_EXPORT_UIAUTOMATOR] = &export_uiautomator,
    [TAC_EXPORT_PROMELA] = &export_promela,
};

bool tac_export_format_parse(const char *name, tac_export_format *out)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(formats[i]->name, name)) {
            *out = (tac_export_format)i;
            return true;
        }
    return false;
}

static void write_out(tac_exporter *exporter)
{
    if (exporter->text.length)
        fwrite(exporter->text.text, 1, exporter->text.length, exporter->out);
    tac_str_clear(&exporter->text);
}

tac_exporter *tac_exporter_new(tac_export_format format, const char *name, FILE *out)
{
    tac_exporter *exporter = tac_calloc(1, sizeof *exporter);
    const char *base = strcmp(name, "-") ? tac_base_name(name) : "flows";
    exporter->format = formats[format];
    exporter->out = out;
    exporter->name = tac_strndup(base, strcspn(base, "."));
    exporter->format->begin(exporter);
    write_out(exporter);
    return exporter;
}

void tac_exporter_add(tac_exporter *exporter, const tac_flow *flow)
{
    exporter->flows++;
    exporter->format->flow(exporter, flow);
    write_out(exporter);
}

tac_status tac_exporter_finish(tac_exporter *exporter, uint64_t *unsaid, tac_error *err)
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

tac_status tac_flow_export(const char *path, tac_export_format format, FILE *out, uint64_t *unsaid,
                           tac_error *err)
{
    tac_flow_file *file;
    tac_status status = tac_flow_file_open(path, &file, err);
    if (status != TAC_OK)
        return status;
    tac_exporter *exporter = tac_exporter_new(format, path, out);
    const tac_flow *flow = NULL;
    while ((status = tac_flow_file_next(file, &flow, err)) == TAC_OK && flow)
        tac_exporter_add(exporter, flow);
    tac_flow_file_close(file);
    tac_status finished = tac_exporter_finish(exporter, unsaid, status == TAC_OK ? err : NULL);
    return status == TAC_OK ? finished : status;
}

/* One flow to one file of the folder. */
static tac_status export_one(const tac_flow *flow, tac_export_format format, const char *folder,
                             uint64_t number, uint64_t *unsaid, tac_error *err)
{
    char *base = tac_format("flow%04llu%s", (unsigned long long)number, formats[format]->suffix);
    char *path = tac_format("%s/%s", folder, base);
    tac_output output;
    uint64_t here = 0;
    tac_status status = tac_output_open(&output, path, err);
    if (status == TAC_OK) {
        tac_exporter *exporter = tac_exporter_new(format, base, output.file);
        tac_exporter_add(exporter, flow);
        status = tac_exporter_finish(exporter, &here, err);
        status = tac_output_close(&output, status, err);
    }
    *unsaid += here;
    free(base);
    free(path);
    return status;
}

tac_status tac_flow_export_folder(const char *path, tac_export_format format, const char *folder,
                                  uint64_t *files, uint64_t *unsaid, tac_error *err)
{
    tac_flow_file *file;
    tac_status status = tac_flow_file_open(path, &file, err);
    if (status != TAC_OK)
        return status;
    *files = *unsaid = 0;
    if (mkdir(folder, 0777) && errno != EEXIST)
        status = tac_fail_errno(err, errno, folder, "cannot create the folder");
    while (status == TAC_OK) {
        const tac_flow *flow;
        status = tac_flow_file_next(file, &flow, err);
        if (status != TAC_OK || !flow)
            break;
        status = export_one(flow, format, folder, ++*files, unsaid, err);
    }
    tac_flow_file_close(file);
    return status;
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
    return "";
}

void add_quoted(tac_str *out, const char *text)
{
    tac_str_add_char(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            tac_str_addf(out, "\\%c", c);
        else if (c == '\n')
            tac_str_add(out, "\\n");
        else if (c < 32 || c == 127)
            tac_str_addf(out, "\\u%04x", c);
        else
            tac_str_add_char(out, (char)c);
    }
    tac_str_add_char(out, '"');
}

void add_comment(tac_str *out, const char *text)
{
    tac_quote_comment(out, text);
}

void add_identifier(tac_str *out, const char *text)
{
    if (isdigit((unsigned char)*text) || !*text)
        tac_str_add_char(out, '_');
    for (; *text; text++)
        tac_str_add_char(out, isalnum((unsigned char)*text) ? *text : '_');
}
