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
#include <stddef.h>
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
    bool on_bound; /* equal up to rounding */
} tac_comparison_value;

typedef struct tac_witness {
    tac_interval interval;
    const tac_witness_value *values;
    size_t value_count;
    const tac_comparison_value *comparisons;
    size_t comparison_count;
    bool holds;      /* the interval expression on this interval */
    bool untested;   /* neither held nor violated: something that decides it was missing */
    bool has_margin; /* false where the comparisons have different units */
    double margin;
    const char *value; /* for each: the value it is about, "lock=7"; else "" */
} tac_witness;

/* A bound passed inside an interval that is still open. */
typedef struct tac_early_alarm {
    uint64_t from, state;
    int64_t t_from, t;
    const tac_comparison_value *comparison;
} tac_early_alarm;

/* The first thing that was not known and would have decided. */
typedef struct tac_unknown {
    const char *variable; /* NULL: not a value, but the end of a run of states */
    const char *reason;
    uint64_t state;
    int64_t time;
} tac_unknown;

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
    bool vacuous; /* never exercised: no interval closed, or what it waits for never happened */
    /* Instances that needed something that was not on the screen: neither held nor violated. */
    uint64_t untested;
    bool observed; /* it speaks of observables, so that there may be such instances */
    const tac_comparison_value *figure; /* share, percentile or mean, once there is one; or NULL */
    bool for_each;                      /* then: values judged, violated, with something open */
    uint64_t values, values_violated, values_open;
    const tac_witness *worst; /* for each: of the value that is furthest out; NULL when none */
    int64_t start;            /* time of the trace's first state */
    const tac_unknown
        *unknown; /* where the answer is inconclusive for what is not known; or NULL */
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
    /* Values of the set that the trace is one of: a value is misspelt that none of them is. NULL:
     * the trace's own. Borrowed. */
    const char *const *values;
    size_t value_count;
    /* Every value is expected to be known, which is faster: of a temporal formula that meets one
     * that is not no more is told than that it is inconclusive. */
    bool known;
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
/* The trace is complete: checks that every variable the properties use was there, and closes what
 * the end closes (runs). Call once, after the last block (schema as in feed, for a trace without
 * states; NULL = do not look for missing variables). Afterwards ask for results with ended set. */
tac_status tac_monitor_finish(tac_monitor *monitor, const tac_monitor_schema *schema,
                              tac_error *err);
/* The verdict now. The texts of discrete values are those of the schemas that were fed. ended: the
 * trace is complete, the definitions decide; otherwise it may grow. Changes nothing; what *out
 * points to is valid until the next call with this monitor. */
void tac_monitor_result(tac_monitor *monitor, size_t index, bool ended, tac_property_result *out);
/* True as soon as some property is decided and violated. */
bool tac_monitor_violated(const tac_monitor *monitor);
uint64_t tac_monitor_states(const tac_monitor *monitor); /* consumed so far */
/* Forgets the states but keeps the compiled properties: for many short traces with one schema. A
 * trace with other variables needs a new monitor. */
void tac_monitor_reset(tac_monitor *monitor);
void tac_monitor_free(tac_monitor *monitor); /* NULL is fine */

/* --- Checking traces --- */

typedef enum tac_check_news_kind {
    TAC_NEWS_VERDICT,
    TAC_NEWS_ALARM, /* a bound was passed inside an interval that is still open */
    TAC_NEWS_NOTE   /* a followed file was rotated, came into being, ... */
} tac_check_news_kind;

/* What has just become known while a trace is followed. */
typedef struct tac_check_news {
    tac_check_news_kind kind;
    const char *trace;
    const tac_property_result *result; /* NULL for a note */
    const char *note;
} tac_check_news;

typedef struct tac_check_options {
    tac_semantics semantics;
    const tac_trace_options *trace; /* may be NULL */
    const char *name;               /* of a single trace in messages; NULL = its path */
    const char *const *values;      /* of the set it is one of; see tac_monitor_options */
    size_t value_count;
    bool stop_on_violation;
    bool cut;         /* the traces may go on: what that could change is inconclusive */
    unsigned jobs;    /* processes for many traces; 0 = one per processor */
    tac_watch *watch; /* may be NULL */
    /* Following: what becomes known, as it does (borrowed). NULL = not wanted. */
    void (*on_news)(void *context, const tac_check_news *news);
    /* Every closed interval of every property; the traces are then read one after the other. */
    void (*on_interval)(void *context, const char *trace, size_t property,
                        const tac_witness *witness);
    void *context;
    /* Following: how long after a deadline a late state is still waited for, and how far apart in
     * time states of several files may arrive; nanoseconds. */
    int64_t grace, reorder;
} tac_check_options;

/* One property on one trace. */
typedef struct tac_check_finding {
    tac_property_result result; /* what it points to is the checked trace's */
    char *explanation, *advice; /* "" when there is nothing to do */
    /* Where to look: the states, and what to draw over them; NULL when no value shows it. */
    bool has_place;
    uint64_t from, to;
    char *variable;
} tac_check_finding;

typedef struct tac_checked_trace {
    char *trace;
    tac_check_finding *findings; /* one per property, in file order */
    size_t count;
    uint64_t states, skipped;
    tac_diagnostics warnings;
    struct tac_arena *kept; /* holds all but the warnings */
} tac_checked_trace;

typedef struct tac_check_report {
    tac_checked_trace *traces;
    size_t count;
} tac_check_report;

/* One trace file. The result is the caller's (tac_checked_trace_free). */
tac_status tac_check_trace(const tac_properties *properties, const char *path,
                           const tac_check_options *options, tac_checked_trace *out,
                           tac_error *err);
/* Many traces, in parallel. A trace that cannot be read fails the call. */
tac_status tac_check_traces(const tac_properties *properties, const char *const *paths,
                            size_t count, const tac_check_options *options, tac_check_report *out,
                            tac_error *err);
void tac_checked_trace_free(tac_checked_trace *trace);
void tac_check_report_free(tac_check_report *report);
/* 1 if any verdict is (presumably) false, else 3 if any is inconclusive, else 0. */
int tac_checked_trace_exit_code(const tac_checked_trace *trace);
int tac_check_report_exit_code(const tac_check_report *report);
/* {"traces":[{"trace","properties":[...],"states","skipped","warnings"}]}; the caller's. */
json_t *tac_check_report_json(const tac_check_report *report);
/* The document of one result, with the keys of `tactus check --json`; the caller's. */
json_t *tac_property_result_json(const tac_property_result *result);
/* The verdict object of one result (answer, explanation, advice, witness, statistics). */
void tac_property_result_verdict(const tac_properties *properties,
                                 const tac_property_result *result, const char *trace,
                                 tac_verdict *out);

TAC_END_DECLARATIONS

#endif
