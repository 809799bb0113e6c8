/* Which KPIs and test cases concern an app, and a flow of its model for each of these cases. */
#include "base/data/alloc.h"
#include "flow/requirement.h"
#include "kpi/catalogue.h"
#include "tactus/flow.h"

static tac_kpi_choice choice_of(const tac_kpi_app *app, const char *name, const char *domain,
                                const char *about, const kpi_indices *features)
{
    char *reason = kpi_lacks(app, features);
    return (tac_kpi_choice){
        .name = name, .domain = domain, .about = about, .chosen = !*reason, .reason = reason};
}

void tac_kpi_choose(const tac_kpi_catalogue *catalogue, const tac_kpi_app *app,
                    tac_kpi_choices *out)
{
    *out =
        (tac_kpi_choices){.kpi_count = catalogue->kpis.count, .case_count = catalogue->cases.count};
    out->kpis = tac_calloc(out->kpi_count + 1, sizeof *out->kpis);
    out->cases = tac_calloc(out->case_count + 1, sizeof *out->cases);
    for (size_t i = 0; i < out->kpi_count; i++) {
        const struct kpi *kpi = &catalogue->kpis.at[i];
        out->kpis[i] =
            choice_of(app, kpi->name, tac_kpi_domain_name(kpi->domain), kpi->about, &kpi->features);
    }
    for (size_t i = 0; i < out->case_count; i++) {
        const struct kpi_case *one = &catalogue->cases.at[i];
        out->cases[i] = choice_of(app, one->name, NULL, one->about, &one->features);
    }
}

void tac_kpi_choices_free(tac_kpi_choices *choices)
{
    for (size_t i = 0; i < choices->kpi_count; i++)
        free(choices->kpis[i].reason);
    for (size_t i = 0; i < choices->case_count; i++)
        free(choices->cases[i].reason);
    free(choices->kpis);
    free(choices->cases);
    *choices = (tac_kpi_choices){0};
}

/* The steps of a case in order, by the app's names. */
static tac_requirement *requirement_of(const tac_kpi_app *app, const struct kpi_case *one)
{
    tac_requirement *requirement = tac_requirement_new(one->name, one->about);
    for (size_t i = 0; i < one->steps.count; i++) {
        size_t constraint = tac_requirement_add_constraint(requirement);
        const char *event = kpi_event_of(app, &one->features, one->steps.at[i]);
        tac_requirement_add_event(requirement, constraint, event);
    }
    return requirement;
}

/* The shortest witness: the bound grows until there is one. */
static tac_status write_case(const tac_model *model, const tac_requirement *requirement,
                             uint32_t length, FILE *out, tac_watch *watch, bool *found,
                             tac_error *err)
{
    tac_status status = TAC_OK;
    *found = false;
    for (uint32_t bound = (uint32_t)requirement->constraint_count;
         bound <= length && !*found && status == TAC_OK; bound++) {
        tac_flow_engine *engine = NULL;
        tac_diagnostics problems = {0};
        uint64_t listed = 0;
        tac_flow_options options = {.length = bound,
                                    .requirements = &requirement,
                                    .requirement_count = 1,
                                    .witness = true,
                                    .watch = watch};
        status = tac_flow_engine_new(model, &options, &problems, &engine, err);
        if (status == TAC_OK)
            status = tac_flow_list_jsonl(engine, 1, out, &listed, err);
        *found = listed > 0;
        tac_diagnostics_free(&problems);
        tac_flow_engine_free(engine);
    }
    return status;
}

tac_status tac_kpi_write_flows(const tac_kpi_catalogue *catalogue, const tac_kpi_app *app,
                               const tac_model *model, uint32_t length, tac_kpi_choices *choices,
                               FILE *out, tac_watch *watch, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < catalogue->cases.count && status == TAC_OK; i++) {
        tac_kpi_choice *choice = &choices->cases[i];
        bool found;
        if (!choice->chosen)
            continue;
        tac_requirement *requirement = requirement_of(app, &catalogue->cases.at[i]);
        status = write_case(model, requirement, length, out, watch, &found, err);
        tac_requirement_free(requirement);
        if (status == TAC_OK && !found) {
            choice->chosen = false;
            free(choice->reason);
            choice->reason =
                tac_format("no flow of up to %u events does its steps in the model", length);
        }
    }
    return status;
}
