#include "serve/programs/helper.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILE_AT = 9, FIRST_TEXT = 10, MOST_OUTPUT = 64 << 20 };

static const char *const text_names[MOST_TEXTS] = {"/proc/self/fd/10", "/proc/self/fd/11",
                                                   "/proc/self/fd/12", "/proc/self/fd/13"};

struct helper {
    pid_t pid;
    const char *page;
    bool superseded;
    struct helper *next;
};

struct words words_of(const char *line, const char *flag)
{
    struct words words = {0};
    for (size_t length; *line; line += length + (line[length] == ' ')) {
        length = strcspn(line, " ");
        tac_vec_push(&words.at, tac_strndup(line, length));
    }
    if (flag)
        add_flag(&words, flag);
    return words;
}

void add_word(struct words *words, const char *word)
{
    tac_vec_push(&words->at, tac_strdup(word));
}

void add_flag(struct words *words, const char *name)
{
    tac_vec_push(&words->at, tac_format("--%s", name));
}

void add_option(struct words *words, const char *name, const char *value)
{
    tac_vec_push(&words->at, tac_format("--%s=%s", name, value));
}

const char *add_text(struct words *words, const char *text, size_t size)
{
    assert(words->text_count < MOST_TEXTS);
    int file = memfd_create("tactus", MFD_CLOEXEC);
    for (size_t at = 0; file >= 0 && at < size;) {
        ssize_t put = write(file, text + at, size - at);
        if (put <= 0)
            break;
        at += (size_t)put;
    }
    words->texts[words->text_count] = file;
    return text_names[words->text_count++];
}

void free_words(struct words *words)
{
    for (size_t i = 0; i < words->at.count; i++)
        free(words->at.at[i]);
    tac_vec_free(&words->at);
    for (size_t i = 0; i < words->text_count; i++)
        if (words->texts[i] >= 0)
            close(words->texts[i]);
    words->text_count = 0;
}

void free_helped(struct helped *helped)
{
    free(helped->output);
    free(helped->complaints);
    free(helped->file);
}

/* In the child, between fork and exec: nothing but system calls. */
static _Noreturn void become(const tac_portal *portal, char *const *arguments,
                             const struct words *words, const int ends[3])
{
    static const int numbers[3] = {STDOUT_FILENO, STDERR_FILENO, FILE_AT};
    sigset_t none;
    sigemptyset(&none);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    int nothing = open("/dev/null", O_RDONLY), high[3], texts[MOST_TEXTS];
    /* Above all numbers that are given away below. */
    for (size_t i = 0; i < 3; i++)
        high[i] = fcntl(ends[i], F_DUPFD, 64);
    for (size_t i = 0; i < words->text_count; i++)
        texts[i] = fcntl(words->texts[i], F_DUPFD, 64);
    bool fine = fchdir(portal->root) == 0 && dup2(nothing, STDIN_FILENO) >= 0;
    for (size_t i = 0; i < 3; i++)
        fine = fine && dup2(high[i], numbers[i]) >= 0;
    for (size_t i = 0; i < words->text_count; i++)
        fine = fine && dup2(texts[i], FIRST_TEXT + (int)i) >= 0;
    syscall(SYS_close_range, 3u, (unsigned)FILE_AT - 1, 0u);
    syscall(SYS_close_range, (unsigned)FIRST_TEXT + (unsigned)words->text_count, ~0u, 0u);
    for (int number = 1; number < 32; number++)
        signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (fine)
        execv(portal->program, arguments);
    _exit(127);
}

/* Enters the list of helpers; false when the server ends. Those of the same page are ended. */
static bool enter(tac_portal *portal, struct helper *helper)
{
    pthread_mutex_lock(&portal->lock);
    bool may = !portal->ending;
    for (struct helper *other = portal->helpers; may && other; other = other->next)
        if (helper->page && other->page && !strcmp(helper->page, other->page)) {
            other->superseded = true;
            if (other->pid > 0)
                kill(-other->pid, SIGKILL);
        }
    if (may) {
        helper->next = portal->helpers;
        portal->helpers = helper;
    }
    pthread_mutex_unlock(&portal->lock);
    return may;
}

static void leave(tac_portal *portal, struct helper *helper)
{
    pthread_mutex_lock(&portal->lock);
    struct helper **at = &portal->helpers;
    while (*at != helper)
        at = &(*at)->next;
    *at = helper->next;
    pthread_mutex_unlock(&portal->lock);
}

