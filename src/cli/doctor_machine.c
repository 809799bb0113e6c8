/* Programs, phones and kinds of devices. Nothing is installed or changed; adb's server is started
 * to ask it, and ended again where none was running. */
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/process/process.h"
#include "cli/doctor.h"
#include "cli/frame.h"
#include "device/android/wire/wire.h"
#include "network/network.h"
#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_PHONES = 64 };
#define CHROMIUM "/usr/bin/chromium" /* the one that sessions are started with */

void doctor_add(struct doctor *d, enum doctor_kind kind, const char *name, const char *found,
                const char *problem, const char *remedy, const char *use)
{
    tac_vec_push(&d->items,
                 (struct doctor_item){kind, !*problem, name, found, problem, remedy, use});
}

const struct doctor_item *doctor_find(const struct doctor *d, enum doctor_kind kind,
                                      const char *name)
{
    for (size_t i = 0; i < d->items.count; i++)
        if (d->items.at[i].kind == kind && !strcmp(d->items.at[i].name, name))
            return &d->items.at[i];
    return NULL;
}

void doctor_free(struct doctor *d)
{
    tac_vec_free(&d->items);
    tac_vec_free(&d->measures);
    tac_arena_free(&d->texts);
}

/* --- programs --- */

/* What a command says on both its outputs, its first 4096 bytes; NULL when it cannot be run or
 * fails. */
static const char *ask(struct doctor *d, const char *command)
{
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    char *output = NULL;
    size_t size = 0;
    int code = 1;
    tac_error ignored;
    tac_status status = tac_process_run(argv, "dash", "", 0, 20, &output, &size, &code, &ignored);
    const char *answer = status == TAC_OK && !code
                             ? tac_arena_strndup(&d->texts, output, size < 4096 ? size : 4096)
                             : NULL;
    free(output);
    return answer;
}

/* The first number with a dot in the text, such as "142.0.7444.59"; "" when there is none. */
static const char *version_in(struct doctor *d, const char *text)
{
    for (const char *c = text; c && *c; c++) {
        if (!isdigit((unsigned char)*c) || (c > text && isalnum((unsigned char)c[-1])))
            continue;
        size_t length = strspn(c, "0123456789.");
        while (length && c[length - 1] == '.')
            length--;
        if (memchr(c, '.', length))
            return tac_arena_strndup(&d->texts, c, length);
        c += length - 1;
    }
    return "";
}

struct known_program {
    const char *name, *command, *after, *package, *use;
};

/* after: where in the answer the version comes, "" = at once. */
static const struct known_program programs[] = {
    {"chromium", CHROMIUM " --version 2>/dev/null", "", "chromium", "pages (chromium:URL)"},
    {"chromedriver", "chromedriver --version 2>/dev/null", "", "chromium-driver",
     "pages (chromium:URL)"},
    {"adb", "adb version", "Version ", "adb", "Android phones (adb:SERIAL)"},
    {"dot", "dot -V 2>&1", "", "graphviz", "pictures of models and rules"},
    {"java", "java -version 2>&1", "", "default-jdk-headless",
     "Java programs (trace record, protocol record)"},
};

static bool is_there(const struct known_program *program)
{
    return !strcmp(program->name, "chromium") ? access(CHROMIUM, X_OK) == 0
                                              : tac_process_on_path(program->name);
}

static void look_at(struct doctor *d, const struct known_program *program)
{
    bool there = is_there(program);
    const char *answer = there ? ask(d, program->command) : NULL;
    const char *start = answer ? strstr(answer, program->after) : NULL;
    doctor_add(d, DOCTOR_PROGRAM, program->name, version_in(d, start ? start : answer),
               answer  ? ""
               : there ? "it is there and does not start"
                       : "it is not installed",
               answer ? ""
                      : doctor_text(d, "sudo apt-get install -y %s%s", there ? "--reinstall " : "",
                                    program->package),
               program->use);
}

/* Chromium and its driver belong together by the first number of their versions. */
static void match_driver(struct doctor *d)
{
    struct doctor_item *browser = NULL, *driver = NULL;
    for (size_t i = 0; i < d->items.count; i++) {
        browser = !strcmp(d->items.at[i].name, "chromium") ? &d->items.at[i] : browser;
        driver = !strcmp(d->items.at[i].name, "chromedriver") ? &d->items.at[i] : driver;
    }
    if (!browser->works || !driver->works || atoi(browser->found) == atoi(driver->found))
        return;
    driver->works = false;
    driver->problem =
        doctor_text(d, "chromedriver %s does not fit Chromium %s: the first numbers differ",
                    driver->found, browser->found);
    driver->remedy = "sudo apt-get install -y chromium chromium-driver";
}

/* The client is a library of this program; psql is only told of. */
static void look_at_postgresql(struct doctor *d)
{
    char libpq[16];
    bool built_in = libpq_version(libpq);
    const char *psql = version_in(d, tac_process_on_path("psql") ? ask(d, "psql --version") : NULL);
    doctor_add(d, DOCTOR_PROGRAM, "postgresql",
               doctor_text(d, "libpq %s, %s%s", built_in ? libpq : "not built in",
                           *psql ? "psql " : "no psql", psql),
               built_in ? "" : "this program was built without libpq",
               built_in ? ""
                        : "sudo apt-get install -y libpq-dev && meson setup --reconfigure "
                          "-Dpostgresql=enabled build && ninja -C build",
               "campaigns in PostgreSQL (postgresql://...)");
}

