/* An edit of a model's text: what may be written, what the edit is about, and who does it. */
#include "base/check.h"
#include "base/data/text.h"
#include "model/text/edit_parts.h"
#include <ctype.h>
#include <string.h>

enum { MOST_VALUE = 1 << 16 };

/* --- what may be written --- */

static bool is_attribute_name(const char *name)
{
    static const char *const fixed[] = {"name", "from", "to", "xmlns"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (!strcmp(name, fixed[i]))
            return false;
    if (!isalpha((unsigned char)name[0]) || strlen(name) > 64)
        return false;
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("_.-", *at))
            return false;
    return true;
}

tac_status edit_check_value(const char *what, const char *value, tac_error *err)
{
    size_t length = strlen(value);
    if (length > MOST_VALUE)
        return tac_fail(err, TAC_E_INPUT, "'%s' is longer than %d bytes", what, MOST_VALUE);
    if (!tac_utf8_valid(value, length))
        return tac_fail(err, TAC_E_INPUT, "'%s' is not UTF-8", what);
    for (const char *at = value; *at; at++)
        if (((unsigned char)*at < ' ' && !strchr("\t\n\r", *at)) ||
            !strncmp(at, "\xef\xbf\xbe", 3) || !strncmp(at, "\xef\xbf\xbf", 3))
            return tac_fail(err, TAC_E_INPUT, "'%s' has a character that XML cannot hold", what);
    return TAC_OK;
}

tac_status edit_check_name(const char *what, const char *name, tac_error *err)
{
    if (!name || !*name)
        return tac_fail(err, TAC_E_INPUT, "'%s' is missing", what);
    if (name[strcspn(name, " \t\r\n")])
        return tac_fail(err, TAC_E_INPUT, "'%s' is not a name: names have no blanks", name);
    return edit_check_value(what, name, err);
}

tac_status edit_check_attributes(const edit_attributes *attributes, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < attributes->count && status == TAC_OK; i++) {
        const struct edit_attribute *a = &attributes->at[i];
        if (!is_attribute_name(a->name))
            status =
                tac_fail(err, TAC_E_INPUT, "'%s' is not an attribute that can be set", a->name);
        else if (a->value)
            status = edit_check_value(a->name, a->value, err);
        for (size_t k = 0; k < i && status == TAC_OK; k++)
            if (!strcmp(attributes->at[k].name, a->name))
                status = tac_fail(err, TAC_E_INPUT, "'%s' is given twice", a->name);
    }
    return status;
}

/* --- finding what the edit is about --- */

tac_status edit_find(const struct edited *edited, const char *what, const char *id,
                     enum element_kind first, enum element_kind last, uint32_t *out, tac_error *err)
{
    *out = outline_find(&edited->outline, id, first, last);
    if (!id)
        return tac_fail(err, TAC_E_INPUT, "'%s' is missing", what);
    if (*out == TAC_NONE)
        return tac_fail(err, TAC_E_INPUT, "there is no %s '%s'", what, id);
    return TAC_OK;
}

tac_status edit_find_node(const struct edited *edited, const char *what, const char *id,
                          uint32_t *out, tac_error *err)
{
    return edit_find(edited, what, id, ELEMENT_STATE, ELEMENT_FINAL, out, err);
}

const char *edit_name_of(const struct edited *edited, uint32_t element)
{
    return edited->outline.names[element];
}

uint32_t edit_parent_of(const struct edited *edited, uint32_t element)
{
    return edited->outline.elements.at[element].parent;
}

bool edit_value_is(struct edited *edited, uint32_t element, const char *attribute,
                   const char *wanted)
{
    const char *value = outline_value(&edited->outline, element, attribute);
    return value && !strcmp(value, wanted);
}

uint32_t edit_place_for(struct edited *edited, uint32_t machine, enum element_kind kind,
                        const char *from)
{
    uint32_t last = TAC_NONE, sibling = TAC_NONE;
    for (uint32_t i = machine + 1; i < edited->outline.elements.count; i++) {
        if (edit_parent_of(edited, i) != machine || edited->outline.elements.at[i].kind > kind)
            continue;
        last = i;
        if (from && edited->outline.elements.at[i].kind == ELEMENT_TRANSITION &&
            edit_value_is(edited, i, "from", from))
            sibling = i;
    }
    return sibling != TAC_NONE ? sibling : last;
}

tac_status edit_find_transition(const struct edited *edited, const struct model_edit *edit,
                                uint32_t *out, tac_error *err)
{
    return edit_find(edited, "transition", edit->transition, ELEMENT_TRANSITION, ELEMENT_TRANSITION,
                     out, err);
}

static tac_status set_attributes(struct edited *edited, const struct model_edit *edit,
                                 tac_error *err)
{
    uint32_t element;
    tac_status status = edit->state ? edit_find_node(edited, "state", edit->state, &element, err)
                        : edit->transition
                            ? edit_find_transition(edited, edit, &element, err)
                            : edit_find(edited, "machine", edit->machine, ELEMENT_MACHINE,
                                        ELEMENT_MACHINE, &element, err);
    if (status == TAC_OK)
        status = edit_check_attributes(&edit->attributes, err);
    for (size_t i = 0; i < edit->attributes.count && status == TAC_OK; i++)
        status = set_attribute(edited, element, edit->attributes.at[i].name,
                               edit->attributes.at[i].value, err);
    return status;
}

tac_status model_edit_apply(const struct model_edit *edit, char **text, tac_error *err)
{
    static tac_status (*const apply[])(struct edited *, const struct model_edit *, tac_error *) = {
        [EDIT_RENAME_STATE] = edit_rename_state,
        [EDIT_ADD_STATE] = edit_add_state,
        [EDIT_DELETE_STATE] = edit_delete_state,
        [EDIT_ADD_TRANSITION] = edit_add_transition,
        [EDIT_DELETE_TRANSITION] = edit_delete_transition,
        [EDIT_CONNECT] = edit_connect_ends,
        [EDIT_SET] = set_attributes,
        [EDIT_SET_ACTIONS] = edit_set_actions,
        [EDIT_SET_EXPECTS] = edit_set_expects,
        [EDIT_SET_INITIAL] = edit_set_initial,
        [EDIT_ADD_MACHINE] = edit_add_machine};
    TABLE_COVERS(apply, EDIT_ADD_MACHINE);
    struct edited edited;
    tac_status status = edited_open(&edited, *text, err);
    if (status != TAC_OK)
        return status;
    assert((size_t)edit->kind < sizeof apply / sizeof *apply);
    status = apply[edit->kind](&edited, edit, err);
    if (status == TAC_OK) {
        free(*text);
        *text = edited.text;
        edited.text = NULL;
    }
    edited_free(&edited);
    return status;
}
