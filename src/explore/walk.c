/* Moves through the app: launches it, performs controls, waits for what changes by itself and for
 * what comes back, and has the shadow (shadow.c) record what came of it. */
#include "base/check.h"
#include "base/data/text.h"
#include "explore/crew.h"
#include <math.h>

static tac_status walk_tick(struct explorer *ex, tac_error *err)
{
    if (ex->events > ex->options.most_events)
        return tac_fail(err, TAC_E_LIMIT, "stopped after %llu events",
                        (unsigned long long)ex->options.most_events);
    if (!tac_watch_tick(ex->watch, "exploring", ex->events, 0))
        return tac_fail(err, TAC_E_INTERRUPTED, "the exploration was stopped");
    bool due = ex->events >= ex->checkpoint_events + 200 || tac_now() > ex->last_checkpoint + 5;
    if (!ex->options.checkpoint || !due || ex->events == ex->checkpoint_events)
        return TAC_OK;
    ex->checkpoint_events = ex->events;
    ex->last_checkpoint = tac_now();
    return checkpoint_write(ex, err);
}

/* A screen that does not come to rest within its deadline is looked at as it is. */
static tac_status rested(struct explorer *ex, tac_status st)
{
    ex->unsettled += st == TAC_E_LIMIT;
    return st == TAC_E_LIMIT ? TAC_OK : st;
}

static tac_status not_there(struct explorer *ex, const struct sight *s, tac_error *err)
{
    tac_crash c = {0};
    if (!s->crashed)
        return tac_fail(err, TAC_E_DEVICE, "the app is not in front after its launch%s%s",
                        *s->package ? ", but " : "", s->package);
    if (crew_crash(ex, &c, NULL) || !c.crashed)
        return tac_fail(err, TAC_E_DEVICE, "the app crashes when it is launched");
    return tac_fail(err, TAC_E_DEVICE, "the app crashes when it is launched: %s: %.300s%s%s",
                    c.exception, c.message, c.stack_count ? " at " : "",
                    c.stack_count ? c.stack[0] : "");
}

tac_status walk_look(struct explorer *ex, tac_error *err)
{
    struct sight s;
    tac_status st = observe(ex, &s, err);
    if (st)
        return st;
    shadow_follow(ex, &s);
    return walk_watch(ex, err);
}

/* Starts the app anew and looks at it. One that does not answer while it is started, on a busy
 * machine for example, is started once more: nothing was tried yet that could be at fault. */
static tac_status launch_and_see(struct explorer *ex, struct sight *s, tac_error *err)
{
    uint64_t seed =
        ex->options.seed ? ex->options.seed + ex->launches * UINT64_C(0x9e3779b97f4a7c15) : 0;
    tac_status st = TAC_E_LIMIT;
    for (int attempt = 0; attempt < 3 && st == TAC_E_LIMIT; attempt++) {
        st = rested(ex, crew_relaunch(ex, seed, err));
        if (!st)
            st = observe(ex, s, err);
    }
    return st;
}

tac_status walk_launch(struct explorer *ex, tac_error *err)
{
    struct sight s;
    shadow_clear(ex);
    tac_status st = walk_tick(ex, err);
    if (!st)
        st = launch_and_see(ex, &s, err);
    if (st)
        return st;
    ex->launches++;
    if (!s.in_app)
        return not_there(ex, &s, err);
    shadow_enter(ex, &s);
    assert(ex->frames.count == 1);
    ex->at = s.screen;
    ex->device_depth = s.depth;
    ex->screens.at[s.screen].launch = true;
    shadow_nearer(ex, s.screen, 0, NOWHERE, NOWHERE);
    ex->landed = s.screen;
    return walk_watch(ex, err);
}

/* Another application is in front: go back until the app is there again. */
static tac_status come_back(struct explorer *ex, uint32_t from, uint32_t control_index,
                            tac_error *err)
{
    for (int i = 0; i < 3; i++) {
        tac_gesture back = {.kind = TAC_ACTION_BACK};
        tac_status st = crew_perform(ex, &back, err);
        if (!st)
            st = rested(ex, crew_settle(ex, err));
        struct sight s;
        if (!st)
            st = observe(ex, &s, err);
        if (st)
            return st;
        ex->events++;
        if (!s.in_app)
            continue;
        struct control *c = &ex->screens.at[from].controls.at[control_index];
        for (size_t k = 0; k < c->outcomes.count; k++)
            if (c->outcomes.at[k].kind == AWAY && k + 1 == c->outcomes.count)
                shadow_landing(&c->outcomes.at[k], s.screen, NOWHERE);
        shadow_follow(ex, &s);
        return TAC_OK;
    }
    shadow_clear(ex);
    return TAC_OK;
}

