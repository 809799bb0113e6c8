/* Held mode: top-level callbacks wait at their entry until the program outside names them.
 *
 * A line each way over a local socket. To the outside: "held LABEL", "done LABEL", "posted N". From
 * it: "release LABEL", "free" (from now on nothing waits), "post LOCATOR", "random SEED". When the
 * other side goes away everything is let go: the program is never left hanging. */
#include "jvm/agent/agent.h"
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct held {
    const char *label;
    bool released;
    struct held *next;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct held *waiting; /* both under `lock` */
static bool holding;
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

void hold_wait(JNIEnv *jni, const char *label)
{
    (void)jni;
    struct held me = {.label = label};
    pthread_mutex_lock(&lock);
    me.next = waiting;
    waiting = &me;
    say("held", label);
    while (holding && !me.released)
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
    else if (!strcmp(line, "release") && argument)
        release(argument);
    else if (!agent.live || !argument)
        return;
    else if (!*jni && (*agent.vm)->AttachCurrentThreadAsDaemon(agent.vm, (void **)jni, NULL))
        return;
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
