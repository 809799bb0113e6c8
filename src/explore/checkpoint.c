/* Checkpoints: all that the explorer knows as one JSON document, written beside the model while the
 * exploration goes on, so that a stopped one resumes with nothing tried twice. The document is
 * written to a temporary file and renamed: it is always whole. */
#include "base/check.h"
#include "base/io/json.h"
#include "explore/explorer.h"
#include "model/model.h"

enum { MAX_CHECKPOINT = 256 << 20 };

/* --- writing --- */

static json_t *text_or_null(const char *text)
{
    return text ? tac_json_string(text) : json_null();
}

static json_t *outcome_document(const struct explorer *ex, const struct explore_outcome *o)
{
    json_t *landings = json_array();
    for (size_t i = 0; i < o->landings.count; i++) {
        const struct landing *l = &o->landings.at[i];
        json_t *by = l->by == NOWHERE ? json_null() : tac_json_string(ex->keys.text[l->by]);
        json_array_append_new(landings, json_pack("[i, i, o]", (int)l->screen, (int)l->count, by));
    }
    return json_pack("[i, I, i, i, i, f, o]", (int)o->kind, (json_int_t)o->target, (int)o->pops,
                     (int)o->count, (int)o->deep, o->delay, landings);
}

static json_t *control_document(const struct explorer *ex, const struct control *c)
{
    json_t *outcomes = json_array();
    for (size_t i = 0; i < c->outcomes.count; i++)
        json_array_append_new(outcomes, outcome_document(ex, &c->outcomes.at[i]));
    return json_pack("{s:o, s:I, s:s, s:b, s:o, s:o, s:o, s:i, s:o}", "key",
                     tac_json_string(ex->keys.text[c->key]), "order", (json_int_t)c->order, "kind",
                     tac_action_kind_name(c->kind), "system", (int)c->system, "xpath",
                     text_or_null(c->xpath), "id", text_or_null(c->resource_id), "value",
                     text_or_null(c->value), "tries", (int)c->tries, "outcomes", outcomes);
}

static json_t *screen_document(const struct explorer *ex, uint32_t number)
{
    const struct screen *s = &ex->screens.at[number];
    json_t *controls = json_array();
    for (size_t i = 0; i < s->controls.count; i++)
        json_array_append_new(controls, control_document(ex, &s->controls.at[i]));
    return json_pack("{s:o, s:o, s:I, s:b, s:b, s:b, s:I, s:I, s:o}", "signature",
                     tac_json_string_n(ex->signatures.text[number], ex->signatures.length[number]),
                     "activity", tac_json_string(ex->names.text[s->activity]), "depth",
                     (json_int_t)s->depth, "watched", (int)s->watched, "launch", (int)s->launch,
                     "forgotten", (int)s->forgotten, "from", (json_int_t)s->found_from, "by",
                     (json_int_t)s->found_by, "controls", controls);
}

static json_t *names_document(const tac_names *names)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < names->count; i++)
        json_array_append_new(list, tac_json_string_n(names->text[i], names->length[i]));
    return list;
}

tac_status checkpoint_write(struct explorer *ex, tac_error *err)
{
    json_t *screens = json_array(), *away = json_array(), *crashes = json_array();
    for (uint32_t i = 0; i < ex->screens.count; i++)
        json_array_append_new(screens, screen_document(ex, i));
    for (size_t i = 0; i < ex->away.count; i++)
        json_array_append_new(away,
                              json_pack("[s, s]", ex->away.at[i].package, ex->away.at[i].activity));
    for (size_t i = 0; i < ex->crashes.count; i++)
        json_array_append_new(crashes,
                              json_pack("[s, s, s]", ex->crashes.at[i].exception,
                                        ex->crashes.at[i].message, ex->crashes.at[i].frame));
    tac_clock_reading clock = {.device = ex->clock_start};
    double seconds = ex->seconds;
    if (!tac_device_clock(ex->device, &clock, NULL))
        seconds += (double)(clock.device - ex->clock_start) / 1e9;
    json_t *document =
        json_pack("{s:i, s:s, s:i, s:I, s:I, s:f, s:o, s:o, s:o}", "tactus-exploration", 1,
                  "package", ex->package, "list_items", (int)ex->options.list_items, "events",
                  (json_int_t)ex->events, "launches", (json_int_t)ex->launches, "seconds", seconds,
                  "away", away, "crashes", crashes, "screens", screens);
    json_object_set_new(document, "counted", names_document(&ex->counted));
    json_object_set_new(document, "finer", names_document(&ex->finer));
    tac_status st = tac_json_save(document, ex->options.checkpoint, err);
    json_decref(document);
    return st;
}

/* --- reading --- */

