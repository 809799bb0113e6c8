/* What other modules use of this one beside tactus/property.h. */
#pragma once

#include "tactus/property.h"
#include "trace/observe.h"

const char *tac_property_source(const tac_properties *properties, size_t index); /* its text */
tac_property_kind tac_property_kind_of(const tac_properties *properties, size_t index);
size_t tac_property_line(const tac_properties *properties, size_t index);
/* SIZE_MAX when there is no property of that name. */
size_t tac_property_find(const tac_properties *properties, const char *name);

/* What the file reads from every screen: `observe` statements, and observables written in place.
 * Borrowed; in file order. */
size_t tac_property_observables(const tac_properties *properties);
const tac_observable *tac_property_observable(const tac_properties *properties, size_t index);
/* Where it stands, for messages. */
size_t tac_property_observable_line(const tac_properties *properties, size_t index);

/* No state has come although time has reached `now`: deadlines before it have passed, and alarms of
 * durations are raised. States that come later must not be earlier than `now`. */
void tac_monitor_tick(tac_monitor *monitor, int64_t now);
/* tac_monitor_result of a trace that was cut off, or left before its end: its rest is unknown, so
 * that what is only presumed is inconclusive. */
void tac_monitor_result_of_cut(tac_monitor *monitor, size_t index, tac_property_result *out);
/* With `known`: a temporal formula has met a value that is not known. A monitor without that option
 * tells more of the same trace. */
bool tac_monitor_lost(const tac_monitor *monitor);
/* Warnings met while monitoring (variables without a value, ...). Borrowed. */
const tac_diagnostics *tac_monitor_warnings(const tac_monitor *monitor);

/* States of the minimal automaton of a temporal property and its clocks (bounds too large or too
 * continuous for states); false for other kinds. */
bool tac_property_automaton(const tac_properties *properties, size_t index, size_t *states,
                            size_t *clocks);

/* A trace that is open, from its first state on; it is closed by the call. name: in the result. */
tac_status tac_check_source(const tac_properties *properties, tac_trace_source *source,
                            const char *name, const tac_check_options *options,
                            tac_checked_trace *out, tac_error *err);
/* Follows growing files, pipes or standard input as one trace, merged by time. A file that does not
 * exist yet is awaited; one that is renamed or truncated is read on from its successor. While
 * nothing comes the clock of this machine moves time on. Ends when every input has ended, at the
 * first violation if that is wanted, or when the watch says stop (TAC_OK: what is known then is the
 * result). */
tac_status tac_check_follow(const tac_properties *properties, const char *const *paths,
                            size_t count, const tac_check_options *options, tac_checked_trace *out,
                            tac_error *err);
/* The one-line document of a piece of news; the caller's. */
json_t *tac_check_news_json(const tac_check_news *news);
/* {"from","to","t_from","t_to","values"}; the caller's. */
json_t *tac_property_witness_json(const tac_witness *witness);

/* A bound proposed from reference runs, for a comparison of an interval property with a constant.
 */
typedef struct tac_bound_proposal {
    const char *name; /* of the property */
    char *expression, *unit;
    uint64_t intervals;
    double bound; /* as written, in `unit` */
    /* with at least one interval: the values met, and a bound that they all keep */
    double least, mean, most, deviation, proposed;
    char *suggestion; /* the comparison with that bound; NULL without an interval, or where an
                         infinite value passes every bound */
} tac_bound_proposal;

typedef struct tac_calibration {
    size_t traces, count;
    tac_bound_proposal *proposals;
} tac_calibration;

tac_status tac_check_calibrate(const tac_properties *properties, const char *const *paths,
                               size_t count, const tac_check_options *options, tac_calibration *out,
                               tac_error *err);
void tac_calibration_free(tac_calibration *calibration);
json_t *tac_calibration_json(const tac_calibration *calibration); /* the caller's */

/* Every "AGGREGATE(variable) OP constant" of the interval properties, by property and in the order
 * of the text, in one pass over the file. */
typedef struct tac_property_limit {
    size_t property;
    char *variable;
    const char *aggregate, *comparison; /* "diff", "<" */
    double bound;                       /* in the unit the file declares for the variable */
} tac_property_limit;
tac_property_limit *tac_property_limits(const tac_properties *properties, size_t *count);
void tac_property_limits_free(tac_property_limit *limits, size_t count);

/* The events that a property speaks of (event == NAME, or NAME where a condition stands), lets
 * written out, each once. The list is the caller's, its texts are borrowed. */
const char **tac_property_events(const tac_properties *properties, size_t index, size_t *count);

/* The unit that the file declares for a variable, as written; "" when it declares none. Borrowed.
 */
const char *tac_property_unit(const tac_properties *properties, const char *variable);
/* One `from` is *factor `to` (1 kB is 1000 B). False, and *factor untouched, when either is no unit
 * or they measure different things. */
bool tac_unit_scale(const char *from, const char *to, double *factor);

/* A condition over observables that are written in place: when an action makes sense, what a state
 * of a model expects. */
typedef struct tac_condition tac_condition;
typedef enum tac_truth { TAC_FALSE, TAC_UNKNOWN, TAC_TRUE } tac_truth;

/* line and column: where the text stands in the file, for messages. */
tac_status tac_condition_parse(const char *file, const char *text, size_t size, size_t line,
                               size_t column, tac_condition **out, tac_error *err);
size_t tac_condition_observables(const tac_condition *condition);
const tac_observable *tac_condition_observable(const tac_condition *condition, size_t index);
const char *tac_condition_text(const tac_condition *condition);
/* values: one reading per observable, in order; `previous` is the reading of the call before. time:
 * when they were read, in nanoseconds from any start, for bounds such as once[<= 2 s]; one that is
 * earlier than that of the call before is taken as that. */
tac_truth tac_condition_evaluate(tac_condition *condition, const tac_observed *values,
                                 int64_t time);
void tac_condition_reset(tac_condition *condition); /* forgets the readings before */
void tac_condition_free(tac_condition *condition);  /* NULL is fine */

/* A number that the file derives from a trace's variables with `let`. */
typedef struct tac_derived tac_derived;

/* NULL when the file has no such `let`. The properties must outlive it. */
tac_derived *tac_derived_new(const tac_properties *properties, const char *name);
/* The values in the states of a block: room for block->count; NaN = none. Fails where the `let` is
 * not a number of a state, or names something that is not one. */
tac_status tac_derived_values(tac_derived *derived, const tac_monitor_schema *schema,
                              const tac_trace_block *block, double *values, tac_error *err);
const char *tac_derived_unit(const tac_derived *derived); /* known after the first values */
void tac_derived_free(tac_derived *derived);              /* NULL is fine */

/* A stand-alone C99 monitor of every property of the file, without allocation. Refused, with the
 * place and the reason: operators that need memory without a bound. */
tac_status tac_property_emit_c(const tac_properties *properties, tac_semantics semantics, FILE *out,
                               tac_error *err);
/* A Promela monitor with its never claim of one property, for SPIN 6.5. */
tac_status tac_property_emit_promela(const tac_properties *properties, size_t index,
                                     tac_semantics semantics, FILE *out, tac_error *err);
/* The automaton of one property as a drawing for Graphviz. */
tac_status tac_property_emit_dot(const tac_properties *properties, size_t index, FILE *out,
                                 tac_error *err);
