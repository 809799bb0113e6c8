/* Starting a Java program with the agent in it, and talking with the agent.
 *
 * `java` gets the agent as an argument; any other command gets it through JAVA_TOOL_OPTIONS, which
 * every virtual machine reads (and says so on standard error). */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/output.h"
#include "base/keep/scratch.h"
#include "jvm/host/jvm.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef TAC_JVM_AGENT_INSTALLED
#define TAC_JVM_AGENT_INSTALLED ""
#endif

/* Where the agent lies, or NULL; the caller's. */
static char *jvm_agent_path(void)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    const char *named = getenv("TACTUS_JVM_AGENT");
    if (named && *named) /* nothing else is meant */
        return access(named, R_OK) == 0 ? tac_strdup(named) : NULL;
    char *candidates[] = {tac_format("%s/src/jvm/agent/libtactus-jvm.so", self),
                          tac_format("%s/../lib/tactus/libtactus-jvm.so", self),
                          tac_strdup(TAC_JVM_AGENT_INSTALLED)};
    char *found = NULL;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (!found && *candidates[i] && access(candidates[i], R_OK) == 0)
            found = candidates[i];
        else
            free(candidates[i]);
    }
    return found;
}

static tac_status listen_at(const char *path, int *out, tac_error *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return tac_fail(err, TAC_E_LIMIT, "the path '%s' is too long for a socket", path);
    strcpy(address.sun_path, path);
    *out = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*out < 0 || bind(*out, (struct sockaddr *)&address, sizeof address) || listen(*out, 1))
        return tac_fail(err, TAC_E_DEVICE, "cannot listen at '%s': %s", path, strerror(errno));
    return TAC_OK;
}

/* The command's words with the agent among them. */
static char **with_agent(const struct jvm_order *order, const char *agent)
{
    char **words = tac_calloc(order->word_count + 2, sizeof *words);
    size_t n = 0;
    bool java = !strcmp(tac_base_name(order->words[0]), "java");
    for (size_t i = 0; i < order->word_count; i++) {
        words[n++] = tac_strdup(order->words[i]);
        if (i == 0 && java)
            words[n++] = tac_format("-agentpath:%s", agent);
    }
    return words;
}

static _Noreturn void become(char **words, const char *agent, bool java, bool quiet_output)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    if (quiet_output)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    if (!java) {
        char *option = tac_format("-agentpath:%s", agent);
        setenv("JAVA_TOOL_OPTIONS", option, 1);
    }
    execvp(words[0], words);
    dprintf(STDERR_FILENO, "tactus: cannot start '%s': %s\n", words[0], strerror(errno));
    _exit(127);
}

static tac_status launch(const struct jvm_order *order, const char *agent, bool quiet_output,
                         struct jvm_process *p, tac_error *err)
{
    bool java = !strcmp(tac_base_name(order->words[0]), "java");
    char **words = with_agent(order, agent);
    p->pid = fork();
    if (p->pid == 0)
        become(words, agent, java, quiet_output);
    for (size_t i = 0; words[i]; i++)
        free(words[i]);
    free(words);
    return p->pid > 0 ? TAC_OK
                      : tac_fail(err, TAC_E_DEVICE, "cannot start '%s': %s", order->words[0],
                                 strerror(errno));
}

static tac_status prepare(const struct jvm_order *order, struct jvm_process *p, tac_error *err)
{
    tac_str plan = {0};
    tac_status status = tac_scratch_make("jvm", &p->folder, err);
    if (status != TAC_OK)
        return status;
    char *log = tac_format("%s/log", p->folder), *path = tac_format("%s/plan", p->folder);
    char *socket_path = order->link ? tac_format("%s/socket", p->folder) : NULL;
    if (socket_path)
        status = listen_at(socket_path, &p->listening, err);
    if (status == TAC_OK)
        status = tac_output_write_file(log, "", 0, err);
    jvm_plan_write(order, log, socket_path, &plan);
    if (status == TAC_OK)
        status = tac_output_write_file(path, tac_str_text(&plan), plan.length, err);
    if (status == TAC_OK && !raw_reader_open(&p->reader, log))
        status = tac_fail(err, TAC_E_INPUT, "cannot read '%s': %s", log, strerror(errno));
    free(log);
    free(path);
    free(socket_path);
    tac_str_free(&plan);
    return status;
}

