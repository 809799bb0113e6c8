/* See reading.h. */
#include "property/check/reading.h"

#include "base/check.h"
#include "base/data/alloc.h"
#include "property/check/described.h"
#include <string.h>

static void tell_interval(void *context, size_t property, const tac_witness *witness)
{
    const struct check_run *run = context;
    run->options->on_interval(run->options->context, run->name, property, witness);
}

void check_run_start(struct check_run *run, const tac_properties *properties, const char *name,
                     const tac_check_options *options, bool known, tac_trace_source *source)
{
    size_t count = tac_property_count(properties);
    *run = (struct check_run){.properties = properties,
                              .name = name,
                              .options = options,
                              .judge = {.semantics = options->semantics,
                                        .values = options->values,
                                        .value_count = options->value_count,
                                        .end = options->cut ? JUDGE_CUT : JUDGE_AS_READ,
                                        .known = known,
                                        .stop_on_violation = options->stop_on_violation,
                                        .what = "checking",
                                        .watch = options->watch}};
    run->told = tac_calloc(count + 1, sizeof *run->told);
    run->alarmed = tac_calloc(count + 1, sizeof *run->alarmed);
    judge_add(&run->judge, properties, options->on_interval ? tell_interval : NULL, run);
    judge_begin(&run->judge, source, name);
}

void check_run_free(struct check_run *run)
{
    judge_free(&run->judge);
    free(run->told);
    free(run->alarmed);
    tac_diagnostics_free(&run->notes);
}

/* last: nothing will come any more. */
static void result_now(struct check_run *run, size_t index, bool last, tac_property_result *out)
{
    if (last)
        judge_result(&run->judge, 0, index, out);
    else
        tac_monitor_result(run->judge.files.at[0].monitor, index, false, out);
}

void check_run_tell(struct check_run *run, bool last)
{
    assert(run->told && run->alarmed);
    size_t count = tac_property_count(run->properties);
    tac_property_result result;
    if (!run->options->on_news)
        return;
    for (;;) {
        size_t best = SIZE_MAX;
        uint64_t when = UINT64_MAX;
        bool alarm = false;
        for (size_t i = 0; i < count; i++) {
            if (run->told[i] && run->alarmed[i])
                continue;
            result_now(run, i, last, &result);
            if (result.early_alarm && !run->alarmed[i] && result.early_alarm->state < when) {
                best = i;
                when = result.early_alarm->state;
                alarm = true;
            }
            uint64_t at = result.decided ? result.decided_state : UINT64_MAX - 1;
            if (!run->told[i] && (result.decided || last) && at < when) {
                best = i;
                when = at;
                alarm = false;
            }
        }
        if (best == SIZE_MAX)
            return;
        assert(best < count);
        result_now(run, best, last, &result);
        tac_check_news news = {.kind = alarm ? TAC_NEWS_ALARM : TAC_NEWS_VERDICT,
                               .trace = run->name,
                               .result = &result};
        run->options->on_news(run->options->context, &news);
        (alarm ? run->alarmed : run->told)[best] = true;
    }
}

void check_copy_warnings(const tac_diagnostics *from, tac_diagnostics *to)
{
    for (size_t i = 0; i < from->count; i++)
        tac_diagnostics_add(to, from->at[i].severity, from->at[i].file, from->at[i].line,
                            from->at[i].column, "%s", from->at[i].message);
}

void check_run_result(struct check_run *run, uint64_t skipped, tac_checked_trace *out)
{
    tac_property_result result;
    size_t count = tac_property_count(run->properties);
    tac_arena *kept = tac_calloc(1, sizeof *kept);
    *out = (tac_checked_trace){.trace = tac_arena_strdup(kept, run->name),
                               .findings = tac_arena_calloc(kept, count, sizeof *out->findings),
                               .count = count,
                               .kept = kept,
                               .states = run->judge.states,
                               .skipped = skipped};
    for (size_t i = 0; i < count; i++) {
        tac_check_finding *finding = &out->findings[i];
        tac_verdict verdict;
        result_now(run, i, true, &result);
        tac_property_result_verdict(run->properties, &result, run->name, &verdict);
        const char *variable = property_telling_variable(&result);
        tac_interval at = {0};
        bool has_place = property_telling_place(&result, &at);
        *finding =
            (tac_check_finding){.explanation = tac_arena_strdup(kept, verdict.explanation),
                                .advice = tac_arena_strdup(kept, verdict.advice),
                                .has_place = has_place,
                                .from = at.from,
                                .to = at.to,
                                .variable = variable ? tac_arena_strdup(kept, variable) : NULL};
        describe_keep(&property_result_described, &result, kept, &finding->result);
        assert(has_place || !variable);
        tac_verdict_free(&verdict);
    }
    check_copy_warnings(&run->notes, &out->warnings);
    check_copy_warnings(tac_monitor_warnings(run->judge.files.at[0].monitor), &out->warnings);
}

void tac_checked_trace_free(tac_checked_trace *trace)
{
    tac_diagnostics_free(&trace->warnings);
    if (trace->kept)
        tac_arena_free(trace->kept);
    free(trace->kept);
    memset(trace, 0, sizeof *trace);
}

void tac_check_report_free(tac_check_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        tac_checked_trace_free(&report->traces[i]);
    free(report->traces);
    memset(report, 0, sizeof *report);
}

int tac_checked_trace_exit_code(const tac_checked_trace *trace)
{
    int code = 0;
    for (size_t i = 0; i < trace->count; i++) {
        int one = tac_exit_code(TAC_OK, trace->findings[i].result.answer);
        if (one == 1 || code == 0)
            code = one;
        if (code == 1)
            return 1;
    }
    return code;
}

int tac_check_report_exit_code(const tac_check_report *report)
{
    int code = 0;
    for (size_t i = 0; i < report->count && code != 1; i++) {
        int one = tac_checked_trace_exit_code(&report->traces[i]);
        if (one == 1 || code == 0)
            code = one;
    }
    return code;
}
