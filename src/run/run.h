/* Executing flows on a device, and random runs: campaigns that leave enriched traces, a verdict per
 * run and an index behind, and that go on where they were stopped.
 *
 *   DIR/index.sqlite      one row per finished run (store/store.h)
 *   DIR/traces/N.jsonl    the enriched trace of run N (tactus/trace.h)
 *   DIR/failures/N.xml    the hierarchy when a step could not be done, N.png the screen
 *   DIR/model.xml, flows.jsonl, properties.txt   what was run
 *   DIR/verdicts.json     the summary
 *
 * The trace of a run has `event` (what the user, the system or the app did), `activity`, `state`
 * (the model's state, for flows) or `screen` (the class of the screen, for random runs), one
 * continuous variable per probe of the device, and power, current, voltage and energy of an
 * instrument beside it. Its times are those of the host, corrected for the clocks of the others
 * (docs/run.md). */
#pragma once

#include "device/device.h"
#include "flow/adaptive.h"
#include "tactus/verdict.h"

/* A device to drive. */
typedef struct tac_run_device {
    const char *name; /* the model's device that it plays, or NULL */
    const char *uri;  /* of device/device.h; "adb:all" stands for every connected one */
} tac_run_device;

/* How the next action is chosen: by the weights of the file, all alike, or by what was done least
 * often on the screen that is shown. */
typedef enum tac_run_choice {
    TAC_CHOOSE_WEIGHTED,
    TAC_CHOOSE_UNIFORM,
    TAC_CHOOSE_NOVELTY
} tac_run_choice;

typedef struct tac_run_options {
    /* Either all have names: they play the devices of the flows together, every one of them once; a
     * device of the model that is left out and has a serial number is taken from adb. Or none has:
     * they share the runs, one worker each. */
    const tac_run_device *devices;
    size_t device_count;
    tac_device_options device_options;
    const char *folder;     /* where the campaign lives, created when absent: a folder, or
                               "postgresql://...#CAMPAIGN", which workers on other hosts share */
    const char *model;      /* the model file, kept with the campaign; may be NULL */
    const char *flows;      /* a flow file; NULL for random runs */
    const char *properties; /* a property file checked while the app runs; may be NULL */
    bool conform;           /* flows: every screen is compared with the model's state; see model */
    bool stop_on_violation; /* end a run at its first violation or early alarm */
    const char *const *scenarios;
    size_t scenario_count; /* 0: the device's own network; "A=NAME,B=NAME": one per device */
    uint32_t repeat;       /* executions of each flow per scenario; 0 = 1 */
    uint32_t parallel; /* workers per device, for devices that can be had several times; 0 = 1 */
    uint32_t monkey;   /* random runs instead of flows */
    uint32_t monkey_steps;     /* events per random run */
    const char *actions;       /* an action file: random runs do its actions; may be NULL */
    tac_run_choice choose;     /* among the actions that make sense */
    double monkey_share;       /* so many of the events, 0 to 1, are the monkey's */
    const char *const *ignore; /* XPaths that random runs leave alone, with what is inside; at most
                                  64 */
    size_t ignore_count;
    bool adaptive; /* the runs cover the model instead of being random: each event is chosen from
                      where the app is (flow/adaptive.h) */
    tac_adaptive_goal goal;  /* what is covered */
    const char *requirement; /* of the goal that asks for one: its file */
    uint64_t seed;
    double sample;   /* seconds between readings of the probes while waiting; 0 = 1 */
    double think;    /* seconds after an event whose flow gives no time; 0 = 1 */
    double deadline; /* seconds that a step may take until its element is there; 0 = 10 */
    const char *const *patterns; /* regular expressions that map log lines to events */
    size_t pattern_count;
    const char *const *probes; /* probes of the device to record (none named = all it has), and
                                  instruments beside it: scpi://HOST[:PORT][/CHANNEL] */
    size_t probe_count;
    /* The campaign in the words of who starts it, such as a command line, for the report: called
     * once, the text is freed with free(). NULL: the report does not say. */
    char *(*describe)(const struct tac_run_options *options);
    bool pictures;    /* a picture of every screen or state, when it is first seen, goes to
                         folder/screens: for the report; taking one costs the device some time */
    bool live;        /* folder/live/WORKER.json says where each worker's run is, while it is */
    bool durable;     /* traces and rows are on the disk before a run counts as done */
    tac_watch *watch; /* may be NULL */
    /* What follows matters for a campaign in a database only. */
    bool plan_only; /* put the runs into the queue and leave them to workers: all are missing in the
                       summary then */
    double lease;   /* seconds after which a run of a worker that is not heard of is another's;
                       0 = 60 */
    double patience; /* seconds to go on trying while the database cannot be used; 0 = 300 */
    void (*note)(void *context, const char *text); /* told of lost connections; may be NULL */
    void *note_context;
} tac_run_options;

