/* Flows of a callback to a file, in one of the two formats. */
#pragma once

#include "flow/flow.h"

struct flow_output {
    tac_flow_engine *engine;
    FILE *out;
    bool jsonl;
    uint64_t written;
    tac_status status;
    tac_error err;
};

/* A tac_flow_visit; the context is a struct flow_output. Stops at the first failure. */
bool flow_output_visit(void *context, const tac_flow_path *path);
