/* Private: predicates as text. */
#ifndef TAC_RULES_WRITE_H
#define TAC_RULES_WRITE_H

#include "tactus/rules.h"

/* In the rule language, with no more parentheses than it needs; the caller's. */
char *rules_predicate_text(const tac_rules *rules, tac_rules_predicate predicate);

#endif
