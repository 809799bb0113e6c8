/* Regular expressions over the letters of a recording, hash-consed, and their automata.
 *
 * Terms are numbers into a store; equal numbers mean terms that are equal up to associativity,
 * commutativity and idempotence of union and intersection and the usual units, so that taking
 * derivatives (Brzozowski 1964, Owens et al. 2009) reaches finitely many terms. A single-message
 * predicate is a set of letters or the complement of one; TRUE is the complement of the empty set.
 * '!' complements a language, as in the rule files. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "tactus/error.h"
#include <stdbool.h>
#include <stdint.h>

/* Terms with fixed numbers. */
enum { TERM_EMPTY, TERM_EPSILON, TERM_ANY, TERM_ALL };

enum term_kind {
    TERM_KIND_EMPTY,
    TERM_KIND_EPSILON,
    TERM_KIND_ALL, /* every word */
    TERM_KIND_ONE, /* left: set number; right: 1 when complemented */
    TERM_KIND_SEQ,
    TERM_KIND_AND,
    TERM_KIND_OR,
    TERM_KIND_NOT,
    TERM_KIND_STAR
};

/* How many terms a term of this kind has below it: none, left, or left and right. */
static inline unsigned term_operands(enum term_kind kind)
{
    switch (kind) {
    case TERM_KIND_EMPTY:
    case TERM_KIND_EPSILON:
    case TERM_KIND_ALL:
    case TERM_KIND_ONE:
        return 0;
    case TERM_KIND_NOT:
    case TERM_KIND_STAR:
        return 1;
    case TERM_KIND_SEQ:
    case TERM_KIND_AND:
    case TERM_KIND_OR:
        break;
    }
    return 2;
}

struct term {
    enum term_kind kind;
    bool nullable;
    uint32_t left, right;
};

/* A letter that no rule mentions. */
#define LETTER_OTHER (TAC_NONE - 1)

struct regex_store {
    TAC_VEC(struct term) terms;
    tac_names term_keys;
    tac_names sets;         /* sorted arrays of uint32_t, as bytes */
    tac_u64map derivatives; /* term << 32 | letter -> term */
};

void regex_init(struct regex_store *store);
void regex_free(struct regex_store *store);

/* letters need not be sorted or unique; the array is sorted in place. */
uint32_t regex_set(struct regex_store *store, uint32_t *letters, size_t count);
uint32_t regex_seq(struct regex_store *store, uint32_t left, uint32_t right);
uint32_t regex_and(struct regex_store *store, uint32_t left, uint32_t right);
uint32_t regex_or(struct regex_store *store, uint32_t left, uint32_t right);
uint32_t regex_not(struct regex_store *store, uint32_t term);
uint32_t regex_star(struct regex_store *store, uint32_t term);
/* What remains of the term's words after `letter` (which may be LETTER_OTHER). */
uint32_t regex_derivative(struct regex_store *store, uint32_t term, uint32_t letter);
static inline bool regex_nullable(const struct regex_store *store, uint32_t term)
{
    return store->terms.at[term].nullable;
}
typedef TAC_VEC(uint32_t) u32_vec;
/* The letters that occur in the term, sorted, appended to out. */
void regex_letters(const struct regex_store *store, uint32_t term, u32_vec *out);

/* A deterministic automaton with its output on the edges (a Mealy machine): fires[s * classes + c]
 * tells whether the rule fires on a letter of class c in state s. Minimal. Class 0 holds every
 * letter that the term does not mention. */
struct automaton {
    uint32_t states, classes, initial;
    bool fires_at_start;
    uint32_t *next;                   /* states * classes */
    uint8_t *fires;                   /* states * classes */
    uint32_t *letters, *letter_class; /* sorted letters and their classes */
    uint32_t letter_count;
};

#define AUTOMATON_MAX_STATES 20000
#define AUTOMATON_MAX_TERMS 2000000 /* that one rule adds to the store */

/* TAC_E_LIMIT past AUTOMATON_MAX_STATES; the message has no place (the caller knows the rule). */
tac_status automaton_build(struct regex_store *store, uint32_t term, struct automaton *out,
                           tac_error *err);
void automaton_free(struct automaton *automaton);
uint32_t automaton_class(const struct automaton *automaton, uint32_t letter);
