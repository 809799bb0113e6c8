/* See history.h. In --checkin a history line is "9,h,DELTA:CHANGES" with short codes (Bv=3897 the
 * voltage, Bt the temperature, Bl the level, +S the screen) and a pool of strings "9,hsp,INDEX,UID,
 * TEXT". */
#include "trace/battery/history.h"
#include <math.h>
#include <stdlib.h>

static const struct {
    const char *code, *name;
} codes[] = {{"r", "running"},
             {"w", "wake_lock"},
             {"s", "sensor"},
             {"g", "gps"},
             {"Wl", "wifi_full_lock"},
             {"Ws", "wifi_scan"},
             {"Wm", "wifi_multicast"},
             {"Wr", "wifi_radio"},
             {"Pr", "mobile_radio"},
             {"Psc", "phone_scanning"},
             {"a", "audio"},
             {"S", "screen"},
             {"BP", "plugged"},
             {"Sd", "screen_doze"},
             {"Pcl", "phone_in_call"},
             {"W", "wifi"},
             {"Ww", "wifi_running"},
             {"b", "ble_scan"},
             {"ch", "charging"},
             {"v", "video"},
             {"lp", "low_power"},
             {"ca", "camera"},
             {"bles", "ble_scan"},
             {"fl", "flashlight"},
             {"ps", "power_save"},
             {"Bl", "level"},
             {"Bv", "volt"},
             {"Bt", "temp"},
             {"Bcc", "charge"},
             {"Bs", "status"},
             {"Bh", "health"},
             {"Bp", "plug"},
             {"Sb", "brightness"},
             {"Pss", "phone_signal_strength"},
             {"Pst", "phone_state"},
             {"Pcn", "data_conn"},
             {"Etp", "top"},
             {"Epr", "proc"},
             {"Efg", "fg"},
             {"Ejb", "job"},
             {"Esy", "sync"},
             {"Ewl", "wake_lock_in"},
             {"Eur", "user"},
             {"Euf", "userfg"},
             {"Ecn", "conn"},
             {"Ewa", "wakeupap"},
             {"Esm", "motion"},
             {"Eac", "active"},
             {"Etw", "tmpwhitelist"},
             {"Elw", "longwake"}};

bool history_is_checkin(const char *head)
{
    return !strncmp(head, "9,h", 3) || strstr(head, "\n9,h,") || strstr(head, "\n9,hsp,");
}

void history_open(struct history *history, struct timeline *timeline)
{
    *history = (struct history){.timeline = timeline, .last_level = -1};
    history->level = timeline_series(timeline, timeline_name_text(timeline, "battery.level"),
                                     TAC_NONE, TAC_CONTINUOUS, "%", 1);
}

void history_close(struct history *history)
{
    tac_names_free(&history->pool);
    tac_vec_free(&history->pool_names);
}

/* --- Changes ---------------------------------------------------------------------------------- */

static bool is_whole(const char *text, size_t length)
{
    size_t digits = length && *text == '-';
    for (; digits < length && text[digits] >= '0' && text[digits] <= '9'; digits++)
        ;
    return length && digits == length && length < 18 && text[length - 1] != '-';
}

static const char *unit_of(const char *name, size_t length, double *scale)
{
    *scale = 1;
    if (length == 4 && !memcmp(name, "volt", 4))
        return "mV";
    if (length == 6 && !memcmp(name, "charge", 6))
        return "mAh";
    if (length == 5 && !memcmp(name, "level", 5))
        return "%";
    if (length == 4 && !memcmp(name, "temp", 4)) {
        *scale = 0.1;
        return "degC";
    }
    return "";
}

static tac_status set_value(struct history *history, int64_t time, const char *name,
                            size_t name_length, const char *value, size_t length, tac_error *err)
{
    struct timeline *timeline = history->timeline;
    double scale;
    const char *unit = unit_of(name, name_length, &scale);
    bool number =
        *unit || (is_whole(value, length) && !(name_length == 4 && !memcmp(name, "user", 4)));
    uint32_t base = timeline_name(timeline, name, name_length);
    struct timeline_event event = {.time = time};
    event.name = timeline_series(timeline, base, TAC_NONE, number ? TAC_CONTINUOUS : TAC_DISCRETE,
                                 unit, scale);
    if (timeline->series.at[event.name].kind == TAC_CONTINUOUS) {
        if (!is_whole(value, length))
            return TAC_OK;
        event.kind = TIMELINE_COUNTER;
        event.number = (double)strtoll(value, NULL, 10);
    } else {
        event.kind = TIMELINE_SET;
        event.track = timeline_name(timeline, value, length);
    }
    return timeline_add(timeline, &event, err);
}

