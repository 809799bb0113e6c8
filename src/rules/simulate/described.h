/* The document of "rules simulate", described. */
#ifndef TAC_RULES_SIMULATE_DESCRIBED_H
#define TAC_RULES_SIMULATE_DESCRIBED_H

#include "rules/findings/document.h"

struct rules_told {
    struct rules_document given; /* first: the names are its */
    const tac_rules_timeline *timeline;
};
DESCRIBED(rules_told, struct rules_told);

#endif
