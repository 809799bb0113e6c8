/* The whole pipeline on the built-in phone, with no device, network or privileges: the music player
 * of the interaction-model paper under three network scenarios, an app with planted bugs under
 * random runs, PhoneAdapter's rules, and the lifestate paper's running example. */
#ifndef TACTUS_DEMO_H
#define TACTUS_DEMO_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/watch.h"
#include <jansson.h>
#include <stdbool.h>

TAC_BEGIN_DECLARATIONS

/* Creates the folder and writes inputs/, player/, bugs/, verdicts.json and report.html into it. The
 * story (an array of sentences, the caller's) says what was done and found; tell, which may be
 * NULL, is called with each sentence as it comes. A folder that holds a demo already is continued.
 */
tac_status tac_demo(const char *folder, bool browser,
                    void (*tell)(void *context, const char *sentence), void *context,
                    tac_watch *watch, json_t **story, tac_error *err);

TAC_END_DECLARATIONS

#endif
