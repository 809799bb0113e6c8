/* Which action is next, and what its random texts are. */
#pragma once

#include "base/data/map.h"
#include "base/data/random.h"
#include "run/actions/file.h"

/* The values of tac_run_options.choose. */
enum action_choice { CHOOSE_WEIGHTED, CHOOSE_UNIFORM, CHOOSE_NOVELTY };

/* How often each action was done on each screen. */
struct action_counts {
    tac_u64map done;
};

/* The number of one of the enabled actions, or SIZE_MAX when none is. By novelty: among those that
 * were done least often on this screen (a hash), by weight. */
size_t choose_action(const struct action_file *file, const bool *enabled, enum action_choice how,
                     uint64_t screen, struct action_counts *counts, tac_random *random);
/* A text: 0 to 12 characters, each drawn from 40 that apps stumble over or not; or a number. The
 * caller's. */
char *random_text(tac_random *random);
char *random_number(tac_random *random);