/* +x and -x; with a value (+job=u0a21:"name") each value is a slice of its own. */
static tac_status take_edge(struct history *history, int64_t time,
                            const struct history_change *change, tac_error *err)
{
    struct timeline *timeline = history->timeline;
    /* A wake lock's end says no more who held it. */
    bool valued = change->value_length &&
                  !(change->name_length == 9 && !memcmp(change->name, "wake_lock", 9));
    uint64_t key = tac_hash_bytes(change->name, change->name_length, 7);
    if (valued)
        key = tac_hash_bytes(change->value, change->value_length, key);
    struct timeline_event event = {.time = time,
                                   .kind = change->sign == '+' ? TIMELINE_BEGIN : TIMELINE_END,
                                   .name =
                                       timeline_name(timeline, change->name, change->name_length),
                                   .track = key};
    if (change->value_length && change->sign == '+') {
        tac_str name = {0};
        tac_str_add_bytes(&name, change->name, change->name_length);
        tac_str_add(&name, ".by");
        struct timeline_event who = {
            .time = time,
            .kind = TIMELINE_JOIN_SET,
            .track = timeline_name(timeline, change->value, change->value_length)};
        who.name = timeline_series(timeline, timeline_name(timeline, name.text, name.length),
                                   TAC_NONE, TAC_DISCRETE, "", 1);
        tac_str_free(&name);
        tac_status status = timeline_add(timeline, &who, err);
        if (status)
            return status;
    }
    return timeline_add(timeline, &event, err);
}

static tac_status take_changes(struct history *history, int64_t time, const char *at,
                               const char *end, tac_error *err)
{
    struct history_change change;
    tac_status status = TAC_OK;
    while (!status && history_next_change(&at, end, &change)) {
        if (change.sign)
            status = take_edge(history, time, &change, err);
        else if (change.value_length)
            status = set_value(history, time, change.name, change.name_length, change.value,
                               change.value_length, err);
    }
    return status;
}

static tac_status take_level(struct history *history, int64_t time, int level, tac_error *err)
{
    if (level == history->last_level)
        return TAC_OK;
    history->last_level = level;
    struct timeline_event event = {
        .time = time, .kind = TIMELINE_COUNTER, .name = history->level, .number = level};
    return timeline_add(history->timeline, &event, err);
}

/* --- The dump --------------------------------------------------------------------------------- */

static void tie(struct history *history, int64_t milliseconds, int64_t wall)
{
    history->tied = true;
    history->wall_minus_offset = wall - milliseconds * 1000000;
}

static tac_status take_record(struct history *history, const struct history_line *line,
                              tac_error *err)
{
    const char *word, *date;
    size_t word_length, date_length;
    int64_t wall;
    if (history->records++ && line->milliseconds < history->last)
        history->backwards++;
    history->last = line->milliseconds;
    if (history_wall_time(line, &word, &word_length, &date, &date_length, &wall)) {
        if (!history->tied)
            tie(history, line->milliseconds, wall);
        return TAC_OK;
    }
    int64_t time = line->milliseconds * 1000000 + (history->tied ? history->wall_minus_offset : 0);
    if (line->level < 0)
        return TAC_OK;
    tac_status status = take_level(history, time, line->level, err);
    return status ? status
                  : take_changes(history, time, line->rest, line->rest + line->rest_length, err);
}

/* --- --checkin -------------------------------------------------------------------------------- */

static const char *long_name(const char *code, size_t length)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strlen(codes[i].code) == length && !memcmp(codes[i].code, code, length))
            return codes[i].name;
    return NULL;
}

/* "9,hsp,INDEX,UID,\"TEXT\"" */
static void take_pool(struct history *history, const char *at, const char *end)
{
    char *next;
    unsigned long index = strtoul(at, &next, 10);
    if (next >= end || *next != ',' || index > 65535)
        return;
    while (history->pool_names.count <= index)
        tac_vec_push(&history->pool_names, TAC_NONE);
    history->pool_names.at[index] =
        timeline_name(history->timeline, next + 1, (size_t)(end - next - 1));
}

