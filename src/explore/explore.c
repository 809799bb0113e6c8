/* The exploration from the outside: options, the run, the result as JSON and as a verdict. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "explore/crew.h"
#include <math.h>

struct tac_exploration {
    struct explorer ex;
    struct emitted model;
    bool complete; /* false: stopped by a limit on events, or by a failure */
    bool failed;
    tac_error failure; /* what ended it early, if failed */
};

void explorer_free(struct explorer *ex)
{
    for (size_t i = 0; i < ex->screens.count; i++) {
        struct screen *s = &ex->screens.at[i];
        for (size_t c = 0; c < s->controls.count; c++) {
            for (size_t o = 0; o < s->controls.at[c].outcomes.count; o++)
                tac_vec_free(&s->controls.at[c].outcomes.at[o].landings);
            tac_vec_free(&s->controls.at[c].outcomes);
        }
        tac_vec_free(&s->controls);
    }
    tac_vec_free(&ex->screens);
    tac_vec_free(&ex->away);
    tac_vec_free(&ex->crashes);
    tac_vec_free(&ex->frames);
    tac_vec_free(&ex->records);
    tac_names_free(&ex->signatures);
    tac_names_free(&ex->names);
    tac_names_free(&ex->keys);
    tac_names_free(&ex->fields);
    tac_names_free(&ex->counted);
    tac_names_free(&ex->shapes);
    tac_names_free(&ex->finer);
    tac_arena_free(&ex->arena);
    free(ex->ignore_used);
    free(ex->text_used);
}

void tac_exploration_free(tac_exploration *exploration)
{
    if (!exploration)
        return;
    tac_model_free(exploration->model.model);
    free(exploration->model.number);
    free((void *)exploration->model.names);
    free((void *)exploration->model.states);
    json_decref(exploration->model.approximate);
    explorer_free(&exploration->ex);
    free(exploration);
}

const tac_error *tac_exploration_failure(const tac_exploration *exploration)
{
    return exploration->failed ? &exploration->failure : NULL;
}

const tac_model *tac_exploration_model(const tac_exploration *exploration)
{
    return exploration->model.model;
}

static void set_options(struct explorer *ex, const tac_explore_options *options)
{
    if (options)
        ex->options = *options;
    if (!ex->options.list_items)
        ex->options.list_items = 1;
    if (!ex->options.gestures)
        ex->options.gestures = 1u << TAC_ACTION_CLICK | 1u << TAC_ACTION_TEXT |
                               1u << TAC_ACTION_BACK | 1u << TAC_ACTION_DOUBLE_CLICK;
    if (!ex->options.tries)
        ex->options.tries = 4;
    if (!ex->options.most_events)
        ex->options.most_events = 1000000;
    ex->ignore_used = tac_calloc(ex->options.ignore_count + 1, sizeof *ex->ignore_used);
    ex->text_used = tac_calloc(ex->options.text_count + 1, sizeof *ex->text_used);
}

static tac_status begin(struct explorer *ex, tac_error *err)
{
    tac_device_info info;
    tac_clock_reading clock;
    tac_status st = tac_device_describe(ex->device, &info, err);
    if (st)
        return st;
    /* Watching costs real time on a real device. */
    bool novelty = ex->options.strategy == TAC_EXPLORE_NOVELTY;
    if (ex->options.watch_seconds <= 0)
        ex->options.watch_seconds = info.virtual_time ? 5 : novelty ? 0 : 1;
    ex->package = tac_arena_strdup(&ex->arena, info.package);
    ex->app_name = tac_arena_strdup(&ex->arena, *info.app_name ? info.app_name : info.package);
    ex->app_code = tac_arena_strdup(&ex->arena, *info.app_code ? info.app_code : info.package);
    ex->device_name = tac_arena_strdup(&ex->arena, *info.name ? info.name : "device");
    ex->serial = tac_arena_strdup(&ex->arena, info.serial);
    st = tac_device_clock(ex->device, &clock, err);
    if (st)
        return st;
    ex->clock_start = clock.device;
    ex->at = ex->landed = NOWHERE;
    ex->last_checkpoint = tac_now();
    if (ex->options.resume)
        st = checkpoint_read(ex, ex->options.resume, err);
    if (!st && ex->events < UINT64_MAX - ex->options.most_events)
        ex->options.most_events += ex->events; /* the limit is on the events of this call */
    return st ? st : tac_device_install(ex->device, NULL, ex->options.deadline, err);
}

static tac_status explore_onwards(struct explorer *ex, tac_error *err)
{
    return explore_nearest(ex, false, err);
}

