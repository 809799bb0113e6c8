/* The rest of an app file: streams, planted crashes, and what things cost. */
#include "phone/app/app.h"

uint32_t sim_find_stream(const struct sim_app *app, const char *name)
{
    for (uint32_t i = 0; i < app->streams.count; i++)
        if (!strcmp(app->streams.at[i].name, name))
            return i;
    return SIM_NONE;
}

static tac_status load_stream(struct sim_place *place, const char *name, const json_t *json)
{
    static const char *const known[] = {"seconds", "kbps",  "chunk", "timeout",
                                        "ahead",   "start", "pause", NULL};
    struct sim_stream stream = {
        .name = name, .seconds = 180, .kbps = 128, .chunk = 262144, .timeout = 8};
    tac_status st = sim_want(place, json, JSON_OBJECT, "a stream (an object)");
    if (!st)
        st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_number(place, json, "seconds", 0.1, 1e6, &stream.seconds);
    if (!st)
        st = sim_get_number(place, json, "kbps", 1, 1e6, &stream.kbps);
    if (!st)
        st = sim_get_number(place, json, "chunk", 1500, 1e9, &stream.chunk);
    if (!st)
        st = sim_get_number(place, json, "timeout", 0.5, 3600, &stream.timeout);
    if (!st)
        st = sim_get_number(place, json, "ahead", 0, 1e6, &stream.ahead);
    if (!st)
        st = sim_get_text(place, json, "start", &stream.on_start);
    if (!st)
        st = sim_get_text(place, json, "pause", &stream.on_pause);
    if (!st)
        tac_vec_push(&place->app->streams, stream);
    return st;
}

tac_status sim_load_streams(struct sim_place *place, const json_t *root)
{
    return sim_each_member(place, root, "streams", "an object of named streams", load_stream);
}

static tac_status load_sequence(struct sim_place *place, const json_t *array,
                                struct sim_crash *crash)
{
    size_t n = json_array_size(array);
    if (!json_is_array(array) || n == 0 || n > SIM_MAX_SEQUENCE)
        return sim_wrong(place, "expected an array of 1 to %d names of events", SIM_MAX_SEQUENCE);
    for (size_t i = 0; i < n; i++) {
        const json_t *name = json_array_get(array, i);
        size_t was = sim_enter_item(place, i);
        if (!json_is_string(name))
            return sim_wrong(place, "expected the name of an event");
        crash->events[i] = sim_label(place->app, json_string_value(name));
        sim_leave(place, was);
    }
    crash->event_count = (uint32_t)n;
    return TAC_OK;
}

/* Exactly one of: {"contiguous": [..]}, {"gaps": [..]}, {"event", "never"},
 * {"after", "without", "for"}. */
static tac_status load_pattern(struct sim_place *place, const json_t *when, struct sim_crash *crash)
{
    static const char *const known[] = {"contiguous", "gaps",    "event", "never",
                                        "after",      "without", "for",   NULL};
    tac_status st = sim_want(place, when, JSON_OBJECT, "\"when\": a condition (an object)");
    if (!st)
        st = sim_only_keys(place, when, known);
    if (st)
        return st;
    const char *sequence = json_object_get(when, "contiguous") ? "contiguous" : "gaps";
    if (json_object_get(when, sequence)) {
        crash->pattern = !strcmp(sequence, "gaps") ? SIM_GAPS : SIM_CONTIGUOUS;
        size_t was = sim_enter(place, sequence);
        st = load_sequence(place, json_object_get(when, sequence), crash);
        if (!st)
            sim_leave(place, was);
        return st;
    }
    const char *event = NULL, *never = NULL;
    bool starved = json_object_get(when, "after") != NULL;
    double count = 10;
    st = sim_get_text(place, when, starved ? "after" : "event", &event);
    if (!st)
        st = sim_get_text(place, when, starved ? "without" : "never", &never);
    if (!st)
        st = sim_get_number(place, when, "for", 1, 1e6, &count);
    if (st)
        return st;
    if (!event || !never)
        return sim_wrong(place, "'when' needs 'contiguous', 'gaps', 'event' with 'never', or "
                                "'after' with 'without'");
    crash->pattern = starved ? SIM_STARVED : SIM_NEVER;
    crash->events[0] = sim_label(place->app, event);
    crash->event_count = 1;
    crash->without = sim_label(place->app, never);
    crash->count = (uint32_t)count;
    return TAC_OK;
}

static tac_status load_stack(struct sim_place *place, const json_t *stack, struct sim_crash *crash)
{
    size_t n = json_array_size(stack);
    if (!json_is_array(stack) || n == 0 || n > 200)
        return sim_wrong(place, "'stack' must be an array of 1 to 200 frames, topmost first");
    const char **frames = tac_arena_calloc(&place->app->arena, n, sizeof *frames);
    for (size_t i = 0; i < n; i++) {
        frames[i] = json_string_value(json_array_get(stack, i));
        if (!frames[i]) {
            sim_enter_item(place, i);
            return sim_wrong(
                place, "a frame is a text such as \"com.example.Player.play(Player.java:42)\"");
        }
    }
    crash->stack = frames;
    crash->stack_count = n;
    return TAC_OK;
}

