/* The lines of an Android device's log (see stream.c), and waiting. Crashes and announced
 * system events (tag SystemEvent) are noticed while lines pass. */
#include "base/data/text.h"
#include "device/android/adb.h"
#include <math.h>
#include <poll.h>
#include <string.h>

void adb_free_log(struct adb *a)
{
    adb_stream_close(a);
    tac_str_free(&a->log_text);
    for (size_t i = a->log_head; i < a->log.count; i++)
        free(a->log.at[i].raw);
    tac_vec_free(&a->log);
    free(a->handed.raw);
    tac_str_free(&a->log_storage);
    android_crash_free(&a->crash);
}

static void keep_line(struct adb *a, const tac_log_line *line)
{
    if (a->log.count - a->log_head >= ADB_MOST_LOG)
        free(a->log.at[a->log_head++].raw);
    size_t raw = strlen(line->raw) + 1, tag = strlen(line->tag) + 1;
    size_t message = strlen(line->message) + 1;
    char *text = tac_alloc(raw + tag + message);
    memcpy(text, line->raw, raw);
    memcpy(text + raw, line->tag, tag);
    memcpy(text + raw + tag, line->message, message);
    tac_vec_push(&a->log, (struct adb_log_entry){line->time, line->pid, line->tid, line->level,
                                                 text, text + raw, text + raw + tag});
}

void adb_see_line(struct adb *a, const tac_log_line *line)
{
    keep_line(a, line);
    android_crash_line(&a->crash, line);
    if (!a->own && !strcmp(line->tag, "SystemEvent") && a->arrival_count < ADB_MOST_ARRIVALS) {
        struct adb_arrival *arrival = &a->arrivals[a->arrival_count++];
        arrival->time = line->time;
        snprintf(arrival->name, sizeof arrival->name, "%s", line->message);
    }
}

tac_status adb_fetch_log(struct adb *a, const char *step, double seconds, double deadline,
                         int64_t *now, tac_error *err)
{
    uint64_t mark = a->mark;
    double limit = tac_now() + deadline + fmax(seconds, 0);
    if (a->since_mark || seconds > 0 || now || !mark) {
        tac_str command = {0};
        if (seconds > 0)
            tac_str_addf(&command, "sleep %.6f; ", seconds);
        tac_str_add(&command, "date +%s%N; ");
        mark = adb_add_mark(a, &command);
        tac_status st = adb_do(a, step, deadline + seconds, err, "%s", tac_str_text(&command));
        tac_str_free(&command);
        if (st)
            return st;
        a->since_mark = false;
        if (now)
            *now = adb_part_date(a, "");
    }
    tac_status st = adb_catch_up(a, step, mark, limit, err);
    return st ? st : adb_catch_up(a, step, 0, limit, err);
}

/* The connection broke under a command between two marks. *again: it was not begun. A third mark,
 * behind which everything has come, shows which of the two were written. A phone may begin a
 * command that it has got after the connection is gone, hence the grace before the third: a command
 * that is given again although it comes late would be done twice. */
static tac_status judge_break(struct adb *a, const char *step, double limit, struct adb_logged *out,
                              bool *again, tac_error *err)
{
    static const double grace = 4;
    tac_str command = {0};
    uint64_t last = adb_add_mark(a, &command);
    adb_stream_close(a);
    poll(NULL, 0, (int)(fmax(fmin(grace, limit - tac_now() - 1), 0) * 1000));
    tac_status st = adb_ask(a, step, fmax(limit - tac_now(), 0.1), tac_str_text(&command), err);
    tac_str_free(&command);
    if (!st)
        st = adb_catch_up(a, step, last, limit, err);
    if (st)
        return st;
    out->lost = a->passed[1];
    *again = !a->passed[0] && !a->unmarked;
    if (out->lost || *again)
        return TAC_OK;
    return tac_fail(err, TAC_E_DEVICE,
                    "%s: the connection broke meanwhile; whether it was done is not known", step);
}

