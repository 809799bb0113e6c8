/* The document of `tactus flow count`, described. */
#pragma once

#include "base/describe/describe.h"
#include "flow/flow.h"

/* The counts are either the witnesses or the others; context: the counts. */
struct flow_counted {
    const tac_flow_counts *witnesses, *counts;
    const char *orders;            /* tac_flow_orders */
    const tac_flow_effort *effort; /* NULL: not asked for */
};
DESCRIBED(flow_counted, struct flow_counted);
