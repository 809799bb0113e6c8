/* The system's questions for permissions: who asks, and how they are answered. */
#include "explore/permission.h"
#include "base/data/text.h"
#include <string.h>

bool permission_is_asked(const char *package)
{
    return TAC_IS_ONE_OF(package, "com.android.permissioncontroller",
                         "com.google.android.permissioncontroller", "com.android.packageinstaller");
}

const char *permission_button(bool deny)
{
    return deny ? "permission_deny" : "permission_allow";
}

tac_status permission_answer(tac_device *device, double deadline, bool *answered, tac_error *err)
{
    tac_foreground front;
    const tac_ui *ui;
    *answered = false;
    tac_status status = tac_device_foreground(device, 0, &front, err);
    if (status != TAC_OK || !permission_is_asked(front.package))
        return status;
    status = tac_device_snapshot(device, 0, &ui, err);
    char *xpath = NULL;
    for (uint32_t i = 0; status == TAC_OK && i < ui->count && !xpath; i++)
        if (strstr(ui->nodes[i].resource_id, permission_button(false)))
            xpath = tac_ui_xpath(ui, i);
    tac_gesture click = {.kind = TAC_ACTION_CLICK, .target = {.xpath = xpath}};
    if (xpath)
        status = tac_device_perform(device, &click, 0, err);
    if (xpath && status == TAC_OK)
        status = tac_device_settle(device, deadline, err);
    *answered = xpath && status == TAC_OK;
    free(xpath);
    return status;
}