/* Waits until the screen has become another one by itself, or the time is over. name (of 128 bytes)
 * is the key of the system event that did it. */
static tac_status await_change(struct explorer *ex, double seconds, bool *changed, struct sight *s,
                               char *name, double *waited, tac_error *err)
{
    *changed = false;
    *waited = 0;
    while (!*changed && seconds > 0) {
        tac_arrival arrival = {0};
        tac_status st = crew_wait_change(ex, seconds, &arrival, err);
        if (st || !arrival.arrived)
            return st;
        size_t n = strlen(arrival.event);
        snprintf(name, 128, "system|%.100s%s", n ? arrival.event : "change",
                 n && arrival.event[n - 1] == '-' ? "" : "-");
        *waited += arrival.after;
        seconds -= fmax(arrival.after, 0.01);
        st = rested(ex, crew_settle(ex, err));
        if (!st)
            st = observe(ex, s, err);
        if (st)
            return st;
        *changed = !s->in_app || s->screen != ex->at ||
                   (s->instance && s->instance != tac_vec_last(&ex->frames).instance);
    }
    return TAC_OK;
}

tac_status walk_watch(struct explorer *ex, tac_error *err)
{
    if (ex->options.watch_seconds <= 0)
        return TAC_OK;
    while (ex->at != NOWHERE && !ex->screens.at[ex->at].watched) {
        uint32_t from = ex->at;
        assert(from < ex->screens.count && ex->frames.count > 0);
        bool changed = false;
        char name[128];
        double waited = 0;
        struct sight s;
        bool restless = true;
        /* enough to see a device that is sure to be at rest; where events are few, that is taken
         * for granted */
        const double moment = ex->options.strategy == TAC_EXPLORE_NOVELTY ? 0 : 0.1;
        tac_status st = crew_restless(ex, &restless, err);
        double seconds = ex->options.watch_seconds;
        if (!st)
            st = await_change(ex, restless ? seconds : fmin(seconds, moment), &changed, &s, name,
                              &waited, err);
        if (st)
            return st;
        ex->screens.at[from].watched = true;
        if (!changed)
            break;
        uint32_t c = screen_control(ex, from, name, TAC_ACTION_WAIT, true, UINT32_MAX);
        ex->screens.at[from].controls.at[c].tries++;
        uint32_t landed = ex->landed;
        shadow_record(ex, from, c, &s, waited);
        ex->landed = landed;
    }
    return TAC_OK;
}

/* Lets a known system event come. */
static tac_status wait_for(struct explorer *ex, uint32_t control_index, bool *moved, tac_error *err)
{
    uint32_t from = ex->at;
    assert(from != NOWHERE && ex->screens.at[from].controls.at[control_index].system);
    const struct control *c = &ex->screens.at[from].controls.at[control_index];
    double longest = ex->options.watch_seconds;
    for (size_t i = 0; i < c->outcomes.count; i++)
        longest = fmax(longest, 3 * c->outcomes.at[i].delay);
    char name[128];
    double waited = 0;
    struct sight s;
    tac_status st = await_change(ex, longest, moved, &s, name, &waited, err);
    if (st == TAC_E_LIMIT) { /* the device did not answer while it was waited for */
        shadow_clear(ex);
        return TAC_OK;
    }
    if (!st) {
        struct control *awaited = &ex->screens.at[from].controls.at[control_index];
        awaited->refusals = *moved ? 0 : awaited->refusals + 1;
    }
    if (st || !*moved)
        return st;
    uint32_t came = screen_control(ex, from, name, TAC_ACTION_WAIT, true, UINT32_MAX);
    ex->screens.at[from].controls.at[came].tries++;
    shadow_record(ex, from, came, &s, waited);
    return walk_watch(ex, err);
}

/* The control could not be performed, and nothing was done: if its screen is still there the
 * control is at fault, and is given up after MAX_REFUSALS. */
static tac_status refuse(struct explorer *ex, uint32_t from, uint32_t control_index,
                         const tac_error *why, tac_error *err)
{
    struct sight s;
    ex->screens.at[from].controls.at[control_index].attempts++;
    tac_status st = observe(ex, &s, err);
    if (st)
        return st;
    shadow_follow(ex, &s);
    struct control *c = &ex->screens.at[from].controls.at[control_index];
    if (ex->at == from && ++c->refusals >= MAX_REFUSALS)
        c->refused = tac_arena_strdup(&ex->arena, why->message);
    return TAC_OK;
}

