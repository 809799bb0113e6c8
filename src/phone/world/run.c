/* What the phone does with inputs and system events: history, planted crashes, actions, and the
 * back stack of activities as Android keeps it.
 *
 * Launch modes: `standard` always adds an instance on top; `singleTop` reuses the topmost instance
 * if it is of that activity; clear-top (a flag of the call) finishes everything above an existing
 * instance and shows that one again, in the state in which it was left unless the call names a
 * screen. */
#include "phone/world/phone.h"
#include <math.h>

void sim_touch(struct sim *s)
{
    s->drawn = false;
}

static void free_instance(struct sim_instance *instance)
{
    for (size_t i = 0; i < SIM_MAX_LOCALS; i++)
        free(instance->locals[i].text);
}

static void run_enter(struct sim *s)
{
    struct sim_instance *top = sim_top(s);
    if (top)
        sim_do(s, s->app->screens.at[top->screen].enter, 0);
}

static void show_screen(struct sim *s, uint32_t screen)
{
    struct sim_instance *top = sim_top(s);
    if (!top)
        return;
    top->screen = screen;
    sim_touch(s);
    run_enter(s);
}

static void crash_out_of_memory(struct sim *s)
{
    static const char *const stack[] = {"dalvik.system.VMRuntime.newNonMovableArray(Native Method)",
                                        "android.app.Activity.attach(Activity.java)"};
    s->own_crash = (struct sim_crash){
        .name = "activities",
        .exception = "java.lang.OutOfMemoryError",
        .message = "Failed to allocate a new activity: 500 are on the back stack",
        .stack = stack,
        .stack_count = 2};
    sim_crash_now(s, &s->own_crash);
}

static void push_instance(struct sim *s, uint32_t activity, uint32_t screen)
{
    if (s->stack.count >= SIM_MAX_STACK) {
        crash_out_of_memory(s);
        return;
    }
    const struct sim_activity *a = &s->app->activities.at[activity];
    struct sim_instance instance = {
        .activity = activity, .screen = screen, .id = ++s->next_instance};
    for (uint32_t i = 0; i < a->local_count; i++)
        sim_slot_set(&instance.locals[i], s->app->locals.at[a->first_local + i].initial);
    tac_vec_push(&s->stack, instance);
    s->background = false; /* also when the activity before it has just finished */
    s->heap += s->app->resources.heap_activity;
    s->busy_until = s->now + s->app->resources.launch_seconds;
    sim_touch(s);
    sim_log(s, 'I', "ActivityTaskManager", "START u0 {cmp=%s/.%s}", s->app->package, a->name);
    run_enter(s);
}

static void pop_instance(struct sim *s)
{
    free_instance(&s->stack.at[--s->stack.count]);
    s->heap -= s->app->resources.heap_activity;
    sim_touch(s);
}

static void open_activity(struct sim *s, const struct sim_action *action)
{
    size_t at = s->stack.count;
    if (action->clear_top) {
        while (at > 0 && s->stack.at[at - 1].activity != action->a)
            at--;
    } else if (s->app->activities.at[action->a].single_top && at > 0 &&
               s->stack.at[at - 1].activity != action->a) {
        at = 0;
    } else if (!s->app->activities.at[action->a].single_top) {
        at = 0;
    }
    if (at == 0) {
        push_instance(s, action->a, action->b);
        return;
    }
    while (s->stack.count > at)
        pop_instance(s);
    s->background = false;
    if (action->b != s->app->activities.at[action->a].initial)
        show_screen(s, action->b);
}

/* The last activity is gone: the launcher comes to the front; the process lives on in the
 * background until it is closed, as on Android, but it has no screen. */
static void finish_top(struct sim *s)
{
    if (s->stack.count)
        pop_instance(s);
    if (!s->stack.count)
        s->background = true;
}

static void do_choose(struct sim *s, const struct sim_action *action, uint32_t item)
{
    const uint32_t *arms = s->app->links.at + action->then.first;
    double sum = 0;
    for (uint32_t i = 0; i < action->then.count; i++)
        sum += s->app->actions.at[arms[i]].weight;
    double at = tac_random_unit(&s->random) * sum;
    for (uint32_t i = 0; i < action->then.count; i++) {
        const struct sim_action *arm = &s->app->actions.at[arms[i]];
        at -= arm->weight;
        if (at < 0 || i + 1 == action->then.count) {
            sim_do(s, arm->then, item);
            return;
        }
    }
}

static void do_fetch(struct sim *s, const struct sim_action *action, uint32_t item)
{
    double bytes = sim_eval(s, action->expr, item).number;
    struct sim_instance *top = sim_top(s);
    struct sim_transfer transfer = {.size = bytes,
                                    .left = bytes,
                                    .started = s->now,
                                    .label = action->a,
                                    .instance = top ? top->id : 0};
    if (bytes >= 1 && bytes < 1e12)
        sim_link_start(s, &transfer);
}

