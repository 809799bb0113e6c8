/* A monitor's insides, shared by feeding (monitor.c, names.c) and answering (result.c). */
#pragma once

#include "base/data/str.h"
#include "property/monitor/each.h"

/* Storage for what a result points to. */
struct answer_room {
    tac_witness witness, worst;
    tac_witness_value *values, *worst_values;
    tac_comparison_value *comparisons, *worst_comparisons;
    tac_comparison_value figure; /* share, percentile, mean */
    tac_str value, worst_value;  /* for each: "lock=7" */
    tac_comparison_value alarm_comparison;
    tac_early_alarm alarm;
    tac_unknown unknown;
};

struct part_state {
    struct part_run run;
    struct interval_state ended; /* scratch for "if the trace ended here" */
    struct each_state *each;     /* for each: instead of run */
    struct answer_room room;
};

struct interval_call {
    tac_monitor *monitor;
    size_t part;
};

struct tac_monitor {
    const tac_properties *properties;
    tac_monitor_options options;
    char *trace_name;
    struct property_plan plan;
    bool bound;
    size_t variables; /* of the schema that was bound */
    struct part_state *parts;
    uint16_t *scratch;
    uint64_t states;
    int64_t start, now; /* times of the first and the last state */
    tac_diagnostics warnings;
    /* By symbol, for witnesses. The texts are the source's, the table is not: a source that goes on
     * after the last feed may move its own. */
    TAC_VEC(const char *) symbols;
    struct interval_call *calls; /* per part: the context of its listener */
    size_t *part_property;       /* per part: the property whose root it is, or SIZE_MAX */
};

/* The programs of the plan: the shared one, then those of `for each`. NULL past the last. */
struct column_program *monitor_program(struct property_plan *plan, size_t k);

/* For the next trace: as tac_monitor_reset, with its name for messages. NULL = "the trace". */
void monitor_restart(tac_monitor *monitor, const char *trace_name);

/* --- names.c --- */
/* Variables that the trace did not have when the names were bound. */
tac_status monitor_bind_late(tac_monitor *monitor, const tac_monitor_schema *schema,
                             tac_error *err);
/* Comparisons before a variable's first value are unknown: says so. block: the first one. */
void monitor_warn_without_value(tac_monitor *monitor, const struct column_program *program,
                                const tac_trace_block *block);
/* At the end: every variable that the properties use was there, else it fails; warns about values
 * that never occurred but resemble one that did. */
tac_status monitor_check_names(tac_monitor *monitor, const tac_monitor_schema *schema,
                               tac_error *err);
/* The same warning at the same place is told once. */
void monitor_warn(tac_monitor *monitor, size_t line, size_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* --- result.c, each_result.c --- */
/* Whether the proof of a temporal part says that it was more than not refuted; of `for each`: for
 * some value. */
bool part_is_proved(const tac_monitor *monitor, uint32_t proof);
/* Fills room->witness from a record. */
void part_witness(tac_monitor *monitor, size_t part, const struct interval_record *record);
void each_part_result(tac_monitor *monitor, size_t part, bool ended, tac_property_result *out);
/* Fills a value of a witness; slot: of the part's program. */
void fill_value(const tac_monitor *monitor, const struct column_program *program, uint32_t slot,
                union end_value from, union end_value to, tac_witness_value *out);
void fill_witness(const tac_monitor *monitor, const struct property_part *part,
                  const struct interval_record *record, tac_witness_value *values,
                  tac_comparison_value *comparisons, tac_witness *out);
/* What was not known, where the answer is inconclusive for that. */
void fill_unknown(const tac_monitor *monitor, size_t part, const struct column_unknown *blame,
                  tac_property_result *out);
/* A margin in the unit to report in. */
double reported_margin(const struct interval_plan *plan, double margin);
