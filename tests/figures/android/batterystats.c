/* The battery history of `dumpsys batterystats`: its records, offsets, levels and changes. The
 * history goes from its header to the first empty line; with --checkin it is the lines "9,h,DELTA".
 */
#include "figures/android/power.h"
#include "figures/kind.h"
#include "figures/tally.h"
#include "trace/battery/history.h"
#include "trace/battery/history_line.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct history_facts {
    int64_t records, continuations, with_level, last, greatest, volts;
    int level_first, level_last, level_min;
    int64_t volt_first, volt_last;
    bool sorted;
    struct history_year year;
    int64_t first; /* the first dated record's time, from which the others count */
    struct tally flags;
};

static int sniff(const struct figures_input *input)
{
    bool history = strstr(input->head, "Battery History (") ||
                   strstr(input->head, "Battery History [") || /* since Android 14 */
                   strstr(input->head, "Battery History:") || history_is_checkin(input->head);
    bool statistics = strstr(input->head, "Estimated power use (mAh)") ||
                      strstr(input->head, "Statistics since last charge:");
    return history ? 2 : statistics ? 1 : 0;
}

static void take_changes(struct history_facts *history, const struct history_line *line)
{
    const char *at = line->rest, *end = at + line->rest_length;
    struct history_change change;
    while (history_next_change(&at, end, &change)) {
        if (change.sign)
            tally_add(&history->flags, change.name - 1, change.name_length + 1, 1);
        if (!change.sign && change.name_length == 4 && !memcmp(change.name, "volt", 4)) {
            int64_t volt = strtoll(change.value, NULL, 10);
            history->volt_first = history->volts++ ? history->volt_first : volt;
            history->volt_last = volt;
        }
    }
}

static void take_level(struct history_facts *history, int level)
{
    if (!history->with_level++)
        history->level_first = history->level_min = level;
    history->level_last = level;
    if (level < history->level_min)
        history->level_min = level;
}

static void take_record(struct history_facts *history, const struct history_line *line,
                        struct figures *facts)
{
    const char *word, *date;
    size_t word_length, date_length;
    int64_t time, when = history_line_time(line, &history->year);
    if (line->dated && !history->records)
        history->first = when;
    when -= history->first;
    if (history->records++ && when < history->last)
        history->sorted = false;
    history->last = when;
    if (history_wall_time(line, &word, &word_length, &date, &date_length, &time))
        figures_textf(facts, "wall", "%" PRId64 " %.*s %.*s", when, (int)word_length, word,
                      (int)date_length, date);
    if (line->level >= 0) {
        take_level(history, line->level);
        take_changes(history, line);
    }
}

static void add_values(struct history_facts *history, struct figures *facts)
{
    figures_number(facts, "continuation_lines", history->continuations);
    figures_number(facts, "records", history->records);
    figures_number(facts, "last_ms", history->last);
    figures_number(facts, "sorted", history->sorted);
    figures_number(facts, "with_level", history->with_level);
    if (history->with_level)
        figures_textf(facts, "level", "first=%d last=%d min=%d", history->level_first,
                      history->level_last, history->level_min);
    char *flags = tally_text(&history->flags);
    if (*flags)
        figures_text(facts, "flags", flags);
    free(flags);
    if (history->volts)
        figures_textf(facts, "volt", "n=%" PRId64 " first=%" PRId64 " last=%" PRId64,
                      history->volts, history->volt_first, history->volt_last);
}

/* "9,h,DELTA,Bl=80,Bv=4100,+S" or "9,h,DELTA:RESET:TIME:EPOCH": `line` is behind "9,h,". */
static void take_checkin(struct history_facts *history, const char *line, size_t length,
                         struct figures *facts)
{
    char text[4096], *next, *rest;
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1),
             line);
    int64_t delta = strtoll(text, &next, 10);
    if (next == text || delta < 0 || delta > HISTORY_OFFSET_MAX ||
        history->last > HISTORY_OFFSET_MAX) {
        history->continuations++;
        return;
    }
    history->records++;
    history->last += delta;
    if (*next == ':')
        figures_textf(facts, "wall", "%" PRId64 " %s", history->last, next + 1);
    for (char *part = strtok_r(*next == ',' ? next + 1 : next + strlen(next), ",", &rest); part;
         part = strtok_r(NULL, ",", &rest)) {
        if (*part == '+' || *part == '-')
            tally_add(&history->flags, part, strcspn(part, "="), 1);
        else if (!strncmp(part, "Bl=", 3))
            take_level(history, (int)strtol(part + 3, NULL, 10));
        else if (!strncmp(part, "Bv=", 3)) {
            history->volt_last = strtoll(part + 3, NULL, 10);
            history->volt_first = history->volts++ ? history->volt_first : history->volt_last;
        }
    }
}

static tac_status read_checkin(const struct figures_input *input, struct figures *facts,
                               tac_error *err)
{
    char *text;
    size_t size, length;
    tac_status status = figures_slurp(input, &text, &size, err);
    if (status)
        return status;
    const char *at = text, *end = text + size, *line;
    struct history_facts history = {.sorted = true};
    figures_text(facts, "header", "checkin");
    while (figures_next_line(&at, end, &line, &length))
        if (length > 4 && !memcmp(line, "9,h,", 4))
            take_checkin(&history, line + 4, length - 4, facts);
    add_values(&history, facts);
    tally_free(&history.flags);
    free(text);
    return TAC_OK;
}

static tac_status read_history(const struct figures_input *input, struct figures *facts,
                               tac_error *err)
{
    char *text;
    size_t size, length;
    if (!strstr(input->head, "Battery History") && history_is_checkin(input->head))
        return read_checkin(input, facts, err);
    tac_status status = figures_slurp(input, &text, &size, err);
    if (status)
        return status;
    const char *at = text, *end = text + size, *line;
    struct history_facts history = {.sorted = true};
    bool inside = false, ended = false;
    while (!ended && figures_next_line(&at, end, &line, &length)) {
        struct history_line record;
        if (!inside) {
            inside = length >= 15 && !memcmp(line, "Battery History", 15);
            if (inside)
                figures_textf(facts, "header", "%.*s", (int)length, line);
        } else if (!length) {
            ended = true;
        } else if (history_line_parse(line, length, &record)) {
            take_record(&history, &record, facts);
        } else {
            history.continuations++;
        }
    }
    if (!inside)
        figures_warn(facts, "no battery history was found");
    else if (!ended)
        figures_warn(facts, "the text ends inside the history");
    add_values(&history, facts);
    tally_free(&history.flags);
    free(text);
    return power_facts(input, facts, err);
}

const struct figures_kind figures_kind_batterystats = {
    .name = "batterystats",
    .summary = "the battery history of dumpsys batterystats",
    .sniff = sniff,
    .read = read_history,
};
