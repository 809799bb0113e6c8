/* The JSON document of "automation check". */
#include "base/io/json.h"
#include "tactus/automation_json.h"

static json_t *optional(const char *text)
{
    return text ? tac_json_string(text) : json_null();
}

static json_t *texts(char *const *at, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, tac_json_string(at[i]));
    return array;
}

json_t *tac_automation_moments_json(const tac_automation_moment *moments, size_t count)
{
    json_t *story = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(story,
                              json_pack("{s:o, s:o, s:o, s:o}", "t", tac_json_number(moments[i].t),
                                        "event", tac_json_string(moments[i].event), "fires",
                                        texts(moments[i].fires, moments[i].fire_count), "writes",
                                        texts(moments[i].writes, moments[i].write_count)));
    return story;
}

static json_t *finding_json(const tac_automation_finding *f)
{
    json_t *places = json_array(), *entities = json_array(), *repairs = json_array();
    for (size_t i = 0; i < f->place_count; i++)
        json_array_append_new(
            places, json_pack("{s:o, s:I, s:o, s:o}", "file", tac_json_string(f->places[i].file),
                              "line", (json_int_t)f->places[i].line, "id",
                              optional(f->places[i].id), "alias", optional(f->places[i].alias)));
    for (size_t i = 0; i < f->entity_count; i++)
        json_array_append_new(entities, tac_json_string(f->entities[i]));
    for (size_t i = 0; i < f->repair_count; i++)
        json_array_append_new(repairs, json_pack("{s:o, s:o, s:I, s:o}", "description",
                                                 tac_json_string(f->repairs[i].description), "file",
                                                 tac_json_string(f->repairs[i].file), "line",
                                                 (json_int_t)f->repairs[i].line, "patch",
                                                 tac_json_string(f->repairs[i].patch)));
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "class",
                     tac_automation_class_name(f->which), "certainty",
                     f->exact ? "exact" : "possible", "message", tac_json_string(f->message),
                     "places", places, "entities", entities, "story",
                     tac_automation_moments_json(f->story, f->moment_count), "repairs", repairs);
}

static void add_findings(const tac_automation_findings *findings, const char *path, json_t *list)
{
    for (size_t i = 0; i < findings->count; i++) {
        json_t *finding = finding_json(&findings->at[i]);
        if (path)
            json_object_set_new(finding, "path", tac_json_string(path));
        json_array_append_new(list, finding);
    }
}

static json_t *document(const tac_automation_findings *sums, json_t *list)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "automations",
                     (json_int_t)sums->automations, "exact", (json_int_t)sums->exact, "abstracted",
                     (json_int_t)sums->abstracted, "unreadable", (json_int_t)sums->unreadable,
                     "disabled", (json_int_t)sums->disabled, "incomplete",
                     (json_int_t)sums->incomplete, "findings", list);
}

json_t *tac_automation_findings_json(const tac_automation_findings *findings)
{
    json_t *list = json_array();
    add_findings(findings, NULL, list);
    return document(findings, list);
}

json_t *tac_automation_homes_json(const tac_automation_home *homes, size_t count)
{
    json_t *list = json_array();
    tac_automation_findings sums = {0};
    for (size_t i = 0; i < count; i++) {
        const tac_automation_findings *one = homes[i].findings;
        sums.automations += one->automations;
        sums.exact += one->exact;
        sums.abstracted += one->abstracted;
        sums.unreadable += one->unreadable;
        sums.disabled += one->disabled;
        sums.incomplete += one->incomplete;
        add_findings(one, count > 1 ? homes[i].path : NULL, list);
    }
    return document(&sums, list);
}
