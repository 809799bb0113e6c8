/* A random run: on each screen one of the gestures it accepts, drawn uniformly; back now and then.
 *
 * States are the classes of the matching criterion, named by activity and a hash of the class, so
 * that `tactus mine` can compare runs; events are named as the explorer names them. While the
 * screen never rests (media playing) it cannot be looked at: then the media is paused, as a person
 * would, and that is an event too. An app that was left is brought back; no event is given to
 * another one. */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "explore/screen_class.h"
#include "run/actions/file.h"
#include "run/run_one.h"
#include <string.h>

enum { BACK_ONE_IN = 12, RETURNS_IN_A_ROW = 20 };

struct choice {
    uint32_t node; /* TAC_UI_NONE for back */
    tac_action_kind kind;
};

struct monkey {
    struct run_context *context;
    tac_random random;
    TAC_VEC(struct choice) choices;
    char *told_later; /* an event that stands in the state after it */
    char *package;    /* of the app */
    size_t away;      /* times in a row that the app was not in front */
};

static tac_device *device_of(const struct run_context *context)
{
    return context->team->members[0].device;
}

/* Marks what the rules tell to leave alone, and what is inside it. */
static tac_status mark_ignored(const struct monkey *monkey, const tac_ui *ui, bool *ignored,
                               tac_error *err)
{
    struct run_context *context = monkey->context;
    bool *marks = tac_calloc(ui->count + 1, sizeof *marks);
    tac_status status = TAC_OK;
    for (size_t i = 0; i < context->options->ignore_count && status == TAC_OK; i++) {
        memset(marks, 0, ui->count * sizeof *marks);
        status = tac_ui_mark(ui, context->options->ignore[i], marks, err);
        for (uint32_t node = 0; node < ui->count && status == TAC_OK; node++)
            if (marks[node]) {
                ignored[node] = true;
                context->ignored |= UINT64_C(1) << i;
            }
    }
    for (uint32_t node = 0; node < ui->count; node++)
        ignored[node] |= ui->nodes[node].parent != TAC_UI_NONE && ignored[ui->nodes[node].parent];
    free(marks);
    return status;
}

static tac_status list_choices(struct monkey *monkey, const tac_ui *ui, tac_error *err)
{
    static const tac_action_kind gestures[] = {
        TAC_ACTION_CLICK,        TAC_ACTION_LONG_CLICK, TAC_ACTION_TEXT, TAC_ACTION_SCROLL,
        TAC_ACTION_DOUBLE_CLICK, TAC_ACTION_HOVER,      TAC_ACTION_DRAG};
    monkey->choices.count = 0;
    bool *ignored = tac_calloc(ui->count + 1, sizeof *ignored);
    tac_status status = mark_ignored(monkey, ui, ignored, err);
    for (uint32_t node = 0; node < ui->count && status == TAC_OK; node++) {
        unsigned accepted = ignored[node] ? 0 : tac_ui_gestures(&ui->nodes[node]);
        for (size_t i = 0; i < sizeof gestures / sizeof *gestures; i++)
            if (accepted & 1u << gestures[i])
                tac_vec_push(&monkey->choices, (struct choice){node, gestures[i]});
    }
    free(ignored);
    return status;
}

static struct choice choose(struct monkey *monkey)
{
    size_t count = monkey->choices.count;
    if (!count || tac_random_below(&monkey->random, BACK_ONE_IN) == 0)
        return (struct choice){TAC_UI_NONE, TAC_ACTION_BACK};
    return monkey->choices.at[tac_random_below(&monkey->random, count)];
}

/* Looks at the screen and names it; pauses the media when it must. *ui is NULL when the app is no
 * longer there to be looked at, or when another one is in front (*outside). */
static tac_status look(struct monkey *monkey, const tac_ui **ui, bool *outside, tac_error *err)
{
    struct run_context *context = monkey->context;
    tac_foreground foreground;
    *ui = NULL;
    *outside = false;
    tac_status status = tac_device_foreground(device_of(context), 0, &foreground, err);
    if (status != TAC_OK || !foreground.running || !foreground.activity[0])
        return status;
    *outside = monkey->package[0] && strcmp(foreground.package, monkey->package) != 0;
    if (*outside)
        return TAC_OK;
    char *activity = tac_strdup(foreground.activity);
    status = tac_device_snapshot(device_of(context), 0, ui, err);
    if (status == TAC_E_LIMIT) {
        status = tac_device_system(device_of(context), "media-pause", 0, err);
        deeds_add(&context->deeds, recorder_place(&context->recorder, 0), "media-pause",
                  &(tac_gesture){.kind = TAC_ACTION_KEY, .value = "MEDIA_PAUSE"});
        if (status == TAC_OK)
            status = run_observe(context, 0, "media-pause", err);
        if (status == TAC_OK)
            status = tac_device_snapshot(device_of(context), 0, ui, err);
    }
    if (status == TAC_OK) {
        run_name_screen(context, *ui, activity);
    }
    free(activity);
    return status;
}

void run_name_screen(struct run_context *context, const tac_ui *ui, const char *activity)
{
    char *name = screen_short_name(ui, activity);
    recorder_set(&context->recorder, 0, activity, name);
    bool anew = keep_screen(context->options->folder, context->id, name, activity, ui);
    live_see(context->live, ui);
    if (context->options->pictures)
        keep_picture(context->options->folder, name, device_of(context), anew);
    free(name);
}

static bool is_action(const struct run_context *context, const char *name)
{
    bool found = false;
    for (size_t i = 0; context->actions && i < context->actions->actions.count; i++)
        found = found || !strcmp(context->actions->actions.at[i].name, name);
    return found;
}

