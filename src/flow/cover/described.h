/* The document of `tactus flow cover`, described. */
#pragma once

#include "base/describe/describe.h"
#include "tactus/flow.h"

struct flow_suite {
    const char *goal;
    const tac_cover_suite *suite;
};
DESCRIBED(flow_suite, struct flow_suite);
