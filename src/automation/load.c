/* Opens a path by its content. */
#include "automation/load.h"
#include "automation/home/home.h"
#include "automation/plain/plain.h"
#include "automation/tasker/tasker.h"
#include "base/io/input.h"
#include <string.h>
#include <sys/stat.h>

/* The first byte of XML, or the first words of our own form. */
static tac_automation_format format_of(const char *path)
{
    struct stat status;
    tac_input *input = NULL;
    char head[256] = "";
    size_t got = 0;
    if (stat(path, &status) || !S_ISREG(status.st_mode) || tac_input_open(path, &input, NULL))
        return TAC_AUTOMATION_HOME_ASSISTANT;
    (void)tac_input_read(input, head, sizeof head - 1, &got, NULL);
    tac_input_close(input);
    const char *text = !strncmp(head, "\xef\xbb\xbf", 3) ? head + 3 : head;
    text += strspn(text, " \t\r\n");
    return *text == '<'                                ? TAC_AUTOMATION_TASKER
           : !strncmp(text, "tactus automations ", 19) ? TAC_AUTOMATION_PLAIN
                                                       : TAC_AUTOMATION_HOME_ASSISTANT;
}

tac_status automation_load(const char *path, const char *overlay_path, const char *overlay_text,
                           tac_diagnostics *diagnostics, tac_automation_model **out, tac_error *err)
{
    tac_automation_model *model = tac_calloc(1, sizeof *model);
    model->diagnostics = diagnostics;
    model->overlay_path = overlay_path;
    model->overlay_text = overlay_text;
    model->path = tac_strdup(path);
    tac_status status;
    model->format = format_of(path);
    if (model->format == TAC_AUTOMATION_TASKER)
        status = tasker_read(model, path, err);
    else if (model->format == TAC_AUTOMATION_PLAIN)
        status = plain_read(model, path, err);
    else
        status = home_read(model, path, err);
    if (status == TAC_OK && !model->automations.count)
        status = tac_fail_at(
            err, TAC_E_INPUT, path, 0, 0, "%s",
            model->format == TAC_AUTOMATION_TASKER
                ? "is a Tasker export without a profile that starts a task: export the profile or "
                  "the project"
                : "holds no automations: expected a Home Assistant configuration folder, a "
                  "file of automations, a Tasker export, or a file that begins with "
                  "'tactus automations 1'");
    if (status == TAC_OK) {
        model_finish(model);
        *out = model;
    } else {
        tac_automation_free(model);
    }
    return status;
}

tac_status tac_automation_load(const char *path, tac_diagnostics *diagnostics,
                               tac_automation_model **out, tac_error *err)
{
    return automation_load(path, NULL, NULL, diagnostics, out, err);
}