/* Under the lock, so that whoever ends it knows its number or finds it superseded here. */
static void start_it(tac_portal *portal, struct helper *helper, char *const *arguments,
                     const struct words *words, const int ends[3])
{
    pthread_mutex_lock(&portal->lock);
    helper->pid = helper->superseded ? -1 : fork();
    if (helper->pid == 0)
        become(portal, arguments, words, ends);
    if (helper->pid > 0)
        setpgid(helper->pid, helper->pid);
    pthread_mutex_unlock(&portal->lock);
}

static void drain(struct pollfd *end, tac_str *into)
{
    char buffer[65536];
    ssize_t got = end->revents ? read(end->fd, buffer, sizeof buffer) : 1;
    if (!end->revents)
        return;
    if (got > 0)
        tac_str_add_bytes(into, buffer, (size_t)got);
    else
        end->fd = -1;
}

static void listen_to(const int ends[3], pid_t pid, tac_str texts[3])
{
    struct pollfd watched[3];
    for (size_t i = 0; i < 3; i++)
        watched[i] = (struct pollfd){.fd = ends[i], .events = POLLIN};
    while (watched[0].fd >= 0 || watched[1].fd >= 0 || watched[2].fd >= 0) {
        if (poll(watched, 3, -1) < 0)
            break;
        for (size_t i = 0; i < 3; i++)
            drain(&watched[i], &texts[i]);
        if (texts[0].overflow || texts[2].overflow)
            kill(-pid, SIGKILL);
    }
}