static tac_status run_strategy(struct explorer *ex, tac_error *err)
{
    switch (ex->options.strategy) {
    case TAC_EXPLORE_DFS:
        return explore_depth_first(ex, err);
    case TAC_EXPLORE_BFS:
        return explore_breadth_first(ex, err);
    case TAC_EXPLORE_NEAREST:
    case TAC_EXPLORE_NOVELTY:
        break;
    }
    return crew_run(ex, explore_onwards, err);
}

static void count_leftovers(struct explorer *ex)
{
    for (size_t i = 0; i < ex->screens.count; i++)
        for (size_t c = 0; c < ex->screens.at[i].controls.count; c++) {
            const struct control *k = &ex->screens.at[i].controls.at[c];
            if (k->system || k->tries || k->refused)
                continue;
            if (ex->options.depth && ex->screens.at[i].depth >= ex->options.depth)
                ex->limited = true;
            else
                ex->unreached++;
        }
}

/* The interesting error is the first one: a checkpoint that cannot be written does not hide it. */
static void keep_checkpoint(const tac_exploration *result, struct explorer *ex, tac_error *err)
{
    tac_error second;
    if (!result->ex.options.checkpoint || !ex->screens.count ||
        checkpoint_write(ex, &second) != TAC_OK || !err)
        return;
    size_t n = strlen(err->message);
    snprintf(err->message + n, sizeof err->message - n, "; what was found is kept in %s",
             ex->options.checkpoint);
}

static tac_status give_back(tac_exploration *result, tac_status st, tac_error *err)
{
    keep_checkpoint(result, &result->ex, err);
    tac_exploration_free(result);
    return st;
}

/* Where the app begins may have been forgotten since: then it is looked at once more. */
static tac_status know_launch(struct explorer *ex, tac_error *err)
{
    if (explorer_knows_launch(ex) || !ex->forgotten)
        return TAC_OK;
    ex->options.most_events = UINT64_MAX; /* a launch is not one of them */
    return walk_launch(ex, err);
}

/* The device failed: what was seen until then is a model all the same, if there is any of it. */
static bool keeps_part(tac_exploration *result, tac_status st, const tac_error *why)
{
    if (st != TAC_E_DEVICE && st != TAC_E_LIMIT)
        return false;
    if (!explorer_knows_launch(&result->ex))
        return false;
    result->failed = true;
    result->complete = false;
    result->failure = *why;
    result->failure.status = st;
    keep_checkpoint(result, &result->ex, &result->failure);
    return true;
}

tac_status tac_explore(tac_device *device, const tac_explore_options *options, tac_watch *watch,
                       tac_exploration **out, tac_error *err)
{
    tac_exploration *result = tac_calloc(1, sizeof *result);
    struct explorer *ex = &result->ex;
    ex->device = device;
    ex->watch = watch;
    set_options(ex, options);
    tac_status st = begin(ex, err);
    tac_error why = {0};
    if (!st) {
        st = run_strategy(ex, &why);
        if (st == TAC_E_DEVICE && ex->failures) /* what came first explains what came of it */
            why = ex->failure;
        result->complete = st != TAC_E_LIMIT;
        if (st == TAC_E_LIMIT && ex->events > ex->options.most_events)
            st = ex->options.checkpoint ? checkpoint_write(ex, err) : TAC_OK;
        else if (st && keeps_part(result, st, &why))
            st = TAC_OK;
        else if (st && err)
            *err = why;
    }
    tac_clock_reading clock = {.device = ex->clock_start};
    if (st)
        return give_back(result, st, err);
    if (result->failed) {
        tac_device_clock(device, &clock, NULL);
    } else {
        st = know_launch(ex, err);
        if (!st)
            st = tac_device_close(device, ex->options.deadline, err);
        if (!st)
            st = tac_device_clock(device, &clock, err);
    }
    if (st)
        return give_back(result, st, err);
    ex->seconds += (double)(clock.device - ex->clock_start) / 1e9;
    explorer_compact(ex);
    count_leftovers(ex);
    st = emit_model(ex, &result->model, err);
    if (st)
        return give_back(result, st, err);
    assert(result->model.model != NULL);
    *out = result;
    return TAC_OK;
}

/* --- results --- */

static json_t *state_text(const tac_exploration *x, uint32_t screen_number)
{
    return tac_json_string(x->model.states[screen_number]);
}

static json_t *outcome_json(const tac_exploration *x, const struct explore_outcome *o)
{
    static const char *const kinds[] = {"screen", "activity", "return",
                                        "exit",   "external", "crash"};
    json_t *json = json_pack("{s:s, s:i}", "to", kinds[o->kind], "count", (int)o->count);
    if (o->kind == WENT || o->kind == CALLED)
        json_object_set_new(json, "state", state_text(x, o->target));
    return json;
}

