/* Evidence out of a document that another process wrote: a file of `tactus protocol verify --json`,
 * or the answer of a worker. Anything may stand in it; a text that is missing is empty. */
#include "base/check.h"
#include "protocol/evidence/evidence.h"
#include <string.h>

enum { MOST_REASONS = 2 }; /* a rule and the one that it disagrees with */

static const char *text_in(const json_t *object, const char *key, tac_arena *memory)
{
    const char *text = json_string_value(json_object_get(object, key));
    return tac_arena_strdup(memory, text ? text : "");
}

static const char *text_or_null(const json_t *object, const char *key, tac_arena *memory)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? tac_arena_strdup(memory, text) : NULL;
}

static size_t number_in(const json_t *object, const char *key)
{
    json_int_t number = json_integer_value(json_object_get(object, key));
    return number > 0 ? (size_t)number : 0;
}

static const tac_protocol_message *read_message(const json_t *json, tac_arena *memory)
{
    if (!json_is_object(json))
        return NULL;
    tac_protocol_message *message = tac_arena_alloc(memory, sizeof *message);
    *message = (tac_protocol_message){
        .message = text_in(json, "message", memory),
        .words = text_in(json, "words", memory),
        .index = number_in(json, "index"),
        .id = (uint64_t)json_integer_value(json_object_get(json, "id")),
        .event = text_in(json, "event", memory),
        .event_index = number_in(json, "event_index"),
        .line = text_or_null(json, "line", memory),
        .exception = text_or_null(json, "exception", memory),
    };
    return message;
}

static tac_rule_effect read_effect(const json_t *json)
{
    const char *word = json_string_value(json_object_get(json, "effect"));
    for (int i = TAC_RULE_ENABLES; word && i < TAC_RULE_DISALLOWS; i++)
        if (!strcmp(word, tac_rule_effect_name((tac_rule_effect)i)))
            return (tac_rule_effect)i;
    return TAC_RULE_DISALLOWS;
}

static const tac_protocol_reason *read_reason(const json_t *json, unsigned depth, tac_arena *memory)
{
    if (!json_is_object(json) || depth == MOST_REASONS)
        return NULL;
    tac_protocol_reason *reason = tac_arena_alloc(memory, sizeof *reason);
    size_t in = number_in(json, "in");
    *reason = (tac_protocol_reason){
        .rule = text_in(json, "rule", memory),
        .fired_by = text_in(json, "fired_by", memory),
        .effect = read_effect(json),
        .text = text_in(json, "text", memory),
        .words = in ? text_in(json, "words", memory) : NULL,
        .line = text_or_null(json, "line", memory),
        .in = in,
        .fired_at = read_message(json_object_get(json, "fired_at"), memory),
        .against = read_reason(json_object_get(json, "against"), depth + 1, memory),
        .about = text_or_null(json, "about", memory),
    };
    return reason;
}

static void read_step(const json_t *json, tac_protocol_step *out, tac_arena *memory)
{
    const json_t *id = json_object_get(json, "message_id");
    *out = (tac_protocol_step){
        .event = text_in(json, "event", memory),
        .callback = text_in(json, "callback", memory),
        .assumed = !json_is_integer(id), /* what was recorded has the number of its message */
        .other_thread = json_is_true(json_object_get(json, "other_thread")),
        .recorded_as = number_in(json, "recorded_as"),
        .message_id = (uint64_t)json_integer_value(id),
        .enabled_by = read_reason(json_object_get(json, "enabled_by"), 0, memory),
    };
}

/* False when it is not a witness. */
static bool read_witness(const json_t *json, tac_protocol_witness *out, tac_arena *memory)
{
    const json_t *list = json_object_get(json, "witness");
    const json_t *violation = json_object_get(json, "violation");
    size_t count = json_array_size(list);
    if (!count || !json_is_object(violation))
        return false;
    tac_protocol_step *steps = tac_arena_calloc(memory, count, sizeof *steps);
    for (size_t i = 0; i < count; i++)
        read_step(json_array_get(list, i), &steps[i], memory);
    *out = (tac_protocol_witness){
        .steps = steps,
        .count = count,
        .violation = {
            .message = text_in(violation, "message", memory),
            .words = text_in(violation, "words", memory),
            .in = number_in(violation, "in"),
            .line = text_or_null(violation, "line", memory),
            .prohibited_by = read_reason(json_object_get(violation, "prohibited_by"), 0, memory),
        }};
    return true;
}

void evidence_read(const json_t *document, tac_protocol_result *out)
{
    const json_t *list = json_object_get(document, "witnesses");
    size_t count = json_array_size(list);
    assert(!out->witness && !out->witness_count);
    if (!out->memory)
        out->memory = evidence_memory();
    tac_protocol_witness *witness = tac_arena_alloc(out->memory, sizeof *witness);
    tac_protocol_witness *witnesses = tac_arena_calloc(out->memory, count + 1, sizeof *witnesses);
    out->left_out = text_or_null(document, "left_out", out->memory);
    out->refused = read_message(json_object_get(document, "refused"), out->memory);
    out->because = read_reason(json_object_get(document, "because"), 0, out->memory);
    if (read_witness(document, witness, out->memory))
        out->witness = witness;
    for (size_t i = 0; i < count; i++)
        out->witness_count +=
            read_witness(json_array_get(list, i), &witnesses[out->witness_count], out->memory);
    out->witnesses = witnesses;
    out->every_witness = json_is_array(list);
    assert(out->witness_count <= count);
}

tac_status tac_protocol_witness_read(const json_t *document, tac_protocol_result *out,
                                     tac_error *err)
{
    tac_protocol_result result = {.safety = TAC_UNSAFE};
    evidence_read(document, &result);
    if (!result.witness) {
        tac_protocol_result_free(&result);
        return tac_fail(err, TAC_E_INPUT, "there is no witness: nothing was predicted");
    }
    *out = result;
    return TAC_OK;
}
