/* The tables over many problems. */
#pragma once

#include "base/data/map.h"
#include "protocol/show/corpus_entry.h"
#include "protocol/show/triage.h"

enum { TABLE_MODELS = 4 };

/* What one model says about one method over all recordings. */
struct table_cell {
    bool present;
    size_t sensitive;         /* recordings that make the call */
    size_t admitted;          /* of those, admitted by the model's rules */
    size_t inadmissible;      /* not searched: the rules do not admit them */
    size_t verifiable;        /* searched, and without a defect that is known to be real */
    size_t verified;          /* of the verifiable */
    size_t bad;               /* verified although the defect is real */
    size_t real, wrong, open; /* alarms: on a real defect, false, nobody has looked */
};

struct table_row {
    char *method;                          /* NULL: the sum */
    struct table_cell cells[TABLE_MODELS]; /* by tac_protocol_model */
};

/* Recordings under one model of which at least so many steps are admitted. */
struct table_length {
    tac_protocol_model model;
    size_t at_least, traces, no_errors;
    tac_names rules;         /* that refused one */
    TAC_VEC(size_t) refused; /* how many each */
};

struct tac_protocol_table {
    bool validate;
    corpus_entries entries;
    struct triage triage;
    tac_names methods;                    /* of verify */
    TAC_VEC(struct table_row) rows;       /* by method, and the sum at the end */
    TAC_VEC(struct table_length) lengths; /* of validate */
};

/* Counts the entries, and marks the lines of the triage that one of them meets. */
void table_count(tac_protocol_table *table);
