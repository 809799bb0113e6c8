/* The typed answers of the questions about protocols: what programs decide by. */
#include "base/check.h"
#include "protocol/evidence/evidence.h"

void tac_protocol_result_free(tac_protocol_result *result)
{
    if (!result)
        return;
    evidence_memory_free(result->memory);
    tac_verdict_free(&result->verdict);
    *result = (tac_protocol_result){0};
}

void tac_protocol_check_free(tac_protocol_check *check)
{
    if (!check)
        return;
    evidence_memory_free(check->memory);
    tac_verdict_free(&check->verdict);
    *check = (tac_protocol_check){0};
}

void tac_protocol_comparison_free(tac_protocol_comparison *comparison)
{
    if (!comparison)
        return;
    evidence_memory_free(comparison->memory);
    *comparison = (tac_protocol_comparison){0};
}

size_t tac_protocol_result_count(const tac_protocol_result *result, tac_safety safety)
{
    size_t count = 0;
    for (size_t i = 0; i < result->call_count; i++)
        count += result->calls[i].safety == safety;
    assert(count <= result->call_count);
    return count;
}
