/* The shell of the phone that speaks adb. Every command first meets the injected faults. */
#include "base/data/text.h"
#include "phone/adbd/daemon.h"
#include <ctype.h>
#include <math.h>

tac_str *phone_find_file(struct phone *p, const char *path, bool create)
{
    for (size_t i = 0; i < p->files.count; i++)
        if (!strcmp(p->files.at[i].path, path))
            return &p->files.at[i].data;
    if (!create || p->files.count >= PHONE_MOST_FILES)
        return NULL;
    tac_vec_push(&p->files, (struct phone_file){.path = tac_strdup(path)});
    return &tac_vec_last(&p->files).data;
}

bool phone_append(struct phone *p, tac_str *file, const char *data, size_t size)
{
    size_t all = size;
    for (size_t i = 0; i < p->files.count; i++)
        all += p->files.at[i].data.length;
    if (all > PHONE_MOST_STORED || file->length + size > PHONE_MOST_FILE)
        return false;
    tac_str_add_bytes(file, data, size);
    return true;
}

bool phone_remove_file(struct phone *p, const char *path)
{
    for (size_t i = 0; i < p->files.count; i++)
        if (!strcmp(p->files.at[i].path, path)) {
            free(p->files.at[i].path);
            tac_str_free(&p->files.at[i].data);
            p->files.at[i] = tac_vec_last(&p->files);
            p->files.count--;
            return true;
        }
    return false;
}

bool phone_has_word(const struct phone_command *c, const char *wanted)
{
    for (int i = 1; i < c->argc; i++)
        if (!strcmp(c->argv[i], wanted))
            return true;
    return false;
}

const char *phone_word_after(const struct phone_command *c, const char *wanted)
{
    for (int i = 1; i + 1 < c->argc; i++)
        if (!strcmp(c->argv[i], wanted))
            return c->argv[i + 1];
    return "";
}

bool phone_knows_package(const struct phone_command *c, const char *name)
{
    return !strcmp(name, c->phone->sim->app->package);
}

static int do_getprop(struct phone_command *c)
{
    const struct sim_app *app = c->phone->sim->app;
    static const char *const levels[] = {"24", "26", "28", "29", "30", "31", "33", "34", "35"};
    const char *name = phone_word(c, 1), *value = "";
    char host[32], version[12];
    snprintf(host, sizeof host, "%lld", (long long)SIM_EPOCH + llround(c->phone->sim->now * 1e9));
    snprintf(version, sizeof version, "%u", c->phone->android);
    if (!strcmp(name, "ro.product.model"))
        value = app->device_name;
    else if (!strcmp(name, "ro.build.version.release"))
        value = version;
    else if (!strcmp(name, "ro.build.version.sdk"))
        value = levels[c->phone->android - PHONE_ANDROID_FIRST];
    else if (!strcmp(name, "ro.serialno"))
        value = app->serial;
    else if (!strcmp(name, "ro.tactus.host_time"))
        value = host;
    else if (!strcmp(name, "ro.tactus.virtual_time"))
        value = c->phone->sim->realtime ? "0" : "1";
    tac_str_addf(c->out, "%s\n", value);
    return 0;
}

static int do_setprop(struct phone_command *c)
{
    uint64_t seed;
    if (!strcmp(phone_word(c, 1), "debug.tactus.seed") && tac_parse_u64(phone_word(c, 2), &seed))
        c->phone->sim->seed = seed; /* takes effect with the next pm clear */
    if (!strcmp(phone_word(c, 1), "log.tag"))
        c->phone->silent = !strcmp(phone_word(c, 2), "S");
    return 0;
}

static int do_date(struct phone_command *c)
{
    int64_t now = sim_clock(c->phone->sim, c->phone->sim->now);
    if (!strcmp(phone_word(c, 1), "+%s"))
        now /= 1000000000;
    tac_str_addf(c->out, "%lld\n", (long long)now);
    return 0;
}

