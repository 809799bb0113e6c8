/* The whole pipeline on the built-in phone, with no device, network or privileges: the music player
 * of the interaction-model paper under three network scenarios, an app with planted bugs under
 * random runs, PhoneAdapter's rules, and the lifestate paper's running example. */
#pragma once

#include "report/report.h"
#include "run/run.h"

typedef struct tac_demo_options {
    bool browser; /* a web player in Debian's Chromium instead of the built-in phone */
    void (*tell)(void *context, const char *sentence); /* each sentence as it comes; may be NULL */
    void *context;
    char *(*describe)(const tac_run_options *options); /* as in run/run.h; may be NULL */
    /* As in report/report.h; may be NULL. */
    char *(*reproduce)(const tac_report_failure *failure);
    tac_watch *watch; /* may be NULL */
} tac_demo_options;

/* What was done and found; texts live as long as it does. */
typedef struct tac_demo_story {
    const char *const *sentences;
    size_t count;
    const char *report; /* the path of report.html */
} tac_demo_story;

/* Creates the folder and writes inputs/, player/, bugs/, verdicts.json and report.html into it. A
 * folder that holds a demo already is continued. *story is the caller's. */
tac_status tac_demo(const char *folder, const tac_demo_options *options, tac_demo_story **story,
                    tac_error *err);
void tac_demo_story_free(tac_demo_story *story); /* NULL is fine */
/* {"story":[SENTENCE],"report"}; the caller's. */
json_t *tac_demo_story_json(const tac_demo_story *story);
