/* tactus.known: findings that a team knows, one a line, kept with its sources.
 *
 *     3f9c1a2b4d5e  known   until=2027-03-01  who=anna   # vendor bug, ticket 1234
 *     88aa01c2d3e4  intended                             # offline page has no menu
 *
 * What is known is shown apart and fails nothing until its date; what is intended is not shown. */
#pragma once

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "findings/identity.h"
#include "tactus/error.h"

struct known_finding {
    char id[FINDING_ID];
    bool intended, expired;           /* expired: its date has passed, it fails again */
    bool matched;                     /* something was asked for by its identity */
    const char *until, *who, *reason; /* "" when not told */
    size_t line;
};

struct known_list { /* zeroed: nothing is known */
    tac_arena texts;
    const char *path; /* NULL: there is no file */
    TAC_VEC(struct known_finding) at;
};

/* The file of the present folder, or of one above it up to the root of the repository; none is
 * fine. */
tac_status known_load(struct known_list *list, tac_error *err);
/* The line about an identity, marked as matched; NULL: it is not known. */
const struct known_finding *known_find(struct known_list *list, const char *id);
/* "known until 2027-03-01, anna: vendor bug"; of the list's texts. */
const char *known_text(struct known_list *list, const struct known_finding *finding);
/* Appends a line to the file, in the present folder where there is none. */
tac_status known_append(const struct known_list *list, const char *id, const char *reason,
                        tac_error *err);
void known_free(struct known_list *list);
