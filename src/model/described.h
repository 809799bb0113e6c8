/* The documents about models, described: `tactus model check` and `tactus model diff`. */
#ifndef TAC_MODEL_DESCRIBED_H
#define TAC_MODEL_DESCRIBED_H

#include "base/describe/describe.h"
#include "tactus/model_tools.h"

DESCRIBED(model_statistics, tac_model_statistics);
DESCRIBED(model_differences, tac_model_differences);

#endif
