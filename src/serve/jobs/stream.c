#include "serve/jobs/stream.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "serve/http/exchange.h"
#include "serve/jobs/live.h"
#include "serve/programs/campaign.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MOST_STREAMS = 24,
    BEAT_MS = 15000,
    CALM_MS = 150,
    MOST_CALM_MS = 10000,
    MOST_LOG = 64 << 10,
    MOST_WAITING = 256 << 10 /* bytes not handed over beyond which views are left out */
};

struct job_stream {
    tac_portal *portal;
    struct MHD_Connection *connection;
    char id[JOB_ID];
    int wake; /* eventfd: look again, it may be over */
    pthread_mutex_t lock;
    tac_str text;    /* not handed over yet */
    size_t handed;   /* of it */
    bool suspended;  /* the connection waits for text */
    bool over;       /* nothing more comes */
    bool gone;       /* the connection has ended */
    unsigned owners; /* the thread and the response */
    struct job_stream *next;
    /* Of the thread alone. */
    tac_u64map told;
    off_t log_end;
    int calm; /* milliseconds to let changes gather: long where looking takes long */
    char *last_state, *last_progress, *last_live;
};

/* --- the two ends --- */

static void let_go(struct job_stream *stream)
{
    tac_portal *portal = stream->portal;
    pthread_mutex_lock(&portal->lock);
    bool last = --stream->owners == 0;
    struct job_stream **at = &portal->streams;
    while (last && *at && *at != stream)
        at = &(*at)->next;
    if (last && *at) {
        *at = stream->next;
        portal->stream_count--;
    }
    pthread_mutex_unlock(&portal->lock);
    if (!last)
        return;
    close(stream->wake);
    tac_str_free(&stream->text);
    tac_u64map_free(&stream->told);
    free(stream->last_state);
    free(stream->last_progress);
    free(stream->last_live);
    pthread_mutex_destroy(&stream->lock);
    free(stream);
}

static void wake(struct job_stream *stream)
{
    uint64_t one = 1;
    ssize_t put = write(stream->wake, &one, sizeof one);
    (void)put;
}

/* The server asks for more: what there is, or the connection sleeps. */
static ssize_t hand_over(void *context, uint64_t position, char *buffer, size_t most)
{
    struct job_stream *stream = context;
    (void)position;
    pthread_mutex_lock(&stream->lock);
    size_t left = stream->text.length - stream->handed;
    size_t count = left < most ? left : most;
    ssize_t result = (ssize_t)count;
    if (count) {
        memcpy(buffer, stream->text.text + stream->handed, count);
        stream->handed += count;
        if (stream->handed == stream->text.length) {
            tac_str_clear(&stream->text);
            stream->handed = 0;
        }
    } else if (stream->over) {
        result = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        mhd.suspend_connection(stream->connection);
        stream->suspended = true;
    }
    pthread_mutex_unlock(&stream->lock);
    return result;
}

static void connection_gone(void *context)
{
    struct job_stream *stream = context;
    pthread_mutex_lock(&stream->lock);
    stream->gone = true;
    stream->suspended = false;
    pthread_mutex_unlock(&stream->lock);
    wake(stream);
    let_go(stream);
}

static void rouse(struct job_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    if (stream->suspended) {
        stream->suspended = false;
        mhd.resume_connection(stream->connection);
    }
    pthread_mutex_unlock(&stream->lock);
}

/* Takes the reference. */
static void tell(struct job_stream *stream, const char *event, json_t *document)
{
    char *text = tac_json_text(document, JSON_COMPACT);
    json_decref(document);
    pthread_mutex_lock(&stream->lock);
    tac_str_addf(&stream->text, "event: %s\ndata: %s\n\n", event, text);
    pthread_mutex_unlock(&stream->lock);
    free(text);
}

/* --- what is new --- */

static bool is_new(char **last, const char *text)
{
    if (*last && !strcmp(*last, text))
        return false;
    free(*last);
    *last = tac_strdup(text);
    return true;
}