/* Adds an error for every <expect> of the model that is not a condition over observables. */
void tac_model_check_expectations(const tac_model *model, tac_diagnostics *diagnostics);

/* A property over the runs of one scenario. */
typedef struct tac_run_property {
    const char *name, *scenario;
    int64_t runs, violated, inconclusive;
    double worst_margin; /* NaN: no run gave one */
    int64_t untested;    /* instances that needed something that was not on the screen */
    int64_t exercised;   /* runs that had something for it to judge */
} tac_run_property;

typedef struct tac_run_crash {
    const char *exception, *finding; /* its identity */
    int64_t runs, example;           /* a run's number */
} tac_run_crash;

/* A run that ended neither well nor in a crash. */
typedef struct tac_run_failure {
    int64_t run;
    const char *verdict, *scenario, *message;
} tac_run_failure;

/* What a property said about one run. */
typedef struct tac_run_verdict {
    int64_t run;
    const char *property, *scenario, *verdict; /* as tac_answer_name */
    double margin;                             /* NaN: none */
    bool exercised;   /* false: nothing of the run was for it to judge, whatever the verdict */
    int64_t untested; /* instances that needed something that was not on the screen */
    int64_t step;     /* violated: after so many events; -1 otherwise */
} tac_run_verdict;

/* What an adaptive run covered of its model. */
typedef struct tac_run_coverage {
    int64_t run, covered, total, events, starts, unmodelled;
    const char *goal;  /* as tac_adaptive_goal_name */
    const char *ended; /* covered, unreachable, limit (of events), stopped (by a crash, ...) */
} tac_run_coverage;

/* What became of an action of the action file over all runs. */
typedef struct tac_run_action {
    const char *action;
    int64_t looks;           /* at the screen, before something was chosen */
    int64_t enabled;         /* looks at which its condition held */
    int64_t chosen;          /* times that it was tried */
    int64_t abandoned;       /* tries that were left at a step that could not be done */
    int64_t unrested;        /* tries of which all was done, but the screen did not come to rest */
    int64_t step;            /* where it was abandoned most often, from 1; 0: nowhere */
    int64_t abandoned_there; /* so often */
    const char *written;     /* that step as the file has it, shortened; "" without one */
    const char *reason;      /* why it was abandoned the last time; "" */
} tac_run_action;

typedef struct tac_run_share {
    const char *device;
    int64_t runs;
} tac_run_share;

typedef struct tac_run_lost_device {
    const char *device, *message;
    int64_t after; /* runs that it did before */
} tac_run_lost_device;

/* How the runs of a folder ended, those of earlier calls too; texts live as long as the summary. */
typedef struct tac_run_summary {
    const char *folder;
    int64_t runs, missing;
    int64_t pass, fail, crash, aborted; /* together: runs */
    const char *const *scenarios;
    const tac_run_property *properties;
    const tac_run_crash *crashes;
    const tac_run_failure *failures;
    const tac_run_failure *notes; /* runs that passed and have something to say, as an early end */
    const tac_run_verdict *verdicts;
    const tac_run_coverage *coverage;
    const tac_run_action *actions; /* one per action of the file, in its order */
    const tac_run_share *devices;
    const tac_run_lost_device *lost; /* by this call */
    const char *const *unmatched;    /* rules of `ignore` that matched nothing in any run */
    size_t scenario_count, property_count, crash_count, failure_count, verdict_count, device_count,
        lost_count, coverage_count, unmatched_count, note_count, action_count;
} tac_run_summary;

/* Runs what is not in the folder yet. *summary (the caller's) says what verdicts.json says; it is
 * set whenever the folder could be opened, also when the campaign was interrupted
 * (TAC_E_INTERRUPTED) or the device gave up (TAC_E_DEVICE). A folder with runs of another campaign
 * is TAC_E_INPUT, and the message says what differs: every input file by its content, every option
 * that decides what a run is. */
tac_status tac_run_campaign(const tac_run_options *options, tac_run_summary **summary,
                            tac_error *err);
void tac_run_summary_free(tac_run_summary *summary); /* NULL is fine */
/* What the folder of a campaign keeps, whether it is done, was stopped or is worked on; nothing is
 * run or written. `missing` are the runs of its plan that have no row; lost and unmatched are those
 * of a call and not told. */
