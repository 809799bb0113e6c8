/* Where the reader of an app file is, and what it takes there: members of the right kind, texts,
 * numbers and names, each mistake with its line and column. */
#include "base/data/text.h"
#include "base/data/visible.h"
#include "phone/app/app.h"

size_t sim_enter(struct sim_place *place, const char *key)
{
    size_t was = strlen(place->pointer), n = was;
    size_t room = sizeof place->pointer - 1;
    if (n < room)
        place->pointer[n++] = '/';
    for (; *key && n + 1 < room; key++) {
        if (*key == '~' || *key == '/') {
            place->pointer[n++] = '~';
            place->pointer[n++] = *key == '~' ? '0' : '1';
        } else {
            place->pointer[n++] = *key;
        }
    }
    place->pointer[n] = '\0';
    return was;
}

size_t sim_enter_item(struct sim_place *place, size_t index)
{
    char key[32];
    snprintf(key, sizeof key, "%zu", index);
    return sim_enter(place, key);
}

void sim_leave(struct sim_place *place, size_t length)
{
    place->pointer[length] = '\0';
}

tac_status sim_wrong(struct sim_place *place, const char *format, ...)
{
    char message[900];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return tac_json_fail(&place->app->json, place->pointer, place->err, "%s", message);
}

tac_status sim_only_keys(struct sim_place *place, const json_t *object, const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        size_t count = 0;
        while (known[count] && strcmp(known[count], key) != 0)
            count++;
        if (known[count] || key[0] == '#')
            continue;
        const char *near = tac_closest(key, known, count);
        sim_enter(place, key);
        if (near)
            return sim_wrong(place, "'%s' is not known here; did you mean '%s'?", key, near);
        return sim_wrong(place, "'%s' is not known here (docs/app-files.md lists what is)", key);
    }
    return TAC_OK;
}

tac_status sim_want(struct sim_place *place, const json_t *value, json_type type, const char *what)
{
    if (value && json_typeof(value) == type)
        return TAC_OK;
    return sim_wrong(place, "expected %s", what);
}

static tac_status check_name(struct sim_place *place, const char *name)
{
    char buffer[TAC_NAME_FLAW];
    const char *flaw = tac_name_flaw(name, buffer);
    return flaw ? sim_wrong(place, "a name %s; names are text that can be shown", flaw) : TAC_OK;
}

/* What an app shows or says may be any text; all else names something. */
static bool is_free_text(const char *key)
{
    static const char *const keys[] = {"log", "text", "message", "description", "hint", "value"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(key, keys[i]))
            return true;
    return false;
}

tac_status sim_each_member(struct sim_place *place, const json_t *root, const char *key,
                           const char *what, sim_load_member *load)
{
    const json_t *all = json_object_get(root, key);
    if (!all)
        return TAC_OK;
    size_t was = sim_enter(place, key);
    tac_status st = sim_want(place, all, JSON_OBJECT, what);
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)all, name, value)
    {
        if (st)
            return st;
        size_t at = sim_enter(place, name);
        st = check_name(place, name);
        if (!st)
            st = load(place, name, value);
        if (!st)
            sim_leave(place, at);
    }
    if (!st)
        sim_leave(place, was);
    return st;
}

tac_status sim_get_number(struct sim_place *place, const json_t *object, const char *key,
                          double least, double most, double *out)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return TAC_OK;
    double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= least && number <= most)) {
        sim_enter(place, key);
        return sim_wrong(place, "'%s' must be a number from %g to %g", key, least, most);
    }
    *out = number;
    return TAC_OK;
}

tac_status sim_get_text(struct sim_place *place, const json_t *object, const char *key,
                        const char **out)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return TAC_OK;
    if (!json_is_string(value)) {
        sim_enter(place, key);
        return sim_wrong(place, "'%s' must be a text", key);
    }
    if (!is_free_text(key)) {
        size_t was = sim_enter(place, key);
        tac_status st = check_name(place, json_string_value(value));
        if (st)
            return st;
        sim_leave(place, was);
    }
    *out = json_string_value(value);
    return TAC_OK;
}

