/* The built-in phone under the fingers: snapshots, gestures, system events and waiting. */
#include "base/data/text.h"
#include "model/model.h"
#include "phone/world/phone.h"
#include <math.h>

/* --- looking and touching --- */

tac_status sim_snapshot(tac_device *device, double deadline, const tac_ui **out, tac_error *err)
{
    struct sim *s = sim_of(device);
    tac_status st = sim_begin(s, "snapshot", deadline, err);
    if (!st)
        st = sim_rest(s, "snapshot", deadline, err);
    if (st)
        return st;
    bool in_front = sim_top(s) && !s->background && !s->external_package && !s->asking;
    if (in_front && s->media.state == SIM_PLAYING) {
        sim_advance(s, s->now + fmin(deadline, 10)); /* UiAutomator waits so long for idleness */
        if (s->media.state == SIM_PLAYING)
            return tac_fail(err, TAC_E_LIMIT,
                            "snapshot: ERROR: could not get idle state (media is playing; pause it "
                            "and ask again)");
    }
    *out = sim_draw(s);
    return sim_finish(s, "snapshot", err);
}

tac_status sim_gesture(struct sim *s, const tac_gesture *gesture, tac_error *err)
{
    double seconds = 0;
    switch (gesture->kind) {
    case TAC_ACTION_BACK:
        if (sim_record(s, sim_label(s->app, "back")))
            sim_back(s);
        return TAC_OK;
    case TAC_ACTION_HOME:
        if (sim_record(s, sim_label(s->app, "home"))) {
            s->background = true;
            sim_touch(s);
            sim_notify(s, sim_label(s->app, "background"), 0);
        }
        return TAC_OK;
    case TAC_ACTION_WAIT:
        if (gesture->value && tac_parse_double(gesture->value, &seconds) && seconds > 0)
            sim_advance(s, s->now + fmin(seconds, 1e7));
        return TAC_OK;
    case TAC_ACTION_KEY:
        return sim_press_key(s, gesture->value ? gesture->value : "", err);
    case TAC_ACTION_CLICK:
    case TAC_ACTION_LONG_CLICK:
    case TAC_ACTION_TEXT:
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
    case TAC_ACTION_PINCH:
    case TAC_ACTION_LAUNCH:
    case TAC_ACTION_DOUBLE_CLICK:
    case TAC_ACTION_HOVER:
    case TAC_ACTION_DRAG:
        break;
    }
    return sim_touch_element(s, gesture, err);
}

tac_status sim_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                       tac_error *err)
{
    struct sim *s = sim_of(device);
    char step[320], name[256];
    if (gesture->kind == TAC_ACTION_LAUNCH)
        return device->driver->launch(device, deadline, err);
    tac_status st = sim_begin(s, "perform", deadline, err);
    if (st) {
        if (err && st == TAC_E_DEVICE) {
            tac_error cause = *err;
            snprintf(step, sizeof step, "%s %s", tac_action_kind_name(gesture->kind),
                     tac_selector_text(&gesture->target, name, sizeof name));
            tac_fail(err, st, "%s%s", step, cause.message + strlen("perform"));
        }
        return st;
    }
    if (!s->running)
        return tac_fail(err, TAC_E_DEVICE, "%s: the app is not running%s",
                        tac_action_kind_name(gesture->kind), s->crash ? " (it has crashed)" : "");
    s->arrived_count = 0;
    s->changed = -1;
    st = sim_gesture(s, gesture, err);
    return st ? st : sim_finish(s, tac_action_kind_name(gesture->kind), err);
}

tac_status sim_tap(tac_device *device, int32_t x, int32_t y, double deadline, tac_error *err)
{
    struct sim *s = sim_of(device);
    tac_status st = sim_begin(s, "tap", deadline, err);
    if (st)
        return st;
    if (!s->running)
        return tac_fail(err, TAC_E_DEVICE, "tap: the app is not running");
    uint32_t hit = ui_topmost(sim_draw(s), x, y, 1u << TAC_ACTION_CLICK);
    s->arrived_count = 0;
    s->changed = -1;
    if (hit != TAC_UI_NONE)
        sim_touch_node(s, hit, &(tac_gesture){.kind = TAC_ACTION_CLICK});
    return sim_finish(s, "tap", err);
}

