/* Files of events: what happens in the world, and when.
 *
 *     # the user leaves the office for the car
 *     0        office_pc, devices=3
 *     12.5 s   car=on, office_pc=off
 *
 * Times are numbers with a unit (ms, s, min, h; seconds when none), not falling. Or a JSON array of
 * {"time": SECONDS, "set": {NAME: VALUE}}. Reading goes on after an error, so all are reported. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include "base/io/json.h"
#include "rules/language/build.h"
#include "rules/simulate/simulate.h"
#include <string.h>

#define MAX_EVENTS 100000u
#define MAX_EVENT_BYTES ((size_t)16 << 20)
#define MAX_VALUES ((size_t)256 << 20) /* events times variables */

struct event_reader {
    const tac_rules *rules;
    const char *file;
    tac_diagnostics *diagnostics;
    TAC_VEC(tac_rules_event) events;
    bool full; /* reported once */
};

static void complain(struct event_reader *r, size_t line, const char *message)
{
    tac_diagnostics_add(r->diagnostics, TAC_ERROR, r->file, line, 1, "%s", message);
}

static bool has_room(struct event_reader *r, size_t line)
{
    size_t events = r->events.count + 1;
    if (events <= MAX_EVENTS && events * (r->rules->variable_count + 1) <= MAX_VALUES)
        return true;
    if (!r->full)
        complain(r, line, "there are too many events: split the file");
    r->full = true;
    return false;
}

/* Everything as it was. */
static char *no_change(const tac_rules *rules)
{
    char *change = tac_alloc((size_t)rules->variable_count + 1);
    memset(change, '*', rules->variable_count);
    change[rules->variable_count] = '\0';
    return change;
}

static void add_event(struct event_reader *r, uint64_t time_ms, char *change, size_t line)
{
    if (r->events.count && tac_vec_last(&r->events).time_ms > time_ms)
        complain(r, line, "this event lies before the one above it: times do not fall");
    assert(r->events.count < MAX_EVENTS);
    tac_vec_push(&r->events, ((tac_rules_event){time_ms, change, (uint32_t)line}));
}

/* TIME as milliseconds; *rest is what follows it. */
static bool read_time(char *line, uint64_t *time_ms, char **rest)
{
    size_t digits = strspn(line, "0123456789."), blank = digits + strspn(line + digits, " \t");
    size_t unit = strcspn(line + blank, " \t,=");
    static const char *const units[] = {"ms", "s", "min", "h"};
    const char *found = NULL;
    for (size_t i = 0; i < 4; i++)
        if (strlen(units[i]) == unit && !memcmp(units[i], line + blank, unit))
            found = units[i];
    *rest = line + (found ? blank + unit : digits);
    if (digits == 0 || digits > 30)
        return false;
    if (strspn(line, "0.") == digits) {
        *time_ms = 0;
        return true;
    }
    return rules_duration(line, digits, found, unit, time_ms);
}

static void read_line(struct event_reader *r, char *line, size_t number)
{
    uint64_t time_ms = 0;
    char *rest;
    tac_error err = {0};
    line[strcspn(line, "#")] = '\0';
    line += strspn(line, " \t\r");
    if (*line == '\0' || !has_room(r, number))
        return;
    if (!read_time(line, &time_ms, &rest)) {
        complain(r, number, "expected a time and what changes then, as in '12.5 s A_bt, B_bt=off'");
        return;
    }
    char *change = no_change(r->rules);
    if (tac_rules_set_all(r->rules, rest, change, &err))
        complain(r, number, err.message);
    add_event(r, time_ms, change, number);
}

static void read_text(struct event_reader *r, const char *text, size_t size)
{
    char *copy = tac_alloc(size + 1);
    memcpy(copy, text, size);
    copy[size] = '\0';
    size_t number = 1;
    for (char *line = copy; line; number++) {
        char *end = memchr(line, '\n', (size_t)(copy + size - line));
        if (end)
            *end = '\0';
        read_line(r, line, number);
        line = end ? end + 1 : NULL;
    }
    free(copy);
}

static void read_json_event(struct event_reader *r, const tac_json *json, size_t index)
{
    json_t *event = json_array_get(json->root, index);
    json_t *time = json_object_get(event, "time");
    double seconds = json_number_value(time);
    char pointer[64];
    size_t line = 0, column;
    tac_error err = {0};
    snprintf(pointer, sizeof pointer, "/%zu", index);
    tac_json_locate(json, pointer, &line, &column);
    if (!has_room(r, line))
        return;
    if (!json_is_number(time) || !(seconds >= 0) || seconds > 3.6e6) {
        complain(r, line, "an event has a \"time\" in seconds, from 0 to 3,600,000");
        return;
    }
    char *change = no_change(r->rules);
    if (rules_set_json(r->rules, json_object_get(event, "set"), change, &err))
        complain(r, line, err.message);
    add_event(r, (uint64_t)(seconds * 1000 + 0.5), change, line);
}

static tac_status read_json(struct event_reader *r, const char *text, size_t size, tac_error *err)
{
    tac_json json;
    tac_status status = tac_json_parse(r->file, text, size, &json, err);
    if (status)
        return status;
    for (size_t i = 0; i < json_array_size(json.root); i++)
        read_json_event(r, &json, i);
    tac_json_free(&json);
    return TAC_OK;
}

tac_status tac_rules_events_parse(const tac_rules *rules, const char *name, const char *text,
                                  size_t size, tac_diagnostics *diagnostics, tac_rules_events **out,
                                  tac_error *err)
{
    struct event_reader r = {.rules = rules, .file = name, .diagnostics = diagnostics};
    size_t blank = 0, mark = tac_byte_order_mark(text, size);
    tac_status status = TAC_OK;
    text += mark;
    size -= mark;
    while (blank < size && strchr(" \t\r\n", text[blank]) && text[blank])
        blank++;
    if (!tac_utf8_valid(text, size))
        complain(&r, 1, "this file is not valid UTF-8");
    else if (blank < size && text[blank] == '[')
        status = read_json(&r, text, size, err);
    else
        read_text(&r, text, size);
    if (status == TAC_OK)
        status = tac_diagnostics_fail(diagnostics, err);
    tac_rules_events *events = tac_calloc(1, sizeof *events);
    events->at = r.events.at;
    events->count = r.events.count;
    if (status)
        tac_rules_events_free(events);
    else
        *out = events;
    return status;
}

tac_status tac_rules_events_load(const tac_rules *rules, const char *path,
                                 tac_diagnostics *diagnostics, tac_rules_events **out,
                                 tac_error *err)
{
    char *text;
    size_t size;
    tac_status status = tac_input_slurp(path, MAX_EVENT_BYTES, &text, &size, err);
    if (status)
        return status;
    status = tac_rules_events_parse(rules, path, text, size, diagnostics, out, err);
    free(text);
    return status;
}

void tac_rules_events_free(tac_rules_events *events)
{
    if (!events)
        return;
    for (size_t i = 0; i < events->count; i++)
        free(events->at[i].change);
    free(events->at);
    free(events);
}
