/* Checks a property while the states of an app arrive: two variables, one state at a time.
 *
 *     cc check_stream.c $(pkg-config --cflags --libs tactus) -o check_stream && ./check_stream */
#include <stdio.h>
#include <string.h>
#include <tactus/property.h>

static const char rules[] = "unit rxData kB\n"
                            "monotone rxData\n"
                            "property cheap: forall [event == play, event == pause] "
                            "diff(rxData) < 500 kB\n";

static const char *const symbols[] = {"play", "pause"};
static const tac_trace_variable variables[] = {
    {.name = "event", .unit = "", .kind = TAC_DISCRETE},
    {.name = "rxData", .unit = "kB", .kind = TAC_CONTINUOUS},
};

/* One state: what happened (an index of symbols, or TAC_TRACE_NO_SYMBOL) and the counter then. */
static tac_status feed(tac_monitor *monitor, int64_t seconds, uint32_t event, double received,
                       tac_error *err)
{
    const tac_monitor_schema schema = {variables, 2, symbols, 2};
    const int64_t time = seconds * 1000000000;
    const double *numbers[] = {NULL, &received};
    const uint32_t *events[] = {&event, NULL};
    const tac_trace_block state = {.count = 1,
                                   .first = tac_monitor_states(monitor),
                                   .time = &time,
                                   .numbers = numbers,
                                   .symbols = events};
    return tac_monitor_feed(monitor, &schema, &state, err);
}

static tac_status watch_playback(tac_monitor *monitor, tac_error *err)
{
    tac_status status = feed(monitor, 0, 0, 0, err);
    for (int64_t second = 1; second <= 10 && status == TAC_OK; second++) {
        status = feed(monitor, second, TAC_TRACE_NO_SYMBOL, (double)second * 60, err);
        tac_property_result now;
        tac_monitor_result(monitor, 0, false, &now);
        if (now.early_alarm && now.early_alarm->state == tac_monitor_states(monitor) - 1)
            printf("after %d s: the bound is passed\n", (int)second);
    }
    if (status == TAC_OK)
        status = feed(monitor, 11, 1, 660, err);
    return status;
}

int main(void)
{
    tac_diagnostics findings = {0};
    tac_properties *properties = NULL;
    tac_monitor *monitor = NULL;
    tac_error err;
    tac_status status =
        tac_property_parse("rules", rules, strlen(rules), &findings, &properties, &err);
    if (status == TAC_OK)
        status = tac_monitor_new(properties, NULL, &monitor, &err);
    if (status == TAC_OK)
        status = watch_playback(monitor, &err);
    if (status == TAC_OK)
        status = tac_monitor_finish(monitor, NULL, &err);
    tac_answer answer = TAC_INCONCLUSIVE;
    if (status == TAC_OK) {
        tac_property_result result;
        tac_verdict verdict;
        tac_monitor_result(monitor, 0, true, &result);
        answer = result.answer;
        tac_property_result_verdict(properties, &result, "the stream", &verdict);
        tac_verdict_text(&verdict, stdout);
        tac_verdict_free(&verdict);
    } else {
        char text[2048];
        fprintf(stderr, "%s\n", tac_error_text(&err, text, sizeof text));
    }
    tac_monitor_free(monitor);
    tac_property_free(properties);
    tac_diagnostics_free(&findings);
    return tac_exit_code(status, answer);
}
