/* A Java program as a subject: its life (command.c), and its held callbacks (command_held.c). */
#pragma once

#include "base/data/map.h"
#include "base/data/str.h"
#include "jvm/host/jvm.h"
#include "replay/subject.h"

#define STALL 1.0 /* seconds without any news: it waits for something */

struct held_label {
    char *label;
    bool ui; /* on AWT's event thread: it goes on only after those that came later there */
};

struct java_program {
    char **words;
    size_t word_count;
    struct jvm_process process;
    bool running, breakpoints;
    const struct subject_log *log;
    TAC_VEC(struct held_label) held; /* callbacks that wait, the oldest first */
    TAC_VEC(char *) done;            /* labels that ended since they were last asked for */
    TAC_VEC(char *) released;        /* labels that were let go */
    TAC_VEC(struct jvm_method) callbacks, callins;
    tac_names texts;       /* owns the names of the methods */
    size_t news;           /* records and lines so far */
    uint32_t event_thread; /* counts as the event thread; 0 = not known yet */
    struct jvm_messages messages;
    tac_str text;   /* of one message */
    size_t answers; /* of the agent to an event that it was to give to AWT */
    size_t clicks;  /* of these, how many found what to give it to */
};

/* Everything that the agent has written so far goes to the log. */
void program_pump(struct java_program *p);
/* One line of the agent, if one comes within this time. */
bool program_listen(struct java_program *p, double seconds);
/* Takes a label out of a list; it is the caller's. */
char *labels_take(char **list, size_t *count, size_t at);

tac_status program_perform(void *state, const struct subject_step *step, struct step_outcome *out,
                           tac_error *err);
tac_status program_let_go(void *state, double seconds, tac_error *err);
