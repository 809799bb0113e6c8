/* Options that commands which drive devices declare alike. */
#pragma once

#include "cli/command.h"

#define DEVICE_PARALLEL                                                                            \
    NUMBER("parallel", "K", 1, 1024,                                                               \
           "workers per device, for devices that can be had several times (default 1)",            \
           .meaning = "how much is done at once")
#define DEVICE_CAPABILITIES PATH("capabilities", "FILE", "WebDriver: a JSON file of capabilities")
#define DEVICE_APP                                                                                 \
    TEXT("app", "NAME",                                                                            \
         "package, package/activity, FILE.apk (is installed) or URL to drive (default: "           \
         "what the device's URI names)",                                                           \
         .meaning = "the app that is driven")
#define DEVICE_STAY                                                                                \
    TEXT("stay", "ORIGIN",                                                                         \
         "browsers: pages whose address begins so are the app (an origin, a folder); what "        \
         "lies elsewhere is left again; repeatable; default the app's own origin",                 \
         .meaning = "what counts as the app")
#define DEVICE_TOLERATE_ERRORS                                                                     \
    FLAG("tolerate-errors", "browsers: uncaught exceptions and failing status codes at "           \
                            "the launch go into the log and do not count as crashes")
#define DEVICE_FAST                                                                                \
    FLAG("fast", "browsers: act inside the page instead of by real touches and keys")
#define DEVICE_REALTIME FLAG("realtime", "let a second of the built-in phone last a real second")
/* Of commands whose every call has this limit; a step of a run has its own. */
#define DEVICE_CALL_DEADLINE                                                                       \
    REAL("deadline", "SECONDS", "timeout of each call on the device (default 30)",                 \
         .meaning = "how long to wait for the device")
/* --- of those that execute a campaign --- */
#define CAMPAIGN_LEASE                                                                             \
    REAL("lease", "SECONDS",                                                                       \
         "with a database: a run of a worker that is not heard of so long is another's "           \
         "(default 60)")
#define CAMPAIGN_PATIENCE                                                                          \
    REAL("patience", "SECONDS",                                                                    \
         "with a database: how long to go on trying while it cannot be used (default 300)")
#define CAMPAIGN_DURABLE                                                                           \
    FLAG("durable", "bring every trace and row to the disk before a run counts as done, "          \
                    "so that a power cut loses nothing either")