static bool is_granted(const struct sim *s, const char *permission)
{
    for (size_t i = 0; i < s->granted.count; i++)
        if (!strcmp(s->granted.at[i], permission))
            return true;
    return false;
}

static void do_ask(struct sim *s, const struct sim_action *action, uint32_t item)
{
    if (is_granted(s, action->name)) {
        sim_do(s, action->then, item);
        return;
    }
    s->asking = action;
    sim_touch(s);
}

static void do_log(struct sim *s, const struct sim_action *action, uint32_t item)
{
    tac_str message = {.cap = SIM_MAX_TEXT};
    sim_print(s, action->text, item, &message);
    sim_log(s, action->level, action->tag, "%s", tac_str_text(&message));
    tac_str_free(&message);
}

static void do_send(struct sim *s, const struct sim_action *action, uint32_t item)
{
    tac_str message = {.cap = SIM_MAX_TEXT};
    sim_print(s, action->text, item, &message);
    sim_mail_send(s, action->a, tac_str_text(&message));
    tac_str_free(&message);
}

static void do_action(struct sim *s, const struct sim_action *action, uint32_t item)
{
    switch (action->verb) {
    case SIM_GO:
        show_screen(s, action->a);
        break;
    case SIM_SET:
        sim_assign(s, action->ref, sim_eval(s, action->expr, item));
        break;
    case SIM_IF:
        sim_do(s, sim_true(s, action->expr, item) ? action->then : action->otherwise, item);
        break;
    case SIM_CHOOSE:
        do_choose(s, action, item);
        break;
    case SIM_LOG:
        do_log(s, action, item);
        break;
    case SIM_EMIT:
        sim_log(s, 'I', TAC_LOG_EVENT_TAG, "%s", action->name);
        break;
    case SIM_AFTER:
        sim_set_timer(s, s->now + fmax(sim_eval(s, action->expr, item).number, 0), action->a,
                      sim_top(s) ? sim_top(s)->id : 0);
        break;
    case SIM_CANCEL:
        sim_cancel_timers(s, action->a);
        break;
    case SIM_MEDIA:
        sim_media_do(s, (enum sim_media_verb)action->a, action->b);
        break;
    case SIM_FETCH:
        do_fetch(s, action, item);
        break;
    case SIM_CPU:
        s->cpu += fmax(sim_eval(s, action->expr, item).number, 0);
        break;
    case SIM_HEAP:
        s->heap += sim_eval(s, action->expr, item).number;
        break;
    case SIM_PERMISSION:
        do_ask(s, action, item);
        break;
    case SIM_SEND:
        do_send(s, action, item);
        break;
    case SIM_OPEN:
        open_activity(s, action);
        break;
    case SIM_FINISH:
        finish_top(s);
        break;
    case SIM_EXIT:
        while (s->stack.count)
            finish_top(s);
        break;
    case SIM_EXTERNAL:
        s->external_package = action->name;
        s->external_activity = action->tag;
        sim_touch(s);
        break;
    }
}

void sim_do(struct sim *s, struct sim_list actions, uint32_t item)
{
    if (s->nested >= SIM_MAX_NESTED) {
        tac_fail(&s->failure, TAC_E_DEVICE,
                 "the app never comes to rest: actions run inside actions without end; look for "
                 "screens whose 'enter' shows each other");
        return;
    }
    s->nested++;
    for (uint32_t i = 0; i < actions.count && s->running && !s->failure.status; i++)
        do_action(s, &s->app->actions.at[s->app->links.at[actions.first + i]], item);
    s->nested--;
}

/* --- planted crashes --- */

/* Whether the history, its newest event included, meets the condition. progress holds per crash the
 * matched length (gaps) or the events since `event` (starved, plus one). */
static bool pattern_met(struct sim *s, const struct sim_crash *c, uint32_t *progress,
                        uint32_t label)
{
    size_t n = s->history.count;
    switch (c->pattern) {
    case SIM_CONTIGUOUS:
        return n >= c->event_count && !memcmp(s->history.at + n - c->event_count, c->events,
                                              c->event_count * sizeof *c->events);
    case SIM_GAPS:
        if (*progress < c->event_count && c->events[*progress] == label)
            ++*progress;
        else
            return false;
        if (*progress < c->event_count)
            return false;
        --*progress;
        return true;
    case SIM_NEVER:
        return label == c->events[0] && s->occurred[c->without] == 0;
    case SIM_STARVED:
        if (label == c->without)
            *progress = 0;
        else if (*progress > 0)
            ++*progress;
        else if (label == c->events[0])
            *progress = 1;
        return *progress > c->count;
    }
    return false;
}

