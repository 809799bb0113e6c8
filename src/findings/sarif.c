/* Findings as SARIF 2.1.0. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "findings/findings.h"
#include "findings/identity.h"
#include "tactus/version.h"
#include <ctype.h>
#include <string.h>

/* A file's name as a URI reference: what a URI cannot hold is written in hexadecimal. */
static json_t *uri_of(const char *file)
{
    tac_str uri = {0};
    for (const unsigned char *c = (const unsigned char *)file; *c; c++)
        if (isalnum(*c) || strchr("-._~/@!$&'()*+,;=", *c))
            tac_str_add_char(&uri, (char)*c);
        else
            tac_str_addf(&uri, "%%%02X", *c);
    json_t *text = json_string(tac_str_text(&uri));
    tac_str_free(&uri);
    return text;
}

static json_t *location_json(const struct finding_place *place)
{
    json_t *physical = json_pack("{s:{s:o}}", "artifactLocation", "uri", uri_of(place->file));
    if (place->line)
        json_object_set_new(physical, "region",
                            json_pack("{s:I}", "startLine", (json_int_t)place->line));
    return json_pack("{s:o}", "physicalLocation", physical);
}

static json_t *message_json(const struct finding_entry *entry)
{
    bool more = entry->detail && entry->detail[0];
    char *text = tac_format("%s%s%s", entry->text, more ? "\n" : "", more ? entry->detail : "");
    json_t *message = json_pack("{s:o}", "text", tac_json_string(text));
    free(text);
    return message;
}

static json_t *result_json(const struct finding_entry *entry, size_t count)
{
    static const char *const levels[] = {"error", "warning", "warning", "note", "note"};
    char id[FINDING_ID];
    json_t *result = json_object(), *locations = json_array(), *related = json_array();
    for (size_t i = 0; i < entry->place_count; i++)
        json_array_append_new(i ? related : locations, location_json(&entry->places[i]));
    json_object_set_new(result, "ruleId", tac_json_string(entry->rule));
    json_object_set_new(result, "level", json_string(levels[entry->level]));
    json_object_set_new(result, "message", message_json(entry));
    json_object_set_new(result, "locations", locations);
    json_object_set_new(result, "relatedLocations", related);
    finding_entry_id(entry, id);
    json_object_set_new(result, "partialFingerprints",
                        json_pack("{s:o,s:s}", "tactusFinding/v1",
                                  tac_json_string(entry->fingerprint), "tactusFinding/v2", id));
    if (entry->level == FINDING_KNOWN)
        json_object_set_new(result, "suppressions",
                            json_pack("[{s:s,s:s,s:o}]", "kind", "external", "status", "accepted",
                                      "justification", tac_json_string(entry->known)));
    if (count > 1)
        json_object_set_new(result, "occurrenceCount", json_integer((json_int_t)count));
    return result;
}

json_t *findings_sarif(const struct finding_list *list)
{
    json_t *rules = json_array(), *results = json_array();
    for (size_t i = 0; i < list->rule_count; i++) {
        json_t *rule = json_pack("{s:o}", "id", tac_json_string(list->rules[i].id));
        if (list->rules[i].text)
            json_object_set_new(rule, "shortDescription",
                                json_pack("{s:o}", "text", tac_json_string(list->rules[i].text)));
        json_array_append_new(rules, rule);
    }
    size_t *counts = findings_occurrences(list);
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].level < FINDING_ELSEWHERE && counts[i])
            json_array_append_new(results, result_json(&list->at[i], counts[i]));
    free(counts);
    json_t *run = json_pack("{s:{s:{s:s, s:s, s:o}}, s:o}", "tool", "driver", "name", "tactus",
                            "semanticVersion", TACTUS_VERSION, "rules", rules, "results", results);
    if (list->undone)
        json_object_set_new(run, "invocations",
                            json_pack("[{s:b, s:[{s:s, s:{s:o}}]}]", "executionSuccessful", 0,
                                      "toolExecutionNotifications", "level", "error", "message",
                                      "text", tac_json_string(list->undone)));
    return json_pack("{s:s, s:s, s:[o]}", "$schema",
                     "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                     run);
}
