/* Where the reader of an app file is, and the names that are visible there; each mistake with its
 * line and column. */
#include "base/check.h"
#include "base/data/text.h"
#include "phone/app/load.h"

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

static size_t sim_enter_item(struct sim_place *place, size_t index)
{
    char key[32];
    snprintf(key, sizeof key, "%zu", index);
    return sim_enter(place, key);
}

void sim_leave(struct sim_place *place, size_t length)
{
    place->pointer[length] = '\0';
}

static tac_status wrong(struct sim_place *place, const char *format, va_list args)
{
    char message[900];
    vsnprintf(message, sizeof message, format, args);
    return tac_json_fail(&place->app->json, place->pointer, place->err, "%s", message);
}

tac_status sim_wrong(struct sim_place *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tac_status st = wrong(place, format, args);
    va_end(args);
    return st;
}

tac_status sim_wrong_member(struct sim_place *place, const char *key, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sim_enter(place, key);
    tac_status st = wrong(place, format, args);
    va_end(args);
    return st;
}

tac_status sim_want(struct sim_place *place, const json_t *value, json_type type, const char *what)
{
    if (value && json_typeof(value) == type)
        return TAC_OK;
    return sim_wrong(place, "expected %s", what);
}

tac_status sim_all(struct sim_place *place, const json_t *all, json_type type, const char *what,
                   sim_load_part *load, void *context)
{
    tac_status st = sim_want(place, all, type, what);
    const char *name;
    json_t *value;
    size_t i, was;
    json_array_foreach((json_t *)all, i, value)
    {
        if (st)
            return st;
        was = sim_enter_item(place, i);
        st = load(place, NULL, value, context);
        if (!st)
            sim_leave(place, was);
    }
    json_object_foreach((json_t *)all, name, value)
    {
        if (st)
            return st;
        was = sim_enter(place, name);
        st = load(place, name, value, context);
        if (!st)
            sim_leave(place, was);
    }
    return st;
}

tac_status sim_each(struct sim_place *place, const json_t *object, const char *key, json_type type,
                    const char *what, sim_load_part *load, void *context)
{
    const json_t *all = json_object_get(object, key);
    if (!all)
        return TAC_OK;
    size_t was = sim_enter(place, key);
    tac_status st = sim_all(place, all, type, what, load, context);
    if (!st)
        sim_leave(place, was);
    return st;
}

/* --- Names --- */

static_assert(offsetof(struct sim_activity, name) == 0 && offsetof(struct sim_screen, name) == 0 &&
                  offsetof(struct sim_stream, name) == 0 &&
                  offsetof(struct sim_channel, name) == 0 &&
                  offsetof(struct sim_variable, name) == 0,
              "a name is not the first member");

static const char *name_of(struct sim_named list, size_t i)
{
    return *(const char *const *)(const void *)((const char *)list.at + i * list.size);
}

uint32_t sim_find(struct sim_named list, const char *name)
{
    for (uint32_t i = 0; i < list.count; i++)
        if (!strcmp(name_of(list, i), name))
            return i;
    return SIM_NONE;
}

static tac_meaning meant(const char *name, const struct sim_named *lists, size_t count)
{
    TAC_VEC(const char *) names = {0};
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < lists[k].count; i++)
            tac_vec_push(&names, name_of(lists[k], i));
    tac_meaning found = tac_meant(name, names.at, names.count);
    tac_vec_free(&names);
    return found;
}

tac_status sim_need(struct sim_place *place, const char *key, const char *what, const char *name,
                    struct sim_named list, const char *advice, uint32_t *out)
{
    *out = sim_find(list, name);
    if (*out != SIM_NONE)
        return TAC_OK;
    tac_meaning near = meant(name, &list, 1);
    if (*near.text)
        return sim_wrong_member(place, key, "%s '%s'%s", what, name, near.text);
    return sim_wrong_member(place, key, "%s '%s'%s%s", what, name, *advice ? "; " : "", advice);
}

uint32_t sim_label(struct sim_app *app, const char *name)
{
    return tac_names_intern(&app->labels, name);
}

uint32_t sim_find_activity(const struct sim_app *app, const char *name)
{
    return sim_find(SIM_NAMED(app->activities), name);
}

uint32_t sim_find_channel(const struct sim_app *app, const char *name)
{
    return sim_find(SIM_NAMED(app->channels), name);
}

struct sim_named sim_screens(const struct sim_app *app, uint32_t activity)
{
    const struct sim_activity *a = &app->activities.at[activity];
    return (struct sim_named){app->screens.at + a->first_screen, a->screen_count,
                              sizeof *app->screens.at};
}

/* The variables that are visible here: of the activity, of the app, and the kept ones. */
static void find_visible(const struct sim_place *place, struct sim_named out[3])
{
    const struct sim_app *app = place->app;
    out[SIM_PROCESS] = SIM_NAMED(app->process);
    out[SIM_KEPT] = SIM_NAMED(app->kept);
    out[SIM_LOCAL] = (struct sim_named){.count = 0};
    const struct sim_activity *a =
        place->activity != SIM_NONE ? &app->activities.at[place->activity] : NULL;
    if (a && a->local_count)
        out[SIM_LOCAL] = (struct sim_named){app->locals.at + a->first_local, a->local_count,
                                            sizeof *app->locals.at};
}

bool sim_find_variable(const struct sim_place *place, const char *name, struct sim_ref *out)
{
    static const enum sim_scope order[] = {SIM_LOCAL, SIM_PROCESS, SIM_KEPT};
    struct sim_named visible[3];
    find_visible(place, visible);
    for (size_t k = 0; k < 3; k++) {
        uint32_t slot = sim_find(visible[order[k]], name);
        if (slot != SIM_NONE) {
            *out = (struct sim_ref){order[k], slot};
            return true;
        }
    }
    return false;
}

const char *sim_unknown_variable(const struct sim_place *place, const char *name, char *buffer,
                                 size_t size)
{
    struct sim_named visible[3];
    find_visible(place, visible);
    tac_meaning near = meant(name, visible, 3);
    snprintf(buffer, size, "there is no variable '%.100s'%s", name,
             *near.text ? near.text
                        : "; declare it under 'variables', 'kept' or the activity's 'locals'");
    return buffer;
}

tac_status sim_need_variable(struct sim_place *place, const char *name, struct sim_ref *out)
{
    char message[400];
    if (sim_find_variable(place, name, out))
        return TAC_OK;
    return sim_wrong(place, "%s", sim_unknown_variable(place, name, message, sizeof message));
}
