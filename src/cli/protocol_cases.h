/* What the protocol commands found, as cases for pipelines. */
#pragma once

#include "cli/pipeline.h"
#include "protocol/protocol.h"
#include "replay/replay.h"

/* A case per call that the rules disallow, of `tactus protocol verify`. The result has a witness of
 * each (tac_protocol_options.every_witness). */
tac_status protocol_cases_verified(const struct invocation *in, const tac_protocol_result *result,
                                   tac_error *err);
/* The same of many recordings. */
tac_status protocol_cases_corpus(const struct invocation *in, const tac_protocol_table *table,
                                 tac_error *err);
/* A case per predicted violation that was replayed, of `tactus protocol hunt`. */
tac_status protocol_cases_hunted(const struct invocation *in, const tac_hunt *hunt, tac_error *err);
/* The one case of `tactus protocol replay`. */
tac_status protocol_cases_replayed(const struct invocation *in, const tac_protocol_witness *witness,
                                   const tac_replay *replay, tac_error *err);
