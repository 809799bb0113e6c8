/* Held mode: top-level callbacks wait at their entry until the program outside names them.
 *
 * A line each way over a local socket. To the outside: "held LABEL", "heldui LABEL", "done LABEL",
 * "posted N". From it: "release LABEL", "free" (from now on nothing waits), "post LOCATOR", "random
 * SEED", "pump". When the other side goes away everything is let go: the program is never left
 * hanging.
 *
 * AWT has one event thread. While a callback waits on it, "pump" makes it dispatch further events,
 * until one of them holds another callback: that one stands above the first on the thread's stack,
 * and the first can go on only after it. */
#include "jvm/agent/agent.h"
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct held {
    const char *label;
    bool released, ui;
    struct held *next;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct held *waiting; /* the newest first; this and what follows under `lock` */
static bool holding;
static bool pump_asked;    /* the innermost callback on the event thread goes on with events */
static uint32_t ui_waited; /* callbacks that have waited on the event thread so far */
static int connection = -1;

static void say(const char *word, const char *label)
{
    struct text line = {0};
    text_addf(&line, "%s ", word);
    text_add(&line, label, strlen(label));
    text_add(&line, "\n", 1);
    if (line.at && connection >= 0)
        (void)!send(connection, line.at, line.count, MSG_NOSIGNAL);
    free(line.at);
}

bool hold_active(void)
{
    pthread_mutex_lock(&lock);
    bool active = holding;
    pthread_mutex_unlock(&lock);
    return active;
}

static bool is_innermost(const struct held *me)
{
    const struct held *h = waiting;
    while (h && !h->ui)
        h = h->next;
    return h == me;
}

/* Events of AWT, until one of them holds a callback or there are none. Called and left locked. */
static void pump(JNIEnv *jni)
{
    uint32_t before = ui_waited;
    bool more = true;
    pump_asked = false;
    for (uint32_t i = 0; i < 1000 && more && holding && ui_waited == before; i++) {
        pthread_mutex_unlock(&lock);
        more = driver_dispatch(jni);
        pthread_mutex_lock(&lock);
    }
}

void hold_wait(JNIEnv *jni, const char *label, bool ui)
{
    struct held me = {.label = label, .ui = ui};
    pthread_mutex_lock(&lock);
    me.next = waiting;
    waiting = &me;
    ui_waited += ui;
    pump_asked = pump_asked && !ui;
    say(ui ? "heldui" : "held", label);
    while (holding && !me.released)
        if (ui && pump_asked && is_innermost(&me))
            pump(jni);
        else
            pthread_cond_wait(&changed, &lock);
    struct held **at = &waiting;
    while (*at != &me)
        at = &(*at)->next;
    *at = me.next;
    pthread_mutex_unlock(&lock);
}

void hold_done(const char *label)
{
    pthread_mutex_lock(&lock);
    say("done", label);
    pthread_mutex_unlock(&lock);
}

static void release(const char *label)
{
    pthread_mutex_lock(&lock);
    for (struct held *h = waiting; h; h = h->next)
        h->released = h->released || !strcmp(h->label, label);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void ask_to_pump(void)
{
    pthread_mutex_lock(&lock);
    pump_asked = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void let_go(void)
{
    pthread_mutex_lock(&lock);
    holding = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void say_posted(int count)
{
    char text[16];
    snprintf(text, sizeof text, "%d", count);
    pthread_mutex_lock(&lock);
    say("posted", text);
    pthread_mutex_unlock(&lock);
}

static void obey(JNIEnv **jni, char *line)
{
    char *argument = strchr(line, ' ');
    if (argument)
        *argument++ = 0;
    if (!strcmp(line, "free"))
        let_go();
    else if (!strcmp(line, "pump"))
        ask_to_pump();
    else if (!strcmp(line, "release") && argument)
        release(argument);
    else if (!argument)
        return;
    else if (!agent.live || /* every request has its answer */
             (!*jni && (*agent.vm)->AttachCurrentThreadAsDaemon(agent.vm, (void **)jni, NULL)) ||
             !awt_runs(*jni))
        say_posted(0);
    else if (!strcmp(line, "post"))
        say_posted(driver_post(*jni, argument));
    else if (!strcmp(line, "random"))
        say_posted(driver_random(*jni, strtoll(argument, NULL, 10)));
}

static void *listen_to(void *unused)
{
    (void)unused;
    char buffer[8192];
    size_t used = 0;
    JNIEnv *jni = NULL;
    for (;;) {
        ssize_t n = recv(connection, buffer + used, sizeof buffer - 1 - used, 0);
        if (n <= 0)
            break;
        used += (size_t)n;
        buffer[used] = 0;
        for (char *end; (end = memchr(buffer, '\n', used));) {
            *end = 0;
            obey(&jni, buffer);
            used -= (size_t)(end + 1 - buffer);
            memmove(buffer, end + 1, used);
        }
        if (used == sizeof buffer - 1)
            used = 0;
    }
    let_go();
    return NULL;
}

bool hold_connect(const char *path, bool hold)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    pthread_t thread;
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    strcpy(address.sun_path, path);
    connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address))
        return false;
    holding = hold;
    return !pthread_create(&thread, NULL, listen_to, NULL) && !pthread_detach(thread);
}
