/* The typed answer of validate and verify: what programs decide by. */
#include "base/check.h"
#include "tactus/protocol.h"
#include <stdlib.h>

void tac_protocol_result_free(tac_protocol_result *result)
{
    if (!result)
        return;
    for (size_t i = 0; i < result->call_count; i++)
        free(result->calls[i].method);
    free(result->calls);
    free(result->refusing_rule);
    free(result->refused);
    free(result->predicted);
    tac_verdict_free(&result->verdict);
    *result = (tac_protocol_result){0};
}

size_t tac_protocol_result_count(const tac_protocol_result *result, tac_safety safety)
{
    size_t count = 0;
    for (size_t i = 0; i < result->call_count; i++)
        count += result->calls[i].safety == safety;
    assert(count <= result->call_count);
    return count;
}
