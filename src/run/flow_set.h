/* All flows of a flow file in memory, so that workers reach any of them at once. */
#ifndef TAC_RUN_FLOW_SET_H
#define TAC_RUN_FLOW_SET_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "tactus/flow_file.h"

typedef struct flow_set {
    tac_arena arena;
    tac_names texts; /* every text once */
    TAC_VEC(tac_flow) flows;
} flow_set;

tac_status flow_set_load(const char *path, flow_set *out, tac_error *err);
void flow_set_free(flow_set *set);

#endif
