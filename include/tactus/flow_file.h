/* Flows as files: JSON Lines, one flow a line (docs/flows.md has the format). This is what
 * `tactus flow list --format jsonl` writes, `tactus run` executes and `tactus flow export` reads.
 */
#ifndef TACTUS_FLOW_FILE_H
#define TACTUS_FLOW_FILE_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/model.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

TAC_BEGIN_DECLARATIONS

/* How a flow ends. Bits, so that they can be combined to a selection. */
typedef enum tac_flow_kind {
    TAC_FLOW_EXIT = 1,      /* the app was left (every device's, when there are several) */
    TAC_FLOW_STUCK = 2,     /* nothing can happen any more */
    TAC_FLOW_TRUNCATED = 4, /* the bound on the length was reached */
    TAC_FLOW_WITNESS = 8    /* a shortest prefix that meets a requirement's sequence */
} tac_flow_kind;

#define TAC_FLOW_ANY 7u /* exit, stuck or truncated */

/* What the screen shows that a start or a step leads to. */
typedef struct tac_flow_screen {
    /* The model's expectations: conditions of the property language. */
    const char *const *expects;
    size_t expect_count;
    /* XPaths of a few elements that the state is known by: its transitions act on them. */
    const char *const *shows;
    size_t show_count;
} tac_flow_screen;

/* One event together with the silent moves after it. */
typedef struct tac_flow_step {
    const char *event;
    const char *device; /* the device that moves; "" when the file does not say */
    tac_event_kind kind;
    const tac_model_action *actions; /* how it is performed; possibly none */
    size_t action_count;
    /* Nodes passed, each "APPLICATION/ACTIVITY/MACHINE/NODE"; the last one is the settled state. */
    const char *const *states;
    size_t state_count;
    const char *sends, *receives; /* channels, or NULL */
    double time;                  /* seconds until the next event; negative = not given */
    /* A guarded action that was left there: the number of its step that could not be done, from 1,
     * so that `actions` are those before it; 0 = all were done. */
    uint32_t abandoned;
    tac_flow_screen screen;
} tac_flow_step;

/* Where a device stands before the first step. */
typedef struct tac_flow_start {
    const char *device;
    const char *application; /* its code name, or its name; "" when the file does not say */
    const char *package;     /* "" when unknown */
    const char *const *states;
    size_t state_count;
    tac_flow_screen screen;
} tac_flow_start;

typedef struct tac_flow {
    tac_flow_kind kind;
    const char *model; /* the model's name; "" when unknown */
    const tac_flow_start *starts;
    size_t start_count;
    const tac_flow_step *steps;
    size_t step_count;
} tac_flow;

typedef struct tac_flow_file tac_flow_file;

/* Reads plain, .gz or .xz files and "-" as a stream; memory does not depend on the file's size. */
tac_status tac_flow_file_open(const char *path, tac_flow_file **out, tac_error *err);
/* The next flow, borrowed, valid until the next call or the close; *flow is NULL at the end. Blank
 * lines are skipped. Errors carry the line, and the column where it is known. */
tac_status tac_flow_file_next(tac_flow_file *file, const tac_flow **flow, tac_error *err);
void tac_flow_file_close(tac_flow_file *file); /* NULL is fine */

tac_status tac_flow_write(const tac_flow *flow, FILE *out, tac_error *err);

TAC_END_DECLARATIONS

#endif