static json_t *nondeterministic_json(const tac_exploration *x)
{
    json_t *list = json_array();
    for (size_t i = 0; i < x->ex.screens.count; i++)
        for (size_t c = 0; c < x->ex.screens.at[i].controls.count; c++) {
            const struct control *k = &x->ex.screens.at[i].controls.at[c];
            if (!control_differs(k))
                continue;
            json_t *outcomes = json_array();
            for (size_t o = 0; o < k->outcomes.count; o++)
                json_array_append_new(outcomes, outcome_json(x, &k->outcomes.at[o]));
            json_array_append_new(list,
                                  json_pack("{s:o, s:s, s:o}", "state", state_text(x, (uint32_t)i),
                                            "event", x->model.names[k->key], "outcomes", outcomes));
        }
    return list;
}

tac_exploration_figures tac_exploration_look(const tac_exploration *x)
{
    return (tac_exploration_figures){.events_performed = x->ex.events,
                                     .launches = x->ex.launches,
                                     .virtual_seconds = x->ex.seconds,
                                     .complete = x->complete && !x->ex.limited,
                                     .unreached_events = x->ex.unreached};
}

static void each_nondeterministic(const tac_exploration *x,
                                  void (*tell)(void *context, const char *what, const char *where),
                                  void *context)
{
    for (size_t i = 0; i < x->ex.screens.count; i++)
        for (size_t c = 0; c < x->ex.screens.at[i].controls.count; c++) {
            const struct control *k = &x->ex.screens.at[i].controls.at[c];
            if (control_differs(k))
                tell(context, x->model.names[k->key], x->model.states[i]);
        }
}

void tac_exploration_each(const tac_exploration *x, tac_exploration_note kind,
                          void (*tell)(void *context, const char *what, const char *where),
                          void *context)
{
    const tac_explore_options *o = &x->ex.options;
    if (kind == TAC_NOTE_NONDETERMINISTIC)
        each_nondeterministic(x, tell, context);
    for (size_t i = 0; kind == TAC_NOTE_EXTERNAL_APP && i < x->ex.away.count; i++)
        tell(context, x->ex.away.at[i].package, "");
    for (size_t i = 0; kind == TAC_NOTE_FIELD_WITHOUT_TEXT && i < x->ex.fields.count; i++)
        tell(context, x->ex.fields.text[i], "");
    for (size_t i = 0; kind == TAC_NOTE_UNUSED_IGNORE && i < o->ignore_count; i++)
        if (!x->ex.ignore_used[i])
            tell(context, o->ignore[i], "");
    for (size_t i = 0; kind == TAC_NOTE_UNUSED_TEXT && i < o->text_count; i++)
        if (!x->ex.text_used[i])
            tell(context, o->texts[i], "");
}

static void add_text(void *list, const char *what, const char *where)
{
    (void)where;
    json_array_append_new(list, tac_json_string(what));
}

static void add_unused(void *list, const char *what, const char *where)
{
    (void)where;
    char *text = tac_format("elements to ignore: %s", what);
    json_array_append_new(list, tac_json_string(text));
    free(text);
}

static void add_unused_text(void *list, const char *what, const char *where)
{
    (void)where;
    char *text = tac_format("text to enter: %s", what);
    json_array_append_new(list, tac_json_string(text));
    free(text);
}

static json_t *unmatched_json(const tac_exploration *x)
{
    json_t *list = json_array();
    tac_exploration_each(x, TAC_NOTE_UNUSED_IGNORE, add_unused, list);
    tac_exploration_each(x, TAC_NOTE_UNUSED_TEXT, add_unused_text, list);
    return list;
}

/* Controls that were given up, with the reason. */
static json_t *skipped_json(const tac_exploration *x)
{
    json_t *list = json_array();
    for (size_t i = 0; i < x->ex.screens.count; i++)
        for (size_t c = 0; c < x->ex.screens.at[i].controls.count; c++) {
            const struct control *k = &x->ex.screens.at[i].controls.at[c];
            if (!k->refused)
                continue;
            json_t *entry = json_object();
            json_object_set_new(entry, "state", state_text(x, (uint32_t)i));
            json_object_set_new(entry, "event", tac_json_string(x->model.names[k->key]));
            json_object_set_new(entry, "gesture", json_string(tac_action_kind_name(k->kind)));
            json_object_set_new(entry, "xpath", k->xpath ? tac_json_string(k->xpath) : json_null());
            json_object_set_new(entry, "reason", tac_json_string(k->refused));
            json_array_append_new(list, entry);
        }
    return list;
}

/* Which gestures were tried. */
static json_t *gestures_json(const struct explorer *ex)
{
    json_t *list = json_array();
    for (unsigned kind = 0; kind <= TAC_ACTION_DRAG; kind++)
        if (ex->options.gestures & 1u << kind)
            json_array_append_new(list, json_string(tac_action_kind_name((tac_action_kind)kind)));
    return list;
}

