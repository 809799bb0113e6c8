/* Small edits that remove a finding. */
#ifndef TAC_AUTOMATION_REPAIR_H
#define TAC_AUTOMATION_REPAIR_H

#include "automation/model/model.h"

/* Adds the repairs that, when the file is read again with them, remove the finding and add none. */
void repair_propose(const tac_automation_model *model, const tac_automation_options *options,
                    tac_automation_finding *finding);

#endif
