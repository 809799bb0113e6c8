#include "serve/programs/campaign.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include "mining/runs/finding.h"
#include "serve/folder/beneath.h"
#include "store/store.h"
#include "tactus/verdict.h"
#include <string.h>

static tac_status open_campaign(tac_portal *portal, const char *path, tac_store **out,
                                tac_error *err)
{
    char *index = tac_format("%s/index.sqlite", path), *full;
    bool there = path_is_fine(path) && exists_beneath(portal->root, index);
    free(index);
    if (!there)
        return tac_fail_at(err, TAC_E_INPUT, path_is_fine(path) ? path : "", 0, 0,
                           "there is no such campaign in the folder");
    full = tac_format("%s/%s", portal->folder, path);
    tac_status status = tac_store_open_mode(full, TAC_STORE_READ, out, err);
    free(full);
    return status;
}

static bool count_run(void *context, const tac_store_run *run)
{
    struct campaign_figures *figures = context;
    tac_stored_end end = tac_stored_end_of(run->verdict);
    figures->runs++;
    figures->passed += end == TAC_STORED_PASS;
    figures->crashed += end == TAC_STORED_CRASH;
    figures->failed += end == TAC_STORED_FAIL;
    return true;
}

struct verdict_tally {
    struct campaign_figures *figures;
    tac_names properties, exercised;
};

static bool count_verdict(void *context, int64_t run, const char *property, const char *answer,
                          const json_t *document)
{
    struct verdict_tally *tally = context;
    (void)run;
    tac_names_intern(&tally->properties, property);
    if (!json_is_false(json_object_get(document, "exercised")))
        tac_names_intern(&tally->exercised, property);
    tally->figures->violated += !strcmp(answer, tac_answer_name(TAC_VIOLATED)) ||
                                !strcmp(answer, tac_answer_name(TAC_PRESUMABLY_VIOLATED));
    return true;
}

static tac_status count_verdicts(tac_store *store, struct campaign_figures *out, tac_error *err)
{
    struct verdict_tally tally = {.figures = out};
    tac_status status = tac_store_each_verdict(store, count_verdict, &tally, err);
    out->untested = (int64_t)tally.properties.count - (int64_t)tally.exercised.count;
    assert(out->untested >= 0);
    tac_names_free(&tally.properties);
    tac_names_free(&tally.exercised);
    return status;
}

static int64_t planned_runs(tac_store *store)
{
    char *plan = NULL;
    tac_json document = {0};
    int64_t planned = 0;
    if (tac_store_get(store, "plan", &plan, NULL) == TAC_OK && plan &&
        tac_json_parse("plan", plan, strlen(plan), &document, NULL) == TAC_OK)
        planned = json_integer_value(json_object_get(document.root, "runs"));
    tac_json_free(&document);
    free(plan);
    return planned;
}

tac_status campaign_figures(tac_portal *portal, const char *path, struct campaign_figures *out,
                            tac_error *err)
{
    tac_store *store;
    *out = (struct campaign_figures){0};
    tac_status status = open_campaign(portal, path, &store, err);
    if (status != TAC_OK)
        return status;
    status = tac_store_each_run(store, count_run, out, err);
    if (status == TAC_OK)
        status = count_verdicts(store, out, err);
    out->planned = planned_runs(store);
    tac_store_close(store, NULL);
    return status;
}

void add_figures(json_t *object, const struct campaign_figures *figures)
{
    json_object_set_new(object, "runs", json_integer(figures->runs));
    json_object_set_new(object, "planned", json_integer(figures->planned));
    json_object_set_new(object, "passed", json_integer(figures->passed));
    json_object_set_new(object, "failed", json_integer(figures->failed));
    json_object_set_new(object, "crashed", json_integer(figures->crashed));
    json_object_set_new(object, "violated", json_integer(figures->violated));
    json_object_set_new(object, "untested", json_integer(figures->untested));
}

/* --- rows --- */

struct rows {
    const char *path;
    const tac_u64map *told; /* runs that are left out; NULL: none */
    json_t *list;
    tac_u64map place;           /* of a run in the list */
    TAC_VEC(json_t *) verdicts; /* by place: those of the run; the list's */
};

static bool add_row(void *context, const tac_store_run *run)
{
    struct rows *rows = context;
    if (rows->told && tac_u64map_find(rows->told, (uint64_t)run->id))
        return true;
    char *trace = run->trace && *run->trace ? tac_format("%s/%s", rows->path, run->trace) : NULL;
    json_t *verdicts = json_array();
    *tac_u64map_at(&rows->place, (uint64_t)run->id, 0, NULL) = rows->verdicts.count;
    tac_vec_push(&rows->verdicts, verdicts);
    char finding[FINDING_ID] = "";
    json_t *details = run->details ? json_loads(run->details, 0, NULL) : NULL;
    if (tac_stored_end_of(run->verdict) == TAC_STORED_CRASH)
        crash_finding(run->exception, details, finding);
    json_decref(details);
    json_array_append_new(
        rows->list,
        json_pack("{s:I,s:o,s:o,s:o,s:o,s:o,s:s,s:o,s:o,s:I,s:o}", "id", (json_int_t)run->id,
                  "name", tac_json_string(run->name ? run->name : ""), "scenario",
                  tac_json_string(run->scenario ? run->scenario : ""), "verdict",
                  tac_json_string(run->verdict), "message",
                  tac_json_string(run->message ? run->message : ""), "exception",
                  tac_json_string(run->exception ? run->exception : ""), "finding", finding,
                  "trace", trace ? tac_json_string(trace) : json_null(), "seconds",
                  tac_json_number(run->seconds), "steps", (json_int_t)run->steps, "properties",
                  verdicts));
    free(trace);
    return true;
}

static bool add_verdict(void *context, int64_t run, const char *property, const char *answer,
                        const json_t *document)
{
    struct rows *rows = context;
    const uint64_t *place = tac_u64map_find(&rows->place, (uint64_t)run);
    const char *explanation = json_string_value(json_object_get(document, "explanation"));
    if (place)
        json_array_append_new(rows->verdicts.at[*place],
                              json_pack("{s:o,s:o,s:o}", "property", tac_json_string(property),
                                        "answer", tac_json_string(answer), "explanation",
                                        tac_json_string(explanation ? explanation : "")));
    return true;
}

static void mark_told(const tac_u64map *runs, tac_u64map *told)
{
    size_t at = 0;
    for (const tac_u64map_entry *run; (run = tac_u64map_next(runs, &at));)
        tac_u64map_at(told, run->key, 1, NULL);
}

json_t *campaign_rows(tac_portal *portal, const char *path, tac_u64map *told, tac_error *err)
{
    tac_store *store;
    struct rows rows = {.path = path, .told = told};
    if (open_campaign(portal, path, &store, err) != TAC_OK)
        return NULL;
    rows.list = json_array();
    tac_status status = tac_store_each_run(store, add_row, &rows, err);
    if (status == TAC_OK)
        status = tac_store_each_verdict(store, add_verdict, &rows, err);
    tac_store_close(store, NULL);
    if (status == TAC_OK && told)
        mark_told(&rows.place, told);
    tac_u64map_free(&rows.place);
    tac_vec_free(&rows.verdicts);
    if (status == TAC_OK)
        return rows.list;
    json_decref(rows.list);
    return NULL;
}