static void tell_runs(struct job_stream *stream, const struct job *job)
{
    const char *campaign = job_campaign(job);
    json_t *rows = campaign ? campaign_rows(stream->portal, campaign, &stream->told, NULL) : NULL;
    json_t *row;
    size_t index;
    json_array_foreach(rows, index, row)
    {
        tell(stream, "run", json_incref(row));
    }
    json_decref(rows);
    json_t *progress = job_progress(stream->portal, job);
    if (progress) {
        char *text = tac_json_text(progress, JSON_COMPACT);
        if (is_new(&stream->last_progress, text))
            tell(stream, "progress", json_incref(progress));
        free(text);
        json_decref(progress);
    }
}

/* Views that nobody has fetched are left out: only the newest matters. */
static void tell_live(struct job_stream *stream, const struct job *job)
{
    pthread_mutex_lock(&stream->lock);
    bool behind = stream->text.length - stream->handed > MOST_WAITING;
    pthread_mutex_unlock(&stream->lock);
    json_t *views = behind ? NULL : live_views(stream->portal, job);
    if (views && json_array_size(views)) {
        char *text = tac_json_text(views, JSON_COMPACT);
        if (is_new(&stream->last_live, text))
            tell(stream, "live", json_pack("{s:O}", "views", views));
        free(text);
    }
    json_decref(views);
}

static void tell_log(struct job_stream *stream)
{
    off_t end;
    char *text = job_text(stream->portal, stream->id, "log", stream->log_end, MOST_LOG, &end);
    if (end > stream->log_end && *text)
        tell(stream, "log", json_pack("{s:o}", "text", tac_json_string(text)));
    stream->log_end = end;
    free(text);
}

/* Writes what is new; false when the job has ended, or is not there any more. */
static bool look(struct job_stream *stream, struct job *job)
{
    char state[] = "0";
    if (!job_load(stream->portal, stream->id, job))
        return false;
    state[0] = (char)('0' + job->state);
    bool running = job_is_running(job);
    if (running && is_new(&stream->last_state, state))
        tell(stream, "state", job_json(stream->portal, job, true));
    tell_runs(stream, job);
    tell_log(stream);
    if (running)
        tell_live(stream, job);
    if (!running)
        tell(stream, "state", job_json(stream->portal, job, true));
    return running;
}

/* --- the thread --- */

struct sources {
    int notices;        /* inotify */
    int processes[2];   /* pidfd of the keeper and the program */
    bool campaign_seen; /* its folder is watched */
    bool live_seen;     /* the folder of what is live is watched */
};

static void watch_folder(struct sources *sources, const struct job_stream *stream,
                         const char *format, const char *name)
{
    char *inner = tac_format(format, name);
    char *path = tac_format("%s/%s", stream->portal->folder, inner);
    int watch = inotify_add_watch(sources->notices, path,
                                  IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF |
                                      IN_DONT_FOLLOW | IN_ONLYDIR);
    if (watch >= 0 && !strcmp(format, "%s"))
        sources->campaign_seen = true;
    if (watch >= 0 && !strcmp(format, "%s/live"))
        sources->live_seen = true;
    free(path);
    free(inner);
}

static void watch_job(struct sources *sources, const struct job_stream *stream,
                      const struct job *job)
{
    const pid_t pids[2] = {job->keeper, job->program};
    for (int i = 0; i < 2; i++)
        if (sources->processes[i] < 0 && pids[i] > 0)
            sources->processes[i] = (int)syscall(SYS_pidfd_open, pids[i], 0);
    if (!sources->campaign_seen && job_campaign(job))
        watch_folder(sources, stream, "%s", job_campaign(job));
    if (!sources->live_seen && job_campaign(job))
        watch_folder(sources, stream, "%s/live", job_campaign(job));
}

/* Sleeps until there may be something new; false when nobody looks any more. */
static bool wait_for_news(struct job_stream *stream, struct sources *sources, bool *beat)
{
    char notices[4096];
    uint64_t count;
    struct pollfd watched[4] = {{.fd = stream->wake, .events = POLLIN},
                                {.fd = sources->notices, .events = POLLIN},
                                {.fd = sources->processes[0], .events = POLLIN},
                                {.fd = sources->processes[1], .events = POLLIN}};
    int ready = poll(watched, 4, BEAT_MS);
    *beat = ready == 0;
    for (int i = 0; i < 2; i++)
        if (watched[2 + i].revents) { /* it has ended: told once */
            close(sources->processes[i]);
            sources->processes[i] = -1;
        }
    if (watched[1].revents) {
        /* Changes come in crowds. */
        poll(watched, 1, stream->calm);
        while (read(sources->notices, notices, sizeof notices) > 0)
            ;
    }
    if (watched[0].revents)
        while (read(stream->wake, &count, sizeof count) < 0 && errno == EINTR)
            ;
    pthread_mutex_lock(&stream->lock);
    bool wanted = !stream->gone && !stream->over;
    pthread_mutex_unlock(&stream->lock);
    return wanted;
}

