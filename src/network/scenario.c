/* Reads scenario files (docs/app-files.md) and tells the state of the network at a time. The
 * shipped scenarios of examples/scenarios/ are also embedded in the program, so that their names
 * work everywhere. Looking up is O(1) amortised for growing times, O(log n) otherwise. */
#include "network/scenario.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "base/io/json.h"
#include "network/scenario_cafe.h"
#include "network/scenario_festival.h"
#include "network/scenario_ideal.h"
#include "network/scenario_pedestrian.h"
#include "network/scenario_train.h"
#include <jansson.h>
#include <math.h>
#include <sys/stat.h>

enum { MAX_SCENARIO_SIZE = 16 << 20, MAX_SEGMENTS = 100000 };

static const struct {
    const char *name;
    const char *text;
    unsigned long size;
} built_in[] = {{"pedestrian", scenario_pedestrian_text, sizeof scenario_pedestrian_text - 1},
                {"festival", scenario_festival_text, sizeof scenario_festival_text - 1},
                {"cafe", scenario_cafe_text, sizeof scenario_cafe_text - 1},
                {"train", scenario_train_text, sizeof scenario_train_text - 1},
                {"ideal", scenario_ideal_text, sizeof scenario_ideal_text - 1}};
enum { BUILT_IN = sizeof built_in / sizeof *built_in };

const char *const *tac_scenario_names(void)
{
    static const char *const names[] = {"pedestrian", "festival", "cafe", "train", "ideal", NULL};
    return names;
}

void scenario_free(struct scenario *s)
{
    if (!s)
        return;
    free(s->name);
    free(s->title);
    for (size_t i = 0; s->segments && i < s->count; i++)
        free(s->segments[i].name);
    free(s->segments);
    free(s);
}

struct figure {
    const char *key;
    double least, most, scale;
    double *to;
    bool optional;
};

static tac_status read_figure(const tac_json *file, size_t index, const json_t *json,
                              const struct figure *figure, tac_error *err)
{
    const json_t *value = json_object_get(json, figure->key);
    char pointer[128];
    if (!value && figure->optional)
        return TAC_OK;
    snprintf(pointer, sizeof pointer, "/segments/%zu/%s", index, figure->key);
    double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= figure->least && number <= figure->most))
        return tac_json_fail(file, pointer, err, "segment %zu needs \"%s\": a number from %g to %g",
                             index + 1, figure->key, figure->least, figure->most);
    *figure->to = number * figure->scale;
    return TAC_OK;
}

/* A name is one word, so that properties can say it. */
static tac_status read_name(const tac_json *file, size_t index, const json_t *json,
                            struct segment *out, tac_error *err)
{
    const json_t *value = json_object_get(json, "name");
    const char *name = json_string_value(value);
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/segments/%zu/name", index);
    if (value && (!name || !*name || strlen(name) > 60 || strpbrk(name, " \t\n\r\"\\")))
        return tac_json_fail(file, pointer, err,
                             "the name of a segment is a word of at most 60 characters");
    out->name = name ? tac_strdup(name) : tac_format("segment%zu", index + 1);
    return TAC_OK;
}

static tac_status refuse_unknown(const tac_json *file, size_t index, const json_t *json,
                                 const struct figure *figures, tac_error *err)
{
    tac_json_stray stray = {.comments = true};
    char pointer[128];
    if (!tac_json_next_stray(json, figures, sizeof *figures, &stray))
        return TAC_OK;
    snprintf(pointer, sizeof pointer, "/segments/%zu/%.60s", index, stray.key);
    return tac_json_fail(file, pointer, err, "'%s' is not known in a segment%s", stray.key,
                         stray.meant.text);
}

/* The up way is like the down way where it is not said apart. */
static tac_status read_segment(const tac_json *file, size_t index, const json_t *json,
                               struct segment *out, double *seconds, tac_error *err)
{
    struct segment_way *down = &out->down, *up = &out->up;
    double queue = 0, up_queue = -1;
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/segments/%zu", index);
    if (!json_is_object(json))
        return tac_json_fail(file, pointer, err, "a segment must be an object");
    *up = (struct segment_way){.delay = -1, .jitter = -1, .loss = -1, .burst = -1};
    const struct figure figures[] = {{"seconds", 0.001, 1e7, 1, seconds, false},
                                     {"down", 0, 1e8, 1000, &down->rate, false},
                                     {"up", 0, 1e8, 1000, &up->rate, false},
                                     {"delay", 0, 60, 1, &down->delay, false},
                                     {"jitter", 0, 60, 1, &down->jitter, false},
                                     {"loss", 0, 1, 1, &down->loss, false},
                                     {"burst", 0, 1e4, 1, &down->burst, true},
                                     {"queue", 0, 1e6, 1, &queue, true},
                                     {"up_delay", 0, 60, 1, &up->delay, true},
                                     {"up_jitter", 0, 60, 1, &up->jitter, true},
                                     {"up_loss", 0, 1, 1, &up->loss, true},
                                     {"up_burst", 0, 1e4, 1, &up->burst, true},
                                     {"up_queue", 0, 1e6, 1, &up_queue, true},
                                     {"name", 0, 0, 0, NULL, true},
                                     {NULL, 0, 0, 0, NULL, true}};
    tac_status status = read_name(file, index, json, out, err);
    for (size_t i = 0; figures[i].to && status == TAC_OK; i++)
        status = read_figure(file, index, json, &figures[i], err);
    up->delay = up->delay < 0 ? down->delay : up->delay;
    up->jitter = up->jitter < 0 ? down->jitter : up->jitter;
    up->loss = up->loss < 0 ? down->loss : up->loss;
    up->burst = up->burst < 0 ? down->burst : up->burst;
    down->queue = (uint32_t)queue;
    up->queue = (uint32_t)(up_queue < 0 ? queue : up_queue);
    return status == TAC_OK ? refuse_unknown(file, index, json, figures, err) : status;
}

