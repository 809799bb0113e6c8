/* Recording as a capability: what a recorder of some kind of app implements.
 *
 *   driver (web: device.c, programs: command.c) --messages, failures--> log --> file, or replay
 *
 * A driver starts the app anew, with its recorder in it, in one of two modes. Observing, everything
 * happens by itself and is told. Held, top-level callbacks wait until they are named; everything
 * that one of them causes synchronously runs to its end before `perform` returns.
 *
 * A message is one line of a recording (docs/protocol.md) as a JSON object. Entries of top-level
 * callbacks have two keys that replay goes by: "event", a label that is stable across runs ("timer
 * app.js:40 #2": kind, target, ordinal among equals), and "cause", the label of the callback that
 * asked for this one (absent: nobody did, as for the user's events). A driver may add keys of its
 * own under "by" (the gesture that brings a user's event about); it gets them back in `perform`. */
#pragma once

#include "base/data/vec.h"
#include "replay/replay.h"

enum subject_mode { SUBJECT_OBSERVE, SUBJECT_HELD };

enum failure_kind {
    FAILURE_UNCAUGHT,  /* an exception that nobody caught */
    FAILURE_REJECTION, /* of a promise or future that nobody handled */
    FAILURE_REPORTED   /* the framework said so (a console error, an error log) */
};

struct subject_failure {
    enum failure_kind kind;
    const char *type, *message; /* "TypeError", its text */
    const char *stack;          /* one frame per line, topmost first */
};

/* A message as a line of a recording. */
struct subject_text {
    const char *line; /* without its end */
    size_t length;
    bool entry; /* of a call; else its end */
    bool ui;
    uint32_t thread;
};

struct subject_machine {
    uint32_t classes, rewritten; /* of the program: loaded, and with probes in them */
    uint32_t methods, calls;     /* probed */
    uint32_t left_alone;         /* methods that could not be probed */
};

/* Where a driver tells what it sees. What is given is borrowed. */
struct subject_log {
    void *context;
    void (*message)(void *context, const json_t *message);
    /* Where the driver has the message as text and telling it so is less work: NULL = it is not
     * taken so. */
    void (*text)(void *context, const struct subject_text *message);
    void (*failure)(void *context, const struct subject_failure *failure);
    void (*unseen)(void *context, const char *what); /* said once, however often it is told */
    void (*dropped)(void *context, size_t messages); /* a limit was passed */
    void (*note)(void *context, const char *text);   /* why a run ended early */
    void (*step)(void *context);                     /* one gesture was given */
    /* How much of a program was rewritten; NULL = of no interest. */
    void (*machine)(void *context, const struct subject_machine *machine);
};

enum step_end {
    STEP_DONE,        /* it happened, and nothing else that waits did */
    STEP_ABSENT,      /* the app does not offer it here: it went another way */
    STEP_UNCONTROLLED /* it is there but cannot be held or brought about */
};

/* One event of a witness. */
struct subject_step {
    const char *label;   /* of the recorded callback */
    const json_t *entry; /* the recorded callback entry with all of its keys */
    size_t number;       /* in the witness, from 0 */
    size_t cause;        /* the latest step before that was its recorded cause, or SIZE_MAX */
    const struct subject_step *before; /* the step before, or NULL */
    size_t distance; /* recorded callbacks between the step before and this one: 1 = it followed
                        at once in the recording; 0 = not in order */
    const struct subject_step *all; /* the witness, and how many events it has */
    size_t count;
    bool eager;      /* let what is not in the witness and due at once happen first */
    double deadline; /* seconds */
};

struct step_outcome {
    enum step_end end;
    size_t callback; /* which of the callbacks told to the log since the start it was, from 0; or
                        SIZE_MAX: whatever was told during the call */
    char *why;       /* for people, when it is not done; the caller's */
    char *besides;   /* labels of callbacks that had to be let go although nobody named them, one
                        per line, or NULL; the caller's */
};

struct subject_driver {
    const char *kind;     /* "web", "jdk": names the default rules */
    const char *recorder; /* "tactus-web": for the first line of a recording */
    bool ends_anywhere;   /* what it records can end in the middle of calls */
    /* Ends what runs and starts the app from a clean state. What it says goes to log until the next
     * start or stop. Held: returns when the app has started and every callback that waits can be
     * named. */
    tac_status (*start)(void *state, enum subject_mode mode, uint64_t seed,
                        const struct subject_log *log, tac_error *err);
    /* Observing: one run, to its end, its steps or its budget. */
    tac_status (*drive)(void *state, const tac_driving *how, uint64_t seed, tac_error *err);
    /* Held: makes the callback of this step happen now. Everything that was told to the log before
     * it returns and after the call belongs to the step. */
    tac_status (*perform)(void *state, const struct subject_step *step, struct step_outcome *out,
                          tac_error *err);
    /* Held: lets everything that waits happen in its usual order, for at most this long. */
    tac_status (*let_go)(void *state, double seconds, tac_error *err);
    tac_status (*stop)(void *state, tac_error *err);
    void (*free)(void *state);
};

struct tac_subject {
    const struct subject_driver *driver;
    void *state;
    char *name;       /* for the first line of a recording: the URI, or the command */
    const char *mode; /* of recorders that have several, whose labels differ; or NULL */
};
