/* The document of "rules check", described; docs/rules.md explains it. Its context is the rules. */
#pragma once

#include "base/describe/describe.h"
#include "rules/findings/findings.h"

/* Also the context of names. */
struct rules_document {
    const tac_rules *rules;
    const tac_rules_findings *findings;
    bool paths; /* are shown */
};

/* With more variables only those that matter are told. */
#define MANY_VARIABLES 1000

/* A value of an input. */
struct rules_value {
    const char *name;
    bool on;
};

DESCRIBED(rules_app, tac_rules);
DESCRIBED(rules_document, struct rules_document);
DESCRIBED(rules_state, struct rules_state);
DESCRIBED(rules_hazards, tac_rules_hazards);
DESCRIBED(rules_count, tac_rules_count);
DESCRIBED(rules_value, struct rules_value);

/* Whether some input of a state never rests, or races. */
struct rules_existence {
    const tac_rules_witness *witness;
    tac_rules_existence exists;
    int64_t none_up_to; /* -1: that is not known, or all is */
    uint32_t state;
    bool race;
};

/* One state. */
struct rules_state {
    const char *name;
    uint32_t index;
    const tac_rules_state_findings *found;
    bool table2, witnesses;
    struct rules_existence cycle, race;
};

/* Names by number; TAC_RULES_NONE has none. */
const char *rules_state_name(uint64_t state, struct field_value *with);
const char *rules_rule_name(uint64_t rule, struct field_value *with);
const char *rules_group_name(uint64_t group, struct field_value *with);
/* The values of an input, one '0' or '1' per variable: all, or with very many variables those that
 * the cube (may be NULL) names. */
void rules_show_input(const char *values, const char *cube, struct field_value *out);
const char *rules_shown_count(const tac_rules_count *count, struct field_value *out);
