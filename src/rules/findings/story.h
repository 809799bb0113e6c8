/* Private: what the parts of the report for the author of the rules share. */
#pragma once

#include "base/data/arena.h"
#include "rules/findings/findings.h"
#include "rules/findings/words.h"

#define SHOWN 6 /* entries of a section unless verbose */

struct story {
    const tac_rules *rules;
    const tac_rules_findings *f;
    bool verbose;
    FILE *out;
    bool *shortened;   /* entries were left out */
    tac_arena *memory; /* of words */
};

size_t rules_story_shown(const struct story *s, size_t count);
/* "... and 3 more." */
void rules_story_rest(const struct story *s, size_t count);
const char *rules_story_state(const struct story *s, uint32_t state);
/* Words, until the story ends: "80 inputs", what an input is like, "A -> B -> C". */
const char *rules_story_count(const struct story *s, const tac_rules_count *count);
const char *rules_story_inputs(const struct story *s, const tac_rules_inputs *inputs);
const char *rules_story_cube(const struct story *s, const char *cube);
const char *rules_story_way(const struct story *s, const uint32_t *states, size_t length);

/* The sections about runs that do not rest at once (unrest.c). */
void rules_tell_cycles(const struct story *s);
void rules_tell_races(const struct story *s);
