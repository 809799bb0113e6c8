/* The document of "rules simulate", described. */
#pragma once

#include "rules/findings/document.h"

struct rules_told {
    struct rules_document given; /* first: the names are its */
    const tac_rules_timeline *timeline;
};
DESCRIBED(rules_told, struct rules_told);