/* log [-p LEVEL] [-t TAG] WORDS... */
static int do_log(struct phone_command *c)
{
    char level = 'I';
    const char *tag = "log";
    int i = 1;
    for (; i + 1 < c->argc && c->argv[i][0] == '-'; i += 2) {
        if (!strcmp(c->argv[i], "-t"))
            tag = c->argv[i + 1];
        else if (!strcmp(c->argv[i], "-p") && c->argv[i + 1][0])
            level = (char)toupper((unsigned char)c->argv[i + 1][0]);
    }
    tac_str message = {0};
    for (int k = i; k < c->argc; k++)
        tac_str_addf(&message, "%s%s", k > i ? " " : "", c->argv[k]);
    phone_add_line(c->phone, level, tag, tac_str_text(&message));
    tac_str_free(&message);
    return 0;
}

static int do_echo(struct phone_command *c)
{
    for (int i = 1; i < c->argc; i++)
        tac_str_addf(c->out, "%s%s", i > 1 ? " " : "", c->argv[i]);
    tac_str_add_char(c->out, '\n');
    return 0;
}

static int do_sleep(struct phone_command *c)
{
    double seconds;
    if (!tac_parse_double(phone_word(c, 1), &seconds) || seconds < 0)
        return 1;
    sim_sleep(c->phone->device, seconds, NULL);
    return 0;
}

static int do_uiautomator(struct phone_command *c)
{
    const tac_ui *ui = NULL;
    const char *path = c->argc > 2 ? c->argv[2] : "/sdcard/window_dump.xml";
    if (tac_device_snapshot(c->phone->device, 0, &ui, NULL)) {
        tac_str_add(c->out, "ERROR: could not get idle state.\n");
        return 0; /* so says Android */
    }
    tac_str *file = phone_find_file(c->phone, path, true);
    if (!file) {
        tac_str_addf(c->out, "ERROR: could not write %s: No space left on device\n", path);
        return 1;
    }
    char *xml = tac_ui_to_xml(ui);
    tac_str_clear(file);
    phone_append(c->phone, file, xml, strlen(xml));
    free(xml);
    tac_str_addf(c->out, "UI hierchary dumped to: %s\n", path);
    return 0;
}

#define BATTERY "/sys/class/power_supply/battery/"

/* grep "" FILE...: every line behind the name of its file. Only files of the battery. */
static int do_grep(struct phone_command *c)
{
    int missing = 0;
    for (int i = 2; i < c->argc; i++) {
        tac_str line = {0};
        bool known = !strncmp(c->argv[i], BATTERY, sizeof BATTERY - 1) &&
                     phone_battery_file(c->phone, c->argv[i] + sizeof BATTERY - 1, &line);
        if (known)
            tac_str_addf(c->out, "%s:%s", c->argv[i], tac_str_text(&line));
        else
            tac_str_addf(c->out, "grep: %s: No such file or directory\n", c->argv[i]);
        missing |= !known;
        tac_str_free(&line);
    }
    return missing ? 2 : 0;
}

static int do_cat(struct phone_command *c)
{
    const char *path = phone_word(c, 1);
    const tac_str *file = phone_find_file(c->phone, path, false);
    char stat[40];
    snprintf(stat, sizeof stat, "/proc/%d/stat", PHONE_PID);
    if (file)
        tac_str_add_bytes(c->out, file->text ? file->text : "", file->length);
    else if (!strncmp(path, BATTERY, sizeof BATTERY - 1) &&
             phone_battery_file(c->phone, path + sizeof BATTERY - 1, c->out))
        return 0;
    else if (!strcmp(path, "/proc/net/xt_qtaguid/stats") && c->phone->android < 10)
        phone_qtaguid(c->phone, c->out);
    else if (!strcmp(path, stat) && c->phone->sim->running)
        phone_stat(c->phone, c->out);
    else {
        tac_str_addf(c->out, "cat: %s: No such file or directory\n", path);
        return 1;
    }
    return 0;
}

static int do_rm(struct phone_command *c)
{
    return !phone_remove_file(c->phone, phone_word(c, c->argc - 1)) && !phone_has_word(c, "-f");
}

static int do_pidof(struct phone_command *c)
{
    if (!c->phone->sim->running || !phone_knows_package(c, phone_word(c, 1)))
        return 1;
    tac_str_addf(c->out, "%d\n", PHONE_PID);
    return 0;
}

