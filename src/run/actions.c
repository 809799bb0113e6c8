/* A run of guarded actions: look, choose among the actions whose condition holds, do its steps,
 * look again. The action's name is the event of the state after it, beside what it chose (typed,
 * target) and the step at which it was abandoned (0: none; -1: all were done, but the screen did
 * not come to rest in time and was looked at as it was, so that it may show half of what it will).
 *
 * The conditions are judged on the same look that the trace records, so that guard and property see
 * one screen. Every gesture is kept with the element that was chosen, as one step of a flow per
 * action: `tactus reproduce` replays and shortens it. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "run/actions/choose.h"
#include "run/actions/tally.h"
#include "run/run_one.h"
#include <string.h>

enum { RETURNS_IN_A_ROW = 20 };

struct performer {
    struct run_context *context;
    tac_random random;
    struct action_counts counts;
    struct action_tally tally;
    bool *enabled;
    char *package;
    uint64_t screen;                /* a hash of what is shown */
    tac_arena arena;                /* of the action under way */
    char *it;                       /* the element that `it` stands for, or NULL */
    bool taken;                     /* ... which an `any` took */
    TAC_VEC(tac_model_action) done; /* gestures of the action under way */
    struct monkey *monkey;          /* NULL: not wanted */
    size_t number;                  /* of the action under way, from 1 */
    char cannot[600];               /* the first step that the device cannot do at all, and why */
};

static tac_device *device_of(const struct performer *self)
{
    return self->context->team->members[0].device;
}

/* --- One step --------------------------------------------------------------------------------- */

/* One of the matches at random, by its place. */
static tac_status choose_match(struct performer *self, const struct action_target *target,
                               char **out, tac_error *err)
{
    tac_observable count = {
        .name = "any", .kind = TAC_OBSERVE_COUNT, .xpath = target->xpath, .css = target->css};
    tac_observed value;
    tac_status status = tac_device_observe(device_of(self), &count, 1, 0, &value, NULL, err);
    if (status != TAC_OK)
        return status;
    uint64_t matches = value.number > 0 ? (uint64_t)value.number : 0;
    tac_observed_clear(&value, 1);
    if (!matches)
        return tac_fail(err, TAC_E_LIMIT, "any %s: there is no such element on the screen",
                        target->css ? target->css : target->xpath);
    unsigned place = (unsigned)tac_random_below(&self->random, matches) + 1;
    *out = target->css ? tac_format("css[%u]:%s", place, target->css)
                       : tac_format("(%s)[%u]", target->xpath, place);
    return TAC_OK;
}

/* The element that an earlier step found: pages know it again where it stands elsewhere by now or
 * is hidden, so that its place is another's; phones know elements by their places only. */
static char *found_before(const struct performer *self)
{
    assert(self->it != NULL);
    return tac_format("%s%s", tac_device_has_css(device_of(self)) ? "it:" : "", self->it);
}

/* The element as a gesture names it; NULL for none. Lives in the arena. */
static tac_status resolve(struct performer *self, const struct action_target *target, bool keep,
                          const char **out, tac_error *err)
{
    char *name = NULL;
    tac_status status = TAC_OK;
    *out = NULL;
    if (target->css && !tac_device_has_css(device_of(self)))
        return tac_fail(err, TAC_E_INPUT,
                        "css:\"%s\" is known to web pages only; write an XPath over the hierarchy",
                        target->css);
    if (target->it)
        name = found_before(self);
    else if (target->any)
        status = choose_match(self, target, &name, err);
    else if (target->css)
        name = tac_format("css:%s", target->css);
    else if (target->xpath)
        name = tac_strdup(target->xpath);
    if (status == TAC_OK && name) {
        *out = tac_arena_strdup(&self->arena, name);
        if (keep && !target->it && (target->any || !self->taken)) {
            free(self->it);
            self->it = tac_strdup(name);
            self->taken = target->any;
        }
    }
    free(name);
    return status;
}

