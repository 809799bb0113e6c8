/* Profiles of Firefox (as it records them, and as its profiler saves them) and timelines of Safari.
 */
#include "facts/page.h"

enum { PROCESSES_DEPTH = 8, MOST_THREADS = 16 };

static tac_status load(const struct facts_input *input, json_t **root, tac_error *err)
{
    json_error_t problem;
    *root = json_loadb(input->text, input->size, JSON_ALLOW_NUL, &problem);
    return *root ? TAC_OK
                 : tac_fail_at(err, TAC_E_INPUT, input->path,
                               problem.line > 0 ? (size_t)problem.line : 0,
                               problem.column > 0 ? (size_t)problem.column : 0, "%s", problem.text);
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "?";
}

struct profile_page {
    tac_facts *page;
    size_t threads, samples, markers;
    double first, last; /* milliseconds */
};

static void take_time(struct profile_page *all, double time)
{
    all->first = all->samples && all->first <= time ? all->first : time;
    all->last = all->samples && all->last >= time ? all->last : time;
}

/* Rows with a schema that says where the time is; or columns, with times or the steps between them.
 */
static size_t take_samples(const json_t *samples, struct profile_page *all)
{
    const json_t *data = json_object_get(samples, "data"), *row, *one;
    const json_t *times = json_object_get(samples, "time");
    const json_t *steps = json_object_get(samples, "timeDeltas");
    size_t at = (size_t)json_integer_value(
               json_object_get(json_object_get(samples, "schema"), "time")),
           index, count = 0;
    double time = 0;
    json_array_foreach(data, index, row)
    {
        take_time(all, json_number_value(json_array_get(row, at)));
        all->samples++, count++;
    }
    json_array_foreach(times ? times : steps, index, one)
    {
        time = (times ? 0 : time) + json_number_value(one);
        take_time(all, time);
        all->samples++, count++;
    }
    return count;
}

static void take_thread(const json_t *thread, struct profile_page *all)
{
    const json_t *markers = json_object_get(thread, "markers");
    const json_t *length = json_object_get(markers, "length");
    size_t marked = length ? (size_t)json_integer_value(length)
                           : json_array_size(json_object_get(markers, "data"));
    size_t sampled = take_samples(json_object_get(thread, "samples"), all);
    all->markers += marked;
    if (all->threads++ < MOST_THREADS)
        page_textf(all->page, "thread", "%s: %zu sample%s, %zu marker%s", text_at(thread, "name"),
                   sampled, sampled == 1 ? "" : "s", marked, marked == 1 ? "" : "s");
}

static void take_process(const json_t *profile, struct profile_page *all, int depth)
{
    size_t index;
    const json_t *one;
    json_array_foreach(json_object_get(profile, "threads"), index, one)
    {
        take_thread(one, all);
    }
    json_array_foreach(json_object_get(profile, "processes"), index, one)
    {
        if (depth < PROCESSES_DEPTH)
            take_process(one, all, depth + 1);
    }
}

tac_status page_of_firefox(const struct facts_input *input, tac_facts *page, tac_error *err)
{
    json_t *root;
    tac_status status = load(input, &root, err);
    if (status)
        return status;
    const json_t *inner = json_object_get(root, "profile"), *profile = inner ? inner : root;
    const json_t *meta = json_object_get(profile, "meta");
    struct profile_page all = {.page = page};
    page_textf(page, "sampled every", "%.6g ms",
               json_number_value(json_object_get(meta, "interval")));
    take_process(profile, &all, 0);
    page_textf(page, "duration", "%.6g s", (all.last - all.first) / 1000);
    page_number(page, "threads", (int64_t)all.threads);
    page_number(page, "samples", (int64_t)all.samples);
    page_number(page, "markers", (int64_t)all.markers);
    json_decref(root);
    return TAC_OK;
}

tac_status page_of_safari(const struct facts_input *input, tac_facts *page, tac_error *err)
{
    json_t *root;
    tac_status status = load(input, &root, err);
    if (status)
        return status;
    const json_t *recording = json_object_get(root, "recording"), *one;
    size_t index;
    page_textf(page, "duration", "%.6g s",
               json_number_value(json_object_get(recording, "endTime")) -
                   json_number_value(json_object_get(recording, "startTime")));
    page_number(page, "records", (int64_t)json_array_size(json_object_get(recording, "records")));
    json_array_foreach(json_object_get(recording, "instrumentTypes"), index, one)
    {
        const char *type = json_string_value(one);
        page_text(page, "instrument", type ? type : "?");
    }
    json_decref(root);
    return TAC_OK;
}
