/* `am`, `pm`, `cmd` and `monkey` on the phone that speaks adb. */
#include "base/data/text.h"
#include "phone/adbd/daemon.h"
#include <math.h>

int phone_pm(struct phone_command *c)
{
    const char *verb = phone_word(c, 1);
    if (!strcmp(verb, "list")) {
        tac_str_addf(c->out, "package:%s\n", c->phone->sim->app->package);
        return 0;
    }
    if (!strcmp(verb, "clear")) {
        bool ok = phone_knows_package(c, phone_word(c, 2)) &&
                  !tac_device_reset(c->phone->device, c->phone->sim->seed, 0, NULL);
        tac_str_add(c->out, ok ? "Success\n" : "Failed\n");
        return !ok;
    }
    if (!strcmp(verb, "install")) {
        bool there = phone_find_file(c->phone, phone_word(c, c->argc - 1), false) != NULL;
        tac_str_add(c->out, there ? "Success\n" : "Failure [INSTALL_PARSE_FAILED_NOT_APK]\n");
        return !there;
    }
    return strcmp(verb, "grant") != 0;
}

int phone_cmd(struct phone_command *c)
{
    if (phone_has_word(c, "resolve-activity")) {
        const struct sim_app *app = c->phone->sim->app;
        tac_str_addf(c->out,
                     "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n"
                     "%s/.%s\n",
                     app->package, app->activities.at[app->main_activity].name);
        return 0;
    }
    tac_str_add(c->out, "cmd: Can't find service\n");
    return 20;
}

static int start_activity(struct phone_command *c)
{
    const char *component = phone_word_after(c, "-n");
    struct phone *p = c->phone;
    double before = p->sim->now;
    bool cold = !p->sim->running;
    size_t n = strlen(c->phone->sim->app->package);
    tac_str_addf(c->out, "Starting: Intent { cmp=%s }\n", component);
    if (strncmp(component, c->phone->sim->app->package, n) != 0 || component[n] != '/') {
        tac_str_addf(c->out, "Error type 3\nError: Activity class {%s} does not exist.\n",
                     component);
        return 1;
    }
    tac_error err;
    if (tac_device_launch(c->phone->device, 0, &err)) {
        tac_str_addf(c->out, "Error: %s\n", err.message);
        return 1;
    }
    if (cold)
        p->frames = (struct phone_frames){0};
    double seconds = p->sim->now - before;
    phone_add_frame(p, seconds);
    long milliseconds = lround(seconds * 1000);
    tac_str_add(c->out, "Status: ok\n");
    if (p->android >= 10)
        tac_str_addf(c->out, "LaunchState: %s\n", cold ? "COLD" : "HOT");
    tac_str_addf(c->out, "Activity: %s\n", component);
    if (p->android < 10)
        tac_str_addf(c->out, "ThisTime: %ld\n", milliseconds);
    tac_str_addf(c->out, "TotalTime: %ld\nWaitTime: %ld\nComplete\n", milliseconds,
                 milliseconds + 2); /* the system's own part */
    return 0;
}

int phone_am(struct phone_command *c)
{
    const char *verb = phone_word(c, 1);
    tac_device *device = c->phone->device;
    if (!strcmp(verb, "start") &&
        !strcmp(phone_word_after(c, "-c"), "android.intent.category.HOME"))
        return tac_device_system(device, "background", 0, NULL) != TAC_OK;
    if (!strcmp(verb, "start"))
        return start_activity(c);
    if (!strcmp(verb, "force-stop"))
        return phone_knows_package(c, phone_word(c, 2)) && tac_device_close(device, 0, NULL);
    if (!strcmp(verb, "send-trim-memory"))
        return tac_device_system(device, "low-memory", 0, NULL) != TAC_OK;
    if (!strcmp(verb, "broadcast")) {
        bool done = !tac_device_system(device, phone_word_after(c, "-a"), 0, NULL);
        tac_str_addf(c->out, "Broadcasting: Intent { act=%s }\nBroadcast completed: result=%d\n",
                     phone_word_after(c, "-a"), done ? 0 : 1);
        return 0;
    }
    tac_str_addf(c->out, "Error: unknown command '%s'\n", verb);
    return 255;
}

/* Random taps and keys, of which Android's monkey has more kinds. */
static void inject(struct phone *p, tac_random *random)
{
    if (tac_random_below(random, 10) == 0)
        phone_key(p, "4");
    else
        phone_tap(p, (int)tac_random_below(random, 1080), (int)tac_random_below(random, 1920));
}

static int report_crash(struct phone_command *c, uint64_t done)
{
    const struct phone *p = c->phone;
    const struct sim_crash *crash = p->sim->crash;
    tac_str_addf(c->out,
                 "// CRASH: %s (pid %d)\n// Short Msg: %s\n// Long Msg: %s: %s\n"
                 "** Monkey aborted due to error.\nEvents injected: %llu\n",
                 p->sim->app->package, PHONE_PID, crash->exception, crash->exception,
                 crash->message, (unsigned long long)done);
    return 1;
}

/* monkey -p PACKAGE [-c CATEGORY] [-s SEED] COUNT; the category LAUNCHER with 1 event opens the
 * app. */
int phone_monkey(struct phone_command *c)
{
    enum { MOST_EVENTS = 10000 };
    struct phone *p = c->phone;
    uint64_t count = 0, seed = 1;
    if (!phone_knows_package(c, phone_word_after(c, "-p"))) {
        tac_str_add(c->out, "** No activities found to run, monkey aborted.\n");
        return 252;
    }
    tac_parse_u64(phone_word(c, c->argc - 1), &count);
    tac_parse_u64(phone_word_after(c, "-s"), &seed);
    if (!count || count > MOST_EVENTS) {
        tac_str_add(c->out, "** Error: Count not specified\n");
        return 251;
    }
    tac_status st = p->sim->running ? tac_device_system(p->device, "foreground", 0, NULL)
                                    : tac_device_launch(p->device, 0, NULL);
    tac_random random;
    tac_random_seed(&random, seed);
    for (uint64_t i = 1; i < count && !st; i++) {
        inject(p, &random);
        if (p->sim->crash)
            return report_crash(c, i + 1);
        if (!p->sim->running || p->sim->background) /* monkey stays in its package */
            st = p->sim->running ? tac_device_system(p->device, "foreground", 0, NULL)
                                 : tac_device_launch(p->device, 0, NULL);
    }
    tac_str_addf(c->out, "Events injected: %llu\n// Monkey finished\n", (unsigned long long)count);
    return st != TAC_OK;
}
