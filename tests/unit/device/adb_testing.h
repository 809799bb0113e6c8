/* A private adb server and built-in phones behind it, for tests that speak to the real adb. */
#ifndef ADB_TESTING_H
#define ADB_TESTING_H

#include "base/process/process.h"
#include "phone/phone.h"
#include "unit/phone/sim_testing.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

typedef struct adb_phone {
    pid_t process;
    char serial[40];
} adb_phone;

enum { ADB_MOST_PHONES = 16 };
static adb_phone adb_phones[ADB_MOST_PHONES];

static int adb_run(const char *a, const char *b, char **output)
{
    const char *const argv[] = {"adb", a, b, NULL};
    size_t size;
    int code = -1;
    char *text = NULL;
    tac_process_run(argv, "adb", "", 0, 20, &text, &size, &code, &sim_error);
    if (output)
        *output = text;
    else
        free(text);
    return code;
}

static void adb_stop_all(void)
{
    for (size_t i = 0; i < ADB_MOST_PHONES; i++)
        if (adb_phones[i].process > 0) {
            kill(adb_phones[i].process, SIGTERM);
            waitpid(adb_phones[i].process, NULL, 0);
            adb_phones[i].process = 0;
        }
    if (getenv("TACTUS_TEST_ADB"))
        adb_run("kill-server", NULL, NULL);
}

/* A free port for the server of this program. False: adb is not installed. */
static bool adb_private_server(void)
{
    if (getenv("TACTUS_TEST_ADB"))
        return true;
    if (!tac_process_on_path("adb"))
        return false;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char port[16] = "";
    if (!bind(fd, (struct sockaddr *)&at, sizeof at) &&
        !getsockname(fd, (struct sockaddr *)&at, &size))
        snprintf(port, sizeof port, "%u", ntohs(at.sin_port));
    close(fd);
    setenv("ANDROID_ADB_SERVER_PORT", port, 1);
    setenv("TACTUS_TEST_ADB", "1", 1);
    atexit(adb_stop_all);
    return true;
}

static void adb_write_port(uint16_t port, void *context)
{
    if (write(*(int *)context, &port, sizeof port) != sizeof port)
        _exit(9);
}

static void adb_connect(const adb_phone *phone)
{
    for (int i = 0; i < 100; i++) {
        char *list = NULL, line[80];
        adb_run("connect", phone->serial, NULL);
        adb_run("devices", NULL, &list);
        snprintf(line, sizeof line, "%s\tdevice\n", phone->serial);
        bool there = list && strstr(list, line);
        free(list);
        if (there)
            return;
        usleep(50000);
    }
    test_fail(__FILE__, __LINE__, "adb connect %s: no device", phone->serial);
    longjmp(test_leave, 1);
}

/* A phone in a process of its own, connected; it ends with adb_stop. */
static adb_phone *adb_start(const char *app, unsigned android)
{
    adb_phone *phone = adb_phones;
    while (phone->process > 0)
        if (++phone == adb_phones + ADB_MOST_PHONES)
            abort();
    char uri[1024], name[200];
    snprintf(name, sizeof name, "examples/apps/%s", app);
    snprintf(uri, sizeof uri, "sim:%s", strchr(app, '/') ? app : test_source(name));
    int ends[2];
    uint16_t port = 0;
    if (pipe(ends))
        abort();
    fflush(NULL);
    phone->process = fork();
    if (!phone->process) {
        tac_phone_options options = {.device = {.seed = 1, .scenario = "cafe"},
                                     .android = android,
                                     .listening = adb_write_port,
                                     .context = &ends[1]};
        close(ends[0]);
        _exit(tac_phone_serve(uri, &options, NULL, &sim_error) ? 1 : 0);
    }
    close(ends[1]);
    if (read(ends[0], &port, sizeof port) != sizeof port)
        abort();
    close(ends[0]);
    snprintf(phone->serial, sizeof phone->serial, "127.0.0.1:%u", port);
    adb_connect(phone);
    return phone;
}

static void adb_stop(adb_phone *phone)
{
    adb_run("disconnect", phone->serial, NULL);
    kill(phone->process, SIGTERM);
    waitpid(phone->process, NULL, 0);
    phone->process = 0;
}

static tac_device *adb_device(const adb_phone *phone)
{
    char uri[80];
    tac_device *device = NULL;
    snprintf(uri, sizeof uri, "adb:%s", phone->serial);
    REQUIRE_OK(tac_device_open(uri, NULL, &device, &sim_error));
    return device;
}

__attribute__((unused)) static size_t open_files(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", process);
    DIR *folder = opendir(path);
    size_t count = 0;
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

#endif