tac_status sim_get_bool(struct sim_place *place, const json_t *object, const char *key, bool *out)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return TAC_OK;
    if (!json_is_boolean(value)) {
        sim_enter(place, key);
        return sim_wrong(place, "'%s' must be true or false", key);
    }
    *out = json_is_true(value);
    return TAC_OK;
}

tac_status sim_get_expr(struct sim_place *place, const json_t *object, const char *key,
                        uint32_t *out)
{
    const json_t *value = json_object_get(object, key);
    *out = SIM_NONE;
    if (!value)
        return TAC_OK;
    size_t was = sim_enter(place, key);
    tac_status st = sim_parse_value(place, value, out);
    if (!st)
        sim_leave(place, was);
    return st;
}

uint32_t sim_label(struct sim_app *app, const char *name)
{
    return tac_names_intern(&app->labels, name);
}

uint32_t sim_find_activity(const struct sim_app *app, const char *name)
{
    for (uint32_t i = 0; i < app->activities.count; i++)
        if (!strcmp(app->activities.at[i].name, name))
            return i;
    return SIM_NONE;
}

uint32_t sim_find_screen(const struct sim_app *app, uint32_t activity, const char *name)
{
    const struct sim_activity *a = &app->activities.at[activity];
    for (uint32_t i = 0; i < a->screen_count; i++)
        if (!strcmp(app->screens.at[a->first_screen + i].name, name))
            return a->first_screen + i;
    return SIM_NONE;
}

/* The variables that are visible here: of the activity, of the app, and the kept ones. */
struct visible {
    const struct sim_variable *at;
    size_t count;
};

static void find_visible(const struct sim_place *place, struct visible out[3])
{
    const struct sim_app *app = place->app;
    out[SIM_PROCESS] = (struct visible){app->process.at, app->process.count};
    out[SIM_KEPT] = (struct visible){app->kept.at, app->kept.count};
    out[SIM_LOCAL] = (struct visible){NULL, 0};
    if (place->activity != SIM_NONE) {
        const struct sim_activity *a = &app->activities.at[place->activity];
        out[SIM_LOCAL] = (struct visible){app->locals.at + a->first_local, a->local_count};
    }
}

bool sim_find_variable(const struct sim_place *place, const char *name, struct sim_ref *out)
{
    static const enum sim_scope order[] = {SIM_LOCAL, SIM_PROCESS, SIM_KEPT};
    struct visible visible[3];
    find_visible(place, visible);
    for (size_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < visible[order[k]].count; i++)
            if (!strcmp(visible[order[k]].at[i].name, name)) {
                *out = (struct sim_ref){order[k], i};
                return true;
            }
    return false;
}

const char *sim_unknown_variable(const struct sim_place *place, const char *name, char *buffer,
                                 size_t size)
{
    TAC_VEC(const char *) names = {0};
    struct visible visible[3];
    find_visible(place, visible);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < visible[k].count; i++)
            tac_vec_push(&names, visible[k].at[i].name);
    const char *near = names.count ? tac_closest(name, names.at, names.count) : NULL;
    if (near)
        snprintf(buffer, size, "there is no variable '%.100s'; did you mean '%.100s'?", name, near);
    else
        snprintf(buffer, size,
                 "there is no variable '%.100s'; declare it under 'variables', 'kept' or the "
                 "activity's 'locals'",
                 name);
    tac_vec_free(&names);
    return buffer;
}

tac_status sim_need_variable(struct sim_place *place, const char *key, const char *name,
                             struct sim_ref *out)
{
    char message[400];
    if (sim_find_variable(place, name, out))
        return TAC_OK;
    sim_enter(place, key);
    return sim_wrong(place, "%s", sim_unknown_variable(place, name, message, sizeof message));
}