bool sim_record(struct sim *s, uint32_t label)
{
    tac_vec_push(&s->history, label);
    bool alive = true;
    for (size_t i = 0; i < s->app->crashes.count; i++) {
        const struct sim_crash *c = &s->app->crashes.at[i];
        if (pattern_met(s, c, &s->progress[i], label) && alive && sim_true(s, c->condition, 0)) {
            sim_crash_now(s, c);
            alive = false;
        }
    }
    s->occurred[label]++;
    s->heap += s->app->resources.heap_event;
    s->cpu += s->app->resources.cpu_event;
    s->energy += s->app->resources.cpu_event * s->app->resources.cpu_watts;
    s->busy_until = s->now + s->app->resources.event_seconds;
    return alive;
}

void sim_crash_now(struct sim *s, const struct sim_crash *crash)
{
    sim_log(s, 'E', "AndroidRuntime", "FATAL EXCEPTION: main");
    sim_log(s, 'E', "AndroidRuntime", "Process: %s, PID: 4242", s->app->package);
    sim_log(s, 'E', "AndroidRuntime", *crash->message ? "%s: %s" : "%s", crash->exception,
            crash->message);
    for (size_t i = 0; i < crash->stack_count; i++)
        sim_log(s, 'E', "AndroidRuntime", "\tat %s", crash->stack[i]);
    s->crash = crash;
    s->crash_time = s->now;
    sim_stop_process(s);
}

/* --- system events --- */

static const struct sim_handler *find_handler(const struct sim_app *app, struct sim_handlers in,
                                              uint32_t label)
{
    for (uint32_t i = 0; i < in.count; i++)
        if (app->handlers.at[in.first + i].label == label)
            return &app->handlers.at[in.first + i];
    return NULL;
}

bool sim_handles(const struct sim *s, uint32_t label)
{
    for (size_t i = 0; i < s->app->handlers.count; i++)
        if (s->app->handlers.at[i].label == label)
            return true;
    return false;
}

/* An event that belongs to an instance which is not on top is dropped unless the app itself handles
 * it. */
void sim_notify(struct sim *s, uint32_t label, uint64_t instance)
{
    const struct sim_app *app = s->app;
    const struct sim_instance *top = sim_top(s);
    const struct sim_handler *handler = NULL;
    bool mine = top && (!instance || top->id == instance);
    if (mine)
        handler = find_handler(app, app->screens.at[top->screen].system, label);
    if (mine && !handler)
        handler = find_handler(app, app->activities.at[top->activity].system, label);
    if (!handler)
        handler = find_handler(app, app->system, label);
    if (handler)
        sim_do(s, handler->actions, 0);
}

void sim_system_event(struct sim *s, uint32_t label, uint64_t instance, bool by_itself)
{
    if (!s->running)
        return;
    sim_log(s, 'D', "SystemEvent", "%s", s->app->labels.text[label]);
    if (by_itself && s->arrived_count < sizeof s->arrived / sizeof *s->arrived)
        s->arrived[s->arrived_count++] = (struct sim_arrived){label, s->now};
    if (!sim_record(s, label))
        return;
    bool was_drawn = s->drawn;
    s->drawn = true;
    sim_notify(s, label, instance);
    if (!s->drawn)
        s->changed = s->now;
    s->drawn = s->drawn && was_drawn;
}

void sim_back(struct sim *s)
{
    if (s->external_package) {
        s->external_package = NULL;
        sim_touch(s);
        return;
    }
    if (s->asking) {
        const struct sim_action *asked = s->asking;
        s->asking = NULL;
        sim_touch(s);
        sim_do(s, asked->otherwise, 0);
        return;
    }
    struct sim_instance *top = sim_top(s);
    if (!top)
        return;
    const struct sim_screen *screen = &s->app->screens.at[top->screen];
    if (screen->has_back)
        sim_do(s, screen->back, 0);
    else
        finish_top(s);
}

/* --- the process --- */

void sim_start_process(struct sim *s)
{
    const struct sim_app *app = s->app;
    for (size_t i = 0; i < app->process.count; i++)
        sim_slot_set(&s->process[i], app->process.at[i].initial);
    memset(s->occurred, 0, app->labels.count * sizeof *s->occurred);
    memset(s->progress, 0, (app->crashes.count + 1) * sizeof *s->progress);
    s->history.count = 0;
    s->arrived_count = 0;
    s->running = true;
    s->crash = NULL;
    s->heap = app->resources.heap_base;
    s->cpu += app->resources.cpu_launch;
    s->energy += app->resources.cpu_launch * app->resources.cpu_watts;
    push_instance(s, app->main_activity, app->activities.at[app->main_activity].initial);
}

void sim_stop_process(struct sim *s)
{
    while (s->stack.count)
        pop_instance(s);
    s->running = false;
    s->external_package = NULL;
    s->asking = NULL;
    s->background = s->keyboard = false;
    s->timers.count = 0;
    s->link.queue.count = s->link.head = 0;
    s->link.next = INFINITY;
    sim_mail_clear(s);
    s->media = (struct sim_media){0};
    s->heap = 0;
    sim_touch(s);
}
