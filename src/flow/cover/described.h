/* The document of `tactus flow cover`, described. */
#ifndef TAC_FLOW_COVER_DESCRIBED_H
#define TAC_FLOW_COVER_DESCRIBED_H

#include "base/describe/describe.h"
#include "tactus/flow.h"

struct flow_suite {
    const char *goal;
    const tac_cover_suite *suite;
};
DESCRIBED(flow_suite, struct flow_suite);

#endif
