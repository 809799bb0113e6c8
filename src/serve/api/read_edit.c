#include "serve/api/read_edit.h"
#include "base/data/alloc.h"
#include <string.h>

enum { MOST_ACTIONS = 100, MOST_ATTRIBUTES = 64 };

static const struct {
    const char *word;
    enum model_edit_kind kind;
} kinds[] = {{"rename_state", EDIT_RENAME_STATE},
             {"add_state", EDIT_ADD_STATE},
             {"delete_state", EDIT_DELETE_STATE},
             {"add_transition", EDIT_ADD_TRANSITION},
             {"delete_transition", EDIT_DELETE_TRANSITION},
             {"connect", EDIT_CONNECT},
             {"set", EDIT_SET},
             {"set_actions", EDIT_SET_ACTIONS},
             {"set_expects", EDIT_SET_EXPECTS},
             {"set_initial", EDIT_SET_INITIAL},
             {"add_machine", EDIT_ADD_MACHINE}};

static tac_status read_attributes(const json_t *object, edit_attributes *out, tac_error *err)
{
    const char *name;
    json_t *value;
    if (!object)
        return TAC_OK;
    if (!json_is_object(object) || json_object_size(object) > MOST_ATTRIBUTES)
        return tac_fail(err, TAC_E_INPUT, "attributes are an object of at most %d texts",
                        MOST_ATTRIBUTES);
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (!json_is_string(value) && !json_is_null(value))
            return tac_fail(err, TAC_E_INPUT, "the value of '%s' is not a text", name);
        tac_vec_push(out, (struct edit_attribute){name, json_string_value(value)});
    }
    return TAC_OK;
}

static tac_status read_actions(const json_t *list, struct model_edit *edit, tac_error *err)
{
    tac_status status = TAC_OK;
    if (!list)
        return edit->kind == EDIT_SET_ACTIONS ? tac_fail(err, TAC_E_INPUT, "'actions' is missing")
                                              : TAC_OK;
    if (!json_is_array(list) || json_array_size(list) > MOST_ACTIONS)
        return tac_fail(err, TAC_E_INPUT, "'actions' is not a list of at most %d actions",
                        MOST_ACTIONS);
    edit->action_count = json_array_size(list);
    edit->actions = tac_calloc(edit->action_count + 1, sizeof *edit->actions);
    for (size_t i = 0; i < edit->action_count && status == TAC_OK; i++)
        status = json_is_object(json_array_get(list, i))
                     ? read_attributes(json_array_get(list, i), &edit->actions[i], err)
                     : tac_fail(err, TAC_E_INPUT, "an action is not an object");
    return status;
}

static tac_status read_expects(const json_t *list, struct model_edit *edit, tac_error *err)
{
    if (edit->kind != EDIT_SET_EXPECTS)
        return TAC_OK;
    if (!json_is_array(list) || json_array_size(list) > MOST_ACTIONS)
        return tac_fail(err, TAC_E_INPUT, "'expects' is not a list of at most %d texts",
                        MOST_ACTIONS);
    edit->expects = tac_calloc(json_array_size(list) + 1, sizeof *edit->expects);
    for (size_t i = 0; i < json_array_size(list); i++) {
        edit->expects[i] = json_string_value(json_array_get(list, i));
        if (!edit->expects[i])
            return tac_fail(err, TAC_E_INPUT, "an expectation is not a text");
        edit->expect_count++;
    }
    return TAC_OK;
}

static tac_status read_node_kind(const json_t *json, struct model_edit *edit, tac_error *err)
{
    const char *kind = json_string_value(json_object_get(json, "kind"));
    edit->node = ELEMENT_STATE;
    if (!kind || !strcmp(kind, "state"))
        return TAC_OK;
    if (strcmp(kind, "connection") && strcmp(kind, "final"))
        return tac_fail(err, TAC_E_INPUT, "'%s' is not a kind of state: state, connection, final",
                        kind);
    edit->node = kind[0] == 'c' ? ELEMENT_CONNECTION : ELEMENT_FINAL;
    return TAC_OK;
}

tac_status read_edit(const json_t *json, struct read_edit *out, tac_error *err)
{
    struct model_edit *edit = &out->edit;
    const char *word = json_string_value(json_object_get(json, "do"));
    *out = (struct read_edit){0};
    size_t i = 0;
    while (i < sizeof kinds / sizeof *kinds && word && strcmp(kinds[i].word, word))
        i++;
    if (!word || i == sizeof kinds / sizeof *kinds)
        return tac_fail(err, TAC_E_INPUT, "'%s' is not an edit", word ? word : "");
    edit->kind = kinds[i].kind;
    const struct {
        const char *name;
        const char **text;
    } texts[] = {{"machine", &edit->machine},
                 {"state", &edit->state},
                 {"transition", &edit->transition},
                 {"from", &edit->from},
                 {"to", &edit->to},
                 {"name", &edit->name},
                 {"event", &edit->event},
                 {"application", &edit->application},
                 {"activity", &edit->activity}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        *texts[k].text = json_string_value(json_object_get(json, texts[k].name));
    tac_status status = read_node_kind(json, edit, err);
    if (status == TAC_OK)
        status = read_attributes(json_object_get(json, "attributes"), &edit->attributes, err);
    if (status == TAC_OK)
        status = read_actions(json_object_get(json, "actions"), edit, err);
    if (status == TAC_OK)
        status = read_expects(json_object_get(json, "expects"), edit, err);
    return status;
}

void read_edit_free(struct read_edit *read)
{
    tac_vec_free(&read->edit.attributes);
    for (size_t i = 0; i < read->edit.action_count; i++)
        tac_vec_free(&read->edit.actions[i]);
    free(read->edit.actions);
    free(read->edit.expects);
}