static json_t *found_json(const tac_exploration *x, json_t *json)
{
    json_t *crashes = json_array(), *away = json_array(), *fields = json_array();
    for (size_t i = 0; i < x->ex.crashes.count; i++)
        json_array_append_new(crashes, json_pack("{s:s, s:s, s:s}", "exception",
                                                 x->ex.crashes.at[i].exception, "message",
                                                 x->ex.crashes.at[i].message, "frame",
                                                 x->ex.crashes.at[i].frame));
    tac_exploration_each(x, TAC_NOTE_EXTERNAL_APP, add_text, away);
    tac_exploration_each(x, TAC_NOTE_FIELD_WITHOUT_TEXT, add_text, fields);
    json_object_set_new(json, "crashes", crashes);
    json_object_set_new(json, "external_apps", away);
    json_object_set_new(json, "fields_without_text", fields);
    json_object_set_new(json, "skipped", skipped_json(x));
    json_object_set_new(json, "unsettled", json_integer((json_int_t)x->ex.unsettled));
    json_object_set_new(json, "gestures", gestures_json(&x->ex));
    json_object_set_new(json, "reconsidered", json_integer((json_int_t)x->ex.forgotten));
    json_object_set_new(json, "failure",
                        x->failed ? tac_json_string(x->failure.message) : json_null());
    json_object_set(json, "approximate", x->model.approximate);
    return json;
}

json_t *tac_exploration_json(const tac_exploration *x)
{
    static const char *const strategies[] = {"nearest", "dfs", "bfs", "novelty"};
    tac_model_statistics n;
    tac_model_count(x->model.model, &n);
    json_t *json = json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:f}", "strategy",
                             strategies[x->ex.options.strategy], "activities", (int)n.activities,
                             "machines", (int)n.machines, "states", (int)n.states, "transitions",
                             (int)n.transitions, "events", (int)n.events, "events_performed",
                             (json_int_t)x->ex.events, "launches", (json_int_t)x->ex.launches,
                             "virtual_seconds", round(x->ex.seconds * 1000) / 1000);
    json_object_set_new(json, "nondeterministic", nondeterministic_json(x));
    json_object_set_new(json, "unmatched_options", unmatched_json(x));
    json_object_set_new(json, "complete", json_boolean(x->complete && !x->ex.limited));
    json_object_set_new(json, "unreached_events", json_integer(x->ex.unreached));
    return found_json(x, json);
}

void tac_exploration_verdict(const tac_exploration *x, tac_verdict *out)
{
    const struct explorer *ex = &x->ex;
    size_t skipped = 0;
    for (size_t i = 0; i < ex->screens.count; i++)
        for (size_t c = 0; c < ex->screens.at[i].controls.count; c++)
            skipped += ex->screens.at[i].controls.at[c].refused != NULL;
    bool whole = x->complete && !ex->limited && !ex->unreached && !skipped;
    tac_answer answer = ex->crashes.count ? TAC_VIOLATED
                        : x->complete     ? TAC_HOLDS
                                          : TAC_INCONCLUSIVE;
    tac_model_statistics n;
    tac_model_count(x->model.model, &n);
    tac_verdict_init(out, "explore", ex->app_name, answer);
    out->statistics = tac_exploration_json(x);
    if (ex->crashes.count) {
        tac_verdict_explain(out, "%s crashes while it is explored: %s at %s", ex->app_name,
                            ex->crashes.at[0].exception, ex->crashes.at[0].frame);
        tac_verdict_advise(out,
                           "the model has a state Crash0 for it: the flows to it reproduce the "
                           "crash (tactus flow list)");
        return;
    }
    tac_verdict_explain(out, "%u activit%s, %u machine%s, %u state%s, %u transition%s%s",
                        n.activities, n.activities == 1 ? "y" : "ies", n.machines,
                        n.machines == 1 ? "" : "s", n.states, n.states == 1 ? "" : "s",
                        n.transitions, n.transitions == 1 ? "" : "s",
                        whole ? "; every accepted event was tried" : "; something is left untried");
    if (x->failed)
        tac_verdict_advise(out, "the device failed; the model holds what was seen until then");
    else if (!x->complete)
        tac_verdict_advise(
            out, "the limit on events was reached; the exploration can go on from its checkpoint");
    else if (ex->limited)
        tac_verdict_advise(out, "explore deeper to find the rest");
    else if (ex->unreached)
        tac_verdict_advise(out,
                           "%u event%s could not be reached again; merge several explorations "
                           "with different seeds (tactus model merge)",
                           ex->unreached, ex->unreached == 1 ? "" : "s");
}
