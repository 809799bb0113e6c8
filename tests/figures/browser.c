/* Profiles of Firefox (samples and markers of its threads) and timelines of Safari. */
#include "base/data/text.h"
#include "figures/kind.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES_DEPTH = 8 };

static tac_status load(const struct figures_input *input, json_t **root, tac_error *err)
{
    char *text;
    size_t size;
    json_error_t problem;
    tac_status status = figures_slurp(input, &text, &size, err);
    if (status)
        return status;
    *root = json_loadb(text, size, JSON_ALLOW_NUL, &problem);
    free(text);
    if (!*root)
        return tac_fail_at(err, TAC_E_INPUT, input->path,
                           problem.line > 0 ? (size_t)problem.line : 0,
                           problem.column > 0 ? (size_t)problem.column : 0, "%s", problem.text);
    return TAC_OK;
}

/* A number as most JSON writers print it: whole numbers of integers without a point. */
static const char *number_text(const json_t *value, char *buffer, size_t size)
{
    if (json_is_integer(value)) {
        snprintf(buffer, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        tac_double_text(json_real_value(value), buffer, size - 2);
        if (!strpbrk(buffer, ".e"))
            strcat(buffer, ".0");
    } else {
        snprintf(buffer, size, "None");
    }
    return buffer;
}

static int sniff_firefox(const struct figures_input *input)
{
    const char *at = input->head + strspn(input->head, " \t\r\n");
    if (*at != '{')
        return 0;
    bool typed =
        strstr(at, "\"stringTable\"") || strstr(at, "\"preprocessedProfileVersion\"") ||
        (strstr(at, "\"meta\"") && (strstr(at, "\"stackwalk\"") || strstr(at, "\"threads\""))) ||
        (strstr(at, "\"libs\"") && strstr(at, "\"breakpadId\"")) ||
        strstr(at, "Recorded Performance Data");
    return typed ? 2 : 0;
}

/* How many samples, and the first's and the last's time. */
struct sampled {
    size_t count;
    char first[40], last[40];
};

/* As Firefox records: rows, and a schema that says where in them the time is. */
static void read_rows(const json_t *samples, struct sampled *out)
{
    const json_t *data = json_object_get(samples, "data");
    size_t at =
        (size_t)json_integer_value(json_object_get(json_object_get(samples, "schema"), "time"));
    out->count = json_array_size(data);
    const json_t *from = json_array_get(json_array_get(data, 0), at);
    const json_t *to = out->count ? json_array_get(json_array_get(data, out->count - 1), at) : NULL;
    number_text(from, out->first, sizeof out->first);
    number_text(to, out->last, sizeof out->last);
}

/* As the Firefox Profiler saves: columns; the times, or how far each is from the one before. */
static void read_columns(const json_t *samples, struct sampled *out)
{
    const json_t *times = json_object_get(samples, "time"), *one;
    const json_t *deltas = json_object_get(samples, "timeDeltas");
    size_t index;
    double sum = 0;
    out->count = (size_t)json_integer_value(json_object_get(samples, "length"));
    number_text(json_array_get(times ? times : deltas, 0), out->first, sizeof out->first);
    number_text(json_array_get(times, json_array_size(times) - 1), out->last, sizeof out->last);
    if (times || !json_array_size(deltas))
        return;
    json_array_foreach(deltas, index, one)
    {
        sum += json_number_value(one);
    }
    tac_double_text(sum, out->last, sizeof out->last);
}

static const char *id_text(const json_t *value, char *buffer, size_t size)
{
    if (!json_is_string(value))
        return number_text(value, buffer, size);
    snprintf(buffer, size, "%s", json_string_value(value));
    return buffer;
}

static void add_thread(const json_t *thread, struct figures *facts)
{
    const json_t *samples = json_object_get(thread, "samples");
    const json_t *markers = json_object_get(thread, "markers");
    const json_t *length = json_object_get(markers, "length");
    const char *name = json_string_value(json_object_get(thread, "name"));
    size_t marked = length ? (size_t)json_integer_value(length)
                           : json_array_size(json_object_get(markers, "data"));
    char pid[40], tid[40];
    struct sampled sampled;
    (json_object_get(samples, "data") ? read_rows : read_columns)(samples, &sampled);
    figures_textf(facts, "thread", "%s pid=%s tid=%s samples=%zu markers=%zu first=%s last=%s",
                  name ? name : "None", id_text(json_object_get(thread, "pid"), pid, sizeof pid),
                  id_text(json_object_get(thread, "tid"), tid, sizeof tid), sampled.count, marked,
                  sampled.first, sampled.last);
}

static void add_process(const json_t *profile, struct figures *facts, int depth)
{
    size_t index;
    const json_t *one;
    json_array_foreach(json_object_get(profile, "threads"), index, one)
    {
        add_thread(one, facts);
    }
    json_array_foreach(json_object_get(profile, "processes"), index, one)
    {
        if (depth < PROCESSES_DEPTH)
            add_process(one, facts, depth + 1);
    }
}

static tac_status read_firefox(const struct figures_input *input, struct figures *facts,
                               tac_error *err)
{
    json_t *root;
    tac_status status = load(input, &root, err);
    if (status)
        return status;
    const json_t *inner = json_object_get(root, "profile"), *profile = inner ? inner : root;
    const json_t *meta = json_object_get(profile, "meta");
    char text[40];
    figures_text(facts, "version",
                 number_text(json_object_get(meta, "version"), text, sizeof text));
    figures_text(facts, "interval_ms",
                 number_text(json_object_get(meta, "interval"), text, sizeof text));
    figures_text(facts, "startTime_ms",
                 number_text(json_object_get(meta, "startTime"), text, sizeof text));
    add_process(profile, facts, 0);
    json_decref(root);
    return TAC_OK;
}

static int sniff_safari(const struct figures_input *input)
{
    const char *at = input->head + strspn(input->head, " \t\r\n");
    return *at == '{' && strstr(at, "\"recording\"") && strstr(at, "timeline-record-type") ? 3 : 0;
}

static tac_status read_safari(const struct figures_input *input, struct figures *facts,
                              tac_error *err)
{
    json_t *root;
    tac_status status = load(input, &root, err);
    if (status)
        return status;
    const json_t *recording = json_object_get(root, "recording"), *one;
    char text[40];
    size_t index;
    figures_text(facts, "safari.version",
                 number_text(json_object_get(root, "version"), text, sizeof text));
    figures_number(facts, "records",
                   (int64_t)json_array_size(json_object_get(recording, "records")));
    figures_text(facts, "startTime",
                 number_text(json_object_get(recording, "startTime"), text, sizeof text));
    figures_text(facts, "endTime",
                 number_text(json_object_get(recording, "endTime"), text, sizeof text));
    tac_str types = {0};
    json_array_foreach(json_object_get(recording, "instrumentTypes"), index, one)
    {
        const char *type = json_string_value(one);
        tac_str_addf(&types, "%s%s", index ? " " : "", type ? type : "");
    }
    figures_text(facts, "instrumentTypes", tac_str_text(&types));
    tac_str_free(&types);
    json_decref(root);
    return TAC_OK;
}

const struct figures_kind figures_kind_firefox = {
    .name = "firefox",
    .summary = "a profile of Firefox: samples and markers of its threads",
    .sniff = sniff_firefox,
    .read = read_firefox,
};

const struct figures_kind figures_kind_safari = {
    .name = "safari",
    .summary = "a timeline recording of Safari",
    .sniff = sniff_safari,
    .read = read_safari,
};
