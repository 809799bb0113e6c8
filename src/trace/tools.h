/* What one can do with whole traces: merge and convert them, look at them, sum them up. */
#pragma once

#include "tactus/trace.h"

typedef struct tac_trace_input {
    const char *path;
    int64_t offset; /* nanoseconds added to each of its times */
} tac_trace_input;

typedef struct tac_trace_import_options {
    const tac_trace_options *trace; /* for every source; may be NULL */
    const char *format;             /* of the output: "jsonl", "binary" or "csv" */
    bool align;       /* count each source's time from its own first state, then add the offset */
    tac_watch *watch; /* may be NULL */
} tac_trace_import_options;

typedef struct tac_trace_imported_source {
    const char *path, *format;
    uint64_t states, skipped;
    const char *first_skipped; /* what was wrong with it, and where; NULL: none was skipped */
    int64_t from, to;          /* on the common clock; 0 without states */
    int64_t offset;            /* as it was given */
    const char *clock;         /* "realtime", "boot", "monotonic", "local"; NULL: not known */
    const char *clock_from;    /* the source that brought it to wall time; NULL: none */
    int64_t clock_offset;      /* what that added to its times */
} tac_trace_imported_source;

/* What became of an import; texts live as long as it does. Times are nanoseconds. */
typedef struct tac_trace_imported {
    const char *format;
    uint64_t states;
    int64_t from, to;                         /* 0 without states */
    const tac_trace_imported_source *sources; /* as they were given */
    const tac_trace_variable *variables;
    const char *const *warnings;
    size_t source_count, variable_count, warning_count;
} tac_trace_imported;

/* Merges by time; of states with equal times the earlier source comes first. Each state of a source
 * becomes one state of the trace that sets what changed there. A variable that several sources have
 * is one variable, and must have one kind and one unit. Memory does not depend on the length.
 */
tac_status tac_trace_import(const tac_trace_input *inputs, size_t count,
                            const tac_trace_import_options *options, FILE *out,
                            tac_trace_imported **imported, tac_error *err);
void tac_trace_imported_free(tac_trace_imported *imported); /* NULL is fine */
/* {"format","states","from","to","sources":[{"source","format","states","skipped","first_skipped",
 * "from","to","offset","clock","clock_from","clock_offset"}],"variables":[...],"warnings":[...]};
 * the caller's. */
json_t *tac_trace_imported_json(const tac_trace_imported *imported);

typedef enum tac_trace_measure {
    TAC_MEASURE_DIFF,     /* what the variable grew by: for counters such as energy and traffic */
    TAC_MEASURE_INTEGRAL, /* its time integral: for rates such as power */
    TAC_MEASURE_MAX       /* its greatest value: for levels such as memory */
} tac_trace_measure;

typedef struct tac_trace_stat_options {
    const tac_trace_options *trace; /* may be NULL */
    const char *per; /* "action", "event" or another discrete variable; NULL = no profile */
    const char
        *actions; /* names of the user's actions, comma-separated, with * and ?; may be NULL */
    const char *variable; /* continuous; wanted with per */
    tac_trace_measure measure;
    tac_watch *watch; /* may be NULL */
} tac_trace_stat_options;

/* One variable of a trace. */
typedef struct tac_trace_figures {
    const char *name, *unit;
    tac_variable_kind kind;
    double least, most, first, last; /* continuous; NaN where it had no value */
    double mean;                     /* weighted by time; NaN where it had no value */
    size_t distinct;                 /* discrete: different values */
    uint64_t unknown;                /* states without a known value */
    const char *reason;              /* of the first of them; "" */
} tac_trace_figures;

typedef struct tac_trace_event_count {
    const char *name;
    uint64_t count;
} tac_trace_event_count;

typedef struct tac_trace_summary {
    const char *path, *format;
    uint64_t states, skipped;
    int64_t from, to;   /* nanoseconds; 0 without states */
    const json_t *meta; /* as the trace has it */
    const tac_trace_figures *variables;
    const tac_trace_event_count *events; /* the first thousand */
    const char *example;                 /* a property that the trace can answer; NULL: none */
    size_t variable_count, event_count;
} tac_trace_summary;

