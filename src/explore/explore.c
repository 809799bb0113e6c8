/* The exploration from the outside: options, and the run. */
#include "base/check.h"
#include "base/data/text.h"
#include "explore/crew.h"
#include "explore/exploration.h"

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
    tac_vec_free(&exploration->model.approximate);
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
