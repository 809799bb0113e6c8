/* Extra-functional properties of traces (docs/properties.md is the language reference).
 *
 *   file --tac_property_load--> tac_properties --tac_monitor_new--> tac_monitor
 *   trace blocks --tac_monitor_feed--> tac_monitor --tac_monitor_result--> tac_property_result
 *
 * There is one monitor for recorded and for running traces: feed it blocks of any size, ask for a
 * result at any time. Its memory does not depend on the length of the trace. A loaded file is
 * read-only and may be shared by any number of monitors; it must outlive them. */
#ifndef TACTUS_PROPERTY_H
#define TACTUS_PROPERTY_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/trace.h"
#include "tactus/verdict.h"
#include "tactus/watch.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

TAC_BEGIN_DECLARATIONS

/* --- Property files --- */

typedef struct tac_properties tac_properties;

/* Reads and checks a file. Every error and warning goes to diagnostics (not NULL) with its line and
 * column; any error gives TAC_E_INPUT and no object. */
tac_status tac_property_load(const char *path, tac_diagnostics *diagnostics, tac_properties **out,
                             tac_error *err);
/* The same on text in memory; name stands for the file in messages. */
tac_status tac_property_parse(const char *name, const char *text, size_t size,
                              tac_diagnostics *diagnostics, tac_properties **out, tac_error *err);
void tac_property_free(tac_properties *properties); /* NULL is fine */

typedef enum tac_property_kind {
    TAC_PROPERTY_INTERVAL, /* first, forall or exists over intervals */
    TAC_PROPERTY_TEMPORAL, /* a finite-trace temporal formula */
    TAC_PROPERTY_COMBINED  /* other properties joined by and, or, not, -> */
} tac_property_kind;

size_t tac_property_count(const tac_properties *properties);
/* Borrowed; in file order. */
const char *tac_property_name(const tac_properties *properties, size_t index);
const char *tac_property_source(const tac_properties *properties, size_t index); /* its text */
tac_property_kind tac_property_kind_of(const tac_properties *properties, size_t index);
size_t tac_property_line(const tac_properties *properties, size_t index);
/* SIZE_MAX when there is no property of that name. */
size_t tac_property_find(const tac_properties *properties, const char *name);

/* --- Monitors --- */

/* How the ends of an interval are read. DEF is Definitions 8 to 10 and the meaning of the language;
 * the others are the readings that the papers' equations and listings give, for comparison. */
typedef enum tac_semantics {
    TAC_SEMANTICS_DEF,
    TAC_SEMANTICS_EQ3,     /* equations (1) to (3) of the interval formulae */
    TAC_SEMANTICS_RISING,  /* the update functions of Listing 7 */
    TAC_SEMANTICS_SPIN2015 /* the equations of the 2015 paper with its Listing 1.2 */
} tac_semantics;

/* One closed interval: both ends belong to it. */
typedef struct tac_interval {
    uint64_t from, to;    /* state indices, from 0 */
    int64_t t_from, t_to; /* nanoseconds */
} tac_interval;

/* A variable of the property at both ends of an interval. */
typedef struct tac_witness_value {
    const char *name;
    const char *unit; /* "" when none */
    bool discrete;
    double number[2];    /* at from, at to; NaN = no value; continuous only */
    const char *text[2]; /* discrete only; NULL = no value */
} tac_witness_value;

/* One comparison of an interval expression. */
typedef struct tac_comparison_value {
    const char *text;    /* "diff(rxData) < 8000 kB" */
    const char *unit;    /* of the four figures; "" when none */
    double value, bound; /* left and right side in `unit` */
    double margin;       /* distance to the bound, negative when it is passed */
    bool holds;
} tac_comparison_value;

typedef struct tac_witness {
    tac_interval interval;
    const tac_witness_value *values;
    size_t value_count;
    const tac_comparison_value *comparisons;
    size_t comparison_count;
    bool holds;      /* the interval expression on this interval */
    bool has_margin; /* false where the comparisons have different units */
    double margin;
} tac_witness;

/* A bound passed inside an interval that is still open. */
typedef struct tac_early_alarm {
    uint64_t from, state;
    int64_t t_from, t;
    const tac_comparison_value *comparison;
} tac_early_alarm;

typedef struct tac_property_result {
    const char *name;
    tac_property_kind kind;
    tac_answer answer;
    bool decided;           /* no continuation of the trace changes the answer */
    uint64_t decided_state; /* when decided: the state that did it */
    int64_t decided_time;
    uint64_t intervals, violated, open; /* closed, closed and violated, 0 or 1 */
    bool has_margin;
    double margin;
    const char *margin_unit;            /* "" when none */
    const tac_witness *witness;         /* NULL when there is none */
    const tac_early_alarm *early_alarm; /* NULL when none was raised */
} tac_property_result;

typedef struct tac_monitor tac_monitor;

typedef struct tac_monitor_options {
    tac_semantics semantics;
    const char *trace_name; /* for messages; NULL = "the trace" */
    /* Called for every closed interval of property `index`; the witness is borrowed and valid
     * during the call. NULL = not wanted. */
    void (*on_interval)(void *context, size_t index, const tac_witness *witness);
    void *context;
    /* A variable that the trace never had is an error of tac_monitor_finish unless this is set. */
    bool allow_missing;
} tac_monitor_options;

/* What the blocks' columns mean; the arrays may grow between calls, indices stay. */
typedef struct tac_monitor_schema {
    const tac_trace_variable *variables;
    size_t variable_count;
    const char *const *symbols;
    size_t symbol_count;
} tac_monitor_schema;