/* One change of --checkin, written out long. */
static tac_status take_code(struct history *history, int64_t time, const char *at, const char *end,
                            tac_error *err)
{
    struct history_change change = {.sign = *at == '+' || *at == '-' ? *at : '\0'};
    at += change.sign != 0;
    const char *equals = memchr(at, '=', (size_t)(end - at));
    size_t length = (size_t)((equals ? equals : end) - at);
    const char *name = long_name(at, length);
    change.name = name ? name : at;
    change.name_length = name ? strlen(name) : length;
    change.value = equals ? equals + 1 : end;
    change.value_length = (size_t)(end - change.value);
    bool pooled = length && *at == 'E' && is_whole(change.value, change.value_length);
    if (pooled) {
        unsigned long index = strtoul(change.value, NULL, 10);
        uint32_t text =
            index < history->pool_names.count ? history->pool_names.at[index] : TAC_NONE;
        if (text != TAC_NONE) {
            change.value = history->timeline->names.text[text];
            change.value_length = history->timeline->names.length[text];
        }
    }
    if (!change.name_length)
        return TAC_OK;
    if (change.sign)
        return take_edge(history, time, &change, err);
    if (!change.value_length)
        return TAC_OK;
    if (change.name_length == 5 && !memcmp(change.name, "level", 5))
        return take_level(history, time, (int)strtol(change.value, NULL, 10), err);
    return set_value(history, time, change.name, change.name_length, change.value,
                     change.value_length, err);
}

/* "9,h,DELTA[:RESET:TIME:MS|:TIME:MS|,CHANGE...]" */
static tac_status take_checkin(struct history *history, const char *at, const char *end,
                               tac_error *err)
{
    char *next;
    long long delta = strtoll(at, &next, 10);
    if (next == at || next > end || delta < 0 || delta > HISTORY_OFFSET_MAX)
        return TAC_OK;
    history->records++;
    history->last += delta;
    if (history->last > HISTORY_OFFSET_MAX)
        history->last = HISTORY_OFFSET_MAX;
    const char *time_word = memmem(next, (size_t)(end - next), "TIME:", 5);
    if (*next == ':' && time_word) {
        long long wall = strtoll(time_word + 5, NULL, 10);
        if (memmem(next, (size_t)(end - next), "RESET", 5))
            history->last = 0;
        if (!history->tied && wall > 0 && wall < 4 * HISTORY_OFFSET_MAX)
            tie(history, history->last, wall * 1000000);
        return TAC_OK;
    }
    int64_t time = history->last * 1000000 + (history->tied ? history->wall_minus_offset : 0);
    tac_status status = TAC_OK;
    while (!status && next < end && *next == ',') {
        const char *from = next + 1, *stop = memchr(from, ',', (size_t)(end - from));
        const char *to = stop ? stop : end;
        if (to > from)
            status = take_code(history, time, from, to, err);
        next = (char *)(uintptr_t)to;
    }
    return status;
}

tac_status history_take_line(struct history *history, const char *line, size_t length,
                             tac_error *err)
{
    struct history_line record;
    const char *end = line + length;
    if (length > 6 && !memcmp(line, "9,hsp,", 6)) {
        take_pool(history, line + 6, end);
        return TAC_OK;
    }
    if (length > 4 && !memcmp(line, "9,h,", 4)) {
        history->checkin = true;
        return take_checkin(history, line + 4, end, err);
    }
    if (!history->inside) {
        history->inside = length >= 15 && !memcmp(line, "Battery History", 15) && !history->ended;
        return TAC_OK;
    }
    if (!length) {
        history->inside = false;
        history->ended = true;
        return TAC_OK;
    }
    if (history_line_parse(line, length, &record))
        return take_record(history, &record, err);
    history->continuations++;
    return TAC_OK;
}

tac_status history_finish(struct history *history, tac_error *err)
{
    (void)err;
    history->timeline->source->clock = !history->tied     ? NULL
                                       : history->checkin ? "realtime"
                                                          : "local";
    timeline_note_count(history->timeline, history->backwards,
                        "record lies before the one above it; sorted",
                        "records lie before the one above them; sorted");
    if (history->inside)
        timeline_note(history->timeline, "the text ends inside the history");
    return TAC_OK;
}
