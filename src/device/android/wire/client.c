/* Connections to the adb server, and which device is meant. See client.h. */
#include "device/android/wire/client.h"
#include "base/data/text.h"
#include "base/process/process.h"
#include "base/process/ready.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DEFAULT_PORT = 5037, MOST_DEVICES = 64 };

static tac_status too_late(const char *step, tac_error *err)
{
    return tac_fail(err, TAC_E_DEVICE,
                    "%s: no answer within the deadline; is the device awake and reachable "
                    "(adb devices)?",
                    step);
}

tac_status adb_gone(const char *step, tac_error *err)
{
    return tac_fail(err, TAC_E_DEVICE,
                    "%s: the connection broke; the adb server was stopped or the device unplugged "
                    "(adb devices shows what is left)",
                    step);
}

tac_status adb_read_some(int fd, const char *step, void *data, size_t size, double limit,
                         size_t *got, tac_error *err)
{
    for (;;) {
        if (!tac_wait_ready(fd, POLLIN, limit))
            return too_late(step, err);
        ssize_t n = read(fd, data, size);
        if (n >= 0) {
            *got = (size_t)n;
            return TAC_OK;
        }
        if (errno != EINTR && errno != EAGAIN)
            return adb_gone(step, err);
    }
}

static tac_status adb_read_exactly(int fd, const char *step, void *data, size_t size, double limit,
                                   tac_error *err)
{
    for (size_t done = 0, got = 0; done < size; done += got) {
        tac_status st = adb_read_some(fd, step, (char *)data + done, size - done, limit, &got, err);
        if (st)
            return st;
        if (!got)
            return adb_gone(step, err);
    }
    return TAC_OK;
}

tac_status adb_write_all(int fd, const char *step, const void *data, size_t size, double limit,
                         tac_error *err)
{
    for (size_t done = 0; done < size;) {
        if (!tac_wait_ready(fd, POLLOUT, limit))
            return too_late(step, err);
        ssize_t n = send(fd, (const char *)data + done, size - done, MSG_NOSIGNAL);
        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno != EINTR && errno != EAGAIN)
            return adb_gone(step, err);
    }
    return TAC_OK;
}

/* -1 when nobody listens. */
static int connect_port(uint16_t port)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (connect(fd, (struct sockaddr *)&at, sizeof at)) {
        close(fd);
        return -1;
    }
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    return fd;
}

static tac_status connect_server(const struct adb_client *client, const char *step, int *fd,
                                 tac_error *err)
{
    *fd = connect_port(client->port);
    if (*fd >= 0)
        return TAC_OK;
    return tac_fail(err, TAC_E_DEVICE,
                    "%s: no adb server answers on 127.0.0.1:%u; start it with adb start-server",
                    step, client->port);
}

/* "device 'X' not found", "device offline", ... in words that say what to do. */
static tac_status refused(const struct adb_client *client, const char *step, const char *why,
                          tac_error *err)
{
    const char *advice = "";
    if (strstr(why, "unauthorized"))
        advice = "; unlock the phone and allow USB debugging for this computer";
    else if (strstr(why, "offline"))
        advice = "; plug it in again, or adb reconnect offline";
    else if (strstr(why, "not found"))
        advice = "; adb devices lists what is connected";
    else if (!strcmp(why, "closed"))
        advice = "; the device refused the service (shell protocol v2 needs Android 7 or later)";
    return tac_fail(err, TAC_E_DEVICE, "%s: adb:%s: %.300s%s", step, client->serial, why, advice);
}

/* Sends one request and reads the whole answer; FAIL becomes an error. trouble may be NULL. */
static tac_status request(const struct adb_client *client, int fd, const char *step,
                          const char *text, double limit, struct adb_answer *answer,
                          enum adb_trouble *trouble, tac_error *err)
{
    size_t length = strlen(text);
    if (length > 0xffff)
        return tac_fail(err, TAC_E_LIMIT, "%s: a request of %zu bytes is too long for adb", step,
                        length);
    char *frame = tac_format("%04x%s", (unsigned)length, text);
    tac_status st = adb_write_all(fd, step, frame, length + 4, limit, err);
    free(frame);
    for (size_t wanted; !st && (wanted = adb_answer_wants(answer));) {
        char part[512];
        size_t got = wanted < sizeof part ? wanted : sizeof part;
        st = adb_read_exactly(fd, step, part, got, limit, err);
        if (!st)
            st = adb_answer_feed(answer, step, part, got, err);
    }
    if (trouble)
        *trouble = answer->failed      ? adb_judge_refusal(tac_str_text(&answer->body))
                   : tac_now() < limit ? ADB_NO_SERVER
                                       : ADB_FINAL;
    return st || !answer->failed ? st : refused(client, step, tac_str_text(&answer->body), err);
}

