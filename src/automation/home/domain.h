/* The states that Home Assistant's own integrations give their entities. */
#pragma once

#include "automation/model/model.h"

/* Sets domain, states and their source of every entity that has no domain yet. */
void domain_assign(tac_automation_model *model);

enum domain_answer {
    VALUE_FITS,
    VALUE_DOUBTFUL, /* outside the known states, but integrations of others add such */
    VALUE_IMPOSSIBLE
};
enum domain_answer domain_judge(const struct entity *entity, const char *text);
