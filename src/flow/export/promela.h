/* What the two halves of a Promela file share: the model (promela_model.c) and the never claim of a
 * requirement (promela_claim.c). */
#pragma once

#include "base/data/map.h"
#include "base/data/str.h"
#include "flow/require/watcher.h"

struct promela {
    const tac_model *model;
    uint32_t length;
    struct watcher *watcher; /* NULL without a requirement */
    tac_str out;
    char **node_names; /* State_MACHINE_NODE, all different */
};

/* Appends text made of letters, digits and underscores only. */
void promela_identifier(tac_str *out, const char *text);
/* Variables that the requirement needs, and the statements that a step adds to keep them; `t` is
 * the transition just taken, the device's new state is in last_state. */
void promela_claim_variables(struct promela *p);
void promela_claim_update(struct promela *p);
void promela_claim(struct promela *p);
