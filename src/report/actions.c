/* Guarded actions: how often each was possible, chosen and abandoned, over all campaigns and in
 * each. Those that tested nothing come first, everywhere: what a property says about an app rests
 * on what the actions did to it. */
#include "base/data/map.h"
#include "base/data/vec.h"
#include "base/describe/describe.h"
#include "base/io/json.h"
#include "report/sections.h"
#include "run/run.h"
#include <ctype.h>
#include <unistd.h>

/* An action of one name, in one campaign or in all. */
struct acted {
    tac_run_action sum;
    size_t idle;        /* campaigns in which it tested nothing */
    json_t *complained, /* its rows of campaigns: those that tested nothing, the others */
        *fine;
};

struct acted_list {
    TAC_VEC(struct acted) at;
    tac_names names;
    TAC_VEC(tac_run_summary *) kept; /* the rows' texts are theirs */
    size_t campaigns;                /* that have actions */
};

static void get_complaint(const void *value, struct field_value *out)
{
    char *complaint = tac_run_action_complaint(value);
    out->null = !complaint;
    out->text = complaint ? tac_arena_strdup(out->arena, complaint) : NULL;
    free(complaint);
}

static const struct field report_action_fields[] = {
    FIELDS(tac_run_action, action, looks, enabled, chosen, abandoned, unrested, abandoned_there),
    FIELD(tac_run_action, step, .known = IF(tac_run_action, step)),
    FIELD_TEXT(tac_run_action, written, .known = IF(tac_run_action, step)),
    FIELD_TEXT(tac_run_action, reason, .known = IF(tac_run_action, step)),
    FIELD_GET_TEXT("complaint", get_complaint, .maybe = true)};
static DESCRIBE(report_action, tac_run_action);

/* Figures add up; the step is the one at which most tries were abandoned in one campaign. */
static void add_up(tac_run_action *sum, const tac_run_action *row)
{
    sum->looks += row->looks;
    sum->enabled += row->enabled;
    sum->chosen += row->chosen;
    sum->abandoned += row->abandoned;
    sum->unrested += row->unrested;
    if (row->step && row->step == sum->step) {
        sum->abandoned_there += row->abandoned_there;
    } else if (row->abandoned_there > sum->abandoned_there) {
        sum->step = row->step;
        sum->abandoned_there = row->abandoned_there;
        sum->written = row->written;
        sum->reason = row->reason;
    }
}

static void take(struct acted_list *list, const char *campaign, const tac_run_action *row)
{
    uint32_t at = tac_names_intern(&list->names, row->action);
    if (at == list->at.count)
        tac_vec_push(&list->at,
                     (struct acted){.sum = {.action = row->action, .written = "", .reason = ""},
                                    .complained = json_array(),
                                    .fine = json_array()});
    struct acted *acted = &list->at.at[at];
    json_t *shown = describe_json(&report_action_described, row);
    bool idle = !json_is_null(json_object_get(shown, "complaint"));
    json_object_set_new(shown, "campaign", tac_json_string(campaign));
    json_array_append_new(idle ? acted->complained : acted->fine, shown);
    acted->idle += idle;
    add_up(&acted->sum, row);
}

/* Whether the campaign was one of actions, and kept their file. */
static bool has_actions(const struct report_campaign *campaign)
{
    char *path = report_path(campaign, "inputs/actions.txt");
    bool has = access(path, R_OK) == 0;
    free(path);
    return has;
}

static tac_status read_campaigns(const struct report_project *project, struct acted_list *list,
                                 tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < project->campaigns.count && status == TAC_OK; i++) {
        tac_run_summary *kept = NULL;
        if (!project->campaigns.at[i].runs.count || !has_actions(&project->campaigns.at[i]))
            continue;
        status = tac_run_kept(project->campaigns.at[i].folder, &kept, err);
        if (status != TAC_OK)
            break;
        tac_vec_push(&list->kept, kept);
        list->campaigns += kept->action_count > 0;
        for (size_t k = 0; k < kept->action_count; k++)
            take(list, project->campaigns.at[i].label, &kept->actions[k]);
    }
    return status;
}

static void add_finding(struct report_project *project, const struct acted *acted, size_t campaigns,
                        char *complaint)
{
    struct finding_parts parts = {.rank = RANK_VACUOUS,
                                  .link = "#actions",
                                  .subject = acted->sum.action,
                                  .detail = "What it should have done to the app was not done: "
                                            "check its condition and the selectors of its steps."};
    complaint[0] = (char)toupper((unsigned char)complaint[0]);
    if (campaigns > 1)
        finding_add(&project->findings, &parts, "%s (in %zu of %zu campaigns).", complaint,
                    acted->idle, campaigns);
    else
        finding_add(&project->findings, &parts, "%s.", complaint);
}

static json_t *row_json(const struct acted *acted, size_t campaigns)
{
    json_t *row = describe_json(&report_action_described, &acted->sum), *each = json_array();
    json_array_extend(each, acted->complained);
    json_array_extend(each, acted->fine);
    if (campaigns > 1) {
        json_object_set_new(row, "idle", json_integer((json_int_t)acted->idle));
        json_object_set(row, "campaigns", each);
    }
    json_decref(each);
    return row;
}

tac_status report_add_actions(struct tac_report *report, tac_error *err)
{
    struct acted_list list = {0};
    json_t *rows = json_array(), *fine = json_array();
    tac_status status = read_campaigns(&report->project, &list, err);
    for (size_t i = 0; i < list.at.count; i++) {
        struct acted *acted = &list.at.at[i];
        char *complaint = tac_run_action_complaint(&acted->sum);
        bool first = complaint || acted->idle;
        json_array_append_new(first ? rows : fine, row_json(acted, list.campaigns));
        if (complaint)
            add_finding(&report->project, acted, list.campaigns, complaint);
        free(complaint);
        json_decref(acted->complained);
        json_decref(acted->fine);
    }
    json_array_extend(rows, fine);
    json_decref(fine);
    if (status == TAC_OK && json_array_size(rows))
        json_object_set(report->document, "actions", rows);
    json_decref(rows);
    for (size_t i = 0; i < list.kept.count; i++)
        tac_run_summary_free(list.kept.at[i]);
    tac_vec_free(&list.kept);
    tac_vec_free(&list.at);
    tac_names_free(&list.names);
    return status;
}
