/* Starting a job and asking it to stop.
 *
 * server -> (gone at once) -> keeper -> program. The keeper has a session of its own, so that no
 * terminal and no end of the server reaches it. Between fork and its end it makes system calls and
 * nothing else, because the server has other threads. */
#include "base/data/alloc.h"
#include "serve/jobs/jobs.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Numbers that the keeper has its files under. */
enum { AT_FOLDER = 3, AT_ROOT, AT_OUTPUT, AT_LOG, AT_TELL, FIRST_FREE };

/* --- in the keeper: system calls alone --- */

static char *put_number(char *at, unsigned long long number)
{
    char digits[24];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count)
        *at++ = digits[--count];
    return at;
}

/* As start_of in jobs.c, without the standard library. */
static unsigned long long started(pid_t pid)
{
    char path[40] = "/proc/", text[1024], *end = put_number(path + 6, (unsigned long long)pid);
    memcpy(end, "/stat", 6);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    const char *at = got > 0 ? memrchr(text, ')', (size_t)got) : NULL;
    const char *last = text + (got > 0 ? got : 0);
    for (unsigned fields = 0; at && fields < 20; fields++) {
        at = memchr(at, ' ', (size_t)(last - at));
        at = at ? at + 1 : NULL;
    }
    unsigned long long start = 0;
    for (; at && at < last && *at >= '0' && *at <= '9'; at++)
        start = start * 10 + (unsigned long long)(*at - '0');
    return start;
}

/* Appears whole or not at all. */
static void write_note(const char *hidden, const char *name, const char *text, size_t size)
{
    int file = openat(AT_FOLDER, hidden, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool fine = file >= 0 && write(file, text, size) == (ssize_t)size;
    if (file >= 0)
        fine = !fsync(file) && !close(file) && fine;
    if (fine)
        renameat(AT_FOLDER, hidden, AT_FOLDER, name);
}

static void note_processes(pid_t program)
{
    char text[128], *at = text;
    pid_t self = getpid();
    at = put_number(at, (unsigned long long)self);
    *at++ = ' ';
    at = put_number(at, started(self));
    *at++ = ' ';
    at = put_number(at, (unsigned long long)program);
    *at++ = ' ';
    at = put_number(at, started(program));
    *at++ = '\n';
    write_note(".process", "process", text, (size_t)(at - text));
}

static void note_end(int state)
{
    char text[64], *at = text;
    const char *word = WIFEXITED(state) ? "code " : "signal ";
    memcpy(at, word, strlen(word));
    at = put_number(at + strlen(word),
                    (unsigned long long)(WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state)));
    *at++ = '\n';
    write_note(".exit", "exit", text, (size_t)(at - text));
}

static _Noreturn void be_program(const char *program, char *const *arguments)
{
    int nothing = open("/dev/null", O_RDONLY);
    bool fine = !fchdir(AT_ROOT) && dup2(nothing, 0) >= 0 && dup2(AT_OUTPUT, 1) >= 0 &&
                dup2(AT_LOG, 2) >= 0;
    syscall(SYS_close_range, 3u, ~0u, 0u);
    if (fine)
        execv(program, arguments);
    _exit(127);
}

static _Noreturn void be_keeper(const char *program, char *const *arguments, const int files[5])
{
    sigset_t none;
    int state = 0, high[5];
    sigemptyset(&none);
    for (int i = 0; i < 5; i++)
        high[i] = fcntl(files[i], F_DUPFD, 64);
    for (int i = 0; i < 5; i++)
        dup2(high[i], AT_FOLDER + i);
    syscall(SYS_close_range, (unsigned)FIRST_FREE, ~0u, 0u);
    for (int number = 1; number < 32; number++)
        signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_NAME, "tactus-keeper");
    /* Its standard files are the server's; nobody has to wait for it to close them. */
    int nothing = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; i++)
        dup2(nothing, i);
    close(nothing);
    pid_t child = fork();
    if (child == 0)
        be_program(program, arguments);
    if (child > 0)
        note_processes(child);
    close(AT_TELL); /* whoever started the job may go on */
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        ;
    note_end(child > 0 ? state : 127 << 8);
    _exit(0);
}

/* --- in the server --- */

static void launch(tac_portal *portal, char *const *arguments, const int files[5])
{
    pid_t between = fork();
    if (between == 0) {
        setsid();
        if (fork() == 0)
            be_keeper(portal->program, arguments, files);
        _exit(0);
    }
    int state;
    while (between > 0 && waitpid(between, &state, 0) < 0 && errno == EINTR)
        ;
}

static bool write_about(int folder, const json_t *about)
{
    char *text = tac_json_text(about, JSON_INDENT(1));
    int file = openat(folder, ".job", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool fine = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        fine = !fsync(file) && !close(file) && fine;
    fine = fine && !renameat(folder, ".job", folder, "job.json");
    free(text);
    return fine;
}

static void add_boot(json_t *about)
{
    char boot[64] = "";
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? 0 : read(file, boot, sizeof boot - 1);
    if (file >= 0)
        close(file);
    boot[got > 0 ? got : 0] = '\0';
    json_object_set_new(about, "boot", json_string(boot));
}

static char **arguments_of(const tac_portal *portal, const json_t *about)
{
    const json_t *words = json_object_get(about, "words");
    size_t count = json_array_size(words);
    char **list = tac_calloc(count + 2, sizeof *list);
    list[0] = portal->program;
    for (size_t i = 0; i < count; i++) {
        const char *word = json_string_value(json_array_get(words, i));
        list[i + 1] = (char *)(uintptr_t)(word ? word : "");
    }
    return list;
}

tac_status job_start(tac_portal *portal, const char *id, json_t *about, tac_error *err)
{
    const int create = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
    int folder = job_folder(portal, id, true), tell[2] = {-1, -1};
    add_boot(about);
    if (folder < 0 || !write_about(folder, about)) {
        int failure = errno;
        if (folder >= 0)
            close(folder);
        return tac_fail_errno(err, failure, ".tactus/jobs", "cannot be written");
    }
    unlinkat(folder, "exit", 0);
    unlinkat(folder, "stop", 0);
    unlinkat(folder, "process", 0);
    int output = openat(folder, "output", create | O_TRUNC, 0666);
    int log = openat(folder, "log", create, 0666);
    tac_status status = TAC_OK;
    if (output < 0 || log < 0 || pipe2(tell, O_CLOEXEC)) {
        status = tac_fail_errno(err, errno, ".tactus/jobs", "cannot be written");
    } else {
        char **arguments = arguments_of(portal, about);
        char end;
        launch(portal, arguments, (int[]){folder, portal->root, output, log, tell[1]});
        close(tell[1]);
        while (read(tell[0], &end, 1) < 0 && errno == EINTR)
            ;
        close(tell[0]);
        free(arguments);
    }
    if (output >= 0)
        close(output);
    if (log >= 0)
        close(log);
    close(folder);
    return status;
}

bool job_stop(tac_portal *portal, const struct job *job)
{
    int folder = job_folder(portal, job->id, false);
    if (folder < 0 || !job_is_running(job) || !job->program) {
        if (folder >= 0)
            close(folder);
        return false;
    }
    int file = openat(folder, "stop", O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0)
        close(file);
    close(folder);
    return !kill(job->program, SIGTERM);
}
