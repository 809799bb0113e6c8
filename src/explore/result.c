/* What an exploration found, for others: figures, notes, the document and the verdict. */
#include "base/check.h"
#include "base/data/vec.h"
#include "explore/described.h"
#include "explore/exploration.h"
#include "model/model.h"
#include <math.h>
#include <string.h>

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

/* --- The document ----------------------------------------------------------------------------- */

static const char *state_name(uint64_t screen, struct field_value *with)
{
    return ((const tac_exploration *)with->context)->model.states[screen];
}

static const char *const outcomes[] = {
    [WENT] = "screen", [CALLED] = "activity", [RETURNED] = "return",
    [LEFT] = "exit",   [AWAY] = "external",   [CRASHED] = "crash"};
TABLE_COVERS(outcomes, CRASHED);
FIELD_GETTER(state_of, struct explore_outcome, out->absent = it->kind != WENT && it->kind != CALLED;
             out->text = out->absent ? NULL : state_name(it->target, out))
static const struct field outcome_fields[] = {
    FIELD_ENUM(struct explore_outcome, kind, outcomes, .key = "to"),
    FIELD(struct explore_outcome, count), FIELD_GET_TEXT("state", state_of, .omit = true)};
static DESCRIBE(outcome, struct explore_outcome);

/* A control of a screen. */
struct shown_control {
    const char *state, *event, *gesture;
    const struct control *control;
};
static const struct field differing_fields[] = {
    FIELD_LIST(struct control, outcomes.at, outcomes.count, outcome_described, .key = "outcomes")};
static DESCRIBE(differing, struct control);
static const struct field nondeterministic_fields[] = {
    FIELDS(struct shown_control, state, event),
    FIELD_POINTER(struct shown_control, control, differing_described, .splice = true)};
static DESCRIBE(nondeterministic, struct shown_control);
static const struct field refused_fields[] = {FIELD(struct control, xpath, .maybe = true),
                                              FIELD(struct control, refused, .key = "reason")};
static DESCRIBE(refused, struct control);
static const struct field skipped_fields[] = {
    FIELDS(struct shown_control, state, event, gesture),
    FIELD_POINTER(struct shown_control, control, refused_described, .splice = true)};
static DESCRIBE(skipped, struct shown_control);

/* Those that differ, or were given up. */
static void controls_of(const tac_exploration *x, bool differ, struct field_value *out)
{
    TAC_VEC(struct shown_control) list = {0};
    for (size_t i = 0; i < x->ex.screens.count; i++)
        for (size_t c = 0; c < x->ex.screens.at[i].controls.count; c++) {
            const struct control *k = &x->ex.screens.at[i].controls.at[c];
            if (differ ? control_differs(k) : k->refused != NULL)
                tac_vec_push(&list,
                             (struct shown_control){x->model.states[i], x->model.names[k->key],
                                                    tac_action_kind_name(k->kind), k});
        }
    struct shown_control *kept = tac_arena_calloc(out->arena, list.count, sizeof *kept);
    if (list.count)
        memcpy(kept, list.at, list.count * sizeof *kept);
    out->at = kept;
    out->count = list.count;
    tac_vec_free(&list);
}
FIELD_GETTER(differing_of, tac_exploration, controls_of(it, true, out))
FIELD_GETTER(skipped_of, tac_exploration, controls_of(it, false, out))

struct texts {
    tac_arena *arena;
    const char *what; /* before each */
    TAC_VEC(const char *) list;
};

static void add_text(void *context, const char *what, const char *where)
{
    struct texts *texts = context;
    (void)where;
    tac_vec_push(&texts->list, tac_arena_format(texts->arena, "%s%s", texts->what, what));
}

static void take_texts(struct texts *texts, struct field_value *out)
{
    const char **kept = tac_arena_calloc(out->arena, texts->list.count, sizeof *kept);
    if (texts->list.count)
        memcpy(kept, texts->list.at, texts->list.count * sizeof *kept);
    out->at = kept;
    out->count = texts->list.count;
    tac_vec_free(&texts->list);
}

