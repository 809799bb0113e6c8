/* What is known of a protocol, described: evidence, the documents of `tactus protocol`, and what a
 * process of the pool sends to its parent. */
#pragma once

#include "base/describe/describe.h"
#include "protocol/protocol.h"
#include "protocol/result.h"

DESCRIBED(protocol_reason, tac_protocol_reason);
DESCRIBED(protocol_step, tac_protocol_step);
DESCRIBED(protocol_violation, tac_protocol_violation);
DESCRIBED(protocol_witness, tac_protocol_witness);
DESCRIBED(protocol_validate, tac_protocol_result);
DESCRIBED(protocol_verify, tac_protocol_result);
DESCRIBED(protocol_result, tac_protocol_result); /* packed */
DESCRIBED(protocol_check, tac_protocol_check);
DESCRIBED(protocol_comparison, tac_protocol_comparison);
DESCRIBED(protocol_table, tac_protocol_table);
