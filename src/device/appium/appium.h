/* Native apps behind Appium: what its driver's files share. */
#pragma once

#include "device/web/webdriver.h"

/* "mobile: COMMAND" with one object of arguments (taken; may be NULL). */
tac_status appium_mobile(struct webdriver *w, const char *step, const char *command,
                         json_t *arguments, double deadline, json_t **value, tac_error *err);
tac_status appium_snapshot(tac_device *device, double deadline, const tac_ui **out, tac_error *err);
bool appium_has_key(const tac_device *device, const char *name);
tac_status appium_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                          tac_error *err);
tac_status appium_system(tac_device *device, const char *event, double deadline, tac_error *err);
/* Reads the log that the device has written since the last call. */
tac_status appium_collect(struct webdriver *w, tac_error *err);
tac_status appium_log(tac_device *device, tac_log_line *out, bool *more, tac_error *err);
tac_status appium_crash(tac_device *device, tac_crash *out, tac_error *err);
