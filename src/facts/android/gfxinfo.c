/* `dumpsys gfxinfo`, with framestats. A process that did not answer has unknown figures, not zero.
 */
#include "device/android/dump/parse.h"
#include "facts/android/lines.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void known(tac_facts *facts, const char *name, double value)
{
    if (isnan(value))
        facts_text(facts, name, "-");
    else
        facts_number(facts, name, llround(value));
}

static void add_values(const struct android_frames *f, tac_facts *facts)
{
    static const char *const names[] = {"p50_ms", "p90_ms", "p95_ms", "p99_ms"};
    if (*f->process)
        facts_textf(facts, "process", "%s %" PRIu64, f->process, f->pid);
    if (f->failed)
        facts_text(facts, "failure", "Failure while dumping the app");
    known(facts, "frames", f->total);
    known(facts, "janky", f->janky);
    known(facts, "janky_legacy", f->legacy);
    for (int i = 0; i < 4; i++)
        known(facts, names[i], f->raw_percentile[i] * 1000);
    if (!isnan(f->histogram))
        facts_number(facts, "histogram_sum", llround(f->histogram));
    if (f->windows) {
        facts_number(facts, "framestats_windows", (int64_t)f->windows);
        facts_number(facts, "framestats_rows", (int64_t)f->rows);
        facts_number(facts, "framestats_rows_flags0", (int64_t)f->recent);
        facts_number(facts, "framestats_over_16.667ms", (int64_t)f->slow);
        if (f->recent)
            facts_textf(facts, "framestats_slowest_ms", "%.3f", f->slowest * 1000);
    }
    if (f->cut)
        facts_warn(facts, "the text ends inside the frame data");
}

static tac_status read(const struct facts_input *input, tac_facts *facts, tac_error *err)
{
    char *text;
    size_t size;
    struct android_frames frames;
    tac_status status = facts_slurp(input, &text, &size, err);
    if (status != TAC_OK)
        return status;
    facts_text(facts, "encoding", input->encoding);
    android_read_frames(text, size, &frames);
    free(text);
    add_values(&frames, facts);
    return TAC_OK;
}

static int sniff(const struct facts_input *input)
{
    return head_has(input, "** Graphics info for pid") ||
                   head_has(input, "Applications Graphics Acceleration Info")
               ? 3
           : head_line_begins(input, "Total frames rendered:") ? 2
                                                               : 0;
}

const struct facts_kind facts_kind_gfxinfo = {
    .name = "gfxinfo", .summary = "dumpsys gfxinfo: frames and jank", .sniff = sniff, .read = read};
