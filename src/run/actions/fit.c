/* Whether a device can do what an action file asks for, before anything is run: what it does not
 * know at all would otherwise be an action that is abandoned every time. */
#include "run/actions/file.h"

static tac_status refuse_css(const struct action_file *file, size_t line, size_t column,
                             const char *css, tac_error *err)
{
    return tac_fail_at(
        err, TAC_E_INPUT, file->name, line, column,
        "css:\"%.200s\" is known to web pages only; write an XPath over the hierarchy", css);
}

static tac_status fit_guard(const struct action_file *file, const struct guarded_action *action,
                            const tac_device *device, tac_error *err)
{
    size_t count = action->guard ? tac_condition_observables(action->guard) : 0;
    for (size_t i = 0; i < count && !tac_device_has_css(device); i++)
        if (tac_condition_observable(action->guard, i)->css)
            return refuse_css(file, action->line, 0,
                              tac_condition_observable(action->guard, i)->css, err);
    return TAC_OK;
}

static tac_status fit_step(const struct action_file *file, const struct action_step *step,
                           const tac_device *device, tac_error *err)
{
    const char *css = step->target.css ? step->target.css : step->to.css;
    if (css && !tac_device_has_css(device))
        return refuse_css(file, step->line, step->column, css, err);
    if (step->kind == DEED_KEY && !tac_device_has_key(device, step->text))
        return tac_fail_at(err, TAC_E_INPUT, file->name, step->line, step->column,
                           "%s has no key '%.60s'; only %s have it", tac_device_uri(device),
                           step->text, tac_device_has_css(device) ? "phones" : "web pages");
    return TAC_OK;
}

tac_status actions_fit(const struct action_file *file, const tac_device *device, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < file->actions.count && status == TAC_OK; i++) {
        status = fit_guard(file, &file->actions.at[i], device, err);
        for (size_t k = 0; k < file->actions.at[i].step_count && status == TAC_OK; k++)
            status = fit_step(file, &file->actions.at[i].steps[k], device, err);
    }
    return status;
}
