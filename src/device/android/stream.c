/* The log of an Android device as one stream that stays open: `logcat` is started once, what has
 * come is taken without waiting. To know that nothing is still under way, commands write a mark
 * into the log (`log -t tactus.mark SESSION.NUMBER`); whoever needs everything up to a command
 * waits for its mark. A stream that broke (adb kill-server) is opened again at the time of the last
 * line; lines of that very time that were seen before are skipped by their count, so none is lost
 * or seen twice.
 *
 * A phone that logs nothing (some makers switch the log off) shows no marks: that is found out with
 * the first one, and from then on what has come counts as all. */
#include "base/data/text.h"
#include "device/android/adb.h"
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINE = 1 << 20 };
static const char mark_tag[] = "tactus.mark";
static const double first_mark_seconds = 3;

void adb_stream_close(struct adb *a)
{
    if (a->log_fd >= 0)
        close(a->log_fd);
    a->log_fd = -1;
    tac_str_clear(&a->log_text);
}

/* From the last line on. */
static tac_status open_stream(struct adb *a, const char *step, double limit, tac_error *err)
{
    int64_t micro = a->log_time / 1000;
    char service[180];
    adb_stream_close(a);
    snprintf(service, sizeof service,
             "shell,v2,raw:logcat -b main -b system -b crash -b events -v threadtime -v epoch "
             "-v usec -T %lld.%06lld",
             (long long)(micro / 1000000), (long long)(micro % 1000000));
    tac_status st = adb_connect_service(&a->client, step, service, limit, &a->log_fd, err);
    if (st) {
        a->log_fd = -1;
        return st;
    }
    a->log_packets = (struct adb_packets){.output = &a->log_text, .most = ADB_MOST_OUTPUT};
    a->log_since = micro * 1000;
    a->log_skip = a->log_same;
    return TAC_OK;
}

/* True when the line is one that was seen before the stream was opened again. */
static bool seen_before(struct adb *a, const tac_log_line *line)
{
    if (line->time < a->log_since)
        return true;
    if (line->time == a->log_since && a->log_skip) {
        a->log_skip--;
        return true;
    }
    return false;
}

static void take_line(struct adb *a, const char *text, size_t length)
{
    tac_log_line line;
    if (!android_read_log_line(text, length, 0, &a->log_storage, &line) || seen_before(a, &line))
        return;
    if (line.time > a->log_time) {
        a->log_time = line.time;
        a->log_same = 1;
    } else if (line.time == a->log_time) {
        a->log_same++;
    }
    if (strcmp(line.tag, mark_tag) != 0) {
        adb_see_line(a, &line);
        return;
    }
    size_t n = strlen(a->session);
    uint64_t mark;
    if (!strncmp(line.message, a->session, n) && line.message[n] == '.' &&
        tac_parse_u64(line.message + n + 1, &mark)) {
        a->mark_seen = mark > a->mark_seen ? mark : a->mark_seen;
        for (int i = 0; i < 2; i++)
            a->passed[i] = a->passed[i] || mark == a->asked[i];
    }
}

void adb_take_lines(struct adb *a, uint64_t mark)
{
    size_t at = 0;
    while (!mark || a->mark_seen < mark) {
        const char *from = tac_str_text(&a->log_text) + at;
        const char *end =
            at < a->log_text.length ? memchr(from, '\n', a->log_text.length - at) : NULL;
        if (!end)
            break;
        size_t length = (size_t)(end - from);
        take_line(a, from, length && from[length - 1] == '\r' ? length - 1 : length);
        at += (size_t)(end - from) + 1;
    }
    if (a->log_text.length - at > MOST_LINE) /* no line is so long */
        at = a->log_text.length;
    if (at) {
        a->log_text.length -= at;
        memmove(a->log_text.text, a->log_text.text + at, a->log_text.length);
    }
}

/* Reads what is there. *end: the stream is over. */
static tac_status read_stream(struct adb *a, const char *step, bool *end, bool *any, tac_error *err)
{
    char part[16384];
    ssize_t n = read(a->log_fd, part, sizeof part);
    *any = n > 0;
    *end = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
    if (n <= 0)
        return TAC_OK;
    tac_status st = adb_packets_feed(&a->log_packets, step, part, (size_t)n, err);
    *end = a->log_packets.exited;
    return st;
}

tac_status adb_catch_up(struct adb *a, const char *step, uint64_t mark, double limit,
                        tac_error *err)
{
    bool first = !a->mark_seen;
    if (a->unmarked)
        mark = 0;
    if (first && mark)
        limit = fmin(fmax(limit, tac_now() + 0.5), tac_now() + first_mark_seconds);
    for (;;) {
        tac_status st = a->log_fd < 0 ? open_stream(a, step, limit, err) : TAC_OK;
        bool end = false, any = false;
        if (!st)
            st = read_stream(a, step, &end, &any, err);
        if (st)
            return st;
        adb_take_lines(a, mark);
        if (mark && a->mark_seen >= mark)
            return TAC_OK;
        if (end)
            adb_stream_close(a);
        if (any && !end && tac_now() < limit)
            continue;
        if (!mark)
            return TAC_OK;
        double left = limit - tac_now();
        if (left <= 0 && first) {
            a->unmarked = true;
            return TAC_OK;
        }
        if (left <= 0)
            return tac_fail(err, TAC_E_DEVICE,
                            "%s: the device's log has stopped: no mark within the deadline", step);
        struct pollfd ready = {.fd = a->log_fd, .events = POLLIN};
        poll(&ready, 1, end ? 20 : (int)ceil(fmin(left, 1) * 1000));
    }
}

uint64_t adb_add_mark(struct adb *a, tac_str *command)
{
    tac_str_addf(command, "log -t %s %s.%llu", mark_tag, a->session, (unsigned long long)++a->mark);
    a->since_mark = false;
    return a->mark;
}
