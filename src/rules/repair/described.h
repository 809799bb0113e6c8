/* The document of "rules repair", described. */
#ifndef TAC_RULES_REPAIR_DESCRIBED_H
#define TAC_RULES_REPAIR_DESCRIBED_H

#include "rules/findings/document.h"

struct rules_repaired {
    struct rules_document given; /* first: the names are its */
    const char *fault;
    const tac_rules_repairs *repairs;
};
DESCRIBED(rules_repaired, struct rules_repaired);

#endif
