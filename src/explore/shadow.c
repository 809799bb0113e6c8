/* The shadow of the device's back stack, and what each event did to it. After every event the new
 * sight is compared with the shadow: the same instance is in front (WENT), a new one (CALLED), an
 * older one (RETURNED), another application (AWAY), none (LEFT), or the app is dead (CRASHED).
 * Where the device tells no instances (a browser), activity names stand in for them. */
#include "base/check.h"
#include "explore/crew.h"
#include <string.h>

static uint32_t record(struct control *c, enum outcome_kind kind, uint32_t target, uint32_t pops)
{
    for (uint32_t i = 0; i < c->outcomes.count; i++) {
        struct explore_outcome *o = &c->outcomes.at[i];
        if (o->kind == kind && o->target == target && o->pops == pops) {
            o->count++;
            return i;
        }
    }
    tac_vec_push(&c->outcomes, (struct explore_outcome){
                                   .kind = kind, .target = target, .pops = pops, .count = 1});
    return (uint32_t)c->outcomes.count - 1;
}

void shadow_look(struct control *c, uint32_t target, uint64_t look)
{
    for (size_t i = 0; i < c->outcomes.count; i++) {
        struct explore_outcome *o = &c->outcomes.at[i];
        if ((o->kind != WENT && o->kind != CALLED) || o->target != target)
            continue;
        o->looks_differ |= o->count > 1 && o->look != look;
        o->look = look;
    }
}

void shadow_landing(struct explore_outcome *o, uint32_t screen_number, uint32_t by)
{
    for (size_t i = 0; i < o->landings.count; i++)
        if (o->landings.at[i].screen == screen_number && o->landings.at[i].by == by) {
            o->landings.at[i].count++;
            return;
        }
    tac_vec_push(&o->landings, (struct landing){screen_number, by, 1});
}

static void credit_return(struct explorer *ex, const struct explore_frame *f,
                          uint32_t screen_number, uint32_t by)
{
    if (f->left_by.screen == NOWHERE)
        return;
    assert(explorer_has_call(ex, f->left_by));
    struct control *c = &ex->screens.at[f->left_by.screen].controls.at[f->left_by.control];
    shadow_landing(&c->outcomes.at[f->left_by.outcome], screen_number, by);
}

void shadow_nearer(struct explorer *ex, uint32_t screen_number, uint32_t depth, uint32_t from,
                   uint32_t by)
{
    assert(screen_number < ex->screens.count);
    if (ex->screens.at[screen_number].depth == NOWHERE) {
        ex->screens.at[screen_number].found_from = from;
        ex->screens.at[screen_number].found_by = by;
    }
    if (ex->screens.at[screen_number].depth <= depth)
        return;
    ex->screens.at[screen_number].depth = depth;
    explorer_relax(ex);
}

void shadow_clear(struct explorer *ex)
{
    ex->frames.count = 0;
    ex->at = NOWHERE;
    ex->device_depth = 0;
}

void shadow_enter(struct explorer *ex, const struct sight *s)
{
    assert(s->in_app && s->screen < ex->screens.count);
    struct explore_frame f = {.instance = s->instance,
                              .activity = tac_names_intern(&ex->names, s->activity),
                              .entry = s->screen,
                              .left_by = {NOWHERE, NOWHERE, NOWHERE}};
    tac_vec_push(&ex->frames, f);
}

size_t shadow_frame(const struct explorer *ex, const struct sight *s)
{
    for (size_t i = ex->frames.count; i-- > 0;) {
        const struct explore_frame *f = &ex->frames.at[i];
        if (s->instance ? f->instance == s->instance
                        : !strcmp(ex->names.text[f->activity], s->activity))
            return i;
    }
    return SIZE_MAX;
}

static uint32_t away_number(struct explorer *ex, const struct sight *s)
{
    for (uint32_t i = 0; i < ex->away.count; i++)
        if (!strcmp(ex->away.at[i].package, s->package) &&
            !strcmp(ex->away.at[i].activity, s->activity))
            return i;
    tac_vec_push(&ex->away, (struct away_app){s->package, s->activity});
    return (uint32_t)ex->away.count - 1;
}

