/* Ground rules: the rules of a set for the objects and values of one recording. */
#pragma once

#include "protocol/recording/recording.h"
#include "protocol/regex/regex.h"
#include "protocol/spec/spec.h"
#include "tactus/watch.h"

/* Why a model of its own refuses: the paper's causes of unsoundness (section 6, RQ3). */
enum model_cause {
    CAUSE_NONE,
    CAUSE_OUTSIDE_ACTIVE,
    CAUSE_LIFECYCLE,
    CAUSE_FRAGMENT_START,
    CAUSE_INTERLEAVING,
    CAUSE_NOT_CALLED
};

struct ground_rule {
    bool permits;
    enum model_cause cause; /* of a rule without a source */
    uint32_t term;          /* in grounding.regex */
    uint32_t target;        /* letter */
    uint32_t source;        /* index in spec_set.rules */
};

struct grounding {
    struct regex_store regex;
    TAC_VEC(struct ground_rule) rules;
};

/* Finds every ground rule. A call of the recording that ended in an exception takes part like the
 * others; messages of the tail do when asked for. TAC_E_LIMIT when a rule has too many instances.
 */
tac_status grounding_build(const struct spec_set *specs, const struct recording *recording,
                           bool with_tail, tac_watch *watch, struct grounding *out, tac_error *err);
void grounding_free(struct grounding *grounding);

/* Occurrences of messages by what a rule's atom says of them: (direction, signature, number of
 * values, has result). Messages with equal values and letter occur once. */
struct occurrence {
    uint32_t letter, call;
};

struct occurrence_index {
    tac_names keys; /* direction, signature, value count, has result */
    TAC_VEC(struct occurrence_list { TAC_VEC(struct occurrence) list; }) lists;
};

void occurrence_index_build(const struct recording *recording, bool with_tail,
                            struct occurrence_index *out);
void occurrence_index_free(struct occurrence_index *index);
/* NULL when there is none. */
const struct occurrence_list *occurrence_find(const struct occurrence_index *index,
                                              enum direction direction, uint32_t signature,
                                              uint32_t value_count, bool has_result);

/* The messages that one atom matches, grouped by the values they give to the atom's variables. */
struct atom_table {
    uint32_t variable_count;
    uint32_t *variables; /* indices of the rule's variables */
    tac_names rows;      /* values of the variables, as uint32_t[], to the row's number */
    TAC_VEC(struct atom_row { u32_vec letters; }) letters; /* per row */
    TAC_VEC(struct atom_lookup {
        uint32_t mask;  /* which of the atom's variables are given */
        tac_names keys; /* their values, to the number of a list of rows */
        TAC_VEC(struct atom_row) rows;
    })
    lookups; /* built on demand */
};

void atom_table_build(const struct recording *recording, const struct occurrence_list *list,
                      const struct spec_set *specs, const struct spec_inline *rule,
                      const struct spec_atom *atom, const u32_vec *variables,
                      struct atom_table *out);
void atom_table_free(struct atom_table *table);
/* The rows that agree with binding[] on the variables that are given there (not TAC_NONE); the
 * list is the table's. NULL when there are none. */
const u32_vec *atom_table_find(struct atom_table *table, const uint32_t *binding);
/* The row for a binding of all the atom's variables, or TAC_NONE. */
uint32_t atom_table_row(const struct atom_table *table, const uint32_t *binding);
