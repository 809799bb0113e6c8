/* Options that commands which drive devices declare alike. */
#ifndef TAC_CLI_DEVICE_OPTIONS_H
#define TAC_CLI_DEVICE_OPTIONS_H

#include "cli/command.h"

#define DEVICE_PARALLEL                                                                            \
    {                                                                                              \
        .name = "parallel", .meaning = "how much is done at once", .kind = OPTION_NUMBER,          \
        .argument = "K", .least = 1, .most = 1024,                                                 \
        .help = "workers per device, for devices that can be had several times (default 1)"        \
    }
#define DEVICE_CAPABILITIES                                                                        \
    {                                                                                              \
        .name = "capabilities", .kind = OPTION_FILE, .argument = "FILE",                           \
        .help = "WebDriver: a JSON file of capabilities"                                           \
    }
#define DEVICE_APP                                                                                 \
    {                                                                                              \
        .name = "app", .meaning = "the app that is driven", .kind = OPTION_TEXT,                   \
        .argument = "NAME",                                                                        \
        .help = "package, package/activity, FILE.apk (is installed) or URL to drive (default: "    \
                "what the "                                                                        \
                "device's URI names)"                                                              \
    }
#define DEVICE_STAY                                                                                \
    {                                                                                              \
        .name = "stay", .meaning = "what counts as the app", .kind = OPTION_TEXT,                  \
        .argument = "ORIGIN",                                                                      \
        .help = "browsers: pages whose address begins so are the app (an origin, a folder); what " \
                "lies "                                                                            \
                "elsewhere is left again; repeatable; default the app's own origin"                \
    }
#define DEVICE_TOLERATE_ERRORS                                                                     \
    {                                                                                              \
        .name = "tolerate-errors", .kind = OPTION_FLAG,                                            \
        .help = "browsers: uncaught exceptions and failing status codes at the launch go into "    \
                "the log "                                                                         \
                "and do not count as crashes"                                                      \
    }
#define DEVICE_FAST                                                                                \
    {                                                                                              \
        .name = "fast",                                                                            \
        .help = "browsers: act inside the page instead of by real touches and keys"                \
    }
#define DEVICE_REALTIME                                                                            \
    {                                                                                              \
        .name = "realtime", .help = "let a second of the built-in phone last a real second"        \
    }
/* Of commands whose every call has this limit; a step of a run has its own. */
#define DEVICE_CALL_DEADLINE                                                                       \
    {                                                                                              \
        .name = "deadline", .meaning = "how long to wait for the device", .kind = OPTION_REAL,     \
        .argument = "SECONDS", .help = "timeout of each call on the device (default 30)"           \
    }
/* --- of those that execute a campaign --- */
#define CAMPAIGN_LEASE                                                                             \
    {                                                                                              \
        .name = "lease", .kind = OPTION_REAL, .argument = "SECONDS",                               \
        .help = "with a database: a run of a worker that is not heard of so long is another's "    \
                "(default "                                                                        \
                "60)"                                                                              \
    }
#define CAMPAIGN_PATIENCE                                                                          \
    {                                                                                              \
        .name = "patience", .kind = OPTION_REAL, .argument = "SECONDS",                            \
        .help = "with a database: how long to go on trying while it cannot be used (default 300)"  \
    }
#define CAMPAIGN_DURABLE                                                                           \
    {                                                                                              \
        .name = "durable",                                                                         \
        .help =                                                                                    \
            "bring every trace and row to the disk before a run counts as done, so that a power "  \
            "cut loses nothing either"                                                             \
    }

#endif
