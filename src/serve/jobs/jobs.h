/* Jobs: the tactus program at work for hours, which neither the page nor the server has to wait
 * for.
 *
 * A job is a folder, DIR/.tactus/jobs/ID:
 *   job.json   what it is: kind, arguments, when and on which boot it was started
 *   process    "KEEPER START PROGRAM START": the processes with their start times, so that a number
 *              that the kernel has given to another is not taken for it
 *   log, output  what the program says on standard error and output
 *   stop       somebody asked it to stop
 *   exit       "code N" or "signal N", written by the keeper at the end
 * The keeper is a process that belongs to nobody: it starts the program, waits, and writes down how
 * it ended. Everything that is known of a job is read from there, so a server that was killed and
 * started again knows as much as the one before. */
#pragma once

#include "serve/http/request.h"
#include "serve/programs/helper.h"
#include <sys/types.h>

enum { JOB_ID = 48 };

enum job_state { JOB_RUNNING, JOB_STOPPING, JOB_STOPPED, JOB_DONE, JOB_FAILED, JOB_LOST };

struct job {
    char id[JOB_ID];
    enum job_state state;
    json_t *about;         /* job.json; owned */
    pid_t keeper, program; /* while it runs */
    int exit_code;         /* -1: a signal, or not known */
    double ended;          /* seconds since 1970; 0 = it has not */
};

/* Opens DIR/.tactus/jobs/ID; make: also makes it. -1 when there is none. */
int job_folder(tac_portal *portal, const char *id, bool make);
/* False when there is no such job. */
bool job_load(tac_portal *portal, const char *id, struct job *out);
void job_free(struct job *job);
/* Calls visit for every job, newest first; false ends it. */
void jobs_each(tac_portal *portal, bool (*visit)(void *context, const struct job *job),
               void *context);
bool job_is_running(const struct job *job);
/* The document of the HTTP interface; the caller's. tail: with what it said. */
json_t *job_json(tac_portal *portal, const struct job *job, bool tail);
/* "runs" and so on of what it writes, or NULL; the caller's. */
json_t *job_progress(tac_portal *portal, const struct job *job);
/* The campaign that it writes, or NULL; borrowed. */
const char *job_campaign(const struct job *job);
/* The end of a file of the job, at most `most` bytes from `from` on; the caller's. */
char *job_text(tac_portal *portal, const char *id, const char *name, off_t from, size_t most,
               off_t *end);
/* The id of the running job that writes this campaign, or NULL; the caller's. */
char *job_that_writes(tac_portal *portal, const char *path);

/* --- serve/jobs/start.c --- */

/* Starts the program with the words of job.json. */
tac_status job_start(tac_portal *portal, const char *id, json_t *about, tac_error *err);
/* Asks it to stop; false when it does not run. */
bool job_stop(tac_portal *portal, const struct job *job);

/* --- serve/jobs/words.c --- */

/* job.json of what is asked for: the kind, the words, what it writes, and what was asked for. NULL
 * after an answer. */
json_t *job_describe(struct request *request, json_t *asked);
