/* The documents about automations, described. */
#pragma once

#include "base/describe/describe.h"
#include "tactus/automation.h"

struct automation_play {
    const tac_automation_moment *moments;
    size_t count;
};
DESCRIBED(automation_play, struct automation_play);

/* Several configurations as one: counts added up; of more than one, each finding names its path. */
struct automation_home {
    const char *path;
    const tac_automation_findings *findings;
};
struct automation_homes {
    const struct automation_home *at;
    size_t count;
    tac_diagnostics diagnostics; /* of reading them */
    bool diagnosed;              /* are shown */
};
DESCRIBED(automation_homes, struct automation_homes);
