/* From the fields of a request to the words of a command. Each kind of job has a table of the
 * fields it takes, what they may be and which option they become; nothing else gets into the
 * command line. Values stand behind "--option=", so that none is taken for an option itself; paths
 * are those of files in the folder. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "serve/folder/beneath.h"
#include "serve/jobs/jobs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum field_type {
    FIELD_NUMBER, /* whole, not negative */
    FIELD_REAL,   /* not negative */
    FIELD_FLAG,
    FIELD_TEXT,     /* a line */
    FIELD_FILE,     /* of the folder, there */
    FIELD_OUTPUT,   /* of the folder, there or not */
    FIELD_DEVICE,   /* a device's URI, or a list of them */
    FIELD_SCENARIO, /* a built-in name or a file of the folder, or a list of them */
    FIELD_FILES,    /* a file or a list of them, joined by commas */
    FIELD_APP
};

struct field {
    const char *name, *option;
    enum field_type type;
    bool needed;
};

static const struct field explore_fields[] = {{"device", "device", FIELD_DEVICE, true},
                                              {"output", "output", FIELD_OUTPUT, true},
                                              {"strategy", "strategy", FIELD_TEXT, false},
                                              {"event_limit", "event-limit", FIELD_NUMBER, false},
                                              {"depth", "depth", FIELD_NUMBER, false},
                                              {"seed", "seed", FIELD_NUMBER, false},
                                              {"scenario", "scenario", FIELD_SCENARIO, false},
                                              {"stable_names", "stable-names", FIELD_FLAG, false},
                                              {"pictures", "pictures", FIELD_FLAG, false},
                                              {"app", "app", FIELD_APP, false},
                                              {"fast", "fast", FIELD_FLAG, false},
                                              {"realtime", "realtime", FIELD_FLAG, false},
                                              {"parallel", "parallel", FIELD_NUMBER, false},
                                              {0}};
static const struct field run_fields[] = {
    {"device", "device", FIELD_DEVICE, false},
    {"devices", "device", FIELD_DEVICE, false},
    {"output", "output", FIELD_OUTPUT, true},
    {"model", "model", FIELD_FILE, false},
    {"flows", "flows", FIELD_FILE, false},
    {"monkey", "monkey", FIELD_NUMBER, false},
    {"actions", "actions", FIELD_FILE, false},
    {"runs", "runs", FIELD_NUMBER, false},
    {"steps", "steps", FIELD_NUMBER, false},
    {"scenarios", "scenario", FIELD_SCENARIO, false},
    {"properties", "properties", FIELD_FILE, false},
    {"repeat", "repeat", FIELD_NUMBER, false},
    {"seed", "seed", FIELD_NUMBER, false},
    {"think", "think", FIELD_REAL, false},
    {"sample", "sample", FIELD_REAL, false},
    {"parallel", "parallel", FIELD_NUMBER, false},
    {"realtime", "realtime", FIELD_FLAG, false},
    {"conform", "conform", FIELD_FLAG, false},
    {"stop_on_violation", "stop-on-violation", FIELD_FLAG, false},
    {"pictures", "pictures", FIELD_FLAG, false},
    {"live", "live", FIELD_FLAG, false},
    {"fast", "fast", FIELD_FLAG, false},
    {"app", "app", FIELD_APP, false},
    {0}};
static const struct field reproduce_fields[] = {
    {"device", "device", FIELD_DEVICE, true},
    {"run", "run", FIELD_NUMBER, false},
    {"cluster", "cluster", FIELD_TEXT, false},
    {"property", "property", FIELD_TEXT, false},
    {"model", "model", FIELD_FILE, false},
    {"tries", "tries", FIELD_NUMBER, false},
    {"execution_limit", "execution-limit", FIELD_NUMBER, false},
    {"parallel", "parallel", FIELD_NUMBER, false},
    {"campaign", NULL, FIELD_FILE, true},
    {0}};
