/* `dumpsys gfxinfo` on the phone that speaks adb. An input or a launch draws one frame, which takes
 * until the app has handled it: a frame above 1/60 s is janky. The last 120 are kept for
 * framestats, all are counted in the bins of Android's histogram. */
#include "phone/adbd/daemon.h"
#include <math.h>

static const double interval = 1.0 / 60;

void phone_add_frame(struct phone *p, double seconds)
{
    struct phone_frames *f = &p->frames;
    double bin = fmin(ceil(seconds * 1000 - 1e-6), PHONE_FRAME_BINS - 1);
    f->recent[f->total % PHONE_FRAMES] =
        (struct phone_frame){sim_clock(p->sim, p->sim->now) - SIM_EPOCH, seconds};
    f->total++;
    f->janky += seconds > interval;
    f->bins[(size_t)fmax(bin, 0)]++;
}

/* Milliseconds below which that share of the frames lies. */
static unsigned percentile(const struct phone_frames *f, unsigned share)
{
    uint64_t seen = 0;
    if (!f->total)
        return 4950; /* what Android prints */
    for (unsigned i = 0; i < PHONE_FRAME_BINS; i++) {
        seen += f->bins[i];
        if (seen * 100 >= f->total * share)
            return i;
    }
    return PHONE_FRAME_BINS - 1;
}

static void add_summary(const struct phone *p, tac_str *out)
{
    const struct phone_frames *f = &p->frames;
    double share = f->total ? 100.0 * (double)f->janky / (double)f->total : 0;
    tac_str_addf(out,
                 "Stats since: 0ns\nTotal frames rendered: %llu\nJanky frames: %llu (%.2f%%)\n",
                 (unsigned long long)f->total, (unsigned long long)f->janky, share);
    if (p->android >= 12)
        tac_str_addf(out, "Janky frames (legacy): %llu (%.2f%%)\n", (unsigned long long)f->janky,
                     share);
    static const unsigned shares[] = {50, 90, 95, 99};
    for (size_t i = 0; i < 4; i++)
        tac_str_addf(out, "%uth percentile: %ums\n", shares[i], percentile(f, shares[i]));
    tac_str_addf(out,
                 "Number Missed Vsync: %llu\nNumber High input latency: 0\nNumber Slow UI thread: "
                 "%llu\nNumber Slow bitmap uploads: 0\nNumber Slow issue draw commands: 0\n",
                 (unsigned long long)f->janky, (unsigned long long)f->janky);
    if (p->android >= 10)
        tac_str_addf(out, "Number Frame deadline missed: %llu\n", (unsigned long long)f->janky);
    tac_str_add(out, "HISTOGRAM:");
    for (unsigned i = 5; i < PHONE_FRAME_BINS; i++)
        if (f->bins[i])
            tac_str_addf(out, " %ums=%llu", i, (unsigned long long)f->bins[i]);
    tac_str_add(out, "\n\n");
}

static void add_table(const struct phone *p, tac_str *out)
{
    const struct phone_frames *f = &p->frames;
    bool timeline = p->android >= 12;
    tac_str_addf(out,
                 "---PROFILEDATA---\nFlags,%sIntendedVsync,Vsync,%sHandleInputStart,AnimationStart,"
                 "PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,IssueDrawCommandsStart,"
                 "SwapBuffers,FrameCompleted,\n",
                 timeline ? "FrameTimelineVsyncId," : "",
                 timeline ? "InputEventId," : "OldestInputEvent,NewestInputEvent,");
    uint64_t first = f->total > PHONE_FRAMES ? f->total - PHONE_FRAMES : 0;
    for (uint64_t i = first; i < f->total; i++) {
        const struct phone_frame *frame = &f->recent[i % PHONE_FRAMES];
        long long end = frame->end + 1000000000; /* the phone was on for a second */
        long long start = end - llround(frame->seconds * 1e9);
        tac_str_add(out, "0,");
        if (timeline)
            tac_str_addf(out, "%llu,", (unsigned long long)i + 1);
        tac_str_addf(out, "%lld,%lld,%s", start, start, timeline ? "0," : "9223372036854775807,0,");
        for (int k = 0; k < 8; k++)
            tac_str_addf(out, "%lld,", start);
        tac_str_addf(out, "%lld,\n", end);
    }
    tac_str_add(out, "---PROFILEDATA---\n\n");
}

void phone_dump_frames(struct phone *p, const char *package, bool table, tac_str *out)
{
    tac_str_addf(out, "Applications Graphics Acceleration Info:\nUptime: %.0f Realtime: %.0f\n\n",
                 p->sim->now * 1000, p->sim->now * 1000);
    if (!p->sim->running || strcmp(package, p->sim->app->package) != 0)
        return;
    tac_str_addf(out, "** Graphics info for pid %d [%s] **\n\n", PHONE_PID, package);
    add_summary(p, out);
    if (!table)
        return;
    tac_str_addf(out, "Window: %s/Main\n", package);
    add_summary(p, out);
    add_table(p, out);
}
