/* The phone's log: kept until it is read, oldest first, and printed in the form of
 * `logcat -v threadtime`. */
#include "phone/world/phone.h"
#include <time.h>

enum { SIM_PID = 4242 };

void sim_log(struct sim *s, char level, const char *tag, const char *format, ...)
{
    if (s->log.count - s->log_head >= SIM_MAX_LOG)
        free(s->log.at[s->log_head++].message);
    if (s->log_head > 1024 && s->log_head * 2 > s->log.count) {
        memmove(s->log.at, s->log.at + s->log_head,
                (s->log.count - s->log_head) * sizeof *s->log.at);
        s->log.count -= s->log_head;
        s->log_head = 0;
    }
    tac_str message = {.cap = SIM_MAX_TEXT};
    va_list args;
    va_start(args, format);
    tac_str_addv(&message, format, args);
    va_end(args);
    if (!message.text)
        tac_str_add(&message, "");
    char *text = message.text ? tac_str_take(&message) : tac_strdup("");
    tac_vec_push(&s->log, (struct sim_log_entry){s->now, level, tag, text});
}

bool sim_log_next(struct sim *s, tac_log_line *out)
{
    if (s->log_head >= s->log.count) {
        s->log.count = s->log_head = 0;
        return false;
    }
    struct sim_log_entry *entry = &s->log.at[s->log_head++];
    int64_t nanoseconds = sim_clock(s, entry->time);
    time_t seconds = (time_t)(nanoseconds / 1000000000);
    struct tm date;
    gmtime_r(&seconds, &date);
    tac_str line = {0};
    tac_str_addf(&line, "%02d-%02d %02d:%02d:%02d.%03d %5d %5d %c %-8s: %s", date.tm_mon + 1,
                 date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec,
                 (int)(nanoseconds / 1000000 % 1000), SIM_PID, SIM_PID, entry->level, entry->tag,
                 entry->message);
    free(s->log_text);
    free(s->log_message);
    s->log_text = tac_str_take(&line);
    s->log_message = entry->message;
    entry->message = NULL;
    *out = (tac_log_line){.time = nanoseconds,
                          .pid = SIM_PID,
                          .tid = SIM_PID,
                          .level = entry->level,
                          .tag = entry->tag,
                          .message = s->log_message,
                          .raw = s->log_text};
    return true;
}