static const struct field hunt_fields[] = {
    {"device", "device", FIELD_DEVICE, true}, {"output", "output", FIELD_OUTPUT, true},
    {"rules", "rules", FIELD_FILES, false},   {"monkey", "monkey", FIELD_NUMBER, false},
    {"steps", "steps", FIELD_NUMBER, false},  {"budget", "budget", FIELD_REAL, false},
    {"seed", "seed", FIELD_NUMBER, false},    {0}};

static const struct kind {
    const char *name, *words[2];
    const struct field *fields;
} kinds[] = {{"explore", {"explore"}, explore_fields},
             {"run", {"run"}, run_fields},
             {"reproduce", {"reproduce"}, reproduce_fields},
             {"hunt", {"protocol", "hunt"}, hunt_fields}};

/* --- what a value may be --- */

static bool is_line(const char *text)
{
    if (!text || !*text || strlen(text) > 1000)
        return false;
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            return false;
    return true;
}

static bool is_address(const char *text)
{
    return !strncmp(text, "http://", 7) || !strncmp(text, "https://", 8);
}

/* The built-in phone with an app of the folder, a page, a phone, a WebDriver; [NAME=] before. */
static bool is_device(const tac_portal *portal, const char *uri)
{
    static const char serial[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:_-";
    if (!is_line(uri))
        return false;
    size_t name = strcspn(uri, "=:+/");
    if (uri[name] == '=' && name)
        uri += name + 1;
    if (!strncmp(uri, "sim:", 4)) {
        char *path = tac_strndup(uri + 4, strcspn(uri + 4, "#"));
        bool fine = path_is_fine(path) && exists_beneath(portal->root, path);
        free(path);
        return fine;
    }
    if (!strncmp(uri, "adb:", 4))
        return uri[4] && !uri[4 + strspn(uri + 4, serial)];
    if (!strncmp(uri, "chromium:", 9))
        return !uri[9] || is_address(uri + 9);
    return is_address(uri) || (!strncmp(uri, "webdriver+", 10) && is_address(uri + 10));
}

static bool is_scenario(const tac_portal *portal, const char *text)
{
    return is_line(text) && ((!text[strspn(text, "abcdefghijklmnopqrstuvwxyz")]) ||
                             (path_is_fine(text) && exists_beneath(portal->root, text)));
}

/* A package, an address, or a file of the folder to install. */
static bool is_app(const tac_portal *portal, const char *text)
{
    if (!is_line(text))
        return false;
    if (tac_ends_with(text, ".apk"))
        return path_is_fine(text) && exists_beneath(portal->root, text);
    return is_address(text) ||
           (text[0] != '/' && text[0] != '.' && !strstr(text, "..") && !strchr(text, ' '));
}

/* --- words --- */

static void push(json_t *words, const char *option, const char *value)
{
    char *word = tac_format("--%s=%s", option, value);
    json_array_append_new(words, tac_json_string(word));
    free(word);
}

static void push_flag(json_t *words, const char *option)
{
    char *word = tac_format("--%s", option);
    json_array_append_new(words, tac_json_string(word));
    free(word);
}

static bool push_text(const tac_portal *portal, json_t *words, const struct field *field,
                      const char *text)
{
    bool fine = field->type == FIELD_DEVICE     ? is_device(portal, text)
                : field->type == FIELD_SCENARIO ? is_scenario(portal, text)
                : field->type == FIELD_APP      ? is_app(portal, text)
                : field->type == FIELD_TEXT     ? is_line(text)
                : field->type == FIELD_OUTPUT
                    ? is_place_beneath(portal->root, text)
                    : path_is_fine(text) && exists_beneath(portal->root, text);
    if (!fine)
        return false;
    bool file = field->type == FIELD_FILE || field->type == FIELD_OUTPUT;
    char *value = tac_format("%s%s", file && text[0] == '-' ? "./" : "", text);
    if (field->option)
        push(words, field->option, value);
    else
        json_array_append_new(words, tac_json_string(value));
    free(value);
    return true;
}

static bool push_files(const tac_portal *portal, json_t *words, const struct field *field,
                       const json_t *list)
{
    tac_str joined = {0};
    bool fine = json_array_size(list) > 0 && json_array_size(list) <= 200;
    for (size_t i = 0; i < json_array_size(list) && fine; i++) {
        const char *path = json_string_value(json_array_get(list, i));
        fine =
            path && path_is_fine(path) && !strchr(path, ',') && exists_beneath(portal->root, path);
        tac_str_addf(&joined, "%s%s", i ? "," : "", path ? path : "");
    }
    if (fine)
        push(words, field->option, tac_str_text(&joined));
    tac_str_free(&joined);
    return fine;
}

static bool push_number(json_t *words, const struct field *field, const json_t *value)
{
    char text[40];
    double number = json_number_value(value);
    bool whole = field->type == FIELD_NUMBER;
    if (!isfinite(number) || number < 0 || number > 9007199254740992.0 ||
        (whole && !json_is_integer(value)))
        return false;
    if (whole)
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    else
        tac_double_text(number, text, sizeof text);
    push(words, field->option, text);
    return true;
}

static bool push_field(const tac_portal *portal, json_t *words, const struct field *field,
                       const json_t *value)
{
    bool list = field->type == FIELD_DEVICE || field->type == FIELD_SCENARIO;
    if (field->type == FIELD_FLAG) {
        if (json_is_true(value))
            push_flag(words, field->option);
        return json_is_boolean(value);
    }
    if (field->type == FIELD_NUMBER || field->type == FIELD_REAL)
        return json_is_number(value) && push_number(words, field, value);
    if (json_is_string(value))
        return push_text(portal, words, field, json_string_value(value));
    if (field->type == FIELD_FILES)
        return json_is_array(value) && push_files(portal, words, field, value);
    if (!list || !json_is_array(value) || json_array_size(value) > 100)
        return false;
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *text = json_string_value(json_array_get(value, i));
        if (!text || !push_text(portal, words, field, text))
            return false;
    }
    return true;
}

