/* A random run: on each screen one of the gestures it accepts, drawn uniformly; back now and then.
 *
 * States are the classes of the matching criterion, named by activity and a hash of the class, so
 * that `tactus mine` can compare runs; events are named as the explorer names them. While the
 * screen never rests (media playing) it cannot be looked at: then the media is paused, as a person
 * would, and that is an event too. */
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/random.h"
#include "base/data/str.h"
#include "explore/screen_class.h"
#include "run/run_one.h"
#include <string.h>

enum { BACK_ONE_IN = 12 };

struct choice {
    uint32_t node; /* TAC_UI_NONE for back */
    tac_action_kind kind;
};

struct monkey {
    struct run_context *context;
    tac_random random;
    TAC_VEC(struct choice) choices;
    tac_str place;
};

static tac_device *device_of(const struct run_context *context)
{
    return context->team->members[0].device;
}

static void list_choices(struct monkey *monkey, const tac_ui *ui)
{
    static const tac_action_kind gestures[] = {TAC_ACTION_CLICK, TAC_ACTION_LONG_CLICK,
                                               TAC_ACTION_TEXT, TAC_ACTION_SCROLL};
    monkey->choices.count = 0;
    for (uint32_t node = 0; node < ui->count; node++) {
        unsigned accepted = tac_ui_gestures(&ui->nodes[node]);
        for (size_t i = 0; i < sizeof gestures / sizeof *gestures; i++)
            if (accepted & 1u << gestures[i])
                tac_vec_push(&monkey->choices, (struct choice){node, gestures[i]});
    }
}

static struct choice choose(struct monkey *monkey)
{
    size_t count = monkey->choices.count;
    if (!count || tac_random_below(&monkey->random, BACK_ONE_IN) == 0)
        return (struct choice){TAC_UI_NONE, TAC_ACTION_BACK};
    return monkey->choices.at[tac_random_below(&monkey->random, count)];
}

/* Looks at the screen and names it; pauses the media when it must. *ui is NULL when the app is no
 * longer there to be looked at. */
static tac_status look(struct monkey *monkey, const tac_ui **ui, tac_error *err)
{
    struct run_context *context = monkey->context;
    tac_foreground foreground;
    *ui = NULL;
    tac_status status = tac_device_foreground(device_of(context), 0, &foreground, err);
    if (status != TAC_OK || !foreground.running || !foreground.activity[0])
        return status;
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
        tac_str_clear(&monkey->place);
        screen_class(*ui, activity, 1, &monkey->place);
        uint64_t hash = tac_hash_bytes(tac_str_text(&monkey->place), monkey->place.length, 0);
        char *name = tac_format("%s#%06llx", activity, (unsigned long long)(hash & 0xffffff));
        recorder_set(&context->recorder, 0, activity, name);
        free(name);
    }
    free(activity);
    return status;
}

static tac_status act(struct monkey *monkey, const tac_ui *ui, tac_error *err)
{
    struct run_context *context = monkey->context;
    struct choice choice = choose(monkey);
    bool back = choice.kind == TAC_ACTION_BACK;
    char *name = back ? tac_strdup("back") : control_name(ui, choice.node, choice.kind);
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
        status = recorder_add(&context->recorder, when, 0, name, err);
        context->steps++;
    }
    if (status == TAC_OK)
        status = tac_device_settle(device_of(context), context->deadline, err);
    free(name);
    free(xpath);
    return status;
}

tac_status run_monkey(struct run_context *context, tac_error *err)
{
    struct monkey monkey = {.context = context};
    tac_random_seed(&monkey.random, context->seed);
    tac_status status = TAC_OK;
    for (uint32_t i = 0; i < context->options->monkey_steps && status == TAC_OK; i++) {
        const tac_ui *ui;
        status = look(&monkey, &ui, err);
        if (status == TAC_OK)
            status = run_observe(context, 0, NULL, err);
        if (status != TAC_OK || context->end != RUN_PASS || !ui)
            break;
        list_choices(&monkey, ui);
        status = act(&monkey, ui, err);
    }
    if (status == TAC_OK && context->end == RUN_PASS &&
        context->steps == context->options->monkey_steps) {
        const tac_ui *ui;
        status = look(&monkey, &ui, err);
        if (status == TAC_OK)
            status = run_observe(context, 0, NULL, err);
    }
    tac_vec_free(&monkey.choices);
    tac_str_free(&monkey.place);
    return status;
}
