/* Private: what the parts of the report for the author of the rules share. */
#ifndef TAC_RULES_STORY_H
#define TAC_RULES_STORY_H

#include "rules/findings/findings.h"
#include "rules/findings/words.h"

#define SHOWN 6 /* entries of a section unless verbose */

struct story {
    const tac_rules *rules;
    const tac_rules_findings *f;
    bool verbose;
    FILE *out;
    bool *shortened; /* entries were left out */
};

size_t rules_story_shown(const struct story *s, size_t count);
/* "... and 3 more." */
void rules_story_rest(const struct story *s, size_t count);
const char *rules_story_state(const struct story *s, uint32_t state);
/* "1 input", "80 inputs"; the caller's. */
char *rules_story_count(const tac_rules_count *count);
char *rules_story_inputs(const struct story *s, const tac_rules_inputs *inputs);

/* The sections about runs that do not rest at once (unrest.c). */
void rules_tell_cycles(const struct story *s);
void rules_tell_races(const struct story *s);

#endif