tac_status tac_run_kept(const char *folder, tac_run_summary **out, tac_error *err);
/* What a worker did in one campaign; a campaign whose plan its devices do not fit has a message. */
typedef struct tac_run_worked {
    const char *campaign;
    const char *refused; /* why nothing was done; NULL: it was worked on */
    int64_t done, late;  /* late: done by others in the meantime, not kept */
    const tac_run_lost_device *lost;
    size_t lost_count;
    int64_t left; /* that nobody works on, because they failed here or too often */
} tac_run_worked;

typedef struct tac_run_work {
    const char *store;
    int64_t done, late; /* over all campaigns */
    const tac_run_worked *campaigns;
    size_t campaign_count;
} tac_run_work;

/* Works on what is planned in a database, options->folder being
 * "postgresql://USER@HOST/DB[#CAMPAIGN]": without a campaign on every one that has runs left and
 * fits the devices. What the runs are comes from the plan; options gives the devices and how to
 * work (devices, parallel, lease, patience, durable, watch, note). Devices or apps other than those
 * of the plan of #CAMPAIGN are TAC_E_INPUT, and the message says what differs. Returns when nothing
 * is left to do, also not for other workers. *out (the caller's) is set, too, when a campaign that
 * was worked on failed or was interrupted. */
tac_status tac_run_worker(const tac_run_options *options, tac_run_work **out, tac_error *err);
void tac_run_work_free(tac_run_work *work);          /* NULL is fine */
json_t *tac_run_work_json(const tac_run_work *work); /* the caller's */
/* Of an action that tested nothing, because it was never possible or abandoned in more than half of
 * its tries, what is wrong, as a sentence without its full stop; the caller's. NULL: it did what it
 * says. */
char *tac_run_action_complaint(const tac_run_action *row);
/* Holds: all passed and held; violated: a run failed or crashed, or a property is violated;
 * inconclusive: an adaptive run did not cover everything. */
tac_answer tac_run_answer(const tac_run_summary *summary);
/* The content of verdicts.json, which `tactus run --json` prints; the caller's. */
json_t *tac_run_summary_json(const tac_run_summary *summary);

/* --- Many subjects --- */

typedef struct tac_run_subject {
    const char *name; /* also of its folder: letters, digits, '.', '_' and '-' */
    const char *uri;
} tac_run_subject;

typedef struct tac_run_subject_property {
    const char *property;
    int64_t violated, inconclusive, runs, untested;
    int64_t exercised;             /* runs that had something for it to judge */
    int64_t first_run, first_step; /* of the first violation; -1 when there is none */
} tac_run_subject_property;

typedef struct tac_run_subject_row {
    const char *subject, *reason; /* why it did not start, or did not finish; "" otherwise */
    bool started;
    bool complete;                            /* all of its runs are there */
    int64_t runs, pass, fail, crash, aborted; /* those that are kept */
    int64_t missing;                          /* runs that the same call would still do */
    const tac_run_subject_property *properties;
    const tac_run_action *actions; /* one per action of the file, in its order */
    size_t property_count, action_count;
} tac_run_subject_row;

typedef struct tac_run_matrix {
    const char *folder;
    const tac_run_subject_row *rows; /* one per subject, in order */
    size_t count;
} tac_run_matrix;

/* Every run on every subject: a campaign per subject in FOLDER/NAME, options->parallel of them at a
 * time, and FOLDER/matrix.json. options->devices is not used. A subject that cannot start is a row
 * with a reason. *out (the caller's) is set unless the folder could not be made; where the call was
 * stopped, its rows count what is kept, and so does the file. */
tac_status tac_run_subjects(const tac_run_options *options, const tac_run_subject *subjects,
                            size_t count, tac_run_matrix **out, tac_error *err);
/* The rows that such a campaign left in FOLDER/matrix.json; *out is NULL where there is none. Rows
 * that are not complete there are counted again: a campaign that was killed could not write. */
tac_status tac_run_matrix_read(const char *folder, tac_run_matrix **out, tac_error *err);
void tac_run_matrix_free(tac_run_matrix *matrix); /* NULL is fine */
/* Violated: a run failed or crashed, or a property is violated; inconclusive: a subject did not
 * start or has runs that are missing, or a property could not be told in some run. */
tac_answer tac_run_matrix_answer(const tac_run_matrix *matrix);
/* The content of matrix.json, which `tactus run --subject ... --json` prints; the caller's. */
json_t *tac_run_matrix_json(const tac_run_matrix *matrix);
