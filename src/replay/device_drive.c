/* Driving an app while it is recorded: seeded random touches, the flows of a file, or a script.
 *
 * A script has one gesture per line: "click XPATH", "text XPATH := VALUE", "key Enter", "wait 0.5",
 * "back"; '#' begins a comment. XPaths are those of the device's screens, as everywhere. */
#include "base/data/random.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include "model/model.h"
#include "replay/device.h"
#include "tactus/flow_file.h"
#include <string.h>

enum { MOST_SCRIPT = 1 << 20 };

struct driving_run {
    struct recorded_device *d;
    const tac_driving *how;
    double until;
    size_t steps;
};

static double budget_of(const tac_driving *how)
{
    return how->budget > 0 ? how->budget : 20;
}

/* May go on: within the budget, and nobody asked to stop. */
static tac_status may_go_on(struct driving_run *run, bool *more, tac_error *err)
{
    if (!tac_watch_tick(run->how->watch, "recording", run->steps, run->how->steps))
        return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    *more = tac_now() < run->until;
    return TAC_OK;
}

static tac_status do_gesture(struct driving_run *run, const tac_gesture *gesture, tac_error *err)
{
    tac_status status = device_gesture(run->d, gesture, err);
    if (status == TAC_OK) {
        run->steps++;
        run->d->log->step(run->d->log->context);
    }
    return status;
}

/* --- random --- */

struct touch {
    uint32_t node;
    tac_action_kind kind;
};

static tac_status random_touch(struct driving_run *run, tac_random *random, tac_error *err)
{
    static const tac_action_kind kinds[] = {TAC_ACTION_CLICK, TAC_ACTION_TEXT,
                                            TAC_ACTION_DOUBLE_CLICK};
    static const char *const texts[] = {"a", "ab", "monkey\\n", "milk\\n"};
    const tac_ui *ui;
    TAC_VEC(struct touch) touches = {0};
    tac_status status = tac_device_snapshot(run->d->device, 0, &ui, err);
    for (uint32_t node = 0; status == TAC_OK && node < ui->count; node++)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (tac_ui_gestures(&ui->nodes[node]) & 1u << kinds[i] &&
                !(ui->nodes[node].flags & TAC_UI_LEAVES))
                tac_vec_push(&touches, (struct touch){node, kinds[i]});
    if (status == TAC_OK && touches.count) {
        struct touch touch = touches.at[tac_random_below(random, touches.count)];
        const char *text = texts[tac_random_below(random, 4)];
        char *xpath = tac_ui_xpath(ui, touch.node);
        tac_gesture gesture = {.kind = touch.kind,
                               .target = {.xpath = xpath},
                               .value = touch.kind == TAC_ACTION_TEXT ? text : NULL};
        status = do_gesture(run, &gesture, err);
        if (status == TAC_E_LIMIT)
            status = TAC_OK; /* it went away under the finger */
        free(xpath);
    } else if (status == TAC_OK) { /* nothing to touch: something may come by itself */
        status = tac_device_sleep(run->d->device, 0.2, err);
    }
    tac_vec_free(&touches);
    return status;
}

static tac_status drive_randomly(struct driving_run *run, uint64_t seed, tac_error *err)
{
    tac_random random;
    tac_random_seed(&random, seed);
    bool more = true;
    tac_status status = TAC_OK;
    size_t most = run->how->steps ? run->how->steps : SIZE_MAX;
    for (size_t tries = 0; status == TAC_OK && run->steps < most && tries / 2 <= most; tries++) {
        status = may_go_on(run, &more, err);
        if (status != TAC_OK || !more)
            break;
        tac_foreground front;
        status = tac_device_foreground(run->d->device, 0, &front, err);
        if (status == TAC_OK && !strcmp(front.package, "elsewhere")) {
            run->d->log->note(run->d->log->context, "the app was left");
            break;
        }
        if (status == TAC_OK)
            status = random_touch(run, &random, err);
    }
    return status;
}

/* --- flows and scripts --- */

