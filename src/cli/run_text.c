/* See run_text.h. */
#include "cli/run_text.h"
#include "base/print/print.h"
#include <stdlib.h>
#include <string.h>

/* "1 run", "2 runs" */
static const char *runs_word(int64_t count)
{
    return count == 1 ? "run" : "runs";
}

static void write_coverage(FILE *out, const tac_run_coverage *row)
{
    bool all = row->covered >= row->total;
    const char *why = all                                  ? ""
                      : !strcmp(row->ended, "unreachable") ? "; the others cannot be reached"
                      : !strcmp(row->ended, "limit")
                          ? "; the events are used up, --steps allows more"
                          : "; the run ended before";
    tac_print(out, "  run %lld: %lld of %lld %s%s covered with %lld %s and %lld %s%s\n",
              (long long)row->run, (long long)row->covered, (long long)row->total, row->goal,
              strcmp(row->goal, "requirement") != 0 ? "" : "s", (long long)row->events,
              row->events == 1 ? "event" : "events", (long long)row->starts,
              row->starts == 1 ? "start" : "starts", why);
    if (row->unmodelled)
        tac_print(out, "  run %lld: %lld %s to a screen that the model does not have there\n",
                  (long long)row->run, (long long)row->unmodelled,
                  row->unmodelled == 1 ? "event led" : "events led");
}

/* A property that had nothing to judge holds, but tells nothing. */
static void write_exercised(FILE *out, const tac_run_property *row)
{
    if (row->exercised == row->runs)
        fputc('\n', out);
    else if (row->exercised)
        tac_print(out, "; %lld %s had nothing for it to judge\n",
                  (long long)(row->runs - row->exercised), runs_word(row->runs - row->exercised));
    else
        fputs("; never exercised, so nothing was tested\n", out);
}

static void write_messages(FILE *out, const tac_run_failure *rows, size_t count)
{
    enum { SHOWN = 10 };
    for (size_t i = 0; i < count && i < SHOWN; i++)
        tac_print(out, "  run %lld: %s\n", (long long)rows[i].run, rows[i].message);
    if (count > SHOWN)
        tac_print(out, "  ... and %zu more, see verdicts.json\n", count - SHOWN);
}

void run_text_actions(FILE *out, const char *indent, const tac_run_action *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *complaint = tac_run_action_complaint(&rows[i]);
        if (complaint)
            tac_print(out, "%s%s\n", indent, complaint);
        free(complaint);
    }
}

static void write_lists(FILE *out, const tac_run_summary *summary)
{
    for (size_t i = 0; i < summary->coverage_count; i++)
        write_coverage(out, &summary->coverage[i]);
    for (size_t i = 0; i < summary->property_count; i++) {
        const tac_run_property *row = &summary->properties[i];
        tac_print(out, "  %s%s%s: violated in %lld of %lld %s", row->name,
                  row->scenario[0] ? ", " : "", row->scenario, (long long)row->violated,
                  (long long)row->runs, runs_word(row->runs));
        if (row->inconclusive)
            tac_print(out, ", inconclusive in %lld", (long long)row->inconclusive);
        write_exercised(out, row);
        if (row->untested && !row->exercised)
            tac_print(
                out,
                "    never tested: all %lld %s needed something that was never on the screen; "
                "check its selectors\n",
                (long long)row->untested, row->untested == 1 ? "instance" : "instances");
    }
    for (size_t i = 0; i < summary->crash_count; i++) {
        const tac_run_crash *row = &summary->crashes[i];
        tac_print(out, "  %lld %s crashed with %s, such as run %lld (%s)\n", (long long)row->runs,
                  runs_word(row->runs), row->exception, (long long)row->example, row->finding);
    }
    write_messages(out, summary->failures, summary->failure_count);
    write_messages(out, summary->notes, summary->note_count);
    run_text_actions(out, "  ", summary->actions, summary->action_count);
}

void run_text_summary(FILE *out, void *context)
{
    const tac_run_summary *summary = context;
    tac_print(
        out, "%lld %s in %s: %lld passed, %lld failed, %lld crashed, %lld stopped at a violation\n",
        (long long)summary->runs, runs_word(summary->runs), summary->folder,
        (long long)summary->pass, (long long)summary->fail, (long long)summary->crash,
        (long long)summary->aborted);
    for (size_t i = 0; i < summary->lost_count; i++) {
        const tac_run_lost_device *row = &summary->lost[i];
        tac_print(out, "%s went away after %lld %s: %s\n", row->device, (long long)row->after,
                  runs_word(row->after), row->message);
    }
    if (summary->missing > 0)
        tac_print(out, "%lld %s missing; the same command continues\n", (long long)summary->missing,
                  summary->missing == 1 ? "run is" : "runs are");
    for (size_t i = 0; i < summary->unmatched_count; i++)
        tac_print(out, "never matched: elements to ignore: %s\n", summary->unmatched[i]);
    write_lists(out, summary);
}

void run_text_planned(FILE *out, void *context)
{
    const tac_run_summary *summary = context;
    tac_print(out, "%lld %s planned in %s; 'tactus worker' with that address does them\n",
              (long long)summary->missing, runs_word(summary->missing), summary->folder);
}
