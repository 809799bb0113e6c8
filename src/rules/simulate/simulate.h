/* Private to the files of the simulation. */
#pragma once

#include "tactus/rules.h"

/* {"A_gps": true, "speed": 30} */
tac_status rules_set_json(const tac_rules *rules, json_t *object, char *input, tac_error *err);
