/* The channels of an app file, over which phones exchange messages, and the action that sends. */
#include "base/data/text.h"
#include "phone/app/app.h"

uint32_t sim_find_channel(const struct sim_app *app, const char *name)
{
    for (uint32_t i = 0; i < app->channels.count; i++)
        if (!strcmp(app->channels.at[i].name, name))
            return i;
    return SIM_NONE;
}

static tac_status load_channel(struct sim_place *place, const char *name, const json_t *json)
{
    static const char *const known[] = {"event", "bytes", "delay", "into", NULL};
    struct sim_channel channel = {.name = name, .bytes = 600, .delay = 0.2};
    const char *event = name, *into = NULL;
    tac_status st = sim_want(place, json, JSON_OBJECT, "a channel (an object)");
    if (!st)
        st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_text(place, json, "event", &event);
    if (!st)
        st = sim_get_number(place, json, "bytes", 1, 1e9, &channel.bytes);
    if (!st)
        st = sim_get_number(place, json, "delay", TAC_EXCHANGE_LEAST_DELAY, 1e6, &channel.delay);
    if (!st)
        st = sim_get_text(place, json, "into", &into);
    if (st)
        return st;
    channel.label = sim_label(place->app, event);
    channel.bound = into != NULL;
    if (into)
        st = sim_need_variable(place, "into", into, &channel.into);
    if (st)
        return st;
    if (place->app->channels.count == SIM_MAX_CHANNELS)
        return sim_wrong(place, "at most %d channels are possible", SIM_MAX_CHANNELS);
    tac_vec_push(&place->app->channels, channel);
    return TAC_OK;
}

tac_status sim_load_channels(struct sim_place *place, const json_t *root)
{
    return sim_each_member(place, root, "channels", "an object of named channels", load_channel);
}

static const char *closest_channel(const struct sim_app *app, const char *name)
{
    const char *names[SIM_MAX_CHANNELS];
    for (size_t i = 0; i < app->channels.count; i++)
        names[i] = app->channels.at[i].name;
    return tac_closest(name, names, app->channels.count);
}

tac_status sim_load_send(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    static const char *const known[] = {"send", "text", NULL};
    const char *name = NULL, *message = "";
    tac_status st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_text(place, json, "send", &name);
    if (!st)
        st = sim_get_text(place, json, "text", &message);
    if (st)
        return st;
    action->a = sim_find_channel(place->app, name);
    if (action->a == SIM_NONE) {
        const char *near = closest_channel(place->app, name);
        sim_enter(place, "send");
        if (near)
            return sim_wrong(place, "there is no channel '%s'; did you mean '%s'?", name, near);
        return sim_wrong(place, "there is no channel '%s'; declare it under 'channels'", name);
    }
    uint32_t text = 0;
    size_t was = sim_enter(place, "text");
    st = sim_parse_text(place, message, &text);
    if (st)
        return st;
    sim_leave(place, was);
    action->text = place->app->texts.at[text];
    return TAC_OK;
}
