/* Connections to the adb server, and which device is meant. See adb_client.h. */
#include "device/adb_client.h"
#include "base/process.h"
#include "base/text.h"
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

enum { DEFAULT_PORT = 5037, MOST_ANSWER = 1 << 20 };

uint32_t adb_get_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void adb_put_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

/* Waits until the socket is ready; false when the limit has passed. */
static bool wait_ready(int fd, short events, double limit)
{
    for (;;) {
        double left = limit - tac_now();
        struct pollfd p = {.fd = fd, .events = events};
        int n = poll(&p, 1, left > 0 ? (int)fmin(ceil(left * 1000), 1e6) : 0);
        if (n > 0)
            return true;
        if (n == 0 && tac_now() >= limit)
            return false;
        if (n < 0 && errno != EINTR)
            return true; /* the read or write says what is wrong */
    }
}

static tac_status too_late(const char *step, tac_error *err)
{
    return tac_fail(err, TAC_E_DEVICE,
                    "%s: no answer within the deadline; is the device awake and reachable "
                    "(adb devices)?",
                    step);
}

static tac_status gone(const char *step, tac_error *err)
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
        if (!wait_ready(fd, POLLIN, limit))
            return too_late(step, err);
        ssize_t n = read(fd, data, size);
        if (n >= 0) {
            *got = (size_t)n;
            return TAC_OK;
        }
        if (errno != EINTR && errno != EAGAIN)
            return gone(step, err);
    }
}

tac_status adb_read_exactly(int fd, const char *step, void *data, size_t size, double limit,
                            tac_error *err)
{
    for (size_t done = 0, got = 0; done < size; done += got) {
        tac_status st = adb_read_some(fd, step, (char *)data + done, size - done, limit, &got, err);
        if (st)
            return st;
        if (!got)
            return gone(step, err);
    }
    return TAC_OK;
}

