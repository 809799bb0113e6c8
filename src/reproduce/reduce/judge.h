/* Does a candidate fail in the same way? Asked of what is known, and of the devices where that is
 * not enough.
 *
 * A candidate counts when it fails in `needed` of `tries` tries; no more are made than decide it. A
 * failure that comes by chance needs more tries: as soon as some tries of one candidate fail and
 * some do not, the search is `flaky`, and `tries` is so large that a candidate which fails as
 * seldom as was seen is missed once in twenty times at most. */
#pragma once

#include "reproduce/known/journal.h"

/* Where executions come from: devices, or whatever a test puts in their place. Fills in how the
 * trial ended and journals it. */
typedef tac_status execute_trials(void *context, const struct script *script, bool replay,
                                  size_t count, tac_error *err);

struct judge {
    struct knowledge *known;
    execute_trials *execute;
    void *context;
    const char *scenario;
    uint32_t failure; /* what it has to be */
    bool at_the_end;  /* a property: judged at the end of a run */
    bool sends_first; /* a candidate that awaits what nobody sent fails in another way */
    bool plain;       /* only executions of exactly a candidate say something about it */
    uint32_t needed, tries;
    bool flaky;
    uint64_t most; /* executions of the whole search; 0 = any number */
};

/* How often the failure was seen in tries of the candidate that count. */
struct judge_tally {
    uint32_t tried, failed;
    bool blocked;  /* its steps cannot be done */
    uint32_t left; /* tries to be made before anything is concluded */
};
struct judge_tally judge_known(const struct judge *judge, const struct script *script);
tac_status judge_fails(struct judge *judge, const struct script *script, bool *fails,
                       tac_error *err);
/* At least so many tries of exactly this candidate. */
tac_status judge_try(struct judge *judge, const struct script *script, uint32_t tries,
                     struct known *out, tac_error *err);
/* At least so many replays: executions that are made for the record. */
tac_status judge_replay(struct judge *judge, const struct script *script, uint32_t replays,
                        struct known *out, tac_error *err);
/* Tries that find `needed` failures of a candidate which fails with this chance, 19 times of 20. */
uint32_t judge_tries_for(uint32_t needed, double chance);
