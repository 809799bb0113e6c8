#include "automation/model/load.h"
tac_status tasker_read(tac_automation_model *model, const char *path, tac_error *err)
{
    (void)model;
    return tac_fail_at(err, TAC_E_INPUT, path, 1, 0, "Tasker exports are not read yet");
}