static const char *text_of(struct performer *self, const struct action_step *step)
{
    char *drawn = NULL;
    const char *text = step->text ? step->text : "";
    if (step->source == TEXT_ANY_OF)
        return step->texts[tac_random_below(&self->random, step->text_count)];
    if (step->source == TEXT_RANDOM)
        drawn = random_text(&self->random);
    else if (step->source == TEXT_RANDOM_NUMBER)
        drawn = random_number(&self->random);
    if (drawn)
        text = tac_arena_strdup(&self->arena, drawn);
    free(drawn);
    return text;
}

static const char *focused(const struct performer *self)
{
    return tac_device_has_css(device_of(self)) ? "focus:" : "//node[@focused='true']";
}

static tac_model_action typing(struct performer *self, const char *target, const char *text)
{
    if (target)
        return (tac_model_action){.kind = TAC_ACTION_TEXT, .xpath = target, .value = text};
    return (tac_model_action){.kind = TAC_ACTION_KEY,
                              .value = tac_arena_format(&self->arena, "text:%s", text)};
}

/* The gesture that a step stands for. */
static tac_status gesture_of(struct performer *self, const struct action_step *step,
                             tac_model_action *out, tac_error *err)
{
    static const tac_action_kind kinds[DEED_KINDS] = {[DEED_CLICK] = TAC_ACTION_CLICK,
                                                      [DEED_DOUBLE_CLICK] = TAC_ACTION_DOUBLE_CLICK,
                                                      [DEED_LONG_PRESS] = TAC_ACTION_LONG_CLICK,
                                                      [DEED_HOVER] = TAC_ACTION_HOVER,
                                                      [DEED_KEY] = TAC_ACTION_KEY,
                                                      [DEED_DRAG] = TAC_ACTION_DRAG,
                                                      [DEED_SWIPE] = TAC_ACTION_SWIPE,
                                                      [DEED_SCROLL] = TAC_ACTION_SCROLL,
                                                      [DEED_BACK] = TAC_ACTION_BACK,
                                                      [DEED_ROTATE] = TAC_ACTION_KEY,
                                                      [DEED_RELOAD] = TAC_ACTION_KEY,
                                                      [DEED_WAIT] = TAC_ACTION_WAIT,
                                                      [DEED_TYPE] = TAC_ACTION_TEXT,
                                                      [DEED_CLEAR] = TAC_ACTION_TEXT};
    const char *target, *to = NULL;
    tac_status status = resolve(self, &step->target, true, &target, err);
    if (status == TAC_OK && step->kind == DEED_DRAG)
        status = resolve(self, &step->to, false, &to, err);
    if (status != TAC_OK)
        return status;
    *out = (tac_model_action){.kind = kinds[step->kind], .xpath = target, .value = step->text};
    if (step->kind == DEED_TYPE)
        *out = typing(self, target, text_of(self, step));
    else if (step->kind == DEED_CLEAR)
        *out = (tac_model_action){
            .kind = TAC_ACTION_TEXT, .xpath = target ? target : focused(self), .value = ""};
    else if (step->kind == DEED_ROTATE)
        out->value = "system:rotate";
    else if (step->kind == DEED_RELOAD)
        out->value = "system:reload";
    else if (step->kind == DEED_DRAG)
        out->value = tac_arena_format(&self->arena, "to:%s", to);
    return TAC_OK;
}

static tac_status perform(struct performer *self, const struct action_step *step, tac_error *err)
{
    tac_model_action action;
    tac_status status = gesture_of(self, step, &action, err);
    tac_gesture gesture = {
        .kind = action.kind, .target = {.xpath = action.xpath}, .value = action.value};
    if (status == TAC_OK)
        status = tac_device_perform(device_of(self), &gesture, 0, err);
    if (status == TAC_OK)
        tac_vec_push(&self->done, action);
    return status;
}

