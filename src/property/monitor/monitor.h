/* A monitor's insides, shared by feeding (monitor.c) and answering (monitor_result.c). */
#ifndef TAC_PROPERTY_MONITOR_H
#define TAC_PROPERTY_MONITOR_H

#include "property/compile/plan.h"

/* Storage for what a result points to. */
struct answer_room {
    tac_witness witness;
    tac_witness_value *values;
    tac_comparison_value *comparisons;
    tac_comparison_value alarm_comparison;
    tac_early_alarm alarm;
};

struct part_state {
    struct interval_state now, ended; /* ended: scratch for "if the trace ended here" */
    struct temporal_state temporal;
    union end_value *first_ends, *ends; /* temporal: per watched slot at `since` and now */
    uint64_t noted_since;
    struct answer_room room;
};

struct tac_monitor {
    const tac_properties *properties;
    tac_monitor_options options;
    char *trace_name;
    struct plan plan;
    bool bound;
    size_t variables; /* of the schema that was bound */
    struct part_state *parts;
    uint16_t *scratch;
    uint64_t states;
    int64_t now;
    tac_diagnostics warnings;
    const char *const *symbols; /* of the last feed, for witnesses; borrowed */
    size_t symbol_count;
    size_t *part_property; /* per part: the property whose root it is, or SIZE_MAX */
};

/* The result of one part; ended as in tac_monitor_result. */
void part_result(tac_monitor *monitor, size_t part, bool ended, tac_property_result *out);
/* Fills room->witness from a record. */
void part_witness(tac_monitor *monitor, size_t part, const struct interval_record *record);

#endif
