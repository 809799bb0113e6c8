#include "serve/jobs/jobs.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/vec.h"
#include "serve/folder/beneath.h"
#include "serve/programs/campaign.h"
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TAIL = 16 << 10, MOST_RESULT = 1 << 20, MOST_SMALL = 4096 };

static bool id_is_fine(const char *id)
{
    size_t length = id ? strlen(id) : 0;
    if (!length || length >= JOB_ID)
        return false;
    for (const char *at = id; *at; at++)
        if (!isdigit((unsigned char)*at) && !islower((unsigned char)*at) && *at != '-')
            return false;
    return true;
}

static int enter(int folder, const char *name, bool make)
{
    if (folder < 0)
        return -1;
    if (make)
        mkdirat(folder, name, 0777);
    return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* What is kept there is of this machine and this moment: not for a repository. */
static void hide_from_git(int folder)
{
    int file =
        openat(folder, ".gitignore", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    ssize_t put = write(file, "*\n", 2);
    (void)put;
    close(file);
}

int job_folder(tac_portal *portal, const char *id, bool make)
{
    if (id && !id_is_fine(id))
        return -1;
    int own = enter(portal->root, ".tactus", make);
    if (own >= 0 && make)
        hide_from_git(own);
    int jobs = enter(own, "jobs", make);
    int job = id ? enter(jobs, id, make) : jobs;
    if (own >= 0)
        close(own);
    if (id && jobs >= 0)
        close(jobs);
    return job;
}

/* --- reading a job --- */

/* A small file of the job; false when it is not there. */
static bool read_small(int folder, const char *name, char text[MOST_SMALL], double *modified)
{
    struct stat about;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t got = fstat(file, &about) ? -1 : read(file, text, MOST_SMALL - 1);
    close(file);
    if (got < 0)
        return false;
    text[got] = '\0';
    if (modified)
        *modified = (double)about.st_mtim.tv_sec + (double)about.st_mtim.tv_nsec / 1e9;
    return true;
}

/* When the kernel started this process, in ticks since its own start; 0: there is none. */
static unsigned long long start_of(pid_t pid)
{
    char path[40], text[MOST_SMALL];
    unsigned long long start = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (pid <= 0 || !read_small(AT_FDCWD, path, text, NULL))
        return 0;
    /* The name, in brackets, may hold anything; the state follows it, the start is 19 further. */
    const char *at = strrchr(text, ')');
    if (!at || strchr("ZX", at[2]))
        return 0;
    sscanf(at + 2,
           "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
           &start);
    return start;
}

static void find_processes(int folder, struct job *job)
{
    char text[MOST_SMALL], boot[MOST_SMALL];
    int keeper = 0, program = 0;
    unsigned long long keeper_start = 0, program_start = 0;
    const char *then = json_string_value(json_object_get(job->about, "boot"));
    if (!read_small(AT_FDCWD, "/proc/sys/kernel/random/boot_id", boot, NULL) ||
        !read_small(folder, "process", text, NULL) || !then || strcmp(then, boot))
        return;
    if (sscanf(text, "%d %llu %d %llu", &keeper, &keeper_start, &program, &program_start) != 4)
        return;
    job->keeper = keeper_start && start_of(keeper) == keeper_start ? keeper : 0;
    job->program = program_start && start_of(program) == program_start ? program : 0;
}

static void find_state(int folder, struct job *job)
{
    char text[MOST_SMALL];
    bool asked = read_small(folder, "stop", text, NULL);
    job->exit_code = -1;
    if (read_small(folder, "exit", text, &job->ended)) {
        bool own = sscanf(text, "code %d", &job->exit_code) == 1;
        bool answer = own && (job->exit_code == 0 || job->exit_code == 1 || job->exit_code == 3);
        job->state = asked && !(own && job->exit_code == 0) ? JOB_STOPPED
                     : answer                               ? JOB_DONE
                                                            : JOB_FAILED;
        return;
    }
    find_processes(folder, job);
    job->state = !job->keeper && !job->program ? JOB_LOST : asked ? JOB_STOPPING : JOB_RUNNING;
    /* It may have ended between the two looks. */
    if (job->state == JOB_LOST && !faccessat(folder, "exit", F_OK, 0))
        find_state(folder, job);
}

bool job_load(tac_portal *portal, const char *id, struct job *out)
{
    char *data;
    size_t size;
    tac_json about = {0};
    *out = (struct job){0};
    int folder = job_folder(portal, id, false);
    if (folder < 0)
        return false;
    int file = openat(folder, "job.json", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool read = file >= 0 && read_descriptor(file, "job.json", &data, &size, NULL) == TAC_OK;
    if (file >= 0)
        close(file);
    bool fine = read && tac_json_parse("job.json", data, size, &about, NULL) == TAC_OK &&
                json_is_object(about.root) && json_is_array(json_object_get(about.root, "words"));
    if (fine) {
        snprintf(out->id, sizeof out->id, "%s", id);
        out->about = json_incref(about.root);
        find_state(folder, out);
    }
    tac_json_free(&about);
    if (read)
        free(data);
    close(folder);
    return fine;
}

void job_free(struct job *job)
{
    json_decref(job->about);
    job->about = NULL;
}

static int later_first(const void *a, const void *b)
{
    return strcmp(*(char *const *)b, *(char *const *)a);
}

void jobs_each(tac_portal *portal, bool (*visit)(void *context, const struct job *job),
               void *context)
{
    TAC_VEC(char *) ids = {0};
    int folder = job_folder(portal, NULL, false);
    DIR *open = folder < 0 ? NULL : fdopendir(folder);
    if (!open && folder >= 0)
        close(folder);
    for (struct dirent *entry; open && (entry = readdir(open));)
        if (id_is_fine(entry->d_name))
            tac_vec_push(&ids, tac_strdup(entry->d_name));
    if (open)
        closedir(open);
    if (ids.count)
        qsort(ids.at, ids.count, sizeof *ids.at, later_first);
    bool go_on = true;
    for (size_t i = 0; i < ids.count; i++) {
        struct job job;
        if (go_on && job_load(portal, ids.at[i], &job)) {
            go_on = visit(context, &job);
            job_free(&job);
        }
        free(ids.at[i]);
    }
    tac_vec_free(&ids);
}

bool job_is_running(const struct job *job)
{
    return job->state == JOB_RUNNING || job->state == JOB_STOPPING;
}

/* --- telling of it --- */

char *job_text(tac_portal *portal, const char *id, const char *name, off_t from, size_t most,
               off_t *end)
{
    struct stat about;
    int folder = job_folder(portal, id, false);
    int file =
        folder < 0 ? -1 : openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char *text = tac_calloc(most + 1, 1);
    *end = from;
    if (file >= 0 && !fstat(file, &about)) {
        off_t start = about.st_size - from > (off_t)most ? about.st_size - (off_t)most : from;
        ssize_t got = start < 0 ? -1 : pread(file, text, most, start);
        text[got > 0 ? got : 0] = '\0';
        *end = got > 0 ? start + got : from;
    }
    if (file >= 0)
        close(file);
    if (folder >= 0)
        close(folder);
    return text;
}

const char *job_campaign(const struct job *job)
{
    const char *kind = json_string_value(json_object_get(job->about, "kind"));
    return kind && !strcmp(kind, "run") ? json_string_value(json_object_get(job->about, "output"))
                                        : NULL;
}

json_t *job_progress(tac_portal *portal, const struct job *job)
{
    struct campaign_figures figures;
    const char *campaign = job_campaign(job);
    if (!campaign)
        return NULL;
    campaign_figures(portal, campaign, &figures, NULL);
    json_t *progress = json_pack("{s:I,s:I}", "done", (json_int_t)figures.runs, "total",
                                 (json_int_t)figures.planned);
    add_figures(progress, &figures);
    return progress;
}

/* What a person would type. */
static json_t *command_of(const struct job *job)
{
    tac_str line = {0};
    size_t index;
    json_t *word;
    tac_str_add(&line, "tactus");
    json_array_foreach(json_object_get(job->about, "words"), index, word)
    {
        tac_str_add_char(&line, ' ');
        tac_quote_shell(&line, json_string_value(word) ? json_string_value(word) : "");
    }
    json_t *text = tac_json_string(tac_str_text(&line));
    tac_str_free(&line);
    return text;
}

static void add_result(tac_portal *portal, const struct job *job, json_t *document)
{
    off_t end;
    tac_json result = {0};
    char *log = job_text(portal, job->id, "log", 0, MOST_TAIL, &end);
    char *output = job_text(portal, job->id, "output", 0, MOST_RESULT, &end);
    json_object_set_new(document, "log", tac_json_string(log));
    if (!job_is_running(job) && *output &&
        tac_json_parse("output", output, strlen(output), &result, NULL) == TAC_OK)
        json_object_set(document, "result", result.root);
    tac_json_free(&result);
    free(log);
    free(output);
}

json_t *job_json(tac_portal *portal, const struct job *job, bool tail)
{
    static const char *const states[] = {
        [JOB_RUNNING] = "running", [JOB_STOPPING] = "stopping", [JOB_STOPPED] = "stopped",
        [JOB_DONE] = "done",       [JOB_FAILED] = "failed",     [JOB_LOST] = "lost"};
    TABLE_COVERS(states, JOB_LOST);
    json_t *progress = job_progress(portal, job), *output = json_object_get(job->about, "output");
    json_t *document =
        json_pack("{s:s,s:O,s:o,s:s,s:O}", "id", job->id, "kind",
                  json_object_get(job->about, "kind"), "command", command_of(job), "state",
                  states[job->state], "started", json_object_get(job->about, "started"));
    if (!document) /* a job.json that somebody else wrote */
        document = json_pack("{s:s,s:s}", "id", job->id, "state", states[job->state]);
    if (job->ended > 0)
        json_object_set_new(document, "ended", json_real(job->ended));
    if (job->exit_code >= 0)
        json_object_set_new(document, "exit", json_integer(job->exit_code));
    if (output)
        json_object_set(document, "output", output);
    if (job_campaign(job))
        json_object_set(document, "folder", output);
    if (progress)
        json_object_set_new(document, "progress", progress);
    if (tail)
        add_result(portal, job, document);
    return document;
}

struct wanted {
    const char *path;
    char *id;
};

static bool writes(void *context, const struct job *job)
{
    struct wanted *wanted = context;
    const char *campaign = job_is_running(job) ? job_campaign(job) : NULL;
    if (campaign && !strcmp(campaign, wanted->path))
        wanted->id = tac_strdup(job->id);
    return !wanted->id;
}

char *job_that_writes(tac_portal *portal, const char *path)
{
    struct wanted wanted = {.path = path};
    jobs_each(portal, writes, &wanted);
    return wanted.id;
}
