/* Experiments on what is missing: "the app crashes unless x came before".
 *
 * Where such a pattern comes from: mined (G4), or simply seen: an event that came before the same
 * last event in nearly every run that survived it, and in hardly any that failed. The result is
 * then executed with x put in where the detour is shortest. It is confirmed when no try fails and
 * every try came to its end, while the detour without x, where there is one, fails as before. */
#include "base/data/alloc.h"
#include "reproduce/cause.h"

enum { MOST_EXPERIMENTS = 12, MOST_PLACEMENTS = 3 };

/* What may be missing. */
struct missing {
    const char *what; /* the event, or the place */
    bool is_state;
    char *pattern, *claim; /* owned */
};

struct experiments {
    struct hunt *hunt;
    struct judge *judge;
    const struct cause *cause;
    const struct trail *trail;
    bool *failing; /* per run of the source: it failed so */
    TAC_VEC(struct missing) list;
};

/* --- what may be missing --- */

static bool is_listed(const struct experiments *in, const char *what)
{
    for (size_t i = 0; i < in->list.count; i++)
        if (!strcmp(in->list.at[i].what, what))
            return true;
    return false;
}

static void list_mined(struct experiments *in)
{
    const tac_cluster_result *cluster = hunt_cluster(in->hunt, in->cause);
    const tac_runs *runs = in->hunt->source.mined;
    for (size_t i = 0; cluster && i < cluster->pattern_count; i++) {
        const tac_mined_pattern *pattern = &cluster->patterns[i];
        const char *what = tac_token_text(runs, pattern->tail);
        if (pattern->form != TAC_G4 || is_listed(in, what))
            continue;
        struct missing missing = {.what = what,
                                  .is_state = tac_token_is_state(runs, pattern->tail),
                                  .pattern = tac_pattern_formula(runs, pattern),
                                  .claim = tac_pattern_claim(runs, pattern)};
        tac_vec_push(&in->list, missing);
    }
}

static const char *event_at(const struct experiments *in, const struct script *script, size_t i)
{
    return in->hunt->known.steps.at.at[script->at[i]].event;
}

/* Where a run did the last event of the result and went on; SIZE_MAX when it did not. */
static size_t survived_at(const struct experiments *in, const struct source_run *run)
{
    const char *last = event_at(in, &in->trail->script, in->trail->script.count - 1);
    const struct script *script = &run->trail.script;
    size_t end = run->end != TAC_STORED_PASS && script->count ? script->count - 1 : script->count;
    for (size_t i = 0; i < end; i++)
        if (!strcmp(event_at(in, script, i), last))
            return i;
    return SIZE_MAX;
}

static bool comes_before(const struct experiments *in, const struct source_run *run,
                         const char *event, size_t before)
{
    for (size_t i = 0; i < before && i < run->trail.script.count; i++)
        if (!strcmp(event_at(in, &run->trail.script, i), event))
            return true;
    return false;
}

/* Before the last event in nearly every run that survived it, in hardly any that failed: a run may
 * have lost again what it once had. The experiment decides. */
static bool tells_apart(const struct experiments *in, const char *event)
{
    const struct source *source = &in->hunt->source;
    size_t survivors = 0, with = 0, failed = 0, failed_with = 0;
    for (size_t i = 0; i < source->runs.count; i++) {
        const struct source_run *run = &source->runs.at[i];
        size_t survived = in->failing[i] ? SIZE_MAX : survived_at(in, run);
        if (in->failing[i]) {
            failed++;
            failed_with += comes_before(in, run, event, SIZE_MAX);
        } else if (survived != SIZE_MAX) {
            survivors++;
            with += comes_before(in, run, event, survived);
        }
    }
    return with * 10 >= survivors * 9 && failed_with * 10 <= failed;
}