/* What one action consumed over all traces. */
typedef struct tac_trace_cost tac_trace_cost;
struct tac_trace_cost {
    const char *name;
    uint64_t count;
    double mean, worst, total;
    double spread; /* the sample's standard deviation */
    const char *worst_trace;
    uint64_t worst_state;
    int64_t worst_time; /* nanoseconds */
    const tac_trace_cost *nested;
    size_t nested_count;
};

typedef struct tac_trace_profile {
    const char *per, *variable;
    const char *unit; /* of the costs; "" when unknown */
    tac_trace_measure measure;
    bool nests;    /* per action: events of the app stand below the user's actions */
    double growth; /* TAC_MEASURE_DIFF: of the variable, over all traces */
    const tac_trace_cost *actions;
    size_t action_count;
} tac_trace_profile;

/* Texts live as long as the statistics. */
typedef struct tac_trace_statistics {
    const tac_trace_summary *traces; /* as they were given */
    size_t trace_count;
    const tac_trace_profile *profile; /* NULL: none was wanted */
} tac_trace_statistics;

/* per "action" charges what is consumed up to the next action of the user to that action; events of
 * the app itself stand below it in `nested`. Actions are the events that `actions` matches, else
 * those of the run's flow (meta data), else those that do not start with a capital letter. What
 * comes before the first action is charged to "(before)", so that the totals add up to `growth`.
 *
 * Otherwise the profile charges an event with what happens from its state up to that of the next
 * event or the end of the trace; another discrete variable is charged per maximal run of one value.
 * Actions are ordered by mean, the greatest first. */
tac_status tac_trace_stat(const char *const *paths, size_t count,
                          const tac_trace_stat_options *options, tac_trace_statistics **out,
                          tac_error *err);
void tac_trace_statistics_free(tac_trace_statistics *statistics); /* NULL is fine */
/* {"traces":[{"trace","format","states","from","to","duration","skipped","meta","variables":[{"name",
 * "kind","unit","min","max","mean","first","last"} or {"name","kind","distinct"}, with
 * "unknown":{"states","reason"} where some are],"events":{NAME:
 * count},"example"}],"profile":{"per","variable","unit","measure","growth","actions":[{"name","count",
 * "mean","spread","worst","worst_at":{"trace","state","t"},"total","nested":[...]}]} or null}; the
 * caller's. */
json_t *tac_trace_statistics_json(const tac_trace_statistics *statistics);

typedef struct tac_trace_show_options {
    const tac_trace_options *trace;   /* may be NULL */
    double from, to;                  /* seconds since the trace's start; to < 0 = the end */
    uint64_t first_state, last_state; /* their indices; last_state 0 = the end */
    const char *event; /* only states with this event; * and ? as in file names; NULL = all */
    uint64_t limit;    /* at most this many states; 0 = all */
} tac_trace_show_options;

/* A value that differs from that of the state shown before, or is the first of its variable. An
 * event is an instant: it is in every state where it happened, and not taken back in the next. */
typedef struct tac_trace_change {
    uint32_t variable; /* index */
    uint32_t symbol;   /* discrete: index; TAC_TRACE_NO_SYMBOL: it has no value from here on */
    double number;     /* continuous; NaN: it has no value from here on */
} tac_trace_change;

typedef struct tac_trace_shown_state {
    uint64_t index;
    int64_t time;                    /* nanoseconds */
    const tac_trace_change *changes; /* by variable */
    size_t change_count;
} tac_trace_shown_state;

/* Some states of a trace, each by what it changes: memory is that of the changes. */
typedef struct tac_trace_states {
    const char *path, *format;
    bool any;           /* the trace has a state, shown or not */
    int64_t start;      /* its time in nanoseconds; 0 when there is none */
    bool more;          /* the limit cut some off */
    const json_t *meta; /* as the trace has it */
    const tac_trace_variable *variables;
    const char *const *symbols;
    const tac_trace_shown_state *states;
    size_t variable_count, symbol_count, state_count;
} tac_trace_states;

tac_status tac_trace_show(const char *path, const tac_trace_show_options *options,
                          tac_trace_states **out, tac_error *err);
void tac_trace_states_free(tac_trace_states *states); /* NULL is fine */
/* {"trace","format","from","more","meta","variables":[{"name","kind","unit"}],"states":[{"state","t",
 * "values":{NAME:value}}],"shown"} and a newline: values that are present, `event` included. The
 * document is written state by state, and never in memory as a whole. */
tac_status tac_trace_states_write(const tac_trace_states *states, FILE *out, tac_error *err);
