/* The log of the phone that speaks adb: what the built-in phone logs is collected after every
 * command and kept for `logcat`. */
#include "base/text.h"
#include "device/phone_daemon.h"
#include <time.h>

void phone_collect_log(phone *p)
{
    tac_log_line line;
    while (sim_log_next(p->sim, &line)) {
        if (p->log.count >= PHONE_MOST_LOG) {
            size_t old = PHONE_MOST_LOG / 2;
            for (size_t i = 0; i < old; i++) {
                free(p->log.at[i].tag);
                free(p->log.at[i].message);
            }
            p->log.count -= old;
            p->log_first += old;
            memmove(p->log.at, p->log.at + old, p->log.count * sizeof *p->log.at);
        }
        tac_vec_push(&p->log, (phone_line){line.time, line.level, tac_strdup(line.tag),
                                           tac_strdup(line.message)});
    }
}

void phone_free_log(phone *p)
{
    for (size_t i = 0; i < p->log.count; i++) {
        free(p->log.at[i].tag);
        free(p->log.at[i].message);
    }
    tac_vec_free(&p->log);
}

typedef struct log_format {
    bool epoch, microseconds, brief_time;
} log_format;

static void print_line(const phone_line *line, const log_format *format, tac_str *out)
{
    time_t seconds = (time_t)(line->time / 1000000000);
    int micro = (int)(line->time / 1000 % 1000000);
    struct tm date;
    gmtime_r(&seconds, &date);
    if (format->epoch)
        tac_str_addf(out, "%19lld", (long long)seconds);
    else
        tac_str_addf(out, "%02d-%02d %02d:%02d:%02d", date.tm_mon + 1, date.tm_mday, date.tm_hour,
                     date.tm_min, date.tm_sec);
    if (format->microseconds)
        tac_str_addf(out, ".%06d", micro);
    else
        tac_str_addf(out, ".%03d", micro / 1000);
    if (format->brief_time)
        tac_str_addf(out, " %c/%-8s(%5d): %s\n", line->level, line->tag, PHONE_PID, line->message);
    else
        tac_str_addf(out, " %5d %5d %c %-8s: %s\n", PHONE_PID, PHONE_PID, line->level, line->tag,
                     line->message);
}

void phone_log_since(phone *p, uint64_t *next, tac_str *out)
{
    const log_format threadtime = {0};
    if (*next < p->log_first)
        *next = p->log_first;
    for (; *next < p->log_first + p->log.count; ++*next)
        print_line(&p->log.at[*next - p->log_first], &threadtime, out);
}

static void clear_log(phone *p)
{
    uint64_t end = p->log_first + p->log.count;
    phone_free_log(p);
    p->log_first = end;
}

int phone_logcat(phone_command *c)
{
    log_format format = {0};
    int64_t since = 0;
    uint64_t last = UINT64_MAX;
    for (int i = 1; i < c->argc; i++) {
        const char *word = c->argv[i], *value = i + 1 < c->argc ? c->argv[i + 1] : "";
        if (!strcmp(word, "-c")) {
            clear_log(c->phone);
            return 0;
        }
        if (!strcmp(word, "-v")) {
            format.epoch |= !strcmp(value, "epoch");
            format.microseconds |= !strcmp(value, "usec");
            format.brief_time |= !strcmp(value, "time");
            i++;
        } else if (!strcmp(word, "-T") || !strcmp(word, "-t")) {
            double seconds;
            if (strchr(value, '.') && tac_parse_double(value, &seconds)) {
                uint64_t whole = strtoull(value, NULL, 10);
                since =
                    (int64_t)whole * 1000000 + (int64_t)strtoull(strchr(value, '.') + 1, NULL, 10);
            } else {
                tac_parse_u64(value, &last);
            }
            i++;
        }
    }
    const phone *p = c->phone;
    size_t first = last < p->log.count ? p->log.count - (size_t)last : 0;
    tac_str_add(c->out, "--------- beginning of main\n");
    for (size_t i = first; i < p->log.count; i++)
        if (p->log.at[i].time / 1000 >= since)
            print_line(&p->log.at[i], &format, c->out);
    return 0;
}
