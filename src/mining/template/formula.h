/* Formulas of user-written templates: temporal logic over the events of a finite run.
 *
 * A name that is a state or an input of the runs stands for itself, any other for every one of them
 * in turn. At the end of a run there is no next event: X is false there, G and F look at what is
 * left. */
#pragma once

#include "base/data/vec.h"
#include "mining/runs/runs.h"

enum formula_kind {
    FORMULA_TRUE,
    FORMULA_FALSE,
    FORMULA_TOKEN, /* the event is this token */
    FORMULA_PLACE, /* the event is what the placeholder stands for */
    FORMULA_NOT,
    FORMULA_AND,
    FORMULA_OR,
    FORMULA_IMPLIES,
    FORMULA_SAME, /* <-> */
    FORMULA_NEXT,
    FORMULA_EVENTUALLY,
    FORMULA_ALWAYS,
    FORMULA_UNTIL,
    FORMULA_WEAK /* weak until */
};

struct formula_node {
    enum formula_kind kind;
    uint32_t left, right;  /* nodes; operands come before what is made of them */
    uint32_t token, place; /* TOKEN; PLACE: number of the placeholder */
};

enum { MOST_PLACES = 3, MOST_NODES = 64 };

struct formula {
    const char *text;
    TAC_VEC(struct formula_node) nodes; /* the last one is the formula */
    tac_names places;
};

/* The text stays the caller's. */
tac_status formula_parse(const struct tac_runs *runs, const char *text, struct formula *out,
                         tac_error *err);
void formula_free(struct formula *formula);
/* Whether the formula holds at the first of `count` events when placeholder i is tokens[i];
 * TAC_NONE is a token that does not occur. `scratch` has count + 1 bytes for each node. */
bool formula_holds(const struct formula *formula, const uint32_t *events, size_t count,
                   const uint32_t *tokens, uint8_t *scratch);
/* The text with the placeholders replaced; the caller's. */
char *formula_instance(const struct formula *formula, const struct tac_runs *runs,
                       const uint32_t *tokens);
