/* Whether the css selectors of the property and action files are selectors: only a browser can say.
 * It is asked once, for all of them, when the first run of a worker stands on its page: a step with
 * a wrong one would otherwise be found whenever it is its turn, or be abandoned for ever. */
#include "base/data/alloc.h"
#include "run/actions/file.h"
#include "run/campaign/campaign.h"

struct selector_place {
    const char *file;
    size_t line, column;
};

struct selector_list {
    TAC_VEC(tac_observable) at;
    TAC_VEC(struct selector_place) places; /* of each */
};

static void add(struct selector_list *list, const char *css, const char *file, size_t line,
                size_t column)
{
    tac_observable count = {.name = css, .kind = TAC_OBSERVE_COUNT, .css = css};
    struct selector_place place = {file, line, column};
    if (!css)
        return;
    tac_vec_push(&list->at, count);
    tac_vec_push(&list->places, place);
}

static void add_action(struct selector_list *list, const struct action_file *file,
                       const struct guarded_action *action)
{
    size_t guards = action->guard ? tac_condition_observables(action->guard) : 0;
    for (size_t i = 0; i < guards; i++)
        add(list, tac_condition_observable(action->guard, i)->css, file->name, action->line, 0);
    for (size_t i = 0; i < action->step_count; i++) {
        const struct action_step *step = &action->steps[i];
        add(list, step->target.css, file->name, step->line, step->column);
        add(list, step->to.css, file->name, step->line, step->column);
    }
}

static tac_status ask(tac_device *device, const tac_observable *what, size_t count, tac_error *err)
{
    tac_observed *values = tac_calloc(count + 1, sizeof *values);
    tac_status status = tac_device_observe(device, what, count, 0, values, NULL, err);
    if (status == TAC_OK)
        tac_observed_clear(values, count);
    free(values);
    return status == TAC_E_LIMIT ? TAC_OK : status; /* the page does not answer now */
}

tac_status campaign_try_selectors(const struct run_campaign *campaign, tac_device *device,
                                  tac_error *err)
{
    const tac_properties *properties = campaign->properties;
    size_t observed = properties ? tac_property_observables(properties) : 0;
    size_t actions = campaign->actions ? campaign->actions->actions.count : 0;
    struct selector_list list = {0};
    for (size_t i = 0; i < observed; i++)
        add(&list, tac_property_observable(properties, i)->css, campaign->options->properties,
            tac_property_observable_line(properties, i), 0);
    for (size_t i = 0; i < actions; i++)
        add_action(&list, campaign->actions, &campaign->actions->actions.at[i]);
    tac_status status = list.at.count ? ask(device, list.at.at, list.at.count, err) : TAC_OK;
    for (size_t i = 0; status == TAC_E_INPUT && i < list.at.count; i++)
        if (ask(device, &list.at.at[i], 1, err) == TAC_E_INPUT) {
            const struct selector_place *at = &list.places.at[i];
            tac_fail_at(err, TAC_E_INPUT, at->file, at->line, at->column,
                        "css:\"%.300s\" is not a css selector", list.at.at[i].css);
            break;
        }
    tac_vec_free(&list.at);
    tac_vec_free(&list.places);
    return status;
}
