/* Edits of transitions, and of what stands inside: actions, and the expectations of transitions and
 * states. Elements that are equal keep their text and place. */
#include "base/data/alloc.h"
#include "model/text/edit_parts.h"
#include <string.h>

/* The child of that kind and number, or TAC_NONE; *last: the last one there is. */
static uint32_t child_of(const struct edited *edited, uint32_t transition, enum element_kind kind,
                         size_t number, uint32_t *last)
{
    *last = TAC_NONE;
    for (uint32_t i = transition + 1; i < edited->outline.elements.count; i++) {
        if (edited->outline.elements.at[i].begin >= edited->outline.elements.at[transition].end)
            break;
        if (edit_parent_of(edited, i) != transition || edited->outline.elements.at[i].kind != kind)
            continue;
        *last = i;
        if (!number--)
            return i;
    }
    return TAC_NONE;
}

static bool is_wanted(const edit_attributes *wanted, const char *name, size_t length)
{
    for (size_t i = 0; i < wanted->count; i++)
        if (wanted->at[i].value && strlen(wanted->at[i].name) == length &&
            !memcmp(wanted->at[i].name, name, length))
            return true;
    return false;
}

/* Exactly these attributes; equal ones keep their text and place. */
static tac_status set_all(struct edited *edited, uint32_t element, const edit_attributes *wanted,
                          tac_error *err)
{
    tac_status status = TAC_OK;
    for (uint32_t i = edited->outline.elements.at[element].attribute_count;
         i-- > 0 && status == TAC_OK;) {
        const struct text_element *e = &edited->outline.elements.at[element];
        const struct text_attribute *a = &edited->outline.attributes.at[e->first_attribute + i];
        if (is_wanted(wanted, edited->text + a->name, a->name_length))
            continue;
        char *name = tac_strndup(edited->text + a->name, a->name_length);
        if (strcmp(name, "xmlns") && !strchr(name, ':'))
            status = set_attribute(edited, element, name, NULL, err);
        free(name);
    }
    for (size_t i = 0; i < wanted->count && status == TAC_OK; i++)
        if (wanted->at[i].value)
            status = set_attribute(edited, element, wanted->at[i].name, wanted->at[i].value, err);
    return status;
}

static tac_status check_actions(const struct model_edit *edit, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < edit->action_count && status == TAC_OK; i++) {
        status = edit_check_attributes(&edit->actions[i], err);
        if (status == TAC_OK && !is_wanted(&edit->actions[i], "kind", 4))
            status = tac_fail(err, TAC_E_INPUT, "an action needs its 'kind'");
    }
    return status;
}

static tac_status put_actions(struct edited *edited, uint32_t transition,
                              const struct model_edit *edit, tac_error *err)
{
    tac_status status = TAC_OK;
    uint32_t last, action;
    for (size_t i = 0; i < edit->action_count && status == TAC_OK; i++) {
        action = child_of(edited, transition, ELEMENT_ACTION, i, &last);
        status = action != TAC_NONE
                     ? set_all(edited, action, &edit->actions[i], err)
                     : insert_element(edited, transition, last, "action", &edit->actions[i], err);
    }
    while (status == TAC_OK && (action = child_of(edited, transition, ELEMENT_ACTION,
                                                  edit->action_count, &last)) != TAC_NONE)
        status = remove_element(edited, action, err);
    return status;
}

static tac_status find_ends(struct edited *edited, const struct model_edit *edit, uint32_t machine,
                            uint32_t *from, uint32_t *to, tac_error *err)
{
    *from = *to = TAC_NONE;
    tac_status status = edit->from ? edit_find_node(edited, "from", edit->from, from, err) : TAC_OK;
    if (status == TAC_OK && edit->to)
        status = edit_find_node(edited, "to", edit->to, to, err);
    if (status != TAC_OK)
        return status;
    if (machine == TAC_NONE && *from != TAC_NONE)
        machine = edit_parent_of(edited, *from);
    if ((*from != TAC_NONE && edit_parent_of(edited, *from) != machine) ||
        (*to != TAC_NONE && edit_parent_of(edited, *to) != machine))
        return tac_fail(
            err, TAC_E_INPUT,
            "a transition stays in one state machine; use a connection to call another");
    return TAC_OK;
}

