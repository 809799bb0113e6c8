/* An adaptive run: the planner (flow/adaptive.h) says which event is next, the run performs it,
 * looks which state of the model the screen now shows, and tells the planner, until every
 * transition is covered, the rest cannot be reached, or the events are used up.
 *
 * A screen shows a state when all elements that the state's transitions act on are there and the
 * activity is the state's; among several, the one that leaves the fewest other controls
 * unexplained. Several may fit, and the planner keeps all that are possible. What the last event
 * may lead to, by the model, is looked at first, then every state.
 *
 * Each step adds a line to coverage.jsonl of the campaign's folder (coverage_000001.jsonl for run
 * 1, and so on). The run's row gets, under "coverage",
 *
 *   {"covered","total","events","starts","unmodelled","ended":"covered"|"unreachable"|"limit"|
 *    "stopped", "steps":[[events so far, covered], ...], "goal", "uncovered":["MACHINE/STATE
 * event",
 *    ...], "why":{reason: how many of them}}
 *
 * with an entry of "steps" wherever the coverage grew. */
#include "flow/adaptive.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "run/run_one.h"
#include <string.h>

enum { MOST_EXPECTED = 256, NO_FIT = -1000000 };

struct adaptive_run {
    struct run_context *context;
    tac_model *model;
    tac_adaptive *planner;
    FILE *coverage;
    json_t *growth;                     /* [[events, covered], ...] */
    size_t covered;                     /* at the last entry of growth */
    bool launched;                      /* by the campaign, for the first start */
    const char *event;                  /* the last one, for the record; NULL for a start */
    uint32_t node;                      /* where the app was seen last, or TAC_MODEL_NONE */
    TAC_VEC(tac_adaptive_sight) sights; /* what the screen may show */
    char refuted[400];                  /* what contradicts the model, "": nothing so far */
};

static tac_device *device_of(const struct adaptive_run *run)
{
    return run->context->team->members[0].device;
}

static bool has_element(const tac_model_action *action)
{
    return action->xpath || action->resource_id || action->text;
}

static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* How well a screen fits a state: NO_FIT when an element is missing. */
static int fit_of(const struct adaptive_run *run, const tac_ui *ui, const char *activity,
                  uint32_t node)
{
    const tac_model *model = run->model;
    const tac_model_node *state = &model->nodes[node];
    const char *own = model->activities[model->machines[state->machine].activity].name;
    bool *known = tac_calloc((size_t)ui->count + 1, sizeof *known);
    int fit = !strcmp(last_part(own), last_part(activity)) ? 1000 : 0;
    for (uint32_t i = 0; i < state->out_count && fit != NO_FIT; i++) {
        const tac_model_transition *t = &model->transitions[state->first_out + i];
        const tac_model_action *action = &model->actions[t->first_action];
        uint32_t found = TAC_UI_NONE;
        tac_error ignored;
        if (!t->action_count || !has_element(action))
            continue;
        tac_selector selector = {action->xpath, action->resource_id, action->text};
        if (tac_ui_find(ui, &selector, &found, &ignored) != TAC_OK || found == TAC_UI_NONE)
            fit = NO_FIT;
        else
            known[found] = true;
    }
    for (uint32_t n = 0; n < ui->count && fit != NO_FIT; n++)
        if (tac_ui_gestures(&ui->nodes[n]))
            fit += known[n] ? 1 : -1;
    free(known);
    return fit;
}

/* Another app in front is not a screen of the model. */
static bool is_own(const struct adaptive_run *run, const char *package)
{
    bool any = false, own = false;
    for (uint32_t a = 0; a < run->model->application_count; a++) {
        any = any || *run->model->applications[a].package;
        own = own || !strcmp(run->model->applications[a].package, package);
    }
    return own || !any || !*package;
}

static void add_sight(struct adaptive_run *run, uint32_t node, int fit)
{
    tac_vec_push(&run->sights, (tac_adaptive_sight){node, fit});
}

/* Of the states that were expected all that fit; where they are not this activity's, another state
 * that fits better. */
