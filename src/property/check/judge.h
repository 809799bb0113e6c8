/* A trace judged by properties: the one place where the states of a trace meet monitors.
 *
 * A trace is pulled: the caller asks for one block after the other and may look at each itself. A
 * block is judged when the next one is asked for, so that what the caller took from it is known
 * when the intervals are told that close in it. A run under way feeds its states instead.
 *
 * Monitors are made once and reset for the next trace where that has the same variables. Linear in
 * states x properties. */
#pragma once

#include "base/data/vec.h"
#include "property/property.h"

/* What the end of a trace is. */
enum judge_end {
    JUDGE_AS_READ, /* cut where its reader says so, else whole */
    JUDGE_CUT,     /* the trace may go on: what that could change is inconclusive */
    JUDGE_WHOLE    /* also where the reader says that it is cut */
};

/* A property file that traces are judged by. */
struct judge_file {
    const tac_properties *properties;
    void (*on_interval)(void *context, size_t property, const tac_witness *witness);
    void *context;
    tac_monitor *monitor; /* of the trace that was begun last */
    char *failed;         /* why this trace cannot be judged by it; only where `apart` */
};

/* Zeroed, then the first fields as wanted, then judge_add for every file. */
struct trace_judge {
    tac_semantics semantics;
    const tac_trace_options *trace; /* may be NULL */
    const char *const *values;      /* see tac_monitor_options */
    size_t value_count;
    enum judge_end end;
    bool allow_missing;     /* variables that a trace does not have are no error */
    bool apart;             /* a file that a trace cannot be judged by fails alone */
    bool known;             /* see tac_monitor_options: judge_lost tells where it was wrong */
    bool stop_on_violation; /* the trace is left when a property is violated */
    const char *what;       /* for the watch */
    tac_watch *watch;       /* ticked with every block; may be NULL */

    TAC_VEC(struct judge_file) files;
    tac_trace_source *source;     /* NULL when the states are fed */
    const tac_trace_block *block; /* given out, not judged yet */
    char *schema;                 /* the variables that the monitors are bound to, or NULL */
    size_t variables;             /* how many there were when the trace was begun */
    uint64_t states;              /* judged so far */
    bool over;                    /* the trace was read to its end */
    bool ended;                   /* and judged as one that is complete */
};

/* on_interval: told every closed interval of every property; may be NULL. */
void judge_add(struct trace_judge *judge, const tac_properties *properties,
               void (*on_interval)(void *context, size_t property, const tac_witness *witness),
               void *context);
/* Begins a trace. name: in messages; NULL = "the trace". source: the judge's from now on; NULL when
 * the states will be fed. */
void judge_begin(struct trace_judge *judge, tac_trace_source *source, const char *name);
/* Begins the trace again that is fed. */
void judge_restart(struct trace_judge *judge);
/* Opens a file and begins it. */
tac_status judge_open(struct trace_judge *judge, const char *path, const char *name,
                      tac_error *err);
/* Judges the block given last and gives the next one; *block NULL when the trace is over. */
tac_status judge_next(struct trace_judge *judge, const tac_trace_block **block, tac_error *err);
tac_status judge_feed(struct trace_judge *judge, const tac_monitor_schema *schema,
                      const tac_trace_block *block, tac_error *err);
/* The end of a trace that was fed. */
tac_status judge_finish(struct trace_judge *judge, const tac_monitor_schema *schema,
                        tac_error *err);
/* What a property says about the trace, or about what there was of one that did not end; valid as
 * tac_monitor_result says. */
void judge_result(const struct trace_judge *judge, size_t file, size_t property,
                  tac_property_result *out);
/* Something was not known that a judge without `known` tells more of. */
bool judge_lost(const struct trace_judge *judge);
/* Closes the trace; results are gone. */
void judge_close(struct trace_judge *judge);
void judge_free(struct trace_judge *judge);
