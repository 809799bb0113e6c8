/* What a plot knows about its traces; drawn by svg.c, filled by data.c. */
#pragma once

#include "base/describe/describe.h"
#include "property/check/judge.h"
#include "report/plot.h"

enum { PLOT_BUCKETS = 1024, PLOT_EVENTS_MAX = 400, PLOT_INTERVALS_MAX = 1 << 20 };

struct plot_point {
    double t, value; /* seconds since the trace's start */
};

/* A stretch of time: its first, least, greatest and last point. */
struct plot_bucket {
    bool used;
    struct plot_point first, least, most, last;
};

struct plot_event {
    double t;
    char *name;
};

struct plot_interval {
    double t_from, t_to;
    char *from_event, *to_event; /* NULL when unknown */
    double start, end;           /* the variable at both ends; NaN when unknown */
    double threshold, margin;    /* in the variable's unit; NaN when there is no bound on it */
    bool from_start;             /* the threshold is the value at the start plus a bound */
    bool holds;
    bool stretch; /* of a temporal property: from where it went wrong to where that was known */
};

struct plot_series {
    char *path, *name, *group;
    bool linear;
    struct plot_bucket *buckets; /* PLOT_BUCKETS of them */
    int64_t bucket_width;        /* nanoseconds, a power of two */
    int64_t start_time;
    double duration;
    TAC_VEC(struct plot_point) points; /* in time order, when the trace has been read */
    TAC_VEC(struct plot_event) events;
    uint64_t event_count;
    TAC_VEC(struct plot_interval) intervals;
    uint64_t interval_count;
    bool judged, temporal; /* the property's result is known; its kind */
    tac_answer answer;
    double least, most;
};

struct tac_plot {
    tac_plot_options options;
    char *variable, *title;
    tac_derived *derived; /* the variable is a `let`; else NULL */
    char *unit;           /* NULL until a trace told it */
    char *property_unit;  /* what the property file declares, for traces that say none */
    TAC_VEC(struct plot_series) series;
};

/* A trace under way. */
struct plot_reading {
    tac_plot *plot;
    struct plot_series *series;
    struct trace_judge judge;
    size_t variable, event; /* columns; SIZE_MAX = not there yet */
};

/* interval.c: the intervals of the property while a trace is judged, and what came of it. */
void plot_interval_closed(void *reading, size_t property, const tac_witness *witness);
void plot_take_result(const struct plot_reading *reading);

DESCRIBED(plot, struct tac_plot); /* the document of `tactus trace plot` */

const char *plot_unit(const tac_plot *plot); /* "" when unknown */
/* Is a further out than b: violated, or by a smaller margin? */
bool plot_is_worse(const struct plot_interval *a, const struct plot_interval *b);
/* The worst interval: the one to write about; NULL when there is none. */
const struct plot_interval *plot_worst(const struct plot_series *series);
