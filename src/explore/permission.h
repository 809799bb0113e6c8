/* The system's questions for permissions. */
#pragma once

#include "device/device.h"

bool permission_is_asked(const char *package); /* by the app in front */
const char *permission_button(bool deny);      /* a part of its resource id */
/* Allows what is asked for, if anything is; *answered tells. */
tac_status permission_answer(tac_device *device, double deadline, bool *answered, tac_error *err);