static tac_status switch_to(const struct adb_client *client, int fd, const char *step,
                            const char *service, double limit, enum adb_trouble *trouble,
                            tac_error *err)
{
    struct adb_answer answer = {0};
    tac_status st = request(client, fd, step, service, limit, &answer, trouble, err);
    tac_str_free(&answer.body);
    return st;
}

tac_status adb_host(const struct adb_client *client, const char *text, double deadline,
                    tac_str *out, tac_error *err)
{
    double limit = tac_now() + deadline;
    struct adb_answer answer = {.text = true};
    int fd;
    tac_status st = connect_server(client, text, &fd, err);
    if (st)
        return st;
    st = request(client, fd, text, text, limit, &answer, NULL, err);
    if (!st)
        tac_str_add(out, tac_str_text(&answer.body));
    tac_str_free(&answer.body);
    close(fd);
    return st;
}

static tac_status connect_once(const struct adb_client *client, const char *step,
                               const char *service, double limit, int *out,
                               enum adb_trouble *trouble, tac_error *err)
{
    int fd;
    *trouble = ADB_NO_SERVER;
    tac_status st = connect_server(client, step, &fd, err);
    if (st)
        return st;
    char *transport = tac_format("host:transport:%s", client->serial);
    st = switch_to(client, fd, step, transport, limit, trouble, err);
    free(transport);
    if (!st)
        st = switch_to(client, fd, step, service, limit, trouble, err);
    if (st)
        close(fd);
    else
        *out = fd;
    return st;
}

tac_status adb_connect_service(const struct adb_client *client, const char *step,
                               const char *service, double limit, int *out, tac_error *err)
{
    struct adb_pause pause;
    enum adb_trouble trouble;
    adb_pause_start(&pause, limit);
    for (;;) {
        tac_status st = connect_once(client, step, service, limit, out, &trouble, err);
        if (!st || !adb_pause(&pause, client, trouble))
            return st;
    }
}

/* --- opening --- */

tac_status adb_start_server(const struct adb_client *client, double deadline, tac_error *err)
{
    int fd = connect_port(client->port);
    if (fd >= 0) {
        close(fd);
        return TAC_OK;
    }
    char port[16];
    snprintf(port, sizeof port, "%u", client->port);
    const char *const argv[] = {"adb", "-P", port, "start-server", NULL};
    char *output = NULL;
    size_t size = 0;
    int code = 0;
    tac_status st = tac_process_run(argv, "adb", "", 0, deadline, &output, &size, &code, err);
    free(output);
    if (st)
        return st;
    return code ? tac_fail(err, TAC_E_DEVICE, "adb start-server failed with exit code %d", code)
                : TAC_OK;
}

static tac_status judge_state(const char *serial, const char *state, tac_error *err)
{
    if (!strcmp(state, "device"))
        return TAC_OK;
    const char *advice = "wait until adb devices shows it as 'device'";
    if (!strcmp(state, "unauthorized"))
        advice = "unlock the phone and allow USB debugging for this computer";
    else if (!strcmp(state, "offline"))
        advice = "plug it in again, or adb reconnect offline";
    else if (!strncmp(state, "no permissions", 14))
        advice = "this user may not open the USB device; see the udev rules of your distribution";
    return tac_fail(err, TAC_E_DEVICE, "adb:%s %s %s; %s", serial,
                    strncmp(state, "no ", 3) ? "is" : "has", state, advice);
}

static tac_status none_connected(tac_error *err)
{
    return tac_fail(
        err, TAC_E_DEVICE,
        "no Android device is connected; plug one in with USB debugging allowed, or adb "
        "connect HOST:PORT");
}

