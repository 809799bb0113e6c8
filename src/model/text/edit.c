#include "model/text/edit.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "model/text/splice.h"
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

static tac_status check_value(const char *what, const char *value, tac_error *err)
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
    return check_value(what, name, err);
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
            status = check_value(a->name, a->value, err);
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

static tac_status find_node(const struct edited *edited, const char *what, const char *id,
                            uint32_t *out, tac_error *err)
{
    return edit_find(edited, what, id, ELEMENT_STATE, ELEMENT_FINAL, out, err);
}

static const char *name_of(const struct edited *edited, uint32_t element)
{
    return edited->outline.names[element];
}

static uint32_t parent_of(const struct edited *edited, uint32_t element)
{
    return edited->outline.elements.at[element].parent;
}

/* --- states --- */

static bool value_is(struct edited *edited, uint32_t element, const char *attribute,
                     const char *wanted)
{
    const char *value = outline_value(&edited->outline, element, attribute);
    return value && !strcmp(value, wanted);
}

/* Plans the new name wherever this element names the node `old` of the machine. */
static void plan_names(struct edited *edited, uint32_t element, uint32_t machine, const char *old,
                       const char *new_name, splices *plan)
{
    enum element_kind kind = edited->outline.elements.at[element].kind;
    bool inside = parent_of(edited, element) == machine;
    bool ends = inside && (kind == ELEMENT_INITIAL || kind == ELEMENT_TRANSITION);
    const struct {
        const char *attribute;
        bool may;
    } places[] = {{"to", ends},
                  {"from", ends && kind == ELEMENT_TRANSITION},
                  {"returns", inside && kind == ELEMENT_CONNECTION},
                  {"enters", kind == ELEMENT_CONNECTION}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (!places[i].may || !value_is(edited, element, places[i].attribute, old) ||
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

static tac_status rename_state(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t node;
    splices plan = {0};
    tac_status status = find_node(edited, "state", edit->state, &node, err);
    if (status == TAC_OK)
        status = edit_check_name("name", edit->name, err);
    if (status != TAC_OK || !strcmp(name_of(edited, node), edit->name))
        return status;
    uint32_t machine = parent_of(edited, node);
    if (machine == TAC_NONE)
        return tac_fail(err, TAC_E_INPUT, "'%s' is not in a state machine", edit->state);
    if (outline_node(&edited->outline, machine, edit->name) != TAC_NONE)
        return tac_fail(err, TAC_E_INPUT, "'%s' has a state '%s' already", name_of(edited, machine),
                        edit->name);
    const char *old = name_of(edited, node);
    for (uint32_t i = 0; i < edited->outline.elements.count; i++) {
        if (i == node)
            plan_attribute(edited, node, "name", edit->name, &plan);
        plan_names(edited, i, machine, old, edit->name, &plan);
    }
    if (plan.count)
        qsort(plan.at, plan.count, sizeof *plan.at, by_place);
    return carry_out(edited, &plan, err);
}

/* The child of the machine that one of this kind comes behind, or TAC_NONE: before all. */
static uint32_t place_for(struct edited *edited, uint32_t machine, enum element_kind kind,
                          const char *from)
{
    uint32_t last = TAC_NONE, sibling = TAC_NONE;
    for (uint32_t i = machine + 1; i < edited->outline.elements.count; i++) {
        if (parent_of(edited, i) != machine || edited->outline.elements.at[i].kind > kind)
            continue;
        last = i;
        if (from && edited->outline.elements.at[i].kind == ELEMENT_TRANSITION &&
            value_is(edited, i, "from", from))
            sibling = i;
    }
    return sibling != TAC_NONE ? sibling : last;
}

static tac_status add_state(struct edited *edited, const struct model_edit *edit, tac_error *err)
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
                          name_of(edited, machine), edit->name);
    if (status != TAC_OK)
        return status;
    tac_vec_push(&all, (struct edit_attribute){"name", edit->name});
    tac_vec_append(&all, edit->attributes.at, edit->attributes.count);
    status = insert_element(edited, machine, place_for(edited, machine, edit->node, NULL),
                            names[edit->node], &all, err);
    tac_vec_free(&all);
    return status;
}

static bool is_node(const struct edited *edited, uint32_t element)
{
    enum element_kind kind = edited->outline.elements.at[element].kind;
    return kind >= ELEMENT_STATE && kind <= ELEMENT_FINAL;
}

static tac_status delete_state(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t node;
    splices plan = {0};
    tac_status status = find_node(edited, "state", edit->state, &node, err);
    if (status != TAC_OK)
        return status;
    uint32_t machine = parent_of(edited, node);
    const char *name = name_of(edited, node);
    bool repeated = false; /* another node of that name keeps what names it */
    for (uint32_t i = 0; i < edited->outline.elements.count; i++)
        repeated |= i != node && parent_of(edited, i) == machine && is_node(edited, i) &&
                    !strcmp(name_of(edited, i), name);
    size_t past = 0; /* elements inside of one that goes go with it */
    for (uint32_t i = 0; i < edited->outline.elements.count; i++) {
        const struct text_element *e = &edited->outline.elements.at[i];
        bool names = e->kind == ELEMENT_INITIAL || e->kind == ELEMENT_TRANSITION;
        if (e->begin >= past &&
            (i == node ||
             (names && !repeated && parent_of(edited, i) == machine &&
              (value_is(edited, i, "to", name) || value_is(edited, i, "from", name))))) {
            plan_removal(edited, i, &plan);
            past = e->end;
        }
    }
    return carry_out(edited, &plan, err);
}

static tac_status set_initial(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t machine, node, initial = TAC_NONE;
    edit_attributes to = {0};
    tac_status status = edit_find(edited, "machine", edit->machine, ELEMENT_MACHINE,
                                  ELEMENT_MACHINE, &machine, err);
    if (status == TAC_OK)
        status = find_node(edited, "state", edit->state, &node, err);
    if (status != TAC_OK)
        return status;
    if (parent_of(edited, node) != machine)
        return tac_fail(err, TAC_E_INPUT, "'%s' is not a state of '%s'", edit->state,
                        edit->machine);
    for (uint32_t i = machine + 1; i < edited->outline.elements.count && initial == TAC_NONE; i++)
        if (parent_of(edited, i) == machine &&
            edited->outline.elements.at[i].kind == ELEMENT_INITIAL)
            initial = i;
    char *name = tac_strdup(name_of(edited, node));
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

/* --- transitions --- */

/* The child of that kind and number, or TAC_NONE; *last: the last one there is. */
static uint32_t child_of(const struct edited *edited, uint32_t transition, enum element_kind kind,
                         size_t number, uint32_t *last)
{
    *last = TAC_NONE;
    for (uint32_t i = transition + 1; i < edited->outline.elements.count; i++) {
        if (edited->outline.elements.at[i].begin >= edited->outline.elements.at[transition].end)
            break;
        if (parent_of(edited, i) != transition || edited->outline.elements.at[i].kind != kind)
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
    tac_status status = edit->from ? find_node(edited, "from", edit->from, from, err) : TAC_OK;
    if (status == TAC_OK && edit->to)
        status = find_node(edited, "to", edit->to, to, err);
    if (status != TAC_OK)
        return status;
    if (machine == TAC_NONE && *from != TAC_NONE)
        machine = parent_of(edited, *from);
    if ((*from != TAC_NONE && parent_of(edited, *from) != machine) ||
        (*to != TAC_NONE && parent_of(edited, *to) != machine))
        return tac_fail(
            err, TAC_E_INPUT,
            "a transition stays in one state machine; use a connection to call another");
    return TAC_OK;
}

static tac_status add_transition(struct edited *edited, const struct model_edit *edit,
                                 tac_error *err)
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
    uint32_t machine = parent_of(edited, from);
    char *from_name = tac_strdup(name_of(edited, from)), *to_name = tac_strdup(name_of(edited, to));
    tac_vec_push(&all, (struct edit_attribute){"from", from_name});
    tac_vec_push(&all, (struct edit_attribute){"event", edit->event});
    tac_vec_push(&all, (struct edit_attribute){"to", to_name});
    for (size_t i = 0; i < edit->attributes.count; i++)
        if (strcmp(edit->attributes.at[i].name, "event"))
            tac_vec_push(&all, edit->attributes.at[i]);
    uint32_t after = place_for(edited, machine, ELEMENT_TRANSITION, from_name);
    size_t follows = after == TAC_NONE ? 0 : edited->outline.elements.at[after].end;
    status = insert_element(edited, machine, after, "transition", &all, err);
    for (uint32_t i = machine + 1; i < edited->outline.elements.count && status == TAC_OK; i++)
        if (parent_of(edited, i) == machine && edited->outline.elements.at[i].begin >= follows) {
            status = put_actions(edited, i, edit, err);
            break;
        }
    tac_vec_free(&all);
    free(from_name);
    free(to_name);
    return status;
}

static tac_status find_transition(const struct edited *edited, const struct model_edit *edit,
                                  uint32_t *out, tac_error *err)
{
    return edit_find(edited, "transition", edit->transition, ELEMENT_TRANSITION, ELEMENT_TRANSITION,
                     out, err);
}

static tac_status connect_ends(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t transition, from, to;
    tac_status status = find_transition(edited, edit, &transition, err);
    if (status == TAC_OK)
        status = find_ends(edited, edit, parent_of(edited, transition), &from, &to, err);
    if (status != TAC_OK)
        return status;
    char *from_name = from == TAC_NONE ? NULL : tac_strdup(name_of(edited, from));
    char *to_name = to == TAC_NONE ? NULL : tac_strdup(name_of(edited, to));
    if (from_name)
        status = set_attribute(edited, transition, "from", from_name, err);
    if (status == TAC_OK && to_name)
        status = set_attribute(edited, transition, "to", to_name, err);
    free(from_name);
    free(to_name);
    return status;
}

static tac_status set_attributes(struct edited *edited, const struct model_edit *edit,
                                 tac_error *err)
{
    uint32_t element;
    tac_status status = edit->state ? find_node(edited, "state", edit->state, &element, err)
                        : edit->transition
                            ? find_transition(edited, edit, &element, err)
                            : edit_find(edited, "machine", edit->machine, ELEMENT_MACHINE,
                                        ELEMENT_MACHINE, &element, err);
    if (status == TAC_OK)
        status = edit_check_attributes(&edit->attributes, err);
    for (size_t i = 0; i < edit->attributes.count && status == TAC_OK; i++)
        status = set_attribute(edited, element, edit->attributes.at[i].name,
                               edit->attributes.at[i].value, err);
    return status;
}

static tac_status delete_transition(struct edited *edited, const struct model_edit *edit,
                                    tac_error *err)
{
    uint32_t transition;
    tac_status status = find_transition(edited, edit, &transition, err);
    return status == TAC_OK ? remove_element(edited, transition, err) : status;
}

static tac_status set_actions(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t transition;
    tac_status status = find_transition(edited, edit, &transition, err);
    if (status == TAC_OK)
        status = check_actions(edit, err);
    return status == TAC_OK ? put_actions(edited, transition, edit, err) : status;
}

/* Behind the actions; those that are equal keep their text. */
static tac_status set_expects(struct edited *edited, const struct model_edit *edit, tac_error *err)
{
    uint32_t owner, expect, last, action;
    tac_status status = edit->state ? find_node(edited, "state", edit->state, &owner, err)
                                    : find_transition(edited, edit, &owner, err);
    for (size_t i = 0; i < edit->expect_count && status == TAC_OK; i++) {
        const char *text = edit->expects[i];
        status = text[strspn(text, " \t\r\n")]
                     ? check_value("expects", text, err)
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

tac_status model_edit_apply(const struct model_edit *edit, char **text, tac_error *err)
{
    static tac_status (*const apply[])(struct edited *, const struct model_edit *,
                                       tac_error *) = {[EDIT_RENAME_STATE] = rename_state,
                                                       [EDIT_ADD_STATE] = add_state,
                                                       [EDIT_DELETE_STATE] = delete_state,
                                                       [EDIT_ADD_TRANSITION] = add_transition,
                                                       [EDIT_DELETE_TRANSITION] = delete_transition,
                                                       [EDIT_CONNECT] = connect_ends,
                                                       [EDIT_SET] = set_attributes,
                                                       [EDIT_SET_ACTIONS] = set_actions,
                                                       [EDIT_SET_EXPECTS] = set_expects,
                                                       [EDIT_SET_INITIAL] = set_initial,
                                                       [EDIT_ADD_MACHINE] = edit_add_machine};
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
