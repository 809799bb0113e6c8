/* The ways through an automation's steps. */
#pragma once

#include "automation/model/model.h"

struct path_write {
    const struct step *step;
    double after; /* seconds since the start; -1: not known */
    bool perhaps; /* inside a repetition, which may have no turn */
};

struct path_demand {
    const struct cond *cond;
    bool want;
    bool late;     /* tested after a delay or a wait: what holds then is not known now */
    size_t writes; /* how many writes of the path came before it */
};

struct path_delay {
    double seconds; /* -1: not known, or a wait */
    bool wait;
    size_t writes;
    struct place place;
    const struct step *step;
};

struct path {
    TAC_VEC(struct path_demand) demands;
    TAC_VEC(struct path_write) writes;
    TAC_VEC(struct path_delay) delays;
    TAC_VEC(const struct step *) effects;
    size_t early_writes; /* writes before the first delay or wait */
    bool stopped;
};

struct path_list {
    struct path *at;
    size_t count, capacity;
    bool cut; /* there were more */
};

/* All ways from the start (the automation's own condition is the first demand). */
void paths_of(const struct automation *automation, struct path_list *out);
void paths_free(struct path_list *list);

/* The last early write to an entity's slot; NULL: none. */
const struct path_write *path_last(const struct path *path, size_t writes, uint32_t entity,
                                   const char *slot);
