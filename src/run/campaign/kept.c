/* What a campaign's folder keeps, told without running anything: as much of its runs as there is,
 * while it is worked on, after it was stopped and after it was done. */
#include "base/data/alloc.h"
#include "run/actions/file.h"
#include "run/campaign/campaign.h"
#include <unistd.h>

/* The plan that the folder holds, as far as sums need it. */
struct kept_plan {
    json_t *document;
    TAC_VEC(const char *) scenarios;
};

static tac_status read_plan(tac_store *store, struct run_campaign *campaign, struct kept_plan *plan,
                            tac_error *err)
{
    char *text = NULL;
    size_t i;
    const json_t *scenario;
    tac_status status = tac_store_get(store, "plan", &text, err);
    plan->document = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    json_array_foreach(json_object_get(plan->document, "scenarios"), i, scenario)
    {
        const char *name = json_string_value(scenario);
        tac_vec_push(&plan->scenarios, name ? name : "");
    }
    json_int_t runs = json_integer_value(json_object_get(plan->document, "runs"));
    if (status == TAC_OK && runs <= 0)
        status = tac_fail_at(err, TAC_E_INPUT, tac_store_folder(store), 0, 0,
                             "holds no plan of a campaign yet; nothing was run there");
    campaign->run_count = status == TAC_OK ? (size_t)runs : 0;
    return status;
}

/* Without the file, as in folders of versions that did not copy it, there are no rows of actions.
 */
static tac_status load_actions(struct run_campaign *campaign, const char *folder, tac_error *err)
{
    char *path = tac_format("%s/%s", folder, CAMPAIGN_ACTIONS);
    tac_status status = TAC_OK;
    if (access(path, R_OK) == 0)
        status = actions_load(path, &campaign->actions, err);
    free(path);
    return status;
}

tac_status tac_run_kept(const char *folder, tac_run_summary **out, tac_error *err)
{
    tac_run_options options = {.folder = folder};
    struct run_campaign campaign = {.options = &options};
    struct kept_plan plan = {0};
    *out = NULL;
    tac_status status = tac_store_open(folder, false, &campaign.store, err);
    if (status != TAC_OK)
        return status;
    status = read_plan(campaign.store, &campaign, &plan, err);
    options.scenarios = plan.scenarios.at;
    options.scenario_count = plan.scenarios.count;
    if (status == TAC_OK)
        status = load_actions(&campaign, folder, err);
    if (status == TAC_OK)
        status = campaign_sum_up(&campaign, out, err);
    tac_store_close(campaign.store, NULL);
    actions_free(campaign.actions);
    tac_vec_free(&plan.scenarios);
    json_decref(plan.document);
    return status;
}
