/* Names in rules that the recording has almost: a typo in a rule makes it silently mean nothing. */
#pragma once

#include "protocol/spec/spec.h"

enum miss_kind {
    MISS_METHOD,    /* another method of the same class is spelled almost so */
    MISS_CLASS,     /* the method exists, in a class that is spelled almost so */
    MISS_RETURN,    /* the same method and types, another return type */
    MISS_VALUE,     /* an exit with a value where the rule has none, or the other way round */
    MISS_ALIAS,     /* an ALIASES name that stands for nothing in its rule */
    MISS_ALIAS_NEAR /* the same, and something in the rule is spelled almost so */
};

struct near_miss {
    enum miss_kind kind;
    uint32_t file, line, column;
    char *written, *recorded; /* owned; recorded may be NULL */
};

typedef TAC_VEC(struct near_miss) near_misses;

/* Near misses in the order of the files; each place and name once. recording may be NULL: then only
 * aliases are looked at. */
void spelling_check(const struct spec_set *set, const struct recording *recording,
                    near_misses *out);
/* One sentence for people. */
void near_miss_text(const struct near_miss *miss, tac_str *out);
void near_misses_free(near_misses *list);