static void look_for_states(struct adaptive_run *run, const tac_ui *ui, const char *activity,
                            const uint32_t *expected, size_t count)
{
    const tac_model *model = run->model;
    tac_adaptive_sight other = {TAC_MODEL_NONE, 500}; /* the activity must be the state's */
    int best = NO_FIT;
    for (size_t i = 0; i < count; i++) {
        int fit = model->nodes[expected[i]].kind == TAC_NODE_STATE
                      ? fit_of(run, ui, activity, expected[i])
                      : NO_FIT;
        best = fit > best ? fit : best;
        if (fit != NO_FIT)
            add_sight(run, expected[i], fit);
    }
    for (uint32_t n = 0; best < 1000 - 100 && n < model->node_count; n++) {
        int fit = model->nodes[n].kind == TAC_NODE_STATE ? fit_of(run, ui, activity, n) : NO_FIT;
        if (fit > best && fit > other.fit)
            other = (tac_adaptive_sight){n, fit};
    }
    if (other.node == TAC_MODEL_NONE)
        return;
    run->sights.count = 0;
    add_sight(run, other.node, other.fit);
}

/* The states that the screen may show, none when none fits; when the app is gone, the finals that
 * were expected. */
static tac_status identify(struct adaptive_run *run, tac_error *err)
{
    uint32_t expected[MOST_EXPECTED];
    size_t count = tac_adaptive_expected(run->planner, expected, MOST_EXPECTED);
    tac_foreground foreground;
    const tac_ui *ui = NULL;
    run->sights.count = 0;
    tac_status status = tac_device_foreground(device_of(run), 0, &foreground, err);
    if (status != TAC_OK)
        return status;
    if (!foreground.running || !foreground.activity[0] || !is_own(run, foreground.package)) {
        for (size_t i = 0; i < count; i++)
            if (run->model->nodes[expected[i]].kind == TAC_NODE_FINAL)
                add_sight(run, expected[i], 0);
        return TAC_OK;
    }
    char *activity = tac_strdup(foreground.activity);
    status = tac_device_snapshot(device_of(run), 0, &ui, err);
    if (status == TAC_OK)
        look_for_states(run, ui, activity, expected, count);
    free(activity);
    if (status != TAC_E_LIMIT)
        return status;
    for (size_t i = 0; i < count; i++) /* never at rest (media plays): believe the model */
        add_sight(run, expected[i], (int)(count - i));
    return TAC_OK;
}

static bool is_excluded(void *context, uint32_t transition, uint32_t node)
{
    struct adaptive_run *run = context;
    return run_expect_excludes(run->context, transition, node, NULL, 0);
}

/* Tells the planner what the screen may show; *node is what it most likely does. What contradicts
 * the model fails the run: at once where it breaks an expectation, at its end otherwise. */
static tac_status conclude_where(struct adaptive_run *run, uint32_t *node, tac_error *err)
{
    struct run_context *context = run->context;
    struct run_moment when;
    tac_status status = identify(run, err);
    if (!run->event)
        run_expect_anew(context);
    if (status == TAC_OK)
        status = recorder_measure(&context->recorder, &when, err);
    if (status != TAC_OK)
        return status;
    context->looked_at = recorder_since(&context->recorder, when);
    status = run_expect_read(context, 0, err);
    if (status != TAC_OK)
        return status;
    tac_adaptive_landing landing =
        tac_adaptive_saw(run->planner, run->sights.at, run->sights.count, is_excluded, run, node);
    struct run_move move = {run->event ? run->node : TAC_MODEL_NONE, *node, run->event, 0};
    if (landing == TAC_ADAPTIVE_EXCLUDED)
        run_expect_excludes(context, TAC_MODEL_NONE, *node, &move, context->steps);
    if (landing == TAC_ADAPTIVE_REFUTED && !*run->refuted)
        snprintf(run->refuted, sizeof run->refuted,
                 "step %zu%s%s%s: from no state where the app may have been does the model lead "
                 "to this screen%s%s",
                 context->steps, run->event ? ", '" : "", run->event ? run->event : "",
                 run->event ? "'" : "", *node == TAC_MODEL_NONE ? "" : "; it looks like ",
                 *node == TAC_MODEL_NONE ? "" : run->model->nodes[*node].name);
    return TAC_OK;
}

