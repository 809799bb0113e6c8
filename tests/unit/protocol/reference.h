/* A slow, direct reading of protocols, for small problems. It knows nothing of the library: it
 * tries every value for every variable, decides by the definition whether a whole history matches
 * an expression, and enumerates every sequence of events up to a depth.
 *
 * Methods 0 and 1 are callbacks, 2 and 3 are call-ins. A letter is method, object, exit:
 * (method * OBJECTS + object) * 2 + exit. */
#ifndef PROTOCOL_REFERENCE_H
#define PROTOCOL_REFERENCE_H

#include <stdbool.h>

enum {
    METHODS = 4,
    OBJECTS = 2,
    LETTERS = METHODS * OBJECTS * 2,
    NODES = 24,
    RULES = 5,
    EVENTS = 3
};
enum { HISTORY = 16, DEPTH = 4, BOTTOM = OBJECTS };
enum kind { ATOM, ANY, NONE, SEQ, AND, OR, NOT, STAR };

struct node {
    enum kind kind;
    int left, right;
    int method, variable; /* variable 0, 1, or 2 for '#' */
    bool exit;
};

struct rule {
    struct node nodes[NODES];
    int count, body, target;
    bool permits;
};

struct instance {
    struct rule rules[RULES];
    int rule_count;
    int events[EVENTS][4], lengths[EVENTS], event_count;
    bool sent[LETTERS];
    bool paper;
};

/* A ground rule: per node the letters it means. */
struct ground {
    const struct rule *rule;
    bool letters[NODES][LETTERS];
    int target;
};

struct reference {
    const struct instance *instance;
    struct ground ground[RULES * 9 * LETTERS];
    int ground_count;
    int history[HISTORY + 1], length;
    bool blocked[LETTERS], doomed;
    int shortest;
};

/* Fills `ground` from the rules of the instance. */
void reference_ground(struct reference *f);

enum end { GOES_ON, STOPS, VIOLATES, CONFLICTS };

/* Applies the rules to the history so far: the start of every reading. */
enum end reference_settle(struct reference *f);
/* One message more. */
enum end reference_read(struct reference *f, int letter);
/* Every sequence of events up to DEPTH, after `depth` of them; sets `shortest`. */
void reference_enumerate(struct reference *f, int depth);
/* The recording itself: how it ends, and at which message (from 1). */
enum end reference_walk(struct reference *f, int *message);

#endif