/* The element may be a moment late. */
static tac_status do_within(struct driving_run *run, const tac_gesture *gesture, double patience,
                            tac_error *err)
{
    double until = tac_now() + patience;
    for (;;) {
        bool more = true;
        tac_status status = do_gesture(run, gesture, err);
        if (status != TAC_E_LIMIT || tac_now() > until)
            return status;
        tac_error stop;
        if (may_go_on(run, &more, &stop) != TAC_OK) {
            if (err)
                *err = stop;
            return TAC_E_INTERRUPTED;
        }
        tac_device_sleep(run->d->device, 0.1, &stop);
    }
}

static tac_status drive_by_flows(struct driving_run *run, uint64_t number, tac_error *err)
{
    tac_flow_file *file = NULL;
    const tac_flow *flow = NULL;
    tac_status status = tac_flow_file_open(run->how->flows, &file, err);
    for (uint64_t i = 0; i <= number && status == TAC_OK; i++) {
        status = tac_flow_file_next(file, &flow, err);
        if (status == TAC_OK && !flow)
            status = tac_fail(err, TAC_E_INPUT, "%s has only %llu flows", run->how->flows,
                              (unsigned long long)i);
    }
    for (size_t s = 0; status == TAC_OK && s < flow->step_count; s++)
        for (size_t a = 0; status == TAC_OK && a < flow->steps[s].action_count; a++) {
            const tac_model_action *action = &flow->steps[s].actions[a];
            tac_gesture gesture = {.kind = action->kind,
                                   .target = {action->xpath, action->resource_id, action->text},
                                   .value = action->value};
            status = do_within(run, &gesture, 5, err);
        }
    tac_flow_file_close(file);
    return status;
}

/* One line; the parts point into it. False when it is not a gesture. */
static bool read_gesture(char *line, tac_gesture *out)
{
    char *word = line, *rest = line + strcspn(line, " \t");
    if (*rest)
        *rest++ = '\0';
    rest += strspn(rest, " \t");
    *out = (tac_gesture){.value = NULL};
    if (!tac_action_kind_parse(word, &out->kind))
        return false;
    char *value = strstr(rest, " := ");
    if (value) {
        *value = '\0';
        value += strlen(" := ");
    }
    bool whole = out->kind == TAC_ACTION_KEY || out->kind == TAC_ACTION_WAIT ||
                 out->kind == TAC_ACTION_BACK || out->kind == TAC_ACTION_HOME ||
                 out->kind == TAC_ACTION_LAUNCH;
    if (whole)
        out->value = *rest ? rest : NULL;
    else
        out->target.xpath = rest;
    if (value)
        out->value = value;
    return whole || *rest;
}

static tac_status drive_by_script(struct driving_run *run, tac_error *err)
{
    char *text = NULL;
    size_t size = 0, number = 0;
    tac_status status = tac_input_slurp(run->how->script, MOST_SCRIPT, &text, &size, err);
    for (char *line = text, *next; status == TAC_OK && line && *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        number++;
        line += strspn(line, " \t");
        size_t length = strlen(line);
        while (length && strchr(" \t\r", line[length - 1]))
            line[--length] = '\0';
        if (!*line || *line == '#')
            continue;
        tac_gesture gesture;
        bool more = true;
        tac_error why;
        status = may_go_on(run, &more, err);
        if (status != TAC_OK)
            break;
        if (!read_gesture(line, &gesture)) {
            status = tac_fail_at(err, TAC_E_INPUT, run->how->script, number, 1,
                                 "'%s' is not a gesture; a line is 'click XPATH', 'text XPATH := "
                                 "VALUE', 'key NAME', 'wait SECONDS' or 'back'",
                                 line);
        } else {
            status = do_within(run, &gesture, 5, &why);
            if (status != TAC_OK)
                status = tac_fail_at(err, status, run->how->script, number, 1, "%s", why.message);
        }
    }
    free(text);
    return status;
}

tac_status device_drive(void *state, const tac_driving *how, uint64_t seed, tac_error *err)
{
    struct driving_run run = {.d = state, .how = how, .until = tac_now() + budget_of(how)};
    if (how->script)
        return drive_by_script(&run, err);
    if (how->flows)
        return drive_by_flows(&run, seed, err);
    return drive_randomly(&run, seed, err);
}
