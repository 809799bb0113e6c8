/* Contracts that check themselves.
 *
 * assert(x) states an invariant that costs nothing to look at: an index in range, times in order,
 * an owner that is set. It is on in every build, so it stands outside innermost loops.
 * assert_costly(x) states one that takes work (an automaton accepts what it accepted before, a
 * suite covers what it claims): it is evaluated only in the checking build, meson's -Dchecks=true,
 * which CI's sanitizer build is. Neither is a way to refuse input: what a file, a device or a
 * caller of the library can get wrong is a tac_status. */
#pragma once

#include <assert.h>
#include <stddef.h>

#ifdef TAC_CHECKS
#define assert_costly(x) assert(x)
#else
#define assert_costly(x) ((void)(0 && (x))) /* compiled, never evaluated */
#endif

/* A table that a kind indexes has a row for each: one that ends before the enum does, or after,
 * does not compile. `last` is the enum's last kind; tests/check_enums.py holds that. */
#define TABLE_COVERS(table, last)                                                                  \
    static_assert(sizeof(table) / sizeof *(table) == (size_t)(last) + 1,                           \
                  #table " has another number of rows than there are kinds")
