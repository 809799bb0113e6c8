/* What one can do with whole interaction models: draw them, exchange them with other tools, merge,
 * abstract and compare them. Models are borrowed unless said otherwise; a `tac_model **out` is the
 * caller's (tac_model_free). */
#ifndef TACTUS_MODEL_TOOLS_H
#define TACTUS_MODEL_TOOLS_H

#include "tactus/model.h"
#include "tactus/verdict.h"
#include <jansson.h>

/* {"devices","applications","activities","machines","states","connections","finals","transitions",
 * "events"}; the caller's. */
json_t *tac_model_statistics_json(const tac_model *model);
/* How a loaded model did: holds, with its size and the number of warnings. */
void tac_model_check_verdict(const tac_model *model, const tac_diagnostics *findings,
                             tac_verdict *out);

#endif
