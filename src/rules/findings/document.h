/* Parts of the JSON document of "rules check"; every value is the caller's. docs/rules.md has its
 * keys. */
#ifndef TAC_RULES_FINDINGS_DOCUMENT_H
#define TAC_RULES_FINDINGS_DOCUMENT_H

#include "rules/findings/findings.h"

/* With more variables only those that matter are told. */
#define MANY_VARIABLES 1000

json_t *rules_state_name_json(const tac_rules *rules, uint32_t state);
json_t *rules_state_names_json(const tac_rules *rules, const uint32_t *names, size_t count);
json_t *rules_rule_names_json(const tac_rules *rules, const uint32_t *names, size_t count);
/* {"A_gps": true, ...}; with very many variables only those that the cube (may be NULL) names. */
json_t *rules_input_json(const tac_rules *rules, const char *values, const char *cube);
json_t *rules_state_json(const tac_rules *rules, const tac_rules_findings *f, uint32_t i);
/* null where they are not known. */
json_t *rules_hazards_json(const tac_rules *rules, const tac_rules_hazards *h);

#endif
