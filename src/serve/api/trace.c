/* A trace for a plot: per stretch of time the least and greatest value of each variable, so that no
 * peak is lost, however long the trace is. Two passes: how long it is, then the stretches. */
#include "tactus/trace.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "serve/api/routes.h"
#include "serve/folder/beneath.h"
#include "trace/column.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { MOST_POINTS = 4000, POINTS = 800, MOST_EVENTS = 2000, MOST_SPANS = 2000, MOST_DRAWN = 64 };

struct drawn { /* a variable of the answer */
    size_t variable;
    double *least, *greatest; /* by stretch; NaN: nothing there */
    uint32_t last;            /* discrete: the symbol of the last span */
    json_t *spans;            /* discrete */
    bool continuous;
};

struct drawing {
    const char *wanted; /* names separated by commas, or NULL: all */
    double from, to;
    size_t points;
    uint64_t states;
    TAC_VEC(struct drawn) drawn;
    json_t *events;
    bool events_cut;
};

static double seconds(int64_t time)
{
    return (double)time / 1e9;
}

/* A trace's options are those of its name; it is opened by its full path. */
static tac_status open_trace(struct request *request, const char *path, tac_trace_source **out,
                             tac_error *err)
{
    char *full = tac_format("%s/%s", request->portal->folder, path);
    tac_status status = tac_trace_open(full, NULL, out, err);
    free(full);
    return status;
}

static tac_status find_ends(struct request *request, const char *path, double *first, double *last,
                            uint64_t *states, tac_error *err)
{
    tac_trace_source *source;
    const tac_trace_block *block = NULL;
    tac_status status = open_trace(request, path, &source, err);
    *states = 0;
    *first = *last = 0;
    if (status != TAC_OK)
        return status;
    while ((status = tac_trace_next(source, &block, err)) == TAC_OK && block) {
        if (!block->count)
            continue;
        if (!*states)
            *first = seconds(block->time[0]);
        *last = seconds(block->time[block->count - 1]);
        *states += block->count;
    }
    tac_trace_close(source);
    return status;
}

/* Variables come while the trace is read. */
static void find_drawn(struct drawing *drawing, const tac_trace_source *source)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    for (size_t v = 0; v < count && drawing->drawn.count < MOST_DRAWN; v++) {
        bool known = false;
        for (size_t i = 0; i < drawing->drawn.count; i++)
            known |= drawing->drawn.at[i].variable == v;
        if (known || (drawing->wanted && !tac_list_has(drawing->wanted, variables[v].name)) ||
            !strcmp(variables[v].name, "event"))
            continue;
        struct drawn drawn = {.variable = v,
                              .continuous = variables[v].kind == TAC_CONTINUOUS,
                              .last = TAC_TRACE_NO_SYMBOL};
        if (drawn.continuous) {
            drawn.least = tac_calloc(drawing->points, sizeof *drawn.least);
            drawn.greatest = tac_calloc(drawing->points, sizeof *drawn.greatest);
            for (size_t i = 0; i < drawing->points; i++)
                drawn.least[i] = drawn.greatest[i] = NAN;
        } else {
            drawn.spans = json_array();
        }
        tac_vec_push(&drawing->drawn, drawn);
    }
}

static void draw_number(struct drawn *drawn, size_t point, double value)
{
    if (isnan(value))
        return;
    if (isnan(drawn->least[point]) || value < drawn->least[point])
        drawn->least[point] = value;
    if (isnan(drawn->greatest[point]) || value > drawn->greatest[point])
        drawn->greatest[point] = value;
}

static void draw_symbol(struct drawn *drawn, double time, uint32_t symbol,
                        const tac_trace_source *source)
{
    size_t count;
    const char *const *symbols = tac_trace_symbols(source, &count);
    if (symbol == drawn->last || json_array_size(drawn->spans) >= MOST_SPANS)
        return;
    drawn->last = symbol;
    json_array_append_new(
        drawn->spans,
        json_pack("[f,o]", time, symbol < count ? tac_json_string(symbols[symbol]) : json_null()));
}

static void draw_event(struct drawing *drawing, double time, uint32_t symbol,
                       const tac_trace_source *source)
{
    size_t count;
    const char *const *symbols = tac_trace_symbols(source, &count);
    if (symbol >= count)
        return;
    if (json_array_size(drawing->events) >= MOST_EVENTS)
        drawing->events_cut = true;
    else
        json_array_append_new(drawing->events, json_pack("{s:f,s:o}", "t", time, "event",
                                                         tac_json_string(symbols[symbol])));
}

