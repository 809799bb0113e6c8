/* Evidence out of a document that another process wrote: a file of `tactus protocol verify --json`.
 * Anything may stand in it; a text that is missing is empty. */
#include "base/check.h"
#include "protocol/evidence/described.h"
#include "protocol/evidence/evidence.h"
#include <string.h>

/* A rule and the one that it disagrees with. Where an effect is missing it disallows. */
static void settle(const tac_protocol_reason *read, const json_t *json, bool alone)
{
    tac_protocol_reason *reason = (tac_protocol_reason *)(uintptr_t)read;
    const char *effect = json_string_value(json_object_get(json, "effect"));
    if (!reason)
        return;
    if (!effect || strcmp(effect, tac_rule_effect_name(reason->effect)) != 0)
        reason->effect = TAC_RULE_DISALLOWS;
    if (reason->in && !reason->words)
        reason->words = "";
    if (alone)
        reason->against = NULL;
    else
        settle(reason->against, json_object_get(json, "against"), true);
}

/* False when it is not a witness. */
static bool read_witness(const json_t *json, tac_protocol_witness *out, tac_arena *memory)
{
    const json_t *violation = json_object_get(json, "violation");
    describe_read(&protocol_witness_described, json, memory, out);
    settle(out->violation.prohibited_by, json_object_get(violation, "prohibited_by"), false);
    for (size_t i = 0; i < out->count; i++) { /* what was recorded has the number of its message */
        const json_t *read = json_array_get(json_object_get(json, "witness"), i);
        tac_protocol_step *step = &((tac_protocol_step *)(uintptr_t)out->steps)[i];
        step->assumed = !json_is_integer(json_object_get(read, "message_id"));
        settle(step->enabled_by, json_object_get(read, "enabled_by"), false);
    }
    return out->count && json_is_object(violation);
}

tac_status tac_protocol_witness_read(const json_t *document, tac_protocol_result *out,
                                     tac_error *err)
{
    const json_t *list = json_object_get(document, "witnesses");
    size_t count = json_array_size(list);
    tac_protocol_result result = {.safety = TAC_UNSAFE, .memory = evidence_memory()};
    tac_protocol_witness *witness = tac_arena_calloc(result.memory, 1, sizeof *witness);
    tac_protocol_witness *witnesses = tac_arena_calloc(result.memory, count, sizeof *witnesses);
    if (!read_witness(document, witness, result.memory)) {
        tac_protocol_result_free(&result);
        return tac_fail(err, TAC_E_INPUT, "there is no witness: nothing was predicted");
    }
    for (size_t i = 0; i < count; i++)
        result.witness_count +=
            read_witness(json_array_get(list, i), &witnesses[result.witness_count], result.memory);
    result.witness = witness;
    result.witnesses = witnesses;
    result.every_witness = json_is_array(list);
    assert(result.witness_count <= count);
    *out = result;
    return TAC_OK;
}
