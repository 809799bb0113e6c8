/* What one can do with whole traces: merge and convert them, look at them, sum them up. */
#ifndef TACTUS_TRACE_TOOLS_H
#define TACTUS_TRACE_TOOLS_H

#include "tactus/api.h"
#include "tactus/trace.h"
#include "tactus/watch.h"

TAC_BEGIN_DECLARATIONS

/* --- Importing: several sources become one trace ---------------------------------------------- */

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

/* Merges by time; of states with equal times the earlier source comes first. Each state of a source
 * becomes one state of the trace that sets what changed there. A variable that several sources have
 * is one variable, and must have one kind and one unit. Memory does not depend on the length.
 *
 * *document (the caller's): {"format","states","from","to","sources":[{"source","format","states",
 * "skipped","first_skipped","from","to","offset"}],"variables":[...],"warnings":[...]}. */
tac_status tac_trace_import(const tac_trace_input *inputs, size_t count,
                            const tac_trace_import_options *options, FILE *out, json_t **document,
                            tac_error *err);

/* --- Statistics ------------------------------------------------------------------------------- */

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

/* {"traces":[{"trace","format","states","from","to","duration","skipped","meta","variables":[{"name",
 * "kind","unit","min","max","mean","first","last"} or {"name","kind","distinct"}],"events":{NAME:
 * count},"example"}],"profile":{"per","variable","unit","measure","growth","actions":[{"name","count",
 * "mean","spread","worst","worst_at":{"trace","state","t"},"total","nested":[...]}]} or null}. The
 * caller's. `example` is a property that the trace can answer.
 *
 * per "action" charges what is consumed up to the next action of the user to that action; events of
 * the app itself stand below it in `nested`. Actions are the events that `actions` matches, else
 * those of the run's flow (meta data), else those that do not start with a capital letter. What
 * comes before the first action is charged to "(before)", so that the totals add up to `growth`.
 *
 * Otherwise the profile charges an event with what happens from its state up to that of the next
 * event or the end of the trace; another discrete variable is charged per maximal run of one value.
 * `spread` is the sample's standard deviation. `mean` of a variable is weighted by time. Actions
 * are ordered by mean, the greatest first. */
tac_status tac_trace_stat(const char *const *paths, size_t count,
                          const tac_trace_stat_options *options, json_t **document, tac_error *err);

/* --- Looking at states ------------------------------------------------------------------------ */

typedef struct tac_trace_show_options {
    const tac_trace_options *trace;   /* may be NULL */
    double from, to;                  /* seconds since the trace's start; to < 0 = the end */
    uint64_t first_state, last_state; /* their indices; last_state 0 = the end */
    const char *event; /* only states with this event; * and ? as in file names; NULL = all */
    uint64_t limit;    /* at most this many states; 0 = all */
} tac_trace_show_options;

/* {"trace","format","from","more","meta","variables":[{"name","kind","unit"}],"states":[{"state","t","values":
 * {NAME:value}}],"shown"}: values that are present, `event` included. The caller's. */
tac_status tac_trace_show(const char *path, const tac_trace_show_options *options,
                          json_t **document, tac_error *err);

/* [{"name","kind","unit"}]; the caller's. */
json_t *tac_trace_variables_json(const tac_trace_variable *variables, size_t count);

TAC_END_DECLARATIONS

#endif
