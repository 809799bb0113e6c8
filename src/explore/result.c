/* What an exploration found, for others: figures, notes, the document and the verdict. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "explore/exploration.h"
#include <math.h>

static json_t *state_text(const tac_exploration *x, uint32_t screen_number)
{
    return tac_json_string(x->model.states[screen_number]);
}

static json_t *outcome_json(const tac_exploration *x, const struct explore_outcome *o)
{
    static const char *const kinds[] = {
        [WENT] = "screen", [CALLED] = "activity", [RETURNED] = "return",
        [LEFT] = "exit",   [AWAY] = "external",   [CRASHED] = "crash"};
    TABLE_COVERS(kinds, CRASHED);
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

/* Where the model allows more than was seen. */
static json_t *approximate_json(const tac_exploration *x)
{
    json_t *list = json_array();
    for (size_t i = 0; i < x->model.approximate.count; i++) {
        const struct approximation *at = &x->model.approximate.at[i];
        json_array_append_new(list,
                              json_pack("{s:o, s:o, s:s}", "state", tac_json_string(at->state),
                                        "event", tac_json_string(at->event), "reason", at->reason));
    }
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
    json_object_set_new(json, "approximate", approximate_json(x));
    return json;
}

json_t *tac_exploration_json(const tac_exploration *x)
{
    static const char *const strategies[] = {[TAC_EXPLORE_NEAREST] = "nearest",
                                             [TAC_EXPLORE_DFS] = "dfs",
                                             [TAC_EXPLORE_BFS] = "bfs",
                                             [TAC_EXPLORE_NOVELTY] = "novelty"};
    TABLE_COVERS(strategies, TAC_EXPLORE_NOVELTY);
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