static tac_status do_marked(struct adb *a, const char *step, const char *own, double limit,
                            struct adb_logged *out, tac_error *err)
{
    struct adb_pause pause;
    adb_pause_start(&pause, limit);
    for (;;) {
        tac_str command = {0};
        *out = (struct adb_logged){.before = adb_add_mark(a, &command)};
        tac_str_addf(&command, "; %s; ", own);
        out->after = adb_add_mark(a, &command);
        a->asked[0] = out->before, a->asked[1] = out->after;
        a->passed[0] = a->passed[1] = false;
        tac_status st = adb_shell(&a->client, step, tac_str_text(&command),
                                  fmax(limit - tac_now(), 0.1), &a->result, err);
        tac_str_free(&command);
        bool again = false;
        if (!st || !a->result.broken || !adb_pause(&pause, &a->client, ADB_NO_SERVER))
            return st;
        st = judge_break(a, step, limit, out, &again, err);
        if (st || !again)
            return st;
    }
}

tac_status adb_do_logged(struct adb *a, const char *step, double deadline, struct adb_logged *out,
                         tac_error *err, const char *format, ...)
{
    double limit = tac_now() + deadline;
    tac_str own = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&own, format, args);
    va_end(args);
    tac_status st = do_marked(a, step, tac_str_text(&own), limit, out, err);
    tac_str_free(&own);
    a->since_mark = false;
    return st ? st : adb_catch_up(a, step, out->before, limit, err);
}

tac_status adb_log(tac_device *device, tac_log_line *out, bool *more, tac_error *err)
{
    struct adb *a = adb_of(device);
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

/* The log, and the process that was launched: another one in its place has died and come back. One
 * that is gone without a word counts where the phone logs nothing. */
static tac_status watch_process(struct adb *a, double deadline, tac_error *err)
{
    int64_t now = 0;
    tac_status st = adb_do(a, "look for crashes", deadline, err, "pidof %s", a->package);
    if (st)
        return st;
    uint64_t pid = 0;
    const char *text = tac_str_text(&a->result.output);
    android_count(text, text + a->result.output.length, &pid);
    st = adb_fetch_log(a, "look for crashes", 0, deadline, &now, err);
    if (st || !a->crash.app_pid || a->crash.crashed)
        return st;
    char why[120];
    snprintf(why, sizeof why, "its process %d is gone, %llu has come", a->crash.app_pid,
             (unsigned long long)pid);
    if (pid && (int)pid != a->crash.app_pid)
        android_crash_gone(&a->crash, now, why);
    else if (!pid && a->unmarked)
        android_crash_gone(&a->crash, now, "its process is gone");
    return st;
}

tac_status adb_crash(tac_device *device, tac_crash *out, tac_error *err)
{
    struct adb *a = adb_of(device);
    tac_status st = watch_process(a, device->deadline, err);
    if (st)
        return st;
    if (a->crash.native && !a->crash.stack.count && !a->traced) {
        a->traced = true;
        st = adb_do(a, "look for crashes", device->deadline, err,
                    "dumpsys dropbox --print data_app_native_crash");
        if (st)
            return st;
        android_crash_tombstone(&a->crash, tac_str_text(&a->result.output),
                                a->result.output.length);
    }
    if (a->crash.anr && !a->crash.stack.count && !a->traced) { /* the log has no stack of it */
        a->traced = true;
        st =
            adb_do(a, "look for crashes", device->deadline, err, "dumpsys activity lastanr-traces");
        if (st)
            return st;
        android_crash_traces(&a->crash, tac_str_text(&a->result.output), a->result.output.length);
    }
    const struct android_crash *c = &a->crash;
    *out = (tac_crash){.crashed = c->crashed,
                       .exception = tac_str_text(&c->exception),
                       .message = tac_str_text(&c->message),
                       .stack = (const char *const *)c->stack.at,
                       .stack_count = c->stack.count,
                       .time = c->time,
                       .chain = (const char *const *)c->chain.at,
                       .chain_count = c->chain.count,
                       .violations = c->violations};
    return TAC_OK;
}

/* --- waiting --- */

static bool take_arrival(struct adb *a, const char *event, int64_t start, tac_arrival *out)
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
    struct adb *a = adb_of(device);
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
    struct adb *a = adb_of(device);
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
