/* Forked processes that work for their parent. See child.h. */
#include "base/process/child.h"
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* There in coverage builds only; _exit would lose what the child counted. */
extern void __gcov_dump(void) __attribute__((weak));

static void leave_to_parent(int number)
{
    (void)number;
}

/* The parent decides what Ctrl-C, SIGTERM and SIGHUP mean, also when a whole group gets them. A
 * handler, because programs that the child starts would inherit an ignored signal. */
static void take_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = leave_to_parent, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

tac_status tac_child_fork(const int ends[2], pid_t *pid, tac_error *err)
{
    pid_t parent = getpid();
    *pid = fork();
    if (*pid < 0) {
        tac_status status = tac_fail_errno(err, errno, NULL, "cannot start a worker process");
        close(ends[0]);
        close(ends[1]);
        return status;
    }
    close(ends[*pid ? 1 : 0]);
    if (*pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        take_signals();
    }
    return TAC_OK;
}

void tac_child_exit(int code)
{
    if (__gcov_dump)
        __gcov_dump();
    _exit(code);
}
