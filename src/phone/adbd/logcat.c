/* The log of the phone that speaks adb: what the built-in phone logs is collected after every
 * command and kept for `logcat`. */
#include "base/data/text.h"
#include "phone/adbd/daemon.h"
#include <time.h>

static void add_line(struct phone *p, const struct phone_line *line)
{
    if (p->silent) {
        free(line->tag);
        free(line->message);
        return;
    }
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
    tac_vec_push(&p->log, *line);
}

void phone_collect_log(struct phone *p)
{
    tac_log_line line;
    while (sim_log_next(p->sim, &line))
        add_line(p, &(struct phone_line){line.time, line.level, tac_strdup(line.tag),
                                         tac_strdup(line.message)});
}

void phone_add_line(struct phone *p, char level, const char *tag, const char *message)
{
    phone_collect_log(p);
    add_line(p, &(struct phone_line){sim_clock(p->sim, p->sim->now), level, tac_strdup(tag),
                                     tac_strdup(message)});
}

void phone_free_log(struct phone *p)
{
    for (size_t i = 0; i < p->log.count; i++) {
        free(p->log.at[i].tag);
        free(p->log.at[i].message);
    }
    tac_vec_free(&p->log);
}

static void print_line(const struct phone_line *line, const struct phone_log_view *format,
                       tac_str *out)
{
    time_t seconds = (time_t)(line->time / 1000000000);
    int micro = (int)(line->time / 1000 % 1000000);
    struct tm date;
    gmtime_r(&seconds, &date);
    if (format->epoch)
        tac_str_addf(out, "%19lld", (long long)seconds);
    else if (format->year)
        tac_str_addf(out, "%04d-", date.tm_year + 1900);
    if (!format->epoch)
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

static void clear_log(struct phone *p)
{
    uint64_t end = p->log_first + p->log.count;
    phone_free_log(p);
    p->log_first = end;
}

/* "SECONDS.FRACTION" of the epoch, or a number of lines. */
static void take_start(struct phone_log_view *view, const char *value)
{
    const char *point = strchr(value, '.');
    double seconds;
    if (!point) {
        tac_parse_u64(value, &view->last);
    } else if (tac_parse_double(value, &seconds) && seconds >= 0 && seconds < 1e11) {
        int64_t micro = 0, weight = 100000;
        for (const char *c = point + 1; *c >= '0' && *c <= '9'; c++, weight /= 10)
            micro += (*c - '0') * weight;
        view->since = (int64_t)strtoull(value, NULL, 10) * 1000000 + micro;
    }
}

static struct phone_log_view read_options(int argc, char **argv)
{
    struct phone_log_view view = {.last = UINT64_MAX};
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        view.clear |= !strcmp(word, "-c");
        view.dump |= !strcmp(word, "-d") || !strcmp(word, "-t");
        if (!strcmp(word, "-v")) {
            view.epoch |= !strcmp(value, "epoch");
            view.microseconds |= !strcmp(value, "usec");
            view.brief_time |= !strcmp(value, "time");
            view.year |= !strcmp(value, "year");
            i++;
        } else if (!strcmp(word, "-T") || !strcmp(word, "-t")) {
            take_start(&view, value);
            i++;
        }
    }
    return view;
}

/* `adb logcat` says "export ...; exec logcat ...". */
bool phone_follows_log(struct phone *p, const char *line, struct phone_log_view *view)
{
    char *store = tac_alloc(strlen(line) + PHONE_MOST_WORDS + 1);
    char **argv = tac_calloc(PHONE_MOST_WORDS, sizeof *argv);
    int argc = 0;
    bool follows = false;
    char separator;
    do
        separator = phone_next_command(&line, store, &argc, argv);
    while (separator && argc && !strcmp(argv[0], "export"));
    int skip = argc && !strcmp(argv[0], "exec");
    if (!separator && argc > skip && !strcmp(argv[skip], "logcat")) {
        *view = read_options(argc - skip, argv + skip);
        follows = !view->clear && !view->dump;
    }
    free(argv);
    free(store);
    if (follows && view->last < p->log.count)
        view->next = p->log_first + p->log.count - view->last;
    return follows;
}

void phone_log_follow(struct phone *p, struct phone_log_view *view, tac_str *out)
{
    if (view->next < p->log_first)
        view->next = p->log_first;
    for (; view->next < p->log_first + p->log.count; view->next++) {
        const struct phone_line *line = &p->log.at[view->next - p->log_first];
        if (line->time / 1000 >= view->since)
            print_line(line, view, out);
    }
}

int phone_logcat(struct phone_command *c)
{
    struct phone *p = c->phone;
    struct phone_log_view view = read_options(c->argc, c->argv);
    if (view.clear) {
        clear_log(p);
        return 0;
    }
    if (view.last < p->log.count)
        view.next = p->log_first + p->log.count - view.last;
    tac_str_add(c->out, "--------- beginning of main\n");
    phone_log_follow(p, &view, c->out);
    return 0;
}
