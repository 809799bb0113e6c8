/* The battery history of `dumpsys batterystats` (docs/traces.md, "Battery history"): `+x` and `-x`
 * are the slice x, `key=value` a variable; `battery.level` [%], `volt` [mV], `temp` [degC],
 * `charge` [mAh]. Times are wall time without a zone, by the RESET:TIME and TIME lines. */
#include "trace/battery/history.h"
#include "trace/read/format.h"

struct battery_reader {
    struct timeline timeline;
    struct history history;
};

static int sniff(const struct trace_probe *probe)
{
    if (strstr(probe->head, "== dumpstate: "))
        return 0; /* a bug report, which has more than the history */
    return !strncmp(probe->head, "Battery History", 15) ||
                   strstr(probe->head, "\nBattery History (") ||
                   strstr(probe->head, "\nBattery History [")
               ? 2
           : history_is_checkin(probe->head) ? 2
                                             : 0;
}

static tac_status open_battery(tac_trace_source *source, tac_error *err)
{
    struct battery_reader *reader = source->reader = tac_calloc(1, sizeof *reader);
    timeline_open(&reader->timeline, source);
    history_open(&reader->history, &reader->timeline);
    tac_status status = TAC_OK;
    while (!status) {
        const char *line;
        size_t length, number;
        bool waits;
        status = source_next_line(source, &line, &length, &number, &waits, err);
        if (status || !line)
            break;
        status = history_take_line(&reader->history, line, length, err);
    }
    if (!status)
        status = history_finish(&reader->history, err);
    if (!status && !reader->history.records)
        status = source_fail(source, err, TAC_E_INPUT, 0, 0, "there is no battery history in it");
    return status ? status : timeline_finish(&reader->timeline, err);
}

static void close_battery(tac_trace_source *source)
{
    struct battery_reader *reader = source->reader;
    if (!reader)
        return;
    history_close(&reader->history);
    timeline_close(&reader->timeline);
    free(reader);
}

const struct trace_format trace_format_batterystats = {
    .id = TRACE_BATTERYSTATS,
    .endings = "|.batterystats|.log|.txt|",
    .sniff = sniff,
    .open = open_battery,
    .fill = timeline_fill_source,
    .close = close_battery,
};
