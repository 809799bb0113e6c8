/* Small traces in memory for the tests of properties. */
#ifndef PROPERTY_SUPPORT_H
#define PROPERTY_SUPPORT_H

#include "tactus/property.h"

enum { SMALL_TRACE = 64 };

/* p and q are continuous 0/1 columns (boolean variables), x a small integer, one state a second
 * unless `time` is set. */
struct small_trace {
    size_t count;
    double p[SMALL_TRACE], q[SMALL_TRACE], x[SMALL_TRACE], r[SMALL_TRACE];
    int64_t time[SMALL_TRACE];
};

/* Loads properties from text; aborts with the messages when they are wrong. */
tac_properties *properties_of(const char *text);
/* The messages of a text that does not load, one "LINE:COLUMN: message" per line; or "" when it
 * loads. The caller's. */
char *errors_of(const char *text);
void small_times(struct small_trace *trace);
/* Feeds states from .. to - 1 as one block. Aborts on errors. */
void feed_small(tac_monitor *monitor, const struct small_trace *trace, size_t from, size_t to);
bool try_small(tac_monitor *monitor, const struct small_trace *trace, size_t from, size_t to);
/* A whole trace in one block through a fresh state; the answer if it ended there. */
tac_answer answer_of(tac_monitor *monitor, size_t property, const struct small_trace *trace);

#endif
