/* Running other programs without a shell: fork, exec, and one poll loop that feeds standard input
 * and drains both outputs until the deadline. */
#include "base/process/process.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_EXEC = 127, TO_CHILD = 0, FROM_CHILD = 1, COMPLAINTS = 2 };

bool tac_process_on_path(const char *program)
{
    const char *path = getenv("PATH");
    if (strchr(program, '/'))
        return access(program, X_OK) == 0;
    for (const char *at = path ? path : "/usr/bin:/bin"; *at;) {
        size_t length = strcspn(at, ":");
        char *candidate = tac_format("%.*s/%s", (int)length, at, program);
        bool found = access(candidate, X_OK) == 0;
        free(candidate);
        if (found)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0)
            close(pair[i]);
}

static pid_t start(const char *const argv[], int ends[3])
{
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    bool good = true;
    for (int i = 0; i < 3 && good; i++)
        good = pipe2(pipes[i], O_CLOEXEC) == 0;
    pid_t child = good ? fork() : -1;
    if (child < 0) {
        for (int i = 0; i < 3; i++)
            close_pair(pipes[i]);
        return -1;
    }
    if (child == 0) {
        dup2(pipes[TO_CHILD][0], STDIN_FILENO);
        dup2(pipes[FROM_CHILD][1], STDOUT_FILENO);
        dup2(pipes[COMPLAINTS][1], STDERR_FILENO);
        signal(SIGPIPE, SIG_DFL);
        signal(SIGTERM, SIG_DFL); /* a worker of ours ignores it */
        execvp(argv[0], (char *const *)(uintptr_t)argv);
        _exit(CANNOT_EXEC);
    }
    close(pipes[TO_CHILD][0]);
    close(pipes[FROM_CHILD][1]);
    close(pipes[COMPLAINTS][1]);
    ends[TO_CHILD] = pipes[TO_CHILD][1];
    ends[FROM_CHILD] = pipes[FROM_CHILD][0];
    ends[COMPLAINTS] = pipes[COMPLAINTS][0];
    fcntl(ends[TO_CHILD], F_SETFL, O_NONBLOCK);
    return child;
}

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

static void drain(int *end, tac_str *into)
{
    char buffer[65536];
    ssize_t got = read(*end, buffer, sizeof buffer);
    if (got > 0)
        tac_str_add_bytes(into, buffer, (size_t)got);
    else if (got == 0 || errno != EINTR)
        close_end(end);
}

/* Returns false when the deadline passed. */
static bool talk(int ends[3], const char *input, size_t size, double deadline, tac_str *output,
                 tac_str *complaints)
{
    double until = tac_now() + deadline;
    size_t sent = 0;
    while (ends[FROM_CHILD] >= 0 || ends[COMPLAINTS] >= 0) {
        if (ends[TO_CHILD] >= 0 && sent == size)
            close_end(&ends[TO_CHILD]);
        struct pollfd watched[3] = {{.fd = ends[TO_CHILD], .events = POLLOUT},
                                    {.fd = ends[FROM_CHILD], .events = POLLIN},
                                    {.fd = ends[COMPLAINTS], .events = POLLIN}};
        double left = until - tac_now();
        if (deadline > 0 && left <= 0)
            return false;
        if (poll(watched, 3, deadline > 0 ? (int)(left * 1000) + 1 : -1) < 0 && errno != EINTR)
            return true;
        if (watched[TO_CHILD].revents) {
            ssize_t put = write(ends[TO_CHILD], input + sent, size - sent);
            if (put > 0)
                sent += (size_t)put;
            else if (put < 0 && errno != EINTR && errno != EAGAIN)
                close_end(&ends[TO_CHILD]);
        }
        if (watched[FROM_CHILD].revents)
            drain(&ends[FROM_CHILD], output);
        if (watched[COMPLAINTS].revents)
            drain(&ends[COMPLAINTS], complaints);
    }
    return true;
}

/* Waits for the child's end and says what it means; TAC_OK: it ran and *exit_code is its own. */
static tac_status collect(const char *const argv[], const char *package, pid_t child, bool in_time,
                          double deadline, bool said_something, const char *complaints,
                          int *exit_code, tac_error *err)
{
    int state = 0, first_line = (int)strcspn(complaints, "\n");
    if (!in_time)
        kill(child, SIGKILL);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        ;
    if (!in_time)
        return tac_fail(err, TAC_E_LIMIT, "%s did not finish within %g seconds", argv[0], deadline);
    if (WIFSIGNALED(state))
        return tac_fail(err, TAC_E_DEVICE, "%s was ended by signal %d: %.*s", argv[0],
                        WTERMSIG(state), first_line, complaints);
    if (WEXITSTATUS(state) == CANNOT_EXEC && !said_something)
        return tac_fail(err, TAC_E_MISSING, "%s cannot be started; is package '%s' whole? %.*s",
                        argv[0], package, first_line, complaints);
    *exit_code = WEXITSTATUS(state);
    return TAC_OK;
}

tac_status tac_process_run(const char *const argv[], const char *package, const char *input,
                           size_t input_size, double deadline, char **output, size_t *output_size,
                           int *exit_code, tac_error *err)
{
    if (!tac_process_on_path(argv[0]))
        return tac_fail(err, TAC_E_MISSING, "%s is not installed; install Debian's package '%s'",
                        argv[0], package);
    /* A child that closes its input early must not end us by SIGPIPE. */
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    sigaction(SIGPIPE, &ignore, &old);
    int ends[3];
    tac_str text = {0}, complaints = {.cap = 1 << 16};
    tac_status status = TAC_OK;
    pid_t child = start(argv, ends);
    if (child < 0) {
        status = tac_fail_errno(err, errno, NULL, "cannot start %s", argv[0]);
    } else {
        bool in_time = talk(ends, input, input_size, deadline, &text, &complaints);
        for (int i = 0; i < 3; i++)
            close_end(&ends[i]);
        status = collect(argv, package, child, in_time, deadline, text.length > 0,
                         tac_str_text(&complaints), exit_code, err);
    }
    if (status == TAC_OK) {
        *output_size = text.length;
        *output = tac_str_take(&text);
    }
    sigaction(SIGPIPE, &old, NULL);
    tac_str_free(&text);
    tac_str_free(&complaints);
    return status;
}
