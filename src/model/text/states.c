/* Edits of states: a new name reaches whatever names the state, what goes takes along the
 * transitions that would name nothing. Cost: linear in the text, one reading of it per edit. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "model/text/edit_parts.h"
#include <string.h>

/* Plans the new name wherever this element names the node `old` of the machine. */
static void plan_names(struct edited *edited, uint32_t element, uint32_t machine, const char *old,
                       const char *new_name, splices *plan)
{
    enum element_kind kind = edited->outline.elements.at[element].kind;
    bool inside = edit_parent_of(edited, element) == machine;
    bool ends = inside && (kind == ELEMENT_INITIAL || kind == ELEMENT_TRANSITION);
    const struct {
        const char *attribute;
        bool may;
    } places[] = {{"to", ends},
                  {"from", ends && kind == ELEMENT_TRANSITION},
                  {"returns", inside && kind == ELEMENT_CONNECTION},
                  {"enters", kind == ELEMENT_CONNECTION}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (!places[i].may || !edit_value_is(edited, element, places[i].attribute, old) ||
            (!strcmp(places[i].attribute, "enters") &&
             !outline_calls(&edited->outline, element, machine)))
            continue;
        plan_attribute(edited, element, places[i].attribute, new_name, plan);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct splice *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

tac_status edit_rename_state(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t node;
    splices plan = {0};
    tac_status status = edit_find_node(edited, "state", edit->state, &node, err);
    if (status == TAC_OK)
        status = edit_check_name("name", edit->name, err);
    if (status != TAC_OK || !strcmp(edit_name_of(edited, node), edit->name))
        return status;
    uint32_t machine = edit_parent_of(edited, node);
    if (machine == TAC_NONE)
        return tac_fail(err, TAC_E_INPUT, "'%s' is not in a state machine", edit->state);
    if (outline_node(&edited->outline, machine, edit->name) != TAC_NONE)
        return tac_fail(err, TAC_E_INPUT, "'%s' has a state '%s' already",
                        edit_name_of(edited, machine), edit->name);
    const char *old = edit_name_of(edited, node);
    for (uint32_t i = 0; i < edited->outline.elements.count; i++) {
        if (i == node)
            plan_attribute(edited, node, "name", edit->name, &plan);
        plan_names(edited, i, machine, old, edit->name, &plan);
    }
    if (plan.count)
        qsort(plan.at, plan.count, sizeof *plan.at, by_place);
    return carry_out(edited, &plan, err);
}

tac_status edit_add_state(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    static const char *const names[] = {
        [ELEMENT_STATE] = "state", [ELEMENT_CONNECTION] = "connection", [ELEMENT_FINAL] = "final"};
    uint32_t machine;
    edit_attributes all = {0};
    assert(edit->node >= ELEMENT_STATE && edit->node <= ELEMENT_FINAL);
    tac_status status = edit_find(edited, "machine", edit->machine, ELEMENT_MACHINE,
                                  ELEMENT_MACHINE, &machine, err);
    if (status == TAC_OK)
        status = edit_check_name("name", edit->name, err);
    if (status == TAC_OK)
        status = edit_check_attributes(&edit->attributes, err);
    if (status == TAC_OK && outline_node(&edited->outline, machine, edit->name) != TAC_NONE)
        status = tac_fail(err, TAC_E_INPUT, "'%s' has a state '%s' already",
                          edit_name_of(edited, machine), edit->name);
    if (status != TAC_OK)
        return status;
    tac_vec_push(&all, (struct edit_attribute){"name", edit->name});
    tac_vec_append(&all, edit->attributes.at, edit->attributes.count);
    status = insert_element(edited, machine, edit_place_for(edited, machine, edit->node, NULL),
                            names[edit->node], &all, err);
    tac_vec_free(&all);
    return status;
}

static bool is_node(const struct edited *edited, uint32_t element)
{
    return element_is_node(edited->outline.elements.at[element].kind);
}

tac_status edit_delete_state(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t node;
    splices plan = {0};
    tac_status status = edit_find_node(edited, "state", edit->state, &node, err);
    if (status != TAC_OK)
        return status;
    uint32_t machine = edit_parent_of(edited, node);
    const char *name = edit_name_of(edited, node);
    bool repeated = false; /* another node of that name keeps what names it */
    for (uint32_t i = 0; i < edited->outline.elements.count; i++)
        repeated |= i != node && edit_parent_of(edited, i) == machine && is_node(edited, i) &&
                    !strcmp(edit_name_of(edited, i), name);
    size_t past = 0; /* elements inside of one that goes go with it */
    for (uint32_t i = 0; i < edited->outline.elements.count; i++) {
        const struct text_element *e = &edited->outline.elements.at[i];
        bool names = e->kind == ELEMENT_INITIAL || e->kind == ELEMENT_TRANSITION;
        if (e->begin >= past &&
            (i == node ||
             (names && !repeated && edit_parent_of(edited, i) == machine &&
              (edit_value_is(edited, i, "to", name) || edit_value_is(edited, i, "from", name))))) {
            plan_removal(edited, i, &plan);
            past = e->end;
        }
    }
    return carry_out(edited, &plan, err);
}

tac_status edit_set_initial(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t machine, node, initial = TAC_NONE;
    edit_attributes to = {0};
    tac_status status = edit_find(edited, "machine", edit->machine, ELEMENT_MACHINE,
                                  ELEMENT_MACHINE, &machine, err);
    if (status == TAC_OK)
        status = edit_find_node(edited, "state", edit->state, &node, err);
    if (status != TAC_OK)
        return status;
    if (edit_parent_of(edited, node) != machine)
        return tac_fail(err, TAC_E_INPUT, "'%s' is not a state of '%s'", edit->state,
                        edit->machine);
    for (uint32_t i = machine + 1; i < edited->outline.elements.count && initial == TAC_NONE; i++)
        if (edit_parent_of(edited, i) == machine &&
            edited->outline.elements.at[i].kind == ELEMENT_INITIAL)
            initial = i;
    char *name = tac_strdup(edit_name_of(edited, node));
    if (initial != TAC_NONE) {
        status = set_attribute(edited, initial, "to", name, err);
    } else {
        tac_vec_push(&to, (struct edit_attribute){"to", name});
        status = insert_element(edited, machine, TAC_NONE, "initial", &to, err);
    }
    tac_vec_free(&to);
    free(name);
    return status;
}
