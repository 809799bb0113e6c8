/* Any program in a network of its own. Its questions for names go over the link too: inside, the
 * gateway is the name server (a mount namespace shows the program another /etc/resolv.conf). */
#include "base/process/process.h"
#include "network/network.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The file lives in a file system that is nowhere but below /etc/resolv.conf. Where this is not
 * allowed the program keeps the host's name servers, which it reaches over the link as well. */
static void set_name_server(void)
{
    static const char text[] = "nameserver " TAC_NETWORK_HOST "\noptions timeout:2\n";
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("tmpfs", "/mnt", "tmpfs", 0, "size=64k"))
        return;
    int file = open("/mnt/resolv.conf", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file >= 0 && write(file, text, sizeof text - 1) > 0)
        mount("/mnt/resolv.conf", "/etc/resolv.conf", NULL, MS_BIND, NULL);
    if (file >= 0)
        close(file);
    umount2("/mnt", MNT_DETACH);
}

static void run_inside(const tac_network *network, const char *const argv[], pid_t parent)
{
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || !tac_network_enter(network))
        _exit(126);
    set_name_server();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    execvp(argv[0], (char *const *)argv);
    _exit(127);
}

tac_status tac_network_run(tac_network *network, const char *const argv[], tac_watch *watch,
                           int *code, tac_error *err)
{
    if (!tac_process_on_path(argv[0]) && access(argv[0], X_OK))
        return tac_fail(err, TAC_E_MISSING, "the program '%s' was not found", argv[0]);
    pid_t parent = getpid(), child = fork();
    if (child < 0)
        return tac_fail_errno(err, errno, NULL, "cannot start a program");
    if (child == 0)
        run_inside(network, argv, parent);
    tac_status status = TAC_OK;
    int ended = 0;
    while (waitpid(child, &ended, WNOHANG) != child) {
        tac_network_state state;
        if (status == TAC_OK)
            status = tac_network_look(network, &state, err);
        if (status == TAC_OK && !tac_watch_tick(watch, "seconds", (uint64_t)state.since, 0))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
        if (status != TAC_OK)
            kill(child, SIGKILL);
        usleep(10000);
    }
    *code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    return status;
}