struct reader {
    struct explorer *ex;
    tac_json file;
    char pointer[128];
    size_t screens, away, crashes;
    tac_error *err;
};

static tac_status broken(struct reader *r, const char *what)
{
    return tac_json_fail(&r->file, r->pointer, r->err,
                         "this checkpoint is damaged: %s; explore again from the start", what);
}

static bool number_in(const json_t *value, json_int_t most, uint32_t *out)
{
    json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 0 || (n > most && n != (json_int_t)NOWHERE))
        return false;
    *out = (uint32_t)n;
    return true;
}

static bool read_outcome(const struct reader *r, const json_t *json, struct explore_outcome *o)
{
    uint32_t kind = 0, deep = 0;
    json_int_t most = (json_int_t)r->screens - 1;
    bool good = json_array_size(json) == 7 && number_in(json_array_get(json, 0), CRASHED, &kind) &&
                kind <= CRASHED;
    o->kind = (enum outcome_kind)kind;
    if (o->kind == AWAY)
        most = (json_int_t)r->away - 1;
    else if (o->kind == CRASHED)
        most = (json_int_t)r->crashes - 1;
    good = good && number_in(json_array_get(json, 1), most, &o->target) &&
           number_in(json_array_get(json, 2), MAX_FRAMES, &o->pops) && o->pops <= MAX_FRAMES &&
           number_in(json_array_get(json, 3), UINT32_MAX - 1, &o->count) &&
           number_in(json_array_get(json, 4), 1, &deep);
    bool lands = o->kind == WENT || o->kind == CALLED || o->kind == AWAY || o->kind == CRASHED;
    if (!good || (lands && o->target == NOWHERE))
        return false;
    o->deep = deep;
    o->delay = json_number_value(json_array_get(json, 5));
    size_t i;
    json_t *pair;
    json_array_foreach(json_array_get(json, 6), i, pair)
    {
        struct landing l = {0};
        if (!number_in(json_array_get(pair, 0), (json_int_t)r->screens - 1, &l.screen) ||
            !number_in(json_array_get(pair, 1), UINT32_MAX - 1, &l.count) || l.screen == NOWHERE)
            return false;
        const char *by = json_string_value(json_array_get(pair, 2));
        l.by = by ? tac_names_intern(&r->ex->keys, by) : NOWHERE;
        tac_vec_push(&o->landings, l);
    }
    return true;
}

static const char *kept_text(struct reader *r, const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text ? tac_arena_strdup(&r->ex->arena, text) : NULL;
}

static tac_status read_control(struct reader *r, const json_t *json, struct screen *s)
{
    const char *key = json_string_value(json_object_get(json, "key"));
    const char *kind = json_string_value(json_object_get(json, "kind"));
    tac_action_kind action;
    if (!key || !kind || !tac_action_kind_parse(kind, &action))
        return broken(r, "a control has no key or kind");
    struct control c = {.key = tac_names_intern(&r->ex->keys, key),
                        .rank = NOWHERE,
                        .kind = action,
                        .system = json_is_true(json_object_get(json, "system")),
                        .xpath = kept_text(r, json, "xpath"),
                        .resource_id = kept_text(r, json, "id"),
                        .value = kept_text(r, json, "value")};
    bool good = number_in(json_object_get(json, "order"), UINT32_MAX, &c.order) &&
                number_in(json_object_get(json, "tries"), UINT32_MAX, &c.tries);
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(json, "outcomes"), i, item)
    {
        struct explore_outcome o = {0};
        good = good && read_outcome(r, item, &o);
        tac_vec_push(&c.outcomes, o);
    }
    tac_vec_push(&s->controls, c);
    return good ? TAC_OK : broken(r, "a control has wrong numbers");
}

static tac_status read_screen(struct reader *r, size_t index, const json_t *json)
{
    struct explorer *ex = r->ex;
    const json_t *signature = json_object_get(json, "signature");
    const char *activity = json_string_value(json_object_get(json, "activity"));
    snprintf(r->pointer, sizeof r->pointer, "/screens/%zu", index);
    if (!json_is_string(signature) || !activity ||
        tac_names_intern_bytes(&ex->signatures, json_string_value(signature),
                               json_string_length(signature)) != index)
        return broken(r, "a screen has no signature of its own");
    struct screen s = {.activity = tac_names_intern(&ex->names, activity),
                       .watched = json_is_true(json_object_get(json, "watched")),
                       .launch = json_is_true(json_object_get(json, "launch")),
                       .forgotten = json_is_true(json_object_get(json, "forgotten"))};
    json_int_t most = (json_int_t)r->screens - 1;
    bool good = number_in(json_object_get(json, "depth"), UINT32_MAX, &s.depth) &&
                number_in(json_object_get(json, "from"), most, &s.found_from) &&
                number_in(json_object_get(json, "by"), UINT32_MAX, &s.found_by);
    tac_status st = good ? TAC_OK : broken(r, "a screen has wrong numbers");
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(json, "controls"), i, item)
    {
        if (!st)
            st = read_control(r, item, &s);
    }
    tac_vec_push(&ex->screens, s);
    return st;
}