/* *rests: it did; else it is looked at as it is. */
static tac_status settle(struct performer *self, bool *rests, tac_error *err)
{
    tac_status status = tac_device_settle(device_of(self), self->context->rest, err);
    *rests = status == TAC_OK;
    return status == TAC_E_LIMIT ? TAC_OK : status;
}

/* --- One action ------------------------------------------------------------------------------- */

/* Once more when the screen has come to rest. A pointer that rested somewhere is put there again:
 * a page that was laid out anew forgets it until it moves. */
static tac_status try_again(struct performer *self, const struct action_step *step, tac_error *err)
{
    tac_error ignored;
    tac_status status = tac_device_settle(device_of(self), self->context->rest, &ignored);
    const tac_model_action *last = self->done.count ? &self->done.at[self->done.count - 1] : NULL;
    if (status == TAC_E_LIMIT)
        status = TAC_OK;
    if (status == TAC_OK && last && last->kind == TAC_ACTION_HOVER) {
        tac_gesture gesture = {.kind = last->kind, .target = {.xpath = last->xpath}};
        status = tac_device_perform(device_of(self), &gesture, 0, err);
    }
    return status == TAC_OK ? perform(self, step, err) : status;
}

/* What is wrong in the file itself, such as a key that no keyboard has, is told with its place. */
static tac_status with_place(const struct performer *self, const struct action_step *step,
                             tac_status status, tac_error *err)
{
    if (status != TAC_E_INPUT || !err || *err->file)
        return status;
    tac_error found = *err;
    return tac_fail_at(err, status, self->context->actions->name, step->line, step->column, "%s",
                       found.message);
}

static void note_cannot(struct performer *self, const struct guarded_action *action, size_t step,
                        const tac_error *err)
{
    if (!self->cannot[0] && err)
        snprintf(self->cannot, sizeof self->cannot,
                 "action '%.80s' was left at step %zu, which cannot be done here: %.400s",
                 action->name, step, err->message);
}

/* A device that fails in the middle of an action: the error says of which, and at which of its
 * steps (0: behind them, at the look). */
static tac_status with_action(const struct performer *self, const struct guarded_action *action,
                              size_t step, tac_status status, tac_error *err)
{
    char place[40] = "the look after it";
    if (status != TAC_E_DEVICE || !err || *err->file)
        return status;
    if (step)
        snprintf(place, sizeof place, "step %zu", step);
    tac_error found = *err;
    return tac_fail(err, status, "action %zu, '%.80s', %s: %s", self->number, action->name, place,
                    found.message);
}

/* *abandoned: the step that could not be done, from 1; 0 when all were. */
static tac_status do_action(struct performer *self, const struct guarded_action *action,
                            size_t *abandoned, tac_error *err)
{
    tac_status status = TAC_OK;
    bool rests;
    *abandoned = 0;
    for (size_t i = 0; i < action->step_count && status == TAC_OK; i++) {
        status = perform(self, &action->steps[i], err);
        if (status == TAC_E_LIMIT)
            status = try_again(self, &action->steps[i], err);
        if (status == TAC_E_LIMIT || status == TAC_E_USAGE) {
            *abandoned = i + 1;
            if (status == TAC_E_USAGE)
                note_cannot(self, action, i + 1, err);
            return TAC_OK;
        }
        status = with_place(self, &action->steps[i], status, err);
        if (status == TAC_OK && i + 1 < action->step_count)
            status = settle(self, &rests, err); /* a person types when the field is there */
        status = with_action(self, action, i + 1, status, err);
    }
    return status;
}

