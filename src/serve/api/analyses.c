/* Analyses whose document the program prints: properties on a trace, rules, automations, protocols,
 * reports. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "base/io/diff.h"
#include "serve/api/routes.h"
#include "serve/folder/beneath.h"
#include "serve/programs/inputs.h"
#include <string.h>

/* The report's page brings its own script: it gets an origin of its own, which can ask for nothing
 * here. */
static const char report_policy[] =
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; frame-ancestors 'self'";

/* --- properties --- */

/* The fields of a CSV line, in place; quotation marks as CSV has them. */
static size_t split_csv(char *line, char **fields, size_t most)
{
    size_t count = 0;
    for (char *at = line; count < most;) {
        char *to = at;
        fields[count++] = at;
        bool quoted = *at == '"';
        at += quoted;
        for (; *at && (quoted || *at != ','); at++) {
            if (quoted && *at == '"' && at[1] != '"') {
                quoted = false;
                continue;
            }
            at += quoted && *at == '"';
            *to++ = *at;
        }
        bool last = !*at;
        *to = '\0';
        if (last)
            break;
        at++;
    }
    return count;
}

static json_t *number_or_null(const char *text)
{
    double value;
    return tac_parse_double(text, &value) ? tac_json_number(value) : json_null();
}

/* One row of --intervals: trace,property,value,from,to,t_from,t_to,duration,holds,expression,... */
static void add_interval(json_t *intervals, char **f)
{
    json_t *list = json_object_get(intervals, f[1]);
    if (!list) {
        list = json_array();
        json_object_set_new(intervals, f[1], list);
    }
    json_array_append_new(
        list, json_pack("{s:o,s:o,s:o,s:o,s:b,s:o,s:o,s:o,s:o,s:o}", "from", number_or_null(f[3]),
                        "to", number_or_null(f[4]), "t_from", number_or_null(f[5]), "t_to",
                        number_or_null(f[6]), "violated", !strcmp(f[8], "false"), "expression",
                        tac_json_string(f[9]), "figure", number_or_null(f[10]), "bound",
                        number_or_null(f[11]), "margin", number_or_null(f[12]), "unit",
                        tac_json_string(f[13])));
}

static json_t *read_intervals(char *text)
{
    enum { COLUMNS = 14 };
    json_t *intervals = json_object();
    bool header = false;
    for (char *line = text, *next; line; line = next) {
        char *fields[COLUMNS];
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (!strncmp(line, "trace,property,value,", 21))
            header = true;
        else if (header && split_csv(line, fields, COLUMNS) == COLUMNS)
            add_interval(intervals, fields);
    }
    return intervals;
}

static void answer_checked(struct request *request, struct words *words)
{
    struct helped helped = {0};
    json_t *document = help_document(request, words, request_text(request, "page"), &helped);
    if (document) {
        json_object_set_new(document, "intervals", read_intervals(helped.file));
        answer_json(request, MHD_HTTP_OK, document);
    }
    free_helped(&helped);
}

void post_check(struct request *request)
{
    struct words words = words_of("check", "json");
    add_option(&words, "intervals", HELPER_FILE);
    if (add_input(request, &words, "properties", "path", "property", true) &&
        add_input(request, &words, NULL, "trace", NULL, true))
        answer_checked(request, &words);
    free_words(&words);
}

/* --- rules, automations, protocols --- */

/* A command on one file, or where `text` names a field on the text there. */
static void post_file(struct request *request, const char *command, const char *text)
{
    struct words words = words_of(command, "json");
    if (add_input(request, &words, NULL, "path", text, true))
        answer_helped(request, &words, request_text(request, "page"));
    free_words(&words);
}

void post_rules(struct request *request)
{
    post_file(request, "rules check", "text");
}

void post_automation(struct request *request)
{
    post_file(request, "automation check", NULL);
}

void post_protocol(struct request *request)
{
    struct words words = words_of("protocol verify", "json");
    const json_t *rules = json_object_get(request->json.root, "rules");
    add_option(&words, "time-limit", "120");
    for (size_t i = 0; i < json_array_size(rules) && !request->status; i++) {
        const char *path = json_string_value(json_array_get(rules, i));
        if (path && path_is_fine(path) && !strchr(path, ',') &&
            exists_beneath(request->portal->root, path))
            add_option(&words, "rules", path);
        else
            answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT,
                         "'rules' is not a list of files in the folder");
    }
    if (!request->status && !json_array_size(rules))
        answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT, "'rules' is missing");
    if (!request->status && add_input(request, &words, NULL, "recording", NULL, true))
        answer_helped(request, &words, request_text(request, "page"));
    free_words(&words);
}