tac_status adb_write_all(int fd, const char *step, const void *data, size_t size, double limit,
                         tac_error *err)
{
    for (size_t done = 0; done < size;) {
        if (!wait_ready(fd, POLLOUT, limit))
            return too_late(step, err);
        ssize_t n = send(fd, (const char *)data + done, size - done, MSG_NOSIGNAL);
        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno != EINTR && errno != EAGAIN)
            return gone(step, err);
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

static tac_status connect_server(const adb_client *client, const char *step, int *fd,
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
static tac_status refused(const adb_client *client, const char *step, const char *why,
                          tac_error *err)
{
    const char *advice = "";
    if (strstr(why, "unauthorized"))
        advice = "; unlock the phone and allow USB debugging for this computer";
    else if (strstr(why, "offline"))
        advice = "; plug it in again, or adb reconnect offline";
    else if (strstr(why, "not found"))
        advice = "; adb devices lists what is connected";
    return tac_fail(err, TAC_E_DEVICE, "%s: adb:%s: %.300s%s", step, client->serial, why, advice);
}

/* Sends one request and reads its OKAY; FAIL becomes an error. */
static tac_status request(const adb_client *client, int fd, const char *step, const char *text,
                          double limit, tac_error *err)
{
    size_t length = strlen(text);
    if (length > 0xffff)
        return tac_fail(err, TAC_E_LIMIT, "%s: a request of %zu bytes is too long for adb", step,
                        length);
    char *frame = tac_format("%04x%s", (unsigned)length, text);
    tac_status st = adb_write_all(fd, step, frame, length + 4, limit, err);
    free(frame);
    char status[5] = "";
    if (!st)
        st = adb_read_exactly(fd, step, status, 4, limit, err);
    if (st || !memcmp(status, "OKAY", 4))
        return st;
    if (memcmp(status, "FAIL", 4) != 0)
        return tac_fail(err, TAC_E_DEVICE, "%s: port %u is no adb server", step, client->port);
    char size[5] = "", why[1024] = "";
    st = adb_read_exactly(fd, step, size, 4, limit, err);
    if (st)
        return st;
    unsigned long n = strtoul(size, NULL, 16);
    n = n < sizeof why ? n : sizeof why - 1;
    st = adb_read_exactly(fd, step, why, n, limit, err);
    return st ? st : refused(client, step, why, err);
}

static tac_status read_answer(int fd, const char *step, double limit, tac_str *answer,
                              tac_error *err)
{
    char size[5] = "";
    tac_status st = adb_read_exactly(fd, step, size, 4, limit, err);
    if (st)
        return st;
    size_t n = strtoul(size, NULL, 16);
    char *text = tac_calloc(n + 1, 1);
    st = adb_read_exactly(fd, step, text, n, limit, err);
    if (!st)
        tac_str_add(answer, text);
    free(text);
    return st;
}

tac_status adb_host(const adb_client *client, const char *text, double deadline, tac_str *answer,
                    tac_error *err)
{
    double limit = tac_now() + deadline;
    int fd;
    tac_status st = connect_server(client, text, &fd, err);
    if (st)
        return st;
    st = request(client, fd, text, text, limit, err);
    if (!st)
        st = read_answer(fd, text, limit, answer, err);
    close(fd);
    return st;
}

tac_status adb_connect_service(const adb_client *client, const char *step, const char *service,
                               double limit, int *out, tac_error *err)
{
    int fd;
    tac_status st = connect_server(client, step, &fd, err);
    if (st)
        return st;
    char *transport = tac_format("host:transport:%s", client->serial);
    st = request(client, fd, step, transport, limit, err);
    free(transport);
    if (!st)
        st = request(client, fd, step, service, limit, err);
    if (st)
        close(fd);
    else
        *out = fd;
    return st;
}

/* --- opening --- */

static tac_status start_server(adb_client *client, double deadline, tac_error *err)
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
    const char *advice = "wait until adb devices shows it as \"device\"";
    if (!strcmp(state, "unauthorized"))
        advice = "unlock the phone and allow USB debugging for this computer";
    else if (!strcmp(state, "offline"))
        advice = "plug it in again, or adb reconnect offline";
    else if (!strncmp(state, "no permissions", 14))
        advice = "this user may not open the USB device; see the udev rules of your distribution";
    return tac_fail(err, TAC_E_DEVICE, "adb:%s is %s; %s", serial, state, advice);
}

/* Chooses from "SERIAL\tSTATE\n" lines. */
static tac_status choose(adb_client *client, const char *wanted, char *list, tac_error *err)
{
    size_t count = 0;
    char known[512] = "";
    char state[64] = "", *save = NULL;
    for (char *line = strtok_r(list, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *tab = strchr(line, '\t');
        if (!tab)
            continue;
        *tab = '\0';
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", line);
        if (*wanted && strcmp(wanted, line) != 0)
            continue;
        count++;
        snprintf(client->serial, sizeof client->serial, "%s", line);
        snprintf(state, sizeof state, "%s", tab + 1);
    }
    if (count == 1)
        return judge_state(client->serial, state, err);
    if (*wanted)
        return tac_fail(err, TAC_E_DEVICE, "no device is called adb:%s; %s%s", wanted,
                        *known ? "connected are " : "adb devices lists none", known);
    if (!count)
        return tac_fail(err, TAC_E_DEVICE,
                        "no Android device is connected; plug one in with USB debugging allowed, "
                        "or adb connect HOST:PORT");
    return tac_fail(err, TAC_E_USAGE,
                    "%zu devices are connected; say which: adb:SERIAL with one of %s", count,
                    known);
}

tac_status adb_client_open(adb_client *client, const char *serial, double deadline, tac_error *err)
{
    *client = (adb_client){.port = DEFAULT_PORT};
    const char *port = getenv("ANDROID_ADB_SERVER_PORT");
    uint64_t number;
    if (port && *port) {
        if (!tac_parse_u64(port, &number) || !number || number > 65535)
            return tac_fail(err, TAC_E_USAGE, "ANDROID_ADB_SERVER_PORT is \"%s\", which is no port",
                            port);
        client->port = (uint16_t)number;
    }
    tac_str answer = {0};
    tac_status st = start_server(client, deadline, err);
    if (!st)
        st = adb_host(client, "host:version", deadline, &answer, err);
    tac_str_clear(&answer);
    if (!st)
        st = adb_host(client, "host:devices", deadline, &answer, err);
    if (!st) {
        char *list = tac_strdup(tac_str_text(&answer));
        st = choose(client, serial, list, err);
        free(list);
    }
    tac_str_free(&answer);
    return st;
}