tac_status adb_choose(struct adb_client *client, const char *wanted, const char *list, size_t size,
                      tac_error *err)
{
    struct adb_entry entries[MOST_DEVICES];
    size_t all = adb_read_devices(list, size, entries, MOST_DEVICES), count = 0, chosen = 0;
    tac_str known = {.cap = 600};
    for (size_t i = 0; i < all; i++) {
        const char *model = entries[i].model;
        tac_str_addf(&known, "%s%s%s%s%s", i ? ", " : "", entries[i].serial, *model ? " (" : "",
                     model, *model ? ")" : "");
        if (*wanted && strcmp(wanted, entries[i].serial) != 0)
            continue;
        count++;
        chosen = i;
    }
    tac_status st;
    if (count == 1) {
        memcpy(client->serial, entries[chosen].serial, sizeof client->serial);
        st = judge_state(client->serial, entries[chosen].state, err);
    } else if (*wanted) {
        st = tac_fail(err, TAC_E_DEVICE, "there is no device adb:%s; %s%s", wanted,
                      all ? "connected are " : "adb devices lists none", tac_str_text(&known));
    } else if (!count) {
        st = none_connected(err);
    } else {
        st = tac_fail(err, TAC_E_USAGE,
                      "%zu devices are connected; say which: adb:SERIAL with one of %s", count,
                      tac_str_text(&known));
    }
    tac_str_free(&known);
    return st;
}

/* The server's list of devices, after starting the server if need be. */
static tac_status ask_devices(struct adb_client *client, double deadline, tac_str *answer,
                              tac_error *err)
{
    *client = (struct adb_client){.port = DEFAULT_PORT};
    const char *port = getenv("ANDROID_ADB_SERVER_PORT");
    uint64_t number;
    if (port && *port) {
        if (!tac_parse_u64(port, &number) || !number || number > 65535)
            return tac_fail(err, TAC_E_USAGE,
                            "ANDROID_ADB_SERVER_PORT is '%s', which is not a port", port);
        client->port = (uint16_t)number;
    }
    tac_status st = adb_start_server(client, deadline, err);
    if (!st)
        st = adb_host(client, "host:version", deadline, answer, err);
    tac_str_clear(answer);
    return st ? st : adb_host(client, "host:devices-l", deadline, answer, err);
}

tac_status adb_client_open(struct adb_client *client, const char *serial, double deadline,
                           bool once, tac_error *err)
{
    struct adb_pause pause;
    adb_pause_start(&pause, tac_now() + deadline);
    for (;;) {
        tac_str answer = {0};
        tac_status st = ask_devices(client, fmax(pause.limit - tac_now(), 0.1), &answer, err);
        bool asked = !st;
        if (!st)
            st = adb_choose(client, serial, tac_str_text(&answer), answer.length, err);
        bool waiting = asked && strstr(tac_str_text(&answer), "unauthorized");
        tac_str_free(&answer);
        /* a phone that its owner must allow, or that nobody named, is not waited for */
        if (!st || st == TAC_E_USAGE || waiting || once || !adb_is_address(serial))
            return st;
        snprintf(client->serial, sizeof client->serial, "%s", serial);
        if (!adb_pause(&pause, client, asked ? ADB_OFFLINE : ADB_NO_SERVER))
            return st;
    }
}

tac_status adb_client_list(double deadline, char ***uris, size_t *count, tac_error *err)
{
    struct adb_client client;
    struct adb_entry entries[MOST_DEVICES];
    tac_str answer = {0};
    tac_status st = ask_devices(&client, deadline, &answer, err);
    size_t all =
        st ? 0 : adb_read_devices(tac_str_text(&answer), answer.length, entries, MOST_DEVICES);
    char **list = tac_calloc(all, sizeof *list);
    size_t ready = 0;
    for (size_t i = 0; i < all; i++)
        if (!strcmp(entries[i].state, "device"))
            list[ready++] = tac_format("adb:%s", entries[i].serial);
    if (!st && !all)
        st = none_connected(err);
    else if (!st && !ready)
        st = all == 1 ? judge_state(entries[0].serial, entries[0].state, err)
                      : tac_fail(err, TAC_E_DEVICE,
                                 "none of the %zu connected devices is ready (adb devices)", all);
    tac_str_free(&answer);
    if (st) {
        free(list);
        return st;
    }
    *uris = list;
    *count = ready;
    return TAC_OK;
}