static int wait_for(tac_portal *portal, struct helper *helper)
{
    int state = 0;
    siginfo_t about;
    /* The number stays its own until it is out of the list. */
    while (waitid(P_PID, (id_t)helper->pid, &about, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    leave(portal, helper);
    while (waitpid(helper->pid, &state, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

static char *const *arguments_of(tac_portal *portal, struct words *words)
{
    char **list = tac_calloc(words->at.count + 2, sizeof *list);
    list[0] = portal->program;
    for (size_t i = 0; i < words->at.count; i++)
        list[i + 1] = words->at.at[i];
    return list;
}

static bool open_pipes(int from[3], int to[3])
{
    for (size_t i = 0; i < 3; i++)
        from[i] = to[i] = -1;
    for (size_t i = 0; i < 3; i++) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC))
            return false;
        from[i] = ends[0];
        to[i] = ends[1];
    }
    return true;
}

static void close_all(int ends[3])
{
    for (size_t i = 0; i < 3; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

static void keep(struct helped *out, tac_str texts[3])
{
    out->output_size = texts[0].length;
    out->output = tac_str_take(&texts[0]);
    out->complaints = tac_str_take(&texts[1]);
    out->file_size = texts[2].length;
    out->file = tac_str_take(&texts[2]);
}

tac_status help_request(struct request *request, struct words *words, const char *page,
                        struct helped *out, tac_error *err)
{
    tac_portal *portal = request->portal;
    struct helper helper = {.page = page};
    int from[3], to[3];
    tac_str texts[3] = {{.cap = MOST_OUTPUT}, {.cap = 1 << 16}, {.cap = MOST_OUTPUT}};
    tac_status status = TAC_OK;
    *out = (struct helped){.exit_code = -1, .superseded = true};
    if (!enter(portal, &helper)) {
        keep(out, texts);
        return TAC_OK;
    }
    char *const *arguments = arguments_of(portal, words);
    if (open_pipes(from, to))
        start_it(portal, &helper, arguments, words, to);
    close_all(to);
    if (helper.pid > 0) {
        listen_to(from, helper.pid, texts);
        out->exit_code = wait_for(portal, &helper);
    } else {
        leave(portal, &helper);
        if (!helper.superseded)
            status = tac_fail_errno(err, errno, NULL, "cannot start the program");
    }
    close_all(from);
    free((void *)(uintptr_t)arguments);
    if (status == TAC_OK && (texts[0].overflow || texts[2].overflow))
        status = tac_fail(err, TAC_E_LIMIT, "the answer is longer than %d bytes", MOST_OUTPUT);
    out->superseded = helper.superseded;
    keep(out, texts);
    return status;
}

/* "FILE:LINE:COLUMN: message", as the program writes errors. */
struct complaint {
    char *line; /* owned; the texts are its parts */
    const char *message;
    const char *file; /* "" for the request's own input; NULL: it has no place */
    unsigned long row, column;
};

/* Of the first line of the text. */
static struct complaint complaint_of(const char *text)
{
    struct complaint out = {.line = tac_strndup(text, strcspn(text, "\n"))};
    char *message = !strncmp(out.line, "tactus: ", 8) ? out.line + 8 : out.line;
    for (char *at = strchr(message, ':'); at; at = strchr(at + 1, ':')) {
        int used = 0;
        if (sscanf(at, ":%lu:%n", &out.row, &used) < 1 || !used)
            continue;
        *at = '\0';
        char *rest = at + used;
        if (sscanf(rest, "%lu:%n", &out.column, &used) >= 1 && rest[used - 1] == ':')
            rest += used;
        out.file = !strncmp(message, "/proc/self/fd/", 14) ? "" : message;
        message = rest + strspn(rest, " ");
        break;
    }
    out.message = message + (strncmp(message, "error: ", 7) ? 0 : 7);
    return out;
}

static json_t *complaint_json(const char *text)
{
    struct complaint complaint = complaint_of(text);
    json_t *error = json_object();
    if (complaint.file)
        json_object_set_new(error, "place",
                            json_pack("{s:o,s:I,s:I}", "file", tac_json_string(complaint.file),
                                      "line", (json_int_t)complaint.row, "column",
                                      (json_int_t)complaint.column));
    json_object_set_new(error, "message", tac_json_string(complaint.message));
    free(complaint.line);
    return error;
}

/* Every line that names a place. */
static json_t *problems_json(const char *text)
{
    json_t *list = json_array();
    for (const char *line = text; *line;) {
        struct complaint complaint = complaint_of(line);
        if (complaint.file)
            json_array_append_new(list,
                                  json_pack("{s:I,s:I,s:o}", "line", (json_int_t)complaint.row,
                                            "column", (json_int_t)complaint.column, "message",
                                            tac_json_string(complaint.message)));
        free(complaint.line);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return list;
}

void answer_complaint(struct request *request, const struct helped *helped)
{
    if (helped->superseded) {
        answer_json(request, MHD_HTTP_CONFLICT,
                    json_pack("{s:{s:s},s:b}", "error", "message",
                              "a newer request took the place of this one", "superseded", 1));
        return;
    }
    json_t *error = complaint_json(*helped->complaints ? helped->complaints
                                                       : "the program ended without a word");
    answer_json(request, MHD_HTTP_UNPROCESSABLE_CONTENT,
                json_pack("{s:o,s:o,s:i,s:o}", "error", error, "problems",
                          problems_json(helped->complaints), "exit", helped->exit_code, "log",
                          tac_json_string(helped->complaints)));
}

bool help_answers(struct request *request, struct words *words, const char *page, bool verdicts,
                  struct helped *out)
{
    tac_error err;
    tac_status status = help_request(request, words, page, out, &err);
    bool answers = !out->exit_code || (verdicts && (out->exit_code == 1 || out->exit_code == 3));
    if (status != TAC_OK)
        answer_failure(request, &err);
    else if (!answers)
        answer_complaint(request, out);
    return status == TAC_OK && answers;
}

json_t *help_document(struct request *request, struct words *words, const char *page,
                      struct helped *out)
{
    tac_json told = {0};
    json_t *document = NULL;
    if (!help_answers(request, words, page, true, out))
        return NULL;
    if (tac_json_parse("output", out->output, out->output_size, &told, NULL) == TAC_OK) {
        document = json_incref(told.root);
        json_object_set_new(document, "exit", json_integer(out->exit_code));
    } else {
        answer_complaint(request, out);
    }
    tac_json_free(&told);
    return document;
}

void answer_helped(struct request *request, struct words *words, const char *page)
{
    struct helped helped;
    json_t *document = help_document(request, words, page, &helped);
    if (document)
        answer_json(request, MHD_HTTP_OK, document);
    free_helped(&helped);
}

void helpers_cancel_all(tac_portal *portal)
{
    pthread_mutex_lock(&portal->lock);
    for (struct helper *helper = portal->helpers; helper; helper = helper->next) {
        helper->superseded = true;
        if (helper->pid > 0)
            kill(-helper->pid, SIGKILL);
    }
    pthread_mutex_unlock(&portal->lock);
}
