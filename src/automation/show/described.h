/* The documents about automations, described. */
#pragma once

#include "base/describe/describe.h"
#include "tactus/automation_json.h"

struct automation_play {
    const tac_automation_moment *moments;
    size_t count;
};
DESCRIBED(automation_play, struct automation_play);

struct automation_homes {
    const tac_automation_home *at;
    size_t count;
    tac_diagnostics diagnostics; /* of reading them */
    bool diagnosed;              /* are shown */
};
DESCRIBED(automation_homes, struct automation_homes);
