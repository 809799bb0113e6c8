/* Small edits that remove a finding. */
#pragma once

#include "automation/model/model.h"

/* Gives each finding the repairs that, when its file is read again with them, remove it and add
 * no other. Files are only read. */
void repair_all(const tac_automation_model *model, tac_automation_finding *findings, size_t count,
                tac_watch *watch);