tac_status edit_add_transition(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t from, to;
    edit_attributes all = {0};
    if (!edit->from || !edit->to)
        return tac_fail(err, TAC_E_INPUT, "'%s' is missing", edit->from ? "to" : "from");
    tac_status status = find_ends(edited, edit, TAC_NONE, &from, &to, err);
    if (status == TAC_OK)
        status = edit_check_name("event", edit->event, err);
    if (status == TAC_OK)
        status = edit_check_attributes(&edit->attributes, err);
    if (status == TAC_OK)
        status = check_actions(edit, err);
    if (status != TAC_OK)
        return status;
    uint32_t machine = edit_parent_of(edited, from);
    char *from_name = tac_strdup(edit_name_of(edited, from)),
         *to_name = tac_strdup(edit_name_of(edited, to));
    tac_vec_push(&all, (struct edit_attribute){"from", from_name});
    tac_vec_push(&all, (struct edit_attribute){"event", edit->event});
    tac_vec_push(&all, (struct edit_attribute){"to", to_name});
    for (size_t i = 0; i < edit->attributes.count; i++)
        if (strcmp(edit->attributes.at[i].name, "event"))
            tac_vec_push(&all, edit->attributes.at[i]);
    uint32_t after = edit_place_for(edited, machine, ELEMENT_TRANSITION, from_name);
    size_t follows = after == TAC_NONE ? 0 : edited->outline.elements.at[after].end;
    status = insert_element(edited, machine, after, "transition", &all, err);
    for (uint32_t i = machine + 1; i < edited->outline.elements.count && status == TAC_OK; i++)
        if (edit_parent_of(edited, i) == machine &&
            edited->outline.elements.at[i].begin >= follows) {
            status = put_actions(edited, i, edit, err);
            break;
        }
    tac_vec_free(&all);
    free(from_name);
    free(to_name);
    return status;
}

tac_status edit_connect_ends(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t transition, from, to;
    tac_status status = edit_find_transition(edited, edit, &transition, err);
    if (status == TAC_OK)
        status = find_ends(edited, edit, edit_parent_of(edited, transition), &from, &to, err);
    if (status != TAC_OK)
        return status;
    char *from_name = from == TAC_NONE ? NULL : tac_strdup(edit_name_of(edited, from));
    char *to_name = to == TAC_NONE ? NULL : tac_strdup(edit_name_of(edited, to));
    if (from_name)
        status = set_attribute(edited, transition, "from", from_name, err);
    if (status == TAC_OK && to_name)
        status = set_attribute(edited, transition, "to", to_name, err);
    free(from_name);
    free(to_name);
    return status;
}

tac_status edit_delete_transition(struct edited *edited, const struct model_edit *edit,
                                  tac_error *err)
{
    uint32_t transition;
    tac_status status = edit_find_transition(edited, edit, &transition, err);
    return status == TAC_OK ? remove_element(edited, transition, err) : status;
}

tac_status edit_set_actions(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t transition;
    tac_status status = edit_find_transition(edited, edit, &transition, err);
    if (status == TAC_OK)
        status = check_actions(edit, err);
    return status == TAC_OK ? put_actions(edited, transition, edit, err) : status;
}

/* Behind the actions; those that are equal keep their text. */
tac_status edit_set_expects(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t owner, expect, last, action;
    tac_status status = edit->state ? edit_find_node(edited, "state", edit->state, &owner, err)
                                    : edit_find_transition(edited, edit, &owner, err);
    for (size_t i = 0; i < edit->expect_count && status == TAC_OK; i++) {
        const char *text = edit->expects[i];
        status = text[strspn(text, " \t\r\n")]
                     ? edit_check_value("expects", text, err)
                     : tac_fail(err, TAC_E_INPUT, "an expectation is empty");
    }
    for (size_t i = 0; i < edit->expect_count && status == TAC_OK; i++) {
        expect = child_of(edited, owner, ELEMENT_EXPECT, i, &last);
        if (last == TAC_NONE) {
            child_of(edited, owner, ELEMENT_ACTION, SIZE_MAX, &action);
            last = action;
        }
        status = expect != TAC_NONE
                     ? set_content(edited, expect, edit->expects[i], err)
                     : insert_text_element(edited, owner, last, "expect", edit->expects[i], err);
    }
    while (status == TAC_OK && (expect = child_of(edited, owner, ELEMENT_EXPECT, edit->expect_count,
                                                  &last)) != TAC_NONE)
        status = remove_element(edited, expect, err);
    return status == TAC_OK && !edit->expect_count ? close_empty(edited, owner, err) : status;
}
