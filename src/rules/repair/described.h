/* The document of "rules repair", described. */
#pragma once

#include "rules/findings/document.h"

struct rules_repaired {
    struct rules_document given; /* first: the names are its */
    const char *fault;
    const tac_rules_repairs *repairs;
};
DESCRIBED(rules_repaired, struct rules_repaired);