static tac_status act(struct performer *self, size_t chosen, tac_error *err)
{
    struct run_context *context = self->context;
    const struct guarded_action *action = &context->actions->actions.at[chosen];
    size_t abandoned;
    bool rests = true;
    self->done.count = 0;
    self->number = context->steps + 1;
    tac_status status = do_action(self, action, &abandoned, err);
    char *reason = tac_strdup(abandoned ? err->message : "");
    if (status == TAC_OK)
        status = with_action(self, action, 0, settle(self, &rests, err), err);
    action_tally_try(&self->tally, chosen, abandoned, rests, reason);
    free(reason);
    if (status == TAC_OK && self->done.count)
        deeds_add_step(&context->deeds, recorder_place(&context->recorder, 0), action->name,
                       self->done.at, self->done.count, abandoned);
    context->steps++;
    if (status == TAC_OK) {
        run_note_choice(context, self->done.at, self->done.count);
        recorder_abandoned(&context->recorder, abandoned || rests ? (double)abandoned : -1);
        status = with_action(self, action, 0, run_observe(context, 0, action->name, err), err);
        recorder_chose(&context->recorder, NULL, NULL);
        recorder_abandoned(&context->recorder, 0);
    }
    free(self->it);
    self->it = NULL;
    self->taken = false;
    tac_arena_free(&self->arena);
    return status;
}

static tac_status act_as_monkey(struct performer *self, bool *did, tac_error *err)
{
    struct run_context *context = self->context;
    const tac_ui *ui;
    char *event = NULL;
    tac_status status = tac_device_snapshot(device_of(self), 0, &ui, err);
    *did = false;
    if (status == TAC_E_LIMIT)
        return TAC_OK;
    if (status == TAC_OK)
        status = monkey_act(self->monkey, ui, &event, err);
    *did = event != NULL;
    if (status == TAC_OK && event)
        status = run_observe(context, 0, event, err);
    free(event);
    return status;
}

/* --- The run ---------------------------------------------------------------------------------- */

/* Which actions make sense on the last look; *guarded: one of them says so by a condition. */
static size_t judge_guards(struct performer *self, bool *guarded)
{
    struct run_context *context = self->context;
    size_t count = 0;
    *guarded = false;
    for (size_t i = 0; i < context->actions->actions.count; i++) {
        const struct guarded_action *action = &context->actions->actions.at[i];
        const tac_observed *values =
            context->readings + context->recorded_count + action->first_observable;
        self->enabled[i] = !action->guard || tac_condition_evaluate(action->guard, values,
                                                                    context->looked_at) == TAC_TRUE;
        count += self->enabled[i];
        *guarded = *guarded || (self->enabled[i] && action->guard);
    }
    action_tally_look(&self->tally, self->enabled);
    return count;
}

/* Brings the app back when another one is in front; a question of the system is answered by back.
 */
static tac_status stay(struct performer *self, size_t *away, tac_error *err)
{
    struct run_context *context = self->context;
    for (*away = 0; *away < RETURNS_IN_A_ROW; ++*away) {
        tac_foreground front;
        tac_status status = tac_device_foreground(device_of(self), 0, &front, err);
        bool here = status == TAC_OK && front.running &&
                    (!self->package[0] || !strcmp(front.package, self->package));
        if (status != TAC_OK || here)
            return status;
        context->returns++;
        static const tac_model_action ways[] = {{.kind = TAC_ACTION_BACK},
                                                {.kind = TAC_ACTION_LAUNCH}};
        bool question = *away % 2;
        deeds_add_step(&context->deeds, recorder_place(&context->recorder, 0), "launch",
                       question ? ways : ways + 1, question ? 2 : 1, 0);
        if (question)
            status = tac_device_perform(device_of(self), &(tac_gesture){.kind = TAC_ACTION_BACK}, 0,
                                        err);
        if (status == TAC_OK)
            status = tac_device_launch(device_of(self), 0, err);
        if (status == TAC_OK)
            status = run_observe(context, 0, "launch", err);
        if (status != TAC_OK || context->end != RUN_PASS)
            return status;
    }
    context->end = RUN_FAIL;
    snprintf(context->message, sizeof context->message,
             "the app is left as soon as it is launched, %d times in a row", RETURNS_IN_A_ROW);
    return TAC_OK;
}

