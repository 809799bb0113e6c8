/* Libraries that only some commands use, opened when the first of them is started.
 *
 * Linked in the ordinary way each would be mapped, relocated and initialised, with all that it
 * needs in turn, at the start of every command. A module that uses one keeps a struct of pointers
 * to the functions that it calls, in the order of their names, and opens the library before the
 * first call. The name that the library is found by is the one that the linker would have noted:
 * the build reads it from an object that is linked with all of them (src/meson.build).
 *
 * Invariant: all pointers of an open library are set, and it stays open until the program ends.
 * Cost: a lock per call of tac_late_open; none per call of the library. */
#pragma once

#include "tactus/error.h"
#include <pthread.h>
#include <stdbool.h>

struct tac_late {
    const char *file;         /* "libmicrohttpd.so.12" */
    const char *package;      /* of Debian */
    const char *const *names; /* of the functions, ended by NULL */
    void *calls;              /* a struct of that many pointers to functions, and nothing else */
    pthread_mutex_t lock;
    bool open;
};

/* Once is enough; any thread. TAC_E_MISSING when there is no such library. */
tac_status tac_late_open(struct tac_late *late, tac_error *err);

/* For a list of the functions, each as CALL(prefix, rest): members of the struct, and names. */
#define LATE_MEMBER(prefix, rest) __typeof__(prefix##rest) *rest;
#define LATE_NAME(prefix, rest) #prefix #rest,

/* Defines the function that opens one: LATE_OPEN(libpq_open, libpq, LIBPQ_CALLS, PQ). */
#define LATE_OPEN(open_it, functions, list, library)                                               \
    tac_status open_it(tac_error *err)                                                             \
    {                                                                                              \
        static const char *const names[] = {list(LATE_NAME) NULL};                                 \
        static struct tac_late late = {.file = SONAME_##library,                                   \
                                       .package = PACKAGE_##library,                               \
                                       .names = names,                                             \
                                       .calls = &functions,                                        \
                                       .lock = PTHREAD_MUTEX_INITIALIZER};                         \
        _Static_assert(sizeof names == sizeof functions + sizeof *names, "a name per pointer");    \
        return tac_late_open(&late, err);                                                          \
    }