/* The event's name; an action's name is the event of that action alone. */
static char *event_name(const struct run_context *context, const tac_ui *ui,
                        const struct choice *choice)
{
    char *name = choice->kind == TAC_ACTION_BACK
                     ? tac_strdup("back")
                     : control_only_name(ui, choice->node, choice->kind);
    while (is_action(context, name)) {
        char *own = tac_format("monkey-%s", name);
        free(name);
        name = own;
    }
    return name;
}

/* *done (may be NULL) is the event's name where it stands in the state after it; the caller's. */
static tac_status act(struct monkey *monkey, const tac_ui *ui, char **done, tac_error *err)
{
    struct run_context *context = monkey->context;
    struct choice choice = choose(monkey);
    bool back = choice.kind == TAC_ACTION_BACK;
    char *name = event_name(context, ui, &choice);
    char *xpath = back ? NULL : tac_ui_xpath(ui, choice.node);
    tac_gesture gesture = {.kind = choice.kind,
                           .target = {.xpath = xpath},
                           .value = choice.kind == TAC_ACTION_TEXT     ? "monkey"
                                    : choice.kind == TAC_ACTION_SCROLL ? "down"
                                                                       : NULL};
    struct run_moment when;
    tac_status status = recorder_measure(&context->recorder, &when, err);
    if (status == TAC_OK)
        status = tac_device_perform(device_of(context), &gesture, 0, err);
    if (status == TAC_E_LIMIT)
        status = TAC_OK; /* the element went away under the finger: nothing was done */
    else if (status == TAC_OK) {
        deeds_add(&context->deeds, recorder_place(&context->recorder, 0), name, &gesture);
        if (context->observes)
            *done = tac_strdup(name);
        else
            status = recorder_add(&context->recorder, when, 0, name, err);
        context->steps++;
    }
    if (status == TAC_OK)
        status = tac_device_settle(device_of(context), context->rest, err);
    if (status == TAC_E_LIMIT)
        status = TAC_OK; /* it does not come to rest: it is looked at as it is */
    free(name);
    free(xpath);
    return status;
}

/* Another application, or none, is in front. Its data stays. */
static tac_status bring_back(struct monkey *monkey, tac_error *err)
{
    struct run_context *context = monkey->context;
    if (++monkey->away > RETURNS_IN_A_ROW) {
        context->end = RUN_FAIL;
        snprintf(context->message, sizeof context->message,
                 "the app is left as soon as it is launched, %d times in a row", RETURNS_IN_A_ROW);
        return TAC_OK;
    }
    context->returns++;
    deeds_add(&context->deeds, recorder_place(&context->recorder, 0), "launch",
              &(tac_gesture){.kind = TAC_ACTION_LAUNCH});
    return tac_device_launch(device_of(context), 0, err);
}

/* The state now, with the event that led to it where events stand after what they did. */
static tac_status tell(struct monkey *monkey, tac_error *err)
{
    tac_status status = run_observe(monkey->context, 0, monkey->told_later, err);
    free(monkey->told_later);
    monkey->told_later = NULL;
    return status;
}

/* One event, or the way back into the app. *more is false when the run is over. */
static tac_status take_step(struct monkey *monkey, bool *more, tac_error *err)
{
    struct run_context *context = monkey->context;
    const tac_ui *ui;
    bool outside;
    tac_status status = look(monkey, &ui, &outside, err);
    if (status == TAC_OK && outside)
        return bring_back(monkey, err);
    if (status == TAC_OK)
        status = tell(monkey, err);
    *more = status == TAC_OK && context->end == RUN_PASS && ui;
    if (*more && context->observes) /* it was read since */
        status = tac_device_snapshot(device_of(context), 0, &ui, err);
    if (!*more || status != TAC_OK)
        return status;
    monkey->away = 0;
    status = list_choices(monkey, ui, err);
    return status == TAC_OK ? act(monkey, ui, &monkey->told_later, err) : status;
}

struct monkey *monkey_new(struct run_context *context)
{
    struct monkey *monkey = tac_calloc(1, sizeof *monkey);
    monkey->context = context;
    tac_random_seed(&monkey->random, context->seed ^ 0x6d6f6e6b6579);
    return monkey;
}

tac_status monkey_act(struct monkey *monkey, const tac_ui *ui, char **event, tac_error *err)
{
    *event = NULL;
    tac_status status = list_choices(monkey, ui, err);
    return status == TAC_OK ? act(monkey, ui, event, err) : status;
}

void monkey_free(struct monkey *monkey)
{
    if (!monkey)
        return;
    tac_vec_free(&monkey->choices);
    free(monkey);
}

tac_status run_monkey(struct run_context *context, tac_error *err)
{
    struct monkey monkey = {.context = context};
    tac_device_info info;
    tac_random_seed(&monkey.random, context->seed);
    tac_status status = tac_device_describe(device_of(context), &info, err);
    monkey.package = tac_strdup(status == TAC_OK ? info.package : "");
    bool more = true;
    size_t most = context->options->monkey_steps;
    for (size_t i = 0; i < 2 * most && context->steps < most && more && status == TAC_OK; i++)
        status = take_step(&monkey, &more, err);
    if (status == TAC_OK && context->end == RUN_PASS && more) {
        const tac_ui *ui;
        bool outside;
        status = look(&monkey, &ui, &outside, err);
        if (status == TAC_OK)
            status = tell(&monkey, err);
    }
    if (status == TAC_E_LIMIT) { /* the app does not answer: the run has failed, not the device */
        context->end = RUN_FAIL;
        snprintf(context->message, sizeof context->message, "after %zu events: %s", context->steps,
                 err->message);
        status = TAC_OK;
    }
    free(monkey.package);
    tac_vec_free(&monkey.choices);
    free(monkey.told_later);
    return status;
}
