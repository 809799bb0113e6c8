/* What a condition was read from, for those who write it in other words. */
#pragma once

#include "property/property.h"

struct ast;
const tac_properties *condition_properties(const tac_condition *condition);
const struct ast *condition_body(const tac_condition *condition);
