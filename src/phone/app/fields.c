/* Members of an app file's objects, by tables: of the right kind, within their bounds, and none
 * that the table has not. */
#include "base/data/text.h"
#include "base/data/visible.h"
#include "phone/app/load.h"

static tac_status only_keys(struct sim_place *place, const json_t *object,
                            const struct sim_field *fields)
{
    tac_json_stray stray = {.comments = true};
    if (!tac_json_next_stray(object, fields, sizeof *fields, &stray))
        return TAC_OK;
    return sim_wrong_member(place, stray.key, "'%s' is not known here%s", stray.key,
                            *stray.meant.text ? stray.meant.text
                                              : " (docs/app-files.md lists what is)");
}

/* What an app shows or says may be any text; all else names something. */
static bool is_free_text(const char *key)
{
    return TAC_IS_ONE_OF(key, "log", "text", "message", "description", "hint", "value");
}

tac_status sim_check_name(struct sim_place *place, const char *name)
{
    char buffer[TAC_NAME_FLAW];
    const char *flaw = tac_name_flaw(name, buffer);
    return flaw ? sim_wrong(place, "a name %s; names are text that can be shown", flaw) : TAC_OK;
}

const char *sim_text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static tac_status wrong_kind(struct sim_place *place, const struct sim_field *field)
{
    if (field->kind == SIM_FIELD_NUMBER)
        return sim_wrong(place, "'%s' must be a number from %g to %g", field->key, field->least,
                         field->most);
    return sim_wrong(place, "'%s' must be %s", field->key,
                     field->kind == SIM_FIELD_BOOL ? "true or false" : "a text");
}

static bool is_text(enum sim_field_kind kind)
{
    return kind == SIM_FIELD_TEXT || kind == SIM_FIELD_PRINTED || kind == SIM_FIELD_VARIABLE ||
           kind == SIM_FIELD_LABEL;
}

static bool is_of_kind(const struct sim_field *field, const json_t *value)
{
    double number = json_number_value(value);
    if (field->kind == SIM_FIELD_NUMBER)
        return json_is_number(value) && number >= field->least && number <= field->most;
    return field->kind == SIM_FIELD_BOOL ? json_is_boolean(value)
                                         : !is_text(field->kind) || json_is_string(value);
}

/* At the member's place. */
static tac_status take(struct sim_place *place, const struct sim_field *field, const json_t *value,
                       void *to)
{
    const char *text = json_string_value(value);
    if (!is_of_kind(field, value))
        return wrong_kind(place, field);
    tac_status st = TAC_OK;
    if (is_text(field->kind) && !is_free_text(field->key))
        st = sim_check_name(place, text);
    if (st || !to)
        return st;
    switch (field->kind) {
    case SIM_FIELD_TEXT:
        *(const char **)to = text;
        break;
    case SIM_FIELD_NUMBER:
        *(double *)to = json_number_value(value);
        break;
    case SIM_FIELD_BOOL:
        *(bool *)to = json_is_true(value);
        break;
    case SIM_FIELD_EXPR:
        return sim_parse_value(place, value, to);
    case SIM_FIELD_PRINTED:
        return sim_parse_text(place, text, to);
    case SIM_FIELD_ACTIONS:
        return sim_load_actions(place, value, to);
    case SIM_FIELD_VARIABLE:
        return sim_need_variable(place, text, to);
    case SIM_FIELD_LABEL:
        *(uint32_t *)to = sim_label(place->app, text);
        break;
    case SIM_FIELD_OTHER:
        break;
    }
    return TAC_OK;
}

static tac_status load_field(struct sim_place *place, const struct sim_field *field,
                             const json_t *object, char *base)
{
    const json_t *value = json_object_get(object, field->key);
    void *to = field->at == SIM_NOWHERE ? NULL : base + field->at;
    if (field->has)
        *(bool *)(base + field->has) = value != NULL;
    if (to && (field->kind == SIM_FIELD_EXPR || field->kind == SIM_FIELD_PRINTED))
        *(uint32_t *)to = SIM_NONE;
    if (to && field->kind == SIM_FIELD_ACTIONS)
        *(struct sim_list *)to = (struct sim_list){0, 0};
    if (!value)
        return TAC_OK;
    size_t was = sim_enter(place, field->key);
    tac_status st = take(place, field, value, to);
    if (!st)
        sim_leave(place, was);
    return st;
}

tac_status sim_load_fields(struct sim_place *place, const json_t *object, const char *what,
                           const struct sim_field *fields, void *to)
{
    tac_status st = what ? sim_want(place, object, JSON_OBJECT, what) : TAC_OK;
    if (!st)
        st = only_keys(place, object, fields);
    for (; !st && fields->key; fields++)
        st = load_field(place, fields, object, to);
    return st;
}
