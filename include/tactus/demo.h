/* The whole pipeline on the built-in phone, with no device, network or privileges: the music player
 * of the interaction-model paper under three network scenarios, an app with planted bugs under
 * random runs, PhoneAdapter's rules, and the lifestate paper's running example. */
#ifndef TACTUS_DEMO_H
#define TACTUS_DEMO_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/report.h"
#include "tactus/run.h"
#include "tactus/watch.h"
#include <jansson.h>
#include <stdbool.h>

TAC_BEGIN_DECLARATIONS

typedef struct tac_demo_options {
    bool browser; /* a web player in Debian's Chromium instead of the built-in phone */
    void (*tell)(void *context, const char *sentence); /* each sentence as it comes; may be NULL */
    void *context;
    char *(*describe)(const tac_run_options *options); /* as in tactus/run.h; may be NULL */
    /* As in tactus/report.h; may be NULL. */
    char *(*reproduce)(const tac_report_failure *failure);
    tac_watch *watch; /* may be NULL */
} tac_demo_options;

/* Creates the folder and writes inputs/, player/, bugs/, verdicts.json and report.html into it. The
 * story (an array of sentences, the caller's) says what was done and found. A folder that holds a
 * demo already is continued. */
tac_status tac_demo(const char *folder, const tac_demo_options *options, json_t **story,
                    tac_error *err);

TAC_END_DECLARATIONS

#endif