static void read_names(const json_t *list, tac_names *out)
{
    size_t i;
    const json_t *item;
    json_array_foreach(list, i, item)
    {
        if (json_is_string(item))
            tac_names_intern_bytes(out, json_string_value(item), json_string_length(item));
    }
}

static tac_status read_lists(struct reader *r)
{
    struct explorer *ex = r->ex;
    const json_t *root = r->file.root;
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(root, "away"), i, item)
    {
        const char *package = json_string_value(json_array_get(item, 0));
        const char *activity = json_string_value(json_array_get(item, 1));
        if (!package || !activity)
            return broken(r, "an application has no name");
        tac_vec_push(&ex->away, (struct away_app){tac_arena_strdup(&ex->arena, package),
                                                  tac_arena_strdup(&ex->arena, activity)});
    }
    json_array_foreach(json_object_get(root, "crashes"), i, item)
    {
        const char *part[3];
        for (size_t k = 0; k < 3; k++) {
            part[k] = json_string_value(json_array_get(item, k));
            if (!part[k])
                return broken(r, "a crash is not described");
        }
        tac_vec_push(&ex->crashes, (struct crash_seen){tac_arena_strdup(&ex->arena, part[0]),
                                                       tac_arena_strdup(&ex->arena, part[1]),
                                                       tac_arena_strdup(&ex->arena, part[2])});
    }
    read_names(json_object_get(root, "counted"), &ex->counted);
    read_names(json_object_get(root, "finer"), &ex->finer);
    r->away = ex->away.count;
    r->crashes = ex->crashes.count;
    return TAC_OK;
}

/* found_by and call sites index into controls: out of range would be fatal later. */
static tac_status check_links(struct reader *r)
{
    const struct explorer *ex = r->ex;
    for (size_t i = 0; i < ex->screens.count; i++) {
        const struct screen *s = &ex->screens.at[i];
        if (s->found_from != NOWHERE && s->found_by >= ex->screens.at[s->found_from].controls.count)
            return broken(r, "a screen was found by a control that does not exist");
    }
    bool *none = tac_calloc(ex->screens.count + 1, sizeof *none);
    explorer_forget(r->ex, none); /* what leads to forgotten screens */
    free(none);
    explorer_relax(r->ex);
    return explorer_is_whole(ex) ? TAC_OK : broken(r, "its numbers do not fit together");
}

static tac_status read_document(struct reader *r)
{
    struct explorer *ex = r->ex;
    const json_t *root = r->file.root, *screens = json_object_get(root, "screens");
    const char *package = json_string_value(json_object_get(root, "package"));
    if (!json_is_integer(json_object_get(root, "tactus-exploration")) || !package ||
        !json_is_array(screens))
        return tac_json_fail(&r->file, "", r->err, "this is not a checkpoint of tactus explore");
    if (strcmp(package, ex->package) != 0)
        return tac_json_fail(&r->file, "/package", r->err,
                             "this checkpoint is of the app %s, the device runs %s", package,
                             ex->package);
    json_int_t items = json_integer_value(json_object_get(root, "list_items"));
    if (items != ex->options.list_items)
        return tac_json_fail(
            &r->file, "/list_items", r->err,
            "this checkpoint was made with %lld items of each list; explore with as many",
            (long long)items);
    r->screens = json_array_size(screens);
    if (r->screens > MAX_SCREENS)
        return broken(r, "too many screens");
    tac_status st = read_lists(r);
    for (size_t i = 0; i < r->screens && !st; i++)
        st = read_screen(r, i, json_array_get(screens, i));
    if (st)
        return st;
    assert(ex->screens.count == r->screens && ex->signatures.count == r->screens);
    ex->events = (uint64_t)json_integer_value(json_object_get(root, "events"));
    ex->launches = (uint64_t)json_integer_value(json_object_get(root, "launches"));
    ex->seconds = json_number_value(json_object_get(root, "seconds"));
    ex->checkpoint_events = ex->events;
    return check_links(r);
}

tac_status checkpoint_read(struct explorer *ex, const char *path, tac_error *err)
{
    struct reader r = {.ex = ex, .err = err};
    tac_status st = tac_json_load(path, MAX_CHECKPOINT, &r.file, err);
    if (st)
        return st;
    st = read_document(&r);
    tac_json_free(&r.file);
    return st;
}
