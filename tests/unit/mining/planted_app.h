/* A small simulated app under a monkey, with planted bugs of known cause. There is no public set of
 * labelled GUI crash runs; this one is ours, and says nothing about how common such bugs are. */
#ifndef TAC_TEST_PLANTED_APP_H
#define TAC_TEST_PLANTED_APP_H

#include "tactus/mining.h"

enum sim_bug {
    SIM_CONTIGUOUS = 1, /* s a, then at once t b: crash after the next screen */
    SIM_GAPS = 2,       /* s a, any time later t b: crash after the next screen */
    SIM_UNINIT = 4,     /* s a before any x: crash while handling a */
    SIM_STARVED = 8,    /* s a, then at once t b: screen x never shows again, the run times out */
    SIM_ALL = 15
};

#define SIM_BUGS 4

struct sim_cause {
    const char *label;    /* cluster */
    char blocks[2][2][8]; /* state and input names */
    unsigned block_count;
    char x[8]; /* of uninit and starved, else "" */
};

struct sim_app;

/* The same seed gives the same app. Every state offers `offered` of the inputs. */
struct sim_app *sim_new(uint64_t seed, unsigned states, unsigned inputs, unsigned offered,
                        unsigned bugs);
/* As real bugs are: a cause makes its run fail with this probability only, and this share of the
 * runs fails of something else, under the label of some bug. Without a call: 1 and 0. */
void sim_noise(struct sim_app *app, double reliability, double stray);
void sim_free(struct sim_app *app);
const struct sim_cause *sim_cause(const struct sim_app *app, unsigned bug); /* 0 .. SIM_BUGS-1 */
/* Adds `count` runs of at most `length` inputs. */
void sim_runs(struct sim_app *app, uint64_t seed, unsigned count, unsigned length, tac_runs *runs);
/* The same as text lines. */
void sim_print(struct sim_app *app, uint64_t seed, unsigned count, unsigned length, FILE *out);

#endif