static void add_line(struct adaptive_run *run, uint32_t node)
{
    tac_adaptive_figures figures;
    tac_adaptive_report(run->planner, &figures);
    if (figures.covered > run->covered || !json_array_size(run->growth))
        json_array_append_new(run->growth, json_pack("[I,I]", (json_int_t)figures.events,
                                                     (json_int_t)figures.covered));
    run->covered = figures.covered;
    if (!run->coverage)
        return;
    json_t *line = json_object();
    json_object_set_new(line, "run", json_integer((json_int_t)run->context->id));
    json_object_set_new(line, "step", json_integer((json_int_t)figures.events));
    json_object_set_new(line, "event", run->event ? tac_json_string(run->event) : json_null());
    json_object_set_new(line, "state",
                        node == TAC_MODEL_NONE ? json_null()
                                               : tac_json_string(run->model->nodes[node].name));
    json_object_set_new(line, "covered", json_integer((json_int_t)figures.covered));
    json_object_set_new(line, "total", json_integer((json_int_t)figures.total));
    json_object_set_new(line, "starts", json_integer((json_int_t)figures.starts));
    json_object_set_new(line, "unmodelled", json_integer((json_int_t)figures.unmodelled));
    char *text = tac_json_text(line, JSON_COMPACT);
    fprintf(run->coverage, "%s\n", text);
    free(text);
    json_decref(line);
}

/* Looks where the app is, tells the planner and the record. */
static tac_status arrive(struct adaptive_run *run, tac_error *err)
{
    uint32_t node;
    tac_status status = tac_device_settle(device_of(run), run->context->rest, err);
    if (status == TAC_E_LIMIT)
        status = TAC_OK;
    if (status == TAC_OK)
        status = run_answer_questions(run->context, 0, err);
    if (status == TAC_OK)
        status = conclude_where(run, &node, err);
    if (status != TAC_OK)
        return status;
    add_line(run, node);
    char *place = NULL;
    if (node != TAC_MODEL_NONE)
        place = tac_format("%s/%s", run->model->machines[run->model->nodes[node].machine].name,
                           run->model->nodes[node].name);
    status = run_locate(run->context, 0, place, err);
    free(place);
    if (status == TAC_OK)
        status = run_observe(run->context, 0, NULL, err);
    if (status == TAC_OK && node != TAC_MODEL_NONE)
        run_keep_place(run->context, 0);
    run->node = node;
    return status;
}

static tac_status start(struct adaptive_run *run, tac_error *err)
{
    tac_status status = TAC_OK;
    run->event = NULL;
    if (!run->launched) {
        status = tac_device_close(device_of(run), 0, err);
        if (status == TAC_OK)
            status = tac_device_launch(device_of(run), 0, err);
        deeds_add(&run->context->deeds, recorder_place(&run->context->recorder, 0), "launch",
                  &(tac_gesture){.kind = TAC_ACTION_KEY, .value = "system:restart"});
    }
    run->launched = false;
    return status == TAC_OK ? arrive(run, err) : status;
}

static tac_status perform(struct adaptive_run *run, uint32_t transition, tac_error *err)
{
    struct run_context *context = run->context;
    const tac_model_transition *t = &run->model->transitions[transition];
    struct run_moment when;
    tac_status status = recorder_measure(&context->recorder, &when, err);
    run->event = run->model->events[t->event];
    if (!t->action_count && t->kind == TAC_EVENT_USER) {
        tac_adaptive_refused(run->planner); /* the model does not say how */
        return status;
    }
    if (status == TAC_OK && !t->action_count)
        status = run_wait(context, t->time > 0 ? t->time : context->think, err);
    for (uint32_t i = 0; i < t->action_count && status == TAC_OK; i++) {
        const tac_model_action *action = &run->model->actions[t->first_action + i];
        tac_gesture gesture = {.kind = action->kind,
                               .target = {action->xpath, action->resource_id, action->text},
                               .value = action->value};
        status = tac_device_perform(device_of(run), &gesture, 0, err);
        if (status == TAC_OK)
            deeds_add(&context->deeds, recorder_place(&context->recorder, 0), run->event, &gesture);
    }
    if (status == TAC_E_LIMIT || status == TAC_E_INPUT ||
        status == TAC_E_USAGE) { /* not there, or nothing that this device can do */
        tac_adaptive_refused(run->planner);
        return TAC_OK;
    }
    if (status == TAC_OK)
        status = recorder_add(&context->recorder, when, 0, run->event, err);
    context->steps += status == TAC_OK;
    return status == TAC_OK ? arrive(run, err) : status;
}

enum { MOST_NAMED = 1000 };

struct uncovered {
    json_t *names, *reasons; /* a list; an object: reason to how many */
};

static void add_uncovered(void *context, const char *item, const char *why)
{
    struct uncovered *out = context;
    json_int_t before = json_integer_value(json_object_get(out->reasons, why));
    json_object_set_new(out->reasons, why, json_integer(before + 1));
    if (json_array_size(out->names) < MOST_NAMED)
        json_array_append_new(out->names, tac_json_string(item));
}