/* options may be NULL. */
tac_status tac_monitor_new(const tac_properties *properties, const tac_monitor_options *options,
                           tac_monitor **out, tac_error *err);
/* Binds names to the schema (on the first call and whenever it has grown) and consumes the block.
 * Errors: wrong kinds or units, with the place in the property file. */
tac_status tac_monitor_feed(tac_monitor *monitor, const tac_monitor_schema *schema,
                            const tac_trace_block *block, tac_error *err);
/* The same with the schema of a source. */
tac_status tac_monitor_feed_source(tac_monitor *monitor, const tac_trace_source *source,
                                   const tac_trace_block *block, tac_error *err);
/* The trace is complete: checks that every variable the properties use was there, and closes what
 * the end closes (runs). Call once, after the last block (schema as in feed, for a trace without
 * states; NULL = do not look for missing variables). Afterwards ask for results with ended set. */
tac_status tac_monitor_finish(tac_monitor *monitor, const tac_monitor_schema *schema,
                              tac_error *err);
/* The verdict now. The texts of discrete values belong to the source of the last block. ended: the
 * trace is complete, the definitions decide; otherwise it may grow. Changes nothing; what *out
 * points to is valid until the next call with this monitor. */
void tac_monitor_result(tac_monitor *monitor, size_t index, bool ended, tac_property_result *out);
/* True as soon as some property is decided and violated. */
bool tac_monitor_violated(const tac_monitor *monitor);
uint64_t tac_monitor_states(const tac_monitor *monitor); /* consumed so far */
/* Warnings met while monitoring (variables without a value, ...). Borrowed. */
const tac_diagnostics *tac_monitor_warnings(const tac_monitor *monitor);
/* Forgets the states but keeps the compiled properties: for many short traces with one schema. A
 * trace with other variables needs a new monitor. */
void tac_monitor_reset(tac_monitor *monitor);
void tac_monitor_free(tac_monitor *monitor); /* NULL is fine */

/* States of the minimal automaton of a temporal property and its clocks (bounds too large or too
 * continuous for states); false for other kinds. */
bool tac_property_automaton(const tac_properties *properties, size_t index, size_t *states,
                            size_t *clocks);

/* --- Checking traces --- */

typedef struct tac_check_options {
    tac_semantics semantics;
    const tac_trace_options *trace; /* may be NULL */
    bool stop_on_violation;
    bool cut;         /* the traces may go on: what that could change is inconclusive */
    unsigned jobs;    /* processes for many traces; 0 = one per processor */
    tac_watch *watch; /* may be NULL */
    /* --follow: called with the one-line document of each verdict as it falls (borrowed), and of
     * each early alarm. NULL = not wanted. */
    void (*on_verdict)(void *context, const json_t *line);
    void *context;
} tac_check_options;

/* One trace file: {"trace","properties":[...],"states","skipped","warnings"}, each property with
 * its explanation and advice, in *document (the caller's) and one verdict per property in *verdicts
 * (the caller's: tac_verdict_free each, then free). verdicts may be NULL. */
tac_status tac_check_trace(const tac_properties *properties, const char *path,
                           const tac_check_options *options, json_t **document,
                           tac_verdict **verdicts, tac_error *err);
/* Many traces, in parallel: {"traces":[...]}. *exit_code by the worst verdict. A trace that cannot
 * be read fails the call. */
tac_status tac_check_traces(const tac_properties *properties, const char *const *paths,
                            size_t count, const tac_check_options *options, json_t **document,
                            int *exit_code, tac_error *err);
/* 1 if any verdict of a trace's document is (presumably) false, else 3 if any is inconclusive. */
int tac_check_exit_code(const json_t *trace);
/* The document of one result, with the keys of `tactus check --json`; the caller's. */
json_t *tac_property_result_json(const tac_property_result *result);
/* {"from","to","t_from","t_to","values"}; the caller's. */
json_t *tac_property_witness_json(const tac_witness *witness);
/* The verdict object of one result (answer, explanation, advice, witness, statistics). */
void tac_property_result_verdict(const tac_properties *properties,
                                 const tac_property_result *result, const char *trace,
                                 tac_verdict *out);

/* Bounds proposed from reference runs: for every comparison of an interval property with a
 * constant, the values met and a bound that they all keep. {"properties":[...]}; the caller's. */
tac_status tac_check_calibrate(const tac_properties *properties, const char *const *paths,
                               size_t count, const tac_check_options *options, json_t **document,
                               tac_error *err);

/* The bound of the first comparison "AGGREGATE(variable) OP constant" of an interval property, for
 * drawing; *bound in the unit the file declares for the variable. False when there is none. */
bool tac_property_bound(const tac_properties *properties, size_t index, const char *variable,
                        const char **aggregate, const char **operator_text, double *bound);

/* The unit that the file declares for a variable, as written; "" when it declares none. Borrowed.
 */
const char *tac_property_unit(const tac_properties *properties, const char *variable);
/* One `from` is *factor `to` (1 kB is 1000 B). False, and *factor untouched, when either is no unit
 * or they measure different things. */
bool tac_unit_scale(const char *from, const char *to, double *factor);

/* --- Exports --- */

/* A stand-alone C99 monitor of every property of the file, without allocation. */
tac_status tac_property_emit_c(const tac_properties *properties, FILE *out, tac_error *err);
/* A Promela monitor with its never claim of one property, for SPIN 6.5. */
tac_status tac_property_emit_promela(const tac_properties *properties, size_t index, FILE *out,
                                     tac_error *err);

TAC_END_DECLARATIONS

#endif