static tac_status load_crash(struct sim_place *place, const json_t *json)
{
    static const char *const known[] = {"name",    "when",  "if", "exception",
                                        "message", "stack", NULL};
    struct sim_crash crash = {.name = "crash",
                              .exception = "java.lang.RuntimeException",
                              .message = "",
                              .without = SIM_NONE,
                              .condition = SIM_NONE};
    tac_status st = sim_want(place, json, JSON_OBJECT, "a crash (an object)");
    if (!st)
        st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_text(place, json, "name", &crash.name);
    if (!st)
        st = sim_get_text(place, json, "exception", &crash.exception);
    if (!st)
        st = sim_get_text(place, json, "message", &crash.message);
    if (!st)
        st = sim_get_expr(place, json, "if", &crash.condition);
    if (st)
        return st;
    size_t was = sim_enter(place, "stack");
    st = load_stack(place, json_object_get(json, "stack"), &crash);
    if (st)
        return st;
    sim_leave(place, was);
    was = sim_enter(place, "when");
    st = load_pattern(place, json_object_get(json, "when"), &crash);
    if (st)
        return st;
    sim_leave(place, was);
    tac_vec_push(&place->app->crashes, crash);
    return TAC_OK;
}

tac_status sim_load_crashes(struct sim_place *place, const json_t *root)
{
    const json_t *all = json_object_get(root, "crashes");
    if (!all)
        return TAC_OK;
    size_t was = sim_enter(place, "crashes");
    tac_status st = sim_want(place, all, JSON_ARRAY, "an array of crashes");
    size_t i;
    json_t *json;
    json_array_foreach((json_t *)all, i, json)
    {
        if (st)
            break;
        size_t at = sim_enter_item(place, i);
        st = load_crash(place, json);
        if (!st)
            sim_leave(place, at);
    }
    if (!st)
        sim_leave(place, was);
    return st;
}

struct figure {
    const char *key;
    double *to;
};

static tac_status load_figures(struct sim_place *place, const json_t *parent, const char *key,
                               const struct figure *figures, size_t count)
{
    const json_t *json = json_object_get(parent, key);
    if (!json)
        return TAC_OK;
    const char *known[16] = {NULL};
    size_t was = sim_enter(place, key);
    tac_status st = sim_want(place, json, JSON_OBJECT, "an object of numbers");
    for (size_t i = 0; i < count; i++)
        known[i] = figures[i].key;
    if (!st)
        st = sim_only_keys(place, json, known);
    for (size_t i = 0; !st && i < count; i++)
        st = sim_get_number(place, json, figures[i].key, 0, 1e12, figures[i].to);
    if (!st)
        sim_leave(place, was);
    return st;
}

tac_status sim_load_resources(struct sim_place *place, const json_t *root)
{
    static const char *const known[] = {"power", "heap", "cpu", "time", NULL};
    struct sim_resources *r = &place->app->resources;
    *r = (struct sim_resources){.base_watts = 0.25,
                                .screen_watts = 0.7,
                                .cpu_watts = 1.4,
                                .radio_watts = 1.1,
                                .tail_watts = 0.55,
                                .audio_watts = 0.3,
                                .tail_seconds = 2.5,
                                .heap_base = 24e6,
                                .heap_activity = 2.5e6,
                                .heap_event = 2048,
                                .cpu_event = 0.018,
                                .cpu_launch = 0.22,
                                .cpu_media = 0.03,
                                .event_seconds = 0.12,
                                .launch_seconds = 0.45};
    const json_t *json = json_object_get(root, "resources");
    if (!json)
        return TAC_OK;
    size_t was = sim_enter(place, "resources");
    tac_status st = sim_want(place, json, JSON_OBJECT, "an object");
    if (!st)
        st = sim_only_keys(place, json, known);
    const struct figure power[] = {{"base", &r->base_watts},         {"screen", &r->screen_watts},
                                   {"cpu", &r->cpu_watts},           {"radio", &r->radio_watts},
                                   {"tail", &r->tail_watts},         {"audio", &r->audio_watts},
                                   {"tailSeconds", &r->tail_seconds}};
    const struct figure heap[] = {
        {"base", &r->heap_base}, {"activity", &r->heap_activity}, {"event", &r->heap_event}};
    const struct figure cpu[] = {
        {"event", &r->cpu_event}, {"launch", &r->cpu_launch}, {"media", &r->cpu_media}};
    const struct figure times[] = {{"event", &r->event_seconds}, {"launch", &r->launch_seconds}};
    if (!st)
        st = load_figures(place, json, "power", power, 7);
    if (!st)
        st = load_figures(place, json, "heap", heap, 3);
    if (!st)
        st = load_figures(place, json, "cpu", cpu, 3);
    if (!st)
        st = load_figures(place, json, "time", times, 2);
    if (!st)
        sim_leave(place, was);
    return st;
}