static uint32_t crash_number(struct explorer *ex)
{
    tac_crash c = {0};
    if (crew_crash(ex, &c, NULL) || !c.crashed)
        c = (tac_crash){.exception = "the process ended", .message = ""};
    const char *top = c.stack_count ? c.stack[0] : "";
    for (uint32_t i = 0; i < ex->crashes.count; i++)
        if (!strcmp(ex->crashes.at[i].exception, c.exception) &&
            !strcmp(ex->crashes.at[i].frame, top))
            return i;
    tac_vec_push(&ex->crashes, (struct crash_seen){tac_arena_strdup(&ex->arena, c.exception),
                                                   tac_arena_strdup(&ex->arena, c.message),
                                                   tac_arena_strdup(&ex->arena, top)});
    return (uint32_t)ex->crashes.count - 1;
}

static bool is_launcher(const char *package)
{
    return strstr(package, "launcher") != NULL || strstr(package, "nexuslauncher") != NULL;
}

/* A new instance is in front of the recorded one. */
static void called(struct explorer *ex, uint32_t from, uint32_t control_index,
                   const struct sight *s, double delay)
{
    assert(ex->frames.count > 0);
    uint32_t finished = 0;
    if (s->depth && ex->device_depth && s->depth < ex->device_depth + 1)
        finished = ex->device_depth + 1 - s->depth;
    if (finished > ex->frames.count)
        finished = (uint32_t)ex->frames.count;
    struct control *c = &ex->screens.at[from].controls.at[control_index];
    uint32_t o = record(c, CALLED, s->screen, finished);
    c->outcomes.at[o].delay = delay;
    if (!finished)
        tac_vec_last(&ex->frames).left_by = (struct call_site){from, control_index, o};
    ex->frames.count -= finished;
    shadow_enter(ex, s);
}

void shadow_record(struct explorer *ex, uint32_t from, uint32_t control_index,
                   const struct sight *s, double delay)
{
    assert(from < ex->screens.count && control_index < ex->screens.at[from].controls.count);
    assert(ex->frames.count > 0); /* whoever acts is somewhere */
    struct control *c = &ex->screens.at[from].controls.at[control_index];
    uint32_t o = 0;
    if (!s->in_app) {
        if (!s->running || s->crashed)
            o = record(c, CRASHED, crash_number(ex), 0);
        else if (is_launcher(s->package) || !*s->package)
            o = record(c, LEFT, 0, 0);
        else
            o = record(c, AWAY, away_number(ex, s), 0);
        c->outcomes.at[o].delay = delay;
        c->outcomes.at[o].deep |= ex->frames.count > 1;
        if (c->outcomes.at[o].kind != AWAY)
            shadow_clear(ex);
        return;
    }
    size_t at = shadow_frame(ex, s), top = ex->frames.count - 1;
    if (at == SIZE_MAX) {
        called(ex, from, control_index, s, delay);
    } else if (at == top) {
        o = record(c, WENT, s->screen, 0);
        c->outcomes.at[o].delay = delay;
    } else {
        uint32_t far = top - at > 1 ? ex->frames.at[at].entry : NOWHERE;
        o = record(c, RETURNED, far, (uint32_t)(top - at));
        c->outcomes.at[o].delay = delay;
        ex->frames.count = at + 1;
        credit_return(ex, &ex->frames.at[at], s->screen, c->key);
        ex->frames.at[at].left_by = (struct call_site){NOWHERE, NOWHERE, NOWHERE};
    }
    ex->at = ex->landed = s->screen;
    ex->device_depth = s->depth;
    assert(ex->frames.count > 0 && ex->at < ex->screens.count);
    uint32_t depth = ex->screens.at[from].depth;
    if (depth != NOWHERE)
        shadow_nearer(ex, s->screen, depth + 1, from, control_index);
}

void shadow_follow(struct explorer *ex, const struct sight *s)
{
    if (!s->in_app) {
        shadow_clear(ex);
        return;
    }
    size_t at = shadow_frame(ex, s);
    if (at == SIZE_MAX) {
        ex->frames.count = 0;
        shadow_enter(ex, s);
    } else {
        ex->frames.count = at + 1;
        ex->frames.at[at].left_by = (struct call_site){NOWHERE, NOWHERE, NOWHERE};
    }
    ex->at = s->screen;
    ex->device_depth = s->depth;
}