/* The device did not finish the event: the place is lost and the event is given up, not the
 * exploration; a launch shows whether the device is well. */
static tac_status give_up_event(struct explorer *ex, uint32_t from, uint32_t control_index,
                                tac_status st, const tac_error *why, tac_error *err)
{
    bool passing = st == TAC_E_LIMIT || st == TAC_E_DEVICE;
    struct control *c = &ex->screens.at[from].controls.at[control_index];
    if (!passing || ++ex->failures > MAX_FAILURES) {
        if (err)
            *err = *why;
        return st;
    }
    ex->failure = *why;
    /* Of several devices another may do what this one died of, or died before. */
    bool others_may = ex->crew && st == TAC_E_DEVICE && ++c->refusals < MAX_REFUSALS;
    if (!c->outcomes.count && !others_may)
        c->refused = tac_arena_strdup(&ex->arena, why->message);
    shadow_clear(ex);
    return walk_tick(ex, err);
}

static void note_key(struct explorer *ex, uint32_t key, bool moved, bool found)
{
    while (ex->records.count <= key)
        tac_vec_push(&ex->records, (struct key_record){0});
    ex->records.at[key].tries++;
    ex->records.at[key].moves += moved;
    ex->records.at[key].finds += moved && found;
    assert(ex->records.at[key].moves <= ex->records.at[key].tries);
}

/* What the event led to was forgotten at once: the same sight is another screen now. */
static tac_status see_again(struct explorer *ex, uint32_t from, uint32_t control_index,
                            tac_error *err)
{
    struct sight s;
    tac_status st = observe(ex, &s, err);
    if (st)
        return st;
    bool here = s.in_app && shadow_frame(ex, &s) == ex->frames.count - 1;
    if (!here || ex->screens.at[from].forgotten) {
        shadow_follow(ex, &s);
        return TAC_OK;
    }
    shadow_record(ex, from, control_index, &s, 0);
    ex->screens.at[from].controls.at[control_index].tries++;
    return TAC_OK;
}

/* After the input, which was given to this look of the screen: what came of it. */
static tac_status see_result(struct explorer *ex, uint32_t from, uint32_t control_index,
                             uint64_t look, tac_error *err)
{
    struct sight s;
    tac_status st = rested(ex, crew_settle(ex, err));
    size_t known = ex->screens.count;
    if (!st)
        st = observe(ex, &s, err);
    if (st)
        return st;
    ex->screens.at[from].controls.at[control_index].tries++;
    ex->failures = 0;
    note_key(ex, ex->screens.at[from].controls.at[control_index].key, s.in_app && s.screen != from,
             s.in_app && s.screen >= known && !ex->screens.at[s.screen].variant);
    shadow_record(ex, from, control_index, &s, 0);
    if (s.in_app)
        shadow_look(&ex->screens.at[from].controls.at[control_index], s.screen, look);
    reconsider(ex, from, control_index);
    if (!st && ex->at != NOWHERE && ex->screens.at[ex->at].forgotten)
        st = see_again(ex, from, control_index, err);
    if (st)
        return st;
    if (!s.in_app && s.running && ex->at != NOWHERE)
        st = come_back(ex, from, control_index, err);
    return st ? st : walk_watch(ex, err);
}

tac_status walk_perform(struct explorer *ex, uint32_t control_index, bool *moved, tac_error *err)
{
    uint32_t from = ex->at;
    assert(from < ex->screens.count && control_index < ex->screens.at[from].controls.count);
    const struct control *c = &ex->screens.at[from].controls.at[control_index];
    if (c->system)
        return wait_for(ex, control_index, moved, err);
    uint64_t look = ex->look;
    tac_gesture gesture = {.kind = c->kind, .target = {.xpath = c->xpath}, .value = c->value};
    tac_error why = {0};
    *moved = false;
    tac_status st = crew_perform(ex, &gesture, &why);
    if (st == TAC_E_LIMIT) {
        tac_error second = {0};
        st = refuse(ex, from, control_index, &why, &second);
        return st ? give_up_event(ex, from, control_index, st, &second, err) : TAC_OK;
    }
    if (!st) {
        ex->events++;
        *moved = true;
        st = see_result(ex, from, control_index, look, &why);
    }
    if (st)
        return give_up_event(ex, from, control_index, st, &why, err);
    assert((ex->at == NOWHERE) == (ex->frames.count == 0));
    assert_costly(explorer_is_whole(ex));
    return walk_tick(ex, err);
}
