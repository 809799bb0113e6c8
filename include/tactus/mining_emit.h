/* Mined patterns as flow requirements: from what failing runs share back to flows that do it. */
#ifndef TACTUS_MINING_EMIT_H
#define TACTUS_MINING_EMIT_H

#include "tactus/api.h"
#include "tactus/mining.h"
#include "tactus/model.h"

TAC_BEGIN_DECLARATIONS

/* Writes CLUSTER-N.req.xml into the folder (made when absent) for the `limit` leading patterns of
 * each cluster. *skipped: patterns that are no sequence of transitions of the model. All of them
 * skipped is TAC_E_INPUT. */
tac_status tac_mine_requirements(const tac_runs *runs, const tac_mine_result *result, size_t limit,
                                 const tac_model *model, const char *folder, size_t *written,
                                 size_t *skipped, tac_error *err);

TAC_END_DECLARATIONS

#endif
