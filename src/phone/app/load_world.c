/* The rest of an app file: streams, channels, planted crashes, and what things cost. */
#include "phone/app/load.h"
#include "phone/phone.h"

static tac_status load_stream(struct sim_place *place, const char *name, const json_t *json,
                              void *context)
{
    static const struct sim_field fields[] = {
        SIM_NUMBER("seconds", struct sim_stream, seconds, 0.1, 1e6),
        SIM_NUMBER("kbps", struct sim_stream, kbps, 1, 1e6),
        SIM_NUMBER("chunk", struct sim_stream, chunk, 1500, 1e9),
        SIM_NUMBER("timeout", struct sim_stream, timeout, 0.5, 3600),
        SIM_NUMBER("ahead", struct sim_stream, ahead, 0, 1e6),
        SIM_AT("start", TEXT, struct sim_stream, on_start),
        SIM_AT("pause", TEXT, struct sim_stream, on_pause),
        SIM_END};
    struct sim_stream stream = {
        .name = name, .seconds = 180, .kbps = 128, .chunk = 262144, .timeout = 8};
    struct sim_app *app = context;
    tac_status st = sim_check_name(place, name);
    if (!st)
        st = sim_load_fields(place, json, "a stream (an object)", fields, &stream);
    if (!st)
        tac_vec_push(&app->streams, stream);
    return st;
}

tac_status sim_load_streams(struct sim_place *place, const json_t *root)
{
    return sim_each(place, root, "streams", JSON_OBJECT, "an object of named streams", load_stream,
                    place->app);
}

static tac_status load_channel(struct sim_place *place, const char *name, const json_t *json,
                               void *context)
{
    static const struct sim_field fields[] = {
        SIM_AT("event", LABEL, struct sim_channel, label),
        SIM_NUMBER("bytes", struct sim_channel, bytes, 1, 1e9),
        SIM_NUMBER("delay", struct sim_channel, delay, TAC_EXCHANGE_LEAST_DELAY, 1e6),
        SIM_AT_HAS("into", VARIABLE, struct sim_channel, into, bound), SIM_END};
    struct sim_channel channel = {.name = name, .label = SIM_NONE, .bytes = 600, .delay = 0.2};
    struct sim_app *app = context;
    tac_status st = sim_check_name(place, name);
    if (!st)
        st = sim_load_fields(place, json, "a channel (an object)", fields, &channel);
    if (!st && app->channels.count == SIM_MAX_CHANNELS)
        st = sim_wrong(place, "at most %d channels are possible", SIM_MAX_CHANNELS);
    if (st)
        return st;
    if (channel.label == SIM_NONE)
        channel.label = sim_label(app, name);
    tac_vec_push(&app->channels, channel);
    return TAC_OK;
}

tac_status sim_load_channels(struct sim_place *place, const json_t *root)
{
    return sim_each(place, root, "channels", JSON_OBJECT, "an object of named channels",
                    load_channel, place->app);
}

static tac_status load_event(struct sim_place *place, const char *name, const json_t *event,
                             void *context)
{
    struct sim_crash *crash = context;
    (void)name;
    if (!json_is_string(event))
        return sim_wrong(place, "expected the name of an event");
    crash->events[crash->event_count++] = sim_label(place->app, json_string_value(event));
    return TAC_OK;
}

/* Exactly one of: {"contiguous": [..]}, {"gaps": [..]}, {"event", "never"},
 * {"after", "without", "for"}. */
static tac_status load_pattern(struct sim_place *place, const json_t *when, struct sim_crash *crash)
{
    static const struct sim_field fields[] = {SIM_ONLY("contiguous", OTHER),
                                              SIM_ONLY("gaps", OTHER),
                                              SIM_ONLY("event", TEXT),
                                              SIM_ONLY("never", TEXT),
                                              SIM_ONLY("after", TEXT),
                                              SIM_ONLY("without", TEXT),
                                              {"for", SIM_FIELD_NUMBER, 0, 0, 1, 1e6},
                                              SIM_END};
    double count = 10;
    tac_status st =
        sim_load_fields(place, when, "\"when\": a condition (an object)", fields, &count);
    if (st)
        return st;
    const char *key = json_object_get(when, "contiguous") ? "contiguous" : "gaps";
    const json_t *sequence = json_object_get(when, key);
    size_t length = json_array_size(sequence);
    if (sequence && (length == 0 || length > SIM_MAX_SEQUENCE))
        return sim_wrong_member(place, key, "expected an array of 1 to %d names of events",
                                SIM_MAX_SEQUENCE);
    if (sequence) {
        crash->pattern = key[0] == 'g' ? SIM_GAPS : SIM_CONTIGUOUS;
        return sim_each(place, when, key, JSON_ARRAY, "names of events", load_event, crash);
    }
    const char *after = sim_text_of(when, "after");
    const char *event = after ? after : sim_text_of(when, "event");
    const char *never = sim_text_of(when, after ? "without" : "never");
    if (!event || !never)
        return sim_wrong(place, "'when' needs 'contiguous', 'gaps', 'event' with 'never', or "
                                "'after' with 'without'");
    crash->pattern = after ? SIM_STARVED : SIM_NEVER;
    crash->events[0] = sim_label(place->app, event);
    crash->event_count = 1;
    crash->without = sim_label(place->app, never);
    crash->count = (uint32_t)count;
    return TAC_OK;
}

