/* Private to the two files about windows: which variables are tied together by constraints. */
#pragma once

#include "base/data/arena.h"
#include "rules/engine/diagram.h"

struct components {
    uint32_t count;
    uint32_t *of;              /* variable -> component */
    uint32_t *first, *members; /* variables of component c: members[first[c] .. first[c+1]-1] */
    uint32_t *first_constraint, *constraints;
    mpz_t *counts; /* valid inputs of a component = counts * 2^shifts */
    uint64_t *shifts;
    char *some_input; /* a valid one, a '0' or '1' for each variable */
    mpz_t total;
    uint64_t total_shift;
    tac_arena memory; /* of these arrays */
};
