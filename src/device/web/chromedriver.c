/* Starting Debian's chromedriver for one session, and ending it with everything it started.
 *
 * The driver leads a process group of its own; the browser's processes belong to it. At an ordinary
 * end the whole group is killed and the profile folder removed. When we are killed, the kernel ends
 * the driver (PR_SET_PDEATHSIG), and a guard process, which sees our end of a pipe close, kills the
 * group and removes the folder. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/process/process.h"
#include "device/web/webdriver.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A port that was free a moment ago. */
static int free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int port = -1, socket_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_fd >= 0 && !bind(socket_fd, (struct sockaddr *)&address, sizeof address) &&
        !getsockname(socket_fd, (struct sockaddr *)&address, &size))
        port = ntohs(address.sin_port);
    if (socket_fd >= 0)
        close(socket_fd);
    return port;
}

static pid_t start_driver(const struct webdriver *w, int port)
{
    char argument[32];
    snprintf(argument, sizeof argument, "--port=%d", port);
    pid_t child = fork();
    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    signal(SIGTERM, SIG_DFL); /* a worker of ours ignores it */
    setenv("TMPDIR", w->profile, 1);
    if (w->network && !tac_network_enter(w->network))
        _exit(126);
    execlp("chromedriver", "chromedriver", argument, (char *)NULL);
    _exit(127);
}

static tac_status wait_until_ready(struct webdriver *w, tac_error *err)
{
    const double patience = 20;
    double until = tac_now() + patience;
    while (tac_now() < until) {
        json_t *value = NULL;
        tac_error ignored;
        if (waitpid(w->process, NULL, WNOHANG) == w->process) {
            w->process = 0;
            return tac_fail(err, TAC_E_DEVICE, "chromedriver ended as soon as it was started");
        }
        bool ready = wd_call(w, "start", "GET", "!/status", NULL, 2, &value, &ignored) == TAC_OK &&
                     json_is_true(json_object_get(value, "ready"));
        json_decref(value);
        if (ready)
            return TAC_OK;
        usleep(20000);
    }
    return tac_fail(err, TAC_E_DEVICE, "chromedriver was not ready within %g s", patience);
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

/* The browser's last processes may still be writing, on a busy machine for seconds. */
static void remove_profile(const char *folder)
{
    double until = tac_now() + 10;
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    while (access(folder, F_OK) == 0 && tac_now() < until) {
        usleep(20000);
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    }
}

static void start_guard(struct webdriver *w)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return;
    w->guard = fork();
    if (w->guard == 0) {
        char byte;
        setsid();
        /* Nothing else is held open: not the ends of other guards either. */
        if (ends[0] > 3)
            close_range(3, (unsigned)ends[0] - 1, 0);
        close_range((unsigned)ends[0] + 1, ~0u, 0);
        while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
            ;
        kill(-w->process, SIGKILL);
        remove_profile(w->profile);
        _exit(0);
    }
    close(ends[0]);
    w->guard_pipe = ends[1];
}

tac_status chromedriver_start(struct webdriver *w, tac_error *err)
{
    if (!tac_process_on_path("chromedriver"))
        return tac_fail(err, TAC_E_MISSING,
                        "chromedriver is not installed; install Debian's packages 'chromium' and "
                        "'chromium-driver'");
    if (!w->capabilities && access(CHROMIUM, X_OK))
        return tac_fail(err, TAC_E_MISSING,
                        "there is no browser %s; install Debian's package 'chromium'", CHROMIUM);
    int port = free_port();
    const char *temporary = getenv("TMPDIR");
    w->profile = tac_format("%s/tactus-browser-XXXXXX", temporary ? temporary : "/tmp");
    if (port < 0 || !mkdtemp(w->profile))
        return tac_fail_errno(err, errno, w->profile, "cannot prepare a browser");
    w->base = tac_format("http://127.0.0.1:%d", port);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    w->process = start_driver(w, port);
    if (w->process < 0) {
        w->process = 0;
        return tac_fail_errno(err, errno, NULL, "cannot start chromedriver");
    }
    setpgid(w->process, w->process);
    start_guard(w);
    return wait_until_ready(w, err);
}

void chromedriver_stop(struct webdriver *w)
{
    if (w->process > 0) {
        /* Killed children of the driver come to us (see chromedriver_start) and are collected. */
        kill(-w->process, SIGKILL);
        while (waitpid(-w->process, NULL, 0) > 0 || errno == EINTR)
            errno = 0;
        w->process = 0;
    }
    if (w->guard > 0) {
        close(w->guard_pipe);
        while (waitpid(w->guard, NULL, 0) < 0 && errno == EINTR)
            ;
        w->guard = 0;
    }
    if (w->profile) /* there is nothing left of it unless the guard was killed */
        remove_profile(w->profile);
    free(w->profile);
    w->profile = NULL;
}

/* utime + stime of one process when it belongs to the group, in clock ticks. */
static unsigned long long ticks_in_group(const char *pid, pid_t group)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    if (size <= 0)
        return 0;
    text[size] = '\0';
    const char *rest = strrchr(text, ')'); /* the name may hold blanks */
    int process_group = 0;
    unsigned long long user = 0, system_time = 0;
    if (!rest || sscanf(rest, ") %*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
                        &process_group, &user, &system_time) != 3)
        return 0;
    return process_group == group ? user + system_time : 0;
}

double chromedriver_cpu_seconds(const struct webdriver *w)
{
    unsigned long long ticks = 0;
    DIR *processes = w->process > 0 ? opendir("/proc") : NULL;
    if (!processes)
        return 0;
    for (struct dirent *entry; (entry = readdir(processes));)
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
            ticks += ticks_in_group(entry->d_name, w->process);
    closedir(processes);
    return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}
