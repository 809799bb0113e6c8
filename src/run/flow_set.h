/* All flows of a flow file in memory, so that workers reach any of them at once. */
#pragma once

#include "base/data/arena.h"
#include "base/data/map.h"
#include "base/data/vec.h"
#include "flow/file.h"

struct flow_set {
    tac_arena arena;
    tac_names texts; /* every text once */
    TAC_VEC(tac_flow) flows;
};

tac_status flow_set_load(const char *path, struct flow_set *out, tac_error *err);
/* Deep copies that live as long as the set; it does not list them. */
tac_flow flow_set_keep(struct flow_set *set, const tac_flow *flow);
tac_flow_step flow_set_keep_step(struct flow_set *set, const tac_flow_step *step);
void flow_set_free(struct flow_set *set);