static void follow(struct job_stream *stream, struct sources *sources)
{
    struct job job;
    bool beat = false;
    watch_folder(sources, stream, ".tactus/jobs/%s", stream->id);
    for (bool running = true; running;) {
        double begun = tac_now();
        running = look(stream, &job);
        double wanted = (tac_now() - begun) * 10 * 1000; /* a tenth of the time at most */
        stream->calm = wanted < CALM_MS        ? CALM_MS
                       : wanted > MOST_CALM_MS ? MOST_CALM_MS
                                               : (int)wanted;
        if (job.about)
            watch_job(sources, stream, &job);
        job_free(&job);
        if (beat) {
            pthread_mutex_lock(&stream->lock);
            tac_str_add(&stream->text, ": still here\n\n");
            pthread_mutex_unlock(&stream->lock);
        }
        rouse(stream);
        if (running && !wait_for_news(stream, sources, &beat))
            break;
    }
}

static void *follow_job(void *context)
{
    struct job_stream *stream = context;
    tac_portal *portal = stream->portal;
    struct sources sources = {.notices = inotify_init1(IN_CLOEXEC | IN_NONBLOCK),
                              .processes = {-1, -1}};
    follow(stream, &sources);
    pthread_mutex_lock(&stream->lock);
    stream->over = true;
    pthread_mutex_unlock(&stream->lock);
    rouse(stream);
    for (int i = 0; i < 2; i++)
        if (sources.processes[i] >= 0)
            close(sources.processes[i]);
    if (sources.notices >= 0)
        close(sources.notices);
    let_go(stream);
    exchange_end_work(portal);
    return NULL;
}

static bool enter_streams(tac_portal *portal, struct job_stream *stream)
{
    pthread_mutex_lock(&portal->lock);
    bool may = !portal->ending && portal->stream_count < MOST_STREAMS;
    if (may) {
        portal->stream_count++;
        stream->next = portal->streams;
        portal->streams = stream;
    }
    pthread_mutex_unlock(&portal->lock);
    return may;
}

void stream_job(struct request *request)
{
    struct job job;
    pthread_t thread;
    pthread_attr_t detached;
    if (!job_load(request->portal, request->id, &job)) {
        answer_error(request, MHD_HTTP_NOT_FOUND, "there is no job '%s'", request->id);
        return;
    }
    struct job_stream *stream = tac_calloc(1, sizeof *stream);
    stream->portal = request->portal;
    stream->connection = request->connection;
    stream->owners = 1;
    stream->wake = eventfd(0, EFD_CLOEXEC);
    memcpy(stream->id, job.id, sizeof stream->id);
    pthread_mutex_init(&stream->lock, NULL);
    job_free(&job);
    if (!enter_streams(request->portal, stream) || !exchange_begin_work(request->portal)) {
        answer_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "too many streams are open");
        let_go(stream);
        return;
    }
    stream->owners = 2;
    request->response = mhd.create_response_from_callback(MHD_SIZE_UNKNOWN, 16 << 10, hand_over,
                                                          stream, connection_gone);
    request->status = MHD_HTTP_OK;
    request->type = "text/event-stream; charset=utf-8";
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &detached, follow_job, stream)) {
        stream->over = true;
        let_go(stream);
        exchange_end_work(request->portal);
    }
    pthread_attr_destroy(&detached);
}

void streams_close_all(tac_portal *portal)
{
    pthread_mutex_lock(&portal->lock);
    for (struct job_stream *stream = portal->streams; stream; stream = stream->next) {
        pthread_mutex_lock(&stream->lock);
        stream->over = true;
        pthread_mutex_unlock(&stream->lock);
        wake(stream);
    }
    pthread_mutex_unlock(&portal->lock);
}