static tac_status load_frame(struct sim_place *place, const char *name, const json_t *frame,
                             void *next)
{
    const char ***to = next;
    (void)name;
    if (!json_is_string(frame))
        return sim_wrong(place,
                         "a frame is a text such as \"com.example.Player.play(Player.java:42)\"");
    *(*to)++ = json_string_value(frame);
    return TAC_OK;
}

static tac_status load_crash(struct sim_place *place, const char *name, const json_t *json,
                             void *context)
{
    static const struct sim_field fields[] = {
        SIM_AT("name", TEXT, struct sim_crash, name),
        SIM_AT("exception", TEXT, struct sim_crash, exception),
        SIM_AT("message", TEXT, struct sim_crash, message),
        SIM_AT("if", EXPR, struct sim_crash, condition),
        SIM_ONLY("when", OTHER),
        SIM_ONLY("stack", OTHER),
        SIM_END};
    struct sim_crash crash = {.name = "crash",
                              .exception = "java.lang.RuntimeException",
                              .message = "",
                              .without = SIM_NONE};
    struct sim_app *app = context;
    size_t frames = json_array_size(json_object_get(json, "stack"));
    (void)name;
    tac_status st = sim_load_fields(place, json, "a crash (an object)", fields, &crash);
    if (!st && (frames == 0 || frames > 200))
        st = sim_wrong_member(place, "stack",
                              "'stack' must be an array of 1 to 200 frames, topmost first");
    if (st)
        return st;
    const char **next = tac_arena_calloc(&app->arena, frames, sizeof *next);
    crash.stack = next;
    crash.stack_count = frames;
    st = sim_each(place, json, "stack", JSON_ARRAY, "frames", load_frame, &next);
    if (st)
        return st;
    size_t was = sim_enter(place, "when");
    st = load_pattern(place, json_object_get(json, "when"), &crash);
    if (st)
        return st;
    sim_leave(place, was);
    tac_vec_push(&app->crashes, crash);
    return TAC_OK;
}

tac_status sim_load_crashes(struct sim_place *place, const json_t *root)
{
    return sim_each(place, root, "crashes", JSON_ARRAY, "an array of crashes", load_crash,
                    place->app);
}

#define FIGURE(key, member) SIM_NUMBER(key, struct sim_resources, member, 0, 1e12)

static tac_status load_figures(struct sim_place *place, const char *name, const json_t *json,
                               void *context)
{
    static const struct sim_field power[] = {FIGURE("base", base_watts),
                                             FIGURE("screen", screen_watts),
                                             FIGURE("cpu", cpu_watts),
                                             FIGURE("radio", radio_watts),
                                             FIGURE("tail", tail_watts),
                                             FIGURE("audio", audio_watts),
                                             FIGURE("tailSeconds", tail_seconds),
                                             SIM_END};
    static const struct sim_field heap[] = {FIGURE("base", heap_base),
                                            FIGURE("activity", heap_activity),
                                            FIGURE("event", heap_event), SIM_END};
    static const struct sim_field cpu[] = {FIGURE("event", cpu_event), FIGURE("launch", cpu_launch),
                                           FIGURE("media", cpu_media), SIM_END};
    static const struct sim_field times[] = {FIGURE("event", event_seconds),
                                             FIGURE("launch", launch_seconds), SIM_END};
    const struct sim_field *fields = !strcmp(name, "power")  ? power
                                     : !strcmp(name, "heap") ? heap
                                     : !strcmp(name, "cpu")  ? cpu
                                                             : times;
    return name[0] == '#' ? TAC_OK
                          : sim_load_fields(place, json, "an object of numbers", fields, context);
}

tac_status sim_load_resources(struct sim_place *place, const json_t *root)
{
    static const struct sim_field known[] = {SIM_ONLY("power", OTHER), SIM_ONLY("heap", OTHER),
                                             SIM_ONLY("cpu", OTHER), SIM_ONLY("time", OTHER),
                                             SIM_END};
    struct sim_resources *r = &place->app->resources;
    const json_t *json = json_object_get(root, "resources");
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
    if (!json)
        return TAC_OK;
    size_t was = sim_enter(place, "resources");
    tac_status st = sim_load_fields(place, json, "an object", known, NULL);
    if (!st)
        st = sim_all(place, json, JSON_OBJECT, "an object", load_figures, r);
    if (!st)
        sim_leave(place, was);
    return st;
}
