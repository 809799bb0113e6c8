/* The log of an Android device, read in pieces: `logcat -d -T TIME` gives the lines from a time on;
 * lines of that very time that were seen before are skipped by their count. Crashes and announced
 * system events (tag SystemEvent) are noticed while lines pass. */
#include "base/text.h"
#include "device/adb.h"
#include <math.h>
#include <string.h>

void adb_free_log(adb *a)
{
    for (size_t i = a->log_head; i < a->log.count; i++)
        free(a->log.at[i].raw);
    tac_vec_free(&a->log);
    free(a->handed.raw);
    tac_str_free(&a->log_storage);
    android_crash_free(&a->crash);
}

static void keep_line(adb *a, const tac_log_line *line)
{
    if (a->log.count - a->log_head >= ADB_MOST_LOG) {
        free(a->log.at[a->log_head++].raw);
        a->log_dropped++;
    }
    size_t raw = strlen(line->raw) + 1, tag = strlen(line->tag) + 1;
    size_t message = strlen(line->message) + 1;
    char *text = tac_alloc(raw + tag + message);
    memcpy(text, line->raw, raw);
    memcpy(text + raw, line->tag, tag);
    memcpy(text + raw + tag, line->message, message);
    tac_vec_push(&a->log, (adb_log_entry){line->time, line->pid, line->tid, line->level, text,
                                          text + raw, text + raw + tag});
}

static void see_line(adb *a, const tac_log_line *line)
{
    keep_line(a, line);
    android_crash_line(&a->crash, line);
    if (!a->own && !strcmp(line->tag, "SystemEvent") && a->arrival_count < ADB_MOST_ARRIVALS) {
        adb_arrival *arrival = &a->arrivals[a->arrival_count++];
        arrival->time = line->time;
        snprintf(arrival->name, sizeof arrival->name, "%s", line->message);
    }
}

static void see_lines(adb *a, const char *text, size_t size)
{
    size_t skip = a->log_same;
    int64_t since = a->log_time;
    android_lines lines = {.at = text, .end = text + size};
    while (android_next_line(&lines)) {
        tac_log_line line;
        if (!android_read_log_line(lines.line, lines.length, 0, &a->log_storage, &line) ||
            line.time < since)
            continue;
        if (line.time == since && skip) {
            skip--;
            continue;
        }
        a->log_same = line.time == a->log_time ? a->log_same + 1 : 1;
        a->log_time = line.time;
        see_line(a, &line);
    }
}

tac_status adb_fetch_log(adb *a, const char *step, double seconds, double deadline, int64_t *now,
                         tac_error *err)
{
    char wait[40] = "";
    if (seconds > 0)
        snprintf(wait, sizeof wait, "sleep %.6f; ", seconds);
    int64_t micro = a->log_time / 1000;
    tac_status st = adb_do(a, step, deadline + seconds, err,
                           "%sdate +%%s%%N; echo ==log; "
                           "logcat -d -v threadtime -v epoch -v usec -T %lld.%06lld",
                           wait, (long long)(micro / 1000000), (long long)(micro % 1000000));
    if (st)
        return st;
    if (now)
        *now = adb_date(tac_str_text(&a->result.output));
    a->log_time = micro * 1000; /* what the lines can say */
    size_t size;
    const char *text = adb_part(a, "log", &size);
    size = a->result.output.length - (size_t)(text - tac_str_text(&a->result.output));
    if (*text)
        see_lines(a, text, size);
    return TAC_OK;
}

tac_status adb_log(tac_device *device, tac_log_line *out, bool *more, tac_error *err)
{
    adb *a = adb_of(device);
    if (a->log_head >= a->log.count) {
        a->log.count = a->log_head = 0;
        tac_status st = adb_fetch_log(a, "log", 0, device->deadline, NULL, err);
        if (st)
            return st;
    }
    *more = a->log_head < a->log.count;
    if (!*more)
        return TAC_OK;
    free(a->handed.raw);
    a->handed = a->log.at[a->log_head++];
    *out = (tac_log_line){.time = a->handed.time,
                          .pid = a->handed.pid,
                          .tid = a->handed.tid,
                          .level = a->handed.level,
                          .tag = a->handed.tag,
                          .message = a->handed.message,
                          .raw = a->handed.raw};
    return TAC_OK;
}

uint64_t adb_log_dropped(const tac_device *device)
{
    return ((const adb *)device->state)->log_dropped;
}

tac_status adb_crash(tac_device *device, tac_crash *out, tac_error *err)
{
    adb *a = adb_of(device);
    tac_status st = adb_fetch_log(a, "crash", 0, device->deadline, NULL, err);
    if (st)
        return st;
    const android_crash *c = &a->crash;
    *out = (tac_crash){.crashed = c->crashed,
                       .exception = tac_str_text(&c->exception),
                       .message = tac_str_text(&c->message),
                       .stack = (const char *const *)c->stack.at,
                       .stack_count = c->stack.count,
                       .time = c->time};
    return TAC_OK;
}

/* --- waiting --- */

static bool take_arrival(adb *a, const char *event, int64_t start, tac_arrival *out)
{
    for (size_t i = 0; i < a->arrival_count; i++) {
        if (event && strcmp(event, a->arrivals[i].name) != 0)
            continue;
        snprintf(a->arrived, sizeof a->arrived, "%s", a->arrivals[i].name);
        *out =
            (tac_arrival){true, a->arrived, fmax((double)(a->arrivals[i].time - start) * 1e-9, 0)};
        a->arrival_count -= i + 1;
        memmove(a->arrivals, a->arrivals + i + 1, a->arrival_count * sizeof *a->arrivals);
        a->fresh = false;
        return true;
    }
    a->arrival_count = 0;
    return false;
}

/* A device that announces nothing is asked for its activity and its tree; true: it has changed. */
static tac_status look_for_change(tac_device *device, double deadline, bool first, bool *changed,
                                  tac_error *err)
{
    adb *a = adb_of(device);
    const tac_ui *ui = NULL;
    char before[32];
    memcpy(before, a->shown, sizeof before);
    tac_error ignored;
    tac_status st = adb_snapshot(device, deadline, &ui, &ignored);
    if (st && st != TAC_E_LIMIT) {
        if (err)
            *err = ignored;
        return st;
    }
    *changed = !st && !first && strcmp(before, a->shown) != 0;
    return TAC_OK;
}

tac_status adb_wait_change(tac_device *device, const char *event, double deadline, tac_arrival *out,
                           tac_error *err)
{
    adb *a = adb_of(device);
    const double step = a->virtual_time ? 0.1 : 0.5;
    int64_t start = 0, now = 0;
    tac_status st = adb_fetch_log(a, "wait for a system event", 0, device->deadline, &start, err);
    now = start;
    for (bool first = true; !st; first = false) {
        double passed = (double)(now - start) * 1e-9;
        if (take_arrival(a, event, start, out))
            return TAC_OK;
        if (passed >= deadline - 1e-9) {
            *out = (tac_arrival){false, "", passed};
            return TAC_OK;
        }
        bool changed = false;
        if (!a->virtual_time && !event)
            st = look_for_change(device, device->deadline, first, &changed, err);
        if (!st && changed) {
            *out = (tac_arrival){true, "", passed};
            return TAC_OK;
        }
        if (!st)
            st = adb_fetch_log(a, "wait for a system event", fmin(step, deadline - passed),
                               device->deadline, &now, err);
    }
    return st;
}
