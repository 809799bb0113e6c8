/* The parts of a Perfetto trace that are counted, one file each. All are fed in file order and give
 * their values at the end; slices are paired in order of time. */
#ifndef TAC_FACTS_PERFETTO_PARTS_H
#define TAC_FACTS_PERFETTO_PARTS_H

#include "figures/marks.h"
#include "trace/perfetto/sequence.h"

enum { TOP_NAMES = 6 };

struct ftrace_facts {
    uint64_t events;
    int64_t first, last;
    tac_u64map kinds; /* field number -> count */
    struct tally bundle_fields, cpus;
    uint64_t frequencies, frequency_sum;
    uint64_t frequency_min, frequency_max;
    tac_u64map frequency_values;
    char frequency_first[80];
    struct marks_facts marks;
};

tac_status ftrace_facts_bundle(struct ftrace_facts *ftrace, struct wire bundle, tac_error *err);
tac_status ftrace_facts_values(struct ftrace_facts *ftrace, struct figures *facts, tac_error *err);
/* Those of cpu_frequency and print, which stand behind the processes. */
tac_status ftrace_facts_more(struct ftrace_facts *ftrace, struct figures *facts, tac_error *err);
void ftrace_facts_free(struct ftrace_facts *ftrace);

struct track_facts {
    uint64_t events;
    int64_t first, last;
    bool timed;
    struct tally types, fields, begins;
    tac_names names;
    tac_u64map descriptors, counters; /* uuids */
    uint64_t not_understood;
    struct sorter sorter;
};

tac_status track_facts_event(struct track_facts *track, const struct packet_head *head,
                             const struct sequences *sequences, const struct sequence *sequence,
                             bool has_time, int64_t time, tac_error *err);
void track_facts_descriptor(struct track_facts *track, struct wire descriptor);
tac_status track_facts_values(struct track_facts *track, struct figures *facts, tac_error *err);
void track_facts_free(struct track_facts *track);

struct frame_facts {
    uint64_t kinds[6]; /* by field number: expected and actual display, then surface; end */
    uint64_t closed;
    int64_t total;
    struct tally janks, layers;
    tac_u64map starts, ends; /* cookie -> time; starts: the kind in places */
    tac_u64map start_kinds;
};

void frame_facts_event(struct frame_facts *frames, struct wire event, int64_t time);
void frame_facts_values(struct frame_facts *frames, struct figures *facts);
void frame_facts_free(struct frame_facts *frames);

#endif