static void draw_block(struct drawing *drawing, const tac_trace_source *source,
                       const tac_trace_block *block)
{
    double width = drawing->to - drawing->from;
    size_t event = trace_column(source, "event");
    find_drawn(drawing, source);
    for (size_t s = 0; s < block->count; s++) {
        double time = seconds(block->time[s]);
        if (time < drawing->from || time > drawing->to)
            continue;
        double share = width > 0 ? (time - drawing->from) / width : 0;
        size_t point = (size_t)(share * (double)drawing->points);
        point = point < drawing->points ? point : drawing->points - 1;
        if (event != SIZE_MAX && block->symbols[event])
            draw_event(drawing, time, block->symbols[event][s], source);
        for (size_t i = 0; i < drawing->drawn.count; i++) {
            struct drawn *drawn = &drawing->drawn.at[i];
            if (drawn->continuous)
                draw_number(drawn, point, block->numbers[drawn->variable][s]);
            else
                draw_symbol(drawn, time, block->symbols[drawn->variable][s], source);
        }
    }
}

static json_t *variables_json(const tac_trace_source *source)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    json_t *list = json_array();
    for (size_t v = 0; v < count; v++)
        json_array_append_new(
            list, json_pack("{s:o,s:s,s:o}", "name", tac_json_string(variables[v].name), "kind",
                            variables[v].kind == TAC_CONTINUOUS ? "continuous" : "discrete", "unit",
                            tac_json_string(variables[v].unit ? variables[v].unit : "")));
    return list;
}

static json_t *drawing_json(struct drawing *drawing, const tac_trace_source *source,
                            const char *path)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    json_t *times = json_array(), *values = json_object(), *spans = json_object();
    for (size_t i = 0; i < drawing->points; i++)
        json_array_append_new(
            times, json_real(drawing->from + (drawing->to - drawing->from) * ((double)i + 0.5) /
                                                 (double)drawing->points));
    for (size_t i = 0; i < drawing->drawn.count; i++) {
        const struct drawn *drawn = &drawing->drawn.at[i];
        const char *name = variables[drawn->variable].name;
        json_t *list = json_array();
        for (size_t p = 0; drawn->continuous && p < drawing->points; p++)
            json_array_append_new(list, isnan(drawn->least[p])
                                            ? json_null()
                                            : json_pack("[o,o]", tac_json_number(drawn->least[p]),
                                                        tac_json_number(drawn->greatest[p])));
        if (drawn->continuous)
            json_object_set(values, name, list);
        else
            json_object_set(spans, name, drawn->spans);
        json_decref(list);
    }
    return json_pack(
        "{s:o,s:s,s:O,s:o,s:f,s:f,s:I,s:o,s:b,s:o,s:o,s:o}", "path", tac_json_string(path),
        "format", tac_trace_format(source), "meta", (json_t *)(uintptr_t)tac_trace_meta(source),
        "variables", variables_json(source), "from", drawing->from, "to", drawing->to, "states",
        (json_int_t)drawing->states, "events", json_incref(drawing->events), "events_cut",
        drawing->events_cut, "times", times, "values", values, "spans", spans);
}

static void drawing_free(struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->drawn.count; i++) {
        free(drawing->drawn.at[i].least);
        free(drawing->drawn.at[i].greatest);
        json_decref(drawing->drawn.at[i].spans);
    }
    tac_vec_free(&drawing->drawn);
    json_decref(drawing->events);
}

static void read_window(const struct request *request, struct drawing *drawing)
{
    const char *from = request_query(request, "from"), *to = request_query(request, "to");
    const char *points = request_query(request, "points");
    double value;
    uint64_t number;
    if (from && tac_parse_double(from, &value))
        drawing->from = value;
    if (to && tac_parse_double(to, &value) && value >= drawing->from)
        drawing->to = value;
    drawing->points = points && tac_parse_u64(points, &number) && number > 0
                          ? (size_t)(number < MOST_POINTS ? number : MOST_POINTS)
                          : POINTS;
    drawing->wanted = request_query(request, "variables");
}

static tac_status draw(struct request *request, const char *path, tac_error *err)
{
    struct drawing drawing = {.events = json_array()};
    tac_trace_source *source;
    const tac_trace_block *block = NULL;
    tac_status status = find_ends(request, path, &drawing.from, &drawing.to, &drawing.states, err);
    if (status == TAC_OK)
        status = open_trace(request, path, &source, err);
    if (status != TAC_OK) {
        drawing_free(&drawing);
        return status;
    }
    read_window(request, &drawing);
    while ((status = tac_trace_next(source, &block, err)) == TAC_OK && block)
        draw_block(&drawing, source, block);
    if (status == TAC_OK)
        answer_json(request, MHD_HTTP_OK, drawing_json(&drawing, source, path));
    tac_trace_close(source);
    drawing_free(&drawing);
    return status;
}

void get_trace(struct request *request)
{
    const char *path = request_query(request, "path");
    tac_error err;
    int file = path ? open_beneath(request->portal->root, path) : -1;
    if (file < 0) {
        answer_error(request, MHD_HTTP_NOT_FOUND, "'path' is not a file in the folder");
        return;
    }
    close(file);
    if (draw(request, path, &err) != TAC_OK)
        answer_failure(request, &err);
}
