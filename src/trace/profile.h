/* The consumption profile: what each action costs ("which tap drains the battery?"). */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "trace/tools.h"

/* Mean and spread by Welford's update, which does not cancel. */
struct profile_action {
    uint64_t count;
    double mean, squares, worst, total;
    size_t worst_trace;
    uint64_t worst_state;
    int64_t worst_time;
};

struct profile {
    const tac_trace_stat_options *options;
    tac_names names;
    TAC_VEC(struct profile_action) actions; /* by id of names */
    char *unit;                             /* of the variable; NULL until a trace told it */
    /* the trace that is being read */
    size_t trace, per, variable; /* indices; SIZE_MAX = not there yet */
    bool is_event, linear;
    bool by_action;         /* events of the app are charged below the user's actions */
    struct profile *nested; /* by_action: names are "ACTION\nEVENT" */
    double first_value, growth;
    const json_t *flow; /* by_action: of the trace's meta data; may be NULL */
    uint32_t current;   /* action whose cost is being counted, or TAC_NONE */
    uint32_t current_symbol;
    uint64_t start_state;
    int64_t start_time, last_time;
    double start_value, last_value, sum;
};

void profile_start_trace(struct profile *profile, size_t trace);
tac_status profile_feed(struct profile *profile, const tac_trace_source *source,
                        const tac_trace_block *block, tac_error *err);
tac_status profile_end_trace(struct profile *profile, const char *path, tac_error *err);
/* All of it is the arena's; traces[i].path says where the worst was. */
const tac_trace_profile *profile_result(const struct profile *profile,
                                        const tac_trace_summary *traces, tac_arena *arena);
void profile_free(struct profile *profile);
