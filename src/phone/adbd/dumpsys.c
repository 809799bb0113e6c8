/* `dumpsys` and two files of /proc on the phone that speaks adb, in the words of the Android
 * version that it plays. */
#include "phone/adbd/daemon.h"
#include <math.h>

#define VOLTS 3.85
#define JOULES_PER_MAH (3.6 * VOLTS)

static void add_record(tac_str *out, unsigned android, const char *package, const char *activity,
                       uint64_t id)
{
    tac_str_addf(out, "ActivityRecord{%llx u0 %s/.%s%s t7}\n", (unsigned long long)id, package,
                 activity, android >= 13 ? "}" : "");
}

static int dump_activities(struct phone *p, tac_str *out)
{
    const struct sim *s = p->sim;
    tac_foreground now;
    if (tac_device_foreground(p->device, 0, &now, NULL))
        return 1;
    tac_str_add(out, "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"
                     "Display #0 (activities from top to bottom):\n\n  Stack #1: type=standard "
                     "mode=fullscreen\n    Task id #7\n");
    for (size_t i = s->stack.count; i-- > 0;) {
        tac_str_addf(out, "      * Hist %s#%zu: ", p->android >= 13 ? " " : "", i);
        add_record(out, p->android, s->app->package,
                   s->app->activities.at[s->stack.at[i].activity].name, s->stack.at[i].id);
    }
    if (p->android >= 10) {
        tac_str_add(out, "\n  topResumedActivity=");
        add_record(out, p->android, now.package, now.activity, now.instance);
    }
    tac_str_add(out, p->android >= 12 ? "\n  ResumedActivity: " : "\n    mResumedActivity: ");
    add_record(out, p->android, now.package, now.activity, now.instance);
    return 0;
}

/* The columns as Android prints them: Rss since 11. Other memory is native here. */
static void add_memory_table(unsigned android, long heap, long rest, tac_str *out)
{
    const char *rss = android >= 11 ? "      Rss" : "", *total = android >= 11 ? "    Total" : "";
    const char *line = android >= 11 ? "   ------" : "";
    tac_str_addf(out,
                 "                   Pss  Private  Private  SwapPss%s     Heap     Heap     Heap\n"
                 "                 Total    Dirty    Clean    Dirty%s     Size    Alloc     Free\n"
                 "                ------   ------   ------   ------%s   ------   ------   ------\n",
                 rss, total, line);
    const struct {
        const char *name;
        long size;
    } rows[] = {{"  Native Heap", rest}, {"  Dalvik Heap", heap}, {"        TOTAL", rest + heap}};
    for (size_t i = 0; i < 3; i++) {
        tac_str_addf(out, "%s %8ld %8ld %8d %8d", rows[i].name, rows[i].size, rows[i].size, 0, 0);
        if (android >= 11)
            tac_str_addf(out, " %8ld", rows[i].size);
        tac_str_addf(out, " %8ld %8ld %8d\n", rows[i].size, rows[i].size, 0);
    }
}

static void add_memory_summary(unsigned android, long heap, long rest, tac_str *out)
{
    bool rss = android >= 11;
    tac_str_addf(out,
                 " \n App Summary\n                       Pss(KB)%s\n"
                 "                        ------%s\n",
                 rss ? "                        Rss(KB)" : "",
                 rss ? "                         ------" : "");
    tac_str_addf(out, "           Java Heap: %8ld", heap);
    tac_str_addf(out, rss ? "                       %8ld\n" : "\n", heap);
    tac_str_addf(out, "         Native Heap: %8ld", rest);
    tac_str_addf(out, rss ? "                       %8ld\n" : "\n", rest);
    if (rss)
        tac_str_addf(out, " \n           TOTAL PSS: %8ld            TOTAL RSS: %8ld", heap + rest,
                     heap + rest);
    else
        tac_str_addf(out, " \n               TOTAL: %8ld", heap + rest);
    tac_str_add(out, "       TOTAL SWAP PSS:        0\n");
}

static int dump_memory(struct phone *p, tac_str *out)
{
    if (!p->sim->running) {
        tac_str_addf(out, "No process found for: %s\n", p->sim->app->package);
        return 0;
    }
    long heap = lround(p->sim->heap / 1024), rest = 20480;
    tac_str_addf(out,
                 "Applications Memory Usage (in Kilobytes):\nUptime: %.0f Realtime: %.0f\n\n"
                 "** MEMINFO in pid %d [%s] **\n",
                 p->sim->now * 1000, p->sim->now * 1000, PHONE_PID, p->sim->app->package);
    add_memory_table(p->android, heap, rest, out);
    add_memory_summary(p->android, heap, rest, out);
    tac_str_addf(out,
                 " \n Objects\n               Views: %8u         ViewRootImpl:        1\n"
                 "         AppContexts:        5           Activities: %8zu\n\n",
                 (unsigned)p->sim->drawn_widget.count, p->sim->stack.count);
    return 0;
}

static int dump_battery(struct phone *p, tac_str *out)
{
    tac_str_addf(out, "9,0,i,vers,32,177,PPR1,PPR1\n9,0,i,uid,%d,%s\n9,%d,l,pwi,uid,%.6f,0,0,0\n",
                 PHONE_UID, p->sim->app->package, PHONE_UID, p->sim->energy / JOULES_PER_MAH);
    return 0;
}