tac_status jvm_start(const struct jvm_order *order, bool quiet_output, struct jvm_process *out,
                     tac_error *err)
{
    *out = (struct jvm_process){.listening = -1, .connection = -1, .reader = {.file = -1}};
    char *library = jvm_agent_path();
    const char *named = getenv("TACTUS_JVM_AGENT");
    if (!library && named && *named)
        return tac_fail(err, TAC_E_MISSING, "TACTUS_JVM_AGENT names '%s', which cannot be read: %s",
                        named, strerror(errno));
    if (!library)
        return tac_fail(err, TAC_E_MISSING,
                        "the agent for Java programs, libtactus-jvm.so, is not there: it is built "
                        "where a JDK is found (Debian's package default-jdk-headless); "
                        "TACTUS_JVM_AGENT names one that lies elsewhere");
    tac_status status = prepare(order, out, err);
    if (status == TAC_OK) {
        char *agent = tac_format("%s=%s/plan", library, out->folder);
        status = launch(order, agent, quiet_output, out, err);
        free(agent);
    }
    free(library);
    if (status != TAC_OK)
        jvm_stop(out);
    return status;
}

static bool reap(struct jvm_process *p)
{
    if (!p->ended && p->pid > 0 && waitpid(p->pid, &p->exit_status, WNOHANG) == p->pid)
        p->ended = true;
    return p->ended;
}

bool jvm_wait(struct jvm_process *p, double seconds)
{
    for (double end = tac_now() + seconds; !reap(p) && tac_now() < end;)
        usleep(2000);
    return p->ended;
}

bool jvm_say(struct jvm_process *p, const char *line)
{
    size_t length = strlen(line);
    return p->connection >= 0 &&
           send(p->connection, line, length, MSG_NOSIGNAL) == (ssize_t)length &&
           send(p->connection, "\n", 1, MSG_NOSIGNAL) == 1;
}

static char *next_line(struct jvm_process *p)
{
    const char *text = tac_str_text(&p->line), *end = strchr(text, '\n');
    if (!end)
        return NULL;
    char *line = tac_format("%.*s", (int)(end - text), text);
    tac_str rest = {0};
    tac_str_add(&rest, end + 1);
    tac_str_free(&p->line);
    p->line = rest;
    return line;
}

static void read_more(struct jvm_process *p)
{
    char bytes[4096];
    if (p->connection < 0) {
        p->connection = accept4(p->listening, NULL, NULL, SOCK_CLOEXEC);
        return;
    }
    ssize_t n = recv(p->connection, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n > 0) {
        tac_str_add_bytes(&p->line, bytes, (size_t)n);
    } else if (n == 0) {
        close(p->connection);
        close(p->listening);
        p->connection = p->listening = -1;
    }
}

char *jvm_hear(struct jvm_process *p, double seconds)
{
    char *line = next_line(p);
    for (double end = tac_now() + seconds; !line && p->listening >= 0 && tac_now() < end;) {
        int fd = p->connection >= 0 ? p->connection : p->listening;
        struct pollfd poll_for = {.fd = fd, .events = POLLIN};
        double left = (end - tac_now()) * 1000;
        int wait = left < 20 ? (int)left : 20;
        if (poll(&poll_for, 1, wait > 0 ? wait : 1) > 0)
            read_more(p);
        else if (reap(p))
            break;
        line = next_line(p);
    }
    return line;
}

tac_status jvm_check_attached(const struct jvm_process *p, const char *command, tac_error *err)
{
    const struct raw_header *header = raw_reader_header(&p->reader);
    if (header && atomic_load(&header->attached))
        return TAC_OK;
    if (p->ended && WIFEXITED(p->exit_status) && WEXITSTATUS(p->exit_status) == 127)
        return tac_fail(err, TAC_E_MISSING, "the command '%s' could not be started", command);
    return tac_fail(err, TAC_E_MISSING,
                    "the recorder did not get into a Java virtual machine: '%s' %s; what it said "
                    "stands above. It must be, or start, a JVM that takes -agentpath (HotSpot 8 or "
                    "later)",
                    command, header ? "refused the agent" : "did not load the agent");
}

void jvm_stop(struct jvm_process *p)
{
    if (p->pid > 0 && !reap(p)) {
        kill(p->pid, SIGTERM);
        if (!jvm_wait(p, 2)) {
            kill(p->pid, SIGKILL);
            waitpid(p->pid, &p->exit_status, 0);
            p->ended = true;
        }
    }
    if (p->connection >= 0)
        close(p->connection);
    if (p->listening >= 0)
        close(p->listening);
    raw_reader_close(&p->reader);
    tac_str_free(&p->line);
    tac_scratch_remove(p->folder);
    *p = (struct jvm_process){.listening = -1,
                              .connection = -1,
                              .reader = {.file = -1},
                              .ended = true,
                              .exit_status = p->exit_status};
}
