/* Reading reproduce.json (docs/reproduce.md). The file is an input like any other: what is not of
 * the expected type is left out. */
#include "report/cause/reproduction.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include <string.h>
#include <unistd.h>

enum { MOST_STEPS = 500, MOST_EXPERIMENTS = 50 };
static const size_t most_bytes = (size_t)16 << 20;

struct script_file {
    tac_json file;
};

struct script_file *script_file_load(const struct report_campaign *campaign)
{
    char *path = report_path(campaign, "reproduce.json");
    struct script_file *loaded = NULL;
    tac_error ignored; /* a report does not fail for it: the command is shown instead */
    tac_json file;
    if (access(path, R_OK) == 0 && tac_json_load(path, most_bytes, &file, &ignored) == TAC_OK) {
        loaded = tac_calloc(1, sizeof *loaded);
        loaded->file = file;
    }
    free(path);
    return loaded;
}

void script_file_free(struct script_file *reproduction)
{
    if (!reproduction)
        return;
    tac_json_free(&reproduction->file);
    free(reproduction);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static const json_t *find_cause(const struct script_file *reproduction, const char *kind,
                                const char *name)
{
    const char *key = strcmp(kind, "property") ? "cluster" : "property";
    size_t i;
    const json_t *cause;
    if (reproduction)
        json_array_foreach(json_object_get(reproduction->file.root, "causes"), i, cause)
        {
            if (!strcmp(text_of(cause, key), name))
                return cause;
        }
    return NULL;
}

static void copy_text(json_t *to, const json_t *from, const char *key)
{
    json_object_set_new(to, key, tac_json_string(text_of(from, key)));
}

static void copy_number(json_t *to, const char *name, const json_t *from, const char *key)
{
    json_object_set_new(to, name, json_integer(json_integer_value(json_object_get(from, key))));
}

static void copy_truth(json_t *to, const json_t *from, const char *key)
{
    json_object_set_new(to, key, json_boolean(json_is_true(json_object_get(from, key))));
}

static json_t *steps_json(const json_t *cause)
{
    json_t *list = json_array();
    size_t i;
    const json_t *step;
    json_array_foreach(json_object_get(cause, "steps"), i, step)
    {
        const char *text = text_of(step, "text");
        if (i < MOST_STEPS)
            json_array_append_new(list, tac_json_string(*text ? text : text_of(step, "event")));
    }
    if (!i && json_is_true(json_object_get(cause, "reproduced"))) /* it fails at the start */
        json_array_append_new(list, json_string("open the app"));
    return list;
}

static json_t *experiments_json(const json_t *cause)
{
    json_t *list = json_array();
    size_t i;
    const json_t *experiment;
    json_array_foreach(json_object_get(cause, "counterfactuals"), i, experiment)
    {
        json_t *row = json_object();
        if (i < MOST_EXPERIMENTS)
            json_array_append(list, row);
        copy_text(row, experiment, "pattern");
        copy_text(row, experiment, "claim");
        copy_text(row, experiment, "inserted");
        copy_number(row, "tried", experiment, "tried");
        copy_number(row, "failed", experiment, "failed");
        copy_text(row, experiment, "verdict");
        json_decref(row);
    }
    return list;
}

static json_t *reproduction_json(const struct report_campaign *campaign, const json_t *cause,
                                 bool complete)
{
    json_t *object = json_object();
    const json_t *replays = json_object_get(cause, "replays");
    copy_truth(object, cause, "reproduced");
    copy_text(object, cause, "message");
    json_object_set_new(object, "from_run",
                        json_integer((json_int_t)campaign->first_run +
                                     json_integer_value(json_object_get(cause, "from_run"))));
    copy_number(object, "steps_before", cause, "steps_before");
    copy_number(object, "steps_after", cause, "steps_after");
    copy_number(object, "executions", cause, "executions");
    copy_number(object, "replays_tried", replays, "tried");
    copy_number(object, "replays_failed", replays, "failed");
    copy_truth(object, cause, "one_minimal");
    copy_truth(object, cause, "flaky");
    json_object_set_new(object, "complete", json_boolean(complete));
    copy_text(object, cause, "failure");
    json_object_set_new(object, "steps", steps_json(cause));
    json_object_set_new(object, "experiments", experiments_json(cause));
    copy_text(object, cause, "flow");
    copy_text(object, cause, "replay");
    return object;
}

char *reproduction_advice(const tac_report_options *options, const struct report_campaign *campaign,
                          const char *kind, const char *name)
{
    char *devices = NULL;
    tac_error ignored;
    if (!options->reproduce)
        return NULL;
    if (tac_store_get(campaign->store, "devices", &devices, &ignored) != TAC_OK)
        devices = NULL;
    char *first = tac_strndup(devices ? devices : "", devices ? strcspn(devices, ", \n") : 0);
    bool property = !strcmp(kind, "property");
    char *text = options->reproduce(&(tac_report_failure){.folder = campaign->folder,
                                                          .device = first,
                                                          .cluster = property ? NULL : name,
                                                          .property = property ? name : NULL});
    free(first);
    free(devices);
    return text;
}

/* Documents of before said it for all of their causes at once. */
static bool is_complete(const struct script_file *reproduction, const json_t *cause)
{
    const json_t *own = json_object_get(cause, "complete");
    return json_is_true(own ? own : json_object_get(reproduction->file.root, "complete"));
}

void script_file_describe(const struct script_file *reproduction, const tac_report_options *options,
                          const struct report_campaign *campaign, const char *kind,
                          const char *name, json_t *object)
{
    const json_t *cause = find_cause(reproduction, kind, name);
    if (cause)
        json_object_set_new(object, "reproduction",
                            reproduction_json(campaign, cause, is_complete(reproduction, cause)));
    char *advice = cause ? NULL : reproduction_advice(options, campaign, kind, name);
    if (advice)
        json_object_set_new(object, "reproduce", tac_json_string(advice));
    free(advice);
}
