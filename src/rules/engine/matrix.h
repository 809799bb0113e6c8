/* Private: explicit sets of inputs. An input is a number, variable v is its bit v; a set is one bit
 * per input. Sixty-four inputs are evaluated at once. */
#pragma once

#include "base/bdd/bdd.h"
#include "base/data/bits.h"
#include "rules/engine/diagram.h"
#include "tactus/rules.h"

#define MATRIX_MAX_VARIABLES 26u
#define MATRIX_DEFAULT_BYTES ((size_t)1 << 30)

struct matrix {
    const tac_rules *rules;
    uint32_t variables;
    uint64_t inputs; /* 2^variables */
    size_t words;    /* of one set */
    uint64_t **rule; /* by rule: inputs that satisfy its predicate */
    uint64_t *valid;
    uint32_t *target; /* by (state, input): index of the set of triggered edges */
};

/* TAC_E_LIMIT when there are too many variables or it does not fit max_bytes. */
tac_status rules_matrix_open(struct matrix *matrix, const tac_rules *rules, bool ignore_constraints,
                             size_t max_bytes, size_t extra_bytes, tac_error *err);
void rules_matrix_close(struct matrix *matrix);
/* A set of its own, for any predicate; the caller's. */
uint64_t *rules_matrix_predicate(struct matrix *matrix, tac_rules_predicate predicate);
/* A pair is a state and an input: state * inputs + input. The edges that fire together there, of
 * one priority; constraints play no part. edges has room for all of the state. */
size_t rules_matrix_fired(const struct matrix *matrix, uint64_t pair, uint32_t *edges);
/* The pair that an edge leads to. */
uint64_t rules_matrix_after(const struct matrix *matrix, uint64_t pair, uint32_t edge);