static int do_screencap(struct phone_command *c)
{
    size_t size = 0;
    unsigned char *image = sim_screenshot(c->phone->sim, &size);
    tac_str_add_bytes(c->out, (const char *)image, size);
    free(image);
    return 0;
}

static int do_settings(struct phone_command *c)
{
    if (!strcmp(phone_word(c, 1), "put") && !strcmp(phone_word(c, 3), "user_rotation") &&
        (uint32_t)atoi(phone_word(c, 4)) != c->phone->sim->rotation)
        return tac_device_system(c->phone->device, "rotate", 0, NULL) != TAC_OK;
    return 0;
}

static int do_svc(struct phone_command *c)
{
    bool on = !strcmp(phone_word(c, 2), "enable");
    if (on == c->phone->sim->link.online)
        return 0;
    const char *event = on ? "connectivity-on" : "connectivity-off";
    return tac_device_system(c->phone->device, event, 0, NULL) != TAC_OK;
}

/* For what goes on in the background: it is done. */
static int do_wait(struct phone_command *c)
{
    (void)c;
    return 0;
}

static const struct {
    const char *name;
    int (*run)(struct phone_command *c);
} commands[] = {{"am", phone_am},
                {"cat", do_cat},
                {"cmd", phone_cmd},
                {"date", do_date},
                {"dumpsys", phone_dumpsys},
                {"echo", do_echo},
                {"getprop", do_getprop},
                {"grep", do_grep},
                {"input", phone_input},
                {"log", do_log},
                {"logcat", phone_logcat},
                {"monkey", phone_monkey},
                {"pidof", do_pidof},
                {"pm", phone_pm},
                {"rm", do_rm},
                {"screencap", do_screencap},
                {"setprop", do_setprop},
                {"settings", do_settings},
                {"sleep", do_sleep},
                {"svc", do_svc},
                {"uiautomator", do_uiautomator},
                {"wait", do_wait}};

/* What may stand between the parts of one input: it is not what the app must have seen before. */
static bool belongs_to_input(const struct phone *p, int argc, char **argv)
{
    static const char *const parts[] = {"input", "date", "echo", "wait"};
    double seconds;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strcmp(argv[0], parts[i]))
            return true;
    return p->tapped.waits && argc == 2 && !strcmp(argv[0], "sleep") &&
           tac_parse_double(argv[1], &seconds) && seconds < PHONE_DOUBLE_TAP_MOST;
}

static int run_words(struct phone *p, int argc, char **argv, tac_str *out)
{
    if (argc && !strcmp(argv[0], "exec")) { /* as adb logcat says it */
        argc--;
        argv++;
    }
    struct phone_command c = {p, argc, argv, out};
    if (!argc || !strcmp(argv[0], "export"))
        return 0;
    if (!strcmp(argv[0], "exit"))
        return argc > 1 ? atoi(argv[1]) : 0;
    int replayed;
    if (p->replay && phone_replay_answer(&c, &replayed))
        return replayed;
    if (!belongs_to_input(p, argc, argv))
        phone_flush_typing(p);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(commands[i].name, argv[0])) {
            int code = commands[i].run(&c);
            phone_collect_log(p);
            return code;
        }
    tac_str_addf(out, "/system/bin/sh: %s: not found\n", argv[0]);
    return 127;
}

int phone_run(struct phone *p, const char *line, tac_str *out)
{
    tac_error err;
    if (sim_begin(p->sim, "shell", 1, &err)) {
        p->hung = strstr(err.message, "no answer") != NULL;
        p->dead = !p->hung;
        return 1;
    }
    char *store = tac_alloc(strlen(line) + PHONE_MOST_WORDS + 1);
    char **argv = tac_calloc(PHONE_MOST_WORDS, sizeof *argv);
    int code = 0;
    char separator;
    do {
        int argc;
        separator = phone_next_command(&line, store, &argc, argv);
        code = run_words(p, argc, argv, out);
        while (separator == '&' && code) /* skip what depends on a failure */
            separator = phone_next_command(&line, store, &argc, argv);
    } while (separator);
    free(argv);
    free(store);
    p->dead |= p->sim->die_at && p->sim->calls >= p->sim->die_at; /* in the middle of it */
    return code;
}
