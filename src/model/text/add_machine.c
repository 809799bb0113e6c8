/* A new state machine in a model's text: one state, where it begins. The activity is made where the
 * application has none of that name; both come behind their last sibling. */
#include "base/check.h"
#include "model/text/edit_parts.h"
#include <string.h>

static const char first_state[] = "start";

/* The parent's child of this kind and name, or TAC_NONE; *last: the last child that it has. */
static uint32_t child_named(const struct edited *edited, uint32_t parent, enum element_kind kind,
                            const char *name, uint32_t *last)
{
    const struct outline *outline = &edited->outline;
    uint32_t found = TAC_NONE;
    *last = TAC_NONE;
    for (uint32_t i = parent + 1; i < outline->elements.count; i++) {
        if (outline->elements.at[i].parent != parent)
            continue;
        *last = i;
        if (found == TAC_NONE && outline->elements.at[i].kind == kind &&
            !strcmp(outline->names[i], name))
            found = i;
    }
    return found;
}

static tac_status insert_named(struct edited *edited, uint32_t parent, uint32_t after,
                               const char *element, const char *attribute, const char *value,
                               tac_error *err)
{
    edit_attributes all = {0};
    tac_vec_push(&all, (struct edit_attribute){attribute, value});
    tac_status status = insert_element(edited, parent, after, element, &all, err);
    tac_vec_free(&all);
    return status;
}

/* The machine with its attributes, then what is inside. */
static tac_status insert_machine(struct edited *edited, uint32_t activity,
                                 const struct model_edit *edit, tac_error *err)
{
    uint32_t last, machine;
    edit_attributes all = {0};
    child_named(edited, activity, ELEMENT_MACHINE, edit->name, &last);
    tac_vec_push(&all, (struct edit_attribute){"name", edit->name});
    for (size_t i = 0; i < edit->attributes.count; i++)
        if (edit->attributes.at[i].value)
            tac_vec_push(&all, edit->attributes.at[i]);
    tac_status status = insert_element(edited, activity, last, "stateMachine", &all, err);
    tac_vec_free(&all);
    machine = status == TAC_OK ? child_named(edited, activity, ELEMENT_MACHINE, edit->name, &last)
                               : TAC_NONE;
    assert(status != TAC_OK || machine != TAC_NONE);
    if (status == TAC_OK)
        status = insert_named(edited, machine, TAC_NONE, "initial", "to", first_state, err);
    if (status == TAC_OK) {
        child_named(edited, machine, ELEMENT_INITIAL, "", &last);
        status = insert_named(edited, machine, last, "state", "name", first_state, err);
    }
    return status;
}

tac_status edit_add_machine(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t application, activity = TAC_NONE, last;
    tac_status status = edit_find(edited, "application", edit->application, ELEMENT_APPLICATION,
                                  ELEMENT_APPLICATION, &application, err);
    if (status == TAC_OK)
        status = edit_check_name("activity", edit->activity, err);
    if (status == TAC_OK)
        status = edit_check_name("name", edit->name, err);
    if (status == TAC_OK)
        status = edit_check_attributes(&edit->attributes, err);
    if (status == TAC_OK) {
        activity = child_named(edited, application, ELEMENT_ACTIVITY, edit->activity, &last);
        if (activity == TAC_NONE)
            status =
                insert_named(edited, application, last, "activity", "name", edit->activity, err);
    }
    if (status != TAC_OK)
        return status;
    if (activity == TAC_NONE)
        activity = child_named(edited, application, ELEMENT_ACTIVITY, edit->activity, &last);
    assert(activity != TAC_NONE);
    if (child_named(edited, activity, ELEMENT_MACHINE, edit->name, &last) != TAC_NONE)
        return tac_fail(err, TAC_E_INPUT, "'%s' has a state machine '%s' already", edit->activity,
                        edit->name);
    return insert_machine(edited, activity, edit, err);
}