static void notes_of(const tac_exploration *x, tac_exploration_note kind, struct field_value *out)
{
    struct texts texts = {out->arena, "", {0}};
    tac_exploration_each(x, kind, add_text, &texts);
    take_texts(&texts, out);
}
FIELD_GETTER(external_apps, tac_exploration, notes_of(it, TAC_NOTE_EXTERNAL_APP, out))
FIELD_GETTER(empty_fields, tac_exploration, notes_of(it, TAC_NOTE_FIELD_WITHOUT_TEXT, out))

static void unmatched_of(const void *value, struct field_value *out)
{
    struct texts texts = {out->arena, "elements to ignore: ", {0}};
    tac_exploration_each(value, TAC_NOTE_UNUSED_IGNORE, add_text, &texts);
    texts.what = "text to enter: ";
    tac_exploration_each(value, TAC_NOTE_UNUSED_TEXT, add_text, &texts);
    take_texts(&texts, out);
}

/* Which gestures were tried. */
static void gestures_of(const void *value, struct field_value *out)
{
    struct texts texts = {out->arena, "", {0}};
    for (unsigned kind = 0; kind <= TAC_ACTION_DRAG; kind++)
        if (((const tac_exploration *)value)->ex.options.gestures & 1u << kind)
            add_text(&texts, tac_action_kind_name((tac_action_kind)kind), "");
    take_texts(&texts, out);
}

static const struct field crash_fields[] = {FIELDS(struct crash_seen, exception, message, frame)};
static DESCRIBE(crash, struct crash_seen);
static const struct field approximation_fields[] = {
    FIELDS(struct approximation, state, event, reason)};
static DESCRIBE(approximation, struct approximation);
static const struct field counted_fields[] = {
    FIELDS(tac_model_statistics, activities, machines, states, transitions, events)};
static DESCRIBE(counted, tac_model_statistics);

static void counted_of(const void *value, struct field_value *out)
{
    tac_model_statistics *n = tac_arena_calloc(out->arena, 1, sizeof *n);
    tac_model_count(((const tac_exploration *)value)->model.model, n);
    out->at = n;
}
FIELD_GETTER(seconds_of, tac_exploration, out->number = round(it->ex.seconds * 1000) / 1000)
FIELD_GETTER(is_complete, tac_exploration, out->yes = it->complete && !it->ex.limited)

static const char *const strategies[] = {[TAC_EXPLORE_NEAREST] = "nearest",
                                         [TAC_EXPLORE_DFS] = "dfs",
                                         [TAC_EXPLORE_BFS] = "bfs",
                                         [TAC_EXPLORE_NOVELTY] = "novelty"};
TABLE_COVERS(strategies, TAC_EXPLORE_NOVELTY);
static const struct field exploration_fields[] = {
    FIELD_ENUM(tac_exploration, ex.options.strategy, strategies),
    FIELD_GET_POINTER("", counted_of, counted_described, .splice = true),
    FIELD(tac_exploration, ex.events, .key = "events_performed"),
    FIELD(tac_exploration, ex.launches),
    FIELD_GET_NUMBER("virtual_seconds", seconds_of),
    FIELD_GET_LIST("nondeterministic", differing_of, nondeterministic_described),
    FIELD_GET_TEXTS("unmatched_options", unmatched_of),
    FIELD_GET_BOOL("complete", is_complete),
    FIELD(tac_exploration, ex.unreached, .key = "unreached_events"),
    FIELD_LIST(tac_exploration, ex.crashes.at, ex.crashes.count, crash_described, .key = "crashes"),
    FIELD_GET_TEXTS("external_apps", external_apps),
    FIELD_GET_TEXTS("fields_without_text", empty_fields),
    FIELD_GET_LIST("skipped", skipped_of, skipped_described),
    FIELD(tac_exploration, ex.unsettled),
    FIELD_GET_TEXTS("gestures", gestures_of),
    FIELD(tac_exploration, ex.forgotten, .key = "reconsidered"),
    FIELD(tac_exploration, failure.message, .key = "failure", .known = IF(tac_exploration, failed)),
    FIELD_LIST(tac_exploration, model.approximate.at, model.approximate.count,
               approximation_described, .key = "approximate")};
DESCRIBE(exploration, tac_exploration);

json_t *tac_exploration_json(const tac_exploration *x)
{
    return describe_json_with(&exploration_described, x, x);
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
