/* `dumpsys gfxinfo`, with framestats. A process that did not answer has unknown figures, not zero.
 */
#include "facts/android/lines.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_LIMIT_NS = 16666667, MOST_COLUMNS = 64 };

struct gfxinfo {
    tac_facts *facts;
    int64_t frames, janky, legacy, percentiles[4], histogram;
    int64_t windows, rows, plain_rows, slow, slowest;
    int flags, intended, completed; /* columns; -1: not there */
    bool in_profile, has_histogram, process;
    bool failed;
};

static void take_header(struct gfxinfo *g, const char *line)
{
    int column = 0;
    g->flags = g->intended = g->completed = -1;
    for (const char *at = line; *at; column++) {
        size_t n = strcspn(at, ",");
        g->flags = n == 5 && !strncmp(at, "Flags", n) ? column : g->flags;
        g->intended = n == 13 && !strncmp(at, "IntendedVsync", n) ? column : g->intended;
        g->completed = n == 14 && !strncmp(at, "FrameCompleted", n) ? column : g->completed;
        at += n + (at[n] == ',');
    }
}

static void take_row(struct gfxinfo *g, const char *line)
{
    int64_t values[MOST_COLUMNS];
    int count = 0;
    for (const char *at = line; *at && count < MOST_COLUMNS;) {
        size_t n = strcspn(at, ",");
        values[count++] = strtoll(at, NULL, 10);
        at += n + (at[n] == ',');
    }
    if (g->flags < 0 || g->intended < 0 || g->completed < 0 || count <= g->completed ||
        count <= g->intended)
        return;
    g->rows++;
    if (values[g->flags])
        return;
    int64_t length = values[g->completed] - values[g->intended];
    g->plain_rows++;
    g->slow += length > FRAME_LIMIT_NS;
    g->slowest = length > g->slowest ? length : g->slowest;
}

static void take_histogram(struct gfxinfo *g, const char *line)
{
    g->has_histogram = true;
    for (const char *at = strchr(line, ':'); at && (at = strchr(at, '='));)
        g->histogram += strtoll(++at, NULL, 10);
}

static bool take(void *context, char *line)
{
    static const char *const percentiles[] = {
        "50th percentile:", "90th percentile:", "95th percentile:", "99th percentile:"};
    struct gfxinfo *g = context;
    const char *text = line + strspn(line, " \t");
    if (!strncmp(text, "---PROFILEDATA---", 17)) {
        g->in_profile = !g->in_profile;
        g->windows += g->in_profile;
    } else if (g->in_profile) {
        if (!strncmp(text, "Flags,", 6))
            take_header(g, text);
        else if (strchr(text, ','))
            take_row(g, text);
    } else if (strstr(line, "** Graphics info for pid") && !g->process) {
        const char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL;
        g->process = true;
        if (close)
            facts_textf(g->facts, "process", "%.*s %" PRId64, (int)(close - open - 1), open + 1,
                        number_after(line, "for pid", 0));
    } else if (strstr(text, "Failure while dumping the app") && !g->failed) {
        g->failed = true;
        facts_text(g->facts, "failure", "Failure while dumping the app");
    } else if (!strncmp(text, "Total frames rendered:", 22) && g->frames < 0) {
        g->frames = number_after(text, "rendered:", -1);
    } else if (!strncmp(text, "Janky frames:", 13) && g->janky < 0) {
        g->janky = number_after(text, "frames:", -1);
    } else if (!strncmp(text, "Janky frames (legacy):", 22) && g->legacy < 0) {
        g->legacy = number_after(text, "(legacy):", -1);
    } else if (!strncmp(text, "HISTOGRAM:", 10) && !g->has_histogram) {
        take_histogram(g, text);
    }
    for (int i = 0; i < 4 && !g->in_profile; i++)
        if (!strncmp(text, percentiles[i], strlen(percentiles[i])) && g->percentiles[i] < 0)
            g->percentiles[i] = number_after(text, percentiles[i], -1);
    return true;
}

static void known(tac_facts *facts, const char *name, int64_t value)
{
    if (value < 0)
        facts_text(facts, name, "-");
    else
        facts_number(facts, name, value);
}

static tac_status read(const struct facts_input *input, tac_facts *facts, tac_error *err)
{
    static const char *const names[] = {"p50_ms", "p90_ms", "p95_ms", "p99_ms"};
    struct gfxinfo g = {.facts = facts,
                        .frames = -1,
                        .janky = -1,
                        .legacy = -1,
                        .percentiles = {-1, -1, -1, -1},
                        .flags = -1,
                        .intended = -1,
                        .completed = -1};
    facts_text(facts, "encoding", input->encoding);
    tac_status status = each_line(input, take, &g, err);
    if (status != TAC_OK)
        return status;
    known(facts, "frames", g.frames);
    known(facts, "janky", g.janky);
    known(facts, "janky_legacy", g.legacy);
    for (int i = 0; i < 4; i++)
        known(facts, names[i], g.percentiles[i]);
    if (g.has_histogram)
        facts_number(facts, "histogram_sum", g.histogram);
    if (g.windows) {
        facts_number(facts, "framestats_windows", g.windows);
        facts_number(facts, "framestats_rows", g.rows);
        facts_number(facts, "framestats_rows_flags0", g.plain_rows);
        facts_number(facts, "framestats_over_16.667ms", g.slow);
        if (g.plain_rows)
            facts_textf(facts, "framestats_slowest_ms", "%.3f", (double)g.slowest / 1e6);
    }
    if (g.in_profile)
        facts_warn(facts, "the text ends inside the frame data");
    return TAC_OK;
}

static int sniff(const struct facts_input *input)
{
    return head_has(input, "** Graphics info for pid") ||
                   head_has(input, "Applications Graphics Acceleration Info")
               ? 3
               : 0;
}

const struct facts_kind facts_kind_gfxinfo = {
    .name = "gfxinfo", .summary = "dumpsys gfxinfo: frames and jank", .sniff = sniff, .read = read};
