/* Reads scenario files (docs/app-files.md) and tells the state of the network at a time. The
 * shipped scenarios of examples/scenarios/ are also embedded in the program, so that their names
 * work everywhere. Looking up is O(1) amortised for growing times, O(log n) otherwise. */
#include "device/scenario.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "base/io/json.h"
#include "device/scenario_cafe.h"
#include "device/scenario_festival.h"
#include "device/scenario_ideal.h"
#include "device/scenario_pedestrian.h"
#include <math.h>

enum { MAX_SCENARIO_SIZE = 16 << 20, MAX_SEGMENTS = 100000 };

static const struct {
    const char *name;
    const char *text;
    unsigned long size;
} built_in[] = {{"pedestrian", scenario_pedestrian_text, sizeof scenario_pedestrian_text - 1},
                {"festival", scenario_festival_text, sizeof scenario_festival_text - 1},
                {"cafe", scenario_cafe_text, sizeof scenario_cafe_text - 1},
                {"ideal", scenario_ideal_text, sizeof scenario_ideal_text - 1}};
enum { BUILT_IN = sizeof built_in / sizeof *built_in };

const char *const *tac_scenario_names(void)
{
    static const char *const names[] = {"pedestrian", "festival", "cafe", "ideal", NULL};
    return names;
}

void scenario_free(struct scenario *s)
{
    if (!s)
        return;
    free(s->name);
    free(s->title);
    free(s->segments);
    free(s);
}

struct figure {
    const char *key;
    double least, most, scale;
    double *to;
};

static tac_status read_segment(const tac_json *file, size_t index, const json_t *json,
                               struct segment *out, double *seconds, tac_error *err)
{
    const struct figure figures[] = {
        {"seconds", 0.001, 1e7, 1, seconds}, {"down", 0, 1e8, 1000, &out->down},
        {"up", 0, 1e8, 1000, &out->up},      {"delay", 0, 60, 1, &out->delay},
        {"jitter", 0, 60, 1, &out->jitter},  {"loss", 0, 1, 1, &out->loss}};
    const size_t count = sizeof figures / sizeof *figures;
    char pointer[128];
    snprintf(pointer, sizeof pointer, "/segments/%zu", index);
    if (!json_is_object(json))
        return tac_json_fail(file, pointer, err, "a segment must be an object");
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(json, figures[i].key);
        snprintf(pointer, sizeof pointer, "/segments/%zu/%s", index, figures[i].key);
        double number = json_number_value(value);
        if (!json_is_number(value) || !(number >= figures[i].least && number <= figures[i].most))
            return tac_json_fail(file, pointer, err,
                                 "segment %zu needs \"%s\": a number from %g to %g", index + 1,
                                 figures[i].key, figures[i].least, figures[i].most);
        *figures[i].to = number * figures[i].scale;
    }
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)json, key, value)
    {
        size_t i = 0;
        while (i < count && strcmp(figures[i].key, key) != 0)
            i++;
        snprintf(pointer, sizeof pointer, "/segments/%zu/%.60s", index, key);
        if (i == count && key[0] != '#')
            return tac_json_fail(file, pointer, err, "'%s' is not known in a segment", key);
    }
    return TAC_OK;
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
    for (size_t i = 0; i < count; i++) {
        double seconds = 0;
        s->segments[i].start = s->length;
        tac_status st =
            read_segment(file, i, json_array_get(list, i), &s->segments[i], &seconds, err);
        if (st)
            return st;
        s->length += seconds;
    }
    s->count = count;
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
    s->segments[0] =
        (struct segment){.down = down * 1000, .up = up * 1000, .delay = latency / 2000};
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
    if (!strchr(name_or_file, '/') && !strchr(name_or_file, '.')) {
        const char *near = tac_closest(name_or_file, tac_scenario_names(), BUILT_IN);
        return tac_fail(err, TAC_E_INPUT,
                        "'%s' is not a network scenario%s%s%s; the scenarios are pedestrian, "
                        "festival, cafe and ideal, or give a file or MS,DOWN,UP (latency, kbit/s)",
                        name_or_file, near ? "; did you mean '" : "", near ? near : "",
                        near ? "'?" : "");
    }
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