static void apply_system(struct sim *s, const char *event)
{
    if (!strcmp(event, "keyboard-open"))
        s->keyboard = true;
    else if (!strcmp(event, "keyboard-close"))
        s->keyboard = false;
    else if (!strcmp(event, "rotate"))
        s->rotation = (s->rotation + 1) % 2;
    else if (!strcmp(event, "connectivity-off"))
        sim_link_online(s, false);
    else if (!strcmp(event, "connectivity-on"))
        sim_link_online(s, true);
    else if (!strcmp(event, "background"))
        s->background = true;
    else if (!strcmp(event, "foreground"))
        s->background = s->stack.count == 0;
    else if (!strcmp(event, "media-pause"))
        sim_media_do(s, SIM_MEDIA_PAUSE, SIM_NONE);
    else if (!strcmp(event, "media-play"))
        sim_media_do(s, SIM_MEDIA_RESUME, SIM_NONE);
    sim_touch(s);
}

tac_status sim_system(tac_device *device, const char *event, double deadline, tac_error *err)
{
    struct sim *s = sim_of(device);
    tac_status st = sim_begin(s, "system event", deadline, err);
    if (st)
        return st;
    uint32_t label = tac_names_find(&s->app->labels, event);
    const char *const *known = tac_system_events();
    size_t i = 0;
    while (known[i] && strcmp(known[i], event) != 0)
        i++;
    if (!known[i] && (label == TAC_NONE || !sim_handles(s, label)))
        return tac_fail(err, TAC_E_USAGE, "the built-in phone has no system event '%s'%s", event,
                        tac_meant(event, known, i).text);
    if (s->running) {
        apply_system(s, event);
        sim_system_event(s, label, 0, false);
    }
    return sim_finish(s, "system event", err);
}

/* --- waiting --- */

tac_status sim_settle(tac_device *device, double deadline, tac_error *err)
{
    struct sim *s = sim_of(device);
    tac_status st = sim_begin(s, "settle", deadline, err);
    return st ? st : sim_rest(s, "settle", deadline, err);
}

tac_status sim_sleep(tac_device *device, double seconds, tac_error *err)
{
    struct sim *s = sim_of(device);
    tac_status st = sim_begin(s, "sleep", device->deadline, err);
    if (st)
        return st;
    sim_advance(s, s->now + fmin(seconds, 1e7));
    return sim_finish(s, "sleep", err);
}

static bool take_arrival(struct sim *s, const char *event, double start, tac_arrival *out)
{
    for (size_t i = 0; i < s->arrived_count; i++) {
        const char *name = s->app->labels.text[s->arrived[i].label];
        if (event && strcmp(event, name) != 0)
            continue;
        *out = (tac_arrival){true, name, fmax(s->arrived[i].time - start, 0)};
        s->arrived_count -= i + 1;
        memmove(s->arrived, s->arrived + i + 1, s->arrived_count * sizeof *s->arrived);
        return true;
    }
    s->arrived_count = 0;
    return false;
}

tac_status sim_wait_change(tac_device *device, const char *event, double deadline, tac_arrival *out,
                           tac_error *err)
{
    struct sim *s = sim_of(device);
    double start = s->now, limit = start + deadline;
    tac_status st = sim_begin(s, "wait for a system event", deadline, err);
    if (st)
        return st;
    while (!take_arrival(s, event, start, out)) {
        double next = sim_next_due(s);
        if (s->now >= limit || next > limit) {
            sim_advance(s, limit);
            if (!take_arrival(s, event, start, out))
                *out = (tac_arrival){false, "", s->now - start};
            break;
        }
        sim_advance(s, fmax(next, s->now));
        st = sim_finish(s, "wait for a system event", err);
        if (st)
            return st;
    }
    return sim_finish(s, "wait for a system event", err);
}
