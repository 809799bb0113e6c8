/* What other modules use of this one beside tactus/protocol_result.h. */
#pragma once

#include "tactus/protocol_result.h"

const char *tac_rule_effect_name(tac_rule_effect effect); /* "enables", ... */

const char *tac_admission_name(tac_admission admission); /* "OK", "STUCK", ... */

const char *tac_safety_name(tac_safety safety); /* "UNKNOWN", "SAFE", ... */

/* How many of the calls are so. */
size_t tac_protocol_result_count(const tac_protocol_result *result, tac_safety safety);

/* {"witness_events", "witness", "violation"}; the caller's. */
json_t *tac_protocol_witness_json(const tac_protocol_witness *witness);
/* The witnesses of a document of verify that another process wrote: witness, witnesses and safety
 * of an otherwise empty result. TAC_E_INPUT when it has none. */
tac_status tac_protocol_witness_read(const json_t *document, tac_protocol_result *out,
                                     tac_error *err);

/* Results for people, as the commands print it. */
void tac_protocol_validate_text(const tac_protocol_result *result, const char *trace, FILE *out);
void tac_protocol_verify_text(const tac_protocol_result *result, const char *trace, bool verbose,
                              FILE *out);

typedef struct tac_protocol_event {
    const char *event;
    size_t recorded_as; /* from 1; behind the recorded ones where it is assumed */
    bool assumed;
} tac_protocol_event;

/* A shortest sequence of events that one rule set admits and the other refuses at the last. */
typedef struct tac_protocol_difference {
    const tac_protocol_event *events;
    size_t count;
    const char *refused; /* the message, in words; NULL: everything, from the start */
    tac_admission result;
    const tac_protocol_reason *because;
} tac_protocol_difference;

/* Of compare. Inconclusive: not decided within the limit on states, or rules were left out. */
typedef struct tac_protocol_comparison {
    tac_answer a_admits_all_of_b, b_admits_all_of_a;
    const tac_protocol_difference *only_a, *only_b; /* NULL: none, or none was found */
    size_t states;
    size_t assumed_callbacks;
    const char *left_out; /* as in a result, of either side */
    struct tac_arena *memory;
} tac_protocol_comparison;

void tac_protocol_comparison_free(tac_protocol_comparison *comparison);
void tac_protocol_compare_text(const tac_protocol_comparison *comparison, const char *trace,
                               FILE *out);
