/* What can be driven from here: apps of the folder on the built-in phone, a browser, phones. */
#include "base/data/alloc.h"
#include "base/process/process.h"
#include "network/network.h"
#include "serve/api/routes.h"
#include "serve/folder/list.h"
#include "serve/programs/helper.h"
#include <stdio.h>
#include <string.h>

static void add_device(json_t *list, const char *uri, const char *name, const char *kind,
                       const char *detail)
{
    json_array_append_new(list, json_pack("{s:o,s:o,s:s,s:o}", "uri", tac_json_string(uri), "name",
                                          tac_json_string(name), "kind", kind, "detail",
                                          tac_json_string(detail)));
}

static void add_apps(tac_portal *portal, json_t *list)
{
    listing files;
    list_folder(portal->root, &files);
    for (size_t i = 0; i < files.files.count; i++)
        if (!strcmp(files.files.at[i].kind, "app")) {
            char *uri = tac_format("sim:%s", files.files.at[i].path);
            add_device(list, uri, files.files.at[i].path, "built-in", "the built-in phone");
            free(uri);
        }
    listing_free(&files);
}

/* "SERIAL<tab>device" a line. */
static void add_phones(json_t *list)
{
    static const char *const command[] = {"adb", "devices", NULL};
    char *output = NULL;
    size_t size;
    int code = 1;
    if (!tac_process_on_path("adb") ||
        tac_process_run(command, "adb", NULL, 0, 5, &output, &size, &code, NULL) != TAC_OK)
        return;
    for (char *line = output; line && *line;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        char serial[200], state[40];
        if (sscanf(line, "%199[^\t\n]\t%39[^\n]", serial, state) == 2) {
            char *uri = tac_format("adb:%s", serial);
            add_device(list, uri, serial, "adb", state);
            free(uri);
        }
    }
    free(output);
}

/* What works here and what to do where it does not. */
static void add_doctor(struct request *request, json_t *document)
{
    struct words words = words_of("doctor", "json");
    struct helped helped = {0};
    tac_json told = {0};
    if (help_request(request, &words, "doctor", &helped, NULL) == TAC_OK &&
        tac_json_parse("output", helped.output, helped.output_size, &told, NULL) == TAC_OK)
        json_object_set(document, "doctor", told.root);
    tac_json_free(&told);
    free_helped(&helped);
    free_words(&words);
}

void get_devices(struct request *request)
{
    json_t *list = json_array(), *scenarios = json_array();
    add_apps(request->portal, list);
    if (tac_process_on_path("chromium") && tac_process_on_path("chromedriver"))
        add_device(list, "chromium:", "Chromium", "browser", "followed by the address of a page");
    add_phones(list);
    for (const char *const *name = tac_scenario_names(); *name; name++)
        json_array_append_new(scenarios, json_string(*name));
    json_t *document = json_pack("{s:o,s:o}", "devices", list, "scenarios", scenarios);
    if (request_query(request, "doctor"))
        add_doctor(request, document);
    answer_json(request, MHD_HTTP_OK, document);
}