static void list_seen(struct experiments *in)
{
    const struct source *source = &in->hunt->source;
    const char *last = event_at(in, &in->trail->script, in->trail->script.count - 1);
    for (size_t i = 0, looked = 0; i < source->runs.count && looked < 3; i++) {
        const struct source_run *run = &source->runs.at[i];
        size_t survived = in->failing[i] ? SIZE_MAX : survived_at(in, run);
        if (survived == SIZE_MAX)
            continue;
        looked++;                               /* what is missing is in nearly all of them */
        for (size_t k = survived; k > 0; k--) { /* the nearest first */
            const char *event = event_at(in, &run->trail.script, k - 1);
            if (is_listed(in, event) || !strcmp(event, last) || !tells_apart(in, event))
                continue;
            struct missing missing = {.what = event,
                                      .pattern = tac_format("(!%s) U (%s)", event, last),
                                      .claim = tac_format("%s comes before any %s", last, event)};
            tac_vec_push(&in->list, missing);
        }
    }
}

/* --- putting it in --- */

/* One way to put it in: before step `at` of the result. */
struct placement {
    struct script with, without; /* without: the detour alone; empty when there is none */
    size_t added;
    uint32_t step; /* x, or TAC_NONE for a visit */
};

static void placement_free(struct placement *placement)
{
    tac_vec_free(&placement->with);
    tac_vec_free(&placement->without);
}

/* From `at`, the way to `place`, the step x there (TAC_NONE: only the visit), and on with the rest
 * from wherever its first step is possible. */
static bool place_it(const struct experiments *in, size_t at, uint32_t place, uint32_t step,
                     struct placement *out)
{
    const struct places *places = &in->hunt->seen;
    const struct trail *trail = in->trail;
    uint32_t next = trail->script.at[at], back, after = place;
    *out = (struct placement){.step = step};
    tac_vec_append(&out->with, trail->script.at, at);
    if (!places_path(places, trail->at.at[at], place, &out->with))
        return false;
    out->without = script_copy(&out->with);
    if (step != TAC_NONE) {
        tac_vec_push(&out->with, step);
        after = places_next(places, place, step);
    }
    /* the step that fails is seen nowhere: any place that looks as before will do */
    if (!places_path_to_step(places, after, next, &out->with, &back) &&
        !places_path(places, after, trail->at.at[at], &out->with))
        return false;
    bool control =
        step != TAC_NONE && (places_path_to_step(places, place, next, &out->without, &back) ||
                             places_path(places, place, trail->at.at[at], &out->without));
    tac_vec_append(&out->with, trail->script.at + at, trail->script.count - at);
    tac_vec_append(&out->without, trail->script.at + at, trail->script.count - at);
    if (!control || script_equal(&out->without, &trail->script))
        out->without.count = 0;
    out->added = out->with.count - trail->script.count;
    return true;
}

typedef struct placement_list {
    struct placement *at;
    size_t count, capacity;
} placement_list;

/* Keeps the shortest few, in order. */
static void keep_placement(placement_list *list, struct placement placement)
{
    size_t to = list->count;
    tac_vec_push(list, placement);
    for (; to > 0 && list->at[to - 1].added > placement.added; to--)
        list->at[to] = list->at[to - 1];
    list->at[to] = placement;
    if (list->count > MOST_PLACEMENTS)
        placement_free(&tac_vec_pop(list));
}

static placement_list placements_of(const struct experiments *in, const struct missing *missing)
{
    const struct places *places = &in->hunt->seen;
    placement_list list = {0};
    uint32_t state = missing->is_state ? tac_names_find(&places->names, missing->what) : TAC_NONE;
    for (size_t at = 0; at < in->trail->script.count; at++) {
        struct placement placement;
        if (in->trail->at.at[at] == TAC_NONE)
            continue;
        if (state != TAC_NONE) {
            if (place_it(in, at, state, TAC_NONE, &placement))
                keep_placement(&list, placement);
            else
                placement_free(&placement);
        }
        for (uint32_t e = 0; e < places->edges.count && !missing->is_state; e++) {
            const struct place_edge *edge = &places->edges.at[e];
            if (strcmp(in->hunt->known.steps.at.at[edge->step].event, missing->what) != 0)
                continue;
            if (place_it(in, at, edge->from, edge->step, &placement))
                keep_placement(&list, placement);
            else
                placement_free(&placement);
        }
    }
    return list;
}

