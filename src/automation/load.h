/* Reading with one file replaced by a text: how a repair is tried. */
#pragma once

#include "automation/model/model.h"

/* overlay_path is relative to the folder; NULL: none. */
tac_status automation_load(const char *path, const char *overlay_path, const char *overlay_text,
                           tac_diagnostics *diagnostics, tac_automation_model **out,
                           tac_error *err);