/* Why the run is over. */
static const char *ended_by(const struct adaptive_run *run, tac_adaptive_step step)
{
    if (step == TAC_ADAPTIVE_COVERED)
        return "covered";
    if (run->context->end != RUN_PASS)
        return "stopped";
    return step == TAC_ADAPTIVE_OVER ? "unreachable" : "limit";
}

static void conclude(struct adaptive_run *run, tac_adaptive_step step)
{
    tac_adaptive_figures figures;
    json_t *out = json_object();
    tac_adaptive_report(run->planner, &figures);
    json_object_set_new(out, "covered", json_integer((json_int_t)figures.covered));
    json_object_set_new(out, "total", json_integer((json_int_t)figures.total));
    json_object_set_new(out, "events", json_integer((json_int_t)figures.events));
    json_object_set_new(out, "starts", json_integer((json_int_t)figures.starts));
    json_object_set_new(out, "unmodelled", json_integer((json_int_t)figures.unmodelled));
    json_object_set_new(out, "ended", json_string(ended_by(run, step)));
    json_object_set(out, "steps", run->growth);
    struct uncovered left = {json_array(), json_object()};
    tac_adaptive_left(run->planner, add_uncovered, &left);
    json_object_set_new(out, "goal",
                        json_string(tac_adaptive_goal_name(run->context->options->goal)));
    json_object_set_new(out, "uncovered", left.names);
    json_object_set_new(out, "why", left.reasons);
    json_decref(run->context->coverage);
    run->context->coverage = out;
}

/* A model whose user events have no actions cannot be run. */
static tac_status check_actions(const tac_model *model, tac_error *err)
{
    size_t users = 0, without = 0;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        users += model->transitions[t].kind == TAC_EVENT_USER;
        without +=
            model->transitions[t].kind == TAC_EVENT_USER && !model->transitions[t].action_count;
    }
    if (!users || without < users)
        return TAC_OK;
    return tac_fail_at(err, TAC_E_INPUT, model->file, 0, 0,
                       "no transition says how its event is performed; give them an <action>");
}

static tac_status make_planner(struct adaptive_run *run, tac_error *err)
{
    const tac_run_options *options = run->context->options;
    tac_diagnostics findings = {0};
    tac_requirement *requirement = NULL;
    tac_status status = TAC_OK;
    if (options->goal == TAC_ADAPTIVE_REQUIREMENT)
        status = tac_requirement_load(options->requirement, &findings, &requirement, err);
    if (status == TAC_OK)
        status = tac_adaptive_new_for(
            run->model, &(tac_adaptive_options){.goal = options->goal, .requirement = requirement},
            &run->planner, err);
    tac_requirement_free(requirement);
    tac_diagnostics_free(&findings);
    return status;
}

tac_status run_adaptive(struct run_context *context, tac_error *err)
{
    struct adaptive_run run = {.context = context, .launched = true};
    tac_diagnostics findings = {0};
    char number[32] = "";
    if (context->id)
        snprintf(number, sizeof number, "_%06lld", (long long)context->id);
    char *path = tac_format("%s/coverage%s.jsonl", context->options->folder, number);
    tac_adaptive_step step = TAC_ADAPTIVE_START;
    tac_status status = tac_model_load(context->options->model, &findings, &run.model, err);
    if (status == TAC_OK)
        status = check_actions(run.model, err);
    if (status == TAC_OK)
        status = make_planner(&run, err);
    run.growth = json_array();
    run.coverage = status == TAC_OK ? fopen(path, "w") : NULL;
    for (uint32_t i = 0; i < context->options->monkey_steps && status == TAC_OK; i++) {
        uint32_t transition = 0;
        step = tac_adaptive_next(run.planner, &transition);
        if (step == TAC_ADAPTIVE_COVERED || step == TAC_ADAPTIVE_OVER || context->end != RUN_PASS)
            break;
        status = step == TAC_ADAPTIVE_START ? start(&run, err) : perform(&run, transition, err);
    }
    if (status == TAC_OK)
        conclude(&run, step);
    if (status == TAC_OK && *run.refuted && context->end == RUN_PASS) {
        context->end = RUN_FAIL;
        snprintf(context->message, sizeof context->message, "%s", run.refuted);
    }
    tac_vec_free(&run.sights);
    if (run.coverage)
        fclose(run.coverage);
    json_decref(run.growth);
    free(path);
    tac_diagnostics_free(&findings);
    tac_adaptive_free(run.planner);
    tac_model_free(run.model);
    return status;
}
