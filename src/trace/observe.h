/* Observables: what is read from every screen. A property file declares them (`observe items =
 * texts(css:".todo li")`), a device reads them, a trace holds them as variables.
 *
 * A selector matches visible elements only. Where none matches, `count` is 0, `texts` is the empty
 * list and `visible` is false; the other observables have no value then. */
#pragma once

#include "tactus/trace.h"

typedef enum tac_observe_kind {
    TAC_OBSERVE_TEXT,    /* the text of the first match; its descendants' where it has none */
    TAC_OBSERVE_TEXTS,   /* the texts of all matches, in document order */
    TAC_OBSERVE_NUMBER,  /* the first number in the text of the first match */
    TAC_OBSERVE_VALUE,   /* what the first match, a field, holds */
    TAC_OBSERVE_COUNT,   /* how many match */
    TAC_OBSERVE_VISIBLE, /* whether any matches */
    TAC_OBSERVE_ENABLED, /* of the first match */
    TAC_OBSERVE_CHECKED,
    TAC_OBSERVE_ATTRIBUTE /* of the first match; no value where it has no such attribute */
} tac_observe_kind;
enum { TAC_OBSERVE_KINDS = TAC_OBSERVE_ATTRIBUTE + 1 };

typedef struct tac_observable {
    const char *name; /* of the variable */
    tac_observe_kind kind;
    const char *xpath, *css; /* one of them; the other is NULL */
    const char *attribute;   /* TAC_OBSERVE_ATTRIBUTE only, else NULL */
} tac_observable;

/* A reading. text: as the trace has it, a list as tac_trace_list writes it, a boolean as "true" or
 * "false"; NULL for numbers and where there is no value. */
typedef struct tac_observed {
    bool missing;
    double number; /* NaN when missing, and for texts */
    char *text;    /* owned by whoever made the reading */
} tac_observed;

/* "texts", "attribute", ...; static. */
const char *tac_observe_word(tac_observe_kind kind);
/* The variable of a trace that holds it; the name is borrowed. */
tac_trace_variable tac_observable_variable(const tac_observable *observable);
/* Frees the texts of readings, and sets all to missing. */
void tac_observed_clear(tac_observed *values, size_t count);
