/* Jobs over HTTP: listed, started, stopped, resumed. */
#include "serve/jobs/jobs.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "serve/api/routes.h"
#include "serve/folder/beneath.h"
#include "serve/jobs/stream.h"
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { MOST_RUNNING = 16 };

/* Ids sort by time. */
static void make_id(char id[JOB_ID])
{
    unsigned random = 0;
    struct timespec time;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &time);
    gmtime_r(&time.tv_sec, &parts);
    if (getrandom(&random, sizeof random, 0) < 0)
        random = (unsigned)time.tv_nsec;
    size_t used = strftime(id, JOB_ID, "%Y%m%d-%H%M%S-", &parts);
    snprintf(id + used, JOB_ID - used, "%03ld-%06x", time.tv_nsec / 1000000, random & 0xffffff);
}

struct census {
    unsigned running;
    const char *output;
    bool taken; /* a running job writes that */
};

static bool count_job(void *context, const struct job *job)
{
    struct census *census = context;
    const char *output = json_string_value(json_object_get(job->about, "output"));
    if (job_is_running(job)) {
        census->running++;
        census->taken |= census->output && output && !strcmp(census->output, output);
    }
    return true;
}

/* May another job start that writes this? False after an answer. */
static bool may_start(struct request *request, const json_t *about)
{
    struct census census = {.output = json_string_value(json_object_get(about, "output"))};
    jobs_each(request->portal, count_job, &census);
    if (census.taken)
        answer_error(request, MHD_HTTP_CONFLICT, "a running job writes '%s' already",
                     census.output);
    else if (census.running >= MOST_RUNNING)
        answer_error(request, MHD_HTTP_CONFLICT, "%u jobs are running already; stop one first",
                     census.running);
    return !request->status;
}

static void answer_job(struct request *request, unsigned status, const char *id)
{
    struct job job;
    if (!job_load(request->portal, id, &job)) {
        answer_error(request, MHD_HTTP_NOT_FOUND, "there is no job '%s'", id);
        return;
    }
    answer_json(request, status, job_json(request->portal, &job, true));
    job_free(&job);
}

void post_jobs(struct request *request)
{
    char id[JOB_ID];
    tac_error err;
    json_t *about = job_describe(request, request->json.root);
    if (!about)
        return;
    pthread_mutex_lock(&request->portal->saving); /* two at once may not write the same */
    if (may_start(request, about)) {
        make_id(id);
        json_object_set_new(about, "started", json_real((double)tac_clock(CLOCK_REALTIME) / 1e9));
        if (job_start(request->portal, id, about, &err) != TAC_OK)
            answer_failure(request, &err);
        else
            answer_job(request, MHD_HTTP_CREATED, id);
    }
    pthread_mutex_unlock(&request->portal->saving);
    json_decref(about);
}

struct job_list {
    tac_portal *portal;
    json_t *list;
};

static bool add_job(void *context, const struct job *job)
{
    struct job_list *list = context;
    json_array_append_new(list->list, job_json(list->portal, job, false));
    return json_array_size(list->list) < 200;
}

void get_jobs(struct request *request)
{
    struct job_list list = {.portal = request->portal, .list = json_array()};
    jobs_each(request->portal, add_job, &list);
    answer_json(request, MHD_HTTP_OK, json_pack("{s:o}", "jobs", list.list));
}

void get_job(struct request *request)
{
    answer_job(request, MHD_HTTP_OK, request->id);
}

void post_job_stop(struct request *request)
{
    struct job job;
    if (!job_load(request->portal, request->id, &job)) {
        answer_error(request, MHD_HTTP_NOT_FOUND, "there is no job '%s'", request->id);
        return;
    }
    if (job_stop(request->portal, &job))
        answer_job(request, MHD_HTTP_OK, request->id);
    else
        answer_error(request, MHD_HTTP_CONFLICT, "the job does not run");
    job_free(&job);
}

/* An exploration goes on from its checkpoint; campaigns and searches by the same command. */
static void add_checkpoint(tac_portal *portal, json_t *about)
{
    const char *kind = json_string_value(json_object_get(about, "kind"));
    const char *output = json_string_value(json_object_get(about, "output"));
    json_t *words = json_object_get(about, "words");
    if (!kind || !output || strcmp(kind, "explore"))
        return;
    char *checkpoint = tac_format("%s.checkpoint", output);
    char *word = tac_format("--resume=%s", checkpoint);
    const char *last = json_string_value(json_array_get(words, json_array_size(words) - 1));
    bool has = last && !strcmp(last, word), there = exists_beneath(portal->root, checkpoint);
    if (there && !has)
        json_array_append_new(words, tac_json_string(word));
    else if (!there && has)
        json_array_remove(words, json_array_size(words) - 1);
    free(word);
    free(checkpoint);
}

/* What is in job.json may have come with the folder from anywhere: its words are not run, those of
 * what was asked for are made anew. */
static void resume(struct request *request, const struct job *job)
{
    tac_error err;
    json_t *asked = json_object_get(job->about, "asked");
    if (!asked) {
        answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT,
                     "the job does not say what was asked for, as those of earlier versions: start "
                     "it anew");
        return;
    }
    json_t *about = job_describe(request, asked);
    if (about && may_start(request, about)) {
        json_t *started = json_object_get(job->about, "started");
        json_object_set_new(about, "started",
                            json_is_number(started)
                                ? json_incref(started)
                                : json_real((double)tac_clock(CLOCK_REALTIME) / 1e9));
        add_checkpoint(request->portal, about);
        if (job_start(request->portal, job->id, about, &err) != TAC_OK)
            answer_failure(request, &err);
        else
            answer_job(request, MHD_HTTP_CREATED, job->id);
    }
    json_decref(about);
}

void post_job_resume(struct request *request)
{
    struct job job;
    pthread_mutex_lock(&request->portal->saving);
    if (!job_load(request->portal, request->id, &job)) {
        answer_error(request, MHD_HTTP_NOT_FOUND, "there is no job '%s'", request->id);
    } else {
        if (job_is_running(&job) || job.state == JOB_DONE)
            answer_error(request, MHD_HTTP_CONFLICT, "the job %s",
                         job.state == JOB_DONE ? "is done" : "is running");
        else
            resume(request, &job);
        job_free(&job);
    }
    pthread_mutex_unlock(&request->portal->saving);
}

void get_job_events(struct request *request)
{
    stream_job(request);
}
