/* The documents about models, described: `tactus model check` and `tactus model diff`. */
#pragma once

#include "base/describe/describe.h"
#include "model/tools.h"

DESCRIBED(model_statistics, tac_model_statistics);
DESCRIBED(model_differences, tac_model_differences);
