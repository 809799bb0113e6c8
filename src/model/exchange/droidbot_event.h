/* One event of DroidBot, as its text describes it. */
#pragma once

#include "base/data/arena.h"
#include "model/model.h"

struct droidbot_event {
    const char *key;    /* equal for the same control and gesture, whatever the state */
    const char *name;   /* readable, not necessarily unique */
    const char *prefix; /* of the name: the gesture */
    const char *hash;   /* DroidBot's of the view, or NULL */
    tac_action_kind action;
    bool performed;            /* false: not by a gesture, such as a kill */
    const char *xpath, *value; /* NULL when unknown */
};

/* Never fails: what is not understood gives a generic name and a key of the whole text. */
void tac_droidbot_event_parse(tac_arena *arena, const char *type, const char *text,
                              struct droidbot_event *out);