static tac_status read_scenario(const tac_json *file, struct scenario *s, tac_error *err)
{
    const json_t *root = file->root, *list = json_object_get(root, "segments");
    if (!json_is_object(root) || !json_is_integer(json_object_get(root, "tactus-scenario")))
        return tac_json_fail(file, "", err,
                             "this is not a scenario file: \"tactus-scenario\": 1 is missing");
    const char *name = json_string_value(json_object_get(root, "name"));
    const char *title = json_string_value(json_object_get(root, "title"));
    s->name = tac_strdup(name ? name : tac_base_name(file->name));
    s->title = tac_strdup(title ? title : s->name);
    size_t count = json_array_size(list);
    if (count == 0 || count > MAX_SEGMENTS)
        return tac_json_fail(file, "/segments", err, "'segments' needs 1 to %d segments",
                             MAX_SEGMENTS);
    s->segments = tac_calloc(count, sizeof *s->segments);
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        double seconds = 0;
        s->segments[i].start = s->length;
        tac_status st =
            read_segment(file, i, json_array_get(list, i), &s->segments[i], &seconds, err);
        if (st)
            return st;
        s->length += seconds;
    }
    return TAC_OK;
}

static tac_status finish(tac_json *file, struct scenario **out, tac_error *err)
{
    struct scenario *s = tac_calloc(1, sizeof *s);
    tac_status st = read_scenario(file, s, err);
    tac_json_free(file);
    if (st)
        scenario_free(s);
    else
        *out = s;
    return st;
}

tac_status scenario_parse(const char *name, const char *text, size_t size, struct scenario **out,
                          tac_error *err)
{
    tac_json file;
    tac_status st = tac_json_parse(name, text, size, &file, err);
    return st ? st : finish(&file, out, err);
}

/* "LATENCY_MS,DOWN,UP": a round trip in milliseconds, kbit/s; the network that stays as it is. */
static bool read_triple(const char *text, struct scenario **out)
{
    double latency, down, up;
    int end = 0;
    if (sscanf(text, "%lf,%lf,%lf%n", &latency, &down, &up, &end) != 3 || text[end] ||
        !(latency >= 0 && latency <= 60000 && down >= 0 && down <= 1e8 && up >= 0 && up <= 1e8))
        return false;
    struct scenario *s = tac_calloc(1, sizeof *s);
    s->name = tac_strdup(text);
    s->title = tac_strdup(text);
    s->segments = tac_calloc(1, sizeof *s->segments);
    s->segments[0] = (struct segment){.name = tac_strdup("steady"),
                                      .down = {.rate = down * 1000, .delay = latency / 2000},
                                      .up = {.rate = up * 1000, .delay = latency / 2000}};
    s->count = 1;
    s->length = 3600;
    *out = s;
    return true;
}

tac_status scenario_open(const char *name_or_file, struct scenario **out, tac_error *err)
{
    if (read_triple(name_or_file, out))
        return TAC_OK;
    for (size_t i = 0; i < BUILT_IN; i++)
        if (!strcmp(built_in[i].name, name_or_file))
            return scenario_parse(built_in[i].name, built_in[i].text, built_in[i].size, out, err);
    struct stat about;
    bool like_a_name = !strchr(name_or_file, '/') && !strchr(name_or_file, '.');
    if (like_a_name && (stat(name_or_file, &about) || S_ISDIR(about.st_mode)))
        return tac_fail(
            err, TAC_E_INPUT,
            "'%s' is not a network scenario%s; the scenarios are pedestrian, "
            "festival, cafe, train and ideal, or give a file or MS,DOWN,UP (latency, kbit/s)",
            name_or_file, tac_meant(name_or_file, tac_scenario_names(), BUILT_IN).text);
    tac_json file;
    tac_status st = tac_json_load(name_or_file, MAX_SCENARIO_SIZE, &file, err);
    return st ? st : finish(&file, out, err);
}

const struct segment *scenario_at(const struct scenario *s, double time, size_t *cursor)
{
    double within = fmod(time > 0 ? time : 0, s->length);
    size_t i = *cursor < s->count ? *cursor : 0;
    if (s->segments[i].start > within)
        i = 0;
    while (i + 1 < s->count && s->segments[i + 1].start <= within)
        i++;
    *cursor = i;
    return &s->segments[i];
}