/* False after an answer. */
static bool push_fields(struct request *request, const json_t *asked, const struct kind *kind,
                        json_t *words)
{
    const char *name;
    json_t *value;
    for (const struct field *field = kind->fields; field->name; field++) {
        value = json_object_get(asked, field->name);
        bool absent = !value || json_is_null(value);
        if (absent && field->needed)
            answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT, "'%s' is missing", field->name);
        else if (!absent && !push_field(request->portal, words, field, value))
            answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT,
                         "'%s' is not what it can be: files are in the folder, numbers are not "
                         "negative",
                         field->name);
        if (request->status)
            return false;
    }
    json_object_foreach((json_t *)(uintptr_t)asked, name, value)
    {
        const struct field *field = kind->fields;
        while (field->name && strcmp(field->name, name))
            field++;
        if (!field->name && strcmp(name, "kind")) {
            answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT, "a job of kind '%s' has no '%s'",
                         kind->name, name);
            return false;
        }
    }
    return true;
}

json_t *job_describe(struct request *request, json_t *asked)
{
    const char *name = json_string_value(json_object_get(asked, "kind"));
    size_t i = 0;
    while (i < sizeof kinds / sizeof *kinds && (!name || strcmp(kinds[i].name, name)))
        i++;
    if (i == sizeof kinds / sizeof *kinds) {
        answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT,
                     "'kind' is not a kind of job: explore, run, reproduce, hunt");
        return NULL;
    }
    json_t *words = json_array();
    for (size_t k = 0; k < 2 && kinds[i].words[k]; k++)
        json_array_append_new(words, json_string(kinds[i].words[k]));
    push_flag(words, "json");
    if (!push_fields(request, asked, &kinds[i], words)) {
        json_decref(words);
        return NULL;
    }
    json_t *about =
        json_pack("{s:s,s:o,s:O}", "kind", kinds[i].name, "words", words, "asked", asked);
    json_t *output = json_object_get(asked, "output");
    if (!output)
        output = json_object_get(asked, "campaign");
    if (output)
        json_object_set(about, "output", output);
    return about;
}