/* A device that fails between two actions: the error says before which. */
static tac_status with_turn(const struct performer *self, tac_status status, tac_error *err)
{
    if (status != TAC_E_DEVICE || !err || *err->file)
        return status;
    tac_error found = *err;
    return tac_fail(err, status, "before action %zu: %s", self->context->steps + 1, found.message);
}

static tac_status take_turn(struct performer *self, size_t *waits, tac_error *err)
{
    struct run_context *context = self->context;
    size_t away;
    bool guarded;
    size_t enabled = judge_guards(self, &guarded);
    tac_status status = guarded ? TAC_OK : with_turn(self, stay(self, &away, err), err);
    if (status != TAC_OK || context->end != RUN_PASS)
        return status;
    if (!guarded && away)
        enabled = judge_guards(self, &guarded);
    double share = context->options->monkey_share;
    bool did = false;
    if (self->monkey && (!enabled || tac_random_unit(&self->random) < share))
        status = act_as_monkey(self, &did, err);
    if (status != TAC_OK || did || context->end != RUN_PASS) {
        *waits = 0;
        return status;
    }
    const char *place = recorder_place(&context->recorder, 0);
    size_t chosen =
        choose_action(context->actions, self->enabled, (enum action_choice)context->options->choose,
                      tac_hash_bytes(place, strlen(place), 0), &self->counts, &self->random);
    if (chosen == SIZE_MAX) {
        ++*waits;
        return run_wait(context, context->think, err);
    }
    *waits = 0;
    return act(self, chosen, err);
}

static void say_early_end(struct performer *self, size_t most)
{
    struct run_context *context = self->context;
    if (context->end != RUN_PASS || context->message[0])
        return;
    if (self->cannot[0])
        snprintf(context->message, sizeof context->message, "%s", self->cannot);
    else if (context->steps < most)
        snprintf(context->message, sizeof context->message,
                 "no action made sense any more after %zu %s; the run ended there", context->steps,
                 context->steps == 1 ? "action" : "actions");
}

tac_status run_actions(struct run_context *context, tac_error *err)
{
    struct performer self = {.context = context};
    tac_device_info info;
    size_t waits = 0, most = context->options->monkey_steps;
    assert(context->actions != NULL);
    self.enabled = tac_calloc(context->actions->actions.count, sizeof *self.enabled);
    tac_random_seed(&self.random, context->seed);
    action_tally_start(&self.tally, context->actions);
    for (size_t i = 0; i < context->actions->actions.count; i++)
        if (context->actions->actions.at[i].guard)
            tac_condition_reset(context->actions->actions.at[i].guard);
    tac_status status = tac_device_describe(device_of(&self), &info, err);
    self.package = tac_strdup(status == TAC_OK ? info.package : "");
    if (status == TAC_OK && context->options->monkey_share > 0)
        self.monkey = monkey_new(context);
    bool rests = true;
    if (status == TAC_OK)
        status = settle(&self, &rests, err);
    recorder_abandoned(&context->recorder, rests ? 0 : -1);
    if (status == TAC_OK)
        status = run_observe(context, 0, NULL, err);
    recorder_abandoned(&context->recorder, 0);
    while (status == TAC_OK && context->end == RUN_PASS && context->steps < most &&
           (double)waits * context->think < context->deadline) /* something may come by itself */
        status = take_turn(&self, &waits, err);
    if (status == TAC_OK)
        say_early_end(&self, most);
    if (status == TAC_E_LIMIT) { /* the app does not answer: the run has failed, not the device */
        context->end = RUN_FAIL;
        snprintf(context->message, sizeof context->message, "after %zu actions: %s", context->steps,
                 err->message);
        status = TAC_OK;
    }
    if (status == TAC_OK)
        context->acted = action_tally_json(&self.tally);
    action_tally_free(&self.tally);
    monkey_free(self.monkey);
    free(self.package);
    free(self.enabled);
    free(self.it);
    tac_arena_free(&self.arena);
    tac_vec_free(&self.done);
    tac_u64map_free(&self.counts.done);
    return status;
}