static int dump_package(struct phone *p, const char *name, tac_str *out)
{
    if (strcmp(name, p->sim->app->package) != 0) {
        tac_str_addf(out, "Unable to find package: %s\n", name);
        return 0;
    }
    tac_str_addf(out, "Packages:\n  Package [%s] (1a2b3c):\n    %s=%d\n    versionName=1.0\n", name,
                 p->android >= 14 ? "appId" : "userId", PHONE_UID);
    return 0;
}

/* Microampere-hours of a battery of 4 Ah that was at 80 % when the phone was switched on. */
static long charge_left(const struct phone *p)
{
    return lround(3.2e6 - p->sim->energy / JOULES_PER_MAH * 1e3);
}

/* As Google's phones say it: microamperes, negative while discharging; microvolts. */
bool phone_battery_file(struct phone *p, const char *name, tac_str *out)
{
    if (!strcmp(name, "status"))
        tac_str_add(out, "Discharging\n");
    else if (!strcmp(name, "current_now"))
        tac_str_addf(out, "%ld\n", -lround(sim_power(p->sim) / VOLTS * 1e6));
    else if (!strcmp(name, "voltage_now"))
        tac_str_addf(out, "%ld\n", lround(VOLTS * 1e6));
    else if (!strcmp(name, "charge_counter"))
        tac_str_addf(out, "%ld\n", charge_left(p));
    else
        return false;
    return true;
}

static int dump_battery_state(struct phone *p, tac_str *out)
{
    tac_str_addf(out,
                 "Current Battery Service state:\n  AC powered: false\n  USB powered: false\n"
                 "  Wireless powered: false\n  Max charging current: 0\n"
                 "  Max charging voltage: 0\n  Charge counter: %ld\n"
                 "  status: 3\n  health: 2\n  present: true\n  level: 80\n  scale: 100\n"
                 "  voltage: %.0f\n  temperature: 250\n  technology: Li-ion\n",
                 charge_left(p), VOLTS * 1000);
    return 0;
}

static int dump_media(struct phone *p, tac_str *out)
{
    static const struct {
        int number;
        const char *name;
    } states[] = {
        [SIM_OFF] = {1, "STOPPED"}, [SIM_PLAYING] = {3, "PLAYING"}, [SIM_PAUSED] = {2, "PAUSED"}};
    char state[20];
    const char *name = p->android >= 13 ? states[p->sim->media.state].name : "";
    int number = states[p->sim->media.state].number;
    snprintf(state, sizeof state, *name ? "%s(%d)" : "%s%d", name, number);
    tac_str_addf(out,
                 "MEDIA SESSION SERVICE (dumpsys media_session)\n\n1 sessions listeners.\n"
                 "  Sessions Stack - have 1 sessions:\n    session %s/session (userId=0)\n"
                 "      package=%s\n      active=true\n      state=PlaybackState {state=%s, "
                 "position=%.0f, buffered position=0, speed=1.0, updated=0, actions=0}\n",
                 p->sim->app->package, p->sim->app->package, state, p->sim->media.position * 1000);
    return 0;
}

int phone_dumpsys(struct phone_command *c)
{
    const char *what = c->argc > 1 ? c->argv[1] : "";
    if (!strcmp(what, "activity") && phone_has_word(c, "lastanr-traces")) {
        tac_str_add(c->out, "ACTIVITY MANAGER LAST ANR TRACES (dumpsys activity lastanr-traces)\n"
                            "  <no ANR has occurred since boot>\n");
        return 0;
    }
    if (!strcmp(what, "activity"))
        return dump_activities(c->phone, c->out);
    if (!strcmp(what, "meminfo"))
        return dump_memory(c->phone, c->out);
    if (!strcmp(what, "netstats"))
        return phone_dump_network(c);
    if (!strcmp(what, "batterystats"))
        return dump_battery(c->phone, c->out);
    if (!strcmp(what, "battery"))
        return dump_battery_state(c->phone, c->out);
    if (!strcmp(what, "media_session"))
        return dump_media(c->phone, c->out);
    if (!strcmp(what, "gfxinfo")) {
        phone_dump_frames(c->phone, phone_word(c, 2), phone_has_word(c, "framestats"), c->out);
        return 0;
    }
    if (!strcmp(what, "package"))
        return dump_package(c->phone, c->argc > 2 ? c->argv[2] : "", c->out);
    if (!strcmp(what, "input_method")) {
        tac_str_addf(c->out, "  mShowRequested=false mInputShown=%s\n",
                     c->phone->sim->keyboard ? "true" : "false");
        return 0;
    }
    tac_str_addf(c->out, "Can't find service: %s\n", what);
    return 0;
}

void phone_stat(struct phone *p, tac_str *out)
{
    tac_str_addf(out, "%d (%.15s) S 1 1 0 0 -1 0 0 0 0 0 %.0f 0 0 0 20 0 1 0 0 0 0\n", PHONE_PID,
                 p->sim->app->package, p->sim->cpu * 100);
}
