/* How often each action was possible, chosen and abandoned. A run counts for itself and leaves the
 * figures with its row, under "actions":
 *
 *   {"looks":N,"done":[{"action","enabled","chosen","abandoned","unrested",
 *                       "steps":{"2":N},"reason"}]}
 *
 * so that the sum over the rows is that of the campaign, whoever did the runs and when. */
#pragma once

#include "run/actions/file.h"
#include "run/run.h"

struct action_count {
    int64_t enabled, chosen, abandoned, unrested;
    int64_t *abandoned_at; /* per step of the action */
    char *reason;          /* the last one; NULL: none */
};

struct action_tally {
    const struct action_file *file; /* borrowed */
    int64_t looks;
    struct action_count *counts; /* one per action of the file */
};

void action_tally_start(struct action_tally *tally, const struct action_file *file);
void action_tally_free(struct action_tally *tally);
/* One look at the screen; enabled has one entry per action. */
void action_tally_look(struct action_tally *tally, const bool *enabled);
/* An action was tried and left at a step, from 1 (0: it was not), because of the reason. */
void action_tally_try(struct action_tally *tally, size_t action, size_t abandoned, bool rests,
                      const char *reason);

/* What a run leaves; the caller's. */
json_t *action_tally_json(const struct action_tally *tally);
/* Adds what a run left; what is not of this file is passed over. */
void action_tally_add(struct action_tally *tally, const json_t *left);

/* One row per action of the file, in its order; in the arena. */
const tac_run_action *action_tally_rows(const struct action_tally *tally, tac_arena *arena);
