/* See history.h. In --checkin a history line is "9,h,DELTA:CHANGES" with short codes (Bv=3897 the
 * voltage, Bt the temperature, Bl the level, +S the screen) and a pool of strings "9,hsp,INDEX,UID,
 * TEXT". */
#include "trace/battery/history.h"
#include "base/data/text.h"
#include "trace/battery/codes.h"
#include <stdlib.h>

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
    tac_vec_free(&history->open);
    tac_vec_free(&history->pool_names);
}

/* --- Changes ---------------------------------------------------------------------------------- */

static bool is_name(const char *name, size_t length, const char *wanted)
{
    return strlen(wanted) == length && !memcmp(name, wanted, length);
}

static bool is_whole(const char *text, size_t length)
{
    size_t digits = length && *text == '-';
    for (; digits < length && text[digits] >= '0' && text[digits] <= '9'; digits++)
        ;
    return length && digits == length && length < 18 && text[length - 1] != '-';
}

/* Charges of rails have decimals, with the comma of the phone's language. */
static bool read_number(const char *text, size_t length, double *out)
{
    char copy[32];
    if (!length || length >= sizeof copy)
        return false;
    for (size_t i = 0; i < length; i++)
        copy[i] = (char)(text[i] == ',' ? '.' : text[i]);
    copy[length] = '\0';
    return !copy[strspn(copy, "0123456789.-")] && tac_parse_double(copy, out);
}

static const char *unit_of(const char *name, size_t length, double *scale)
{
    *scale = 1;
    if (is_name(name, length, "volt"))
        return "mV";
    if (is_name(name, length, "charge") || is_name(name, length, "modemRailChargemAh") ||
        is_name(name, length, "wifiRailChargemAh"))
        return "mAh";
    if (is_name(name, length, "level"))
        return "%";
    if (is_name(name, length, "temp")) {
        *scale = 0.1;
        return "degC";
    }
    return "";
}

/* Numbers that stand for names: of users, and of connections that the phone has no name for. */
static bool is_label(const char *name, size_t length)
{
    return is_name(name, length, "user") || is_name(name, length, "data_conn");
}

static tac_status set_value(struct history *history, int64_t time, const char *name,
                            size_t name_length, const char *value, size_t length, tac_error *err)
{
    struct timeline *timeline = history->timeline;
    double scale;
    const char *unit = unit_of(name, name_length, &scale);
    bool number = *unit || (is_whole(value, length) && !is_label(name, name_length));
    uint32_t base = timeline_name(timeline, name, name_length);
    struct timeline_event event = {.time = time};
    event.name = timeline_series(timeline, base, TAC_NONE, number ? TAC_CONTINUOUS : TAC_DISCRETE,
                                 unit, scale);
    if (timeline->series.at[event.name].kind == TAC_CONTINUOUS) {
        event.kind = TIMELINE_COUNTER;
        if (!read_number(value, length, &event.number)) {
            history->not_numbers++;
            return TAC_OK;
        }
    } else {
        event.kind = TIMELINE_SET;
        event.track = timeline_name(timeline, value, length);
    }
    return timeline_add(timeline, &event, err);
}

static void keep_open(struct history *history, const struct timeline_event *event)
{
    if (event->kind == TIMELINE_BEGIN) {
        tac_vec_push(&history->open, (struct history_slice){event->track, event->name});
        return;
    }
    for (size_t i = history->open.count; i-- > 0;)
        if (history->open.at[i].track == event->track) {
            for (history->open.count--; i < history->open.count; i++)
                history->open.at[i] = history->open.at[i + 1];
            return;
        }
}

/* SHUTDOWN and START: with the latter the printer forgets what was on, and prints no "-x" for it;
 * what is on behind them is printed as "+x" again. */
static tac_status take_command(struct history *history, int64_t time, const char *word,
                               tac_error *err)
{
    struct timeline *timeline = history->timeline;
    tac_status status = TAC_OK;
    int64_t off = !strcmp(word, "SHUTDOWN") ? time : history->last_on;
    for (size_t i = history->open.count; i-- > 0 && !status;) {
        struct timeline_event event = {.time = off,
                                       .kind = TIMELINE_END,
                                       .name = history->open.at[i].name,
                                       .track = history->open.at[i].track};
        status = timeline_add(timeline, &event, err);
        history->off++;
    }
    history->open.count = 0;
    struct timeline_event mark = {
        .time = time, .kind = TIMELINE_INSTANT, .name = timeline_name_text(timeline, word)};
    return status ? status : timeline_add(timeline, &mark, err);
}

