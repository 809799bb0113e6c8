/* `dumpsys gfxinfo`, with framestats. A process that did not answer has unknown figures, not zero.
 * Of several processes the second's figures are "2.frames" and so on. */
#include "device/android/dump/parse.h"
#include "figures/android/lines.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The figures of one process: the first's have plain names. */
struct figures {
    struct figures *facts;
    size_t process; /* from 1 */
    char name[48];
};

static const char *named(struct figures *f, const char *name)
{
    if (f->process == 1)
        return name;
    snprintf(f->name, sizeof f->name, "%zu.%s", f->process, name);
    return f->name;
}

static void known(struct figures *out, const char *name, double value)
{
    if (isnan(value))
        figures_text(out->facts, named(out, name), "-");
    else
        figures_number(out->facts, named(out, name), llround(value));
}

static void add_windows(const struct android_frames *f, struct figures *out)
{
    known(out, "framestats_windows", (double)f->windows);
    known(out, "framestats_rows", (double)f->rows);
    known(out, "framestats_rows_flags0", (double)f->recent);
    known(out, "framestats_over_16.667ms", (double)f->slow);
    if (f->recent)
        figures_textf(out->facts, named(out, "framestats_slowest_ms"), "%.3f", f->slowest * 1000);
}

static void add_values(const struct android_frames *f, size_t process, struct figures *facts)
{
    static const char *const names[] = {"p50_ms", "p90_ms", "p95_ms", "p99_ms"};
    struct figures out = {.facts = facts, .process = process};
    if (*f->process)
        figures_textf(facts, named(&out, "process"), "%s %" PRIu64, f->process, f->pid);
    if (f->failed)
        figures_text(facts, named(&out, "failure"), "Failure while dumping the app");
    known(&out, "frames", f->total);
    known(&out, "janky", f->janky);
    known(&out, "janky_legacy", f->legacy);
    for (int i = 0; i < 4; i++)
        known(&out, names[i], f->raw_percentile[i] * 1000);
    if (!isnan(f->histogram))
        known(&out, "histogram_sum", f->histogram);
    if (f->windows)
        add_windows(f, &out);
    if (f->cut)
        figures_warn(facts, "the text ends inside the frame data");
}

static tac_status read(const struct figures_input *input, struct figures *facts, tac_error *err)
{
    char *text;
    size_t size;
    struct android_frames frames;
    tac_status status = figures_slurp(input, &text, &size, err);
    if (status != TAC_OK)
        return status;
    figures_text(facts, "encoding", input->encoding);
    const char *at = text, *end = text + size;
    size_t processes = 0;
    while (android_next_frames(&at, end, &frames))
        processes += *frames.process != '\0';
    if (processes > 1)
        figures_number(facts, "processes", (int64_t)processes);
    at = text;
    for (size_t i = 1; android_next_frames(&at, end, &frames); i++)
        add_values(&frames, i, facts);
    free(text);
    return TAC_OK;
}

static int sniff(const struct figures_input *input)
{
    return head_has(input, "** Graphics info for pid") ||
                   head_has(input, "Applications Graphics Acceleration Info")
               ? 3
           : head_line_begins(input, "Total frames rendered:") ? 2
                                                               : 0;
}

const struct figures_kind figures_kind_gfxinfo = {
    .name = "gfxinfo", .summary = "dumpsys gfxinfo: frames and jank", .sniff = sniff, .read = read};