/* --- the experiment --- */

static tac_status judge_placement(const struct experiments *in, const struct placement *placement,
                                  tac_counterfactual *out, tac_error *err)
{
    struct known with, control = {0};
    struct judge *judge = in->judge;
    bool fails = true;
    tac_status status = judge_try(judge, &placement->with, judge->tries, &with, err);
    if (status != TAC_OK)
        return status;
    out->tried = with.own;
    out->failed = with.own_failed;
    out->verdict = with.own_failed          ? TAC_EXPERIMENT_REFUTED
                   : with.passed < with.own ? TAC_EXPERIMENT_OPEN
                                            : TAC_EXPERIMENT_CONFIRMED;
    if (out->verdict != TAC_EXPERIMENT_CONFIRMED || !placement->without.count)
        return TAC_OK;
    status = judge_fails(judge, &placement->without, &fails, err);
    control = knowledge_of(judge->known, &placement->without, judge->scenario, judge->failure);
    out->control_tried = judge->at_the_end ? control.own : control.tried;
    out->control_failed = judge->at_the_end ? control.own_failed : control.failed;
    if (!fails)
        out->verdict = TAC_EXPERIMENT_OPEN; /* the detour alone prevents it */
    return status;
}

static const char *device_of(const struct experiments *in, const struct placement *placement)
{
    const tac_flow_step *steps = in->hunt->known.steps.at.at;
    return placement->step == TAC_NONE ? "" : steps[placement->step].device;
}

static tac_status experiment(const struct experiments *in, const struct missing *missing,
                             tac_counterfactual *out, tac_error *err)
{
    placement_list list = placements_of(in, missing);
    tac_status status = TAC_OK;
    *out = (tac_counterfactual){.pattern = tac_strdup(missing->pattern),
                                .claim = tac_strdup(missing->claim),
                                .inserted = tac_strdup(missing->what),
                                .is_state = missing->is_state,
                                .verdict = TAC_EXPERIMENT_OPEN};
    for (size_t i = 0; i < list.count && status == TAC_OK && out->verdict == TAC_EXPERIMENT_OPEN;
         i++) {
        free(out->device);
        out->device = tac_strdup(device_of(in, &list.at[i]));
        status = judge_placement(in, &list.at[i], out, err);
    }
    if (!out->device)
        out->device = tac_strdup("");
    for (size_t i = 0; i < list.count; i++)
        placement_free(&list.at[i]);
    tac_vec_free(&list);
    return status;
}

tac_status try_counterfactuals(struct hunt *hunt, struct judge *judge, const struct cause *cause,
                               const struct trail *trail, tac_reproduction *out, tac_error *err)
{
    struct experiments in = {.hunt = hunt, .judge = judge, .cause = cause, .trail = trail};
    tac_status status = TAC_OK;
    if (trail->script.count && cause->kind == TAC_FAILURE_CRASH) {
        in.failing = tac_calloc(hunt->source.runs.count, sizeof *in.failing);
        for (size_t i = 0; i < cause->runs.count; i++)
            in.failing[cause->runs.at[i]] = true;
        list_mined(&in);
        list_seen(&in);
    }
    size_t count = in.list.count < MOST_EXPERIMENTS ? in.list.count : MOST_EXPERIMENTS;
    out->counterfactuals = tac_calloc(count, sizeof *out->counterfactuals);
    for (size_t i = 0; i < count && status == TAC_OK; i++)
        status = experiment(&in, &in.list.at[i], &out->counterfactuals[out->counterfactual_count++],
                            err);
    for (size_t i = 0; i < in.list.count; i++) {
        free(in.list.at[i].pattern);
        free(in.list.at[i].claim);
    }
    tac_vec_free(&in.list);
    free(in.failing);
    return status;
}