/* The word of such a line, or NULL. */
static const char *command_of(const char *at, size_t length)
{
    static const char *const words[] = {"SHUTDOWN", "START"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);
        if (length >= size && !memcmp(at, words[i], size) &&
            (length == size || strchr(" \t\r", at[size])))
            return words[i];
    }
    return NULL;
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
    keep_open(history, &event);
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
    int64_t wall, when = history_line_time(line, &history->year);
    if (history->records++ && when < history->last)
        history->backwards++;
    history->last = when;
    if (history_wall_time(line, &word, &word_length, &date, &date_length, &wall)) {
        if (!history->tied)
            tie(history, when, line->dated ? when * 1000000 : wall);
        return TAC_OK;
    }
    history->overflows += line->rest_length >= 10 && !memcmp(line->rest, "*OVERFLOW*", 10);
    int64_t time = when * 1000000 + (history->tied ? history->wall_minus_offset : 0);
    const char *command = command_of(line->rest, line->rest_length);
    if (command)
        return take_command(history, time, command, err);
    if (line->level < 0)
        return TAC_OK;
    history->last_on = time;
    tac_status status = take_level(history, time, line->level, err);
    return status ? status
                  : take_changes(history, time, line->rest, line->rest + line->rest_length, err);
}

/* --- --checkin -------------------------------------------------------------------------------- */

/* "9,hsp,INDEX,UID,\"TEXT\"": kept as the long form writes it, u0a21:"TEXT". */
static void take_pool(struct history *history, const char *at, const char *end)
{
    char *next, *behind, uid[48];
    unsigned long index = strtoul(at, &next, 10);
    if (next >= end || *next != ',' || index > 65535)
        return;
    unsigned long number = strtoul(next + 1, &behind, 10);
    if (behind == next + 1 || behind >= end || *behind != ',')
        return;
    while (history->pool_names.count <= index)
        tac_vec_push(&history->pool_names, TAC_NONE);
    history_uid_text(number, uid, sizeof uid);
    tac_str text = {0};
    tac_str_addf(&text, "%s:", uid);
    tac_str_add_bytes(&text, behind + 1, (size_t)(end - behind - 1));
    history->pool_names.at[index] = timeline_name(history->timeline, text.text, text.length);
    tac_str_free(&text);
}

/* The value of a code in the words of the long form. */
static void long_value(const struct history *history, const char *code, size_t length,
                       struct history_change *change)
{
    const char *word = history_code_value(code, length, change->value, change->value_length);
    if (word) {
        change->value = word;
        change->value_length = strlen(word);
    }
    if (!history_code_is_pooled(code, length) || !is_whole(change->value, change->value_length))
        return;
    unsigned long index = strtoul(change->value, NULL, 10);
    uint32_t text = index < history->pool_names.count ? history->pool_names.at[index] : TAC_NONE;
    if (text == TAC_NONE)
        return;
    change->value = history->timeline->names.text[text];
    change->value_length = history->timeline->names.length[text];
}

/* One change of --checkin, written out long. */
static tac_status take_code(struct history *history, int64_t time, const char *at, const char *end,
                            tac_error *err)
{
    struct history_change change = {.sign = *at == '+' || *at == '-' ? *at : '\0'};
    at += change.sign != 0;
    const char *equals = memchr(at, '=', (size_t)(end - at));
    size_t length = (size_t)((equals ? equals : end) - at);
    const char *name = history_code_name(at, length);
    change.name = name ? name : at;
    change.name_length = name ? strlen(name) : length;
    change.value = equals ? equals + 1 : end;
    change.value_length = (size_t)(end - change.value);
    long_value(history, at, length, &change);
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
    static const char *const details[] = {",Dcpu=", ",Dpst=", ":*OVERFLOW*"};
    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        if ((size_t)(end - next) >= strlen(details[i]) &&
            !memcmp(next, details[i], strlen(details[i]))) {
            history->overflows += *next == ':';
            return TAC_OK; /* the long form has lines without a record for these */
        }
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
    const char *command = *next == ':' ? command_of(next + 1, (size_t)(end - next - 1)) : NULL;
    if (command)
        return take_command(history, time, command, err);
    history->last_on = time;
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
    timeline_note_count(history->timeline, history->not_numbers,
                        "value is not the number that its variable is, and was left out",
                        "values are not the numbers that their variables are, and were left out");
    timeline_note_count(history->timeline, history->off,
                        "slice ends where the phone went off or stopped recording",
                        "slices end where the phone went off or stopped recording");
    if (history->overflows)
        timeline_note(history->timeline, "the phone had no room for more history at times: events "
                                         "are missing");
    if (history->inside)
        timeline_note(history->timeline, "the text ends inside the history");
    return TAC_OK;
}