void doctor_look_at_programs(struct doctor *d)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        look_at(d, &programs[i]);
    match_driver(d);
    look_at_postgresql(d);
}

/* --- phones --- */

static void judge_phone(struct doctor *d, const struct adb_entry *phone)
{
    const char *problem = "", *remedy = "", *serial = phone->serial;
    if (!strcmp(phone->state, "unauthorized")) {
        problem = "it does not trust this computer yet: unlock it and allow USB debugging";
        remedy = doctor_text(d, "adb -s %s reconnect", serial);
    } else if (!strcmp(phone->state, "offline")) {
        problem = "it does not answer";
        remedy = doctor_text(d, "adb -s %s reconnect offline", serial);
    } else if (!strncmp(phone->state, "no permissions", 14)) {
        problem = "this user may not open the USB device";
        remedy =
            "sudo apt-get install -y android-sdk-platform-tools-common && sudo udevadm trigger";
    } else if (strcmp(phone->state, "device") != 0) {
        problem = "it is not in the state in which apps can be driven";
        remedy = doctor_text(d, "adb -s %s reboot", serial);
    }
    doctor_add(d, DOCTOR_PHONE, doctor_text(d, "%s", serial), doctor_text(d, "%s", phone->state),
               problem, remedy, doctor_text(d, "%s", phone->model));
}

/* Does adb's server run already? */
static bool has_server(void)
{
    const char *text = getenv("ANDROID_ADB_SERVER_PORT");
    long port = text && *text ? strtol(text, NULL, 10) : 5037;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool runs = end >= 0 && connect(end, (struct sockaddr *)&address, sizeof address) == 0;
    if (end >= 0)
        close(end);
    return runs;
}

void doctor_look_at_phones(struct doctor *d)
{
    const struct doctor_item *adb = doctor_find(d, DOCTOR_PROGRAM, "adb");
    if (!adb || !adb->works)
        return;
    struct adb_entry phones[MOST_PHONES];
    bool ran = has_server();
    const char *answer = ask(d, "adb devices -l");
    const char *list = answer ? strstr(answer, "List of devices attached") : NULL;
    list = list ? list + strcspn(list, "\n") : NULL;
    size_t count = list ? adb_read_devices(list, strlen(list), phones, MOST_PHONES) : 0;
    for (size_t i = 0; i < count; i++)
        judge_phone(d, &phones[i]);
    if (!list)
        doctor_add(d, DOCTOR_PHONE, "adb", "", "its server does not tell which phones are there",
                   "adb kill-server", "");
    if (!ran)
        ask(d, "adb kill-server");
}

/* --- kinds of devices --- */

static void add_by_programs(struct doctor *d, const char *kind, const char *const *needed,
                            const char *use)
{
    tac_str problem = {0}, remedy = {0};
    for (size_t i = 0; needed[i]; i++) {
        const struct doctor_item *item = doctor_find(d, DOCTOR_PROGRAM, needed[i]);
        if (!item || item->works)
            continue;
        tac_str_addf(&problem, "%s%s: %s", problem.length ? "; " : "", item->name, item->problem);
        if (!strstr(tac_str_text(&remedy), item->remedy))
            tac_str_addf(&remedy, "%s%s", remedy.length ? " && " : "", item->remedy);
    }
    doctor_add(d, DOCTOR_DEVICE, kind, "", doctor_text(d, "%s", tac_str_text(&problem)),
               doctor_text(d, "%s", tac_str_text(&remedy)), use);
    tac_str_free(&problem);
    tac_str_free(&remedy);
}

static void note_phones(struct doctor *d)
{
    size_t ready = 0, all = 0;
    for (size_t i = 0; i < d->items.count; i++) {
        all += d->items.at[i].kind == DOCTOR_PHONE;
        ready += d->items.at[i].kind == DOCTOR_PHONE && d->items.at[i].works;
    }
    for (size_t i = 0; i < d->items.count; i++) {
        struct doctor_item *item = &d->items.at[i];
        if (item->kind == DOCTOR_DEVICE && !strcmp(item->name, "adb"))
            item->found = all ? doctor_text(d, "%zu of %zu phones ready", ready, all)
                              : "no phone is connected";
    }
}

static void look_at_networks(struct doctor *d)
{
    tac_network *network = NULL;
    tac_error err;
    tac_status status = tac_network_open("ideal", 1, &network, &err);
    bool works = status == TAC_OK;
    doctor_add(d, DOCTOR_DEVICE, "networks", "", works ? "" : doctor_text(d, "%s", err.message),
               works ? ""
                     : "sudo modprobe tun && sudo sysctl -w kernel.unprivileged_userns_clone=1",
               "scenarios for pages and programs (--scenario, --network)");
    tac_network_free(network);
}

void doctor_look_at_devices(struct doctor *d)
{
    static const char *const none[] = {NULL}, *const adb[] = {"adb", NULL},
                             *const java[] = {"java", NULL},
                             *const browser[] = {"chromium", "chromedriver", NULL};
    add_by_programs(d, "sim", none, "the built-in phone (sim:APPFILE)");
    add_by_programs(d, "adb", adb, "Android phones (adb:SERIAL)");
    add_by_programs(d, "chromium", browser, "pages (chromium:URL)");
    add_by_programs(d, "webdriver", none,
                    "browsers and phones behind a server (webdriver+http://HOST:PORT)");
    add_by_programs(d, "java", java, "Java programs (-- java ...)");
    note_phones(d);
    look_at_networks(d);
}
