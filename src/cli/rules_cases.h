/* The faults of a rule set as cases for pipelines, each at the lines of its rules. */
#pragma once

#include "cli/pipeline.h"
#include "tactus/rules.h"

void rules_cases(struct pipeline *cases, const tac_rules *rules,
                 const tac_rules_findings *findings);
