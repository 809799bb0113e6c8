/* Evidence as JSON: the parts that several documents have. All of it is the caller's. */
#ifndef TAC_PROTOCOL_EVIDENCE_JSON_H
#define TAC_PROTOCOL_EVIDENCE_JSON_H

#include "tactus/protocol_result.h"

/* NULL gives null. */
json_t *evidence_message_json(const tac_protocol_message *message);
/* {"rule", "fired_by", "effect", "text", ...}; NULL gives null. */
json_t *evidence_reason_json(const tac_protocol_reason *reason);
/* The value of "witness": the steps; none for NULL. */
json_t *evidence_steps_json(const tac_protocol_witness *witness);
/* The value of "violation". */
json_t *evidence_violation_json(const tac_protocol_violation *violation);
/* "truncated", "dropped_messages", "assumed_callbacks", "not_assumed", "other_threads" and
 * "warnings", added to a document. */
void evidence_add_reading(const tac_protocol_reading *reading, json_t *document);

#endif
