/* Worker processes. See worker.h. */
#include "base/process/worker.h"
#include "base/data/text.h"
#include "base/process/child.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

tac_status tac_worker_start(tac_worker *worker, void (*work)(void *context, size_t index, int fd),
                            void *context, size_t index, tac_error *err)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return tac_fail_errno(err, errno, NULL, "cannot open a socket for a worker");
    pid_t pid;
    tac_status status = tac_child_fork(ends, &pid, err);
    if (status != TAC_OK)
        return status;
    if (pid == 0) {
        work(context, index, ends[1]);
        tac_child_exit(0);
    }
    *worker = (tac_worker){.pid = pid, .fd = ends[0]};
    return TAC_OK;
}

bool tac_worker_send(int fd, const void *data, size_t size)
{
    for (const char *at = data; size > 0;) {
        ssize_t put = send(fd, at, size, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

bool tac_worker_receive(int fd, void *data, size_t size)
{
    for (char *at = data; size > 0;) {
        ssize_t got = recv(fd, at, size, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

bool tac_worker_has_more(int fd)
{
    char byte;
    return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool tac_worker_read(tac_worker *worker)
{
    char buffer[65536];
    ssize_t got = recv(worker->fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got > 0)
        tac_str_add_bytes(&worker->pending, buffer, (size_t)got);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

const char *tac_worker_line(tac_worker *worker)
{
    tac_str *pending = &worker->pending;
    size_t left = pending->length - worker->taken;
    char *from = pending->text + worker->taken;
    char *end = left ? memchr(from, '\n', left) : NULL;
    if (end) {
        *end = '\0';
        worker->taken += (size_t)(end + 1 - from);
        return from;
    }
    if (worker->taken) {
        memmove(pending->text, from, left);
        pending->length = left;
        worker->taken = 0;
    }
    return NULL;
}

bool tac_worker_is_stopped(const tac_worker *worker)
{
    siginfo_t info = {0};
    return worker->pid && !waitid(P_PID, (id_t)worker->pid, &info, WSTOPPED | WNOHANG | WNOWAIT) &&
           info.si_pid == worker->pid && info.si_code == CLD_STOPPED;
}

void tac_worker_end(tac_worker *worker, double seconds)
{
    pid_t ended = 0;
    if (worker->pid) {
        shutdown(worker->fd, SHUT_WR);
        for (double limit = tac_now() + seconds; !ended && tac_now() < limit;) {
            ended = waitpid(worker->pid, NULL, WNOHANG);
            if (!ended)
                poll(NULL, 0, 1);
        }
        if (ended <= 0) {
            kill(worker->pid, SIGKILL);
            while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
                ;
        }
        close(worker->fd);
    }
    tac_str_free(&worker->pending);
    *worker = (tac_worker){0};
}
