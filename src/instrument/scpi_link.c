/* TCP to an instrument. See scpi_link.h. */
#include "instrument/scpi_link.h"
#include "base/data/text.h"
#include "base/process/ready.h"
#include "instrument/scpi_answer.h"
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char scheme[] = "scpi://", default_port[] = "5025";

static bool copy_part(char *out, size_t size, const char *from, const char *to)
{
    size_t length = (size_t)(to - from);
    if (!length || length >= size)
        return false;
    memcpy(out, from, length);
    out[length] = '\0';
    return true;
}

static bool parse_parts(const char *at, struct scpi_address *out)
{
    const char *host_end;
    if (*at == '[') {
        host_end = strchr(++at, ']');
        if (!host_end || !copy_part(out->host, sizeof out->host, at, host_end))
            return false;
        at = host_end + 1;
    } else {
        host_end = at + strcspn(at, ":/");
        if (!copy_part(out->host, sizeof out->host, at, host_end))
            return false;
        at = host_end;
    }
    snprintf(out->port, sizeof out->port, "%s", default_port);
    uint64_t number;
    if (*at == ':') {
        at++;
        const char *end = at + strcspn(at, "/");
        if (!copy_part(out->port, sizeof out->port, at, end) ||
            !tac_parse_u64(out->port, &number) || !number || number > 65535)
            return false;
        at = end;
    }
    out->channel = 0;
    if (*at == '/' && at[1]) {
        if (!tac_parse_u64(at + 1, &number) || !number || number > 999)
            return false;
        out->channel = (unsigned)number;
    } else if (*at && *at != '/') {
        return false;
    }
    return true;
}

tac_status scpi_address_parse(const char *uri, struct scpi_address *out, tac_error *err)
{
    *out = (struct scpi_address){0};
    if (!strncmp(uri, scheme, sizeof scheme - 1) && parse_parts(uri + sizeof scheme - 1, out))
        return TAC_OK;
    return tac_fail(err, TAC_E_USAGE,
                    "'%s' is not an instrument; write scpi://HOST[:PORT][/CHANNEL], for example "
                    "scpi://192.168.1.20:5025/1",
                    uri);
}

/* 0 when connected, else an errno. */
static int connect_within(int fd, const struct addrinfo *to, double limit)
{
    if (!connect(fd, to->ai_addr, to->ai_addrlen))
        return 0;
    if (errno != EINPROGRESS)
        return errno;
    if (!tac_wait_ready(fd, POLLOUT, limit))
        return ETIMEDOUT;
    int failure = 0;
    socklen_t size = sizeof failure;
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &failure, &size);
    return failure;
}

tac_status scpi_link_open(struct scpi_link *link, const char *uri,
                          const struct scpi_address *address, double deadline, tac_error *err)
{
    *link = (struct scpi_link){.fd = -1, .deadline = deadline, .uri = uri};
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found;
    int code = getaddrinfo(address->host, address->port, &hints, &found);
    if (code)
        return tac_fail(err, TAC_E_DEVICE, "%s: the host '%s' is not known: %s", uri, address->host,
                        gai_strerror(code));
    double limit = tac_now() + deadline;
    int failure = 0;
    for (struct addrinfo *to = found; to && link->fd < 0; to = to->ai_next) {
        int fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        failure = fd < 0 ? errno : connect_within(fd, to, limit);
        if (!failure)
            link->fd = fd;
        else if (fd >= 0)
            close(fd);
    }
    freeaddrinfo(found);
    if (link->fd < 0)
        return tac_fail(err, TAC_E_DEVICE,
                        "%s: cannot connect to the instrument (%s); is it switched on, and its "
                        "socket interface enabled on port %s?",
                        uri, strerror(failure), address->port);
    int one = 1;
    setsockopt(link->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return TAC_OK;
}

void scpi_link_close(struct scpi_link *link)
{
    if (link->fd >= 0)
        close(link->fd);
    link->fd = -1;
    tac_str_free(&link->pending);
}

static tac_status silent(const struct scpi_link *link, const char *command, tac_error *err)
{
    return tac_fail(err, TAC_E_DEVICE, "%s: %s: the instrument gave no answer within %g s",
                    link->uri, command, link->deadline);
}

static tac_status gone(const struct scpi_link *link, const char *command, tac_error *err)
{
    return tac_fail(err, TAC_E_DEVICE,
                    "%s: %s: the instrument closed the connection; another program may have taken "
                    "it, or it was switched off",
                    link->uri, command);
}

tac_status scpi_send(struct scpi_link *link, const char *command, tac_error *err)
{
    double limit = tac_now() + link->deadline;
    tac_str line = {0};
    tac_str_addf(&line, "%s\n", command);
    tac_status status = TAC_OK;
    for (size_t done = 0; done < line.length && status == TAC_OK;) {
        ssize_t n = send(link->fd, line.text + done, line.length - done, MSG_NOSIGNAL);
        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno != EINTR && errno != EAGAIN)
            status = gone(link, command, err);
        else if (!tac_wait_ready(link->fd, POLLOUT, limit))
            status = silent(link, command, err);
    }
    tac_str_free(&line);
    return status;
}

/* Moves one whole answer out of the pending bytes; *length 0 when there is none yet. */
static tac_status take_answer(struct scpi_link *link, const char *command, tac_str *answer,
                              size_t *length, tac_error *err)
{
    tac_error why;
    tac_status status =
        scpi_answer_length(tac_str_text(&link->pending), link->pending.length, length, &why);
    if (status != TAC_OK)
        return tac_fail(err, status, "%s: %s: %s", link->uri, command, why.message);
    if (!*length)
        return TAC_OK;
    size_t end = *length - 1;
    end -= end && link->pending.text[0] != '#' && link->pending.text[end - 1] == '\r';
    tac_str_clear(answer);
    tac_str_add_bytes(answer, link->pending.text, end);
    link->pending.length -= *length;
    memmove(link->pending.text, link->pending.text + *length, link->pending.length + 1);
    return TAC_OK;
}

tac_status scpi_receive(struct scpi_link *link, const char *command, tac_str *answer,
                        tac_error *err)
{
    double limit = tac_now() + link->deadline;
    for (;;) {
        size_t length;
        tac_status status = take_answer(link, command, answer, &length, err);
        if (status != TAC_OK || length)
            return status;
        if (!tac_wait_ready(link->fd, POLLIN, limit))
            return silent(link, command, err);
        char bytes[16384];
        ssize_t n = read(link->fd, bytes, sizeof bytes);
        if (n > 0)
            tac_str_add_bytes(&link->pending, bytes, (size_t)n);
        else if (n == 0 || (errno != EINTR && errno != EAGAIN))
            return gone(link, command, err);
    }
}

tac_status scpi_ask(struct scpi_link *link, const char *command, tac_str *answer, tac_error *err)
{
    tac_status status = scpi_send(link, command, err);
    return status == TAC_OK ? scpi_receive(link, command, answer, err) : status;
}