static void answer_repaired(struct request *request, struct words *words)
{
    struct helped helped = {0};
    tac_error err;
    char *old;
    size_t size;
    const char *path = request_text(request, "path");
    bool done = help_answers(request, words, NULL, false, &helped);
    if (done && read_beneath(request->portal->root, path, &old, &size, &err) != TAC_OK) {
        answer_failure(request, &err);
    } else if (done) {
        char *diff = tac_unified_diff(path, old, size, helped.output, helped.output_size);
        answer_json(request, MHD_HTTP_OK,
                    json_pack("{s:o,s:o}", "diff", tac_json_string(diff), "text",
                              tac_json_string_n(helped.output, helped.output_size)));
        free(diff);
        free(old);
    }
    free_helped(&helped);
}

void post_rules_repair(struct request *request)
{
    static const char *const faults[] = {"nondeterminism", "dead", "cycle",
                                         "unreachable",    "race", "hazard"};
    const char *fault = request_text(request, "fault");
    bool known = false, apply = json_is_integer(json_object_get(request->json.root, "apply"));
    for (size_t i = 0; fault && i < sizeof faults / sizeof *faults; i++)
        known |= !strcmp(fault, faults[i]);
    if (!known) {
        answer_error(
            request, MHD_HTTP_UNPROCESSABLE_CONTENT,
            "'fault' is not one of nondeterminism, dead, cycle, unreachable, race, hazard");
        return;
    }
    struct words words = words_of("rules repair", NULL);
    add_option(&words, "fault", fault);
    if (!apply)
        add_flag(&words, "json");
    if (add_number(request, &words, "edit-limit", "edit_limit", 10, -1) &&
        add_number(request, &words, "apply", "apply", 1000, -1) &&
        add_input(request, &words, NULL, "path", NULL, true)) {
        if (apply)
            answer_repaired(request, &words);
        else
            answer_helped(request, &words, request_text(request, "page"));
    }
    free_words(&words);
}

void post_rules_draw(struct request *request)
{
    struct words words = words_of("rules draw", NULL);
    struct helped helped = {0};
    tac_error err;
    add_option(&words, "format", "svg");
    if (add_input(request, &words, NULL, "path", "text", true)) {
        if (help_request(request, &words, NULL, &helped, &err) != TAC_OK)
            answer_failure(request, &err);
        else if (strstr(helped.complaints, "is not installed"))
            answer_error(request, MHD_HTTP_NOT_IMPLEMENTED, "the program dot is not installed");
        else if (helped.exit_code)
            answer_complaint(request, &helped);
        else
            answer_json(
                request, MHD_HTTP_OK,
                json_pack("{s:o}", "svg", tac_json_string_n(helped.output, helped.output_size)));
    }
    free_helped(&helped);
    free_words(&words);
}

/* --- reports --- */

/* A campaign, or a folder of campaigns, that the query names; false after an answer. */
static bool add_folder(struct request *request, struct words *words, const char *option,
                       const char *field, bool needed)
{
    const char *path = request_query(request, field);
    if (!path && !needed)
        return true;
    if (!path || !path_is_fine(path) || !is_folder_beneath(request->portal->root, path)) {
        answer_error(request, MHD_HTTP_NOT_FOUND, "'%s' is not a campaign in the folder", field);
        return false;
    }
    char *name = tac_format("%s%s", path[0] == '-' ? "./" : "", path);
    if (option)
        add_option(words, option, name);
    else
        add_word(words, name);
    free(name);
    return true;
}

void get_report(struct request *request)
{
    struct words words = words_of("report", NULL);
    struct helped helped = {0};
    add_option(&words, "output", HELPER_FILE);
    if (add_folder(request, &words, "baseline", "baseline", false) &&
        add_folder(request, &words, NULL, "campaign", true)) {
        if (help_answers(request, &words, NULL, true, &helped)) {
            request->policy = report_policy;
            answer_bytes(request, MHD_HTTP_OK, "text/html; charset=utf-8", helped.file,
                         helped.file_size);
            helped.file = NULL;
        }
    }
    free_helped(&helped);
    free_words(&words);
}

void get_report_json(struct request *request)
{
    struct words words = words_of("report", "json");
    if (add_folder(request, &words, "baseline", "baseline", false) &&
        add_folder(request, &words, NULL, "campaign", true))
        answer_helped(request, &words, NULL);
    free_words(&words);
}
