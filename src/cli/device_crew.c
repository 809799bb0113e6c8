/* See device_crew.h. Browsers are opened side by side, each by a thread of its own. A driver ends
 * with the thread that has started it (PR_SET_PDEATHSIG), so these threads live until the crew is
 * closed. */
#include "cli/device_crew.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <pthread.h>
#include <string.h>

struct crew_member {
    struct device_crew *crew;
    pthread_t thread;
    bool threaded;
    tac_device *device;
    tac_status status;
    tac_error err;
};

struct device_crew {
    const char *uri;
    const tac_device_options *options;
    struct crew_member *members;
    size_t count, opening;
    bool over;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static void *serve_member(void *context)
{
    struct crew_member *member = context;
    struct device_crew *crew = member->crew;
    tac_device *device = NULL;
    tac_status status = tac_device_open(crew->uri, crew->options, &device, &member->err);
    pthread_mutex_lock(&crew->lock);
    member->device = device;
    member->status = status;
    assert(crew->opening > 0);
    crew->opening--;
    pthread_cond_broadcast(&crew->changed);
    while (!crew->over)
        pthread_cond_wait(&crew->changed, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* Other devices are quick to open, and not made for that. */
static bool is_browser(const char *uri)
{
    return !strncmp(uri, "chromium:", 9) || !strncmp(uri, "http:", 5) || !strncmp(uri, "https:", 6);
}

static void begin(struct device_crew *crew, struct crew_member *member)
{
    member->crew = crew;
    pthread_mutex_lock(&crew->lock);
    crew->opening++;
    pthread_mutex_unlock(&crew->lock);
    member->threaded = pthread_create(&member->thread, NULL, serve_member, member) == 0;
    if (member->threaded)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->opening--;
    pthread_mutex_unlock(&crew->lock);
    member->status = tac_device_open(crew->uri, crew->options, &member->device, &member->err);
}

tac_status device_crew_open(const char *uri, const tac_device_options *options, size_t count,
                            struct device_crew **out, tac_error *err)
{
    struct device_crew *crew = tac_calloc(1, sizeof *crew);
    *crew = (struct device_crew){.uri = uri, .options = options, .count = count};
    crew->members = tac_calloc(count, sizeof *crew->members);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->changed, NULL);
    bool at_once = is_browser(uri);
    tac_status status = TAC_OK;
    for (size_t i = 1; at_once && i < count; i++)
        begin(crew, &crew->members[i]);
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        struct crew_member *member = &crew->members[i];
        if (i == 0 || !at_once)
            status = member->status = tac_device_open(uri, options, &member->device, &member->err);
    }
    pthread_mutex_lock(&crew->lock);
    while (crew->opening > 0)
        pthread_cond_wait(&crew->changed, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
    for (size_t i = count; i-- > 0;)
        if (crew->members[i].status != TAC_OK) {
            status = crew->members[i].status;
            if (err)
                *err = crew->members[i].err;
        }
    if (status != TAC_OK) {
        device_crew_close(crew);
        crew = NULL;
    }
    *out = crew;
    return status;
}

tac_device *device_crew_at(const struct device_crew *crew, size_t index)
{
    assert(index < crew->count);
    return crew->members[index].device;
}

void device_crew_close(struct device_crew *crew)
{
    if (!crew)
        return;
    for (size_t i = 0; i < crew->count; i++)
        tac_device_free(crew->members[i].device);
    pthread_mutex_lock(&crew->lock);
    crew->over = true;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
    for (size_t i = 0; i < crew->count; i++)
        if (crew->members[i].threaded)
            pthread_join(crew->members[i].thread, NULL);
    pthread_cond_destroy(&crew->changed);
    pthread_mutex_destroy(&crew->lock);
    free(crew->members);
    free(crew);
}
